"""Assembly, kinematics and ranges, against what geometry says."""
from pathlib import Path

import numpy as np
import pytest

import detent

FOUR_BAR = {
    "detent": 1,
    "gravity": [0, 0, 0],
    "bodies": {name: {"mass": 1, "inertia": [0.1, 0.1, 0.1]} for name in ("crank", "coupler", "rocker")},
    "joints": {
        "a": {"type": "revolute", "base": "ground", "follower": "crank", "initial": {"position": 0.5}},
        "b": {"type": "revolute", "base": "crank", "follower": "coupler", "at": {"base": [0.3, 0, 0]}},
        "d": {
            "type": "revolute",
            "base": "ground",
            "follower": "rocker",
            "at": {"base": [1, 0, 0]},
            "initial": {"position": 1.2},
        },
        "c": {
            "type": "revolute",
            "base": "rocker",
            "follower": "coupler",
            "at": {"base": [0.8, 0, 0], "follower": [0.9, 0, 0]},
        },
    },
}


def gap(q, names):
    """How far the pin between coupler and rocker is open, m."""
    a, b, d = (q[names.index(name)] for name in ("a", "b", "d"))
    coupler = np.exp(1j * a) * 0.3 + np.exp(1j * (a + b)) * 0.9
    return abs(coupler - 1 - 0.8 * np.exp(1j * d))


@pytest.fixture
def four_bar():
    return detent.Mechanism.from_dict(FOUR_BAR)


def test_rough_values_are_assembled(four_bar):
    assembly = detent.assemble(four_bar)
    assert gap(assembly.positions, four_bar.names("primitive")) < 1e-12
    assert assembly.moved in four_bar.names("primitive") and assembly.change > 0
    assert np.all(assembly.velocities == 0)


def test_a_loop_that_cannot_close_is_told():
    too_far = {**FOUR_BAR, "joints": {**FOUR_BAR["joints"]}}
    too_far["joints"]["d"] = {**FOUR_BAR["joints"]["d"], "at": {"base": [9, 0, 0]}}
    with pytest.raises(detent.ModelError, match="c"):
        detent.assemble(detent.Mechanism.from_dict(too_far))


def test_mobility(four_bar):
    with detent.Simulation(four_bar) as simulation:
        assert detent.mobility(simulation) == detent.Mobility(1, 3, False)


def test_a_four_bar_has_two_assemblies(four_bar):
    names = four_bar.names("primitive")
    analysis = detent.Analysis(four_bar)
    found = detent.find_branches(analysis, kept=[name == "a" for name in names])
    assert len(found.positions) == 2 and not found.is_full and found.rarest > 10
    crank = analysis.state()[1][names.index("a")]
    for q in found.positions:
        assert gap(q, names) < 1e-12
        assert q[names.index("a")] == pytest.approx(crank, abs=1e-15)
    assert np.max(abs(found.positions[0] - found.positions[1])) > 0.1
    with pytest.raises(detent.ArgumentError, match="kept: 4 truths were expected, not 1"):
        detent.find_branches(analysis, kept=[True])


def test_a_driven_crank_moves_all_others(four_bar):
    names = four_bar.names("primitive")
    analysis, by = detent.Analysis(four_bar), 1e-6
    here = detent.kinematics(analysis, drive="a", position=0.7, velocity=2, acceleration=3)
    ahead = detent.kinematics(analysis, drive="a", position=0.7 + by)
    behind = detent.kinematics(analysis, drive="a", position=0.7 - by)
    assert gap(here.positions, names) < 1e-12
    assert here.velocities[names.index("a")] == 2 and here.accelerations[names.index("a")] == 3
    slope = (ahead.positions - behind.positions) / (2 * by)
    bend = (ahead.positions - 2 * here.positions + behind.positions) / by**2
    assert here.velocities == pytest.approx(2 * slope, abs=1e-8)
    assert here.accelerations == pytest.approx(3 * slope + 4 * bend, abs=5e-3)


def test_a_drive_has_a_position(four_bar):
    analysis = detent.Analysis(four_bar)
    for half in ({"drive": "a"}, {"position": 0.7}):
        with pytest.raises(detent.ArgumentError, match="belong together"):
            detent.kinematics(analysis, **half)


def test_a_crank_goes_all_the_way_round(four_bar):
    found = detent.find_range(detent.Analysis(four_bar), "a")
    assert found.turns and found.high - found.low == pytest.approx(2 * np.pi, abs=1e-12)
    rocker = found.joints["d"]
    # at its ends crank and coupler are in line: 1.2 and 0.6 from the crank's pin to the rocker's end
    for reach, end in ((1.2, rocker.low), (0.6, rocker.high)):
        angle = np.pi - np.arccos((1 + 0.64 - reach**2) / 1.6)
        assert abs(end) == pytest.approx(angle, abs=1e-9)


def started(**initial):
    positions = {name: {"position": value} for name, value in initial.items()}
    return detent.Simulation(detent.Mechanism.from_dict({**FOUR_BAR, "initial": positions}))


def test_who_is_far_is_told():
    assert started(a=0.5, d=1.7).warnings == []
    (first, *_) = started(a=0.5, b=3, d=-3, c=2).warnings
    assert "is given at" in first and "stands at" in first
