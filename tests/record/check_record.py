"""Whether a record says what the other results of the same run say.

Usage: check_record.py RECORD TABLE EVENTS STORY MECHANISM: files of one run with --record --trace-search, and what `detent write`
makes of its mechanism.
"""
import csv
import math
import sys

from cdl import Record

record_path, table_path, events_path, story_path, mechanism_path = sys.argv[1:]
record = Record(record_path)
failures = 0


def check(what, good, *details):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what, *details)


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


# --- the table ---
with open(table_path, encoding="utf-8") as stream:
    table = list(csv.reader(stream))
head, rows = table[0], table[1:]
check("rows", record.dimensions["time"] == len(rows), record.dimensions["time"], len(rows))
check("times", record.values("time") == [float(row[0]) for row in rows])
check("sides", record.values("side") == [float(row[-1]) for row in rows])
COLUMNS = {"position": ("position", "coordinate"), "velocity": ("velocity", "freedom"),
           "friction": ("friction", "stiction"), "mode": ("mode", "stiction")}
compared = 0
for column, title in enumerate(head[1:-1], 1):
    if "output" in record.dimensions:
        variable, dimension, item = "output_value", "output", title
    else:
        function, _, item = title.rstrip(")").partition("(")
        variable, dimension = COLUMNS[function]
        item = item.replace(", ", " ")
    names = record.values(dimension)
    check("a column of " + title, item in names, names)
    place = names.index(item)
    own = [values[place] for values in record.rows(variable, len(names))]
    theirs = [float(row[column]) for row in rows]
    check("values of " + title, len(own) == len(theirs) and all(map(same, own, theirs)))
    compared += 1
check("columns", compared == len(head) - 2)

# --- the event log ---
with open(events_path, encoding="utf-8") as stream:
    events = list(csv.DictReader(stream))
words = record.attribute("event_cause:flag_meanings").split()
modes = record.attribute("event_from:flag_meanings").split()
check("events", record.dimensions["event"] == len(events), record.dimensions["event"], len(events))
own = {name: record.values("event_" + name) for name in (
    "time", "row", "instant", "stiction", "state", "from", "from_direction", "to", "to_direction", "cause", "margin")}
stictions, states = record.values("stiction"), record.values("state")
sides = {-1: "lower", 0: "free", 1: "upper"}


def mode(number, direction):
    word = modes[int(number)]
    return word if word == "locked" else word + {-1: "-", 0: "", 1: "+"}[int(direction)]


for k, event in enumerate(events):
    is_mode = own["stiction"][k] >= 0
    joint = stictions[int(own["stiction"][k])] if is_mode else "state(%s)" % states[int(own["state"][k])]
    told = [(mode(own[side][k], own[side + "_direction"][k]) if is_mode else sides[int(own[side + "_direction"][k])])
            for side in ("from", "to")]
    check("event %d" % k, [joint, *told, words[int(own["cause"][k])]] ==
          [event["joint"], event["from"], event["to"], event["cause"]], joint, told, event)
    check("time of event %d" % k, own["time"][k] == float(event["time"]))
    check("margin of event %d" % k, same(own["margin"][k], float(event["margin"] or "nan")))
    # rows just before it and just after it
    row = int(own["row"][k])
    check("row of event %d" % k, float(rows[row][0]) == own["time"][k] and (row == 0 or (
        rows[row][-1] == "1" and rows[row - 1][-1] == "-1")), row)

# --- stories ---
with open(story_path, encoding="utf-8") as stream:
    story = stream.read()
check("stories", record.text("story") == story, len(record.text("story")), len(story))
begin, end = record.values("instant_story_begin"), record.values("instant_story_end")
check("stories follow each other", begin[1:] == end[:-1] and begin[0] == 0 and end[-1] == len(story))

# --- the mechanism, the run ---
with open(mechanism_path, encoding="utf-8") as stream:
    check("mechanism", record.text("mechanism") == stream.read())
check("conventions", record.attribute("Conventions") == "CF-1.8")
check("outcome", record.attribute("outcome") == "finished", record.attribute("outcome"))
check("fingerprint", len(record.attribute("mechanism_fingerprint")) == 16)
check("steps", record.attribute("counters:steps") > 0)
check("unit of time", record.attribute("time:units") == "s")

# --- what the table does not have: identities ---
bodies, joints = record.dimensions["body"], record.dimensions["joint"]
for quaternion in record.rows("rotation", 4):
    check("a rotation", abs(sum(x * x for x in quaternion) - 1) < 1e-12, quaternion)
stiction_count = len(stictions)
largest = max((abs(x) for x in record.values("force") + record.values("reaction_force")), default=0)
for friction, low, high, number in zip(*(record.rows(name, stiction_count) for name in ("friction", "limit_low", "limit_high", "mode"))):
    for k in range(stiction_count):
        spare = 1e-6 * (high[k] - low[k]) + 1e-12 * largest
        check("limits hold what is locked", number[k] != 0 or low[k] - spare <= friction[k] <= high[k] + spare, friction, low, high)
energies = [record.values(name) for name in (
    "kinetic_energy", "potential_energy", "friction_work", "damping_work", "actuation_work", "impact_loss")]
start = record.attribute("counters:initial_energy")
turned = max(abs(x) for column in energies for x in column)
for k, f, *_ in zip(zip(*energies), record.values("time")):
    gap = k[0] + k[1] - start - k[2] - k[3] - k[4] + k[5]
    check("energy at t = %g" % f, abs(gap) <= 1e-4 * turned, gap, turned)
print("%d columns, %d rows, %d events" % (compared, len(rows), len(events)))
sys.exit(1 if failures else 0)
