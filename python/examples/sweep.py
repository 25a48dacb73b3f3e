"""One parameter, many runs, in processes side by side: mechanisms pickle."""
from concurrent.futures import ProcessPoolExecutor

import detent

TEXT = """
detent: 1
gravity: [0, -9.81, 0]
parameters: {friction: 1 N*m}
bodies: {rod: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, base: ground, follower: rod, initial: {position: 80 deg}}}
stiction: {pin: {kinetic: friction, static: friction}}
outputs: [position(pin)]
simulation: {end: 30}
"""


def rest(mechanism):
    result = detent.simulate(mechanism, interval=1)
    return result["position(pin)"][-1], result.events[-1].time


if __name__ == "__main__":
    values = [0.1 * k for k in range(1, 11)]
    mechanisms = [detent.Mechanism.parse(TEXT, parameters={"friction": value}) for value in values]
    with ProcessPoolExecutor(max_workers=2) as pool:
        for value, (angle, time) in zip(values, pool.map(rest, mechanisms)):
            print(f"friction {value:.1f} N m: at rest at {angle:+.4f} rad since {time:6.3f} s")
