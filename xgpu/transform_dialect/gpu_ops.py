# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.gpu.map_forall_to_blocks and map_nested_forall_to_threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.dialects.affine.index_math import product
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.ops import clone_with_locations
from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.forall import mapping, trip_counts
from xgpu.transform_dialect.gpu_ids import WARPS_IN_GROUP, IdBuilder
from xgpu.transform_dialect.gpu_mapping import check, is_linear, rewrite, split_mapping
from xgpu.transform_dialect.interpreter import each, flag, integer
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute

    from xgpu.dialects import gpu
    from xgpu.transform_dialect.state import State

_MAX_THREADS = 1024
_MAX_BLOCK = (1024, 1024, 64)
_MAX_BLOCKS = (1 << 31) - 1
_MAX_GRID = (_MAX_BLOCKS, 65535, 65535)
_GRID, _BLOCK = 0, 3


def check_limits(op: Operation, grid: Sequence[int], block: Sequence[int]) -> None:
    """Silenceable failure if no GPU launches that."""
    if (
        product(block) > _MAX_THREADS
        or product(grid) > _MAX_BLOCKS
        or any(size > most for size, most in zip(block, _MAX_BLOCK, strict=True))
        or any(size > most for size, most in zip(grid, _MAX_GRID, strict=True))
    ):
        raise silenceable(
            op,
            f"Trying to launch a GPU kernel with grid_dims = ({', '.join(map(str, grid))}) "
            f"block_dims = ({', '.join(map(str, block))}). It is larger than the limits.",
        )


def _create_launch(target: Operation, before: Operation, state: State) -> Operation:
    """A launch of one thread, with nothing in it."""
    rw = TrackingRewriter(state, before)
    rw.location = target.location
    one = index_constant(rw, 1)
    body = Block(arg_types=[IndexType()] * 12)
    launch = rw.create(
        "gpu.launch",
        [[], *[one] * 6, None, None, None, None],
        (),
        regions=[Region(body)],
    )
    rw.at_end(body)
    rw.create("gpu.terminator")
    return launch


def _set_sizes(op: Operation, start: int, sizes: Sequence[int], state: State) -> None:
    """Sets the grid's or the block's sizes to constants after what defines the block's width."""
    launch = cast("gpu.LaunchOp", op)
    first = len(launch.async_dependencies)
    width: SSAValue = launch.operands[first + _BLOCK]
    owner = width.owner
    rw = TrackingRewriter(state)
    if isinstance(owner, Operation):
        rw.after(owner)
        rw.location = owner.location
    else:
        rw.at_start(owner)
        rw.location = launch.location
    for index, size in enumerate(sizes):
        launch.operands[first + start + index] = index_constant(rw, size)


def _top_level_forall(op: Operation, target: Operation) -> Operation:
    found: list[Operation] = []
    for inner in target.walk():
        if inner.name == "scf.forall" and not _inside_forall(inner):
            found.append(inner)
    if len(found) != 1:
        raise silenceable(
            op,
            "could not find a unique topLevel scf.forall",
            [(target.location, "when applied to this payload op")],
        )
    return found[0]


