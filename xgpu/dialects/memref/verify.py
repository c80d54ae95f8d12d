# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of memref operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    MemRefType,
    NoneAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import UnregisteredOperation
from xgpu.core.ods.count_checks import of_types
from xgpu.core.ods.predicates import is_float, is_signless
from xgpu.core.ods.registry import op_spec
from xgpu.dialects import memref
from xgpu.dialects.func.ops import lookup_symbol
from xgpu.dialects.interfaces import Verifier, back, cast_verifier, verify_edges, yields
from xgpu.dialects.memref_layout import has_identity_layout, strides_and_offset

if TYPE_CHECKING:
    from xgpu.dialects.memref import AllocaOp, AllocOp, AssumeAlignmentOp, AtomicRmwOp


# -- Result types that memref operations have from their operands.


def _infer_distinct_objects(
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    return [operand.type for operand in operands]


def _extract_strided_metadata(
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("MemRefType", operands[0].type)
    rank = len(source.shape)
    base = MemRefType(source.element_type, [], NoneAttr(), source.memory_space)
    return [base, *[IndexType()] * (1 + 2 * rank)]


INFER = {
    "memref.distinct_objects": _infer_distinct_objects,
    "memref.extract_strided_metadata": _extract_strided_metadata,
}


# -- allocation ---------------------------------------------------------------------------------


def _dynamic_count(kind: MemRefType) -> int:
    return sum(1 for size in kind.get_shape() if size == DYNAMIC_INDEX)


def _symbols(kind: MemRefType) -> int:
    """How many symbols a layout has: those of a map, or the `?` of strides and offset."""
    if isinstance(kind.layout, AffineMapAttr):
        return kind.layout.data.num_symbols
    found = strides_and_offset(kind) if kind.layout.name == "strided" else None
    return 0 if found is None else [*found[0], found[1]].count(None)


def _alloc(op: AllocOp | AllocaOp) -> None:
    kind = op.results[0].type
    sizes, symbols = op.operand_group(0), op.operand_group(1)
    if len(sizes) != _dynamic_count(kind):
        raise op_error(
            op,
            f"incorrect number of dynamic sizes, has {len(sizes)}, expected {_dynamic_count(kind)}",
        )
    if len(symbols) != _symbols(kind):
        raise op_error(
            op,
            "symbol operand count does not equal memref symbol count: expected "
            f"{_symbols(kind)}, got {len(symbols)}",
        )


def _alloca(op: AllocaOp) -> None:
    parent = op.parent_op()
    while parent is not None and not _is_allocation_scope(parent):
        parent = parent.parent_op()
    if parent is None:
        raise op_error(op, "requires an ancestor op with AutomaticAllocationScope trait")
    _alloc(op)


def _is_allocation_scope(op: Operation) -> bool:
    spec = op_spec(op.name)
    if spec is None:
        # An operation of another dialect's package may be one.
        return not isinstance(op, UnregisteredOperation)
    return "AutomaticAllocationScope" in spec.traits


def _realloc(op: memref.ReallocOp) -> None:
    source, target = op.source.type, op.results[0].type
    for words, kind in (("source", source), ("result", target)):
        if not has_identity_layout(kind):
            raise error(op, f"unsupported layout for {words} memref type '{shown(kind)}'")
    if source.memory_space != target.memory_space:
        raise error(
            op,
            f"different memory spaces specified for source memref type '{shown(source)}' and "
            f"result memref type '{shown(target)}'",
        )
    if source.element_type != target.element_type:
        raise error(
            op,
            f"different element types specified for source memref type '{shown(source)}' and "
            f"result memref type '{shown(target)}'",
        )
    dynamic = bool(_dynamic_count(target))
    if dynamic and len(op.operands) < 2:
        raise error(op, f"missing dimension operand for result type '{shown(target)}'")
    if not dynamic and len(op.operands) > 1:
        raise error(op, f"unnecessary dimension operand for result type '{shown(target)}'")


# -- globals ------------------------------------------------------------------------------------


def _global(op: Operation) -> None:
    kind = cast("MemRefType", op.properties["type"])
    if any(size == DYNAMIC_INDEX for size in kind.get_shape()):
        raise op_error(op, f"type should be static shaped memref, but got {shown(kind)}")
    value = cast("DenseIntOrFPElementsAttr | UnitAttr | None", op.properties.get("initial_value"))
    if value is None or isinstance(value, UnitAttr):
        return
    if not hasattr(value, "get_type"):
        raise op_error(
            op,
            f"initial value should be a unit or elements attribute, but got {shown(value)}",
        )
    given = cast("TensorType", value.get_type())
    if given.element_type != kind.element_type:
        raise op_error(
            op,
            f"initial value element expected to be of type '{shown(kind.element_type)}', but was "
            f"of type '{shown(given.element_type)}'",
        )
    if tuple(given.get_shape()) != tuple(kind.get_shape()):
        expected = ", ".join(map(str, kind.get_shape()))
        found = ", ".join(map(str, given.get_shape()))
        raise op_error(op, f"initial value shape expected to be {expected} but was {found}")


def _get_global(op: Operation) -> None:
    reference = cast("SymbolRefAttr", op.properties["name"])
    name = reference.root_reference.data
    found = lookup_symbol(op, reference)
    if found is None or found.name != "memref.global":
        raise op_error(op, f"'{name}' does not reference a valid global memref")
    wanted, given = found.properties["type"], op.results[0].type
    if wanted != given:
        raise op_error(
            op,
            f"result type '{shown(given)}' does not match type '{shown(wanted)}' of the global "
            f"memref @{name}",
        )


# -- access -------------------------------------------------------------------------------------


def _indices(at: int, what: str) -> Verifier:
    def verify(op: Operation) -> None:
        rank = len(cast("MemRefType", op.operands[at].type).shape)
        count = len(op.operands) - at - 1
        if count != rank:
            raise op_error(
                op, f"incorrect number of indices for {what}, expected {rank} but got {count}"
            )

    return of_types(verify)


def _prefetch(op: Operation) -> None:
    if len(op.operands) - 1 != len(cast("MemRefType", op.operands[0].type).shape):
        raise op_error(op, "too few indices")


_FLOAT_KINDS = frozenset(("addf", "maximumf", "minimumf", "mulf", "maxnumf", "minnumf"))
_INT_KINDS = frozenset(("addi", "maxs", "maxu", "mins", "minu", "muli", "ori", "xori", "andi"))


def _atomic_rmw(op: AtomicRmwOp) -> None:
    value, memref, *indices = op.operands
    if len(indices) != len(cast("MemRefType", memref.type).shape):
        raise op_error(op, "expects the number of subscripts to be equal to memref rank")
    from xgpu.dialects.memref.syntax import reduction_kinds

    number = op.kind.value.data
    kind = next(name for name, of in reduction_kinds().items() if of == number)
    if kind in _FLOAT_KINDS and not is_float(value.type):
        raise op_error(op, f"with kind '{kind}' expects a floating-point type")
    if kind in _INT_KINDS and not is_signless(value.type):
        raise op_error(op, f"with kind '{kind}' expects an integer type")


def _generic_atomic_rmw(op: Operation) -> None:
    block = op.regions[0].first_block
    if block is None or len(block.args) != 1:
        raise op_error(op, "expected single number of entry block arguments")
    if block.args[0].type != op.results[0].type:
        raise op_error(op, "expected block argument of the same type result type")
    from xgpu.core.ir.effects import effects

    for child in block.ops:
        found = effects(child)
        if found is None or found:
            raise error(
                child,
                "body of 'memref.generic_atomic_rmw' should contain only operations with no side "
                "effects",
            )


def _atomic_yield(op: memref.AtomicYieldOp) -> None:
    given, wanted = op.operands[0].type, cast("Operation", op.parent_op()).results[0].type
    if given != wanted:
        raise op_error(
            op,
            f"types mismatch between yield op: '{shown(given)}' and its parent: '{shown(wanted)}'",
        )


def _assume_alignment(op: AssumeAlignmentOp) -> None:
    alignment = op.alignment.value.data
    if alignment <= 0 or alignment & (alignment - 1):
        raise op_error(op, "alignment must be power of 2")


def _distinct_objects(op: Operation) -> None:
    if not op.operands:
        raise op_error(op, "expected at least one operand")
    if [v.type for v in op.operands] != [r.type for r in op.results]:
        raise op_error(op, "operand types and result types must match")


# -- casts --------------------------------------------------------------------------------------


def _may_become(source: int | None, target: int | None) -> bool:
    return source is None or target is None or source == target


def can_cast(source: Attribute, target: Attribute) -> bool:
    """Whether `memref.cast` takes `source` to `target`."""
    ranked = (source.name == "memref", target.name == "memref")
    if not any(ranked):
        return False
    source, target = cast("MemRefType", source), cast("MemRefType", target)
    if source.element_type != target.element_type:
        return False
    if source.memory_space != target.memory_space:
        return False
    if not all(ranked):
        return True
    if source.layout != target.layout:
        before, after = strides_and_offset(source), strides_and_offset(target)
        if before is None or after is None or len(before[0]) != len(after[0]):
            return False
        if not _may_become(before[1], after[1]):
            return False
        if not all(map(_may_become, before[0], after[0])):
            return False
    shapes = (source.get_shape(), target.get_shape())
    if len(shapes[0]) != len(shapes[1]):
        return False
    return all(DYNAMIC_INDEX in (a, b) or a == b for a, b in zip(*shapes, strict=True))


def _can_cast_space(source: Attribute, target: Attribute) -> bool:
    source, target = cast("MemRefType", source), cast("MemRefType", target)
    if source.name != target.name or source.element_type != target.element_type:
        return False
    if source.name == "unranked_memref":
        return True
    return source.get_shape() == target.get_shape() and source.layout == target.layout


# -- dma ----------------------------------------------------------------------------------------


def _dma_start(op: Operation) -> None:
    values = list(op.operands)
    if len(values) < 4:
        raise op_error(op, "expected at least 4 operands")
    at = 0
    for words, short in (("source", "source"), ("destination", "destination")):
        memref = values[at]
        if memref.type.name != "memref":
            raise op_error(op, f"expected {words} to be of memref type")
        rank = len(cast("MemRefType", memref.type).shape)
        least = rank + 4 if at == 0 else at + rank + 3
        if len(values) < least:
            raise op_error(op, f"expected at least {least} operands")
        if any(v.type.name != "index" for v in values[at + 1 : at + 1 + rank]):
            raise op_error(op, f"expected {short} indices to be of index type")
        at += rank + 1
    if values[at].type.name != "index":
        raise op_error(op, "expected num elements to be of index type")
    tag = values[at + 1]
    if tag.type.name != "memref":
        raise op_error(op, "expected tag to be of memref type")
    end = at + 2 + len(cast("MemRefType", tag.type).shape)
    if len(values) < end:
        raise op_error(op, f"expected at least {end} operands")
    if any(v.type.name != "index" for v in values[at + 2 : end]):
        raise op_error(op, "expected tag indices to be of index type")
    rest = values[end:]
    if len(rest) not in (0, 2):
        raise op_error(op, "incorrect number of operands")
    if any(v.type.name != "index" for v in rest):
        raise op_error(op, "expected stride and num elements per stride to be of type index")


def _dma_wait(op: Operation) -> None:
    indices = len(op.operands) - 2
    rank = len(cast("MemRefType", op.operands[0].type).shape)
    if indices != rank:
        raise op_error(
            op,
            "expected tagIndices to have the same number of elements as the tagMemRef rank, "
            f"expected {rank}, but got {indices}",
        )


# -- what most texts do not have: loaded when one does ------------------------------------------


def _alloca_scope_regions(op: Operation) -> None:
    ends = yields(op, 0, "memref.alloca_scope.return")
    verify_edges(op, [back(end, end.operands, op.results) for end in ends])


def _verify_view(op: Operation) -> None:
    from xgpu.dialects.memref.verify_views import VIEW_VERIFY

    VIEW_VERIFY[op.name](op)


VERIFY = {
    "memref.alloc": _alloc,
    "memref.alloca": _alloca,
    "memref.realloc": _realloc,
    "memref.global": _global,
    "memref.get_global": _get_global,
    "memref.load": _indices(0, "load"),
    "memref.store": _indices(1, "store"),
    "memref.prefetch": _prefetch,
    "memref.atomic_rmw": _atomic_rmw,
    "memref.generic_atomic_rmw": _generic_atomic_rmw,
    "memref.atomic_yield": _atomic_yield,
    "memref.assume_alignment": _assume_alignment,
    "memref.distinct_objects": _distinct_objects,
    "memref.cast": cast_verifier(can_cast),
    "memref.memory_space_cast": cast_verifier(_can_cast_space),
    "memref.dma_start": _dma_start,
    "memref.dma_wait": _dma_wait,
    "memref.reshape": _verify_view,
    "memref.expand_shape": _verify_view,
    "memref.collapse_shape": _verify_view,
    "memref.view": _verify_view,
    "memref.subview": _verify_view,
    "memref.transpose": _verify_view,
    "memref.reinterpret_cast": _verify_view,
}
VERIFY_REGIONS: dict[str, Verifier] = {"memref.alloca_scope": _alloca_scope_regions}
