"""What goes wrong, as exceptions with the place in the file."""
from __future__ import annotations

from typing import Any, NoReturn

from ._functions import take_cause
from ._library import ffi, lib, text


class DetentError(Exception):
    """What a call came to.

    Attributes: ``message`` (a sentence), ``detail`` (the source line with a caret, joints concerned; may be empty), ``file``, ``line``
    and ``column`` (from 1; 0 where unknown).
    """

    def __init__(self, message: str, detail: str = "", file: str = "", line: int = 0, column: int = 0):
        self.message, self.detail, self.file, self.line, self.column = message, detail, file, line, column
        super().__init__(message, detail, file, line, column)

    def __str__(self) -> str:
        place = "".join(f"{part}:" for part in (self.file, self.line, self.column) if part)
        return f"{place} {self.message}".strip() + (f"\n{self.detail}" if self.detail else "")


class ArgumentError(DetentError, ValueError):
    """A call was used wrongly."""


class FileError(DetentError, OSError):
    """A file could not be read or written."""


class ModelError(DetentError):
    """A text is no mechanism: not YAML, a bad key, value, unit, name, expression, topology."""


class NumericError(DetentError, ArithmeticError):
    """A number became non-finite, or a matrix singular."""


class SolverError(DetentError):
    """The integrator could not proceed."""


class FunctionError(DetentError):
    """A function of the program has no value where it is needed; what it raised is the cause."""


class NoConsistentState(DetentError):
    """No set of modes satisfies every joint."""


class EventStorm(DetentError):
    """More events per unit of time than the bound."""


_CLASSES = {
    lib.DETENT_NO_CONSISTENT_STATE: NoConsistentState,
    lib.DETENT_EVENT_STORM: EventStorm,
    lib.DETENT_ERROR_ARGUMENT: ArgumentError,
    lib.DETENT_ERROR_IO: FileError,
    lib.DETENT_ERROR_SYNTAX: ModelError,
    lib.DETENT_ERROR_MODEL: ModelError,
    lib.DETENT_ERROR_NUMERIC: NumericError,
    lib.DETENT_ERROR_SOLVER: SolverError,
    lib.DETENT_ERROR_FUNCTION: FunctionError,
}


def fail(status: int, error: Any) -> NoReturn:
    """Raises what a status other than DETENT_OK stands for; ``error``: what the call filled in."""
    if status == lib.DETENT_INTERRUPTED:
        raise KeyboardInterrupt
    if status == lib.DETENT_ERROR_MEMORY:
        raise MemoryError(text(error.message))
    known = _CLASSES.get(status, DetentError)
    message = text(error.message) or text(lib.detent_status_text(status))
    raised = known(message, text(error.detail), text(error.file), error.line, error.column)
    cause = take_cause() if known is FunctionError else None
    if isinstance(cause, (KeyboardInterrupt, SystemExit)):
        raise cause
    raise raised from cause


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last argument is a place for an error; raises what it came to."""
    error = ffi.new("detent_error *")
    status = function(*arguments, error)
    if status:
        fail(status, error)
