# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a conversion turns types into.

A `TypeConverter` is a list of functions; the one added last is asked first, as in MLIR. Results are
remembered, for types repeat on every value of a program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Never, cast

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.rewriting.builder import Rewriter

    OutsideConversion = Callable[[Never, "TypeConverter"], Attribute | None]

#: The answer of a conversion function that does not know a type: ask the next function.
UNKNOWN: Any = object()


#: How types of other projects are converted: by the dialect that a conversion leads to, and the
#: type's name.
_OUTSIDE: dict[tuple[str, str], OutsideConversion] = {}


def register_type(name: str, to: str, convert: OutsideConversion) -> None:
    """States what the type `name` (without `!`) of another project becomes where a conversion leads
    to the dialect `to`, "llvm": `convert` takes the type and the converter, which converts types
    inside of it, and returns a type, or None where there is none.

    Raises ValueError where no conversion asks: nothing but "llvm" has types of its own.
    """
    if to != "llvm":
        raise ValueError(f"types are converted to the llvm dialect only, but not to '{to}'")
    _OUTSIDE[to, name] = convert


def convert_outside(ty: Attribute, to: str, types: TypeConverter) -> Attribute | None:
    """What a type of another project becomes in the dialect `to`, or None."""
    convert = _OUTSIDE.get((to, ty.name))
    return None if convert is None else convert(cast("Never", ty), types)


class TypeConverter:
    """Maps a type to a type, to a tuple of types (1:N), or to None where there is no conversion.

    A conversion function takes a type and returns one of these, or `UNKNOWN`.
    """

    def __init__(
        self, *conversions: Callable[[Attribute], Attribute | tuple[Attribute, ...] | None]
    ) -> None:
        self._conversions = list(conversions)
        # By identity first: hashing an attribute of xDSL costs more than the rest of a look-up.
        # The attribute is kept beside its result so that its identity stays taken.
        self._by_identity: dict[int, tuple[Attribute, Attribute]] = {}
        self._by_value: dict[Attribute, Attribute] = {}

    def add(
        self, conversion: Callable[[Attribute], Attribute | tuple[Attribute, ...] | None]
    ) -> None:
        """Adds a conversion function, asked before those that are there."""
        self._conversions.append(conversion)
        self._by_identity.clear()
        self._by_value.clear()

    def convert(self, ty: Attribute) -> Any:
        """The type that stands for `ty`; a tuple of types for 1:N; None if there is none."""
        known = self._by_identity.get(id(ty))
        if known is not None:
            return known[1]
        try:
            result = self._by_value[ty]
        except KeyError:
            result = self._ask(ty)
            self._by_value[ty] = result
        self._by_identity[id(ty)] = (ty, result)
        return result

    def _ask(self, ty: Attribute) -> Any:
        for conversion in reversed(self._conversions):
            result = conversion(ty)
            if result is not UNKNOWN:
                return result
        return None

    def convert_all(self, types: Sequence[Attribute]) -> list[Attribute] | None:
        """The types that stand for `types` in a flat list, or None if one cannot be converted."""
        result: list[Attribute] = []
        for ty in types:
            new = self.convert(ty)
            if new is None:
                return None
            if isinstance(new, tuple):
                result.extend(new)
            else:
                result.append(new)
        return result

    def is_legal(self, ty: Attribute) -> bool:
        """Whether `ty` stands for itself."""
        return self.convert(ty) == ty

    # --- values ------------------------------------------------------------------------------
    def to_source(
        self, rw: Rewriter, old_type: Attribute, values: Sequence[SSAValue]
    ) -> SSAValue | None:
        """Builds a value of the old type from converted values; None means a cast."""
        return None

    def to_target(
        self, rw: Rewriter, new_type: Attribute, values: Sequence[SSAValue], old_type: Attribute
    ) -> SSAValue | None:
        """Builds a value of a converted type from `values`; None means a cast."""
        return None
