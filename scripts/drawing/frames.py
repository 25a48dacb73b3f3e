"""The pictures of docs/frames.md."""
import math

from .space import X, Y, Z, Space, add, times
from .svg import Picture

SMALL = 0.36  # radius of arrows that turn


def revolute(s):
    s.cylinder((0, 0, -0.7), Z, 0.5, 0.22)
    s.box((0.0, 0.55, 0.0), (0.24, 1.5, 0.3), "bg")
    s.line((0, 0, -0.9), (0, 0, 1.1), dash="5 3")
    s.turn((0, 0, 0.62), Z, SMALL, label="J", label_at=90)


def prismatic(s):
    s.box((-0.12, 0, 0), (0.12, 0.3, 2))
    s.box((0.12, 0, -0.1), (0.3, 0.7, 0.5), "bg")
    s.arrow((0.3, 0.6, -0.3), (0.3, 0.6, 0.6), "c0", "J")


def weld(s):
    s.box((0, -0.3, -0.2), (0.5, 0.7, 0.7))
    s.box((0, 0.4, -0.2), (0.5, 0.7, 0.7), "bg")
    s.line((0.25, 0.05, -0.55), (0.25, 0.05, 0.15), "c1", 4)


def universal(s):
    s.box((0, 0, -0.9), (0.5, 0.5, 0.2))
    s.cylinder((-0.75, 0, 0), X, 1.5, 0.07)
    s.cylinder((0, -0.75, 0), Y, 1.5, 0.07, "bg")
    s.line((-0.6, 0, 0), (-0.6, 0, -0.6))
    s.line((0.6, 0, 0), (0.6, 0, -0.8))
    s.line((0, -0.6, 0), (0, -0.6, 0.7))
    s.line((0, 0.6, 0), (0, 0.6, 0.7))
    s.box((0, 0, 0.78), (0.3, 1.4, 0.16), "bg")
    s.turn((0.95, 0, 0), X, 0.3, label="r1", label_at=180)
    s.turn((0, 1.0, 0), Y, 0.3, label="r2", label_at=0)


def cylindrical(s):
    s.cylinder((0, 0, -1), Z, 2, 0.1)
    s.cylinder((0, 0, -0.35), Z, 0.7, 0.32, "bg")
    s.arrow((0, 0.75, -0.4), (0, 0.75, 0.5), "c0", "p1")
    s.turn((0, 0, 0.75), Z, SMALL, label="r1", label_at=-90)


def planar(s):
    s.box((0, 0, -0.45), (1.9, 1.9, 0.1))
    s.box((0, 0, -0.2), (0.6, 0.6, 0.4), "bg")
    s.arrow((0.35, 0, -0.35), (1.15, 0, -0.35), "c0", "p1", 0.25)
    s.arrow((0, 0.35, -0.35), (0, 1.15, -0.35), "c0", "p2", 0.25)
    s.turn((0, 0, 0.4), Z, SMALL, label="r1", label_at=90)


def gimbal(s):
    for axis, r in ((X, 0.95), (Y, 0.75)):
        s.picture.path(ring(s, axis, r), "ink", 2.4, True)
    s.box((0, 0, 0), (0.4, 0.4, 0.4), "bg")
    s.turn((1.1, 0, 0), X, 0.28, label="r1", label_at=180)
    s.turn((0, 1.15, 0), Y, 0.28, label="r2", label_at=0)
    s.turn((0, 0, 0.75), Z, 0.28, label="r3", label_at=90)


def ring(s, axis, r):
    from .space import ACROSS
    u, v = ACROSS[axis]
    return [s.at(add(times(r * math.cos(math.radians(t)), u), times(r * math.sin(math.radians(t)), v))) for t in range(0, 360, 8)]


def arrows_along(s, names, start=0.42, end=1.05):
    for axis, name in zip((X, Y, Z), names):
        s.arrow(times(start, axis), times(end, axis), "c0", name, 0.28)


def bushing(s):
    s.box((0, 0, -0.8), (1.1, 1.1, 0.12))
    for x in (-0.3, 0.3):
        s.line((x, -x, -0.74), (x, -x, -0.25), "c2", 2, "3 2")
    s.box((0, 0, 0), (0.5, 0.5, 0.5), "bg")
    arrows_along(s, ("p1", "p2", "p3"))
    s.turn((0.72, 0, 0), X, 0.22, label="r1", label_at=190)
    s.turn((0, 0.72, 0), Y, 0.22, label="r2", label_at=0)
    s.turn((0, 0, 0.66), Z, 0.22, label="r3", label_at=-90)


