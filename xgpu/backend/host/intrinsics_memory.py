# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVVM's intrinsics for address spaces, asynchronous copies and mbarriers on the host.

All memory is one address space. An asynchronous copy is done at once, which is one of the orders
that its definition allows; waiting for it is then nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.context import THREAD, FunctionContext
from xgpu.backend.host.text import Call

Emitter = Callable[[Call, FunctionContext], list[str]]
PATTERNS: list[tuple[re.Pattern[str], Emitter]] = []


def _call(ctx: FunctionContext, result: str | None, type: str, name: str, *args: str) -> str:
    callee = ctx.module.declare(type, f"xgpu_{name}", *(a.rsplit(" ", 1)[0] for a in args))
    return (f"{result} = " if result else "") + f"call {type} {callee}({', '.join(args)})"


# -- copies


def _cp_async(call: Call, ctx: FunctionContext) -> list[str]:
    """cp.async.{ca,cg}.shared.global.<n>[.s](dst, src[, src-size]): the rest of n bytes is zero."""
    assert call.callee is not None
    size = re.search(r"\.(\d+)(\.s)?$", call.callee)
    assert size is not None
    (_, target), (_, source) = call.arguments[:2]
    copy = ctx.module.declare("void", "llvm.memcpy.p0.p0.i64", "ptr", "ptr", "i64", "i1")
    if not size.group(2):
        return [f"call void {copy}(ptr {target}, ptr {source}, i64 {size.group(1)}, i1 false)"]
    fill = ctx.module.declare("void", "llvm.memset.p0.i64", "ptr", "i8", "i64", "i1")
    wide = ctx.fresh()
    return [
        f"{wide} = zext i32 {call.arguments[2][1]} to i64",
        f"call void {fill}(ptr {target}, i8 0, i64 {size.group(1)}, i1 false)",
        f"call void {copy}(ptr {target}, ptr {source}, i64 {wide}, i1 false)",
    ]


# -- address spaces


def _is_shared(call: Call, ctx: FunctionContext) -> list[str]:
    """isspacep.shared: inside the block's buffer."""
    if call.result is None:
        return []
    base = ctx.register("shared")
    at, start, inside, dynamic, size = (ctx.fresh() for _ in range(5))
    total = ctx.module.dynamic_offset
    lines = [
        f"{at} = ptrtoint ptr {call.arguments[0][1]} to i64",
        f"{start} = ptrtoint ptr {base} to i64",
        f"{inside} = sub i64 {at}, {start}",
        f"{dynamic} = zext i32 {ctx.register('dynamic.smem.size')} to i64",
        f"{size} = add i64 {dynamic}, {total}",
    ]
    return [*lines, f"{call.result} = icmp ult i64 {inside}, {size}"]


def _is_not_shared(call: Call, ctx: FunctionContext) -> list[str]:
    if call.result is None:
        return []
    inner = Call(ctx.fresh(), "i1", call.callee, call.arguments)
    return [*_is_shared(inner, ctx), f"{call.result} = xor i1 {inner.result}, true"]


def _same_pointer(call: Call, ctx: FunctionContext) -> list[str]:
    value = call.arguments[0][1]
    return [f"{call.result} = bitcast ptr {value} to ptr"] if call.result else []


def _load_uniform(call: Call, ctx: FunctionContext) -> list[str]:
    """ldu/ldg: an ordinary load."""
    if call.result is None:
        return []
    align = call.arguments[1][1] if len(call.arguments) > 1 else "1"
    return [f"{call.result} = load {call.type}, ptr {call.arguments[0][1]}, align {align}"]


def _mapa(call: Call, ctx: FunctionContext) -> list[str]:
    """mapa(ptr, rank): the same place in the shared memory of another block of the cluster."""
    (_, pointer), (_, rank) = call.arguments
    return [
        _call(ctx, call.result, "ptr", "mapa", f"ptr {THREAD}", f"ptr {pointer}", f"i32 {rank}")
    ]


# -- mbarriers


def _mbarrier_init(call: Call, ctx: FunctionContext) -> list[str]:
    """A warp's lanes get to their mbarrier.init before one goes on: programs where each thread
    initializes the same mbarrier (MLIR's own examples) rely on a warp running in step."""
    from xgpu.backend.host.calls import wait

    (_, bar), (_, count) = call.arguments
    return [
        _call(ctx, None, "void", "mbarrier_init", f"ptr {THREAD}", f"ptr {bar}", f"i32 {count}"),
        wait(ctx, "step"),
    ]


