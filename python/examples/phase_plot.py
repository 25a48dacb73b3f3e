"""The phase plane of a pendulum that sticks, as a picture (matplotlib)."""
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
try:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not here: no picture")
else:
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot(result["position(pin)"], result["velocity(pin)"], linewidth=1)
    axes.plot(result["position(pin)"][-1], 0, "o", label="stuck")
    axes.set(xlabel="position / rad", ylabel="velocity / (rad/s)", title="A pendulum that sticks")
    axes.legend()
    figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "phase_plot.png", dpi=120)
print(f"it ends at {result['position(pin)'][-1]:.4f} rad, {result.modes['pin']}")
