# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.nvgpu.*: asynchronous copies, their pipelining, mma.sync and TMA."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i32
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import Diagnostic
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.gpu.ops import parent_of
from xgpu.transform_dialect.failures import SilenceableError, definite, silenceable
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import gpu, nvgpu
    from xgpu.transform_dialect.state import State


def create_async_groups(op: Operation, target: Operation, state: State) -> list[Operation]:
    from xgpu.transform_dialect import async_groups

    rw = TrackingRewriter(state, target)
    async_groups.create_async_groups(rw, target, bypass_l1=flag(op, "bypass_l1"))
    return [target]


# --- pipeline_shared_memory_copies -------------------------------------------------------------


def _loads_for_shared_memory(op: Operation) -> bool:
    """Whether `op` reads global memory for nothing but one write to a memref."""
    if op.name != "vector.transfer_read":
        return False
    ty = op.operands[0].type
    if not isinstance(ty, MemRefType) or not _in_default_space(ty):
        return False
    uses = list(op.results[0].uses)
    if len(uses) != 1:
        return False
    user = uses[0].operation
    return (
        user.name == "vector.transfer_write"
        and uses[0].index == 0
        and isinstance(user.operands[1].type, MemRefType)
    )


def _in_default_space(ty: MemRefType) -> bool:
    space = ty.memory_space
    return (not isinstance(space, IntegerAttr) and space.name == "none") or (
        isinstance(space, IntegerAttr) and space.value.data == 0
    )


def _first_stage(loop: Operation) -> set[Operation] | None:
    """The loads and what must come before them; None where the loop has inner regions."""
    found: set[Operation] = set()
    barriers: list[Operation] = []
    for op in loop.regions[0].block.ops:
        if op.regions:
            return None
        if op.name == "gpu.barrier":
            barriers.append(op)
        elif op.name in ("nvgpu.device_async_copy", "nvgpu.device_async_create_group"):
            found.add(op)
            found.update(barriers)
            barriers = []
        elif _loads_for_shared_memory(op):
            found.add(op)
    return found


def _schedule(loop: Operation, first: set[Operation], depth: int) -> list[tuple[Operation, int]]:
    body = loop.regions[0].block
    needed: set[Operation] = set()
    pending = list(first)
    while pending:
        op = pending.pop()
        if op in needed:
            continue
        needed.add(op)
        for operand in op.operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner.parent is body:
                pending.append(owner)
    ops = [op for op in body.ops if op.name != "scf.yield"]
    return [(op, depth) for op in ops if op not in needed] + [(op, 0) for op in ops if op in needed]


def _predicated(rw: Rewriter, op: Operation, condition: SSAValue) -> Operation | None:
    if is_memory_effect_free(op) or op.name in (
        "gpu.barrier",
        "nvgpu.device_async_create_group",
        "nvgpu.device_async_wait",
    ):
        return op
    if op.name != "nvgpu.device_async_copy":
        return None
    index = IndexType()
    copy = cast("nvgpu.DeviceAsyncCopyOp", op)
    location, rw.location = rw.location, op.location
    total = attribute_constant(rw, op.properties["dstElements"], index)
    wanted = copy.src_elements if copy.src_elements is not None else total
    zero = index_constant(rw, 0)
    elements = rw.value("arith.select", [condition, wanted, zero], index)
    new = rw.create(
        "nvgpu.device_async_copy",
        [copy.dst, list(copy.dst_indices), copy.src, list(copy.src_indices), elements],
        [op.results[0].type],
        {"dstElements": op.properties["dstElements"]},
    )
    rw.replace(op, new.results)
    rw.location = location
    return new


def pipeline_shared_memory_copies(
    op: Operation, target: Operation, state: State
) -> list[Operation]:
    from xgpu.transforms.scf.loop_pipelining import CannotPipelineError, Options, pipeline_loop

    depth = integer(op, "depth", 1)
    peel = flag(op, "peel_epilogue")
    first = _first_stage(target)
    if not first:
        text = (
            "cannot find stage 0 ops for pipelining" if first is None else "no shared memory copy"
        )
        raise SilenceableError(Diagnostic("error", text, target.location))

    def annotate(made: Operation, part: str, iteration: int) -> None:
        if made.name != "nvgpu.device_async_wait" or "numGroups" in made.properties:
            return
        groups = depth - 1 - (iteration if part == "epilogue" else 0)
        made.properties["numGroups"] = IntegerAttr(groups, i32)

    location = target.location
    rw = TrackingRewriter(state, target)
    options = Options(
        _schedule(target, first, depth),
        annotate=annotate,
        predicate=None if peel else _predicated,
        peel_epilogue=peel,
    )
    try:
        return [pipeline_loop(rw, target, options)]
    except CannotPipelineError as failure:
        if not failure.changed:
            raise SilenceableError(
                Diagnostic("error", "pipelining preconditions failed", location)
            ) from None
        notes = (
            []
            if peel
            else [
                (location, "couldn't predicate?"),
                (op.location, 'try setting "peel_epilogue"'),
            ]
        )
        raise definite(op, "irreversible pipelining failure", notes) from None


# --- mma.sync and TMA --------------------------------------------------------------------------


def rewrite_matmul_as_mma_sync(op: Operation, target: Operation, state: State) -> None:
    if target.name == "linalg.matmul":
        from xgpu.transform_dialect.mma_sync import rewrite_matmul

        if _has_own_maps(target):
            raise silenceable(op, "only matmul ops with non-extended semantics are supported")
        if rewrite_matmul(TrackingRewriter(state, target), target):
            return
    from xgpu.core.syntax.printer import print_op

    raise silenceable(
        op,
        f"unsupported target op: {print_op(target, generic=True, local_scope=True)}",
        [(target.location, "target op")],
    )


#: Results of the maps of a plain matmul, as dimensions: (m, n, k).
_MATMUL_MAPS = [(0, 2), (2, 1), (0, 1)]


def _has_own_maps(op: Operation) -> bool:
    maps = cast("ArrayAttr[AffineMapAttr] | None", op.properties.get("indexing_maps"))
    if maps is None:
        return False
    found = [tuple(getattr(e, "position", None) for e in attr.data.results) for attr in maps.data]
    return found != _MATMUL_MAPS


def rewrite_copy_as_tma(op: Operation, state: State) -> Results:
    from xgpu.transform_dialect.tma_copy import rewrite_copies

    copies = state.ops(op.operands[0])
    if not copies:
        return []
    common = parent_of(copies[0], "gpu.launch")
    for copy in copies:
        launch = parent_of(copy, "gpu.launch")
        if launch is None or launch is not common or copy.name != "linalg.copy":
            from xgpu.core.syntax.printer import print_op

            first, failing = (
                print_op(o, generic=True, local_scope=True) for o in (copies[0], copy)
            )
            raise silenceable(
                op,
                "target ops must be linalg::CopyOp nested under a common gpu.LaunchOp to be "
                "rewritten because the tma descriptors need to be created on the host.\n"
                f"But got: {first}\nand {failing}",
            )
    rw = TrackingRewriter(state, copies[0])
    rw.location = op.location
    rewrite_copies(rw, list(copies), cast("gpu.LaunchOp", common))
    return []


OPS = {
    "transform.nvgpu.create_async_groups": each(create_async_groups),
    "transform.nvgpu.pipeline_shared_memory_copies": each(pipeline_shared_memory_copies, "scf.for"),
    "transform.nvgpu.rewrite_copy_as_tma": rewrite_copy_as_tma,
    "transform.nvgpu.rewrite_matmul_as_mma_sync": each(rewrite_matmul_as_mma_sync),
}
