# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVVM's intrinsics on the host: LLVM's name -> lines of LLVM IR.

An emitter takes the call and the function's context and returns lines. What makes a thread wait
is a call of `@xgpu.wait.<function>`, which `host_coroutine` turns into a suspension point: the
native function of that name says whether the thread may go on at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.calls import copy_of, native, wait
from xgpu.backend.host.context import THREAD, FunctionContext, field_load
from xgpu.backend.host.structs import WARP_OPERATIONS
from xgpu.backend.host.text import Call

Emitter = Callable[[Call, FunctionContext], list[str]]

PATTERNS: list[tuple[re.Pattern[str], Emitter]] = []


def find(name: str) -> Emitter | None:
    """The emitter for an intrinsic, by its name without `llvm.nvvm.`."""
    from xgpu.backend.host import (
        intrinsics_math as host_intrinsics_math,
    )
    from xgpu.backend.host import (
        intrinsics_matrix as host_intrinsics_matrix,
    )
    from xgpu.backend.host import (
        intrinsics_memory as host_intrinsics_memory,
    )
    from xgpu.backend.host import (
        intrinsics_small_floats as host_intrinsics_small_floats,
    )
    from xgpu.backend.host import (
        intrinsics_tma as host_intrinsics_tma,
    )

    tables = (
        host_intrinsics_math, host_intrinsics_memory, host_intrinsics_matrix, host_intrinsics_tma,
        host_intrinsics_small_floats,
    )  # fmt: skip
    for patterns in (PATTERNS, *(table.PATTERNS for table in tables)):
        for pattern, candidate in patterns:
            if pattern.fullmatch(name):
                return candidate
    return None


# -- special registers

_REGISTER = "read.ptx.sreg."
_FIXED_REGISTERS = {"warpsize": "32", "smid": "0", "nsmid": "1", "gridid": "0"}
_LANE_MASKS = {
    "lanemask.eq": ("shl i32 1, {lane}",),
    "lanemask.lt": ("shl i32 1, {lane}", "sub i32 {0}, 1"),
    "lanemask.le": ("shl i32 2, {lane}", "sub i32 {0}, 1"),
    "lanemask.gt": ("shl i32 2, {lane}", "sub i32 {0}, 1", "xor i32 {1}, -1"),
    "lanemask.ge": ("shl i32 1, {lane}", "sub i32 {0}, 1", "xor i32 {1}, -1"),
}


def lane_of(ctx: FunctionContext, lines: list[str]) -> str:
    lane = ctx.fresh("lane")
    lines.append(f"{lane} = and i32 {ctx.register('linear')}, 31")
    return lane


def _register(call: Call, ctx: FunctionContext) -> list[str]:
    assert call.callee is not None
    if call.result is None:
        return []
    name = call.callee[len("@llvm.nvvm.") + len(_REGISTER) :]
    if name in _FIXED_REGISTERS or name.startswith("envreg"):
        return [f"{call.result} = add i32 {_FIXED_REGISTERS.get(name, '0')}, 0"]
    if name == "laneid":
        return [f"{call.result} = and i32 {ctx.register('linear')}, 31"]
    if name == "warpid":
        return [f"{call.result} = lshr i32 {ctx.register('linear')}, 5"]
    if name == "nwarpid":
        rounded = ctx.fresh()
        return [
            f"{rounded} = add i32 {ctx.register('count')}, 31",
            f"{call.result} = lshr i32 {rounded}, 5",
        ]
    if name in _LANE_MASKS:
        return _lane_mask(call.result, name, ctx)
    if name in ("total.smem.size", "aggr.smem.size"):
        dynamic = ctx.register("dynamic.smem.size")
        return [f"{call.result} = add i32 {dynamic}, {ctx.module.static_bytes}"]
    if name == "is_explicit_cluster":
        return [f"{call.result} = icmp ugt i32 {ctx.register('cluster.nctarank')}, 1"]
    if name in ("clock", "clock.hi", "clock64", "globaltimer", "globaltimer.lo", "globaltimer.hi"):
        return _clock(call, name, ctx)
    axes = {".w": "0"}
    if name[-2:] in axes:
        return [f"{call.result} = add i32 0, 0"]
    from xgpu.backend.host.context import SPECIAL_REGISTERS, UnsupportedOnHost

    if name not in SPECIAL_REGISTERS:
        raise UnsupportedOnHost(f"special register '{name}' has no meaning on the host device")
    return copy_of(call.result, "i32", ctx.register(name))


def _lane_mask(result: str, name: str, ctx: FunctionContext) -> list[str]:
    lines: list[str] = []
    lane = lane_of(ctx, lines)
    values: list[str] = []
    steps = _LANE_MASKS[name]
    for i, step in enumerate(steps):
        value = result if i + 1 == len(steps) else ctx.fresh()
        lines.append(f"{value} = {step.format(*values, lane=lane)}")
        values.append(value)
    return lines


