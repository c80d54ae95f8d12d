# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`eliminate-empty-tensors` and `empty-tensor-to-alloc-tensor`: what becomes of tensor.empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, TensorType, UnitAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.effects import effects
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, apply_patterns
from xgpu.transforms.bufferization.one_shot.analysis import Analysis, Insertion, insertion_of
from xgpu.transforms.bufferization.one_shot.options import Options
from xgpu.transforms.bufferization.one_shot.values import (
    Operand,
    Order,
    Source,
    ancestor_in,
    walk_postorder,
)
from xgpu.transforms.bufferization.one_shot_bufferize import analyze_module, in_order
from xgpu.transforms.memref.result_sizes import segments

if TYPE_CHECKING:
    from xdsl.context import Context


# --- eliminate empty tensors ---------------------------------------------------------------------
# `eliminate-empty-tensors`: what is made apart and inserted is made where it is inserted.
#
#     %e = tensor.empty(%n) : tensor<?xf32>
#     %0 = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
#     %1 = tensor.insert_slice %0 into %t[%i] [%n] [1] : ...
#     =>
#     %s = tensor.extract_slice %t[%i] [%n] [1] : ...
#     %0 = linalg.fill ins(%c : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
#     %1 = tensor.insert_slice %0 into %t[%i] [%n] [1] : ...
#
# Source: MLIR 22.1 EmptyTensorElimination.cpp.


class EmptyTensorEliminationPass(Pass):
    """Empty tensors that are inserted somewhere become what they are inserted into."""

    name = "eliminate-empty-tensors"
    summary = "Try to eliminate all tensor.empty ops."

    def run(self, op: Operation, ctx: Context) -> None:
        eliminate_in(op)


def eliminate_in(root: Operation) -> None:
    """Analyzes `root` and replaces its empty tensors.

    Raises DiagnosticError for what cannot be bufferized.
    """
    options = Options(allow_return_allocs_from_loops=True)
    if root.name == "builtin.module":
        options.bufferize_function_boundaries = True
        state = analyze_module(root, *in_order(root), options)
    else:
        state = Analysis(root, options)
        state.analyze(root)
    eliminate(root, state)


def eliminate(root: Operation, state: Analysis) -> None:
    """Replaces the empty tensors in `root`, by the decisions in `state`."""
    for op in list(walk_postorder(root)):
        insertion = insertion_of(op)
        if insertion is None or not state.is_in_place(insertion.source):
            continue
        for empty, use in _empty_tensors(insertion, state):
            _replace(insertion, empty, use)
            state.forget()


def _empty_tensors(insertion: Insertion, state: Analysis) -> list[tuple[Operation, Operand]]:
    """The empty tensors that the inserted tensor is, each with its use on the way there."""
    found: list[tuple[Operation, Operand]] = []
    seen: set[SSAValue] = set()
    pending = [insertion.source]
    while pending:
        use = pending.pop()
        value = use.value
        owner = value.owner
        if isinstance(owner, Operation) and owner.name == "tensor.empty":
            found.append((owner, use))
            continue
        if value in seen:
            continue
        seen.add(value)
        for source in state.sources(value):
            if _keeps_type(source, value):
                pending.append(source.operand)
    return found


def _keeps_type(source: Source, value: SSAValue) -> bool:
    is_cast = isinstance(value.owner, Operation) and value.owner.name == "tensor.cast"
    return source.equivalent and (is_cast or source.operand.value.type == value.type)


def _replace(insertion: Insertion, empty: Operation, use: Operand) -> None:
    needed = [v for i, v in enumerate(insertion.op.operands) if i != insertion.source.at]
    place = _place(empty, use.op, needed)
    if place is None and _move(needed, use.op):
        place = use.op
    if place is None:
        return
    rw = Rewriter(place, location=empty.location)
    part = _extract(insertion, rw)
    kind = empty.results[0].type
    if part is None:
        return
    if part.type != kind:
        if not _can_cast(part, empty.results[0]):
            return
        part = rw.value("tensor.cast", (part,), kind)
    use.op.operands[use.at] = part


