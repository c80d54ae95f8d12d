# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dialects that are not ours: of plugins, and of other projects in the same environment.

Three kinds are known by their operations' names like ours are:

* an xDSL `Dialect` (`add_dialect`), whose operations are classes with syntax and verifier;
* definitions, `OpSpec`s and `AttrSpec`s (`add_definitions`), of which classes are made as of ours;
* a Python package laid out as one of `xgpu/dialects` (`add_package`), with a table and modules of
  hooks that are found by name.

A class states traits, effects, a folder and canonicalization patterns in xDSL's terms
(`foreign_facts.py`), its dialect how constants are made; all else is registered with
`xgpu.core.ir.op_info.register`. A dialect that no table and no plugin has is looked for among
those that the environment's projects offer to xDSL (the entry point `xdsl.universe`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute
from xdsl.traits import ConstantLike, HasFolder

from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.op_info import look_again
from xgpu.core.ods.registry import DIALECTS, MET, OUTSIDE, forget_hooks, register, register_attr
from xgpu.core.ods.services import installed_dialect

if TYPE_CHECKING:
    from xgpu.core.ods.spec import AttrSpec, OpSpec

#: Who brought each dialect.
_OWNERS: dict[str, str] = {}
_ATTRIBUTES: dict[tuple[str, bool], type[Attribute]] = {}
#: Dialects of which only a part was added.
_PARTIAL: set[str] = set()
#: Dialects that have been looked for among those of the environment.
_ASKED: set[str] = set()


def dialects() -> tuple[str, ...]:
    """The names of the dialects that were added."""
    return tuple(_OWNERS)


def claim(dialect: str, owner: str) -> None:
    """Notes that `owner` brings `dialect`. UsageError, which names both, if another has it."""
    from xgpu.core.ods.registry import has_dialect

    other = _OWNERS.get(dialect)
    if other is None and has_dialect(dialect):
        other = "xgpu"
    if other is not None and other != owner:
        raise UsageError(f"dialect '{dialect}' is defined by {other} and by {owner}")
    _OWNERS[dialect] = owner


def add_dialect(dialect: Dialect, owner: str) -> None:
    """Makes the classes of an xDSL dialect known."""
    claim(dialect.name, owner)
    DIALECTS[dialect.name] = dialect
    for operation in dialect.operations:
        OUTSIDE[operation.name] = operation
        _note_constant(operation)
    for attribute in dialect.attributes:
        _ATTRIBUTES[attribute.name, issubclass(attribute, TypeAttribute)] = attribute


def _note_constant(cls: type[Operation]) -> None:
    from xgpu.core.ir.constants import CONSTANT_VALUE, register_constant

    if cls.name not in CONSTANT_VALUE and cls.has_trait(ConstantLike) and cls.has_trait(HasFolder):
        register_constant(cls.name)


def meet(cls: type[Operation]) -> None:
    """Notes a class that a module holds and that was not added: what it states counts as well.

    The name stays free: text that has it is read as before.
    """
    if cls.name in OUTSIDE or MET.get(cls.name) is cls:
        return
    MET[cls.name] = cls
    _note_constant(cls)
    look_again(cls.name)


def add_definitions(
    dialect: str, owner: str, operations: tuple[OpSpec, ...], attributes: tuple[AttrSpec, ...] = ()
) -> None:
    """Makes a dialect known by its definitions."""
    claim(dialect, owner)
    register(*operations)
    register_attr(*attributes)


def add_package(
    dialect: str, package: str, owner: str, table: str = "table", *, partial: bool = False
) -> None:
    """Makes a dialect known by its Python package: the module `table` in it has its definitions,
    as those in `xgpu/core/ods/tables` do, and others are found by the names that ours have.

    Of a `partial` dialect there may be more: operations, types and attributes that it does not
    define are kept as they are written."""
    from xgpu.core.ods.class_names import LOCATIONS
    from xgpu.core.ods.table_parser import LOCATIONS as TABLES
    from xgpu.core.ods.table_parser import forget_table

    claim(dialect, owner)
    if partial:
        _PARTIAL.add(dialect)
    LOCATIONS[dialect] = package
    TABLES[dialect] = f"{package}.{table}"
    forget_table(dialect)
    forget_hooks(dialect)


def is_partial(dialect: str) -> bool:
    """Whether there may be more of a dialect than was added."""
    return dialect in _PARTIAL


def has_dialect(dialect: str) -> bool:
    """Whether `dialect` has been registered, or the environment has it."""
    if dialect not in _OWNERS and dialect not in _ASKED:
        _ASKED.add(dialect)
        found = installed_dialect()(dialect)
        if found is not None:
            add_dialect(*found)
    return dialect in _OWNERS


def operation_class(name: str) -> type[Operation] | None:
    """The class of an operation of a dialect that is not ours, or None."""
    found = OUTSIDE.get(name)
    if found is None and "." in name and has_dialect(name.partition(".")[0]):
        found = OUTSIDE.get(name)
    return found


def attribute_class(name: str, is_type: bool) -> type[Attribute] | None:
    """The class of an attribute or type of a dialect that is not ours, or None."""
    if not has_dialect(name.partition(".")[0]):
        return None
    return _ATTRIBUTES.get((name, is_type))
