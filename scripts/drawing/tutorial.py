"""The pictures of docs/tutorial.md, from runs of its files."""
import math

from . import plot
from .svg import Picture

LEFT, TOP, WIDTH = 318, 34, 424  # of the plots; sketches stand on their left


def start(height, title):
    picture = Picture(760, height, title)
    picture.text(16, 24, title, "title")
    return picture


def belt(p, y, top=False, hand=False):
    """The block on the belt, its spring and wall."""
    p.hatch(y - 70, y - 10, 24, False, True)
    p.spring(24, 96, y - 32)
    p.block(96, y - 54, 62, 44, "block")
    if top:
        p.block(106, y - 80, 42, 26, "top")
    if hand:
        p.arrow((127, y - 104), (127, y - 58), "c1")
        p.text(134, y - 84, "hand", "small")
    p.circle(44, y + 5, 14, fill="soft")
    p.circle(224, y + 5, 14, fill="soft")
    p.path([(44, y - 10), (224, y - 10)], "ink", 2.4)
    p.path([(44, y + 20), (224, y + 20)], "ink", 2.4)
    p.arrow((166, y + 36), (214, y + 36))
    p.text(160, y + 40, "speed", "small", "end")
    p.text(24, y + 64, "shaded: it sticks", "small")


def arm(p, x, y, angle, length=150, stops=(-50,), motor=False):
    a = math.radians(angle)
    for stop in stops:
        s = math.radians(stop)
        ux, uy = math.cos(s), -math.sin(s)
        side = 1 if stop < 0 else -1
        at = (x + 0.8 * length * ux - side * 9 * uy, y + 0.8 * length * uy + side * 9 * ux)
        p.path([(at[0] - 12 * ux, at[1] - 12 * uy), (at[0] + 12 * ux, at[1] + 12 * uy)], "c1", 4)
        p.text(at[0] + 4, at[1] + (22 if stop < 0 else -12), "stop", "small", "middle")
    ux, uy = math.cos(a), -math.sin(a)
    nx, ny = -7 * uy, 7 * ux
    p.path([(x + nx, y + ny), (x + length * ux + nx / 2, y + length * uy + ny / 2),
            (x + length * ux - nx / 2, y + length * uy - ny / 2), (x - nx, y - ny)], "ink", 1.4, True, "soft")
    p.circle(x, y, 12, fill="soft")
    p.circle(x, y, 3, fill="inked")
    p.hatch(y - 24, y + 24, x - 18, False, True)
    if motor:
        p.arc_arrow(x, y, 22, -20, 70, "c2")
    p.text(x - 20, y + 44, "shoulder", "small")


def one_block(detent, root, name, title, y_range, end):
    run = plot.run(detent, root / f"docs/tutorial/{name}.yaml")
    p = start(330, title)
    belt(p, 150)
    t, shade = run["time"], (run["time"], run["mode(block)"])
    plot.panel(p, (LEFT, TOP + 14, WIDTH, 110), (0, end), y_range, "x (m)", [(t, run["x"], "c0", "block")], shade=shade)
    plot.panel(p, (LEFT, TOP + 152, WIDTH, 90), (0, end), (0, 1.8), "friction (N)", [(t, run["friction(block)"], "c1", "")], "time (s)", shade)
    return p


def load(detent, root):
    run = plot.run(detent, root / "docs/tutorial/3-load.yaml")
    p = start(330, "Friction follows the load")
    belt(p, 176, hand=True)
    t, shade = run["time"], (run["time"], run["mode(block)"])
    plot.panel(p, (LEFT, TOP + 14, WIDTH, 110), (0, 60), (0, 1.6), "x (m)", [(t, run["x"], "c0", "block")], shade=shade)
    limit = [0.15 * n for n in run["normal_force(block)"]]
    plot.panel(p, (LEFT, TOP + 152, WIDTH, 90), (0, 60), (0, 3.5), "N", [(t, run["friction(block)"], "c1", "friction"),
               (t, limit, "c2", "static limit", "5 4")], "time (s)", shade)
    return p


def two(detent, root):
    run = plot.run(detent, root / "docs/tutorial/4-two-joints.yaml", "--interval", "0.005")
    p = start(378, "Two joints")
    belt(p, 190, top=True)
    t, x = run["time"], (10, 16)
    plot.panel(p, (LEFT, TOP + 14, WIDTH, 90), x, (0.2, 1.3), "x (m)", [(t, run["x"], "c0", "block"), (t, run["top"], "c2", "top")],
               shade=(t, run["mode(block)"]))
    plot.panel(p, (LEFT, TOP + 130, WIDTH, 70), x, (0, 2.6), "on belt (N)", [(t, run["friction(block)"], "c1", "")], shade=(t, run["mode(block)"]))
    plot.panel(p, (LEFT, TOP + 226, WIDTH, 70), x, (-0.3, 0.3), "on block (N)", [(t, run["friction(top)"], "c1", "")],
               "time (s)", (t, run["mode(top)"]))
    return p