def _inside_forall(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if parent.name == "scf.forall":
            return True
        parent = parent.parent_op()
    return False


def _replace_unit_ids(
    root: Operation | Block, name: str, sizes: Sequence[int], zero: SSAValue
) -> None:
    """Ids in a dimension of size one are zero."""
    ops = root.walk()
    for inner in ops:
        if inner.name != name:
            continue
        dimension = cast("gpu.DimAttr", inner.properties["dimension"])
        index = "xyz".index(dimension.data)
        if index < len(sizes) and sizes[index] == 1:
            inner.results[0].replace_all_uses_with(zero)


def map_forall_to_blocks(op: Operation, target: Operation, state: State) -> list[Operation]:
    generate = flag(op, "generate_gpu_launch")
    if not generate and target.name != "gpu.launch":
        raise silenceable(
            op,
            "Given target is not gpu.launch, set `generate_gpu_launch` attribute",
            [(target.location, "when applied to this payload op")],
        )
    forall = _top_level_forall(op, target)
    properties = cast("dict[str, DenseArrayBase[IntegerType]]", op.properties)
    grid = list(properties["grid_dims"].get_values()) if "grid_dims" in properties else []
    if not generate and len(grid) != 3:
        raise definite(op, "transform require size-3 mapping")
    launch = target
    if generate:
        launch = _create_launch(target, forall, state)
        clone = clone_with_locations(forall)
        body: Block = launch.regions[0].block
        first = body.first_op
        assert first is not None
        body.insert_op_before(clone, first)
        TrackingRewriter(state, forall).erase(forall)
        forall = clone
    all_attrs = mapping(forall) or []
    linear = bool(all_attrs) and all_attrs[0].name == "gpu.block" and is_linear(all_attrs[0])
    attrs, mask = check(op, forall, blocks=True)
    builder = IdBuilder("gpu.block", linear=linear, warp_size=1, mask=mask)
    parent = cast("Block", forall.parent)
    rw = TrackingRewriter(state, parent.first_op)
    rw.location = forall.location
    zero = index_constant(rw, 0)
    sizes = rewrite(op, forall, attrs, builder, grid, rw)
    if not grid:
        grid = [*sizes, *[1] * (3 - len(sizes))]
    _replace_unit_ids(parent, "gpu.block_dim", sizes, zero)
    check_limits(op, grid, (1, 1, 1))
    _set_sizes(launch, _GRID, grid, state)
    return [launch]


def _thread_builder(
    op: Operation,
    forall: Operation,
    attrs: Sequence[Attribute],
    mask: int | None,
    warp_size: int,
    block: Sequence[int],
) -> IdBuilder:
    kind: str = attrs[0].name
    linear = is_linear(attrs[0])
    counts = trip_counts(forall)
    assert counts is not None
    factor = {"gpu.warpgroup": WARPS_IN_GROUP * warp_size, "gpu.warp": warp_size}.get(kind, 1)
    if not linear and block[0] % factor:
        raise definite(op, f"3-D mapping: size of threadIdx.x must be a multiple of {factor}")
    if product(counts) * factor > product(block):
        raise definite(
            op,
            "the number of required parallel resources (blocks or threads) "
            f"{product(counts) * factor} overflows the number of available resources "
            f"{product(block)}",
        )
    return IdBuilder(kind, linear=linear, warp_size=warp_size, mask=mask)


def _foralls(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                found.extend(_foralls(inner))
                if inner.name == "scf.forall":
                    found.append(inner)
    return found


def map_nested_forall_to_threads(op: Operation, target: Operation, state: State) -> list[Operation]:
    if target.name != "gpu.launch":
        raise silenceable(op, "Given target is not a gpu.launch")
    properties = op.properties
    block = list(cast("DenseArrayBase[IntegerType]", properties["block_dims"]).get_values())
    padded = [*block, 1, 1, 1][:3]
    try:
        check_limits(op, (1, 1, 1), padded)
    except Exception as failure:
        note = getattr(failure, "note", None)
        if note is not None:
            note(op, '"block_dims" is too large')
        raise
    if len(block) == 3:
        _set_sizes(target, _BLOCK, block, state)
    else:
        raise definite(op, "requires size-3 thread mapping")
    warp_size = integer(op, "warp_size", 32)
    sync = "sync_after_distribute" not in op.properties or flag(op, "sync_after_distribute")
    body: Block = target.regions[0].block
    rw = TrackingRewriter(state, body.first_op)
    rw.location = target.location
    zero = index_constant(rw, 0)
    for forall in _foralls(target):
        attrs, mask = check(op, forall, blocks=False)
        builder = _thread_builder(op, forall, attrs, mask, warp_size, block)
        rewrite(op, forall, attrs, builder, block, rw)
        if sync:
            rw.create("gpu.barrier")
    _replace_unit_ids(target, "gpu.thread_id", block, zero)
    return [target]


OPS = {
    "transform.gpu.map_forall_to_blocks": each(map_forall_to_blocks),
    "transform.gpu.map_nested_forall_to_threads": each(map_nested_forall_to_threads),
}

__all__ = ["OPS", "check_limits", "split_mapping"]
