"""Runs that can be put back row by row, for outputs that nobody asked for before."""
from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._library import Floats
from .errors import ArgumentError, DetentError, ModelError, NumericError
from .mechanism import Mechanism
from .simulation import Moment, Simulation

_QUANTITIES = Moment._fields[1:]
_OF_FORCES = ("accelerations", "frictions")
_CHECKED = ("positions", "velocities", "states")


class Growing:
    """Rows of numbers, as many as come."""

    def __init__(self, width: int) -> None:
        self._rows = np.empty((1024, width))

    def row(self, k: int) -> Floats:
        """A row to be written."""
        if k == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        row: Floats = self._rows[k]
        return row

    def array(self, count: int) -> Floats:
        """The first of them."""
        return self._rows[:count].copy()


@dataclass
class Moments:
    """The :class:`Moment` s of a run: arrays with a row for each."""

    time: Floats
    rows: dict[str, Floats]

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, k: int) -> Moment:
        return Moment(float(self.time[k]), *(self.rows[quantity][k] for quantity in _QUANTITIES))

    def between(self, k: int) -> Moment:
        """Halfway from a row to the next one, in the modes of the first."""
        now, later = self[k], self[k + 1]
        middle = {key: (getattr(now, key) + getattr(later, key)) / 2 for key in ("time", *_CHECKED)}
        return now._replace(**middle)


class Recorder:
    """Takes the moments of a run while it is made."""

    def __init__(self, simulation: Simulation) -> None:
        self.time = Growing(1)
        self.rows = {quantity: Growing(simulation.length(quantity)) for quantity in _QUANTITIES}

    def take(self, k: int, moment: Moment) -> None:
        self.time.row(k)[0] = moment.time
        for quantity, rows in self.rows.items():
            rows.row(k)[:] = getattr(moment, quantity)

    def moments(self, count: int) -> Moments:
        arrays = {quantity: rows.array(count) for quantity, rows in self.rows.items()}
        return Moments(self.time.array(count)[:, 0], arrays)


def recalled(mechanism: Mechanism, moments: Moments, event: Any, rtol: float, outputs: tuple[str, ...]) -> Floats:
    """Values of outputs, a row for each moment, a column each; ``event``: 1 just after an event, -1 just before it."""
    longer, columns = _with_outputs(mechanism, outputs)
    # nothing is integrated, so that any integrator will do but one with fixed steps; joints that are locked have their forces, too
    with Simulation(longer, integrator="ida", linear_solver="tree", locked_joints="constrain") as simulation:
        player = _Player(simulation, moments, event, columns, rtol)
        values = np.empty((len(moments), len(columns)))
        for k in range(len(moments)):
            player.put_back(k)
            values[k] = simulation.read("outputs")[columns]
        return values


def _with_outputs(mechanism: Mechanism, outputs: tuple[str, ...]) -> tuple[Mechanism, list[int]]:
    """The mechanism with more outputs, before those that it has; and the place of each one that is wanted."""
    own = mechanism.outputs
    new = [output for output in dict.fromkeys(outputs) if output not in own]
    columns = [new.index(output) if output in new else len(new) + own.index(output) for output in outputs]
    head, section, tail = mechanism.text().partition("\noutputs:\n")
    lines = "".join(f"- {json.dumps(output)}\n" for output in new)
    first = head.count("\n") + 3  # the line of the first new one
    source = f"{head}\noutputs:\n{lines}{tail}" if section else f"{head.rstrip()}\noutputs:\n{lines}"
    if not section:
        first = source.count("\n") - len(new) + 1
    _, name, _, tunable, functions = mechanism._made_of
    try:
        return Mechanism(source, name, {}, tunable, functions), columns
    except ModelError as error:
        if 0 <= error.line - first < len(new):
            raise ArgumentError(f"output '{new[error.line - first]}': {error.message}") from None
        raise


class _Player:
    """
    Puts rows back. Branches of laws are not among what is kept: they are those that a row calls for itself, but beside events, where it lies
    on a border, those of the stretch without events next to it; where that is not what the run had, as in a row at the very instant of an event
    that is still to come, another way may be.
    """

    def __init__(self, simulation: Simulation, moments: Moments, event: Any, columns: list[int], rtol: float) -> None:
        self.simulation, self.moments, self.event = simulation, moments, event
        of_forces = any(simulation.follows_forces(column) for column in columns)
        self.checked = _CHECKED + _OF_FORCES if of_forces else _CHECKED
        rtol = max(rtol, math.sqrt(np.finfo(float).eps))  # half the digits are left to conditioning
        ordinary = _ordinary_sizes(simulation)
        self.allowed = {}
        for key in self.checked:
            rows = moments.rows[key]
            largest = np.max(np.abs(rows), axis=0, initial=0.0)
            self.allowed[key] = rtol * (largest + ordinary.get(key, 0.0))

    def put_back(self, k: int) -> None:
        side = self.event[k]
        begins = side > 0 or k == 0
        ways = [self._as_before, self._of_stretch] if side < 0 else [self._of_stretch] if begins else [self._of_row, self._of_stretch]
        ways += [self._of_row] if side < 0 or begins else []
        failure: Optional[DetentError] = None
        for way in ways:
            try:
                way(k)
            except DetentError as error:
                failure = error
                continue
            wrong = self._differing(k)
            if wrong is None:
                return
            failure = NumericError(
                f"at t = {self.moments.time[k]:.9g} s the run had other {wrong} than follow from what it has kept: the outputs cannot be "
                "had afterwards"
            )
        assert failure
        raise failure

    def _of_row(self, k: int) -> None:
        self.simulation.recall(self.moments[k])

    def _as_before(self, k: int) -> None:
        self.simulation.recall(self.moments[k], keep_branches=True)

    def _of_stretch(self, k: int) -> None:
        begins = self.event[k] > 0 or k == 0
        first = k if begins else k - 1
        if first + 1 < len(self.moments):
            try:
                self.simulation.recall(self.moments.between(first))
            except DetentError:
                pass  # those that it has stay
        self._as_before(k)

    def _differing(self, k: int) -> Optional[str]:
        for key in self.checked:
            apart = np.abs(self.simulation.read(key) - self.moments.rows[key][k])
            if not np.all(apart <= self.allowed[key]):
                return key
        return None


def _ordinary_sizes(simulation: Simulation) -> dict[str, Floats]:
    """What is ordinary, so that a number that is nothing but rounding is not held to its digits."""
    mechanism = simulation.mechanism
    sizes = {key: np.zeros(simulation.length(key)) for key in ("positions", "velocities", *_OF_FORCES)}
    frictions = dict(zip(mechanism.stictions, range(len(mechanism.stictions))))
    for k, primitive in enumerate(mechanism.primitives):
        scale = simulation.scale(k)
        several = primitive.coordinates.stop - primitive.coordinates.start > 1
        sizes["positions"][primitive.coordinates] = 1 if several else scale.position
        sizes["velocities"][primitive.freedoms] = scale.velocity
        sizes["accelerations"][primitive.freedoms] = scale.velocity / scale.time
        if primitive.name in frictions:
            sizes["frictions"][frictions[primitive.name]] = scale.force
    return sizes
