# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads one operation, attribute or type from the tables, when it is first asked for.

A row is lines of `group content`:

    operands lhs:FloatLike, rest*:Index, token?:GPU_AsyncToken, cases**case_sizes:AnyType
    attrs predicate:CmpPredicate, fastmath:FastMath=none, alignment?:I64Attr
    results memref:AnyMemRef [allocate]
    regions body:AnyRegion, others*:AnyRegion
    successors dest, others*
    traits Pure, SameOperandsAndResultType
    trait HasParent<scf.for, scf.while>
    hooks verify fold
    format $lhs `,` $rhs attr-dict `:` type($result)

`?` marks what is optional, `*` what is variadic, `**sizes` a variadic of variadics whose sizes the
attribute `sizes` has, `=` a default value, `[...]` memory effects. After the colon is the name of a
constraint, in the dialect's own table or the shared one.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from xgpu.core.ods.constraints import Constraint, parse_cases
from xgpu.core.ods.spec import (
    ONE,
    OPTIONAL,
    VARIADIC,
    VARIADIC_OF_VARIADIC,
    AttrField,
    AttrSpec,
    EnumSpec,
    Field,
    OpSpec,
    Parameter,
)
from xgpu.core.ods.table_files import SHARED, Table, file_dialects, read_table

#: Traits that stand for several.
_TRAIT_LISTS = {
    "Pure": ("NoMemoryEffect", "ConditionallySpeculatable", "AlwaysSpeculatable"),
    "AlwaysSpeculatableImplTrait": ("AlwaysSpeculatable",),
    "RecursivelySpeculatableImplTrait": ("RecursivelySpeculatable",),
    "ElementwiseMappable": ("Elementwise", "Scalarizable", "Vectorizable", "Tensorizable"),
}
_TYPE_MATCHES = frozenset(("TypesMatchWith", "OptionalTypesMatchWith", "RangedTypesMatchWith"))

#: Modules with the tables of dialects from outside (`xgpu.core.ods.foreign`).
LOCATIONS: dict[str, str] = {}

_TABLES: dict[str, Table | None] = {}
_CONSTRAINTS: dict[tuple[str, str, str], Constraint] = {}


def read_op(name: str) -> OpSpec | None:
    """The definition of the operation `name` (`arith.addi`), or None."""
    table = _table(name.partition(".")[0])
    row = None if table is None else table.operations.get(name)
    return None if row is None else _OpParser(name, row).read()


def read_attr(name: str) -> AttrSpec | None:
    """The definition of the attribute or type `name` (`gpu.dim`), or None.

    `!name` asks for the type where an attribute has the same name.
    """
    dialect = name.partition(".")[0].removeprefix("!")
    table = _table(dialect)
    if table is None:
        return None
    row = table.attributes.get(name)
    if row is None and name.startswith("!"):
        row = table.attributes.get(name[1:])
        if row is not None and row.partition("\n")[0] != "type":
            row = None
    return None if row is None else _read_attr(name.removeprefix("!"), row, table)


def dialect_ops(dialect: str) -> tuple[str, ...]:
    """The names of a dialect's operations."""
    table = _table(dialect)
    return () if table is None else tuple(table.operations)


def dialect_attrs(dialect: str) -> tuple[str, ...]:
    """The names of a dialect's attributes and types."""
    table = _table(dialect)
    return () if table is None else tuple(table.attributes)


def constraint(dialect: str, group: str, name: str) -> Constraint:
    """A constraint as `dialect` sees it; `group` is "types" or "attribute_constraints". Errors:
    ValueError for one that neither its table nor the shared one has."""
    key = (dialect, group, name)
    found = _CONSTRAINTS.get(key)
    if found is None:
        entry = getattr(_table(dialect), group).get(name)
        if entry is None:
            found = _CONSTRAINTS.get(("", group, name))
            if found is None:
                shared = getattr(_shared(), group).get(name)
                if shared is None:
                    raise ValueError(
                        f"the table of '{dialect}' names '{name}', which has no line in "
                        f"[{group.replace('_', ' ')}] there or in constraints.txt"
                    )
                found = _make(dialect, group, name, shared)
                _CONSTRAINTS["", group, name] = found
        else:
            found = _make(dialect, group, name, entry)
        _CONSTRAINTS[key] = found
    return found


def _make(dialect: str, group: str, name: str, entry: tuple[str, ...]) -> Constraint:
    if group == "types":
        return Constraint(name, *entry)  # pyright: ignore[reportArgumentType]
    kind, expression, summary = entry
    return Constraint(
        name, expression, summary, kind=kind, find=lambda other: constraint(dialect, group, other)
    )


def has_dialect(dialect: str) -> bool:
    """Whether there is a table of `dialect`."""
    return _table(dialect) is not None


def dialect_names() -> tuple[str, ...]:
    """Every dialect that has a table, in MLIR's spelling."""
    return tuple(sorted(file_dialects()))


def _table(dialect: str) -> Table | None:
    if dialect not in _TABLES:
        module = LOCATIONS.get(dialect)
        if module is not None:
            _TABLES[dialect] = Table.of_module(import_module(module))
        else:
            _TABLES[dialect] = None if dialect in SHARED else read_table(dialect)
    return _TABLES[dialect]


def forget_table(dialect: str) -> None:
    """Looks for the table of `dialect` again: it may have been asked for before it was known."""
    _TABLES.pop(dialect, None)


