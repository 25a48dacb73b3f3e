"""Mechanisms whose joints really stick.

A mechanism comes from a file, a text or a dictionary, and is simulated::

    import detent

    mechanism = detent.Mechanism.load("mechanisms/sticky_double_pendulum.yaml")
    result = detent.simulate(mechanism, end=5)
    print(result["position(elbow)"][-1], result.events)

All values are SI: m, kg, s, rad, N, N m. What goes wrong is raised as a :class:`DetentError`, which has the place in the file.
"""
from ._library import version
from .analysis import Analysis, Equilibrium, LinearModel, linearize
from .errors import (
    ArgumentError,
    DetentError,
    EventStorm,
    FileError,
    FunctionError,
    ModelError,
    NoConsistentState,
    NumericError,
    SolverError,
)
from .mechanism import Imported, Mechanism, Primitive, Shape, import_robot
from .moments import Moments
from .result import Event, Result, simulate
from .simulation import ModeChange, Moment, Scale, Simulation, StateChange
from .ways import (
    Assembly,
    Branches,
    JointRange,
    Mobility,
    Motion,
    Range,
    assemble,
    find_branches,
    find_range,
    kinematics,
    mobility,
)

__version__ = version()

__all__ = [
    "Analysis",
    "ArgumentError",
    "Assembly",
    "Branches",
    "DetentError",
    "Equilibrium",
    "Event",
    "EventStorm",
    "FileError",
    "FunctionError",
    "Imported",
    "JointRange",
    "LinearModel",
    "Mechanism",
    "Mobility",
    "ModeChange",
    "ModelError",
    "Moment",
    "Moments",
    "Motion",
    "NoConsistentState",
    "NumericError",
    "Primitive",
    "Range",
    "Result",
    "Scale",
    "Shape",
    "Simulation",
    "SolverError",
    "StateChange",
    "assemble",
    "find_branches",
    "find_range",
    "import_robot",
    "kinematics",
    "linearize",
    "mobility",
    "simulate",
    "version",
]
