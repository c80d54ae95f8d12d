# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Docstrings of operation classes, written from their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xgpu.core.ods.parameters import (
    ATTRIBUTE,
    DISCARDABLE,
    EXTRA,
    OPERAND,
    REGION,
    RESULT,
    SUCCESSOR,
    ConstructorParameter,
    constructor_parameters,
)
from xgpu.core.ods.spec import ONE, OPTIONAL, OpSpec
from xgpu.core.ods.traits import trait_table

if TYPE_CHECKING:
    from xgpu.core.ods.constraints import Constraint

_TITLES = {
    OPERAND: "Operands",
    ATTRIBUTE: "Attributes",
    RESULT: "Results",
    REGION: "Regions",
    SUCCESSOR: "Successors",
}

#: Traits that matter to users of an operation, and how.
_TRAITS = {
    "Terminator": "ends its block",
    "Pure": "has no effects",
    "Commutative": "its operands may be swapped",
    "IsolatedFromAbove": "sees no values from outside",
    "Symbol": "is a symbol",
    "SymbolTable": "holds symbols",
    "RecursiveMemoryEffects": "has the effects of what is in it",
}


def docstring(spec: OpSpec) -> str:
    """What the operation is called, what its class takes, what is known of it."""
    parameters = constructor_parameters(spec)
    lines = [f"MLIR's operation `{spec.name}`."]
    facts = list(_facts(spec))
    if facts:
        lines += ["", f"It {', '.join(facts)}."]
    for role, title in _TITLES.items():
        roles = (role, DISCARDABLE) if role == ATTRIBUTE else (role,)
        rows = [_row(p) for p in parameters if p.role in roles]
        if rows:
            lines += ["", f"{title}:", *rows]
    if any(p.role == EXTRA for p in parameters):
        lines += [
            "",
            "Besides `attributes`, a mapping of the names of more attributes, and `location`.",
        ]
    if spec.format is not None:
        lines += ["", f"Syntax: `{spec.name.partition('.')[2]} {spec.format}`"]
    return "\n".join(lines) + "\n"


def _facts(spec: OpSpec) -> Iterable[str]:
    table = trait_table(spec)
    yield from (words for trait, words in _TRAITS.items() if trait in table)
    for names in (*table.get("HasParent", ()), *table.get("ParentOneOf", ())):
        yield "stands in " + " or ".join(f"`{name}`" for name in names)


def _row(p: ConstructorParameter) -> str:
    return f"    {p.name}: {description(p)}"


def description(p: ConstructorParameter) -> str:
    """What one parameter takes, in words."""
    if p.role == ATTRIBUTE:
        return _attribute(p)
    if p.role == DISCARDABLE:
        return f"an attribute or a {p.field.kind.__name__}, of `{p.field.name}`; optional"
    if p.role == REGION:
        return f"{_summary(p.field.constraint)}{_several(p)}; empty where it is not given"
    if p.role == SUCCESSOR:
        return "a block" + _several(p)
    words = _summary(p.field.constraint) + _several(p)
    if p.role == OPERAND:
        return words + _numbers(p)
    if p.field.quantity == ONE:
        return words + (
            "; its type" if p.required else "; its type, where it is not to be inferred"
        )
    if p.field.quantity != OPTIONAL:
        return words + "; their types"
    only = p.field.constraint.is_buildable
    return words + ("; True or its type to have it" if only else "; its type to have it")


def _numbers(p: ConstructorParameter) -> str:
    """Which numbers stand for an operand."""
    if p.static is not None:
        return "; SSA values or ints, which become part of the attribute"
    from xgpu.core.ods.constructor import takes_numbers

    if takes_numbers(p.field):
        return "; an SSA value, or an int where an ImplicitBuilder can take the constant"
    return ""


def _several(p: ConstructorParameter) -> str:
    if p.field.quantity == ONE:
        return ""
    return " (optional)" if p.field.quantity == OPTIONAL else " (any number)"


def _summary(constraint: Constraint) -> str:
    return constraint.summary or constraint.name


def _attribute(p: ConstructorParameter) -> str:
    from xgpu.core.ods.python_values import accepted

    words = accepted(p.field.constraint)
    keywords = cases(p.field.constraint)
    if keywords:
        words += ", of " + ", ".join(keywords)
    if p.field.default is not None:
        words += f"; {p.field.default or 'none'} where it is not given"
    elif not p.required:
        words += "; optional"
    return words


def cases(constraint: Constraint) -> tuple[str, ...]:
    """The keywords of an enumeration; none of other attributes."""
    if constraint.kind == "int-enum":
        return tuple(constraint.cases)
    if constraint.kind not in ("enum", "attrdef") or constraint.attr_name is None:
        return ()
    from xgpu.core.ods.registry import optional_attr_class

    found = getattr(optional_attr_class(constraint.attr_name), "cases", None)
    return () if found is None else tuple(getattr(found, "cases", found))
