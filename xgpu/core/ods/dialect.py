# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dialects as xDSL's `Dialect` objects, and as what their Python packages export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from xgpu.core.ods.class_names import attr_class_name, dialect_object_name, op_class_name
from xgpu.core.ods.registry import (
    attr_class,
    attr_spec,
    attribute_names,
    dialect_names,
    hooks,
    op_class,
    op_spec,
    operation_names,
)


class OdsDialect(Dialect):
    """A dialect whose classes are made when xDSL loads it."""

    def __init__(self, name: str, operations: Sequence[str], attributes: Sequence[str]) -> None:
        super().__init__(name)
        self._operation_names = operations
        self._attribute_names = attributes

    @property
    def operations(self) -> Iterator[type[Operation]]:
        return (op_class(name) for name in self._operation_names if op_spec(name) is not None)

    @property
    def attributes(self) -> Iterator[type[Attribute]]:
        # An attribute and a type may share a name, and be listed by the table and by hand.
        return iter(dict.fromkeys(attr_class(name) for name in self._attribute_names))


def make_dialect(name: str, operations: Iterable[str], attributes: Iterable[str]) -> OdsDialect:
    """The dialect `name` with the operations and attributes of these names."""
    return OdsDialect(name, tuple(operations), tuple(attributes))


def dialect_factories() -> dict[str, Callable[[], OdsDialect]]:
    """What makes each of our dialects, all but builtin, which is xDSL's."""
    return {name: partial(dialect, name) for name in dialect_names() if name != "builtin"}


@cache
def dialect(name: str) -> OdsDialect:
    """The dialect `name`, with everything that its table defines; the same object each time."""
    from xgpu.core.ods.table_parser import dialect_attrs, dialect_ops

    attributes = dict.fromkeys(dialect_attrs(name))
    attributes.update(dict.fromkeys(hooks(name, "attributes", "ATTRIBUTES")))
    return make_dialect(name, dialect_ops(name), attributes)


# -- classes by their Python names


_OPERATIONS: dict[str, Mapping[str, str]] = {}
_ATTRIBUTES: dict[str, Mapping[str, str]] = {}


def operation_exports(dialect: str) -> Mapping[str, str]:
    """The Python names of a dialect's operation classes, and MLIR's name of each."""
    found = _OPERATIONS.get(dialect)
    if found is None:
        found = {op_class_name(name): name for name in operation_names(dialect)}
        _OPERATIONS[dialect] = found
    return found


def attribute_exports(dialect: str) -> Mapping[str, str]:
    """The same of attributes and types: `!name` is a type, `name` an attribute."""
    found = _ATTRIBUTES.get(dialect)
    if found is None:
        found = _ATTRIBUTES[dialect] = _attributes(dialect)
    return found


def _attributes(dialect: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in attribute_names(dialect):
        plain = name.removeprefix("!")
        spec = attr_spec(name)
        if spec is not None:
            marked = "!" + plain if spec.is_type else plain
            found[attr_class_name(plain, spec.is_type)] = marked
    # Handwritten classes have names of their own: the same, or the field's abbreviations.
    for table in ("ATTRIBUTES", "TYPES"):
        for name, cls in hooks(dialect, "attributes", table).items():
            is_type = issubclass(cls, TypeAttribute)
            found.pop(attr_class_name(name, is_type), None)
            found[cls.__name__] = ("!" if is_type else "") + name
    return found


def exports(dialect: str) -> list[str]:
    """All names that the dialect's package offers."""
    return [
        dialect_object_name(dialect),
        *operation_exports(dialect),
        *attribute_exports(dialect),
    ]


def find_export(owner: str, name: str) -> object:
    """The class or `Dialect` that the package of the dialect `owner` calls `name`, or None."""
    if name.endswith("Op"):
        operation = operation_exports(owner).get(name)
        if operation is not None:
            return op_class(operation)
    if name == dialect_object_name(owner):
        return dialect(owner)
    attribute = attribute_exports(owner).get(name)
    if attribute is None:
        return None
    return attr_class(attribute)
