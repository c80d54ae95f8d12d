# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX on the host: the instructions that MLIR writes as inline assembly, by pattern."""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.context import THREAD, FunctionContext, UnsupportedOnHost
from xgpu.backend.host.text import Call

Emitter = Callable[[Call, FunctionContext, "re.Match[str]"], list[str]]


def _try_wait(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    """A loop around mbarrier.try_wait[.parity], or one try: bar, phase, [ticks]."""
    from xgpu.backend.host.calls import wait

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


_WGMMA = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+)\s*\{[^}]*\},\s*\$"
)


def _wgmma(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    """wgmma.mma_async with descriptors of A and B; registers of D in and out, then the
    descriptors, the
    scales and, for 16-bit types, which operand is transposed."""
    from xgpu.backend.host.intrinsics_matrix import TYPES, load_registers, matrix_buffer

    n, k, d, a, b = int(match[1]), int(match[2]), match[3], match[4], match[5]
    if d != "f32" or a != b or a not in ("f16", "bf16", "tf32"):
        raise UnsupportedOnHost(f"wgmma of {a} and {b} to {d} is not supported on the host device")
    count = n // 2
    rest = [value for _, value in call.arguments[count:]]
    if call.arguments[0][0] != "float" or len(rest) < 5:
        raise UnsupportedOnHost("wgmma with A in registers is not supported on the host device")
    rest += ["0"] * (7 - len(rest))
    buffer = matrix_buffer(ctx, 4 * count)
    lines: list[str] = []
    for i, (_, value) in enumerate(call.arguments[:count]):
        at = ctx.fresh()
        lines.append(f"{at} = getelementptr inbounds float, ptr {buffer}, i64 {i}")
        lines.append(f"store float {value}, ptr {at}")
    types = ["ptr", "ptr", "i64", "i64", *["i32"] * 8]
    callee = ctx.module.declare("void", "xgpu_wgmma", *types)
    values = [THREAD, buffer, rest[0], rest[1], str(n), str(k), str(TYPES[a][0]), *rest[2:7]]
    arguments = ", ".join(f"{t} {v}" for t, v in zip(types, values, strict=True))
    lines.append(f"call void {callee}({arguments})")
    load_registers(ctx, buffer, 0, call, lines)
    return lines


PATTERNS: list[tuple[re.Pattern[str], Emitter]] = [
    (re.compile(r"mbarrier\.try_wait\.parity"), _try_wait),
    (_WGMMA, _wgmma),
    (re.compile(r"^\s*(fence|membar|griddepcontrol|prefetch|setmaxnreg)[\w.:]*"), _nothing),
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
