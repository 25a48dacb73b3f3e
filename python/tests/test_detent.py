import copy
import gc
import math
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import threading

import numpy as np
import pytest

import detent

ROOT = pathlib.Path(__file__).resolve().parents[2]
MECHANISMS = ROOT / "mechanisms"

BLOCK = {
    "detent": 1,
    "gravity": [0, 0, 0],
    "inputs": {"push": 0},
    "bodies": {"block": {"mass": 2}},
    "joints": {"slide": {"type": "prismatic", "base": "ground", "follower": "block", "axis": [1, 0, 0]}},
    "stiction": {"slide": {"external": "push", "kinetic": 3, "static": 5}},
    "outputs": ["position(slide)", "velocity(slide)"],
    "simulation": {"end": 2},
}


@pytest.fixture
def block():
    return detent.Mechanism.from_dict(BLOCK)


def test_a_block_holds_up_to_its_limit_and_slides_beyond(block):
    with detent.Simulation(block, rtol=1e-10) as simulation:
        simulation.set_input("push", 4.999)
        simulation.advance(1)
        assert simulation.modes == {"slide": "locked"}
        assert simulation.positions[0] == 0.0
        simulation.set_input("push", 6)
        simulation.advance(2)
        assert simulation.velocities[0] == pytest.approx((6 - 3) / 2, rel=1e-9)
        assert simulation.accelerations[0] == pytest.approx(1.5, rel=1e-12)
        assert simulation.time == 2


def test_simulate_has_rows_and_events():
    result = detent.simulate(MECHANISMS / "block_on_belt.yaml", end=20)
    assert result.time[0] == 0 and result.time[-1] == 20
    assert np.all(np.diff(result.time) >= 0)
    assert set(result.event) == {-1, 0, 1}
    assert sum(result.event == 1) == len(result.events) - 1  # the first search has no row of its own
    changes = [c for e in result.events for c in e.changes]
    assert {"locked"} <= {c.after for c in changes}
    assert result.values.shape == (len(result), len(result.columns))
    with pytest.raises(KeyError):
        result["nothing"]


def test_simulate_agrees_with_the_program(tmp_path):
    program = pathlib.Path(os.environ.get("DETENT_BUILD_DIR", ROOT / "build" / "python")) / "detent"
    if not program.exists():
        subprocess.run(["cmake", "--build", program.parent, "--target", "detent"], check=True, capture_output=True)
    file = MECHANISMS / "sticky_double_pendulum.yaml"
    subprocess.run([program, "run", file, "-q", "--end", "3", "-o", tmp_path / "run"], check=True)
    result = detent.simulate(file, end=3)
    lines = (tmp_path / "run.csv").read_text().splitlines()
    table = np.array([[float(x) for x in line.split(",")] for line in lines if line[0].isdigit() or line[0] == "-"])
    assert table.shape[0] == len(result)
    np.testing.assert_array_equal(table[:, 0], result.time)
    for k, column in enumerate(result.columns):
        np.testing.assert_allclose(table[:, 1 + k], result.values[:, k], rtol=1e-12, atol=1e-15)


def test_a_frame_has_the_columns(block):
    pandas = pytest.importorskip("pandas")
    frame = detent.simulate(block, inputs={"push": 6}, interval=0.5).to_frame()
    assert list(frame.columns) == ["event", "position(slide)", "velocity(slide)"]
    assert isinstance(frame, pandas.DataFrame) and frame.index[-1] == 2


def test_errors_have_a_place():
    with pytest.raises(detent.ModelError) as caught:
        detent.Mechanism.parse("detent: 1\ngravity: [0, 0, 0]\njionts: {}\n", name="mine.yaml")
    error = caught.value
    assert (error.file, error.line, error.column) == ("mine.yaml", 3, 1)
    assert "did you mean 'joints'" in str(error)
    assert pickle.loads(pickle.dumps(error)).line == 3
    with pytest.raises(OSError):
        detent.Mechanism.load("missing.yaml")
    with pytest.raises(ValueError):
        detent.Simulation(detent.Mechanism.from_dict(BLOCK), rtol=2)
    with pytest.raises(TypeError):
        detent.Simulation(detent.Mechanism.from_dict(BLOCK), tolerance=1)
    with pytest.raises(detent.ArgumentError, match="there is no input 'pull'"):
        detent.Simulation(detent.Mechanism.from_dict(BLOCK)).set_input("pull", 1)


