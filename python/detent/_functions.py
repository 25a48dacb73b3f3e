"""Functions of Python that expressions of a mechanism call."""
from __future__ import annotations

import threading
from typing import Any, Callable, Mapping, Optional

from ._library import ffi, lib, sized

_raised = threading.local()


@ffi.def_extern()  # type: ignore[misc]
def detent_py_function(user: Any, arguments: Any, value: Any, derivatives: Any) -> int:
    """f(x, y, ...) -> (value, derivatives), one number instead of one derivative; None where it has no value."""
    function, count = ffi.from_handle(user)
    try:
        result = function(*ffi.unpack(arguments, count))
        if result is None:
            return 1
        value[0], slopes = result
        if count == 1 and not hasattr(slopes, "__len__"):
            slopes = (slopes,)
        if len(slopes) != count:
            raise TypeError(f"{count} derivatives were expected, not {len(slopes)}")
        derivatives[0:count] = [float(slope) for slope in slopes]
        return 0
    except BaseException as error:  # which no C code can pass on: errors.fail() does
        _raised.error = error
        return -1


def take_cause() -> Optional[BaseException]:
    """What the last function raised in this thread, once."""
    error: Optional[BaseException] = getattr(_raised, "error", None)
    _raised.error = None
    return error


def definitions(functions: Mapping[str, Any]) -> tuple[Any, int, list[Any]]:
    """For a dictionary of functions, or of (function, number of arguments): what the library takes, and what has to live as long
    as the mechanism."""
    held: list[Any] = []
    structs: list[Any] = []
    for name, given in functions.items():
        function, count = given if isinstance(given, tuple) else (given, function_arguments(given))
        handle, text = ffi.new_handle((function, count)), ffi.new("char[]", name.encode())
        structs.append(
            sized(
                "detent_function_def", name=text, argument_count=count, function=lib.detent_py_function, user=handle
            )
        )
        held += [handle, text]
    pointers = ffi.new("const detent_function_def *[]", structs) if structs else ffi.NULL
    return pointers, len(structs), [held, structs, pointers]


def function_arguments(function: Callable[..., Any]) -> int:
    """How many arguments it takes."""
    import inspect

    parameters = inspect.signature(function).parameters.values()
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters):
        raise TypeError("how many arguments it takes is not to be seen: give (function, number)")
    return len(parameters)