def _clock(call: Call, name: str, ctx: FunctionContext) -> list[str]:
    counter = ctx.module.declare("i64", "llvm.readcyclecounter")
    if call.type == "i64":
        return [f"{call.result} = call i64 {counter}()"]
    ticks, shifted = ctx.fresh(), ctx.fresh()
    by = 32 if name.endswith(".hi") else 0
    return [
        f"{ticks} = call i64 {counter}()",
        f"{shifted} = lshr i64 {ticks}, {by}",
        f"{call.result} = trunc i64 {shifted} to i32",
    ]


PATTERNS.append((re.compile(r"read\.ptx\.sreg\..*"), _register))


# -- barriers


def _barrier(call: Call, ctx: FunctionContext) -> list[str]:
    """barrier0, barrier.cta.sync[.aligned].{all,count}: identifier and, for count, the threads."""
    values = [value for _, value in call.arguments]
    identifier = values[0] if values else "0"
    count = values[1] if len(values) > 1 else "0"
    return [wait(ctx, "barrier", f"i32 {identifier}", f"i32 {count}", "i32 0", "i32 0")]


_REDUCTIONS = {"popc": 1, "and": 2, "or": 3}


def _barrier_reduction(call: Call, ctx: FunctionContext) -> list[str]:
    """barrier.cta.red.{popc,and,or}[.aligned].{all,count}(id, [count,] i1), barrier0.popc(i32)."""
    assert call.callee is not None
    words = call.callee.split(".")
    kind = next(_REDUCTIONS[w] for w in words if w in _REDUCTIONS)
    type, predicate = call.arguments[-1]
    lines: list[str] = []
    flag = ctx.fresh()
    if type == "i1":
        lines.append(f"{flag} = zext i1 {predicate} to i32")
    else:
        lines.append(f"{flag} = or i32 {predicate}, 0")
    identifier = call.arguments[0][1] if len(call.arguments) > 1 else "0"
    count = call.arguments[1][1] if len(call.arguments) > 2 else "0"
    lines.append(
        wait(ctx, "barrier", f"i32 {identifier}", f"i32 {count}", f"i32 {kind}", f"i32 {flag}")
    )
    wide = ctx.fresh()
    lines += field_load(wide, "i64", THREAD, "Thread", "result")
    if call.result and call.type == "i1":
        lines.append(f"{call.result} = icmp ne i64 {wide}, 0")
    elif call.result:
        lines.append(f"{call.result} = trunc i64 {wide} to {call.type}")
    return lines


def _barrier_arrive(call: Call, ctx: FunctionContext) -> list[str]:
    values = [value for _, value in call.arguments]
    count = values[1] if len(values) > 1 else "0"
    return [
        native(
            ctx, None, "void", "barrier_arrive", f"ptr {THREAD}", f"i32 {values[0]}", f"i32 {count}"
        )
    ]


PATTERNS.extend([
    (re.compile(r"barrier0|barrier(\.cta)?\.sync(\.aligned)?(\.all|\.count)?|barrier\.n|barrier|"
                r"bar\.sync"), _barrier),
    (re.compile(r"barrier0\.(popc|and|or)|barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.(all|count)"),
     _barrier_reduction),
    (re.compile(r"barrier\.cta\.arrive(\.aligned)?\.(all|count)"), _barrier_arrive),
    (re.compile(r"barrier\.cluster\.arrive(\.relaxed)?(\.aligned)?"),
     lambda call, ctx: [native(ctx, None, "void", "cluster_arrive", f"ptr {THREAD}")]),
    (re.compile(r"barrier\.cluster\.wait(\.aligned)?"),
     lambda call, ctx: [wait(ctx, "cluster_wait")]),
    (re.compile(r"membar\..*|fence\..*"), lambda call, ctx: ["fence seq_cst"]),
])  # fmt: skip


# -- warp collectives


def _collective(
    ctx: FunctionContext, operation: str, mask: str, value: str = "0", b: str = "0", c: str = "0"
) -> str:
    number = WARP_OPERATIONS[operation]
    return wait(ctx, "warp", f"i32 {number}", f"i32 {mask}", f"i64 {value}", f"i32 {b}", f"i32 {c}")


def widen(ctx: FunctionContext, type: str, value: str, lines: list[str]) -> str:
    """`value` (i1, i32, i64 or float) in the low bits of an i64."""
    if type == "i64":
        return value
    if type in ("float", "double"):
        bits = ctx.fresh()
        width = "i32" if type == "float" else "i64"
        lines.append(f"{bits} = bitcast {type} {value} to {width}")
        type, value = width, bits
        if width == "i64":
            return value
    wide = ctx.fresh()
    lines.append(f"{wide} = zext {type} {value} to i64")
    return wide


