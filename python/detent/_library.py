"""The C library as cffi shows it, and what every call of it needs."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._detent import ffi as ffi, lib as lib

Floats = NDArray[np.float64]


def version() -> str:
    """The version of the library that this package carries."""
    return text(lib.detent_version())


def text(pointer: Any) -> str:
    """A C string; "" for NULL."""
    return str(ffi.string(pointer).decode("utf-8", "replace")) if pointer else ""


def sized(kind: str, /, **members: Any) -> Any:
    """A struct that may grow (DETENT_INIT), with these members."""
    struct = ffi.new(f"{kind} *")
    struct.size = ffi.sizeof(struct[0])
    for key, value in members.items():
        setattr(struct, key, value)
    return struct


def as_dictionary(kind: str, struct: Any) -> dict[str, Any]:
    """The members of such a struct, by their names."""
    return {key: getattr(struct, key) for key, _ in ffi.typeof(kind).fields if key != "size"}


def place_in(array: Floats) -> Any:
    """Where the library writes into an array, which has to live as long."""
    return ffi.from_buffer("double[]", array, require_writable=True)
