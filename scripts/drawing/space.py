"""Things in space, drawn in a picture: z upward, y to the right, x towards the reader."""
import math

VIEW = (0.92, 0.62, 0.47)  # what points at the reader
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
ACROSS = {X: (Y, Z), Y: (Z, X), Z: (X, Y)}  # two directions that make a right-handed three with an axis


def add(*vectors):
    return tuple(map(sum, zip(*vectors)))


def times(s, v):
    return tuple(s * c for c in v)


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


class Space:
    def __init__(self, picture, left, top, scale):
        """(left, top): where the origin is."""
        self.picture, self.left, self.top, self.scale = picture, left, top, scale

    def at(self, p):
        x, y, z = p
        return self.left + self.scale * (-0.62 * x + 0.92 * y), self.top + self.scale * (0.42 * x + 0.14 * y - z)

    def line(self, a, b, cls="ink", width=1.3, dash=None):
        self.picture.path([self.at(a), self.at(b)], cls, width, dash=dash)

    def arrow(self, a, b, cls="c0", label="", beyond=0.16):
        self.picture.arrow(self.at(a), self.at(b), cls, 2)
        if label:
            x, y = self.at(add(b, times(beyond, add(b, times(-1, a)))))
            self.picture.text(x, y + 4, label, "small", "middle")

    def turn(self, centre, axis, r, cls="c1", label="", start=-60, end=210, label_at=None):
        """An arrow round an axis, in its positive direction."""
        u, v = ACROSS[axis]
        points = []
        for k in range(41):
            a = math.radians(start + (end - start) * k / 40)
            points.append(self.at(add(centre, times(r * math.cos(a), u), times(r * math.sin(a), v))))
        self.picture.path(points[:-3], cls, 2)
        self.picture.arrow(points[-5], points[-1], cls, 2, 8)
        if label:
            a = math.radians(end if label_at is None else label_at)
            x, y = self.at(add(centre, times((r + 0.2) * math.cos(a), u), times((r + 0.2) * math.sin(a), v)))
            self.picture.text(x, y + 4, label, "small", "middle")

    def box(self, centre, size, fill="soft", axes=(X, Y, Z)):
        """Its faces that are seen; `axes`: where its edges point, of length one."""
        half = [times(s / 2, a) for s, a in zip(size, axes)]
        for k in range(3):
            out, side, other = half[k], half[(k + 1) % 3], half[(k + 2) % 3]
            if dot(out, VIEW) < 0:
                out = times(-1, out)
            corners = [add(centre, out, times(i, side), times(j, other)) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            self.picture.path([self.at(c) for c in corners], "ink", 1.2, True, fill)

    def cylinder(self, a, axis, length, r, fill="soft"):
        """From a along one of the axes."""
        u, v = ACROSS[axis]
        ring = [add(times(r * math.cos(math.radians(t)), u), times(r * math.sin(math.radians(t)), v)) for t in range(0, 360, 10)]
        ends = [[self.at(add(e, p)) for p in ring] for e in (a, add(a, times(length, axis)))]
        near = ends[1] if dot(axis, VIEW) * length > 0 else ends[0]
        self.picture.path(hull(ends[0] + ends[1]), "ink", 1.2, True, fill)
        self.picture.path(near, "ink", 1.2, True, fill)

    def triad(self, origin, length=0.7, axes=(X, Y, Z), names=("x", "y", "z"), cls="c2"):
        for axis, name in zip(axes, names):
            self.arrow(origin, add(origin, times(length, axis)), cls, name)

    def text(self, p, text, anchor="middle", cls="small", dx=0, dy=4):
        x, y = self.at(p)
        self.picture.text(x + dx, y + dy, text, cls, anchor)


def hull(points):
    """The convex hull of points in the plane."""
    points = sorted(set(points))

    def half(sequence):
        chain = []
        for p in sequence:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      - (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(points) + half(points[::-1])
