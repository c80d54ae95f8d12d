# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations do to memory, from their definitions.

Effects are of four kinds: "read", "write", "allocate", "free". An operation whose definition does
not state its effects may have any.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, Protocol, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    ShapedType,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolOpInterface

from xgpu.core.ir.constants import int_of, width_of
from xgpu.core.ir.integers import signed
from xgpu.core.ir.op_info import derived, may_be_terminator, op_info


class Effect(NamedTuple):
    """One effect: its kind, and the value it is tied to, or None for any memory."""

    kind: str
    value: SSAValue | None


#: Operations of xDSL's builtin dialect, which has no specification here.
_BUILTIN_PURE = frozenset({"builtin.unrealized_conversion_cast"})


class _Facts(NamedTuple):
    stated: tuple[tuple[str, tuple[str, int] | None], ...] | None
    recursive: bool
    speculatable: bool
    #: What the dialect has in `EFFECTS` for an operation whose definition states nothing.
    hook: Callable[[Operation], list[Effect] | None] | None = None
    #: Whether it is there for more than its results: a terminator, or (perhaps) a symbol.
    needed: bool = False
    #: Whether it always does more to memory than to read it and to make some.
    writes: bool = False
    #: Decides whether it is speculatable where that depends on operands or regions.
    speculation: Callable[[Operation], bool] | None = None


_FACTS: dict[str, _Facts] = derived()


def _facts(op: Operation) -> _Facts:
    facts = _FACTS.get(op.name)
    if facts is None:
        facts = _FACTS[op.name] = _read_facts(op)
    return facts


def _read_facts(op: Operation) -> _Facts:
    info = op_info(op.name)
    needed = may_be_terminator(op) or _is_symbol(op)
    if op.name in _BUILTIN_PURE:
        return _Facts((), False, True, None, needed)
    traits = info.traits
    # A hook knows better than ODS, which only says that there is an interface.
    hooked = info.effects is not None and (not info.is_known or "MemoryEffectOpInterface" in traits)
    stated = None if hooked else info.stated_effects
    return _Facts(
        stated,
        "RecursiveMemoryEffects" in traits,
        "Pure" in traits or "AlwaysSpeculatable" in traits,
        info.effects,
        needed,
        any(kind in ("write", "free") and _is_there(op, place) for kind, place in stated or ()),
        _speculation(op.name, traits),
    )


def _is_there(op: Operation, place: tuple[str, int] | None) -> bool:
    """Whether an effect at this place is one of each operation of its name, and not on what the
    operation itself makes."""
    if place is None:
        return True
    what, index = place
    # An operand of variable number may have no value that there is an effect on.
    return what == "operand" and index not in getattr(op, "variable_operands", (index,))


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


def only_reads(op: Operation) -> bool:
    """Whether the effects of `op` are known and none but "read"."""
    if _facts(op).writes:
        return False
    found = effects(op)
    return found is not None and all(effect.kind == "read" for effect in found)


def is_trivially_dead(op: Operation, *, ignore_uses: bool = False) -> bool:
    """Whether `op` has no used result and can be erased. MLIR's `isOpTriviallyDead`.

    With `ignore_uses`, whether it could if no result were used: `wouldOpBeTriviallyDead`.

    An allocation may go if nothing else happens to what it allocates.
    """
    if not ignore_uses:
        for result in op.results:
            if result.first_use is not None:
                return False
    facts = _FACTS.get(op.name)
    if facts is None:
        facts = _facts(op)
    if facts.needed or facts.writes:
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


def _is_symbol(op: Operation) -> bool:
    return op.has_trait(SymbolOpInterface, value_if_unregistered=True)


# -- Speculation: whether an operation may run where it did not.


def is_speculatable(op: Operation) -> bool:
    """Whether running `op` where it was not run cannot go wrong. MLIR's `isSpeculatable`."""
    facts = _facts(op)
    if facts.speculatable:
        return True
    if facts.speculation is not None:
        return facts.speculation(op)
    return op.next_op is None and op.name.endswith(".yield")


