"""How a four-bar goes together, and how far its rocker swings while the crank goes round."""
import math

import detent

mechanism = detent.Mechanism.parse(
    """
detent: 1
gravity: [0, 0, 0]
bodies:
  crank: {mass: 0.6, inertia: [1e-4, 5e-3, 5e-3]}
  coupler: {mass: 1.2, inertia: [2e-4, 0.06, 0.06]}
  rocker: {mass: 1, inertia: [2e-4, 0.03, 0.03]}
joints:
  main: {type: revolute, base: ground, follower: crank, initial: {position: 50 deg, priority: exact}}
  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, initial: {position: -20 deg}}
  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: {position: 80 deg}}
  head: {type: revolute, base: rocker, follower: coupler, at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}}
""",
    name="four_bar.yaml",
)
assembly = detent.assemble(mechanism)
print(f"closed from rough values: '{assembly.moved}' moved most, by {assembly.change:.4f} rad")

analysis = detent.Analysis(mechanism)
found = detent.find_branches(analysis)  # the crank stays, for its angle is exact
rocker = mechanism.names("primitive").index("foot")
angles = ", ".join(f"{math.degrees(q[rocker]):.3f}" for q in found.positions)
print(f"{len(found.positions)} assemblies with this crank angle: the rocker at {angles} degrees")

swing = detent.find_range(analysis, "main")
foot = swing.joints["foot"]
print(f"the crank {'goes round' if swing.turns else 'swings'}; the rocker swings {math.degrees(foot.high - foot.low):.3f} degrees")
print(f"the transmission angle is at least {math.degrees(foot.transmission_low):.3f} degrees")

motion = detent.kinematics(analysis, drive="main", position=math.radians(50), velocity=1.0)
print(f"at 1 rad/s of the crank the rocker turns at {motion.velocities[rocker]:.6f} rad/s")
