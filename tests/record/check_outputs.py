"""Holds what `detent outputs` prints to the table of a run that was asked for the same: check_outputs.py RUN.csv OUTPUTS.csv DIGITS"""

import csv
import math
import sys


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return head, [[float(text) for text in row] for row in rows]


wanted_head, wanted = table(sys.argv[1])
got_head, got = table(sys.argv[2])
tolerance = float(sys.argv[3])
assert got_head == wanted_head, (got_head, wanted_head)
assert len(got) == len(wanted) > 10, (len(got), len(wanted))
for column, name in enumerate(wanted_head):
    exact = name in ("time", "event") or name.startswith("mode(")
    largest = max(abs(row[column]) for row in wanted if math.isfinite(row[column]))
    for one, other in zip(got, wanted):
        a, b = one[column], other[column]
        same = a == b or (math.isnan(a) and math.isnan(b))
        near = not exact and abs(a - b) <= tolerance * largest
        assert same or near, f"{name} at {other[0]} s, side {other[-1]}: {a} instead of {b}"
