"""The extension module: what cffi makes of the headers, which has no types."""
from typing import Any

ffi: Any
lib: Any
