"""Whether a page holds what its records hold.

Usage: check_report.py PAGE MOST RECORD...: MOST is the bound on its data, bytes.
"""
import base64
import json
import math
import re
import struct
import sys
import zlib

from cdl import Record

page_path, most, *record_paths = sys.argv[1:]
failures = 0


def check(what, good, *details):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what, *details)


def column(value):
    ((kind, text),) = value.items()
    data = base64.b64decode(text, validate=True)
    if kind.endswith("z"):
        data, kind = zlib.decompress(data), kind[:-1]
    letter = {"f32": "f", "f64": "d", "i8": "b"}[kind]
    return struct.unpack("<%d%s" % (len(data) // struct.calcsize(letter), letter), data)


def single(x):
    """As single precision has it."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def agree(what, values, wanted):
    good = len(values) == len(wanted) and all(
        a == single(b) or (math.isnan(a) and math.isnan(b)) for a, b in zip(values, wanted))
    check(what, good, len(values), len(wanted))


with open(page_path, encoding="utf-8") as stream:
    page = stream.read()
opening = '<script id="detent-data" type="application/json">'
check("one place of data", page.count(opening) == 1, page.count(opening))
text = page.split(opening)[1].split("</script>")[0]
check("no markup in the data", not re.search("[<>&\u2028\u2029]", text))
check("bound", len(text.encode()) <= float(most), len(text.encode()), most)
data = json.loads(text)
check("format", data["format"] == 1)
check("runs", len(data["runs"]) == len(record_paths))


def check_run(run, record):
    times, sides = record.values("time"), record.values("side")
    count, kept = len(times), column(run["time"])
    # which rows: times repeat at events, so that they are told from each other by their side, in turn
    rows, at = [], 0
    for time in kept:
        while times[at] != time:
            at += 1
        rows.append(at)
        at += 1
    thinned = run["thinned"]
    check("thinned", thinned["rows"] == count and thinned["kept"] == len(kept), thinned, count, len(kept))
    if len(kept) == count:
        check("all rows", rows == list(range(count)))
    elif thinned["events_kept"] == thinned["events"] and thinned["kept"] > sum(side != 0 for side in sides) + 2:
        wanted = {k for k in range(count) if sides[k] != 0}
        have = set(kept)
        check("rows beside events", all(times[k] in have for k in wanted))
        return thinned  # of equal times it is not known which is which
    check("mechanism", run["source"] == record.text("mechanism"))
    check("outcome", run["outcome"] == record.attribute("outcome"))
    check("title", run["title"] == (record.attribute("title") or ""))
    check("settings", ["integrator", record.attribute("settings:integrator")] in run["settings"])
    steps = record.attribute("counters:steps")  # none of a run that was killed
    check("counters", steps is None or ["steps", "%d" % steps] in run["counters"])

    def items(name, dimension, item, width=1):
        whole = record.rows(name, record.dimensions[dimension] * width)
        return [x for k in rows for x in whole[k][item * width:(item + 1) * width]]

    check("bodies", [body["name"] for body in run["bodies"]] == ["ground", *record.values("body")])
    for b, body in enumerate(run["bodies"][1:]):
        origin, rotation = items("origin", "body", b, 3), items("rotation", "body", b, 4)
        wanted = [x for k in range(len(rows)) for x in origin[3 * k:3 * k + 3] + rotation[4 * k:4 * k + 4]]
        pose = column(body["pose"])
        agree("pose of " + body["name"], pose if len(pose) > 7 else pose * len(rows), wanted)
        check("centre of " + body["name"], body["center"] == record.rows("body_center", 3)[b])
    check("joints", [joint["name"] for joint in run["joints"]] == record.values("joint"))
    for j, joint in enumerate(run["joints"]):
        check("bodies of " + joint["name"], [joint["base"] - 1, joint["follower"] - 1] ==
              [record.values("joint_base")[j], record.values("joint_follower")[j]])
        for key in ("place", "axis", "reaction_force", "reaction_torque"):
            own = column(joint[key])
            agree(key + " of " + joint["name"], own if len(own) > 3 else own * len(rows), items(key, "joint", j, 3))
        if "position" in joint:
            agree("position of " + joint["name"], column(joint["position"]),
                  items("position", "coordinate", int(record.values("joint_coordinate")[j])))
            agree("velocity of " + joint["name"], column(joint["velocity"]),
                  items("velocity", "freedom", int(record.values("joint_freedom")[j])))
        k = int(record.values("joint_stiction")[j])
        check("stiction of " + joint["name"], joint["stiction"] == (k >= 0))
        if k >= 0:
            for key in ("friction", "limit_low", "limit_high"):
                agree(key + " of " + joint["name"], column(joint[key]), items(key, "stiction", k))
            codes = [0 if mode == 0 else (2 if mode == 1 else 1) * (-1 if way < 0 else 1)
                     for mode, way in zip(items("mode", "stiction", k), items("direction", "stiction", k))]
            check("modes of " + joint["name"], list(column(joint["mode"])) == codes)
    outputs = record.values("output")
    check("outputs", [o["name"] for o in run["outputs"]][:len(outputs)] == outputs)
    for o, output in enumerate(run["outputs"][:len(outputs)]):
        agree("output " + output["name"], column(output["value"]), items("output_value", "output", o))
        check("unit of " + output["name"], output["unit"] == record.values("output_unit")[o])
    agree("kinetic energy", column(run["energy"]["kinetic"]), [record.values("kinetic_energy")[k] for k in rows])
    stories = record.text("story")
    told = ""
    for event in run["events"]:
        check("row of an event", kept[event["row"]] == event["t"], event)
        told += event.get("story", "")
    if thinned["stories_kept"] == thinned["stories"]:
        check("stories", told == stories)
    check("events", len(run["events"]) == thinned["events_kept"] <= thinned["events"])
    changes = [event for event in run["events"] if event["kind"] != "unchanged"]
    if thinned["events_kept"] == thinned["events"]:
        check("changes", [event["t"] for event in changes] == record.values("event_time"))
        check("instants", sorted({event["t"] for event in run["events"]}) == sorted(set(record.values("instant_time"))))
    return thinned


for run, path in zip(data["runs"], record_paths):
    print(run["name"], check_run(run, Record(path)))
sys.exit(1 if failures else 0)
