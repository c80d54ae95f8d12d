# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading the traits of a specification, and xDSL's trait objects for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.services import definitions

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation
    from xdsl.traits import (
        HasParent,
        MemoryAllocEffect,
        MemoryFreeEffect,
        MemoryReadEffect,
        MemoryWriteEffect,
        NoMemoryEffect,
        OpTrait,
        SingleBlockImplicitTerminator,
    )

    from xgpu.core.ods.spec import OpSpec

#: Names under which one trait appears: of the ODS record, of the C++ class.
_SYNONYMS = {
    "IsTerminator": "Terminator",
    "IsIsolatedFromAbove": "IsolatedFromAbove",
    "SymbolOpInterface": "Symbol",
    "HasRecursiveMemoryEffects": "RecursiveMemoryEffects",
    "IsCommutative": "Commutative",
    "MemoryEffectsOpInterface": "MemoryEffectOpInterface",
}


#: Tables by the `id` of the definition, which is kept beside its table.
_TABLES: dict[int, tuple[OpSpec, dict[str, list[tuple[str, ...]]]]] = {}


def trait_table(spec: OpSpec) -> dict[str, list[tuple[str, ...]]]:
    """The traits of an operation: name to the arguments of each occurrence. Not to be changed."""
    known = _TABLES.get(id(spec))
    if known is None:
        known = _TABLES[id(spec)] = (spec, _read_traits(spec))
    return known[1]


def _read_traits(spec: OpSpec) -> dict[str, list[tuple[str, ...]]]:
    table: dict[str, list[tuple[str, ...]]] = {}
    for trait in spec.traits:
        if isinstance(trait, tuple):
            name, arguments = trait[0], trait[1:]
        elif trait.endswith(">") and "<" in trait:
            name, _, inner = trait[:-1].partition("<")
            arguments = tuple(part.strip() for part in inner.split(",") if part.strip())
        else:
            name, arguments = trait, ()
        table.setdefault(_SYNONYMS.get(name, name), []).append(arguments)
    return table


def xdsl_traits(spec: OpSpec) -> tuple[OpTrait, ...]:
    """The traits that xDSL's machinery asks for, of an operation of ours."""
    import xdsl.traits as x

    table = trait_table(spec)
    plain: dict[str, Callable[[], OpTrait]] = {
        "Terminator": x.IsTerminator,
        "ReturnLike": x.ReturnLike,
        "NoTerminator": x.NoTerminator,
        "IsolatedFromAbove": x.IsolatedFromAbove,
        "SymbolTable": x.SymbolTable,
        "Commutative": x.Commutative,
        "Pure": x.Pure,
        "RecursivelySpeculatable": x.RecursivelySpeculatable,
        "AlwaysSpeculatable": x.AlwaysSpeculatable,
        "RecursiveMemoryEffects": x.RecursiveMemoryEffect,
    }
    traits = [make() for name, make in plain.items() if name in table]
    if "Symbol" in table:
        optional = any(a.name == "sym_name" and a.optional for a in spec.attrs)
        traits.append(x.OptionalSymbolOpInterface() if optional else x.SymbolOpInterface())
    if "ConstantLike" in table:
        traits.extend(_constant_like())
    traits.extend(_parents(table))
    traits.extend(_effects(spec, table))
    return tuple(traits)


def _constant_like() -> tuple[OpTrait, OpTrait]:
    """A constant, and what xDSL's folders ask for its value."""
    from xdsl.traits import ConstantLike, HasFolder

    def fold(cls: type[OpTrait], op: Operation) -> tuple[Attribute] | None:
        from xgpu.core.ir.constants import constant_value

        value = constant_value(op)
        return None if value is None else (value,)

    folder = type("ConstantFolder", (HasFolder,), {"fold": classmethod(fold)})
    return type("ConstantLike", (ConstantLike,), {})(), folder()


def _parents(
    table: dict[str, list[tuple[str, ...]]],
) -> list[HasParent | SingleBlockImplicitTerminator]:
    import xdsl.traits as x

    optional_op_class = definitions().optional_op_class
    traits: list[HasParent | SingleBlockImplicitTerminator] = []
    for terminator, *_ in table.get("SingleBlockImplicitTerminator", ()):
        cls = optional_op_class(terminator)
        if cls is not None:
            traits.append(x.SingleBlockImplicitTerminator(cls))
    for names in (*table.get("HasParent", ()), *table.get("ParentOneOf", ())):
        classes = [c for c in map(optional_op_class, names) if c is not None]
        if classes and len(classes) == len(names):
            traits.append(x.HasParent(*classes))
    return traits


#: What `stated_effects` gives for an operation that may have any effect.
NOT_STATED: Any = None


def stated_effects(spec: OpSpec) -> tuple[tuple[str, tuple[str, int] | None], ...] | None:
    """The effects that the definition states: kind, and ("operand" | "result", index) or None.

    None if it states nothing. Effects of nested operations are not among them.
    """
    table = trait_table(spec)
    if "Pure" in table or "NoMemoryEffect" in table:
        return ()
    effects: list[tuple[str, tuple[str, int] | None]] = []
    stated = False
    for kinds in table.get("MemoryEffects", ()):
        stated = True
        effects.extend((_kind(kind), None) for kind in kinds)
    for what, fields in (("operand", spec.operands), ("result", spec.results)):
        for index, field in enumerate(fields):
            stated = stated or bool(field.effects)
            effects.extend((_kind(kind), (what, index)) for kind in field.effects)
    if stated or "RecursiveMemoryEffects" in table:
        return tuple(effects)
    return NOT_STATED


def _kind(text: str) -> str:
    """ "read" of "read", "MemRead", "read:SharedMemory"."""
    text = text.partition(":")[0].strip().lower().removeprefix("mem")
    return "allocate" if text == "alloc" else text


def _effects(
    spec: OpSpec, table: dict[str, list[tuple[str, ...]]]
) -> list[
    MemoryAllocEffect | MemoryFreeEffect | MemoryReadEffect | MemoryWriteEffect | NoMemoryEffect
]:
    """The effects of an operation as far as its definition states them all."""
    import xdsl.traits as x

    effects = stated_effects(spec)
    if effects is NOT_STATED or "RecursiveMemoryEffects" in table or "Pure" in table:
        return []
    if not effects:
        return [x.NoMemoryEffect()]
    makers = {
        "read": x.MemoryReadEffect,
        "write": x.MemoryWriteEffect,
        "allocate": x.MemoryAllocEffect,
        "free": x.MemoryFreeEffect,
    }
    return [makers[kind]() for kind in {kind for kind, _ in effects}]
