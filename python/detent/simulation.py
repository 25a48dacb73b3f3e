"""Simulations: advanced, read, steered."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Union

import numpy as np

from ._library import ffi, lib, sized
from .errors import ArgumentError, call, fail
from .mechanism import Mechanism

_QUANTITIES = {
    "positions": lib.DETENT_POSITIONS,
    "velocities": lib.DETENT_VELOCITIES,
    "accelerations": lib.DETENT_ACCELERATIONS,
    "forces": lib.DETENT_FORCES,
    "frictions": lib.DETENT_FRICTIONS,
    "margins": lib.DETENT_MARGINS,
    "outputs": lib.DETENT_OUTPUTS,
    "modes": lib.DETENT_MODES,
    "states": lib.DETENT_STATES,
}
_MODES = {lib.DETENT_LOCKED: "locked", lib.DETENT_WAIT: "wait", lib.DETENT_UNLOCKED: "unlocked"}
_CAUSES = {
    lib.DETENT_CAUSE_INITIAL: "initial",
    lib.DETENT_CAUSE_LIMIT: "limit",
    lib.DETENT_CAUSE_STOP: "stop",
    lib.DETENT_CAUSE_THRESHOLD: "threshold",
    lib.DETENT_CAUSE_SEARCH: "search",
    lib.DETENT_CAUSE_SWITCH: "switch",
    lib.DETENT_CAUSE_INPUT: "input",
    lib.DETENT_CAUSE_JAM: "jam",
    lib.DETENT_CAUSE_IMPACT: "impact",
    lib.DETENT_CAUSE_SAMPLE: "sample",
}
_CHOICES = {
    "integrator": {
        "ida": lib.DETENT_INTEGRATOR_IDA,
        "erk": lib.DETENT_INTEGRATOR_ERK,
        "auto": lib.DETENT_INTEGRATOR_AUTO,
        "euler": lib.DETENT_INTEGRATOR_EULER,
        "rk4": lib.DETENT_INTEGRATOR_RK4,
        "fixed": lib.DETENT_INTEGRATOR_FIXED,
    },
    "linear_solver": {"tree": lib.DETENT_LINEAR_SOLVER_TREE, "dense": lib.DETENT_LINEAR_SOLVER_DENSE},
    "locked_joints": {"weld": lib.DETENT_LOCKED_JOINTS_WELD, "constrain": lib.DETENT_LOCKED_JOINTS_CONSTRAIN},
}


class ModeChange(NamedTuple):
    """One mode change of one stiction joint."""

    time: float
    joint: str
    before: str  #: "locked", "wait" or "unlocked"
    after: str
    direction_before: int  #: -1, 0, +1
    direction_after: int
    cause: str
    margin: float


class Simulation:
    """One run of a mechanism, from its start on.

    Settings are those of the file, but for what is given: ``integrator`` (ida, erk, auto, euler, rk4, fixed), ``step``, ``max_solves``, ``rtol``, ``atol``,
    ``max_step``, ``max_event_rate``, ``linear_solver``, ``locked_joints``, ``start``, ``end``. For one thread at a time; the lock of the
    interpreter is released while it works. It can be used in a ``with`` statement, which gives its memory back.
    """

    def __init__(self, mechanism: Mechanism, **settings):
        self.mechanism = mechanism
        self._state = ffi.new("detent_py_interrupt *")
        self._error = ffi.new("detent_error *")
        chosen = sized("detent_settings")
        lib.detent_mechanism_get_settings(mechanism._pointer, chosen)
        if settings.get("integrator", None) in ("ida", "erk", "auto"):
            chosen.step = 0
        for key, value in settings.items():
            self._choose(chosen, key, value)
        options = sized("detent_simulation_options", settings=chosen)
        lib.detent_py_interrupt_by(options, self._state)
        place = ffi.new("detent_simulation **")
        call(lib.detent_simulation_create, mechanism._pointer, options, place)
        self._adopt(place[0])

    @staticmethod
    def _choose(chosen, key, value) -> None:
        words = _CHOICES.get(key)
        if words is not None:
            if value not in words:
                raise ArgumentError(f"{key}: '{value}' is not one of {', '.join(words)}")
            value = words[value]
        elif key == "size" or not hasattr(chosen, key):
            known = [name for name, _ in ffi.typeof("detent_settings").fields if name != "size"]
            raise TypeError(f"there is no setting '{key}': {', '.join(known)}")
        setattr(chosen, key, value)

    def _adopt(self, pointer) -> None:
        self._pointer = ffi.gc(pointer, lib.detent_simulation_destroy)
        self._names = self.mechanism.stictions
        count = lib.detent_count
        m, info = self.mechanism._pointer, self.mechanism._info
        self._lengths = {
            "positions": info.coordinates,
            "outputs": count(m, lib.DETENT_OUTPUT),
            "states": count(m, lib.DETENT_STATE),
        }
        for key in ("velocities", "accelerations", "forces"):
            self._lengths[key] = info.freedoms
        for key in ("frictions", "margins", "modes"):
            self._lengths[key] = count(m, lib.DETENT_STICTION)
        self._out, self._place = None, None

    # ---- life ----

    def close(self) -> None:
        """Gives the memory back; nothing else may be called then."""
        ffi.release(self._pointer)

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def clone(self) -> "Simulation":
        """Another simulation at the present state, which goes on as this one would after a restore."""
        place = ffi.new("detent_simulation **")
        call(lib.detent_clone, self._pointer, place)
        twin = Simulation.__new__(Simulation)
        twin.mechanism, twin._state, twin._error = self.mechanism, self._state, ffi.new("detent_error *")
        twin._adopt(place[0])
        return twin

    def reset(self) -> None:
        """Begins anew as it was created, to the last bit."""
        call(lib.detent_reset, self._pointer)

    # ---- time ----

    @property
    def time(self) -> float:
        """Now, s."""
        return lib.detent_time(self._pointer)

    def advance(self, t: float, stop_at_events: bool = False) -> bool:
        """Advances to ``t`` (s). With ``stop_at_events`` it stops just after the first event, and returns True there: readings are then
        those after it, and :meth:`read_before` tells those before."""
        error = self._error
        status = lib.detent_advance(self._pointer, t, stop_at_events, error)
        if status == lib.DETENT_OK:
            return False
        if status == lib.DETENT_EVENT:
            return True
        self._state.stopped = 0
        fail(status, error)
        return False

    def step(self) -> None:
        """One step of the integrator ``fixed``, at a bounded cost."""
        status = lib.detent_step(self._pointer, self._error)
        if status:
            self._state.stopped = 0
            fail(status, self._error)

    # ---- readings ----

    def read(self, quantity: str, out: Optional[np.ndarray] = None) -> np.ndarray:
        """A whole vector, now: positions, velocities, accelerations, forces, frictions, margins, outputs, modes, states. Into ``out``
        where given, an array of doubles of that length, without a copy."""
        return self._read(lib.detent_read, quantity, out)

    def read_before(self, quantity: str, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The same just before the last event; only right after :meth:`advance` returned True."""
        return self._read(lib.detent_read_before, quantity, out)

    def _read(self, function, quantity, out):
        which = _QUANTITIES.get(quantity)
        if which is None:
            raise ArgumentError(f"'{quantity}' is not one of {', '.join(_QUANTITIES)}")
        length = self._lengths[quantity]
        if out is None:
            out = np.empty(length)
        if out is not self._out:  # the place of an array stays what it is
            if not (isinstance(out, np.ndarray) and out.dtype == np.float64 and out.flags.c_contiguous):
                raise ArgumentError("'out' is a contiguous array of doubles")
            self._place = ffi.from_buffer("double[]", out, require_writable=True)
            self._out = out
        if out.size != length:
            raise ArgumentError(f"'out' has {out.size} elements: there are {length} {quantity}")
        status = function(self._pointer, which, self._place, length, self._error)
        if status:
            fail(status, self._error)
        return out

    @property
    def positions(self) -> np.ndarray:
        """m, rad, quaternions (w x y z)."""
        return self.read("positions")

    @property
    def velocities(self) -> np.ndarray:
        return self.read("velocities")

    @property
    def accelerations(self) -> np.ndarray:
        return self.read("accelerations")

    @property
    def frictions(self) -> np.ndarray:
        """Friction force of each stiction, N or N m."""
        return self.read("frictions")

    @property
    def outputs(self) -> Dict[str, float]:
        return dict(zip(self.mechanism.outputs, self.read("outputs").tolist()))

    @property
    def modes(self) -> Dict[str, str]:
        """"locked", "wait" or "unlocked" of each stiction joint."""
        return {
            name: _MODES[lib.detent_get_mode(self._pointer, k, ffi.NULL)] for k, name in enumerate(self._names)
        }

    @property
    def mode_changes(self) -> List[ModeChange]:
        """What the last event changed; before the first advance: what the first search found."""
        change, result = sized("detent_mode_change"), []
        for k in range(lib.detent_mode_change_count(self._pointer)):
            lib.detent_get_mode_change(self._pointer, k, change)
            result.append(
                ModeChange(
                    change.time,
                    self._names[change.stiction],
                    _MODES[getattr(change, "from")],
                    _MODES[change.to],
                    change.from_direction,
                    change.to_direction,
                    _CAUSES[change.cause],
                    change.margin,
                )
            )
        return result

    def pose(self, body: Union[str, int]) -> tuple:
        """Origin (m) and rotation (quaternion w x y z, body to world) of a body."""
        origin, rotation = np.empty(3), np.empty(4)
        call(
            lib.detent_get_pose,
            self._pointer,
            self.mechanism._index("body", body),
            ffi.from_buffer("double[]", origin, require_writable=True),
            ffi.from_buffer("double[]", rotation, require_writable=True),
        )
        return origin, rotation

    def reaction(self, primitive: Union[str, int], frame: str = "world", on_base: bool = False) -> np.ndarray:
        """The wrench that a primitive transmits to its follower (or base), about the follower's joint frame: force N, then torque N m, in
        the axes of ``world``, ``base`` or ``follower``."""
        frames = {
            "world": lib.DETENT_REACTION_WORLD,
            "base": lib.DETENT_REACTION_BASE,
            "follower": lib.DETENT_REACTION_FOLLOWER,
        }
        if frame not in frames:
            raise ArgumentError(f"'{frame}' is not one of {', '.join(frames)}")
        wrench = np.empty(6)
        call(
            lib.detent_get_reaction,
            self._pointer,
            self.mechanism._index("primitive", primitive),
            frames[frame],
            on_base,
            ffi.from_buffer("double[]", wrench, require_writable=True),
        )
        return wrench

    @property
    def statistics(self) -> dict:
        """Counters since the start, energies and works (J), memory (bytes)."""
        s = sized("detent_statistics")
        lib.detent_get_statistics(self._pointer, s)
        return {key: getattr(s, key) for key, _ in ffi.typeof("detent_statistics").fields if key != "size"}

    # ---- from outside ----

    def set_input(self, name: Union[str, int], value: float) -> None:
        """Sets an input from now on, by its name or its index."""
        index = name if isinstance(name, int) else self.mechanism._index("input", name)
        status = lib.detent_set_input(self._pointer, index, value, self._error)
        if status:
            fail(status, self._error)

    def set_state(self, t: Optional[float] = None, positions=None, velocities=None, states=None) -> None:
        """Begins anew at a state; what is not given stays. A search finds the modes."""
        held = []

        def array(values, length):
            if values is None:
                return ffi.NULL
            values = np.ascontiguousarray(values, dtype=np.float64)
            if values.shape != (length,):
                raise ArgumentError(f"{length} numbers were expected, not {values.shape}")
            held.append(values)
            return ffi.from_buffer("double[]", values)

        call(
            lib.detent_set_state,
            self._pointer,
            self.time if t is None else t,
            array(positions, self._lengths["positions"]),
            array(velocities, self._lengths["velocities"]),
            ffi.NULL,
            array(states, self._lengths["states"]),
        )

    def save(self) -> bytes:
        """Time, state, modes, inputs and work counters, for :meth:`restore` of a simulation of the same mechanism."""
        size = lib.detent_state_size(self._pointer)
        place = ffi.new("char[]", size)
        call(lib.detent_save_state, self._pointer, place, size)
        return bytes(ffi.buffer(place, size))

    def restore(self, state: bytes) -> None:
        """Goes on from a state that was saved."""
        call(lib.detent_restore_state, self._pointer, ffi.from_buffer(state), len(state))
