"""A whole run as arrays."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import List, NamedTuple, Optional, Union

import numpy as np

from .errors import ArgumentError, DetentError
from .mechanism import Mechanism
from .simulation import ModeChange, Simulation


class Event(NamedTuple):
    """One event: when, and which modes it changed (none, where a law switched)."""

    time: float
    changes: List[ModeChange]


@dataclass
class Result:
    """Rows of a run: at each interval, and two at each event, just before and just after it."""

    mechanism: Mechanism
    columns: List[str]  #: names of the outputs
    time: np.ndarray  #: s
    event: np.ndarray  #: -1 just before an event, 1 just after it, 0 elsewhere
    values: np.ndarray  #: a row for each time, a column for each output
    events: List[Event] = field(default_factory=list)
    statistics: dict = field(default_factory=dict)
    modes: dict = field(default_factory=dict)  #: at the end
    failure: Optional[DetentError] = None  #: what ended the run before its time, where that was asked for

    def __getitem__(self, name: str) -> np.ndarray:
        """The column of an output."""
        if name not in self.columns:
            raise KeyError(f"{name!r}: {', '.join(self.columns)}")
        return self.values[:, self.columns.index(name)]

    def __len__(self) -> int:
        return len(self.time)

    def to_frame(self):
        """A pandas DataFrame: time is the index, `event` the first column."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=self.columns, index=pandas.Index(self.time, name="time"))
        frame.insert(0, "event", self.event)
        return frame


def simulate(
    mechanism: Union[Mechanism, str, os.PathLike],
    *,
    end: Optional[float] = None,
    interval: Optional[float] = None,
    inputs: Optional[dict] = None,
    parameters: Optional[dict] = None,
    keep_partial: bool = False,
    **settings,
) -> Result:
    """Runs a mechanism (or the file at a path, with ``parameters``) to ``end``.

    A row every ``interval`` and two at each event; both as in the file where not given. ``inputs`` are set at the start.
    Other settings as of :class:`Simulation`. A run that fails raises a :class:`DetentError`; with ``keep_partial`` the rows so far
    are returned, with the error as ``failure``.
    """
    if not isinstance(mechanism, Mechanism):
        mechanism = Mechanism.load(mechanism, parameters=parameters)
    elif parameters:
        raise ArgumentError("parameters are of a file: Mechanism.load(path, parameters=...)")
    of_file = mechanism.settings()
    start = settings.get("start", of_file["start"])
    end = of_file["end"] if end is None else end
    if interval is None:
        is_given = mechanism._info.interval_is_given
        interval = of_file["interval"] if is_given else (end - start) / 1000
    if not (end > start and interval > 0):
        raise ArgumentError("'end' is after the start, and 'interval' above zero")
    rows = _Rows(mechanism)
    failure = None
    with Simulation(mechanism, **{**settings, "end": end, "interval": interval}) as simulation:
        for name, value in (inputs or {}).items():
            simulation.set_input(name, value)
        events = [Event(simulation.time, simulation.mode_changes)]
        try:
            rows.take(simulation, 0)
            count = int(np.ceil((end - start) / interval * (1 - 1e-12)))
            for k in range(1, count + 1):
                t = min(start + k * interval, end) if k < count else end
                while simulation.advance(t, True):
                    rows.take(simulation, -1)
                    rows.take(simulation, 1)
                    events.append(Event(simulation.time, simulation.mode_changes))
                rows.take(simulation, 0)
        except DetentError as error:
            if not keep_partial:
                raise
            failure = error
        return Result(
            mechanism,
            mechanism.outputs,
            *rows.arrays(),
            events,
            simulation.statistics,
            simulation.modes,
            failure,
        )


class _Rows:
    """Rows that grow."""

    def __init__(self, mechanism: Mechanism):
        self.count = 0
        self.width = len(mechanism.outputs)
        self.time, self.event = np.empty(1024), np.zeros(1024, dtype=np.int8)
        self.values = np.empty((1024, self.width))

    def take(self, simulation: Simulation, event: int) -> None:
        if self.count == len(self.time):
            self.time, self.event = np.resize(self.time, 2 * self.count), np.resize(self.event, 2 * self.count)
            grown = np.empty((2 * self.count, self.width))
            grown[: self.count] = self.values
            self.values = grown
        self.time[self.count], self.event[self.count] = simulation.time, event
        if self.width:
            (simulation.read_before if event < 0 else simulation.read)("outputs", self.values[self.count])
        self.count += 1

    def arrays(self):
        return self.time[: self.count].copy(), self.event[: self.count].copy(), self.values[: self.count].copy()
