"""A mechanism at one instant: matrices, inverse dynamics, rest, linear models."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional, Union

import numpy as np
import numpy.typing as npt

from ._library import Floats, ffi, lib, place_in, sized, text
from .errors import ArgumentError, call
from .mechanism import Mechanism
from .simulation import Simulation


def _numbers(values: npt.ArrayLike, length: int, what: str) -> tuple[Floats, Any]:
    """An array as the library reads it, and what keeps it alive."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (length,):
        raise ArgumentError(f"{what}: {length} numbers were expected, not {array.shape}")
    return array, ffi.from_buffer("double[]", array)


@dataclass(frozen=True)
class Equilibrium:
    """A position of rest."""

    positions: Floats
    held: int  #: joints that static friction holds
    stability: str  #: "stable", "indifferent", "unstable", "unknown"


_STABILITIES = {
    lib.DETENT_STABLE: "stable",
    lib.DETENT_INDIFFERENT: "indifferent",
    lib.DETENT_UNSTABLE: "unstable",
    lib.DETENT_STABILITY_UNKNOWN: "unknown",
}


class Analysis:
    """A mechanism at a state of the caller's choice, at first its initial one, beside any simulation. For one thread at a time."""

    def __init__(self, mechanism: Mechanism) -> None:
        place = ffi.new("detent_analysis **")
        call(lib.detent_analysis_create, mechanism._pointer, ffi.NULL, place)
        self.mechanism = mechanism
        self._pointer = ffi.gc(place[0], lib.detent_analysis_destroy)
        self._n = mechanism.freedoms

    def set_input(self, name: Union[str, int], value: float) -> None:
        call(lib.detent_analysis_set_input, self._pointer, self.mechanism._index("input", name), value)

    def set_state(
        self,
        positions: npt.ArrayLike,
        velocities: Optional[npt.ArrayLike] = None,
        t: float = 0.0,
        given: Optional[Iterable[bool]] = None,
    ) -> None:
        """Positions (m, rad, quaternions w x y z) and velocities (None: at rest) at time ``t``. In loops ``given`` says for each
        freedom whether it is exact; others follow."""
        q, q_place = _numbers(positions, self.mechanism.coordinates, "positions")
        v, v_place = (None, ffi.NULL) if velocities is None else _numbers(velocities, self._n, "velocities")
        flags = [] if given is None else [bool(g) for g in given]
        if given is not None and len(flags) != self._n:
            raise ArgumentError(f"given: {self._n} truths were expected, not {len(flags)}")
        exact = ffi.NULL if given is None else ffi.new("bool[]", flags)
        call(lib.detent_analysis_set_state, self._pointer, t, q_place, v_place, exact)

    def take_state(self, simulation: Simulation) -> None:
        """The present state of a simulation of the same mechanism."""
        call(lib.detent_analysis_take_state, self._pointer, simulation._pointer)

    def state(self) -> tuple[float, Floats, Floats]:
        """Time, positions and velocities, loops closed."""
        t = ffi.new("double *")
        q, v = np.empty(self.mechanism.coordinates), np.empty(self._n)
        call(lib.detent_analysis_get_state, self._pointer, t, place_in(q), place_in(v))
        return t[0], q, v

    def _vector(self, function: Any) -> Floats:
        result = np.empty(self._n)
        call(function, self._pointer, place_in(result))
        return result

    def mass_matrix(self) -> Floats:
        """M of M a + h = tau, armatures included, of the tree with its loops cut."""
        M = np.empty((self._n, self._n))
        call(lib.detent_mass_matrix, self._pointer, place_in(M))
        return M

    def bias_forces(self) -> Floats:
        """h: what gravity, Coriolis and centrifugal forces take."""
        return self._vector(lib.detent_bias_forces)

    def gravity_forces(self) -> Floats:
        """h at rest: what holds the mechanism against gravity."""
        return self._vector(lib.detent_gravity_forces)

    def inverse_dynamics(self, accelerations: npt.ArrayLike) -> Floats:
        """tau = M a + h, in linear time; nothing acts but gravity."""
        a, place = _numbers(accelerations, self._n, "accelerations")
        result = np.empty(self._n)
        call(lib.detent_inverse_dynamics, self._pointer, place, place_in(result))
        return result

    def body_jacobian(self, body: Union[str, int], point: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Floats:
        """J, 6 x n: the velocity of a point of a body (m, in its frame) is J v; rows linear x y z, angular x y z, in world axes."""
        p, p_place = _numbers(point, 3, "point")
        J = np.empty((6, self._n))
        call(lib.detent_body_jacobian, self._pointer, self.mechanism._index("body", body), p_place, place_in(J))
        return J

    def body_jacobian_rate(self, body: Union[str, int], point: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Floats:
        """(dJ/dt) v, length 6: the acceleration that the point has where those of all freedoms are zero; rows as of J."""
        p, p_place = _numbers(point, 3, "point")
        rate = np.empty(6)
        call(lib.detent_body_jacobian_rate, self._pointer, self.mechanism._index("body", body), p_place, place_in(rate))
        return rate

    def inverse(self, accelerations: npt.ArrayLike, driven: Optional[Iterable[bool]] = None) -> tuple[Floats, Floats]:
        """Forces of drives with which the mechanism has these accelerations, with all that acts on it: the lowest and the highest. They
        differ where a joint is at rest, and static friction takes the rest. In loops ``driven`` says for each freedom whether it has a
        drive, as many as the loops leave free; prescribed ones have theirs in any case."""
        a, place = _numbers(accelerations, self._n, "accelerations")
        flags = [] if driven is None else [bool(d) for d in driven]
        if driven is not None and len(flags) != self._n:
            raise ArgumentError(f"driven: {self._n} truths were expected, not {len(flags)}")
        chosen = ffi.NULL if driven is None else ffi.new("bool[]", flags)
        low, high = np.empty(self._n), np.empty(self._n)
        call(lib.detent_inverse, self._pointer, place, chosen, place_in(low), place_in(high))
        return low, high

    def equilibrium(self, stiction: bool = False) -> Equilibrium:
        """Goes to a position of rest from where it is; with ``stiction`` joints stay that static friction holds."""
        rest = sized("detent_rest")
        options = sized("detent_equilibrium_options", stiction=stiction)
        call(lib.detent_equilibrium, self._pointer, options, rest)
        return Equilibrium(self.state()[1], rest.held, _STABILITIES[rest.stability])

    def hold(self) -> tuple[bool, Floats, Floats]:
        """Whether it stays at rest with every joint of stiction stuck; the friction that this takes; its distance from the nearer limit."""
        count = lib.detent_count(self.mechanism._pointer, lib.DETENT_STICTION)
        holds = ffi.new("bool *")
        friction, margin = np.empty(count), np.empty(count)
        call(lib.detent_hold, self._pointer, holds, place_in(friction), place_in(margin))
        return holds[0], friction, margin

    def hold_interval(self, name: Union[str, int]) -> tuple[float, float]:
        """The lowest and highest value of an input with which the mechanism stays at rest where it is."""
        interval = sized("detent_hold_interval")
        call(lib.detent_find_hold_interval, self._pointer, self.mechanism._index("input", name), interval)
        return interval.low, interval.high


@dataclass(frozen=True)
class LinearModel:
    """x' = A x + B u, y = C x + D u, every joint in its mode."""

    time: float
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    A: Floats
    B: Floats
    C: Floats
    D: Floats
    eigenvalues: npt.NDArray[np.complex128]  #: complex, 1/s, by growing frequency


def linearize(simulation: Simulation, outputs: Optional[Iterable[Union[str, int]]] = None) -> LinearModel:
    """The linear model about the present state of a simulation; ``outputs``: all of the mechanism where not given."""
    mechanism = simulation.mechanism
    options = sized("detent_linearize_options")
    chosen = None
    if outputs is not None:
        chosen = ffi.new("size_t[]", [mechanism._index("output", name) for name in outputs])
        options.outputs, options.output_count = chosen, len(chosen)
    place = ffi.new("detent_linearization **")
    call(lib.detent_linearize, simulation._pointer, options, place)
    model = ffi.gc(place[0], lib.detent_linearization_destroy)
    info = sized("detent_linear_info")
    lib.detent_linearization_get_info(model, info)

    def matrix(values: Any, rows: int, columns: int) -> Floats:
        if rows * columns == 0:
            return np.zeros((rows, columns))
        numbers: Floats = np.frombuffer(ffi.buffer(values, 8 * rows * columns), dtype=np.float64)
        return numbers.reshape(rows, columns).copy()

    state, eigenvalue = sized("detent_linear_state"), sized("detent_eigenvalue")
    states, eigenvalues = [], []
    kinds = {lib.DETENT_STATE_POSITION: "position", lib.DETENT_STATE_VELOCITY: "velocity", lib.DETENT_STATE_OWN: "state"}
    for k in range(info.states):
        lib.detent_linearization_get_state(model, k, state)
        item = lib.DETENT_STATE if state.kind == lib.DETENT_STATE_OWN else lib.DETENT_PRIMITIVE
        states.append(f"{kinds[state.kind]}({text(lib.detent_name(mechanism._pointer, item, state.primitive))})")
        lib.detent_linearization_get_eigenvalue(model, k, eigenvalue)
        eigenvalues.append(complex(eigenvalue.real, eigenvalue.imaginary))
    names = mechanism.outputs
    return LinearModel(
        info.time,
        states,
        mechanism.inputs,
        [names[info.output[k]] for k in range(info.outputs)],
        matrix(info.A, info.states, info.states),
        matrix(info.B, info.states, info.inputs),
        matrix(info.C, info.outputs, info.states),
        matrix(info.D, info.outputs, info.inputs),
        np.array(eigenvalues, dtype=complex),
    )
