"""Plots of what a run wrote: lines over time, and shades where a joint is locked."""
import csv
import math
import pathlib
import subprocess
import tempfile


def run(detent, mechanism, *options):
    """The table of a run: a mapping from its columns to lists of numbers."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([detent, "run", "-q", str(mechanism), "-o", folder + "/", *options], check=True)
        with open(pathlib.Path(folder) / (pathlib.Path(mechanism).stem + ".csv"), encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))
    return {head: [float(row[k]) for row in rows[1:]] for k, head in enumerate(rows[0])}


def ticks(low, high, count=5):
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def locked_intervals(time, mode):
    """The intervals in which a mode is 0."""
    start = None
    for k, (t, m) in enumerate(zip(time, mode)):
        if m == 0 and start is None:
            start = t
        if start is not None and (m != 0 or k == len(time) - 1):
            if t > start:
                yield start, t
            start = None


def panel(picture, box, x, y, label, lines, x_label="", shade=None):
    """One plot in a box (left, top, width, height) with ranges x and y.

    lines: (times, values, class, name) each, or with a dash behind; shade: times and modes of a joint.
    """
    left, top, width, height = box

    def px(v):
        return left + (v - x[0]) / (x[1] - x[0]) * width

    def py(v):
        return top + height - (v - y[0]) / (y[1] - y[0]) * height

    for a, b in locked_intervals(*shade) if shade else ():
        a, b = max(a, x[0]), min(b, x[1])
        if b > a:
            picture.add(f'<rect class="shade" x="{px(a):.1f}" y="{top}" width="{px(b) - px(a):.1f}" height="{height}"/>')
    for v in ticks(*x, 8):
        picture.path([(px(v), top), (px(v), top + height)], "faint", 1)
        if x_label:
            picture.text(px(v), top + height + 16, f"{v:.6g}", "small", "middle")
    for v in ticks(*y, 4):
        picture.path([(left, py(v)), (left + width, py(v))], "faint", 1)
        picture.text(left - 6, py(v) + 4, f"{v:.6g}".replace("-", "−"), "small", "end")
    clip = f"c{len(picture.parts)}"
    picture.add(f'<clipPath id="{clip}"><rect x="{left}" y="{top}" width="{width}" height="{height}"/></clipPath><g clip-path="url(#{clip})">')
    for times, values, cls, _, *dash in lines:
        picture.path(thinned([(px(a), py(b)) for a, b in zip(times, values) if x[0] <= a <= x[1]]), cls, 1.7, dash=dash[0] if dash else None)
    picture.add("</g>")
    picture.path([(left, top), (left + width, top), (left + width, top + height), (left, top + height)], "ink", 1, True)
    picture.text(left - 46, top + height / 2, label, "", "middle", -90)
    if x_label:
        picture.text(left + width / 2, top + height + 34, x_label, "", "middle")
    at = left + width - 8
    for _, _, cls, name, *_ in reversed([line for line in lines if line[3]]):
        at -= 7.2 * len(name)
        picture.text(at, top - 6, name, "small")
        picture.path([(at - 22, top - 10), (at - 5, top - 10)], cls, 2.4)
        at -= 36


def thinned(points):
    """Without points nearer than can be seen; jumps stay."""
    kept = points[:1]
    for k, p in enumerate(points[1:], 1):
        if abs(p[0] - kept[-1][0]) + abs(p[1] - kept[-1][1]) >= 0.5 or k == len(points) - 1:
            kept.append(p)
    return kept