def spherical(s):
    s.box((0, 0, -0.75), (0.7, 0.7, 0.3))
    x, y = s.at((0, 0, -0.2))
    s.picture.circle(x, y, 0.36 * s.scale, fill="soft")
    s.cylinder((0, 0, 0.1), Z, 0.9, 0.08, "bg")
    s.turn((0, 0, 0.6), Z, 0.3)
    s.turn((0, 0.02, -0.2), Y, 0.5, start=40, end=150)
    s.turn((0, 0.0, -0.2), X, 0.55, start=10, end=80)
    s.text((0, 1.0, 0.0), "all ways", dx=12)


def six(s):
    s.box((0, 0, 0), (0.5, 0.5, 0.5), "bg")
    arrows_along(s, ("p1", "p2", "p3"))
    s.turn((0.0, 0.72, 0), Y, 0.2)
    s.turn((0.72, 0, 0), X, 0.2)
    s.turn((0, 0, 0.66), Z, 0.2)
    s.text((0, 0.0, -0.85), "s1: all ways to turn")


def custom(s):
    s.box((-0.1, 0, -0.1), (0.12, 1.9, 0.6))
    s.box((0, 0, -0.1), (0.1, 1.5, 0.14), "bg")
    s.cylinder((0, 0.1, -0.1), X, 0.75, 0.1, "soft")
    s.arrow((0.5, 0.35, -0.1), (0.5, 1.05, -0.1), "c0", "p1", 0.2)
    s.turn((0.9, 0.1, -0.1), X, 0.3, label="r1", label_at=180)


TYPES = (("revolute", "r about z", revolute), ("prismatic", "p along z", prismatic), ("weld", "nothing", weld),
         ("universal", "r x, r y", universal), ("cylindrical", "p z, r z", cylindrical), ("planar", "p x, p y, r z", planar),
         ("gimbal", "r x, r y, r z", gimbal), ("spherical", "s", spherical), ("bushing", "p p p r r r", bushing),
         ("six-dof", "p p p s", six), ("free", "p p p s, no stiction", six), ("custom", "here [p, r]: y, x", custom))


