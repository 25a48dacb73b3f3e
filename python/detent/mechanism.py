"""Mechanisms: loaded, asked."""
from __future__ import annotations

import json
import os
import pickle
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from ._functions import definitions
from ._library import as_dictionary, ffi, lib, sized, text
from ._tables import in_words
from .errors import ArgumentError, call

Value = Union[float, int, str]
Path = Union[str, "os.PathLike[str]"]
#: f(x, y, ...) -> (value, derivatives), or that and how many arguments there are.
Function = Union[Callable[..., Any], "tuple[Callable[..., Any], int]"]
Functions = Mapping[str, Function]

_ITEMS = {
    "body": lib.DETENT_BODY,
    "joint": lib.DETENT_JOINT,
    "primitive": lib.DETENT_PRIMITIVE,
    "stiction": lib.DETENT_STICTION,
    "input": lib.DETENT_INPUT,
    "output": lib.DETENT_OUTPUT,
    "state": lib.DETENT_STATE,
    "loop": lib.DETENT_LOOP,
    "load": lib.DETENT_LOAD,
    "spring": lib.DETENT_SPRING,
    "coupling": lib.DETENT_COUPLING,
    "point": lib.DETENT_POINT,
    "sampled": lib.DETENT_SAMPLED,
    "table": lib.DETENT_TABLE,
    "function": lib.DETENT_FUNCTION,
    "warning": lib.DETENT_WARNING,
}


@dataclass(frozen=True)
class Primitive:
    """One scalar freedom of a joint (a spherical one has three), and its place in the vectors."""

    name: str
    type: str  #: "revolute", "prismatic", "spherical", "weld"
    joint: str
    base: str
    follower: str
    prescribed: bool  #: its motion is given
    coordinates: slice  #: its part of the positions
    freedoms: slice  #: its part of velocities and accelerations
    stop: tuple[float, float]  #: where its rigid stops are, lower and upper; infinite where there is none


@dataclass(frozen=True)
class Shape:
    """What a body looks like; it acts on nothing."""

    body: str
    type: str  #: "box", "sphere", "cylinder", "capsule", "ellipsoid", "line", "mesh"
    size: tuple[Any, ...]  #: m: edges; radius; radius and length along z; semi-axes; of a line its points, (x, y, z) each; of a mesh nothing
    point: tuple[float, ...]  #: of its middle in the body's frame, m
    rotation: tuple[float, ...]  #: quaternion w, x, y, z: its frame to that of the body
    color: Optional[str]  #: "#rrggbb"
    name: Optional[str]
    mesh: Optional[str]  #: the name of a file, which nobody has read