def result_of(ctx: FunctionContext, target: str | None, type: str, field: str) -> list[str]:
    """Load what a collective left in the thread's record, as `type`."""
    if target is None:
        return []
    stored = "i32" if field == "predicate" else "i64"
    raw = ctx.fresh()
    lines = field_load(raw, stored, THREAD, "Thread", field)
    if type == "i1":
        return [*lines, f"{target} = icmp ne {stored} {raw}, 0"]
    if type == "float":
        low = ctx.fresh()
        return [
            *lines,
            f"{low} = trunc i64 {raw} to i32",
            f"{target} = bitcast i32 {low} to float",
        ]
    if type == stored:
        return [*lines, f"{target} = add {stored} {raw}, 0"]
    return [*lines, f"{target} = trunc {stored} {raw} to {type}"]


def with_predicate(ctx: FunctionContext, call: Call, field: str = "result") -> list[str]:
    """A collective's result: the value, or a pair of the value and the predicate."""
    pair = re.fullmatch(r"\{ ([\w.]+), i1 \}", call.type)
    if pair is None:
        return result_of(ctx, call.result, call.type, field)
    if call.result is None:
        return []
    value, predicate, first = ctx.fresh(), ctx.fresh(), ctx.fresh()
    return [
        *result_of(ctx, value, pair.group(1), field),
        *result_of(ctx, predicate, "i1", "predicate"),
        f"{first} = insertvalue {call.type} poison, {pair.group(1)} {value}, 0",
        f"{call.result} = insertvalue {call.type} {first}, i1 {predicate}, 1",
    ]


def _shuffle(call: Call, ctx: FunctionContext) -> list[str]:
    """shfl.sync.<mode>.<type>[p](mask, value, b, c)."""
    assert call.callee is not None
    mode = call.callee.split(".")[4].upper()
    (_, mask), (type, value), (_, b), (_, c) = call.arguments
    lines: list[str] = []
    wide = widen(ctx, type, value, lines)
    lines.append(_collective(ctx, f"SHFL_{mode}", mask, wide, b, c))
    return lines + with_predicate(ctx, call)


def _vote(call: Call, ctx: FunctionContext) -> list[str]:
    """vote.<kind>.sync(mask, predicate)."""
    assert call.callee is not None
    kind = call.callee.split(".")[3].upper().replace("EQ", "UNI")
    (_, mask), (type, value) = call.arguments
    lines: list[str] = []
    wide = widen(ctx, type, value, lines)
    lines.append(_collective(ctx, f"VOTE_{kind}", mask, wide))
    return lines + with_predicate(ctx, call)


def _match(call: Call, ctx: FunctionContext) -> list[str]:
    """match.{any,all}.sync.<type>[p](mask, value)."""
    assert call.callee is not None
    kind = call.callee.split(".")[3].upper()
    (_, mask), (type, value) = call.arguments
    lines: list[str] = []
    wide = widen(ctx, type, value, lines)
    lines.append(_collective(ctx, f"MATCH_{kind}", mask, wide))
    return lines + with_predicate(ctx, call)


def _redux(call: Call, ctx: FunctionContext) -> list[str]:
    """redux.sync.<kind>(value, mask), the f32 kinds with .abs and .NaN."""
    assert call.callee is not None
    words = call.callee.split(".")[4:]
    kind = words[0].upper()
    for flag, suffix in (("abs", "_ABS"), ("NaN", "_NAN")):
        kind += suffix if flag in words else ""
    (type, value), (_, mask) = call.arguments
    lines: list[str] = []
    wide = widen(ctx, type, value, lines)
    lines.append(_collective(ctx, f"REDUX_{kind}", mask, wide))
    return lines + with_predicate(ctx, call)


def _elect(call: Call, ctx: FunctionContext) -> list[str]:
    return [_collective(ctx, "ELECT", call.arguments[0][1]), *with_predicate(ctx, call)]


PATTERNS.extend([
    (re.compile(r"shfl\.sync\.(up|down|bfly|idx)\.(i32|f32)p?"), _shuffle),
    (re.compile(r"vote\.(all|any|uni|ballot|eq)\.sync"), _vote),
    (re.compile(r"match\.(any|all)\.sync\.i(32|64)p?"), _match),
    (re.compile(r"redux\.sync\.\w+(\.abs)?(\.NaN)?"), _redux),
    (re.compile(r"elect\.sync"), _elect),
    (re.compile(r"bar\.warp\.sync"),
     lambda call, ctx: [_collective(ctx, "WARP_SYNC", call.arguments[0][1])]),
    (re.compile(r"activemask"),
     lambda call, ctx: [native(ctx, call.result, "i32", "active_mask", f"ptr {THREAD}")]),
    (re.compile(r"nanosleep"),
     lambda call, ctx: [wait(ctx, "yield", f"i32 {call.arguments[0][1]}")]),
    (re.compile(r"setmaxnreg\..*|griddepcontrol\..*|pm\.event.*|prefetch.*|applypriority.*|"
                r"discard.*"), lambda call, ctx: []),
])  # fmt: skip
