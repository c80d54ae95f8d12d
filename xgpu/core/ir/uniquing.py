# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes by what they are made of, in time proportional to the number of different objects.

In MLIR equal attributes are one object. Here they are objects that compare by content, all the way
down: what shares its parts (`#loc3 = loc(fused[#loc2, "b"(#loc2)])`) is met again and again, twice
as often with each level. `Uniquer` looks at each object once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    NoneAttr,
    Signedness,
    UnknownLoc,
)
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.ir.affine.affine_map import AffineMap
from xdsl.ir.affine.affine_set import AffineSet

from xgpu.core.ir.locations import SourceLoc, build, source_location


class Uniquer:
    """Numbers attributes: equal ones alike. Holds on to all that it has seen."""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[Attribute, int]] = {}
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Attribute) -> int:
        """The number of an attribute, or of something that attributes are made of."""
        known = self._by_id.get(id(value))
        if known is not None:
            return known[1]
        number = self._numbers.setdefault(self._key(value), len(self._numbers))
        # The object is kept: its identity must not become another's.
        self._by_id[id(value)] = (value, number)
        return number

    def _key(self, value: Attribute) -> Hashable:
        """What tells values apart, with numbers for their parts."""
        if isinstance(value, SourceLoc | FileLineColLoc):
            return "location", source_location(value)
        number = self.number
        cls = value.__class__
        if isinstance(value, ParametrizedAttribute):
            return (cls, *map(number, value.parameters))
        if isinstance(value, Data):
            data: Any = value.data  # pyright: ignore[reportUnknownMemberType]
            return (cls, number(data)) if _has_parts(data) else value
        if isinstance(value, tuple | list):
            # Parameters come in a subclass of tuple, too, which compares as a tuple.
            return (tuple, *map(number, value))  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Attribute]", value).items()
            return (cls, *[(key, number(part)) for key, part in items])
        return cls, value


def _has_parts(
    data: Signedness
    | AffineMap
    | AffineSet
    | int
    | str
    | tuple[Attribute | int | str | tuple[Attribute | int | str, ...] | None, ...],
) -> bool:
    return isinstance(data, Attribute | tuple | list | Mapping)


def fused_loc(locations: Iterable[Attribute], metadata: Attribute | None = None) -> Any:
    """`fused<metadata>[locations]`, as MLIR makes it: what is fused with the same metadata is taken
    apart, unknown and repeated ones are left out; of one without metadata only that is left."""
    metadata = NoneAttr() if metadata is None else metadata
    number = Uniquer().number
    parts: dict[int, Attribute] = {}
    for location in locations:
        inner: Iterable[Attribute] = (location,)
        if isinstance(location, FusedLoc) and location.metadata == metadata:
            inner = cast("ArrayAttr[Attribute]", location.locations)
        for part in inner:
            if not isinstance(part, UnknownLoc):
                parts.setdefault(number(part), part)
    found = list(parts.values())
    if isinstance(metadata, NoneAttr) and len(found) < 2:
        return found[0] if found else UnknownLoc()
    return build(FusedLoc, locations=ArrayAttr(found or [UnknownLoc()]), metadata=metadata)
