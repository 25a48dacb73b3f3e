"""Reads a plot of one output back by its ticks and holds it to the table: check_plot.py PLOT.svg TABLE.csv COLUMN"""

import csv
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
FONT = 13.0


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def axis(ticks):
    """Value of a place, from the outermost ticks."""
    (a, low), (b, high) = min(ticks), max(ticks)
    assert len(ticks) > 2 and b > a
    return lambda value: a + (value - low) / (high - low) * (b - a)


root = xml.parse(sys.argv[1]).getroot()
texts = [(t.get("text-anchor"), float(t.get("x")), float(t.get("y")), number(t.text)) for t in root.iter(SVG + "text")]
x_of = axis([(x, value) for anchor, x, _, value in texts if anchor == "middle" and value is not None])
y_ticks = [(y - 0.35 * FONT, value) for anchor, _, y, value in texts if anchor == "end" and value is not None]
y_of = axis(y_ticks)
line = root.find(f".//{SVG}g/{SVG}path")
points = [tuple(map(float, pair.split())) for pair in line.get("d")[1:].split("L")]

with open(sys.argv[2], encoding="utf-8", newline="") as file:
    rows = [(float(row["time"]), float(row[sys.argv[3]])) for row in csv.DictReader(file)]
table = [(x_of(t), y_of(value)) for t, value in rows]
near = 0.02  # px: places are written with two digits, and so are ticks
for x, y in points:
    assert any(abs(x - a) <= near and abs(y - b) <= near for a, b in table), f"({x}, {y}) is no row of the table"
for choose in (min, max):
    assert abs(choose(y for _, y in points) - choose(y for _, y in table)) <= near
    assert abs(choose(x for x, _ in points) - choose(x for x, _ in table)) <= near
print(len(points), "points of", len(rows), "rows")
