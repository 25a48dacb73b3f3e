"""The phase plane of a pendulum that sticks, as a picture (matplotlib)."""
import math
import sys

import detent

mechanism = detent.Mechanism.parse(
    """
detent: 1
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, base: ground, follower: rod, initial: {position: 170 deg}}}
stiction: {pin: {kinetic: 0.4, static: 0.8}}
outputs: [position(pin), velocity(pin)]
simulation: {end: 20, interval: 0.01}
"""
)
result = detent.simulate(mechanism)
position, velocity = result.values.T
may_rest = math.asin(0.8 / (1 * 9.81 * 0.5))  # where gravity has no more torque than static friction
try:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not here: no picture")
else:
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.axhline(0, color="0.8", linewidth=0.8)
    axes.plot([-may_rest, may_rest], [0, 0], color="0.6", linewidth=5, solid_capstyle="butt", label="where it may rest")
    axes.plot(position, velocity, linewidth=1)
    axes.plot(position[-1], 0, "o", label="stuck")
    axes.set(xlabel="position / rad", ylabel="velocity / (rad/s)", title="A pendulum that sticks")
    axes.legend(loc="upper right")
    figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "phase_plot.png", dpi=120)
print(f"it ends at {position[-1]:.4f} rad, {result.modes['pin']}")
assert abs(position[-1]) <= may_rest and result.modes["pin"] == "locked"
