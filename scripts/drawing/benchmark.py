"""Error against time of detent and other engines, a panel a size, from the tables of docs/benchmark.md: read ratios, not times."""
import math
import re

from .svg import Picture

# What stands in the tables, and how it is drawn: colour, mark, dash. A range has its two ends alone.
ENGINES = {
    "plain program": ("c0", "circle", None),
    "Simbody": ("c1", "circle", None),
    "MuJoCo hardest": ("c2", "circle", "6 3"),
    "Bullet": ("c3", "square", "6 3"),
    "DART": ("c0", "square", "2 3"),
    "ODE": ("c1", "square", "2 3"),
    "Siconos": ("c2", "square", "2 3"),
}
PANELS = [[("chain", n) for n in (10, 30, 100, 300)], [("pendulum", 2), ("loose-chain", 10), ("loose-chain", 30)]]
WIDTH, HEIGHT, LEFT, TOP, GAP = 205, 240, 66, 40, 22
X, Y = (-1, 5), (-12.2, 0.2)  # powers of ten: time over detent's, error


def rows(page, heading):
    """The rows of the first table below a heading, an empty first cell being that of the row above."""
    table = re.search(rf"^#+ {heading}$.*?((?:^\|[^\n]*\n)+)", page, re.S | re.M).group(1).splitlines()
    head, *body = [[cell.strip(" `*") for cell in line.strip("|").split("|")] for line in table if "--" not in line]
    found, first = [], ""
    for cells in body:
        first = cells[0] or first
        found.append(dict(zip(head, [first, *cells[1:]])))
    return found


def numbers(text):
    return [float(word.replace(",", "")) for word in re.findall(r"[\d.,]*\d(?:e[-+]?\d+)?", text)]


def points_of(page, workload):
    """{(engine, n): [(ratio, error), ...]}"""
    found = {}
    for row in rows(page, "Against the plain program"):
        if row["workload"] == workload:
            found["plain program", int(row["n"])] = list(zip(numbers(row["ratio"]), numbers(row["at errors of"])))
    for row in rows(page, "Against other engines, with events"):
        if row["workload"] == workload:
            found["Simbody", int(row["n"])] = list(zip(numbers(row["ratio"]), numbers(row["error of Simbody"])))
    for row in rows(page, "Against other engines, with fixed steps"):
        for engine in ENGINES:
            if row["workload"] == workload and engine in row:
                pairs = [part.replace("*", "").split(" x") for part in row[engine].split(", ") if " x" in part.replace("*", "")]
                found[engine, int(row["n"])] = [(numbers(ratio)[0], float(error)) for error, ratio in pairs]
    return found


def mark(picture, kind, x, y, cls):
    if kind == "circle":
        picture.circle(x, y, 3.6, cls, "bg", 1.8)
    else:
        picture.path([(x - 3.4, y - 3.4), (x + 3.4, y - 3.4), (x + 3.4, y + 3.4), (x - 3.4, y + 3.4)], cls, 1.8, True, "bg")


def power(k):
    return "".join("⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".index(c)] for c in str(k))


def panel(picture, left, top, title, curves, labels):
    def px(ratio):
        return left + (math.log10(ratio) - X[0]) / (X[1] - X[0]) * WIDTH

    def py(error):
        return top + HEIGHT - (math.log10(error) - Y[0]) / (Y[1] - Y[0]) * HEIGHT

    for k in range(X[0], X[1] + 1):
        picture.path([(px(10.0**k), top), (px(10.0**k), top + HEIGHT)], "faint", 1)
        if k % 2 == 0:
            picture.text(px(10.0**k), top + HEIGHT + 16, f"10{power(k)}" if k else "1", "small", "middle")
    for k in range(-12, 1, 2):
        picture.path([(left, py(10.0**k)), (left + WIDTH, py(10.0**k))], "faint", 1)
        if labels:
            picture.text(left - 6, py(10.0**k) + 4, f"10{power(k)}" if k else "1", "small", "end")
    picture.path([(px(1), top), (px(1), top + HEIGHT)], "ink", 2.4)
    for engine, points in curves.items():
        cls, kind, dash = ENGINES[engine]
        places = [(px(ratio), py(error)) for ratio, error in points]
        if len(places) > 1:
            picture.path(places, cls, 1.8, dash=dash)
        for place in places:
            mark(picture, kind, *place, cls)
    picture.path([(left, top), (left + WIDTH, top), (left + WIDTH, top + HEIGHT), (left, top + HEIGHT)], "ink", 1, True)
    picture.text(left, top - 8, title, "title")


def key(picture, left, top):
    picture.path([(left, top), (left + 34, top)], "ink", 2.4)
    picture.text(left + 44, top + 4, "detent")
    for k, (engine, (cls, kind, dash)) in enumerate(ENGINES.items(), 1):
        y = top + 26 * k
        picture.path([(left, y), (left + 34, y)], cls, 1.8, dash=dash)
        mark(picture, kind, left + 17, y, cls)
        picture.text(left + 44, y + 4, engine)


def draw(root, folder):
    page = (root / "docs" / "benchmark.md").read_text(encoding="utf-8")
    step = HEIGHT + 74
    picture = Picture(LEFT + 4 * (WIDTH + GAP), TOP + 2 * step - 22, "Error against time over that of detent, of other engines, a panel a size")
    for row, panels in enumerate(PANELS):
        top = TOP + row * step
        for k, (workload, n) in enumerate(panels):
            curves = {engine: points for (engine, size), points in points_of(page, workload).items() if size == n}
            panel(picture, LEFT + k * (WIDTH + GAP), top, f"{workload}, n = {n}", curves, k == 0)
        picture.text(LEFT - 46, top + HEIGHT / 2, "error at the end, rad or m", "", "middle", -90)
        picture.text(LEFT + (len(panels) * (WIDTH + GAP) - GAP) / 2, top + HEIGHT + 40, "CPU time over that of detent's cheapest run that is as accurate", "", "middle")
    key(picture, LEFT + 3 * (WIDTH + GAP) + 24, TOP + step + 20)
    picture.save(folder / "bench-engines.svg")
