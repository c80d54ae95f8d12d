# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix intrinsics of a warp on the host: wmma (load, store, mma), mma.sync and ldmatrix."""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.context import THREAD, FunctionContext, UnsupportedOnHost
from xgpu.backend.host.structs import WARP_OPERATIONS
from xgpu.backend.host.text import Call, split_commas

Emitter = Callable[[Call, FunctionContext], list[str]]
PATTERNS: list[tuple[re.Pattern[str], Emitter]] = []

# As in `native/sources/matrix.py`: number and bytes of an element.
TYPES = {"f16": (0, 2), "bf16": (1, 2), "f32": (2, 4), "tf32": (2, 4), "f64": (3, 8), "s8": (4, 1),
          "u8": (5, 1), "s32": (6, 4)}  # fmt: skip
_HEADER = 64
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_BYTES = {"float": 4, "i32": 4, "double": 8, "<2 x half>": 4, "<2 x bfloat>": 4, "i64": 8}


def _element_types(type: str) -> list[str]:
    """Register types of a result: of one register, or of a struct of them."""
    return split_commas(type[1:-1].strip()) if type.startswith("{") else [type]


def matrix_buffer(ctx: FunctionContext, size: int) -> str:
    name = ctx.fresh("fragment")
    ctx.entry.append(f"{name} = alloca [{size} x i8], align 16")
    return name


def _address(ctx: FunctionContext, base: str, offset: int, lines: list[str]) -> str:
    name = ctx.fresh()
    lines.append(f"{name} = getelementptr inbounds i8, ptr {base}, i64 {offset}")
    return name


def _store_registers(
    ctx: FunctionContext, base: str, offset: int, registers: list[tuple[str, str]], lines: list[str]
) -> int:
    for type, value in registers:
        lines.append(f"store {type} {value}, ptr {_address(ctx, base, offset, lines)}, align 4")
        offset += _BYTES[type]
    return offset


def load_registers(
    ctx: FunctionContext, base: str, offset: int, call: Call, lines: list[str]
) -> None:
    if call.result is None:
        return
    types = _element_types(call.type)
    current = "poison"
    for i, type in enumerate(types):
        value = ctx.fresh() if len(types) > 1 else call.result
        lines.append(f"{value} = load {type}, ptr {_address(ctx, base, offset, lines)}, align 4")
        offset += _BYTES[type]
        if len(types) > 1:
            following = call.result if i + 1 == len(types) else ctx.fresh()
            lines.append(f"{following} = insertvalue {call.type} {current}, {type} {value}, {i}")
            current = following


def _shape(name: str) -> tuple[int, int, int]:
    match = _SHAPE.search(name)
    assert match is not None
    return int(match[1]), int(match[2]), int(match[3])


