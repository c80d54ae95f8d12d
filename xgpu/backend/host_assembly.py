# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX on the host: the instructions that MLIR writes as inline assembly, by pattern."""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host_context import FunctionContext, UnsupportedOnHost
from xgpu.backend.host_text import Call

Emitter = Callable[[Call, FunctionContext, "re.Match[str]"], list[str]]


def _try_wait(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    """A loop around mbarrier.try_wait[.parity], or one try: bar, phase, [ticks]."""
    from xgpu.backend.host_intrinsics import wait

    (type, bar), (_, phase) = call.arguments[:2]
    lines: list[str] = []
    if type != "ptr":
        raise UnsupportedOnHost("mbarrier given as an integer")
    lines.append(wait(ctx, "mbarrier_wait", f"ptr {bar}", f"i32 {phase}"))
    if call.result:
        lines.append(f"{call.result} = add {call.type} 1, 0")
    return lines


def _nothing(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    return []


PATTERNS: list[tuple[re.Pattern[str], Emitter]] = [
    (re.compile(r"mbarrier\.try_wait\.parity"), _try_wait),
    (re.compile(r"^\s*(fence|membar|wgmma\.fence|griddepcontrol|prefetch|setmaxnreg)[\w.:]*"), _nothing),
]  # fmt: skip


def emit_assembly(call: Call, ctx: FunctionContext) -> list[str]:
    """Lines for a call of inline PTX; `UnsupportedOnHost` names what is not known."""
    assert call.assembly is not None
    template = call.assembly[0]
    for pattern, emitter in PATTERNS:
        match = pattern.search(template)
        if match:
            return emitter(call, ctx, match)
    first = template.strip().splitlines()[0][:80] if template.strip() else ""
    raise UnsupportedOnHost(f"inline assembly '{first}' is not supported on the host device")