def _move(needed: list[SSAValue], user: Operation) -> bool:
    """Moves what defines `needed` before `user`, if that stands in one block and has no effects."""
    order, block = Order(), user.parent
    moved: dict[Operation, None] = {}

    def collect(value: SSAValue) -> bool:
        owner = value.owner
        if _is_known(value, user, order):
            return True
        if isinstance(owner, Block) or owner.parent is not block or owner is user:
            return False
        if owner in moved:
            return True
        if owner.regions or effects(owner) != [] or not all(map(collect, owner.operands)):
            return False
        moved[owner] = None
        return True

    if block is None or not all(map(collect, needed)):
        return False
    for op in moved:
        op.detach()
        block.insert_op_before(op, user)
    return True


def _can_cast(part: SSAValue, like: SSAValue) -> bool:
    a, b = part.type, like.type
    if not isinstance(a, TensorType) or not isinstance(b, TensorType):
        return False
    return a.element_type == b.element_type and len(a.get_shape()) == len(b.get_shape())


def _place(empty: Operation, user: Operation, needed: list[SSAValue]) -> Operation | None:
    """An operation before which all that is `needed` is known, not after `user`."""
    order = Order()
    candidates: list[Operation | None] = [empty]
    for value in needed:
        owner = value.owner
        candidates.append(owner.first_op if isinstance(owner, Block) else owner.next_op)
    for place in candidates:
        if place is None or not all(_is_known(value, place, order) for value in needed):
            continue
        if place is user or order.properly_dominates(place, user):
            return place
    return None


def _is_known(value: SSAValue, place: Operation, order: Order) -> bool:
    owner = value.owner
    if isinstance(owner, Block):
        return ancestor_in(owner, place) is not None
    return order.properly_dominates(owner, place) and not owner.is_ancestor(place)


def _extract(insertion: Insertion, rw: Rewriter) -> SSAValue | None:
    """The part of the destination that the insertion fills; None if it can be had only once."""
    op, target = insertion.op, insertion.destination.value
    if isinstance(target.type, TensorType) and not op.name.startswith("tensor."):
        return target
    if isinstance(target.type, TensorType):
        operands = [value for i, value in enumerate(op.operands) if i != insertion.source.at]
        properties = {k: v for k, v in op.properties.items() if k.startswith("static_")}
        counts = _groups(op)
        groups: list[list[SSAValue]] = [[operands[0]]]
        at = 1
        for count in counts:
            groups.append(operands[at : at + count])
            at += count
        kind = insertion.source.value.type
        return rw.value("tensor.extract_slice", groups, kind, properties)
    if not isinstance(target.type, MemRefType) or op.properties.pop("restrict", None) is None:
        return None
    kind = TensorType(target.type.element_type, target.type.shape)
    properties = {"restrict": UnitAttr(), "writable": UnitAttr()}
    return rw.value("bufferization.to_tensor", (target,), kind, properties)


def _groups(op: Operation) -> list[int]:
    return segments(op)[2:]


# --- empty tensor to alloc tensor ----------------------------------------------------------------
# `empty-tensor-to-alloc-tensor`: each tensor.empty becomes a bufferization.alloc_tensor, which
# bufferization then gives memory of its own.


def _allocate(op: Operation, rw: GreedyRewriter) -> bool:
    operands = [list(op.operands), (), ()]
    rw.replace_with(op, "bufferization.alloc_tensor", operands, [op.results[0].type])
    return True


class EmptyTensorToAllocTensorPass(Pass):
    """tensor.empty becomes bufferization.alloc_tensor."""

    name = "empty-tensor-to-alloc-tensor"
    summary = "Replace all empty ops by alloc_tensor ops."

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, {"tensor.empty": (_allocate,)})
