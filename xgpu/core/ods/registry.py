# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operation and attribute classes by name, each made when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.construction import nested_operations
from xgpu.core.ir.op_info import watch
from xgpu.core.ods.services import attribute_formats, dialect_folders, operation_parts

if TYPE_CHECKING:
    from xdsl.ir import Dialect, LocationAttr

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.ods.spec import AttrSpec, OpSpec

_OPS: dict[str, type[OdsOperation]] = {}
_SPECS: dict[str, OpSpec] = {}
_ATTRS: dict[str, type[Attribute]] = {}
#: Classes of operations that others define (`xgpu.core.ods.foreign`).
OUTSIDE: dict[str, type[Operation]] = {}
#: Dialects of others, in xDSL's terms: they may say how constants are made.
DIALECTS: dict[str, Dialect] = {}
#: Classes of others that a module has brought along, which no name leads to.
MET: dict[str, type[Operation]] = {}


class _CompiledChecks:
    """The checks that classes have compiled: they have a registered verifier among them."""

    def pop(self, name: str, default: None) -> None:
        cls = _OPS.get(name)
        if cls is not None:
            cls._checks = default


watch(_CompiledChecks())
_ATTR_SPECS: dict[str, AttrSpec] = {}


def dialect_names() -> tuple[str, ...]:
    """The names of the dialects that have a table."""
    from xgpu.core.ods.table_parser import dialect_names

    return tuple(dialect_names())


def has_dialect(name: str) -> bool:
    """Whether there is a table for the dialect `name`."""
    from xgpu.core.ods.table_parser import has_dialect

    return has_dialect(name)


def register(*specs: OpSpec) -> None:
    """Adds operations that no table has: dialects of our own, tests."""
    for spec in specs:
        _SPECS[spec.name] = spec


def register_attr(*specs: AttrSpec) -> None:
    """Adds attributes and types that no table has."""
    for spec in specs:
        _ATTR_SPECS[spec.name] = spec


def operation_names(dialect: str) -> tuple[str, ...]:
    """The names of a dialect's operations: of its table, and those that were registered."""
    from xgpu.core.ods.table_parser import dialect_ops

    registered = (name for name in _SPECS if name.partition(".")[0] == dialect)
    return tuple(dict.fromkeys((*dialect_ops(dialect), *registered)))


def attribute_names(dialect: str) -> tuple[str, ...]:
    """The names of a dialect's attributes and types that its table or a registration defines;
    `!name` is a type that an attribute shares its name with."""
    from xgpu.core.ods.table_parser import dialect_attrs

    registered = (name for name in _ATTR_SPECS if name.lstrip("!").partition(".")[0] == dialect)
    return tuple(dict.fromkeys((*dialect_attrs(dialect), *registered)))


def op_spec(name: str) -> OpSpec | None:
    """The definition of the operation `name`, or None if there is no such operation."""
    spec = _SPECS.get(name)
    if spec is None:
        from xgpu.core.ods.table_parser import read_op

        spec = read_op(name)
        if spec is not None:
            _SPECS[name] = spec
    return spec


def op_class(name: str) -> type[OdsOperation]:
    """The class of the operation `name`. KeyError if there is no such operation."""
    cls = _OPS.get(name)
    if cls is None:
        spec = op_spec(name)
        if spec is None:
            raise KeyError(name)
        from xgpu.core.ods.operation import make_op_class

        cls = _OPS[name] = make_op_class(spec, operation_parts)
    return cls


def optional_op_class(name: str) -> type[OdsOperation] | None:
    """The class of the operation `name`, or None."""
    cls = _OPS.get(name)
    if cls is None and op_spec(name) is not None:
        cls = op_class(name)
    return cls


def is_ours(root: Operation) -> bool:
    """Whether all operations in `root` whose names we define are of our classes."""
    classes = {op.__class__ for op in nested_operations(root)}
    classes.add(root.__class__)
    return not any(_is_of_others(cls) for cls in classes)


def _is_of_others(cls: type[Operation]) -> bool:
    if "spec" in cls.__dict__ or (cls.name.startswith("builtin.") and not _unnamed(cls)):
        return False
    return _unnamed(cls) or op_spec(cls.name) is not None


