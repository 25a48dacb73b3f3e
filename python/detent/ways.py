"""How a mechanism is put together, and how it can move: assembly, kinematics, ranges. No forces are known here."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, NamedTuple, Optional, Union

import numpy as np

from ._library import Floats, ffi, lib, place_in, sized
from .analysis import Analysis
from .errors import ArgumentError, call
from .mechanism import Mechanism
from .simulation import Simulation


class Mobility(NamedTuple):
    """How a mechanism can move at its initial positions, loops closed and no joint stuck."""

    mobility: int  #: freedoms that are left
    redundant: int  #: conditions of loops that others imply
    branches_meet: bool  #: the mobility counts directions between branches, too, which no motion takes


def mobility(simulation: Simulation) -> Mobility:
    """That of the mechanism of a simulation, at its initial positions."""
    told = sized("detent_mobility")
    call(lib.detent_get_mobility, simulation._pointer, told)
    return Mobility(told.mobility, told.redundant, told.branches_meet)


@dataclass(frozen=True)
class Assembly:
    """The state at the start of every run, loops closed from the rough values of the file."""

    positions: Floats  #: m, rad, quaternions w x y z
    velocities: Floats
    moved: Optional[str]  #: the primitive that moved farthest, None where none did
    change: float  #: how far, rad or m
    iterations: int


def assemble(mechanism: Mechanism) -> Assembly:
    """Closes all loops; raises a :class:`ModelError` with the loop that does not close, and what it is open by."""
    positions, velocities = np.empty(mechanism.coordinates), np.empty(mechanism.freedoms)
    told = sized("detent_assembly")
    call(lib.detent_assemble, mechanism._pointer, ffi.NULL, place_in(positions), place_in(velocities), told)
    moved = None if told.moved < 0 else mechanism.names("primitive")[told.moved]
    return Assembly(positions, velocities, moved, told.change, told.iterations)


@dataclass(frozen=True)
class Branches:
    """Different assemblies of the same mechanism: the result of a search, not a proof."""

    positions: Floats  #: one a row, the first is that of the analysis
    starts: int  #: random ones
    rarest: int  #: how many of them led to the one that was found least often
    is_full: bool  #: there are more than ``most``


def find_branches(analysis: Analysis, kept: Optional[Iterable[bool]] = None, most: int = 64) -> Branches:
    """All assemblies where joints with a motion or an exact initial position stay, and where ``kept`` says so for a freedom."""
    mechanism = analysis.mechanism
    flags = None if kept is None else [bool(k) for k in kept]
    if flags is not None and len(flags) != mechanism.freedoms:
        raise ArgumentError(f"kept: {mechanism.freedoms} truths were expected, not {len(flags)}")
    chosen = ffi.NULL if flags is None else ffi.new("bool[]", flags)
    rows = np.empty((most, mechanism.coordinates))
    told = sized("detent_branches")
    call(lib.detent_find_branches, analysis._pointer, chosen, most, place_in(rows), told)
    return Branches(rows[: told.count].copy(), told.starts, told.rarest, told.is_full)


class Motion(NamedTuple):
    """A mechanism whose motions decide everything, at an instant."""

    positions: Floats
    velocities: Floats
    accelerations: Floats


def kinematics(
    analysis: Analysis,
    t: float = 0.0,
    drive: Union[str, int, None] = None,
    position: Optional[float] = None,
    velocity: float = 0.0,
    acceleration: float = 0.0,
) -> Motion:
    """Brings an analysis to time ``t``, where the motions of the file, and ``drive`` (a joint without one, with its ``position``: rad or m, by s),
    decide how all joints move. Loops stay on their branch."""
    if (drive is None) != (position is None):
        raise ArgumentError("drive and position: a driven joint and where it is belong together")
    mechanism = analysis.mechanism
    q, v, a = np.empty(mechanism.coordinates), np.empty(mechanism.freedoms), np.empty(mechanism.freedoms)
    driven = ffi.NULL
    if drive is not None:
        index = mechanism._index("primitive", drive)
        driven = sized("detent_drive", primitive=index, position=position, velocity=velocity, acceleration=acceleration)
    call(lib.detent_kinematics, analysis._pointer, t, driven, place_in(q), place_in(v), place_in(a))
    return Motion(q, v, a)


_ENDS = {
    lib.DETENT_RANGE_INTERVAL: "interval",
    lib.DETENT_RANGE_DEAD_CENTRE: "dead centre",
    lib.DETENT_RANGE_SINGULAR: "singular",
    lib.DETENT_RANGE_UNENDED: "unended",
    lib.DETENT_RANGE_STOP: "stop",
}


class JointRange(NamedTuple):
    """How a joint moves while another one is driven, nan where it has no such number: extreme values, and where the driven one is then."""

    low: float
    low_at: float
    high: float
    high_at: float
    ratio_low: float
    ratio_low_at: float
    ratio_high: float
    ratio_high_at: float
    advantage_low: float
    advantage_low_at: float
    advantage_high: float
    advantage_high_at: float
    transmission_low: float  #: rad: the transmission angle
    transmission_low_at: float
    transmission_high: float
    transmission_high_at: float


@dataclass(frozen=True)
class Range:
    """How far a driven joint moves, rad or m, and the others with it."""

    start: float
    low: float
    high: float
    low_end: str  #: "interval", "dead centre", "singular", "unended", "stop"
    high_end: str
    turns: bool  #: it goes all the way round
    joints: dict[str, JointRange]


def find_range(
    analysis: Analysis, primitive: Union[str, int], start: float = float("nan"), end: float = float("nan")
) -> Range:
    """Drives a joint from ``start`` to ``end`` (nan: as far as it goes), through where the analysis is."""
    mechanism = analysis.mechanism
    told = sized("detent_range")
    call(lib.detent_find_range, analysis._pointer, mechanism._index("primitive", primitive), start, end, told)
    joints = {}
    for k, name in enumerate(mechanism.names("primitive")):
        of = sized("detent_joint_range")
        lib.detent_get_joint_range(analysis._pointer, k, of)
        joints[name] = JointRange(*(getattr(of, key) for key in JointRange._fields))
    return Range(told.start, told.low, told.high, _ENDS[told.low_end], _ENDS[told.high_end], told.turns, joints)
