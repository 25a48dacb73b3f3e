"""What a run was not asked for, and what is read as a whole."""
import pathlib

import numpy as np
import pytest

import detent

MECHANISMS = pathlib.Path(__file__).resolve().parents[2] / "mechanisms"

SPRUNG = """
detent: 1
gravity: [0, 0, -9.81]
inputs: {push: 1}
bodies: {belt: {mass: 1}, block: {mass: 2}}
joints:
  belt: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], motion: 0.1*t}
  contact: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0]}
springs:
  spring: {between: [{body: ground, at: [0, 0, 0]}, {body: block, at: [0.5, 0, 0]}], stiffness: 40, rest: 0.5, damping: 3}
stiction:
  contact: {external: push, kinetic: 0.3*normal_force(contact), static: 0.5*normal_force(contact)}
outputs: ["position(block, x)"]
simulation: {end: 8, interval: 0.1}
"""
LATER = ["spring_length(spring)", "spring_force(spring)", "friction(contact)", "acceleration(block, x)", "friction_work()"]


def asked_for(text, outputs):
    """The run that was asked for them from the start."""
    listed = "".join(f"- {output!r}\n" for output in outputs)
    head, _, tail = text.partition('outputs: ["position(block, x)"]\n')
    return detent.simulate(detent.Mechanism.parse(f"{head}outputs:\n{listed}{tail}"))


