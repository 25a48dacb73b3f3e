"""A whole run as arrays."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Mapping, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._library import Floats
from .errors import ArgumentError, DetentError
from .mechanism import Mechanism, Path, Value
from .moments import Growing, Moments, Recorder, recalled
from .simulation import ModeChange, Simulation, StateChange


class Event(NamedTuple):
    """One event: when, and which modes it changed (none, where a law switched), which states came to their stops or left them."""

    time: float
    changes: list[ModeChange]
    states: list[StateChange]


@dataclass
class Result:
    """Rows of a run: at each interval, and two at each event, just before and just after it."""

    mechanism: Mechanism
    columns: list[str]  #: names of the outputs
    time: Floats  #: s
    event: NDArray[np.int8]  #: -1 just before an event, 1 just after it, 0 elsewhere
    values: Floats  #: a row for each time, a column for each output
    events: list[Event] = field(default_factory=list)
    statistics: dict[str, Any] = field(default_factory=dict)
    modes: dict[str, str] = field(default_factory=dict)  #: at the end
    failure: Optional[DetentError] = None  #: what ended the run before its time, where that was asked for
    settings: dict[str, Any] = field(default_factory=dict)
    moments: Optional[Moments] = None  #: what :meth:`recall` needs, where that was asked for

    def __getitem__(self, name: str) -> Floats:
        """The column of an output."""
        if name not in self.columns:
            raise KeyError(f"{name!r}: {', '.join(self.columns)}")
        column: Floats = self.values[:, self.columns.index(name)]
        return column

    def __len__(self) -> int:
        return len(self.time)

    def to_frame(self) -> Any:
        """A pandas DataFrame: time is the index, `event` the first column."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=self.columns, index=pandas.Index(self.time, name="time"))
        frame.insert(0, "event", self.event)
        return frame

    def recall(self, *outputs: str) -> Floats:
        """Outputs that the run was not asked for, a row for each time, a column each: any expression that outputs of a file may be. The run
        was made by :func:`simulate` with ``moments``; nothing is integrated. Each row is put back with its modes, read, and held against
        what the run had, to its `rtol`; where they differ a :class:`NumericError` says so, as with forces of steps of fixed length."""
        if not outputs:
            raise ArgumentError("which outputs is missing")
        if self.moments is None:
            raise ArgumentError("the run has kept no moments: simulate(..., moments=True)")
        return recalled(self.mechanism, self.moments, self.event, self.settings["rtol"], outputs)


def simulate(
    mechanism: Union[Mechanism, Path],
    *,
    end: Optional[float] = None,
    interval: Optional[float] = None,
    inputs: Optional[Mapping[Union[str, int], float]] = None,
    parameters: Optional[Mapping[str, Value]] = None,
    keep_partial: bool = False,
    moments: bool = False,
    **settings: Union[str, float],
) -> Result:
    """Runs a mechanism (or the file at a path, with ``parameters``) to ``end``.

    A row every ``interval`` and two at each event; both as in the file where not given. ``inputs`` are set at the start.
    Other settings as of :class:`Simulation`. A run that fails raises a :class:`DetentError`; with ``keep_partial`` the rows so far
    are returned, with the error as ``failure``. With ``moments`` it keeps, for each row, what :meth:`Result.recall` needs.
    """
    if not isinstance(mechanism, Mechanism):
        mechanism = Mechanism.load(mechanism, parameters=parameters)
    elif parameters:
        raise ArgumentError("parameters are of a file: Mechanism.load(path, parameters=...)")
    of_file = mechanism.settings()
    start = float(settings.get("start", of_file["start"]))
    end = float(of_file["end"] if end is None else end)
    if interval is None:
        is_given = mechanism._info.interval_is_given
        interval = float(of_file["interval"]) if is_given else (end - start) / 1000
    if not (end > start and interval > 0):
        raise ArgumentError("'end' is after the start, and 'interval' above zero")
    failure = None
    settings.update({"end": end, "interval": interval})
    with Simulation(mechanism, **settings) as simulation:
        for name, value in (inputs or {}).items():
            simulation.set_input(name, value)
        rows = _Rows(simulation, moments)
        try:
            rows.take(0)
            count = math.ceil((end - start) / interval * (1 - 1e-12))
            for k in range(1, count + 1):
                rows.advance(min(start + k * interval, end) if k < count else end)
        except DetentError as error:
            if not keep_partial:
                raise
            failure = error
        return rows.result(failure)


class _Rows:
    """What is kept of a run while it is made."""

    def __init__(self, simulation: Simulation, moments: bool) -> None:
        self.simulation, self.count = simulation, 0
        self.time, self.event = Growing(1), Growing(1)
        self.values = Growing(len(simulation.mechanism.outputs))
        self.recorder = Recorder(simulation) if moments else None
        self.events = [Event(simulation.time, simulation.mode_changes, simulation.state_changes)]

    def advance(self, t: float) -> None:
        while self.simulation.advance(t, True):
            self.take(-1)
            self.take(1)
            changes = self.simulation.mode_changes, self.simulation.state_changes
            self.events.append(Event(self.simulation.time, *changes))
        self.take(0)

    def take(self, side: int) -> None:
        read = self.simulation.read_before if side < 0 else self.simulation.read
        self.time.row(self.count)[0], self.event.row(self.count)[0] = self.simulation.time, side
        values = self.values.row(self.count)
        if values.size:
            read("outputs", values)
        if self.recorder:
            self.recorder.take(self.count, self.simulation.moment(before=side < 0))
        self.count += 1

    def result(self, failure: Optional[DetentError]) -> Result:
        simulation, mechanism = self.simulation, self.simulation.mechanism
        return Result(
            mechanism,
            mechanism.outputs,
            self.time.array(self.count)[:, 0],
            self.event.array(self.count)[:, 0].astype(np.int8),
            self.values.array(self.count),
            self.events,
            simulation.statistics,
            simulation.modes,
            failure,
            simulation.settings,
            self.recorder.moments(self.count) if self.recorder else None,
        )