def _unnamed(cls: type[Operation]) -> bool:
    """Whether it is xDSL's class of operations that a context did not know: of any name."""
    return cls.name == "builtin.unregistered" and hasattr(cls, "with_name")


def attr_spec(name: str) -> AttrSpec | None:
    """The definition of the attribute or type `name` (`gpu.dim`), or None."""
    spec = _ATTR_SPECS.get(name)
    if spec is None:
        from xgpu.core.ods.table_parser import read_attr

        spec = read_attr(name)
        if spec is not None:
            _ATTR_SPECS[name] = spec
    return spec


def attr_class(name: str, *, is_type: bool | None = None) -> type[Any]:
    """The class of the attribute or type `name` (`gpu.dim`, `nvgpu.mbarrier.group`).

    Handwritten classes of the dialect come first. `is_type`, or `!name`, asks
    for the type where an attribute has the same name. KeyError if there is none.
    """
    if is_type:
        name = name if name.startswith("!") else "!" + name
    cls = _ATTRS.get(name)
    if cls is None:
        if name.startswith("!"):
            return _type_class(name)
        cls = hooks(name.partition(".")[0], "attributes", "ATTRIBUTES").get(name)
        if cls is None:
            spec = attr_spec(name)
            if spec is None:
                raise KeyError(name)
            from xgpu.core.ods.attributes import make_attr_class

            cls = make_attr_class(spec, attribute_formats)
        _ATTRS[name] = cls
    return cls


def _type_class(name: str) -> type[Attribute]:
    """The class of the type `!name`: the only one of that name, or one beside an attribute."""
    plain = name[1:]
    cls = hooks(plain.partition(".")[0], "attributes", "TYPES").get(plain)
    if cls is None:
        spec = attr_spec(name)
        if spec is None or (_is_only(spec, plain)):
            cls = attr_class(plain)
        else:
            from xgpu.core.ods.attributes import make_attr_class

            cls = make_attr_class(spec, attribute_formats)
    _ATTRS[name] = cls
    return cls


def _is_only(spec: AttrSpec, name: str) -> bool:
    """Whether no attribute has the name of the type `spec`."""
    other = attr_spec(name)
    return other is None or other.is_type


def optional_attr_class(name: str) -> type[Attribute] | None:
    """The class of the attribute or type `name`, or None."""
    try:
        return attr_class(name)
    except KeyError:
        return None


def enum(name: str, keyword: str | Sequence[str]) -> Attribute:
    """The enum attribute `name` with the case `keyword`; of a bit enum several cases."""
    return attr_class(name)(keyword)  # pyright: ignore[reportCallIssue]


_HOOKS: dict[tuple[str, str, str], Mapping[str, Any]] = {}


#: The module of a dialect's package for every table that has no module of its kind.
_OPS_MODULE = "ops"


def hooks(dialect: str, module: str, table: str) -> Mapping[str, Any]:
    """The handwritten functions in `table` of the dialect; empty if it has no such table.

    A table is in the `module` of its kind (`syntax`, `verify`, `fold`, `canonicalize`,
    `attributes`), or in `ops`, where a small dialect has all of its tables.
    """
    key = (dialect, module, table)
    found = _HOOKS.get(key)
    if found is None:
        found = _HOOKS[key] = _find_table(dialect, module, table)
    return found


def _find_table(dialect: str, module: str, table: str) -> Mapping[str, object]:
    for name in dict.fromkeys((module, _OPS_MODULE)):
        if name not in _modules(dialect):
            continue
        from xgpu.core.ods.class_names import package

        found = getattr(import_module(f"{package(dialect)}.{name}"), table, None)
        if found is not None:
            return found
    return {}


_MODULES: dict[str, frozenset[str]] = {}


def _modules(dialect: str) -> frozenset[str]:
    """The names of the modules in a dialect's package; none if it has no package.

    One look at the folder: most of what is asked for is not there.
    """
    found = _MODULES.get(dialect)
    if found is None:
        from xgpu.core.ods.class_names import package

        named = dialect.isidentifier()  # an attribute's name in quotes may begin as it likes
        found = _MODULES[dialect] = frozenset(_modules_of(package(dialect)) if named else ())
    return found