def _mbarrier_arrive(call: Call, ctx: FunctionContext) -> list[str]:
    """mbarrier.arrive[.drop][.noComplete][.expect.tx][...](bar[, count])."""
    assert call.callee is not None
    words = call.callee.split(".")
    bar = call.arguments[0][1]
    operand = call.arguments[1][1] if len(call.arguments) > 1 else "1"
    lines: list[str] = []
    count = operand
    if "expect" in words:
        lines.append(_expect(ctx, bar, operand))
        count = "1"
    function = "mbarrier_arrive_drop" if "drop" in words else "mbarrier_arrive"
    state = call.result if call.type == "i64" else None
    lines.append(
        _call(
            ctx, state or ctx.fresh(), "i64", function,
            f"ptr {THREAD}", f"ptr {bar}", f"i32 {count}",
        )
    )  # fmt: skip
    return lines


def _expect(ctx: FunctionContext, bar: str, size: str) -> str:
    return _call(
        ctx, None, "void", "mbarrier_expect_tx", f"ptr {THREAD}", f"ptr {bar}", f"i32 {size}"
    )


def _mbarrier_transaction(call: Call, ctx: FunctionContext) -> list[str]:
    (_, bar), (_, size) = call.arguments[:2]
    assert call.callee is not None
    if ".expect." in call.callee:
        return [_expect(ctx, bar, size)]
    return [
        _call(ctx, None, "void", "mbarrier_complete_tx",
              f"ptr {THREAD}", f"ptr {bar}", f"i32 {size}")
    ]  # fmt: skip


def _mbarrier_test(call: Call, ctx: FunctionContext) -> list[str]:
    """test.wait and try.wait, with a state or a parity. try.wait waits until the phase is over,
    which
    its definition allows; test.wait that would say no lets the other threads go first."""
    from xgpu.backend.host.calls import wait

    assert call.callee is not None
    bar, (type, state) = call.arguments[0][1], call.arguments[1]
    lines: list[str] = []
    parity = state
    if type == "i64":
        top, parity = ctx.fresh(), ctx.fresh()
        lines += [f"{top} = lshr i64 {state}, 63", f"{parity} = trunc i64 {top} to i32"]
    function = "mbarrier_wait" if ".try." in call.callee else "mbarrier_poll"
    lines.append(wait(ctx, function, f"ptr {bar}", f"i32 {parity}"))
    if call.result:
        lines.append(_call(ctx, call.result, "i1", "mbarrier_test", f"ptr {bar}", f"i32 {parity}"))
    return lines


PATTERNS.extend([
    (re.compile(r"cp\.async\.c[ag]\.shared\.global\.\d+(\.s)?"), _cp_async),
    (re.compile(r"cp\.async\.(commit\.group|wait\.(all|group))"), lambda call, ctx: []),
    (re.compile(r"cp\.async\.mbarrier\.arrive\.noinc(\.shared)?"), _mbarrier_arrive),
    (re.compile(r"isspacep\.shared(\.cluster)?"), _is_shared),
    (re.compile(r"isspacep\.global"), _is_not_shared),
    (re.compile(r"ptr\..*\.to\..*|internal\.addrspace\.wrap.*|cvta.*"), _same_pointer),
    (re.compile(r"ld[gu]\.global\..*"), _load_uniform),
    (re.compile(r"mapa(\.shared\.cluster)?"), _mapa),
    (re.compile(r"mbarrier\.init(\.shared)?"), _mbarrier_init),
    (re.compile(r"mbarrier\.inval(\.shared)?"), lambda call, ctx: []),
    (re.compile(r"mbarrier\.arrive(\..*)?"), _mbarrier_arrive),
    (re.compile(r"mbarrier\.(expect|complete)\.tx\..*"), _mbarrier_transaction),
    (re.compile(r"mbarrier\.(test|try)\.wait(\..*)?"), _mbarrier_test),
    (re.compile(r"mbarrier\.pending\.count"),
     lambda call, ctx: [_call(ctx, call.result, "i32", "mbarrier_pending",
                              f"i64 {call.arguments[0][1]}")]),
    (re.compile(r"cp\.async\.mbarrier\.arrive(\.shared)?"), lambda call, ctx: []),
])  # fmt: skip
