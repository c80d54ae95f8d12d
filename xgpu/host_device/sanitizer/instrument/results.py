# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers that products of matrices (wgmma) write, and who reads them.

A product is asynchronous: its results are there when its group has been waited for (PTX ISA,
wgmma.mma_async). Only another product may take them before, as its accumulators. Each product keeps
the number of its group; who uses its results first in a block says so before (`wgmma_read`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32
from xdsl.ir import Block

from xgpu.core.ir.region_flow import successor_ranges
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.host_device.sanitizer.instrument.calls import Instrumentation

#: What gives registers another name or type.
_TRANSPARENT = ("llvm.extractvalue", "llvm.insertvalue", "llvm.bitcast")


def watch_results(made: Instrumentation, function: Operation) -> None:
    """Put calls around the results of a function's products."""
    entry = function.regions[0].blocks[0]
    for product in made.products:
        uses = _first_uses(product)
        if not uses:
            continue
        at = LLVMBuilder(entry.first_op)
        at.location = product.location
        slot = llvm.alloca(at, at.integer(1, i32), i32, alignment=4)
        at.create("llvm.store", (at.integer(0, i32), slot), ())
        made.before(product)
        made.location = product.location
        group = made.call("wgmma_group", [], i32)
        made.create("llvm.store", (group, slot), ())
        for use in uses:
            made.before(use)
            made.location = use.location
            number = made.value("llvm.load", (slot,), i32)
            made.call("wgmma_read", [number, made.info(product), made.info(use)])
    made.products.clear()


def _first_uses(product: Operation) -> list[Operation]:
    """The operations that use results of a product, other products aside: the first of each
    block."""
    found: dict[Block, Operation] = {}
    pending: list[SSAValue] = list(product.results)
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op = use.operation
            if op.name in _TRANSPARENT:
                pending += op.results
            elif op.successors:
                pending += _handed_on(op, use.index)
            elif not _is_product(op):
                _keep_first(found, op)
    return list(found.values())


def _handed_on(branch: Operation, index: int) -> list[SSAValue]:
    """The arguments of blocks that get an operand of a branch."""
    found: list[SSAValue] = []
    for successor, (start, end) in zip(
        branch.successors, successor_ranges(branch) or (), strict=False
    ):
        if start <= index < end:
            found.append(successor.args[index - start])
    return found


def _is_product(op: Operation) -> bool:
    return (intrinsic_name(op) or "").startswith("ptx.wgmma.mma_async")


def _keep_first(found: dict[Block, Operation], op: Operation) -> None:
    block = op.parent
    if block is None:
        return
    other = found.get(block)
    if other is None or op.is_before_in_block(other):
        found[block] = op