@cache
def _shared() -> Table:
    """Constraints that several dialects have."""
    found = read_table("constraints")
    assert found is not None
    return found


class _OpParser:
    """Reads a row."""

    __slots__ = ("_dialect", "_name", "_row")

    def __init__(self, name: str, row: str) -> None:
        self._name = name
        self._dialect = name.partition(".")[0]
        self._row = row

    def read(self) -> OpSpec:
        groups: dict[str, str] = {}
        traits: list[str | tuple[str, ...]] = []
        for line in self._row.splitlines():
            group, _, content = line.partition(" ")
            if group == "trait":
                traits.extend(_complex_trait(content))
            else:
                groups[group] = content
        for trait in _split(groups.get("traits", "")):
            traits.append(trait)
            traits.extend(t for t in _TRAIT_LISTS.get(trait, ()) if t not in traits)
        if "NoMemoryEffect" in traits:
            traits.append(("MemoryEffects",))
        return OpSpec(
            self._name,
            tuple(map(self._value, _split(groups.get("operands", "")))),
            tuple(map(self._attr, _split_attrs(groups.get("attrs", "")))),
            tuple(map(self._value, _split(groups.get("results", "")))),
            tuple(map(self._value, _split(groups.get("regions", "")))),
            tuple(map(_successor, _split(groups.get("successors", "")))),
            tuple(traits),  # pyright: ignore[reportArgumentType]
            frozenset(groups.get("hooks", "").split()),
            groups.get("format"),
        )

    def _value(self, text: str) -> Field:
        name, _, rest = text.partition(":")
        constraint_name, _, effects = rest.partition(" ")
        name, quantity, sizes = _quantity(name)
        return Field(
            name,
            quantity,
            constraint(self._dialect, "types", constraint_name),
            tuple(effects.strip("[]").split()),
            sizes,
        )

    def _attr(self, text: str) -> AttrField:
        text, equals, default = text.partition("=")
        name, _, constraint_name = text.partition(":")
        return AttrField(
            name.removesuffix("?"),
            constraint(self._dialect, "attribute_constraints", constraint_name),
            name.endswith("?"),
            default if equals else None,
        )


def _quantity(name: str) -> tuple[str, str, str | None]:
    """A field's name, how many it stands for, and the attribute with a `**` field's sizes."""
    if name.endswith("?"):
        return name[:-1], OPTIONAL, None
    if name.endswith("*"):
        return name[:-1], VARIADIC, None
    plain, stars, sizes = name.partition("**")
    return (plain, VARIADIC_OF_VARIADIC, sizes) if stars else (name, ONE, None)


def _successor(name: str) -> Field:
    plain, quantity, _ = _quantity(name)
    return Field(plain, quantity, _ANY_SUCCESSOR)


_ANY_SUCCESSOR = Constraint("AnySuccessor", summary="any successor")


def _split(text: str) -> list[str]:
    return text.split(", ") if text else []


def _split_attrs(text: str) -> list[str]:
    """Splits at commas outside of brackets and quotes, which default values have."""
    if not ("[" in text or '"' in text or "{" in text):
        return _split(text)
    parts: list[str] = []
    depth, quoted, start = 0, False, 0
    for at, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        depth += (char in "[{") - (char in "]}")
        if char == "," and not depth and not quoted:
            parts.append(text[start:at])
            start = at + 2
    return [*parts, text[start:]]


def _complex_trait(text: str) -> list[str | tuple[str, ...]]:
    """A parametric trait as its name and arguments, before which come traits that it implies."""
    name, _, inner = text[:-1].partition("<")
    if name in _TYPE_MATCHES:
        arguments, _, summary = inner.rpartition("; ")
        lhs, rhs, transform = arguments.split(", ", 2)
        return [("TypesMatchWith", summary, lhs, rhs, transform)]
    if name == "Pred":
        expression, _, summary = inner.rpartition("; ")
        return [("PredOpTrait", summary, expression)]
    trait = (name, *_split(inner))
    return ["SingleBlock", trait] if name == "SingleBlockImplicitTerminator" else [trait]


def _read_attr(name: str, row: str, table: Table) -> AttrSpec:
    spec = AttrSpec(name)
    parameters: list[Parameter] = []
    for line in row.splitlines():
        group, _, content = line.partition(" ")
        match group:
            case "type":
                spec.is_type = True
            case "def":
                spec.definition = content
            case "enum":
                spec.enum = _enum(content)
                parameters.append(Parameter("value", "enum", enum=spec.enum))
            case "param":
                parameters.append(_parameter(content, table))
            case "format":
                spec.format = content
            case "custom":
                spec.custom_format = True
            case "summary":
                spec.summary = content
            case "verify":
                spec.verify = True
            case "alias":
                spec.alias = True
            case _:
                pass
    spec.parameters = tuple(parameters)
    return spec


def _enum(text: str) -> EnumSpec:
    """`::mlir::gpu::Dimension x=0 y=1 z=2`: the C++ class, which messages name, and the cases."""
    cpp, *words = text.split(" ")
    cases, bits, separator = parse_cases(words)
    return EnumSpec(cases, bits, separator, cpp)


def _parameter(text: str, table: Table) -> Parameter:
    text, equals, default = text.partition("=")
    name, _, kind = text.partition(":")
    enum = None
    if kind.startswith("enum "):
        kind = kind[5:]
        enum = _enum(table.enumerations[kind])
    return Parameter(
        name.removesuffix("?"), kind, name.endswith("?"), default if equals else None, enum
    )
