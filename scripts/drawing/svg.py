"""A picture in SVG: strokes and texts of a few classes, whose colours follow the reader's light or dark."""
import math
import pathlib

# Colours of lines are told apart by eyes that see few colours, too (Okabe, Ito); the first four are used in this order.
STYLE = """<style>
text{font:13px sans-serif;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.plain{stroke:none}.small{font-size:11.5px}.title{font-size:14px;font-weight:bold}
.bg{fill:#fff}.ink{stroke:#222}.inked{fill:#222}.faint{stroke:#ddd}.shade{fill:#0072b2;fill-opacity:.12}.soft{fill:#eceff3}
.c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#009e73}.c3{stroke:#a8568a}
.f0{fill:#0072b2}.f1{fill:#d55e00}.f2{fill:#009e73}.f3{fill:#a8568a}
@media (prefers-color-scheme:dark){text{fill:#e8e8e8;stroke:#15181d}.bg{fill:#15181d}.ink{stroke:#e8e8e8}.inked{fill:#e8e8e8}.faint{stroke:#3a3f47}
.shade{fill:#56b4e9;fill-opacity:.2}.soft{fill:#2a2f37}
.c0{stroke:#56b4e9}.c1{stroke:#ff8a3d}.c2{stroke:#2fd0a0}.c3{stroke:#e39ac4}.f0{fill:#56b4e9}.f1{fill:#ff8a3d}.f2{fill:#2fd0a0}.f3{fill:#e39ac4}}
</style>"""


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".").replace("-0", "0") if abs(value) < 0.05 else f"{value:.1f}".rstrip("0").rstrip(".")


class Picture:
    def __init__(self, width, height, what):
        self.width, self.height = width, height
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
                      f'role="img" aria-label="{what}">', STYLE, f'<rect class="bg" width="{width}" height="{height}" rx="6"/>']

    def add(self, text):
        self.parts.append(text)

    def path(self, points, cls="ink", width=1.4, closed=False, fill="none", dash=None):
        d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")
        shape = f'class="{cls} {fill}"' if fill != "none" else f'class="{cls}" fill="none"'
        self.add(f'<path {shape} d="{d}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"'
                 + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    def text(self, x, y, text, cls="", anchor="start", turn=None):
        turned = f' transform="rotate({turn} {number(x)} {number(y)})"' if turn is not None else ""
        self.add(f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"' + (f' class="{cls}"' if cls else "") + f"{turned}>{text}</text>")

    def circle(self, x, y, r, cls="ink", fill="bg", width=1.4):
        self.add(f'<circle class="{cls} {fill}" cx="{number(x)}" cy="{number(y)}" r="{number(r)}" stroke-width="{width}"/>')

    def arrow(self, start, end, cls="ink", width=1.8, head=8):
        """A straight arrow; its head has the colour of its line, c0 with f0."""
        (x0, y0), (x1, y1) = start, end
        length = math.hypot(x1 - x0, y1 - y0)
        if length < 1:
            return
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        bx, by = x1 - head * ux, y1 - head * uy
        self.path([(x0, y0), (bx, by)], cls, width)
        fill = "inked" if cls == "ink" else "f" + cls[1:]
        self.add(f'<path class="{fill}" d="M{number(x1)} {number(y1)}L{number(bx - head / 2.4 * uy)} {number(by + head / 2.4 * ux)}'
                 f'L{number(bx + head / 2.4 * uy)} {number(by - head / 2.4 * ux)}Z"/>')

    def arc_arrow(self, x, y, r, start, end, cls="ink", width=1.8):
        """About (x, y), from one angle to another, degrees, counterclockwise as it is seen."""
        n = 24
        angles = [math.radians(start + (end - start) * k / n) for k in range(n + 1)]
        points = [(x + r * math.cos(a), y - r * math.sin(a)) for a in angles]
        self.path(points[:-2], cls, width)
        self.arrow(points[-4], points[-1], cls, width, 7)

    def block(self, x, y, width, height, label="", fill="soft"):
        self.path([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], "ink", 1.4, True, fill)
        if label:
            self.text(x + width / 2, y + height / 2 + 4.5, label, "small plain", "middle")

    def hatch(self, x0, x1, y, down=True, upright=False):
        """The ground: a line from x0 to x1 at y, hatched on its side; upright, x and y change places."""
        side = 6 if down else -6
        turn = (lambda a, b: (b, a)) if upright else (lambda a, b: (a, b))
        self.path([turn(x0, y), turn(x1, y)], "ink", 1.6)
        k = x0 + 3
        while k < x1:
            self.path([turn(k, y), turn(k - 5, y + side)], "ink", 0.9)
            k += 7

    def spring(self, x0, x1, y, turns=7, height=6):
        lead = 8
        step = (x1 - x0 - 2 * lead) / (2 * turns)
        points = [(x0, y), (x0 + lead, y)]
        points += [(x0 + lead + (k + 0.5) * step, y + (height if k % 2 else -height)) for k in range(2 * turns)]
        self.path(points + [(x1 - lead, y), (x1, y)], "ink", 1.3)

    def save(self, path):
        pathlib.Path(path).write_text("\n".join(self.parts + ["</svg>", ""]), encoding="utf-8")
        print(path)
