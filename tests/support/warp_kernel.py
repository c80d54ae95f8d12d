# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel around a piece of inline PTX: each thread loads its registers, runs it, and stores what
it got. And numbers of all the types that tensor cores have."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher
from tests.support.processes import import_llvm_here
from xgpu.host_device.compiler.compiler import compile_llvm

HEAD = """
target triple = "nvptx64-nvidia-cuda"
@s = external addrspace(3) global [0 x i8], align 1024
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""
#: The bits of a register by the letter of its constraint.
_BITS = {"r": 32, "l": 64, "h": 16}


def kernel(
    asm: str, outputs: str, inputs: str, shared: int = 0, before: str = "", given: str = ""
) -> str:
    """LLVM IR of `@k(ptr %in, ptr %out, ptr %image)`. `outputs` and `inputs` are constraints; words
    of a thread lie side by side, blocks one after the other. `shared` bytes of a block's `%image`
    are in workgroup memory first. `given` are further operands (`"l" %x` made by `before`)."""
    lines = [HEAD, "define ptx_kernel void @k(ptr %in, ptr %out, ptr %image) {"]
    lines += [
        "  %own = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
        "  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
        "  %before = mul i32 %block, %threads",
        "  %t = add i32 %before, %own",
    ]
    at = sum(_BITS[c] // 16 for c in inputs)
    lines.append(f"  %ib = mul i32 %t, {2 * at}")
    lines.append("  %ip = getelementptr i8, ptr %in, i32 %ib")
    offset, operands = 0, []
    for i, letter in enumerate(inputs):
        ty = f"i{_BITS[letter]}"
        lines.append(f"  %p{i} = getelementptr i8, ptr %ip, i32 {offset}")
        lines.append(f"  %v{i} = load {ty}, ptr %p{i}, align 2")
        operands.append(f"{ty} %v{i}")
        offset += _BITS[letter] // 8
    if shared:
        lines += _copied(shared)
    lines.append(before)
    constraints = [f"={c}" for c in outputs] + list(inputs)
    for operand in [g for g in given.split(";") if g]:
        letter, typed = operand.split("=", 1)
        constraints.append(letter)
        operands.append(typed)
    types = [f"i{_BITS[c]}" for c in outputs]
    result = types[0] if len(types) == 1 else "{ " + ", ".join(types) + " }" if types else "void"
    text = asm.replace("\n", "\\0A")
    name = "%r = " if types else ""
    lines.append(
        f'  {name}call {result} asm sideeffect "{text}", "{",".join(constraints)}"'
        f"({', '.join(operands)})"
    )
    size = sum(_BITS[c] // 8 for c in outputs)
    lines.append(f"  %ob = mul i32 %t, {size}")
    lines.append("  %op = getelementptr i8, ptr %out, i32 %ob")
    offset = 0
    for i, letter in enumerate(outputs):
        value = "%r"
        if len(types) > 1:
            value = f"%d{i}"
            lines.append(f"  {value} = extractvalue {result} %r, {i}")
        lines.append(f"  %q{i} = getelementptr i8, ptr %op, i32 {offset}")
        lines.append(f"  store {types[i]} {value}, ptr %q{i}, align 2")
        offset += _BITS[letter] // 8
    return "\n".join([*lines, "  ret void", "}"])


def _copied(size: int) -> list[str]:
    """Every thread copies the whole image: the same bytes."""
    return [
        f"  %ic = mul i32 %block, {size}",
        "  %ia = getelementptr i8, ptr %image, i32 %ic",
        f"  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) @s, ptr %ia, i64 {size}, i1 0)",
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    ]


def run(
    source: str, words: np.ndarray[Any, Any], out: np.ndarray[Any, Any], threads: int = 32,
    image: np.ndarray[Any, Any] | None = None, strategy: str = "threads", blocks: int = 1,
) -> str:  # fmt: skip
    """Launches one block, or a cluster of `blocks`; the strategy that the kernel got."""
    with pytest.MonkeyPatch.context() as patch:
        import_llvm_here(patch)
        launcher = Launcher(compile_llvm(source), strategy)
    launcher.shared = 0 if image is None else image.nbytes // blocks
    launcher.cluster = None if blocks == 1 else (blocks, 1, 1)
    given = words if image is None else image
    arguments = [ctypes.c_void_p(a.ctypes.data) for a in (words, out, given)]
    try:
        launcher.launch("k", blocks, threads, *arguments)
    finally:
        launcher.close()
    return launcher.strategies[-1]


# -- numbers of a type, as codes


def values_of(codes: np.ndarray[Any, Any], kind: str) -> np.ndarray[Any, Any]:
    """What codes (of any integer type) of elements of a type of PTX say, as doubles."""
    codes = codes.astype(np.uint64)
    if kind == "f16":
        return codes.astype(np.uint16).view(np.float16).astype(np.float64)
    if kind == "bf16":
        return (codes.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if kind in ("f32", "tf32"):
        mask = 0xFFFFE000 if kind == "tf32" else 0xFFFFFFFF
        return (codes.astype(np.uint32) & np.uint32(mask)).view(np.float32).astype(np.float64)
    if kind == "f64":
        return codes.view(np.float64)
    if kind in ("s8", "s4", "s32"):
        width = int(kind[1:])
        return (codes.astype(np.int64) - ((codes >> np.uint64(width - 1)).astype(np.int64) << width)
                ).astype(np.float64)  # fmt: skip
    if kind in ("u8", "u4", "b1"):
        return codes.astype(np.float64)
    return SMALL[kind][codes.astype(np.int64)]


def _small(exponent: int, mantissa: int, bias: int) -> np.ndarray[Any, Any]:
    """All values of a small float that has no infinities."""
    found = []
    for code in range(1 << (1 + exponent + mantissa)):
        e, m = code >> mantissa & ((1 << exponent) - 1), code & ((1 << mantissa) - 1)
        value = m * 2.0 ** (1 - bias - mantissa) if e == 0 else (
            (1 + m * 2.0**-mantissa) * 2.0 ** (e - bias)
        )  # fmt: skip
        found.append(-value if code >> (exponent + mantissa) else value)
    return np.array(found)


SMALL = {"e4m3": _small(4, 3, 7), "e5m2": _small(5, 2, 15), "e2m3": _small(2, 3, 1),
         "e3m2": _small(3, 2, 3), "e2m1": _small(2, 1, 1)}  # fmt: skip
BITS = {"f16": 16, "bf16": 16, "f32": 32, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4,
        "b1": 1, "s32": 32, "e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4}  # fmt: skip


def random_codes(rng: Any, shape: tuple[int, ...], kind: str) -> np.ndarray[Any, Any]:
    """Random elements, floats about as large as one; a uint64 each."""
    if kind in ("f16", "bf16", "f32", "tf32", "f64"):
        numbers = rng.standard_normal(shape)
        if kind == "f16":
            return numbers.astype(np.float16).view(np.uint16).astype(np.uint64)
        if kind == "f64":
            return numbers.view(np.uint64)
        words = numbers.astype(np.float32).view(np.uint32)
        return (words >> 16 if kind == "bf16" else words).astype(np.uint64)
    if kind == "s32":
        return rng.integers(0, 1 << 20, shape).astype(np.uint64)
    if kind in ("e4m3", "e5m2"):  # sums of products fit a half
        sign = rng.integers(0, 2, shape).astype(np.uint64) << np.uint64(7)
        return rng.integers(0, 0x48, shape).astype(np.uint64) | sign
    return rng.integers(0, 1 << BITS[kind], shape).astype(np.uint64)


def packed(codes: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    """Elements of the last axis side by side, the first in the low bits, as bytes."""
    shifts = np.arange(bits, dtype=np.uint64)
    flat = (codes[..., None] >> shifts & np.uint64(1)).astype(np.uint8)
    return np.packbits(flat.reshape(*codes.shape[:-1], -1), axis=-1, bitorder="little")


def unpacked(data: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    """The other way: bytes of the last axis as elements."""
    flat = np.unpackbits(data, axis=-1, bitorder="little")
    grouped = flat.reshape(*data.shape[:-1], -1, bits).astype(np.uint64)
    return (grouped << np.arange(bits, dtype=np.uint64)).sum(-1)