def test_parameters_and_tunable_ones():
    text = "detent: 1\ngravity: [0, 0, 0]\nparameters: {m: 2, k: 8}\nbodies: {b: {mass: m}}\njoints: {x: {type: prismatic, base: ground, follower: b, force: -k*position(x), initial: {position: 1}}}\n"
    heavy = detent.Mechanism.parse(text, parameters={"m": "8 kg"})
    with detent.Simulation(heavy) as simulation:
        assert simulation.accelerations[0] == pytest.approx(-1)
    tuned = detent.Mechanism.parse(text, tunable=["k"])
    with detent.Simulation(tuned) as simulation:
        assert simulation.mechanism.inputs == ["k"]
        simulation.set_input("k", 2)
        simulation.advance(1e-9)
        assert simulation.accelerations[0] == pytest.approx(-1)


def test_reading_into_an_array_makes_no_copy(block):
    with detent.Simulation(block) as simulation:
        out = np.empty(1)
        assert simulation.read("positions", out) is out
        for wrong in (np.empty(2), np.empty(1, dtype=np.float32), [0.0]):
            with pytest.raises(detent.ArgumentError):
                simulation.read("positions", wrong)
        with pytest.raises(detent.ArgumentError):
            simulation.read("place")


def test_states_are_saved_restored_cloned_reset(block):
    with detent.Simulation(block) as simulation:
        simulation.set_input("push", 6)
        simulation.advance(0.5)
        saved = simulation.save()
        twin = simulation.clone()
        simulation.advance(1)
        twin.advance(1)
        after = simulation.positions[0]
        assert twin.positions[0] == pytest.approx(after, rel=1e-9)
        simulation.restore(saved)
        simulation.advance(1)
        assert simulation.positions[0] == pytest.approx(after, rel=1e-9)
        with pytest.raises(detent.ArgumentError):
            simulation.restore(saved[:-1])
        simulation.reset()
        assert simulation.time == 0 and simulation.positions[0] == 0
        simulation.set_state(velocities=[2])
        assert simulation.velocities[0] == 2 and simulation.modes["slide"] != "locked"


def test_mechanisms_pickle(block):
    twin = pickle.loads(pickle.dumps(block))
    assert twin.source == block.source and twin.inputs == ["push"]
    assert copy.copy(block) is block and copy.deepcopy({"m": block})["m"] is block
    with detent.Simulation(block) as simulation, pytest.raises(TypeError, match="save"):
        pickle.dumps(simulation)
    result = detent.simulate(block, inputs={"push": 6})
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(result)).values, result.values)


FED = """detent: 1
gravity: [0, 0, 0]
parameters: {m: 2}
bodies: {b: {mass: m}}
joints: {x: {type: prismatic, base: ground, follower: b, force: "pushes(t)"}}
tables: {pushes: {csv: pushes.csv}}
outputs: [position(x)]
simulation: {end: 2}
"""


def test_mechanisms_with_tables_pickle_without_their_files(tmp_path):
    (tmp_path / "pushes.csv").write_text("0,0\n1,3\n2,-1\n")
    (tmp_path / "fed.yaml").write_text(FED)
    mechanism = detent.Mechanism.load(tmp_path / "fed.yaml", parameters={"m": "3 kg"})
    bytes_ = pickle.dumps(mechanism)
    (tmp_path / "pushes.csv").write_text("0,0\n2,0\n")  # not what it was made of
    twin = pickle.loads(bytes_)
    values = detent.simulate(mechanism).values
    assert values[-1, 0] > 0.1
    np.testing.assert_array_equal(detent.simulate(twin).values, values)


def doubled(x):
    return 2 * x, 2.0


def test_functions_pickle_by_name_or_not_at_all():
    text = "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints: {x: {type: prismatic, base: ground, follower: b, force: f(t)}}\n"
    mechanism = detent.Mechanism.parse(text, functions={"f": doubled})
    twin = pickle.loads(pickle.dumps(mechanism))
    with detent.Simulation(twin) as simulation:
        simulation.advance(3)
        assert simulation.accelerations[0] == pytest.approx(6)
    for function in (lambda x: (x, 1.0), (threading.Lock().__enter__, 1)):
        local = detent.Mechanism.parse(text.replace("f(t)", "1"), functions={"f": function})
        with pytest.raises(TypeError, match="its function 'f' does not.*top of a module"):
            pickle.dumps(local)


def test_primitives_tell_their_places():
    mechanism = detent.Mechanism.load(MECHANISMS / "z1_arm.yaml")
    primitives = mechanism.primitives
    assert [p.type for p in primitives].count("revolute") == 6
    assert primitives[0].base == "ground" and primitives[0].freedoms == slice(0, 1)