def joints():
    wide, high, across = 188, 206, 4
    rows = -(-len(TYPES) // across)
    p = Picture(wide * across + 8, high * rows + 40, "The joint types: shaded is the base, white the follower")
    for k, (name, row, draw) in enumerate(TYPES):
        left, top = 4 + (k % across) * wide, 4 + (k // across) * high
        p.text(left + 12, top + 20, name, "title")
        p.text(left + 12, top + 37, row, "small")
        draw(Space(p, left + wide / 2 - 4, top + 124, 52))
        p.path([(left + 4, top + high - 2), (left + wide - 8, top + high - 2)], "faint", 1)
    p.text(16, p.height - 14, "Grey: the base. White: the follower. Blue: slides. Orange: turns.  x towards you, y to the right, z upward.", "small")
    return p


def bodies():
    p = Picture(760, 330, "A body: its frame, its centre of mass, a point of it")
    s = Space(p, 150, 240, 80)
    s.triad((0, 0, 0), 1)
    s.text((0, 0, 0), "ground: the world frame", dy=62, dx=30)
    axes = turned(35)
    o = (0, 3.0, 0.7)
    s.box(add(o, times(0.9, axes[1]), times(0.2, axes[2])), (0.6, 2.2, 0.5), "bg", axes)
    s.triad(o, 0.75, axes, cls="c0")
    s.text(o, "frame of the body", "end", dx=-52, dy=-8)
    c = add(o, times(1.0, axes[1]), times(0.2, axes[2]))
    x, y = s.at(c)
    p.circle(x, y, 6, fill="f1")
    s.text(c, "center_of_mass: [0, c, d]", "start", dx=22, dy=34)
    tip = add(o, times(1.95, axes[1]), times(0.2, axes[2]))
    x, y = s.at(tip)
    p.circle(x, y, 4, fill="inked")
    s.text(tip, "a point of the body: [0, l, d]", "middle", dx=-4, dy=-34)
    p.text(16, 24, "A body has a frame; everything of the body is said in it", "title")
    return p


def turned(angle):
    """The axes of a body that is turned about x."""
    c, d = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return X, (0, c, d), (0, -d, c)


def flat_triad(p, x, y, angle, cls, length=46, names=("x", "y")):
    for k, name in enumerate(names):
        a = math.radians(angle + 90 * k)
        p.arrow((x, y), (x + length * math.cos(a), y - length * math.sin(a)), cls, 2)
        p.text(x + (length + 11) * math.cos(a), y - (length + 11) * math.sin(a) + 4, name, "small", "middle")


def link(p, x, y, angle, length, fill):
    """A flat link, from its origin along -y of its own frame."""
    a = math.radians(angle - 90)
    ux, uy = math.cos(a), -math.sin(a)
    nx, ny = -15 * uy, 15 * ux
    ex, ey = x + length * ux, y + length * uy
    p.path([(x + nx, y + ny), (ex + nx, ey + ny), (ex - nx, ey - ny), (x - nx, y - ny)], "ink", 1.3, True, fill)
    return ex, ey


def joint():
    p = Picture(760, 400, "A joint: a frame on the base, one on the follower, and what is between them")
    p.text(16, 24, "The joint frames, and the position of a joint", "title")
    for left, q, note in ((30, 0, "position 0: the joint frames coincide"), (390, 50, "position q: the follower has turned by q about z")):
        x, y = left + 120, 90
        ex, ey = link(p, x, y, 20, 150, "soft")
        fx, fy = link(p, ex, ey, 20 + q, 120, "bg")
        flat_triad(p, x, y, 20, "c2")
        p.text(x - 16, y - 26, "base", "small", "end")
        p.text(fx + (14 if q else 22), fy + 4, "follower", "small")
        flat_triad(p, ex, ey, 20, "c0", 62)
        if q:
            flat_triad(p, ex, ey, 20 + q, "c1", 46)
            p.arc_arrow(ex, ey, 76, 20, 20 + q, "ink")
            p.text(ex + 84 * math.cos(math.radians(45)), ey - 84 * math.sin(math.radians(45)), "q")
        p.circle(ex, ey, 4, fill="inked")
        p.text(left + 10, 384, note, "small")
    p.text(180, 262, "at: {base: [0, -L, 0]}", "small", "end")
    return p


def signs():
    p = Picture(760, 330, "Signs of positions, friction, limits and reactions")
    p.text(16, 24, "What is positive", "title")
    y = 150
    p.hatch(40, 350, y)
    p.block(150, y - 50, 90, 50, "follower", "bg")
    p.text(60, y + 24, "base", "small")
    p.arrow((40, 70), (120, 70), "c2")
    p.text(126, 74, "axis: position, velocity, force, friction", "small")
    p.arrow((244, y - 25), (310, y - 25), "c0")
    p.text(318, y - 21, "v &gt; 0", "small")
    p.arrow((150, y - 8), (84, y - 8), "c1")
    p.text(60, y - 18, "friction &lt; 0", "small")
    p.text(40, 196, "They are those of the follower relative to the base, and act on the", "small")
    p.text(40, 213, "follower; the base gets the opposite.", "small")
    x0, x1, line = 60, 340, 262
    p.path([(x0, line), (x1, line)], "ink", 1.4)
    for x, label, cls in ((90, "forward", "c1"), (200, "0", "ink"), (310, "reverse", "c1")):
        p.path([(x, line - 7), (x, line + 7)], cls, 2.4)
        p.text(x, line + 24, label, "small", "middle")
    p.add(f'<rect class="shade" x="90" y="{line - 7}" width="220" height="14"/>')
    p.text(200, line - 14, "test friction of a joint that stays locked", "small", "middle")
    p.text(200, 312, "beyond forward it starts forward, beyond reverse backward", "small", "middle")
    bx, by = 500, 210
    p.hatch(by - 60, by + 60, bx - 20, False, True)
    p.block(bx - 20, by - 10, 190, 20, "follower", "bg")
    p.arrow((bx - 4, by - 12), (bx - 4, by - 84), "c0")
    p.text(bx + 6, by - 66, "reaction_force(J, y) &gt; 0", "small")
    p.arc_arrow(bx - 14, by, 46, -70, 60, "c3")
    p.text(bx + 44, by + 36, "reaction_torque(J, z) &gt; 0", "small")
    p.arrow((bx + 120, by - 58), (bx + 120, by - 14), "c1")
    p.text(bx + 130, by - 34, "weight", "small")
    p.text(bx - 20, 300, "What the base does to the follower, about", "small")
    p.text(bx - 20, 317, "the joint frame of the follower, along its axes", "small")
    return p


def draw(folder):
    for name, picture in (("body", bodies), ("joint", joint), ("signs", signs), ("types", joints)):
        picture().save(folder / f"frame-{name}.svg")
