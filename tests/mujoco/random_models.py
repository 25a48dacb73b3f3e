#!/usr/bin/env python3
"""Writes random MJCF files FOLDER/rN.xml for N from FIRST to LAST - 1: test_mujoco holds both engines to each other on them.

One geom a body (MuJoCo 2.2 finds the principal axes of several to 1e-10 only), an armature in every joint (else two slides of one axis
are singular).  Usage: random_models.py FOLDER FIRST LAST
"""
import random
import sys

SHAPES = ["sphere", "box", "capsule", "cylinder", "ellipsoid"]
LONG = ["capsule", "cylinder", "box", "ellipsoid"]


class Model:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.degrees = self.chance(0.5)
        self.angle = 60 if self.degrees else 1
        self.classes, self.bodies, self.joints = [], 0, 0
        self.text = self.write(seed)

    def chance(self, part):
        return self.random.random() < part

    def one_of(self, *choices):
        return self.random.choice(choices)

    def numbers(self, count, least, most):
        return " ".join(repr(round(self.random.uniform(least, most), 4)) for _ in range(count))

    def vector(self, count, size=1.0):
        return self.numbers(count, -size, size)

    def maybe(self, part, attribute, value):
        return f' {attribute}="{value}"' if self.chance(part) else ""

    def orientation(self):
        return self.one_of(
            "",
            f' quat="{self.vector(4)}"',
            f' axisangle="{self.vector(3)} {self.vector(1, self.angle)}"',
            f' euler="{self.vector(3, self.angle)}"',
            f' xyaxes="{self.vector(6)}"',
            f' zaxis="{self.vector(3)}"',
        )

    def of_class(self):
        return f' class="{self.one_of(*self.classes)}"' if self.classes and self.chance(0.4) else ""

    def joint_attributes(self, is_ball=False):
        text = self.maybe(0.4, "damping", self.numbers(1, 0.02, 0.2)) + self.maybe(0.3, "pos", self.vector(3, 0.2))
        if is_ball:  # what a ball may not have here
            return text + ' armature="0" stiffness="0" limited="false"'
        return (
            text
            + self.maybe(0.3, "armature", self.numbers(1, 0.02, 0.2))
            + self.maybe(0.3, "stiffness", self.numbers(1, 0.02, 0.2))
            + self.maybe(0.3, "springref", self.vector(1, self.angle))
            + self.maybe(0.3, "axis", self.vector(3))
            + self.maybe(0.3, "ref", self.vector(1, self.angle))
            + self.maybe(0.2, "range", f"{-self.angle} {self.angle}")
        )

    def geom_attributes(self):
        return (
            self.maybe(0.4, "type", self.one_of(*SHAPES))
            + self.maybe(0.4, "density", self.numbers(1, 300, 3000))
            + self.maybe(0.2, "mass", self.numbers(1, 0.1, 2))
        )

    def default(self, depth):
        name = f"c{len(self.classes)}"
        if depth:
            self.classes.append(name)
        text = f'<default class="{name}">' if depth else "<default>"
        if depth == 0:
            text += f'<joint armature="0.05"/><geom size="{self.numbers(3, 0.02, 0.2)}"/>'
        else:
            text += f"<joint{self.joint_attributes()}/>" if self.chance(0.8) else ""
            text += f"<geom{self.geom_attributes()}/>" if self.chance(0.6) else ""
        for _ in range(self.random.randrange(3) if depth < 3 else 0):
            text += self.default(depth + 1)
        return text + "</default>\n"

    def geom(self):
        text = f"<geom{self.of_class()}" + self.maybe(0.5, "size", self.numbers(3, 0.02, 0.2))
        if self.chance(0.25):
            return text + f' type="{self.one_of(*LONG)}" fromto="{self.vector(6, 0.3)}"/>'
        return text + self.geom_attributes() + self.orientation() + self.maybe(0.4, "pos", self.vector(3, 0.2)) + "/>"

    def joint(self, kind):
        self.joints += 1
        return f'<joint name="j{self.joints}" type="{kind}"{self.of_class()}{self.joint_attributes(kind == "ball")}/>'

    def body_joints(self, depth):
        if depth == 0 and self.chance(0.3):
            self.joints += 1
            return f'<freejoint name="j{self.joints}"/>'
        if self.chance(0.2):
            return self.joint("ball")
        count = self.one_of(0, 1, 1, 1, 2, 3) if depth else self.one_of(1, 1, 2)
        return "".join(self.joint(self.one_of("hinge", "slide", "hinge")) for _ in range(count))

    def body(self, depth):
        self.bodies += 1
        text = f'<body name="b{self.bodies}" pos="{self.vector(3, 0.3)}"{self.orientation()}'
        if self.classes and self.chance(0.3):
            text += f' childclass="{self.one_of(*self.classes)}"'
        text += ">" + self.body_joints(depth)
        if self.chance(0.3):
            text += (
                f'<inertial pos="{self.vector(3, 0.2)}" mass="{self.numbers(1, 0.1, 2)}" '
                f'diaginertia="{self.numbers(3, 0.01, 0.05)}"{self.orientation()}/>'
            )
        text += self.geom() + "\n"
        for _ in range(self.one_of(0, 1, 1, 2) if depth < 4 else 0):
            text += self.body(depth + 1)
        return text + "</body>\n"

    def write(self, seed):
        order = "".join(self.one_of(*"xyzXYZ") for _ in range(3))
        return (
            f'<mujoco model="r{seed}">\n<compiler angle="{"degree" if self.degrees else "radian"}" eulerseq="{order}" '
            + 'autolimits="true" balanceinertia="true"'
            + self.maybe(0.2, "boundmass", 0.5)
            + self.maybe(0.2, "boundinertia", 0.01)
            + self.maybe(0.2, "settotalmass", 7)
            + self.maybe(0.4, "inertiafromgeom", self.one_of("true", "auto"))
            + f'/>\n<option gravity="{self.vector(3, 9)}"/>\n'
            + self.default(0)
            + "<worldbody>\n"
            + "".join(self.body(0) for _ in range(self.one_of(1, 1, 2)))
            + "</worldbody>\n</mujoco>\n"
        )


for number in range(int(sys.argv[2]), int(sys.argv[3])):
    with open(f"{sys.argv[1]}/r{number}.xml", "w", encoding="utf-8") as file:
        file.write(Model(number).text)