def test_shapes_are_told():
    arm = {"density": 2, "shape": [{"box": [1, 2, 3], "at": [0, 0, 1], "color": "red", "name": "beam"}, {"mesh": "arm.stl"}]}
    ground = {"shape": [{"line": [[0, 0, 0], [1, 0, 0]]}, {"cylinder": {"radius": 1, "length": "20 cm"}}]}
    m = detent.Mechanism.from_dict(
        {
            "detent": 1,
            "gravity": [0, 0, 0],
            "bodies": {"ground": ground, "arm": arm},
            "joints": {"slide": {"type": "prismatic", "base": "ground", "follower": "arm"}},
        }
    )
    box, mesh = m.shapes("arm")
    line, drum = m.shapes("ground")
    assert (box.body, box.type, box.size, box.point, box.rotation) == ("arm", "box", (1, 2, 3), (0, 0, 1), (1, 0, 0, 0))
    assert (box.color, box.name, box.mesh) == ("#ff0000", "beam", None)
    assert (mesh.type, mesh.size, mesh.mesh) == ("mesh", (), "arm.stl")
    assert line.size == ((0, 0, 0), (1, 0, 0)) and line.color is None
    assert drum.size == pytest.approx((1, 0.2))
    assert m.shapes(0) == [box, mesh]
    with pytest.raises(detent.ArgumentError):
        m.shapes("leg")


