"""A position controller with integral action on a joint that sticks hunts; without friction it does not."""
import detent


def mechanism(friction):
    return detent.Mechanism.from_dict(
        {
            "detent": 1,
            "gravity": [0, 0, 0],
            "inputs": {"torque": 0},
            "bodies": {"wheel": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
            "joints": {"axis": {"type": "revolute", "base": "ground", "follower": "wheel"}},
            "stiction": {"axis": {"external": "torque", "kinetic": friction, "static": 1.5 * friction}},
        }
    )


def settled_range(friction, target=1.0, step=1e-3, end=40.0):
    """The range of positions in the last half of a run: 0 where it rests."""
    integral, last, positions = 0.0, 0.0, []
    with detent.Simulation(mechanism(friction), integrator="erk") as simulation:
        for k in range(int(end / step)):
            position = simulation.positions[0]
            error = target - position
            integral += error * step
            torque = 20 * error + 60 * integral - 4 * (position - last) / step
            last = position
            simulation.set_input(0, torque)
            simulation.advance((k + 1) * step)
            positions.append(position)
    tail = positions[len(positions) // 2 :]
    return max(tail) - min(tail)


hunts, rests = settled_range(0.5), settled_range(0.0)
print(f"with friction it hunts within {hunts:.4f} rad, without within {rests:.1e} rad")
assert hunts > 5e-3 and rests < 1e-9
