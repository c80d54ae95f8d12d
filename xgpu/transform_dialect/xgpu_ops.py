# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.xgpu.*: passes of ours on what a handle has."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import Operation

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.transform_dialect.failures import SilenceableError, definite
from xgpu.transform_dialect.interpreter import each, integer
from xgpu.transform_dialect.state import State
from xgpu.transform_dialect.tracking import TrackingRewriter


def circular_buffer(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The pass on one scf.for; gives its main loop. What the pass refuses is a silenceable failure
    if nothing has been changed."""
    from xgpu.kernels.circular.circular_buffer import (
        buffer_registers,
        build,
        copies_to_registers,
        plan_of,
    )
    from xgpu.kernels.circular.plan import Options

    default = Options()
    mode, registers = op.properties.get("mode"), op.properties.get("registers")
    given = Options(
        integer(op, "stages", default.stages),
        integer(op, "prefetch", default.prefetch),
        mode.data if isinstance(mode, StringAttr) else default.mode,
        integer(op, "producer_warps", default.producer_warps),
        _numbers(registers) if isinstance(registers, ArrayAttr) else default.registers,
    )
    if copies_to_registers(target):
        return [buffer_registers(TrackingRewriter(state, target), target, given)]
    try:
        plan = plan_of(target, given)
    except DiagnosticError as refused:
        first = Diagnostic("error", "cannot buffer this loop", op.location)
        first.notes = [
            Diagnostic("note", d.message, d.location, d.notes) for d in refused.diagnostics
        ]
        raise SilenceableError(first) from None
    try:
        return [build(TrackingRewriter(state, target), plan)]
    except DiagnosticError as refused:
        notes = [(d.location, d.message) for d in refused.diagnostics]
        raise definite(op, "cannot buffer this loop", notes) from None


def _numbers(registers: ArrayAttr) -> tuple[int, ...]:
    return tuple(item.value.data for item in registers.data if isinstance(item, IntegerAttr))


OPS = {"transform.xgpu.circular_buffer": each(circular_buffer, "scf.for")}
