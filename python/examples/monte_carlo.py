"""How far a sliding block comes when nobody knows its friction well: a tunable parameter, one mechanism."""
import numpy as np

import detent

mechanism = detent.Mechanism.parse(
    """
detent: 1
gravity: [0, 0, -9.81]
parameters: {mu: 0.3}
bodies: {block: {mass: 2}}
joints: {floor: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], initial: {velocity: 2}}}
stiction: {floor: {kinetic: mu*normal_force(floor), static: 1.2*mu*normal_force(floor)}}
""",
    tunable=["mu"],
)
rng = np.random.default_rng(7)
mu = rng.normal(0.3, 0.03, 200)
way = np.empty_like(mu)
with detent.Simulation(mechanism, rtol=1e-10) as simulation:
    start = simulation.save()
    for k, value in enumerate(mu):
        simulation.restore(start)
        simulation.set_input("mu", value)
        simulation.advance(10)
        way[k] = simulation.positions[0]
print(f"it slides {way.mean():.4f} m, give or take {way.std():.4f} m")
np.testing.assert_allclose(way, 2**2 / (2 * mu * 9.81), rtol=1e-7)
