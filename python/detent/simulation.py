"""Simulations: advanced, read, steered."""
from __future__ import annotations

from typing import Any, NamedTuple, NoReturn, Optional, Union

import numpy as np
import numpy.typing as npt

from ._library import Floats, as_dictionary, ffi, lib, place_in, sized
from ._tables import CAUSES, CHOICES, FRAMES, MODES, QUANTITIES, STOPS, in_words
from .errors import ArgumentError, call, fail
from .mechanism import Mechanism

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


class StateChange(NamedTuple):
    """A state that came to one of its stops, or left it."""

    time: float
    state: str
    before: str  #: "lower", "upper": at that stop; "free"
    after: str
    cause: str


class Scale(NamedTuple):
    """The sizes by which numbers of a primitive are measured; no units are in them."""

    position: float  #: m or rad
    velocity: float  #: m/s or rad/s
    force: float  #: N or N m
    energy: float  #: J, of the mechanism
    time: float  #: s, of the mechanism


class Moment(NamedTuple):
    """All that :meth:`Simulation.recall` needs to put a run back to an instant: arrays as :meth:`Simulation.read` gives them."""

    time: float
    positions: Floats
    velocities: Floats
    states: Floats
    inputs: Floats
    held: Floats
    modes: Floats
    directions: Floats
    accelerations: Floats
    frictions: Floats
    energies: Floats