class Mechanism:
    """What a mechanism file says, checked and compiled. It never changes; many simulations may use it at once, in threads too.

    Mechanisms pickle: their text goes along, and is read again; what it takes from tables of CSV files is written into it then.
    Functions go by their names, as ever: with one that is not at the top of a module a mechanism does not pickle.
    """

    def __init__(
        self,
        source: str,
        name: str,
        parameters: Mapping[str, Value],
        tunable: Sequence[str],
        functions: Optional[Functions] = None,
    ) -> None:
        self._made_of = (source, name, dict(parameters), tuple(tunable), dict(functions or {}))
        values = [(key.encode(), _words(value).encode()) for key, value in parameters.items()]
        held = [(ffi.new("char[]", key), ffi.new("char[]", value)) for key, value in values]
        names = [ffi.new("char[]", name_.encode()) for name_ in tunable]
        options = sized("detent_load_options")
        pairs = ffi.new("detent_parameter[]", [{"name": key, "value": value} for key, value in held])
        texts = ffi.new("char *[]", names)
        options.parameters, options.parameter_count = pairs, len(held)
        options.tunable, options.tunable_count = ffi.cast("const char *const *", texts), len(names)
        options.functions, options.function_count, self._held = definitions(functions or {})
        data = source.encode()
        place = ffi.new("detent_mechanism **")
        call(lib.detent_mechanism_parse, data, len(data), os.fsencode(name), options, place)
        self._pointer = ffi.gc(place[0], lib.detent_mechanism_destroy)
        self._info = sized("detent_mechanism_info")
        lib.detent_mechanism_get_info(self._pointer, self._info)

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        parameters: Optional[Mapping[str, Value]] = None,
        tunable: Iterable[str] = (),
        functions: Optional[Functions] = None,
    ) -> "Mechanism":
        """Reads a mechanism file. ``parameters`` replace values of the file, ``"5 N*m"`` or numbers in SI units; those in ``tunable``
        become inputs of each simulation. ``functions`` are what expressions may call by name: f(x, y, ...) -> (value, derivatives), exact
        and smooth, None where it has no value; a step is made shorter then. Raises :class:`ModelError` with the place, :class:`FileError`."""
        path = os.fspath(path)
        try:
            with open(path, encoding="utf-8") as file:
                source = file.read()
        except UnicodeDecodeError as error:
            raise ArgumentError(f"a text in UTF-8 was expected: {error}", file=path) from None
        return cls(source, path, parameters or {}, tuple(tunable), functions)

    @classmethod
    def parse(
        cls,
        source: str,
        *,
        name: str = "<text>",
        parameters: Optional[Mapping[str, Value]] = None,
        tunable: Iterable[str] = (),
        functions: Optional[Functions] = None,
    ) -> "Mechanism":
        """The same of the text of a file, which ``name`` stands for in messages; tables of CSV files are beside it."""
        return cls(source, name, parameters or {}, tuple(tunable), functions)

    @classmethod
    def from_dict(
        cls,
        definition: Mapping[str, Any],
        *,
        name: str = "<dictionary>",
        parameters: Optional[Mapping[str, Value]] = None,
        tunable: Iterable[str] = (),
        functions: Optional[Functions] = None,
    ) -> "Mechanism":
        """The same of a dictionary with the keys of a file."""
        source = json.dumps(definition, allow_nan=False, default=_plain, indent=1)
        return cls(source, name, parameters or {}, tuple(tunable), functions)

    def __reduce__(self) -> tuple[Any, ...]:
        source, name, parameters, tunable, functions = self._made_of
        for word, function in functions.items():
            try:
                pickle.dumps(function)
            except Exception as error:
                raise TypeError(
                    f"{self!r} does not pickle, for its function '{word}' does not: {error}. Functions at the top of a module do."
                ) from error
        if self.names("table"):  # which stand in other files, or might
            source, parameters = self.text(), {}
        return type(self), (source, name, parameters, tunable, functions)

    def __copy__(self) -> "Mechanism":
        return self  # it never changes

    def __deepcopy__(self, _: object) -> "Mechanism":
        return self

    def __repr__(self) -> str:
        return f"<detent.Mechanism {self.name!r}: {self._info.bodies} bodies, {self._info.freedoms} freedoms>"

    @property
    def source(self) -> str:
        """The text that it was read from."""
        return self._made_of[0]

    @property
    def name(self) -> str:
        return text(self._info.name)

    def text(self) -> str:
        """A mechanism file of it, with the values of parameters that it has, which reads as the same mechanism."""
        length = ffi.new("size_t *")
        call(lib.detent_mechanism_text, self._pointer, ffi.NULL, 0, length)
        place = ffi.new("char[]", length[0] + 1)
        call(lib.detent_mechanism_text, self._pointer, place, length[0] + 1, length)
        return str(ffi.unpack(place, length[0]).decode())

    def save(self, path: Path) -> None:
        """Writes that file; what stands at the path is replaced when it is complete."""
        call(lib.detent_mechanism_save, self._pointer, os.fsencode(path))

    @property
    def coordinates(self) -> int:
        """Length of the positions."""
        return int(self._info.coordinates)

    @property
    def freedoms(self) -> int:
        """Length of velocities and accelerations."""
        return int(self._info.freedoms)

    def names(self, kind: str) -> list[str]:
        """The names of all items of a kind: body, joint, primitive, stiction, input, output, state, loop, load, spring, coupling, point,
        sampled, table, function, warning."""
        item = _ITEMS.get(kind)
        if item is None:
            raise ArgumentError(f"'{kind}' is not one of {', '.join(_ITEMS)}")
        return [text(lib.detent_name(self._pointer, item, k)) for k in range(lib.detent_count(self._pointer, item))]

    @property
    def bodies(self) -> list[str]:
        return self.names("body")

    @property
    def joints(self) -> list[str]:
        return self.names("joint")

    @property
    def stictions(self) -> list[str]:
        """Primitives with stiction: what modes and frictions are of."""
        return self.names("stiction")

    @property
    def inputs(self) -> list[str]:
        return self.names("input")

    @property
    def outputs(self) -> list[str]:
        return self.names("output")

    @property
    def states(self) -> list[str]:
        return self.names("state")

    @property
    def warnings(self) -> list[str]:
        return self.names("warning")

    @property
    def primitives(self) -> list[Primitive]:
        """All :class:`Primitive` s in the order of the vectors."""
        bodies, joints, info = self.bodies, self.joints, sized("detent_primitive_info")
        result = []
        for k in range(self._info.primitives):
            lib.detent_get_primitive(self._pointer, k, info)
            result.append(
                Primitive(
                    text(info.name),
                    text(info.type),
                    joints[info.joint],
                    bodies[info.base] if info.base >= 0 else "ground",
                    bodies[info.follower] if info.follower >= 0 else "ground",
                    info.prescribed,
                    slice(info.first_coordinate, info.first_coordinate + info.coordinates),
                    slice(info.first_freedom, info.first_freedom + info.freedoms),
                    (info.stop[0], info.stop[1]),
                )
            )
        return result

    def shapes(self, body: Union[str, int]) -> list[Shape]:
        """The :class:`Shape` s of a body, or of "ground"."""
        index = -1 if body == "ground" else self._index("body", body)
        return [self._shape(index, k) for k in range(lib.detent_shape_count(self._pointer, index))]

    def _shape(self, body: int, k: int) -> Shape:
        info = sized("detent_shape_def")
        lib.detent_get_shape(self._pointer, body, k, info)
        points = [tuple(info.points[3 * p : 3 * p + 3]) for p in range(info.point_count)]
        extent = [value for value in info.extent if value > 0]
        return Shape(
            text(info.body),
            text(lib.detent_shape_word(info.type)),
            tuple(points or extent),
            tuple(info.point),
            tuple(info.rotation),
            text(info.color) if info.color else None,
            text(info.name) if info.name else None,
            text(info.mesh) if info.mesh else None,
        )

    def unit(self, kind: str, index: int) -> str:
        """The unit of an output's or a state's value, a primitive's position, a stiction's friction; "" if none or unknown."""
        return text(lib.detent_unit(self._pointer, _ITEMS[kind], index))

    def _index(self, kind: str, which: Union[str, int]) -> int:
        if isinstance(which, int):
            return which
        index = lib.detent_find(self._pointer, _ITEMS[kind], which.encode())
        if index < 0:
            raise ArgumentError(f"there is no {kind} '{which}': {', '.join(self.names(kind)) or 'there are none'}")
        return int(index)

    def settings(self) -> dict[str, Any]:
        """The settings of the file, defaults filled in."""
        s = sized("detent_settings")
        lib.detent_mechanism_get_settings(self._pointer, s)
        return in_words(as_dictionary("detent_settings", s))


