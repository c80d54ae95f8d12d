# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-map-parallel-loops`: which processor runs each scf.parallel, as attribute `mapping`; and
loops whose iterations the threads of a block share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Operation, Region

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import scf


# --- gpu map parallel loops ----------------------------------------------------------------------
# gpu-map-parallel-loops: says, as attribute `mapping`, which processor runs each scf.parallel
# dimension.
#
# The outermost loops go to blocks, the loops inside them to threads, and all others, as all
# dimensions past the third, are sequential. Source: MLIR 22.1 ParallelLoopMapper.cpp.


MAPPING = "mapping"
PROCESSORS = ("block_x", "block_y", "block_z", "thread_x", "thread_y", "thread_z", "sequential")
_LEVELS = (PROCESSORS[:3], PROCESSORS[3:6])
_POLICIES = {"outermost-first": False, "innermost-first": True}


class GpuMapParallelLoopsPass(Pass):
    """Maps scf.parallel loops to GPU processors."""

    name = "gpu-map-parallel-loops"
    summary = "Greedily maps loops to GPU hardware dimensions"
    anchor = "func.func"
    options = (
        Option(
            "mapping-policy",
            str,
            "outermost-first",
            "Policy outlining how to assign loops to GPU dimensions: outermost-first, "
            "innermost-first",
        ),
    )

    mapping_policy: str

    def run(self, op: Operation, ctx: Context) -> None:
        innermost_first = _POLICIES.get(self.mapping_policy)
        if innermost_first is None:
            raise error(op, "Invalid mapping policy specified.")
        for region in op.regions:
            _map_inside(region, 0, innermost_first)


def _map_inside(region: Region, level: int, innermost_first: bool) -> None:
    for block in region.blocks:
        for op in block.ops:
            inner = level
            if op.name == "scf.parallel":
                # A loop that has a mapping keeps it, and so do those inside it.
                if MAPPING in op.attributes:
                    continue
                op.attributes[MAPPING] = _mapping(
                    cast("scf.ParallelOp", op), level, innermost_first
                )
                inner = level + 1
            for nested in op.regions:
                _map_inside(nested, inner, innermost_first)


def _mapping(loop: scf.ParallelOp, level: int, innermost_first: bool) -> Attribute:
    count = len(loop.operand_group(0))
    entries: list[Attribute] = []
    for i in range(count):
        mapped = level < len(_LEVELS) and i < 3
        place = min(count, 3) - 1 - i if innermost_first else i
        entries.append(_dimension(_LEVELS[level][place] if mapped else "sequential"))
    return ArrayAttr(entries)


def _dimension(processor: str) -> Attribute:
    from xgpu.core.syntax import parse_attribute

    return parse_attribute(
        f"#gpu.loop_dim_map<processor = {processor}, map = (d0) -> (d0), bound = (d0) -> (d0)>"
    )


# --- shared loops --------------------------------------------------------------------------------
# Loops whose iterations the threads of a block share: `scf.forall` mapped to linear thread ids.


def thread_mapping(rank: int) -> list[Attribute]:
    """Loops whose iterations threads share, the last one by neighbours."""
    return [ods.enum("gpu.thread", f"linear_dim_{i}") for i in reversed(range(rank))]


def is_shared_by_threads(op: Operation) -> bool:
    """Whether `op` is a loop that the threads of a block share, in that order."""
    mapping = op.properties.get("mapping") if op.name == "scf.forall" else None
    return isinstance(mapping, ArrayAttr) and list(mapping.data) == thread_mapping(len(mapping))