def loop(detent, root):
    run = plot.run(detent, root / "mechanisms/four_bar.yaml")
    p = start(330, "A loop that holds itself")
    scale, x, y = 200, 40, 240
    crank = math.radians(50)
    a = (x, y)
    b = (x + 0.3 * scale * math.cos(crank), y - 0.3 * scale * math.sin(crank))
    d = (x + 0.9 * scale, y)
    foot = 1.5674
    c = (d[0] + 0.6 * scale * math.cos(foot), d[1] - 0.6 * scale * math.sin(foot))
    p.hatch(x - 16, d[0] + 16, y + 12)
    for u, v in ((a, b), (b, c), (c, d)):
        p.path([u, v], "ink", 6)
    for (px, py), name, dx, dy in ((a, "main", -22, 36), (b, "pin", -8, -14), (c, "head", -10, -14), (d, "foot", -8, 36)):
        p.circle(px, py, 6)
        p.text(px + dx, py + dy, name, "small")
    p.arc_arrow(*a, 26, -60, 40, "c1")
    t, shade = run["time"], (run["time"], run["mode(main)"])
    angle = [math.degrees(v) for v in run["position(main)"]]
    plot.panel(p, (LEFT, TOP + 14, WIDTH, 110), (0, 6), (0, 420), "crank (°)", [(t, angle, "c0", "")], shade=shade)
    plot.panel(p, (LEFT, TOP + 152, WIDTH, 90), (0, 6), (-1.7, 1.7), "friction (Nm)",
               [(t, run[f"friction({j})"], f"c{k}", j) for k, j in enumerate(("main", "pin", "head", "foot"))], "time (s)", shade)
    return p


def stop(detent, root):
    run = plot.run(detent, root / "docs/tutorial/6-stop.yaml")
    p = start(330, "Stops")
    arm(p, 40, 190, 20, stops=(-50, 80))
    t, shade = run["time"], (run["time"], run["mode(shoulder)"])
    plot.panel(p, (LEFT, TOP + 14, WIDTH, 110), (0, 6), (-60, 95), "angle (°)", [(t, run["angle"], "c0", "")], shade=shade)
    plot.panel(p, (LEFT, TOP + 152, WIDTH, 90), (0, 6), (-1.8, 6.5), "Nm",
               [(t, run["friction(shoulder)"], "c1", "friction"), (t, run["stop_force(shoulder)"], "c2", "rigid stop")], "time (s)", shade)
    return p


def hunting(detent, root):
    file = root / "docs/tutorial/7-hunting.yaml"
    runs = [plot.run(detent, file, *more) for more in ((), ("--set", "band=1 deg"), ("--set", "static=1 N*m"), ("--set", "ki=0"))]
    p = start(430, "A joint that hunts, and what cures it")
    arm(p, 40, 150, 30, motor=True)
    p.text(24, 300, "target 30°", "small")
    p.text(24, 320, "PID at 1 kHz", "small")
    t = [r["time"] for r in runs]
    plot.panel(p, (LEFT, TOP + 14, WIDTH, 100), (0, 30), (28.8, 31.2), "angle (°)", [(t[0], runs[0]["angle"], "c0", "")],
               shade=(t[0], runs[0]["mode(shoulder)"]))
    plot.panel(p, (LEFT, TOP + 136, WIDTH, 80), (0, 30), (3, 7.5), "motor (Nm)", [(t[0], runs[0]["torque"], "c1", "")],
               shade=(t[0], runs[0]["mode(shoulder)"]))
    names = ((1, "band of 1°", "c2"), (2, "static = kinetic", "c3"), (3, "no integral", "c1"))
    plot.panel(p, (LEFT, TOP + 244, WIDTH, 100), (0, 30), (19, 33), "cured (°)",
               [(t[k], runs[k]["angle"], cls, name) for k, name, cls in names], "time (s)")
    return p


def draw(detent, root, folder):
    one_block(detent, root, "1-block", "A block on a belt", (0, 1), 30).save(folder / "tutorial-1-block.svg")
    one_block(detent, root, "2-stick-slip", "Static friction above kinetic friction", (0, 1), 30).save(folder / "tutorial-2-stick-slip.svg")
    for name, figure in (("3-load", load), ("4-two-joints", two), ("5-loop", loop), ("6-stop", stop), ("7-hunting", hunting)):
        figure(detent, root).save(folder / f"tutorial-{name}.svg")
