# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of kernels and functions as words in memory."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING

from xgpu.api.arrays import Array
from xgpu.api.devices.interface import CHANGING, Packed
from xgpu.api.memory import View, span_of
from xgpu.api.parameters import Parameter
from xgpu.core.ir.errors import ArgumentTypeError
from xgpu.core.ir.suggestions import nearest
from xgpu.host_device.abi.addresses import UNBOUNDED
from xgpu.host_device.sanitizer.reports.watch import is_watched

if TYPE_CHECKING:
    from xgpu.host_device.device.arrays import ArrayFacts

_BITS = (8, 16, 32, 64)
_KEY = 6  # entries of the key of a view that is not fresh
# How many of a parameter's words are pointers into its array.
_POINTERS = {"memref": 2, "pointer": 1, "blob": 1}
# Of these two that are the same object make the same words.
_CONSTANT = frozenset((int, float, bool))
#: Likewise of NumPy, by name.
_CONSTANT_OF_NUMPY = frozenset(
    ("bool", "bool_", *(f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in _BITS))
)


class Packer:
    """Checks arguments and lays their words out in memory, each at 8 bytes.

    `has_bounds` adds where arrays begin and end. `is_launch` says that the words go to a device by
    a pointer to each, so both pointers of a memref, which are equal, are the same word.
    """

    def __init__(
        self, where: str, parameters: tuple[Parameter, ...], *, has_bounds: bool = False,
        is_launch: bool = False,
    ) -> None:  # fmt: skip
        self._where = where
        self._has_bounds = has_bounds
        self._parameters = parameters
        self._writers = [struct.Struct("<" + "".join(p.formats)).pack_into for p in parameters]
        self._begins: list[int] = []
        self._places: list[int] = []
        at = 0
        for parameter in parameters:
            self._begins.append(at)
            for format in parameter.formats:
                self._places.append(at)
                at += struct.calcsize("<" + format)
        self._moves = [
            (begin // 8, p.before) if p.before is not None else None
            for p, begin in zip(parameters, self._begins, strict=True)
        ]
        #: Of each parameter the word that is all that differs between arrays of the same key; None
        #: where more does, and behind the last.
        self.slots: list[int | None] = [None] * (len(parameters) + 1)
        #: Which parameters are arrays: the number of the first word, and how many are pointers.
        self._pointers = [
            (self._places.index(begin), _POINTERS.get(p.kind, 0)) if p.formats else (0, 0)
            for p, begin in zip(parameters, self._begins, strict=True)
        ]
        #: Bytes of all words.
        self.size = at
        if is_launch and not has_bounds:
            self._share_pointers()
        #: Whether a caller may give addresses, of unknown memory.
        self.takes_addresses = any(p.kind in ("pointer", "blob") for p in parameters)

    def _share_pointers(self) -> None:
        for i, moves in enumerate(self._moves):
            if moves is not None:
                first, _ = self._pointers[i]
                self._places[first + 1] = self._places[first]
                self.slots[i] = moves[0] if moves[1] == 0 else None

    def room(self, home: list[Packed]) -> Packed:
        """Memory for the words of arguments; it comes back to `home`."""
        packed = Packed(self.size, self._places, len(self._parameters), home)
        if self._has_bounds:
            count = len(self._places)
            packed.bounds = (ctypes.c_uint64 * (2 * max(count, 1)))(*UNBOUNDED * count)
            packed.facts = self.facts
        return packed

    def facts(self, packed: Packed) -> list[tuple[range, ArrayFacts]]:
        """The arrays among arguments that were stored, each with the numbers of the words that are
        pointers."""
        return [
            (range(first, first + count), p.facts(view))
            for p, view, (first, count) in zip(
                self._parameters, packed.views, self._pointers, strict=True
            )
            if view is not None
        ]

    def store(self, packed: Packed, arguments: tuple[object, ...], device: str) -> None:
        """Write the words of those `arguments` that are others than before. Raises TypeError and
        ValueError that name an argument; what `packed` holds is of no use then.
        """
        if len(arguments) != len(self._parameters):
            raise ArgumentTypeError(self._count_error(len(arguments)))
        seen, views, words = packed.seen, packed.views, packed.words
        changed = False
        each = zip(arguments, seen, self._moves, strict=False)
        for i, (argument, last, moves) in enumerate(each):
            if argument is last:
                continue
            known = packed.described[i]
            if (
                known is not None
                and type(argument) is known[0]
                and getattr(argument, "__array_interface__", None) == known[1]
            ):
                views[i] = known[2].owned_by(argument)
                packed.is_foreign = True
                continue
            if moves is not None and type(argument) is Array:
                view = argument._view
                if view is last:
                    continue
                # One of the same shape, which was checked: it lies elsewhere.
                if type(last) is View and view.key is last.key:
                    at, before = moves
                    words[at] = words[at + 1] = view.address - before
                    if packed.bounds is not None:
                        _move(packed.bounds, self._pointers[i], view.address - last.address)
                    seen[i] = views[i] = view
                    continue
            self._store_one(packed, i, argument, device)
            changed = True
        if changed:
            packed.streams = tuple({v.stream: None for v in views if v is not None and v.stream})

    def ordered(
        self, arguments: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[object, ...]:
        """All arguments in order, of which some were given by the names of their parameters."""
        names = [p.name for p in self._parameters]
        given = dict(zip(names, arguments, strict=False))
        for name, argument in named.items():
            if name not in names:
                near = nearest(name, names)
                listed = ", ".join(names) or "none"
                hint = f"did you mean '{near}'?" if near else f"there are: {listed}"
                raise ArgumentTypeError(f"{self._where} has no parameter '{name}'; {hint}")
            if name in given:
                raise ArgumentTypeError(f"{self._where}: argument '{name}' is given twice")
            given[name] = argument
        missing = [name for name in names if name not in given]
        if missing or len(arguments) > len(names):
            count = len(arguments) + len(named)
            lacks = f"; missing: {', '.join(missing)}" if missing else ""
            raise ArgumentTypeError(self._count_error(count) + lacks)
        return tuple(given[name] for name in names)

    def _store_one(self, packed: Packed, i: int, argument: object, device: str) -> None:
        found: list[View] = []
        words = self._parameters[i].words(argument, device, found)
        self._writers[i](packed.data, self._begins[i], *words)
        packed.views[i] = view = found[0] if found else None
        if packed.bounds is not None:
            first, count = self._pointers[i]
            begin, room = UNBOUNDED if view is None else _bounds(view)
            for at in range(2 * first, 2 * (first + count), 2):
                packed.bounds[at], packed.bounds[at + 1] = begin, room
        kind = type(argument)
        packed.seen[i] = argument if _is_constant(kind) else CHANGING
        packed.described[i] = None
        if view is not None and view.described is not None and kind is type(view.owner):
            packed.described[i] = kind, view.described, view.owned_by(None)
        if kind is Array and isinstance(argument, Array):
            packed.seen[i] = view = argument._view
            # A watch of the sanitizer asks for it itself, if it gets this very view.
            if len(view.key) > _KEY and not (is_watched() and packed.views[i] is view):
                view.is_used()
        elif found:
            packed.is_foreign = True

    def _count_error(self, given: int) -> str:
        wanted = len(self._parameters)
        names = ", ".join(p.name for p in self._parameters)
        plural = "argument" if wanted == 1 else "arguments"
        listed = f" ({names})" if names else ""
        were = "was" if given == 1 else "were"
        return f"{self._where} takes {wanted} {plural}{listed}, but {given} {were} given"


def _is_constant(kind: type) -> bool:
    """Whether what is of this type never changes."""
    return kind in _CONSTANT or (kind.__module__ == "numpy" and kind.__name__ in _CONSTANT_OF_NUMPY)


def _bounds(view: View) -> tuple[int, int]:
    """Where an array begins, and its bytes plus one."""
    low, high = span_of(view.shape, view.strides, view.item)
    return view.address + low, high - low + 1


def _move(bounds: ctypes.Array[ctypes.c_uint64], pointers: tuple[int, int], by: int) -> None:
    """Say that an array lies elsewhere."""
    first, count = pointers
    for at in range(2 * first, 2 * (first + count), 2):
        bounds[at] += by