def test_matrices_agree_with_each_other():
    mechanism = detent.Mechanism.load(MECHANISMS / "z1_arm.yaml")
    analysis = detent.Analysis(mechanism)
    rng = np.random.default_rng(1)
    q, v, a = (rng.uniform(-1, 1, mechanism.freedoms) for _ in range(3))
    analysis.set_state(q, v)
    M, h = analysis.mass_matrix(), analysis.bias_forces()
    np.testing.assert_allclose(M @ a + h, analysis.inverse_dynamics(a), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(M, M.T)
    J = analysis.body_jacobian("link06", (0.1, 0, 0))
    assert J.shape == (6, mechanism.freedoms)
    with pytest.raises(detent.ArgumentError):
        analysis.set_state(q[:-1])


def test_drives_and_points_of_an_arm():
    mechanism = detent.Mechanism.load(MECHANISMS / "z1_arm.yaml")
    analysis, n = detent.Analysis(mechanism), mechanism.freedoms
    rng = np.random.default_rng(2)
    q, v, a = (rng.uniform(-1, 1, n) for _ in range(3))
    analysis.set_state(q, v)
    J, rate, h = analysis.body_jacobian("link06"), analysis.body_jacobian_rate("link06"), 1e-6
    ahead, behind = detent.Analysis(mechanism), detent.Analysis(mechanism)
    ahead.set_state(q + h * v, v)
    behind.set_state(q - h * v, v)
    slope = (ahead.body_jacobian("link06") - behind.body_jacobian("link06")) / (2 * h) @ v
    np.testing.assert_allclose(rate, slope, rtol=0, atol=1e-7 * np.abs(J).max())
    low, high = analysis.inverse(a)
    np.testing.assert_array_equal(low, high)  # all of it moves
    analysis.set_state(q)
    low, high = analysis.inverse(np.zeros(n))
    assert np.all(low < high) and np.all(low <= analysis.gravity_forces()) and np.all(analysis.gravity_forces() <= high)
    for wrong in ([True], [True] * (n + 1)):
        with pytest.raises(detent.ArgumentError):
            analysis.inverse(a, driven=wrong)
        with pytest.raises(detent.ArgumentError):
            analysis.set_state(q, given=wrong)


def test_linear_model_and_rest(block):
    pendulum = detent.Mechanism.parse(
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {rod: {mass: 1, center_of_mass: [0, -1, 0]}}\n"
        "joints: {pin: {type: revolute, base: ground, follower: rod, initial: {position: 0.4}}}\noutputs: [position(pin)]\n"
    )
    analysis = detent.Analysis(pendulum)
    rest = analysis.equilibrium()
    assert abs(rest.positions[0]) < 1e-12 and rest.stability == "stable"
    with detent.Simulation(pendulum) as simulation:
        simulation.set_state(positions=rest.positions)
        model = detent.linearize(simulation)
    assert abs(model.eigenvalues[0]) == pytest.approx(math.sqrt(9.81), rel=1e-12)
    assert model.states == ["position(pin)", "velocity(pin)"] and model.outputs == ["position(pin)"]
    held, friction, margin = detent.Analysis(block).hold()
    assert held and friction[0] == 0 and margin[0] == 5
    assert detent.Analysis(block).hold_interval("push") == pytest.approx((-5, 5))


def test_a_run_that_fails_keeps_its_rows():
    broken = dict(BLOCK, signals={"bad": "1/(1 - t)"}, stiction={"slide": {"external": "10*sqrt(1 - t)", "kinetic": 1, "static": 2}})
    with pytest.raises(detent.DetentError):
        detent.simulate(detent.Mechanism.from_dict(broken))
    result = detent.simulate(detent.Mechanism.from_dict(broken), keep_partial=True)
    assert result.failure is not None and 0.9 < result.time[-1] <= 1


def test_robots_are_imported():
    robot = detent.import_robot(ROOT / "tests" / "import" / "features.urdf", without=["limits"])
    assert any("effort" in note for _, note in robot.notes)
    mechanism = robot.mechanism()
    assert "turn" in mechanism.joints
    with pytest.raises(detent.ArgumentError):
        detent.import_robot(ROOT / "tests" / "import" / "features.urdf", base="flying")


def test_threads_run_side_by_side():
    mechanism = detent.Mechanism.load(MECHANISMS / "block_on_belt.yaml")
    results = [None] * 4

    def run(k):
        results[k] = detent.simulate(mechanism, end=5).values

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for values in results[1:]:
        np.testing.assert_array_equal(values, results[0])


def test_the_keyboard_ends_a_long_call():
    code = f"""
import detent, os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is born without it
m = detent.Mechanism.load({str(MECHANISMS / 'block_on_belt.yaml')!r})
s = detent.Simulation(m)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    s.advance(1e7)
except KeyboardInterrupt:
    t = s.time
    s.advance(t + 1)
    print("stopped", 0 < t < 1e7)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "stopped True", done.stderr


def test_memory_is_stable(block):
    def round_of(count):
        for _ in range(count):
            with detent.Simulation(block) as simulation:
                simulation.set_input("push", 6)
                simulation.advance(0.01)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = round_of(2000)
    assert round_of(8000) - before < 2000  # kB: less than a byte for every kilobyte that they have had


def test_fixed_steps(block):
    with detent.Simulation(block, integrator="fixed", step=1e-3) as simulation:
        simulation.set_input("push", 4.999)
        for _ in range(1000):
            simulation.step()
        assert simulation.positions[0] == 0.0 and simulation.time == pytest.approx(1)
        simulation.set_input("push", 6)
        for _ in range(1000):
            simulation.step()
        assert simulation.velocities[0] == pytest.approx(1.5, rel=2e-3)
    with detent.Simulation(block) as simulation, pytest.raises(detent.ArgumentError):
        simulation.step()


def test_laws_in_python():
    calls = []

    def spring(x, k):
        calls.append(x)
        return -k * x**3, (-3 * k * x**2, -(x**3))

    text = (
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2}}\njoints: {x: {type: prismatic, base: ground, follower: b, "
        "force: 'LAW', initial: {position: 1}}}\noutputs: [position(x)]\nsimulation: {end: 3, rtol: 1e-10}\n"
    )
    own = detent.simulate(
        detent.Mechanism.parse(text.replace("LAW", "spring(position(x), 5)"), functions={"spring": spring})
    )
    formula = detent.simulate(detent.Mechanism.parse(text.replace("LAW", "-5*position(x)^3")))
    np.testing.assert_allclose(own.values, formula.values, atol=1e-7)
    assert calls

    def fails(x):
        if x < 0.5:
            raise RuntimeError("no force below a half")
        return -x, -1.0

    broken = detent.Mechanism.parse(text.replace("LAW", "fails(position(x))"), functions={"fails": fails})
    with pytest.raises(detent.FunctionError, match="fails") as caught:
        detent.simulate(broken)
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(TypeError):
        detent.Mechanism.parse(text, functions={"spring": lambda *x: (0, x)})


def test_mechanisms_are_written_and_read_again(tmp_path):
    source = "detent: 1\ngravity: [0, 0, 0]\nparameters: {m: 2}\nbodies: {b: {mass: m}}\njoints: {x: {type: prismatic, base: ground, follower: b}}\n"
    heavy = detent.Mechanism.parse(source, parameters={"m": 8})
    heavy.save(tmp_path / "heavy.yaml")
    again = detent.Mechanism.load(tmp_path / "heavy.yaml")
    assert again.text() == heavy.text()
    assert detent.Analysis(again).mass_matrix()[0, 0] == 8
