"""The C library as cffi shows it, and what every call of it needs."""
from __future__ import annotations

from ._detent import ffi, lib


def version() -> str:
    """The version of the library that this package carries."""
    return text(lib.detent_version())


def text(pointer) -> str:
    """A C string; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def sized(kind: str, /, **members):
    """A struct that may grow (DETENT_INIT), with these members."""
    struct = ffi.new(f"{kind} *")
    struct.size = ffi.sizeof(struct[0])
    for key, value in members.items():
        setattr(struct, key, value)
    return struct
