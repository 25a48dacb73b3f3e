"""A block on a belt: it sticks, and slides back, over and over."""
import detent

mechanism = detent.Mechanism.parse(
    """
detent: 1
gravity: [0, 0, -9.81]
bodies: {belt: {mass: 1}, block: {mass: 2}}
joints:
  belt: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], motion: 0.1*t}
  contact: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0]}
springs:
  spring: {between: [{body: ground, at: [0, 0, 0]}, {body: block, at: [0.5, 0, 0]}], stiffness: 40, rest: 0.5}
stiction:
  contact: {kinetic: 0.3*normal_force(contact), static: 0.5*normal_force(contact)}
outputs: ["position(block, x)", friction(contact)]
simulation: {end: 20}
""",
    name="belt.yaml",
)
result = detent.simulate(mechanism)
breaks = [c.time for e in result.events for c in e.changes if c.cause == "limit"]
print(f"{len(result)} rows, {len(result.events)} events; it breaks away every {breaks[-1] - breaks[-2]:.6f} s")
