# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-launch-sink-index-computations: cheap computations move into the launch that uses them.

A constant, `memref.dim`, `arith.select` or `arith.cmpi` whose operands are available in the body
costs less there than as a kernel argument. Source: MLIR 22.1 KernelOutlining.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.dialects.gpu.ops import (
    clone_with_locations,
    defining_op,
    replace_uses_in_region,
    used_values_defined_above,
)

if TYPE_CHECKING:
    from xdsl.context import Context

_SUNK = frozenset({"memref.dim", "arith.select", "arith.cmpi"})


def is_likely_an_index_computation(op: Operation) -> bool:
    """Constants, undefined ones too, and the few operations above."""
    return op.name in _SUNK or "ConstantLike" in traits_of(op.name)


class GpuLaunchSinkIndexComputations(Pass):
    """Sinks index computations into gpu.launch bodies."""

    name = "gpu-launch-sink-index-computations"
    summary = "Sink index computations into gpu.launch body"

    def run(self, op: Operation, ctx: Context) -> None:
        for launch in list(op.walk()):
            if launch.name == "gpu.launch":
                _sink(launch)


def _sink(launch: Operation) -> None:
    body = launch.regions[0]
    candidates = used_values_defined_above(body)
    known = set(candidates)
    sunk: dict[Operation, None] = {}
    available: set[SSAValue] = set()
    for value in candidates:
        op = defining_op(value)
        if op is not None:
            _collect(op, known, sunk, available)
    entry = body.blocks.first
    assert entry is not None
    first = entry.first_op
    mapping: dict[SSAValue, SSAValue] = {}
    for op in sunk:
        copy = clone_with_locations(op, mapping)
        if first is None:
            entry.add_op(copy)
        else:
            entry.insert_op_before(copy, first)
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            mapping[old] = new
    if mapping:
        replace_uses_in_region(body, mapping)


def _collect(
    op: Operation, known: set[SSAValue], sunk: dict[Operation, None], available: set[SSAValue]
) -> bool:
    """Adds `op`, after what it needs, if sinking it needs no new kernel argument."""
    if op in sunk:
        return True
    if not is_likely_an_index_computation(op):
        return False
    for operand in op.operands:
        if operand in available:
            continue
        definition = defining_op(operand)
        can_sink = definition is not None and _collect(definition, known, sunk, available)
        if not can_sink and operand not in known:
            return False
    sunk[op] = None
    available.update(op.results)
    return True