def _speculation(name: str, traits: Collection[str]) -> Callable[[Operation], bool] | None:
    rule = _CONDITIONAL.get(name)
    if rule is not None:
        return rule
    if "LinalgOp" in traits:
        return _on_tensors
    return _body if "RecursivelySpeculatable" in traits else None


def _nonzero_divisor(op: Operation) -> bool:
    divisor = int_of(op.operands[1])
    return divisor is not None and divisor != 0


def _safe_signed_divisor(op: Operation) -> bool:
    """Neither 0 nor -1, with which the smallest number overflows."""
    divisor = int_of(op.operands[1])
    return divisor is not None and signed(divisor, width_of(op.operands[1].type)) not in (0, -1)


def _known_dim(op: Operation) -> bool:
    """The dimension is known, and one of those that the shape has."""
    dim, kind = int_of(op.operands[1]), op.operands[0].type
    is_ranked = isinstance(kind, (MemRefType, TensorType))
    return is_ranked and dim is not None and 0 <= dim < len(kind.get_shape())


def _any_lane(op: Operation) -> bool:
    """Which lane is the first active one depends on where the operation stands."""
    return cast("StringAttr", op.properties["broadcast_type"]).data != "first_active_lane"


def _body(op: Operation) -> bool:
    return all(
        is_speculatable(inner)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def _no_memory(op: Operation) -> bool:
    """All operands are values, none is in memory."""
    kinds = [operand.type for operand in op.operands]
    return not any(isinstance(kind, (MemRefType, UnrankedMemRefType)) for kind in kinds)


def _on_tensors(op: Operation) -> bool:
    return _no_memory(op) and _body(op)


def _for(op: Operation) -> bool:
    """A loop ends for every start and end if its step is 1."""
    return int_of(op.operands[2]) == 1 and _body(op)


def _constant_steps(op: Any) -> bool:
    return all(int_of(step) not in (None, 0) for step in op.step) and _body(op)


class _Packing(Protocol):
    """`linalg.pack`, and but for the padding `linalg.unpack`."""

    padding_value: SSAValue | None
    inner_tiles: Sequence[SSAValue]
    static_inner_tiles: DenseArrayBase[IntegerType]


def _pack(op: Operation) -> bool:
    """Tiles that may not divide a dimension need a value to pad with."""
    padding = cast("_Packing", op).padding_value
    return padding is not None or _constant_tiles(op, op.results[0].type)


def _unpack(op: Operation) -> bool:
    return _constant_tiles(op, op.operands[0].type)


def _constant_tiles(op: Operation, packed: Attribute) -> bool:
    """All tiles have constant sizes, in the operation and in the type of the packed tensor."""
    packing = cast("_Packing", op)
    sizes = packing.static_inner_tiles.get_values()
    tiles = iter(packing.inner_tiles)
    if any(size == DYNAMIC_INDEX and int_of(next(tiles)) is None for size in sizes):
        return False
    return DYNAMIC_INDEX not in cast("ShapedType", packed).get_shape()[-len(sizes) :]


#: MLIR's ConditionallySpeculatable, by operation; those of linalg have one rule by their trait.
_CONDITIONAL: dict[str, Callable[[Operation], bool]] = {
    "affine.for": _body,
    "affine.if": _body,
    "affine.parallel": _body,
    "arith.ceildivsi": _safe_signed_divisor,
    "arith.ceildivui": _nonzero_divisor,
    "arith.divsi": _safe_signed_divisor,
    "arith.divui": _nonzero_divisor,
    "arith.floordivsi": _safe_signed_divisor,
    "gpu.subgroup_broadcast": _any_lane,
    "index.ceildivs": _safe_signed_divisor,
    "index.ceildivu": _nonzero_divisor,
    "index.divs": _safe_signed_divisor,
    "index.divu": _nonzero_divisor,
    "linalg.pack": _pack,
    "linalg.unpack": _unpack,
    "llvm.sdiv": _safe_signed_divisor,
    "llvm.udiv": _nonzero_divisor,
    "memref.dim": _known_dim,
    "scf.for": _for,
    "scf.parallel": _constant_steps,
    "tensor.dim": _known_dim,
    "vector.transfer_read": _no_memory,
    "vector.transfer_write": _no_memory,
}