def _modules_of(package: str) -> Iterator[str]:
    """The names of a package's modules; none if there is no such package."""
    parent, _, name = package.rpartition(".")
    if parent == "xgpu.dialects":  # by far most: without what imports `importlib.util`, `pkgutil`
        (place,) = dialect_folders()
        with suppress(FileNotFoundError, NotADirectoryError):
            for file in os.listdir(os.path.join(place, name)):
                if file.endswith(".py"):
                    yield file[:-3]
        return
    from pkgutil import iter_modules

    spec = find_spec(package)
    places = None if spec is None else spec.submodule_search_locations
    for module in iter_modules(places) if places else ():
        yield module.name


def forget_hooks(dialect: str) -> None:
    """Looks for the hooks of `dialect` again: it may have been asked for before it was known."""
    _MODULES.pop(dialect, None)
    for key in [key for key in _HOOKS if key[0] == dialect]:
        del _HOOKS[key]


def create(
    name: str,
    operands: Sequence[Any] = (),
    result_types: Sequence[Any] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
    regions: Sequence[Region] = (),
    successors: Sequence[Block] = (),
    location: LocationAttr | None = None,
    *,
    built: bool = False,
) -> Operation:
    """An operation `name`, detached and not verified.

    `operands` are values, or operations of one result. For an operation with
    AttrSizedOperandSegments they are one entry for each operand of the definition: a value, None,
    or a sequence of values; `operandSegmentSizes` follows. The same holds for `result_types`.
    Properties that are left out get their default values; optional flags with one are left out
    unless it is `built`, as MLIR's builders set them and its readers do not.
    """
    cls = _OPS.get(name) or op_class(name)
    if properties is None:
        properties = {}
    if cls.segmented_operands and "operandSegmentSizes" not in properties:
        operands, sizes = _flatten(name, operands, len(cls.spec.operands))
        properties = {**properties, "operandSegmentSizes": sizes}
    if cls.segmented_results and "resultSegmentSizes" not in properties:
        result_types, sizes = _flatten(name, result_types, len(cls.spec.results))
        properties = {**properties, "resultSegmentSizes": sizes}
    if built and cls.built_flags:
        properties = {**dict.fromkeys(cls.built_flags, IntegerAttr(0, 1)), **properties}
    for operand in operands:
        cls_of = operand.__class__  # an isinstance of an abstract class takes longer
        if cls_of is not OpResult and cls_of is not BlockArgument:
            operands = _values(name, operands)
            break
    return cls.create(
        operands=operands,
        result_types=result_types,
        properties=properties,
        attributes=attributes or {},
        location=location,
        successors=successors,
        regions=regions,
    )


def _values(name: str, operands: Sequence[object]) -> list[SSAValue]:
    """Operands as values. Raises ValueError for a group of an operation that has none."""
    found: list[SSAValue] = []
    for number, operand in enumerate(operands):
        if isinstance(operand, SSAValue):
            found.append(operand)
        elif isinstance(operand, Operation):
            found.append(SSAValue.get(operand))
        else:
            raise ValueError(
                f"operand {number} of {name} is {type(operand).__name__}, expected a value: the "
                "operation has no operandSegmentSizes, so its operands are one flat list"
            )
    return found


def _flatten(name: str, groups: Sequence[Any], count: int) -> tuple[list[SSAValue], Attribute]:
    """The members of all groups in one list, and the sizes of the groups."""
    from xgpu.core.ods.operation import segment_sizes

    if len(groups) != count:
        raise ValueError(f"{name} has {count} operand groups, but {len(groups)} were given")
    flat: list[Any] = []
    sizes: list[int] = []
    for group in groups:
        if group is None:
            sizes.append(0)
        elif isinstance(group, SSAValue | Operation | Attribute):
            flat.append(group)
            sizes.append(1)
        else:
            flat.extend(group)
            sizes.append(len(group))
    return flat, segment_sizes(sizes)