def test_outputs_can_be_had_after_the_run():
    result = detent.simulate(detent.Mechanism.parse(SPRUNG), moments=True)
    assert sum(result.event == 1) > 2
    then = asked_for(SPRUNG, LATER)
    np.testing.assert_allclose(then.time, result.time, rtol=1e-12)
    recalled = result.recall(*LATER)
    for k, output in enumerate(LATER):
        largest = np.max(np.abs(then[output]))
        assert largest > 0
        np.testing.assert_allclose(recalled[:, k], then[output], rtol=0, atol=1e-9 * largest, err_msg=output)
    own = result.recall("friction(contact)", "position(block, x)", "friction(contact)")
    np.testing.assert_allclose(own[:, 1], result["position(block, x)"], rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(own[:, 0], own[:, 2])


def test_springs_are_measured():
    result = detent.simulate(detent.Mechanism.parse(SPRUNG), moments=True)
    x, length, force, v = result.recall("position(block, x)", *LATER[:2], "velocity(block, x)").T
    np.testing.assert_allclose(length, 0.5 + x, rtol=1e-12)
    np.testing.assert_allclose(force, 40 * (length - 0.5) + 3 * v, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["gear_rattle", "motor_axis", "ratchet", "servo", "walking_leg"])
def test_mechanisms_recall_their_own_outputs(name):
    result = detent.simulate(MECHANISMS / f"{name}.yaml", end=1, interval=0.05, moments=True)
    assert len(result.events) > 1 and result.columns
    largest = np.max(np.abs(result.values), axis=0)
    assert np.all(np.abs(result.recall(*result.columns) - result.values) <= 1e-9 * largest)


def test_functions_and_tunable_parameters_go_along():
    text = SPRUNG.replace("inputs: {push: 1}", "parameters: {push: 2}").replace("external: push", "external: double(push)")
    functions = {"double": lambda x: (2 * x, 2.0)}
    mechanism = detent.Mechanism.parse(text, tunable=["push"], functions=functions)
    result = detent.simulate(mechanism, inputs={"push": 1}, end=2, moments=True)
    force, start = result.recall("spring_force(spring)", "double(push)").T
    assert np.all(start[:2] == 4) and np.all(start[2:] == 2)  # the input is an event at the start
    assert np.max(np.abs(force)) > 1


def test_what_cannot_be_recalled_is_refused():
    mechanism = detent.Mechanism.parse(SPRUNG)
    with pytest.raises(detent.ArgumentError, match="moments=True"):
        detent.simulate(mechanism, end=1).recall("friction(contact)")
    result = detent.simulate(mechanism, end=1, moments=True)
    with pytest.raises(detent.ArgumentError, match=r"output 'friction\(belts\)'"):
        result.recall("friction(contact)", "friction(belts)")
    with pytest.raises(detent.ArgumentError):
        result.recall()
    result.moments.rows["velocities"][3, 1] += 1  # not what the run had: forces follow from it
    with pytest.raises(detent.NumericError, match="other accelerations|other frictions"):
        result.recall("friction(contact)")
    fixed = detent.simulate(mechanism, end=4, integrator="fixed", step=1e-2, moments=True)
    with pytest.raises(detent.NumericError, match="cannot be had"):
        fixed.recall("acceleration(contact)")


def test_a_text_without_outputs_gets_some():
    mechanism = detent.Mechanism.parse(SPRUNG.replace('outputs: ["position(block, x)"]\n', ""))
    result = detent.simulate(mechanism, end=1, moments=True)
    assert result.values.shape == (len(result), 0)
    np.testing.assert_allclose(result.recall("position(belt)")[:, 0], 0.1 * result.time, rtol=1e-12, atol=1e-15)
    with pytest.raises(detent.ArgumentError, match="output 'nothing'"):
        result.recall("position(belt)", "nothing")


def test_a_moment_is_put_back():
    mechanism = detent.Mechanism.parse(SPRUNG)
    with detent.Simulation(mechanism) as run, detent.Simulation(mechanism) as other:
        assert run.advance(8, stop_at_events=True)
        before, after = run.moment(before=True), run.moment()
        modes, outputs = run.modes, run.outputs
        accelerations = run.accelerations
        other.recall(after, keep_branches=True)
        assert other.modes == modes and other.outputs == outputs and other.time == run.time
        np.testing.assert_allclose(other.accelerations, accelerations, rtol=1e-12, atol=1e-12)
        other.recall(before)
        assert other.modes != modes
        np.testing.assert_allclose(other.frictions, before.frictions, rtol=1e-12)
        with pytest.raises(detent.ArgumentError):
            other.recall(after._replace(velocities=[0.0]))
        with pytest.raises(detent.ArgumentError):
            other.recall(after._replace(positions=after.positions * np.nan))


def test_outputs_tell_whether_they_follow_forces():
    mechanism = detent.Mechanism.parse(SPRUNG.replace('"position(block, x)"', '"position(block, x)", friction(contact), spring_force(spring)'))
    with detent.Simulation(mechanism) as simulation:
        assert not simulation.follows_forces("position(block, x)")
        assert simulation.follows_forces("friction(contact)")
        assert not simulation.follows_forces("spring_force(spring)")
        with pytest.raises(detent.ArgumentError):
            simulation.follows_forces("friction(belt)")


def test_all_quantities_are_read():
    mechanism = detent.Mechanism.load(MECHANISMS / "z1_arm.yaml")
    with detent.Simulation(mechanism) as simulation:
        simulation.advance(0.5)
        poses, reactions = simulation.read("poses"), simulation.read("reactions")
        assert poses.shape == (len(mechanism.bodies), 7) and reactions.shape == (len(mechanism.primitives), 6)
        for k, body in enumerate(mechanism.bodies):
            origin, rotation = simulation.pose(body)
            np.testing.assert_array_equal(poses[k], [*origin, *rotation])
        for k, primitive in enumerate(mechanism.primitives):
            np.testing.assert_array_equal(reactions[k], simulation.reaction(primitive.name))
        axes = simulation.read("axes")
        lengths = [1.0 if p.type == "revolute" else 0.0 for p in mechanism.primitives]
        np.testing.assert_allclose(np.linalg.norm(axes, axis=1), lengths, rtol=1e-12)
        assert simulation.read("places").shape == axes.shape
        np.testing.assert_array_equal(simulation.read("gravity"), [0, 0, -9.81])
        limits, frictions = simulation.read("limits"), simulation.frictions
        held = [k for k, mode in enumerate(simulation.modes.values()) if mode == "locked"]
        assert held
        for k in held:
            margin = min(limits[k, 1] - frictions[k], frictions[k] - limits[k, 0])
            assert simulation.read("margins")[k] == pytest.approx(margin, rel=1e-9)
        s = simulation.statistics
        names = ("kinetic_energy", "potential_energy", "friction_work", "damping_work", "actuation_work", "impact_loss")
        assert simulation.read("energies").tolist() == [s[name] for name in names]
        assert simulation.read("inputs").shape == (len(mechanism.inputs),)
        assert set(simulation.read("directions")) <= {-1, 0, 1}
        out = np.empty((len(mechanism.bodies), 7))
        assert simulation.read("poses", out) is out
        with pytest.raises(detent.ArgumentError):
            simulation.read("poses", np.empty((7, len(mechanism.bodies) + 1)))


def test_sampled_values_are_held():
    text = SPRUNG.replace("outputs:", "sampled: {wave: {every: 0.5, value: sin(t)}}\noutputs:")
    with detent.Simulation(detent.Mechanism.parse(text)) as simulation:
        simulation.advance(1.2)
        assert simulation.read("held").tolist() == pytest.approx([np.sin(1), np.sin(0.5)], rel=1e-15)


def test_states_come_to_their_stops():
    text = """
detent: 1
gravity: [0, 0, 0]
bodies: {b: {mass: 1}}
joints: {x: {type: prismatic, base: ground, follower: b}}
states: {z: {initial: 0, derivative: cos(t), min: 0, max: 0.5}}
simulation: {end: 2}
"""
    result = detent.simulate(detent.Mechanism.parse(text))
    changes = [change for event in result.events for change in event.states]
    assert [(c.state, c.before, c.after) for c in changes] == [("z", "free", "upper"), ("z", "upper", "free")]
    assert [c.time for c in changes] == pytest.approx([np.pi / 6, np.pi / 2], rel=1e-6)


def test_sizes_are_those_of_the_mechanism():
    with detent.Simulation(detent.Mechanism.parse(SPRUNG)) as simulation:
        scale = simulation.scale("contact")
        assert min(scale) > 0
        assert scale.energy > 0 and simulation.scale(1) == scale
        with pytest.raises(detent.ArgumentError):
            simulation.scale("wheel")