class Simulation:
    """One run of a mechanism, from its start on.

    Settings are those of the file, but for what is given: ``integrator`` (ida, erk, auto, euler, rk4, fixed), ``step``, ``max_solves``, ``rtol``, ``atol``,
    ``max_step``, ``max_event_rate``, ``linear_solver``, ``locked_joints``, ``start``, ``end``. For one thread at a time; the lock of the
    interpreter is released while it works. It can be used in a ``with`` statement, which gives its memory back.
    """

    def __init__(self, mechanism: Mechanism, **settings: Union[str, float]) -> None:
        self.mechanism = mechanism
        self._state = ffi.new("detent_py_interrupt *")
        self._error = ffi.new("detent_error *")
        chosen = sized("detent_settings")
        lib.detent_mechanism_get_settings(mechanism._pointer, chosen)
        if settings.get("integrator", None) in ("ida", "erk", "auto"):
            chosen.step = chosen.max_solves = 0
        for key, value in settings.items():
            self._choose(chosen, key, value)
        options = sized("detent_simulation_options", settings=chosen)
        lib.detent_py_interrupt_by(options, self._state)
        place = ffi.new("detent_simulation **")
        call(lib.detent_simulation_create, mechanism._pointer, options, place)
        self._settings = chosen
        self._adopt(place[0])

    @staticmethod
    def _choose(chosen: Any, key: str, value: Union[str, float]) -> None:
        words = CHOICES.get(key)
        if words is not None:
            if value not in words:
                raise ArgumentError(f"{key}: '{value}' is not one of {', '.join(words)}")
            value = words[str(value)]
        elif key == "size" or not hasattr(chosen, key):
            known = [name for name, _ in ffi.typeof("detent_settings").fields if name != "size"]
            raise TypeError(f"there is no setting '{key}': {', '.join(known)}")
        setattr(chosen, key, value)

    def _adopt(self, pointer: Any) -> None:
        self._pointer = ffi.gc(pointer, lib.detent_simulation_destroy)
        self._names = self.mechanism.stictions
        self._lengths = {
            key: int(lib.detent_quantity_length(self.mechanism._pointer, which)) for key, (which, _) in QUANTITIES.items()
        }
        self._out: Optional[Floats] = None
        self._place: Any = None

    def __reduce__(self) -> NoReturn:
        raise TypeError("a simulation does not pickle: its mechanism does, and save() has its state for one of the same program")

    # ---- life ----

    def close(self) -> None:
        """Gives the memory back; nothing else may be called then."""
        ffi.release(self._pointer)

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def clone(self) -> "Simulation":
        """Another simulation at the present state, which goes on as this one would after a restore."""
        place = ffi.new("detent_simulation **")
        call(lib.detent_clone, self._pointer, place)
        twin = Simulation.__new__(Simulation)
        twin.mechanism, twin._state, twin._error = self.mechanism, self._state, ffi.new("detent_error *")
        twin._settings = self._settings
        twin._adopt(place[0])
        return twin

    def reset(self) -> None:
        """Begins anew as it was created, to the last bit."""
        call(lib.detent_reset, self._pointer)

    # ---- time ----

    @property
    def warnings(self) -> list[str]:
        """Given initial positions that the assembly of loops had to move far, in words; empty: none."""
        told: list[str] = []
        while (text := lib.detent_simulation_warning(self._pointer, len(told))) != ffi.NULL:
            told.append(ffi.string(text).decode())
        return told

    @property
    def time(self) -> float:
        """Now, s."""
        return float(lib.detent_time(self._pointer))

    @property
    def settings(self) -> dict[str, Any]:
        """Those of this run, defaults filled in."""
        return in_words(as_dictionary("detent_settings", self._settings))

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

    def read(self, quantity: str, out: Optional[Floats] = None) -> Floats:
        """All numbers of a quantity, now: positions, velocities, accelerations, forces, frictions, margins, outputs, modes, states,
        directions, inputs, gravity (m/s^2), energies (J: kinetic, potential, works of friction, damping and actuation, loss in
        impacts), held (sampled values, what they were before, since when joints rest, what was longer ago, where laws ask); with a row for each stiction limits of static
        friction (lower, upper), for each body poses (x y z, quaternion w x y z, body to world), for each primitive reactions (force N and
        torque N m on the follower, world axes), places and axes (world). Into ``out`` where given, a contiguous array of as many
        doubles, without a copy."""
        return self._read(lib.detent_read, quantity, out)

    def read_before(self, quantity: str, out: Optional[Floats] = None) -> Floats:
        """The same just before the last event; only right after :meth:`advance` returned True."""
        return self._read(lib.detent_read_before, quantity, out)

    def _read(self, function: Any, quantity: str, out: Optional[Floats]) -> Floats:
        known = QUANTITIES.get(quantity)
        if known is None:
            raise ArgumentError(f"'{quantity}' is not one of {', '.join(QUANTITIES)}")
        which, columns = known
        length = self._lengths[quantity]
        if out is None:
            out = np.empty((length // columns, columns) if columns else length)
        if out is not self._out:  # the place of an array stays what it is
            if not (isinstance(out, np.ndarray) and out.dtype == np.float64 and out.flags.c_contiguous):
                raise ArgumentError("'out' is a contiguous array of doubles")
            self._place, self._out = place_in(out), out
        if out.size != length:
            raise ArgumentError(f"'out' has {out.size} elements: there are {length} {quantity}")
        status = function(self._pointer, which, self._place, length, self._error)
        if status:
            fail(status, self._error)
        return out

    def length(self, quantity: str) -> int:
        """How many numbers :meth:`read` gives."""
        if quantity not in QUANTITIES:
            raise ArgumentError(f"'{quantity}' is not one of {', '.join(QUANTITIES)}")
        return self._lengths[quantity]

    def moment(self, before: bool = False) -> Moment:
        """All that :meth:`recall` needs, now; ``before``: just before the last event, as of :meth:`read_before`, at the last number
        before its time, when what comes at a known time has not come yet."""
        read = self.read_before if before else self.read
        time = float(np.nextafter(self.time, -np.inf)) if before else self.time
        return Moment(time, *(read(quantity) for quantity in Moment._fields[1:]))

    def follows_forces(self, output: Union[str, int]) -> bool:
        """Whether an output reads what follows from forces (accelerations, friction, reactions), not only how bodies move."""
        return bool(lib.detent_output_follows_forces(self._pointer, self.mechanism._index("output", output)))

    def scale(self, primitive: Union[str, int]) -> Scale:
        """By which sizes numbers of a primitive are measured."""
        scale = sized("detent_scale")
        call(lib.detent_get_scale, self._pointer, self.mechanism._index("primitive", primitive), scale)
        return Scale(*(getattr(scale, key) for key in Scale._fields))

    @property
    def positions(self) -> Floats:
        """m, rad, quaternions (w x y z)."""
        return self.read("positions")

    @property
    def velocities(self) -> Floats:
        return self.read("velocities")

    @property
    def accelerations(self) -> Floats:
        return self.read("accelerations")

    @property
    def frictions(self) -> Floats:
        """Friction force of each stiction, N or N m."""
        return self.read("frictions")

    @property
    def outputs(self) -> dict[str, float]:
        return dict(zip(self.mechanism.outputs, self.read("outputs").tolist()))

    @property
    def modes(self) -> dict[str, str]:
        """"locked", "wait" or "unlocked" of each stiction joint."""
        return {
            name: MODES[lib.detent_get_mode(self._pointer, k, ffi.NULL)] for k, name in enumerate(self._names)
        }

    @property
    def mode_changes(self) -> list[ModeChange]:
        """What the last event changed; before the first advance: what the first search found."""
        change = sized("detent_mode_change")
        result = []
        for k in range(lib.detent_mode_change_count(self._pointer)):
            lib.detent_get_mode_change(self._pointer, k, change)
            result.append(
                ModeChange(
                    change.time,
                    self._names[change.stiction],
                    MODES[getattr(change, "from")],
                    MODES[change.to],
                    change.from_direction,
                    change.to_direction,
                    CAUSES[change.cause],
                    change.margin,
                )
            )
        return result

    @property
    def state_changes(self) -> list[StateChange]:
        """Which states the last event brought to their stops, or off them."""
        change, names = sized("detent_state_change"), self.mechanism.states
        result = []
        for k in range(lib.detent_state_change_count(self._pointer)):
            lib.detent_get_state_change(self._pointer, k, change)
            result.append(
                StateChange(
                    change.time,
                    names[change.state],
                    STOPS[getattr(change, "from")],
                    STOPS[change.to],
                    CAUSES[change.cause],
                )
            )
        return result

    def pose(self, body: Union[str, int]) -> tuple[Floats, Floats]:
        """Origin (m) and rotation (quaternion w x y z, body to world) of a body."""
        origin, rotation = np.empty(3), np.empty(4)
        call(
            lib.detent_get_pose,
            self._pointer,
            self.mechanism._index("body", body),
            place_in(origin),
            place_in(rotation),
        )
        return origin, rotation

    def reaction(self, primitive: Union[str, int], frame: str = "world", on_base: bool = False) -> Floats:
        """The wrench that a primitive transmits to its follower (or base), about the follower's joint frame: force N, then torque N m, in
        the axes of ``world``, ``base`` or ``follower``."""
        if frame not in FRAMES:
            raise ArgumentError(f"'{frame}' is not one of {', '.join(FRAMES)}")
        wrench = np.empty(6)
        call(
            lib.detent_get_reaction,
            self._pointer,
            self.mechanism._index("primitive", primitive),
            FRAMES[frame],
            on_base,
            place_in(wrench),
        )
        return wrench

    @property
    def statistics(self) -> dict[str, Any]:
        """Counters since the start, energies and works (J), memory (bytes)."""
        s = sized("detent_statistics")
        lib.detent_get_statistics(self._pointer, s)
        return as_dictionary("detent_statistics", s)

    # ---- from outside ----

    def set_input(self, name: Union[str, int], value: float) -> None:
        """Sets an input from now on, by its name or its index."""
        index = name if isinstance(name, int) else self.mechanism._index("input", name)
        status = lib.detent_set_input(self._pointer, index, value, self._error)
        if status:
            fail(status, self._error)

    def set_state(
        self,
        t: Optional[float] = None,
        positions: Optional[npt.ArrayLike] = None,
        velocities: Optional[npt.ArrayLike] = None,
        states: Optional[npt.ArrayLike] = None,
    ) -> None:
        """Begins anew at a state; what is not given stays. A search finds the modes."""
        given = {"positions": positions, "velocities": velocities, "states": states}
        held = [None if values is None else self._given(key, values) for key, values in given.items()]
        q, v, z = (ffi.NULL if array is None else ffi.from_buffer("double[]", array) for array in held)
        call(lib.detent_set_state, self._pointer, self.time if t is None else t, q, v, ffi.NULL, z)

    def _given(self, quantity: str, values: npt.ArrayLike) -> Floats:
        array = np.ascontiguousarray(values, dtype=np.float64)
        if array.shape != (self._lengths[quantity],):
            raise ArgumentError(f"{quantity}: {self._lengths[quantity]} numbers were expected, not {array.shape}")
        return array

    def recall(self, moment: Moment, keep_branches: bool = False) -> None:
        """Puts back a moment of a run of this mechanism (outputs may be others) as it was, in its modes and without a search; all can be
        read then. Laws are on the branches that their values call for, or with ``keep_branches`` on those of the moment before, as beside
        events, which lie on the borders. Not with steps of fixed length or dead times."""
        arrays = {key: self._given(key, getattr(moment, key)) for key in Moment._fields[1:]}
        places = {key: ffi.from_buffer("double[]", array) for key, array in arrays.items()}
        given = sized("detent_moment", time=moment.time, keep_branches=keep_branches, **places)
        call(lib.detent_recall, self._pointer, given)

    def save(self) -> bytes:
        """Time, state, modes, inputs and work counters, for :meth:`restore` of a simulation of the same mechanism."""
        size = lib.detent_state_size(self._pointer)
        place = ffi.new("char[]", size)
        call(lib.detent_save_state, self._pointer, place, size)
        return bytes(ffi.buffer(place, size))

    def restore(self, state: bytes) -> None:
        """Goes on from a state that was saved."""
        call(lib.detent_restore_state, self._pointer, ffi.from_buffer(state), len(state))