def _matrix_sizes(which: str, shape: tuple[int, int, int]) -> tuple[int, int]:
    m, n, k = shape
    return {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[which]


def _stride(call: Call, words: list[str], shape: tuple[int, int]) -> str:
    if "stride" in words:
        return call.arguments[-1][1]
    return str(shape[0] if "col" in words else shape[1])


def _load(call: Call, ctx: FunctionContext) -> list[str]:
    """wmma.<shape>.load.{a,b,c}.{row,col}[.stride].<type>(ptr[, stride])."""
    assert call.callee is not None
    words = call.callee.split(".")
    which = words[words.index("load") + 1]
    rows, cols = _matrix_sizes(which, _shape(call.callee))
    size = TYPES[next(w for w in reversed(words) if w in TYPES)][1]
    total = sum(_BYTES[t] for t in _element_types(call.type))
    buffer = matrix_buffer(ctx, total)
    lines: list[str] = []
    callee = ctx.module.declare(
        "void", "xgpu_wmma_load", "ptr", "ptr", "ptr", "i32", "i32", "i32", "i32", "i32", "i32"
    )
    lines.append(
        f"call void {callee}(ptr {THREAD}, ptr {buffer}, ptr {call.arguments[0][1]}, "
        f"i32 {_stride(call, words, (rows, cols))}, i32 {rows}, i32 {cols}, "
        f"i32 {int('col' in words)}, i32 {size}, i32 {total // size})"
    )
    load_registers(ctx, buffer, 0, call, lines)
    return lines


def _store(call: Call, ctx: FunctionContext) -> list[str]:
    """wmma.<shape>.store.d.{row,col}[.stride].<type>(ptr, registers...[, stride])."""
    assert call.callee is not None
    words = call.callee.split(".")
    rows, cols = _matrix_sizes("d", _shape(call.callee))
    size = TYPES[next(w for w in reversed(words) if w in TYPES)][1]
    registers = call.arguments[1 : -1 if "stride" in words else None]
    lines: list[str] = []
    buffer = matrix_buffer(ctx, sum(_BYTES[t] for t, _ in registers))
    _store_registers(ctx, buffer, 0, registers, lines)
    callee = ctx.module.declare(
        "void", "xgpu_wmma_store", "ptr", "ptr", "ptr", "i32", "i32", "i32", "i32", "i32"
    )
    lines.append(
        f"call void {callee}(ptr {THREAD}, ptr {call.arguments[0][1]}, ptr {buffer}, "
        f"i32 {_stride(call, words, (rows, cols))}, i32 {rows}, i32 {cols}, "
        f"i32 {int('col' in words)}, i32 {size})"
    )
    return lines


def _kinds(words: list[str]) -> tuple[str, str, str, str]:
    """Types of A, B, C and D, from the end of the name."""
    types = [w for w in words if w in TYPES]
    if not types:
        raise UnsupportedOnHost(f"matrix type of '{'.'.join(words)}'")
    first = types[0]
    if first in ("bf16", "tf32"):
        return first, first, "f32", "f32"
    if first == "f64":
        return "f64", "f64", "f64", "f64"
    if first in ("s8", "u8"):
        return first, types[-1] if len(types) > 1 else first, "s32", "s32"
    if len(types) == 2:  # of f16: D and C
        return "f16", "f16", types[1], types[0]
    return "f16", "f16", first, first


def _multiply(call: Call, ctx: FunctionContext) -> list[str]:
    """wmma.<shape>.mma... and mma.<shape>...: registers of A, B and C to registers of D."""
    from xgpu.backend.host.calls import wait

    assert call.callee is not None
    words = call.callee.split(".")
    is_sync = "wmma" not in words
    m, n, k = _shape(call.callee)
    a, b, c, d = _kinds(words)
    if is_sync and (m, n, k) == (8, 8, 4) and a == "f16":
        raise UnsupportedOnHost("mma.m8n8k4 of f16")
    total_a = m * k * TYPES[a][1] // 32
    total_b = k * n * TYPES[b][1] // 32
    if not is_sync and a == "f16":
        total_a = total_b = 32  # eight registers, whatever the shape
    total_c = m * n * TYPES[c][1] // 32
    total_d = m * n * TYPES[d][1] // 32
    buffer = matrix_buffer(ctx, _HEADER + total_a + total_b + total_c + total_d)
    header = [
        m,
        n,
        k,
        *(TYPES[t][0] for t in (a, b, c, d)),
        int(is_sync),
        total_a,
        total_b,
        total_c,
    ]
    lines: list[str] = []
    for i, number in enumerate(header):
        lines.append(f"store i32 {number}, ptr {_address(ctx, buffer, 4 * i, lines)}")
    end = _store_registers(ctx, buffer, _HEADER, call.arguments, lines)
    if end != _HEADER + total_a + total_b + total_c:
        raise UnsupportedOnHost(f"'{call.callee}': its registers are not as expected")
    whole = ctx.fresh()
    lines.append(f"{whole} = ptrtoint ptr {buffer} to i64")
    lines.append(
        wait(
            ctx, "warp", f"i32 {WARP_OPERATIONS['MMA']}", "i32 -1", f"i64 {whole}", "i32 0", "i32 0"
        )
    )
    load_registers(ctx, buffer, end, call, lines)
    return lines


def _ldmatrix(call: Call, ctx: FunctionContext) -> list[str]:
    """ldmatrix.sync.aligned.m8n8.x<n>[.trans].b16: 8x8 matrices of 16-bit elements whose rows'
    addresses
    the lanes hold, eight lanes a matrix; a lane gets two neighbours of row lane / 4."""
    from xgpu.backend.host.calls import wait

    assert call.callee is not None
    words = call.callee.split(".")
    if "m8n8" not in words or "b16" not in words:
        raise UnsupportedOnHost(f"'{call.callee}'")
    count = next(int(w[1:]) for w in words if re.fullmatch(r"x[124]", w))
    trans = "trans" in words
    buffer = matrix_buffer(ctx, 8 + 4 * count)
    lines = [f"store ptr {call.arguments[0][1]}, ptr {buffer}"]
    whole = ctx.fresh()
    lines.append(f"{whole} = ptrtoint ptr {buffer} to i64")
    operation = WARP_OPERATIONS["LDMATRIX"]
    lines.append(
        wait(ctx, "warp", f"i32 {operation}", "i32 -1", f"i64 {whole}", f"i32 {count}",
             f"i32 {int(trans)}")
    )  # fmt: skip
    load_registers(ctx, buffer, 8, call, lines)
    return lines


def _wait_group(call: Call, ctx: FunctionContext) -> list[str]:
    from xgpu.backend.host.calls import wait

    return [wait(ctx, "warpgroup_sync")]


PATTERNS.extend([
    (re.compile(r"wmma\.m\d+n\d+k\d+\.load\..*"), _load),
    (re.compile(r"wmma\.m\d+n\d+k\d+\.store\..*"), _store),
    (re.compile(r"(w?mma)\.m\d+n\d+k\d+\.(mma\.)?(row|col).*"), _multiply),
    (re.compile(r"wgmma\.(fence|commit_group)\..*"), lambda call, ctx: []),
    (re.compile(r"wgmma\.wait_group\..*"), _wait_group),
    (re.compile(r"ldmatrix\.sync\.aligned\..*"), _ldmatrix),
])  # fmt: skip
