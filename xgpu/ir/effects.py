# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations do to memory, from their definitions.

Effects are of four kinds: "read", "write", "allocate", "free". An operation whose definition does
not state its effects may have any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.ods.spec import OpSpec


class Effect(NamedTuple):
    """One effect: its kind, and the value it is tied to, or None for any memory."""

    kind: str
    value: SSAValue | None


#: What `stated_effects` gives for an operation that may have any effect.
NOT_STATED: Any = None

#: Operations of xDSL's builtin dialect, which has no specification here.
_BUILTIN_PURE = frozenset({"builtin.unrealized_conversion_cast"})


def stated_effects(spec: OpSpec) -> tuple[tuple[str, tuple[str, int] | None], ...] | None:
    """The effects that the definition states: kind, and ("operand" | "result", index) or None.

    None if it states nothing. Effects of nested operations are not among them.
    """
    from xgpu.ods.traits import trait_table

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


class _Facts(NamedTuple):
    stated: tuple[tuple[str, tuple[str, int] | None], ...] | None
    recursive: bool
    speculatable: bool
    #: What the dialect's `effects.py` has for an operation whose definition states nothing.
    hook: Callable[[Operation], list[Effect] | None] | None = None
    #: Whether it is there for more than its results: a terminator, or (perhaps) a symbol.
    needed: bool = False


_FACTS: dict[str, _Facts] = {}


def _facts(op: Operation) -> _Facts:
    facts = _FACTS.get(op.name)
    if facts is None:
        from xgpu.ods.registry import op_spec
        from xgpu.ods.traits import trait_table

        spec = op_spec(op.name)
        needed = _is_terminator(op) or _is_symbol(op)
        if op.name in _BUILTIN_PURE:
            facts = _Facts((), False, True, None, needed)
        elif spec is None:
            facts = _Facts(None, False, False, _effects_hook(op.name), needed)
        else:
            table = trait_table(spec)
            # A hook knows better than ODS, which only says that there is an interface.
            hooked = "MemoryEffectOpInterface" in table and _effects_hook(op.name) is not None
            facts = _Facts(
                None if hooked else stated_effects(spec),
                "RecursiveMemoryEffects" in table,
                "Pure" in table or "AlwaysSpeculatable" in table,
                _effects_hook(op.name),
                needed,
            )
        _FACTS[op.name] = facts
    return facts


def effects(op: Operation) -> list[Effect] | None:
    """The effects of `op` and of the operations in its regions, or None if they are not known."""
    facts = _facts(op)
    if facts.stated is None:
        return None if facts.hook is None else facts.hook(op)
    found: list[Effect] = []
    for kind, place in facts.stated:
        if place is None:
            found.append(Effect(kind, None))
        else:
            found.extend(Effect(kind, value) for value in _group(op, *place))
    if facts.recursive:
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    nested = effects(child)
                    if nested is None:
                        return None
                    found.extend(nested)
    return found


def _effects_hook(name: str) -> Callable[[Operation], list[Effect] | None] | None:
    """The function that the dialect's `effects.py` has for an operation (EFFECTS), or None."""
    from xgpu.ods.registry import hooks

    return hooks(name.partition(".")[0], "effects", "EFFECTS").get(name) if "." in name else None


def _group(op: Any, what: str, index: int) -> Sequence[SSAValue]:
    return op.operand_group(index) if what == "operand" else op.result_group(index)


def is_memory_effect_free(op: Operation) -> bool:
    """Whether `op`, with all it contains, has no memory effect. MLIR's `isMemoryEffectFree`."""
    facts = _facts(op)
    if facts.stated is None:
        return facts.hook is not None and facts.hook(op) == []
    if facts.stated:
        return False
    if facts.recursive:
        return all(
            is_memory_effect_free(child)
            for region in op.regions
            for block in region.blocks
            for child in block.ops
        )
    return True


def is_pure(op: Operation) -> bool:
    """Whether `op` has no effect and may be executed where it was not. MLIR's `isPure`."""
    return is_memory_effect_free(op) and is_speculatable(op)


def is_speculatable(op: Operation) -> bool:
    """Whether executing `op` where it was not executed cannot go wrong."""
    if _facts(op).speculatable:
        return True
    spec_traits = getattr(op, "spec", None)
    if spec_traits is None or not op.regions:
        return False
    from xgpu.ods.traits import trait_table

    return "RecursivelySpeculatable" in trait_table(op.spec) and all(  # pyright: ignore
        is_speculatable(child)
        for region in op.regions
        for block in region.blocks
        for child in block.ops
    )


def only_reads(op: Operation) -> bool:
    """Whether the effects of `op` are known and none but "read"."""
    found = effects(op)
    return found is not None and all(effect.kind == "read" for effect in found)


def is_trivially_dead(op: Operation) -> bool:
    """Whether `op` has no used result and can be erased. MLIR's `isOpTriviallyDead`.

    An allocation may go if nothing else happens to what it allocates.
    """
    for result in op.results:
        if result.first_use is not None:
            return False
    facts = _facts(op)
    if facts.needed:
        return False
    if facts.stated == () and not facts.recursive:
        return True
    found = effects(op)
    if found is None:
        return False
    own = set(op.results)
    allocated = {e.value for e in found if e.kind == "allocate" and e.value in own}
    return all(
        effect.kind in ("read", "allocate") or (effect.value in allocated) for effect in found
    )


def _is_terminator(op: Operation) -> bool:
    from xdsl.traits import IsTerminator

    return op.has_trait(IsTerminator, value_if_unregistered=True)


def _is_symbol(op: Operation) -> bool:
    from xdsl.traits import SymbolOpInterface

    return op.has_trait(SymbolOpInterface, value_if_unregistered=True)
