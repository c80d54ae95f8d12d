# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much workgroup memory a kernel has, and would have with so many stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType

from xgpu.analysis.memory import describe, is_workgroup
from xgpu.core.ir.errors import error
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular.chips import chip_of
from xgpu.kernels.circular.dynamic_memory import DynamicMemory, limit_of
from xgpu.kernels.circular.plan import BULK
from xgpu.kernels.circular.storage import check_tile, tile_bytes

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.analysis.memory import Root
    from xgpu.kernels.circular.plan import Plan

#: What a block may have in variables of workgroup memory (PTX ISA, .shared; ptxas refuses more).
STATIC_LIMIT = 48 * 1024
_BARRIER_BYTES = 8


def buffer_type(root: Root, loop: Operation) -> MemRefType:
    """The type of the memref that a buffer is."""
    if not isinstance(root, str):
        assert root is not None
        return cast("MemRefType", root.type)
    for op in loop.walk():
        for operand in op.operands:
            owner = operand.owner
            if getattr(owner, "name", "") == "memref.get_global" and (
                str(cast("Operation", owner).properties["name"]) == root
            ):
                return cast("MemRefType", operand.type)
    raise error(loop, f"expected {describe(root)} to be used in the loop")


def place_of_stages(plan: Plan) -> DynamicMemory | None:
    """Where the stages shall lie: None for where the buffers are, as variables. Raises where they
    do not fit, before anything is changed."""
    loop = plan.loop
    kernel = parent_of(loop, "gpu.launch", "gpu.func")
    more = _barrier_bytes(plan)
    moved = 0
    for root, (stages, bulk) in stages_of(plan).items():
        ty = buffer_type(root, loop)
        check_tile(loop, root, ty, bulk=bulk, stages=stages)
        more += (stages - 1) * tile_bytes(ty)
        moved += stages * tile_bytes(ty)
    if kernel is None:
        return None
    needed = workgroup_bytes(kernel) + more
    if needed <= STATIC_LIMIT:
        return None
    limit = limit_of(chip_of(kernel))
    memory = DynamicMemory(kernel, loop)
    used = needed + memory.begin
    if used > limit or needed - moved > STATIC_LIMIT:
        raise error(
            loop,
            f"needs {used} bytes of workgroup memory with these stages, and a block can have "
            f"{limit}",
            [(kernel.location, f"the kernel has {used - more} bytes without them")],
        )
    return memory


def _barrier_bytes(plan: Plan) -> int:
    kinds = 1 if plan.mode == "pipelined" else 2
    return sum(kinds * group.stages * _BARRIER_BYTES for group in plan.of_kind(BULK))


def stages_of(plan: Plan) -> dict[Root, tuple[int, bool]]:
    """For each buffer its stages, and whether bulk copies fill it."""
    return {
        root: (group.stages, group.means == BULK)
        for group in plan.groups
        for root in group.buffers()
    }


def workgroup_bytes(kernel: Operation) -> int:
    """The bytes of a kernel's attributions, globals and allocations of workgroup memory."""
    arguments: list[SSAValue] = list(kernel.regions[0].blocks[0].args)
    if kernel.name == "gpu.func":
        arguments = arguments[_parameters(kernel) :]
    found: dict[object, int] = {}
    for value in arguments:
        if is_workgroup(value.type):
            found[value] = _bytes(value)
    for op in kernel.walk():
        if op.name in ("memref.get_global", "memref.alloc", "memref.alloca") and is_workgroup(
            op.results[0].type
        ):
            key = str(op.properties["name"]) if op.name == "memref.get_global" else op
            found[key] = _bytes(op.results[0])
        elif op.name == "nvgpu.mbarrier.create":
            group = op.results[0].type
            found[op] = _BARRIER_BYTES * int(getattr(group, "num_barriers", 1))
    return sum(found.values())


def _parameters(function: Operation) -> int:
    ty = function.properties["function_type"]
    return len(getattr(ty, "inputs", ()))


def _bytes(value: SSAValue) -> int:
    ty = cast("MemRefType", value.type)
    return 0 if any(extent < 0 for extent in ty.get_shape()) else tile_bytes(ty)
