# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes and types that cross from one set of classes to another.

Builtin attributes are xDSL's everywhere and cross as they are, but for what they contain. Those of
a dialect have other classes here and there, so they cross as text, each value once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute

from xgpu.core.ir.errors import DiagnosticError

if TYPE_CHECKING:
    from collections.abc import Iterable


#: Finds the class for a name, of a type or an attribute; None where the other side has none.
FindClass = Callable[[str, bool], "type[Attribute] | None"]
#: Reads a text, of a type or an attribute.
Parse = Callable[[str, bool], Attribute]

#: Builtin classes that never contain anything of a dialect.
_PLAIN: frozenset[type] = frozenset(
    (
        *(builtin.IntegerType, builtin.IndexType, builtin.NoneType, builtin.NoneAttr),
        *(builtin.Float16Type, builtin.Float32Type, builtin.Float64Type, builtin.BFloat16Type),
        *(builtin.IntegerAttr, builtin.FloatAttr, builtin.StringAttr, builtin.IntAttr),
        *(builtin.SymbolRefAttr, builtin.UnitAttr, builtin.BytesAttr, builtin.DenseArrayBase),
        *(builtin.AffineMapAttr, builtin.AffineSetAttr, builtin.StridedLayoutAttr),
        *(builtin.UnknownLoc, builtin.FileLineColLoc),
    )
)


class AttributeCrossing:
    """Takes attributes to the classes of one side. What that side cannot read is an error of
    `parse`, or stays as it is (`lenient`)."""

    def __init__(self, find: FindClass, parse: Parse, *, lenient: bool = False) -> None:
        self._find = find
        self._parse = parse
        self._lenient = lenient
        #: Classes of the other side that were met, by name, and whether they are types.
        self.met: dict[tuple[str, bool], type[Attribute]] = {}
        self._known: dict[Attribute, Attribute] = {}
        self._classes: dict[type[Attribute], bool] = {}

    def __call__(self, attribute: Attribute) -> Attribute:
        """The same attribute in this side's classes: itself, if nothing in it has others."""
        if attribute.__class__ in _PLAIN:
            return attribute
        found = self._known.get(attribute)
        if found is None:
            found = self._known[attribute] = self._cross(attribute)
        return found

    def dictionary(self, attributes: dict[str, Attribute]) -> None:
        """Crosses the values of a dictionary in place."""
        for name, value in attributes.items():
            if value.__class__ not in _PLAIN:
                attributes[name] = self(value)

    def _cross(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, builtin.ArrayAttr):
            items = [self(item) for item in attribute.data]
            return attribute if _same(items, attribute.data) else builtin.ArrayAttr(items)
        if isinstance(attribute, builtin.DictionaryAttr):
            crossed = {name: self(value) for name, value in attribute.data.items()}
            if _same(crossed.values(), attribute.data.values()):
                return attribute
            return builtin.DictionaryAttr(crossed)
        if self._is_other(attribute.__class__):
            try:
                return self._parse(str(attribute), isinstance(attribute, TypeAttribute))
            except DiagnosticError:
                if not self._lenient:
                    raise
                return attribute
        if isinstance(attribute, ParametrizedAttribute):
            parameters = [self(parameter) for parameter in attribute.parameters]
            if not _same(parameters, attribute.parameters):
                return attribute.new(parameters)
        return attribute

    def _is_other(self, cls: type[Attribute]) -> bool:
        """Whether this side has another class of this name."""
        found = self._classes.get(cls)
        if found is None:
            found = False
            if "." in cls.name and issubclass(cls, ParametrizedAttribute | Data):
                is_type = issubclass(cls, TypeAttribute)
                own = self._find(cls.name, is_type)
                found = own is not None and own is not cls
                if found:
                    self.met[cls.name, is_type] = cls
            self._classes[cls] = found
        return found


def _same(new: Iterable[object], old: Iterable[object]) -> bool:
    return all(one is other for one, other in zip(new, old, strict=True))
