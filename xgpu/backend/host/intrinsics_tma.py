# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk copies and TMA on the host: `cp.async.bulk[.tensor].*`."""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.context import THREAD, FunctionContext, UnsupportedOnHost
from xgpu.backend.host.text import Call

Emitter = Callable[[Call, FunctionContext], list[str]]
PATTERNS: list[tuple[re.Pattern[str], Emitter]] = []


def _call(ctx: FunctionContext, name: str, *arguments: str) -> str:
    callee = ctx.module.declare("void", f"xgpu_{name}", *(a.rsplit(" ", 1)[0] for a in arguments))
    return f"call void {callee}({', '.join([f'ptr {THREAD}', *arguments[1:]])})"


def _coordinates(ctx: FunctionContext, values: list[str], lines: list[str]) -> str:
    """The corner of the box in memory."""
    array = ctx.fresh("corner")
    ctx.entry.append(f"{array} = alloca [5 x i32], align 4")
    for i, value in enumerate(values):
        at = ctx.fresh()
        lines.append(f"{at} = getelementptr inbounds i32, ptr {array}, i64 {i}")
        lines.append(f"store i32 {value}, ptr {at}")
    return array


def _dimensions(call: Call) -> int:
    assert call.callee is not None
    match = re.search(r"\.tile\.(\d)d", call.callee)
    if match is None:
        raise UnsupportedOnHost(f"'{call.callee[1:]}': only tile mode")
    return int(match[1])


def _tensor_load(call: Call, ctx: FunctionContext) -> list[str]:
    """g2s[.cta].tile.<n>d(dst, mbarrier, map, coordinates..., [multicast mask,] cache hint,
    flags...).
    """
    assert call.callee is not None
    rank = _dimensions(call)
    values = [value for _, value in call.arguments]
    target, bar, tensor = values[:3]
    lines: list[str] = []
    corner = _coordinates(ctx, values[3 : 3 + rank], lines)
    arguments = [f"ptr {THREAD}", f"ptr {target}", f"ptr {bar}", f"ptr {tensor}", f"ptr {corner}"]
    rest = call.arguments[3 + rank :]
    flags = [value for type, value in rest if type == "i1"]
    if ".g2s.cta." not in call.callee and flags and flags[0] in ("true", "1"):
        mask = ctx.fresh()
        lines.append(f"{mask} = zext i16 {rest[0][1]} to i32")
        lines.append(_call(ctx, "tma_multicast", *arguments, f"i32 {mask}"))
    else:
        lines.append(_call(ctx, "tma_load", *arguments))
    return lines


def _tensor_store(call: Call, ctx: FunctionContext) -> list[str]:
    """s2g.tile.<n>d(src, map, coordinates..., cache hint, flag)."""
    rank = _dimensions(call)
    values = [value for _, value in call.arguments]
    lines: list[str] = []
    corner = _coordinates(ctx, values[2 : 2 + rank], lines)
    lines.append(
        _call(ctx, "tma_store", f"ptr {THREAD}", f"ptr {values[0]}", f"ptr {values[1]}",
              f"ptr {corner}")
    )  # fmt: skip
    return lines


def _bulk_load(call: Call, ctx: FunctionContext) -> list[str]:
    """cp.async.bulk.global.to.shared.{cluster,cta}(dst, mbarrier, src, size, ...)."""
    target, bar, source, size = (value for _, value in call.arguments[:4])
    return [
        _call(ctx, "bulk_load", f"ptr {THREAD}", f"ptr {target}", f"ptr {bar}", f"ptr {source}",
              f"i32 {size}")
    ]  # fmt: skip


def _bulk_store(call: Call, ctx: FunctionContext) -> list[str]:
    """cp.async.bulk.shared.cta.to.global(dst, src, size, ...)."""
    target, source, size = (value for _, value in call.arguments[:3])
    return [
        _call(ctx, "bulk_store", f"ptr {THREAD}", f"ptr {target}", f"ptr {source}", f"i32 {size}")
    ]


PATTERNS.extend([
    (re.compile(r"cp\.async\.bulk\.(commit\.group|wait\.group.*)"), lambda call, ctx: []),
    (re.compile(r"cp\.async\.bulk\.(tensor\.)?prefetch\..*"), lambda call, ctx: []),
    (re.compile(r"cp\.async\.bulk\.tensor\.g2s\..*"), _tensor_load),
    (re.compile(r"cp\.async\.bulk\.tensor\.s2g\..*"), _tensor_store),
    (re.compile(r"cp\.async\.bulk\.global\.to\.shared\.(cluster|cta)"), _bulk_load),
    (re.compile(r"cp\.async\.bulk\.shared\.cta\.to\.global"), _bulk_store),
])  # fmt: skip
