# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a dialect's package offers: its classes by their Python names, and its `Dialect`."""

from __future__ import annotations

from collections.abc import Mapping

from xgpu.core.ods.class_names import attr_class_name, dialect_object_name, op_class_name

_OPERATIONS: dict[str, Mapping[str, str]] = {}
_ATTRIBUTES: dict[str, Mapping[str, str]] = {}


def operation_exports(dialect: str) -> Mapping[str, str]:
    """The Python names of a dialect's operation classes, and MLIR's name of each."""
    found = _OPERATIONS.get(dialect)
    if found is None:
        from xgpu.core.ods.registry import operation_names

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
    from xdsl.ir import TypeAttribute

    from xgpu.core.ods.registry import attr_spec, attribute_names, hooks

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


def find_export(dialect: str, name: str) -> object:
    """The class or `Dialect` that the package of `dialect` calls `name`, or None."""
    if name.endswith("Op"):
        operation = operation_exports(dialect).get(name)
        if operation is not None:
            from xgpu.core.ods.registry import op_class

            return op_class(operation)
    if name == dialect_object_name(dialect):
        from xgpu.core.ods.dialect import dialect as dialect_object

        return dialect_object(dialect)
    attribute = attribute_exports(dialect).get(name)
    if attribute is None:
        return None
    from xgpu.core.ods.registry import attr_class

    return attr_class(attribute)