def _words(value: Value) -> str:
    return value if isinstance(value, str) else repr(float(value))


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy, as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a mechanism has no place for {type(value).__name__}")


@dataclass(frozen=True)
class Imported:
    """A robot as a mechanism file."""

    text: str  #: the mechanism file
    notes: tuple[tuple[int, str], ...]  #: (line of the source or 0, what is not in there or may surprise)

    def mechanism(self, **options: Any) -> Mechanism:
        """Reads it; options as of :meth:`Mechanism.parse`."""
        options.setdefault("name", "<imported>")
        return Mechanism.parse(self.text, **options)


_PARTS = {
    "limits": lib.DETENT_IMPORT_LIMITS,
    "friction": lib.DETENT_IMPORT_FRICTION,
    "damping": lib.DETENT_IMPORT_DAMPING,
    "armature": lib.DETENT_IMPORT_ARMATURE,
    "actuators": lib.DETENT_IMPORT_ACTUATORS,
}
_BASES = {
    "as-is": lib.DETENT_IMPORT_BASE_AS_IS,
    "fixed": lib.DETENT_IMPORT_BASE_FIXED,
    "floating": lib.DETENT_IMPORT_BASE_FLOATING,
}


def import_robot(
    path: Path, *, base: str = "as-is", without: Iterable[str] = (), balance: bool = False
) -> Imported:
    """A robot from a URDF or MJCF file, as `detent import` makes a mechanism file of it. ``base``: as-is, fixed, floating; ``without``:
    limits, friction, damping, armature, actuators; ``balance``: inertias that no body has become those of balls."""
    options = sized("detent_import_options", balance=balance)
    try:
        options.base = _BASES[base]
        options.without = sum(_PARTS[word] for word in set(without))
    except KeyError as error:
        raise ArgumentError(f"{error} is not one of {', '.join((*_BASES, *_PARTS))}") from None
    place = ffi.new("detent_imported **")
    call(lib.detent_import_file, os.fsencode(path), options, place)
    imported = ffi.gc(place[0], lib.detent_imported_destroy)
    line = ffi.new("int *")
    notes = []
    for k in range(lib.detent_imported_note_count(imported)):
        note = text(lib.detent_imported_note(imported, k, line))
        notes.append((line[0], note))
    return Imported(text(lib.detent_imported_text(imported, ffi.NULL)), tuple(notes))
