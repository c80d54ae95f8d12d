# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that come as LLVM IR: intrinsics of NVVM have the forms that operations have."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support.kernel_launch import Launcher, host_object, lowered_object
from tests.support.some_cases import some
from xgpu.frontend.ptx import import_module
from xgpu.host_device.compiler.compiler import compile_llvm
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

pytestmark = pytest.mark.sampled(2)

COUNT = 64
KERNEL = """
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr %a, ptr %f, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %v = load i32, ptr %p
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 3, i32 31)
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 -1)
  %q = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  %y = add i32 %x, %r
  store i32 %y, ptr addrspace(3) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t2 = xor i32 %t, 63
  %q2 = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t2
  %z = load i32, ptr addrspace(3) %q2
  %fp = getelementptr float, ptr %f, i32 %t
  %w = load float, ptr %fp
  %h = call i32 @llvm.nvvm.f2i.rz(float %w)
  %m = xor i32 %h, %z
  %op = getelementptr i32, ptr %o, i32 %t
  store i32 %m, ptr %op
  ret void
}
"""


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize(
    ("strategy", "got"),
    [("auto", "block-loops"), ("warps", "warps"), ("threads", "threads")],
)
def test_every_form_of_a_kernel_with_intrinsics(strategy: str, got: str, level: int):
    """Conversions saturate, and of NaN they give zero (PTX ISA, cvt)."""
    numbers = np.arange(COUNT, dtype=np.int32) * 7
    floats = np.linspace(-4e9, 4e9, COUNT, dtype=np.float32)
    floats[::5] = [np.nan, np.inf, -np.inf, 1.9, -1.9, 0.5, 3e9, -3e9, 2.5, 7, -0.0, 1e-3, 9.99]
    found = np.zeros(COUNT, np.int32)
    launcher = Launcher(compile_llvm(KERNEL, level), strategy)
    arguments = [ctypes.c_void_p(a.ctypes.data) for a in (numbers, floats, found)]
    launcher.launch("k", 1, COUNT, *arguments)
    launcher.close()
    assert launcher.strategy.startswith(got)
    swapped = numbers.reshape(2, 32)[:, np.arange(32) ^ 3]
    sums = (swapped + swapped.sum(1, keepdims=True)).reshape(-1).astype(np.int32)
    limited = np.clip(np.nan_to_num(floats.astype(np.float64), nan=0), -(2**31), 2**31 - 1)
    np.testing.assert_array_equal(found, np.trunc(limited).astype(np.int32) ^ sums[::-1])


#: A float in steps that cross the ends of every integer type.
ODD: list[float] = [
    0.0, -0.9, 1.5, -1.5, 200.0, 300.0, -300.0, 4e4, -4e4, 3e9, -3e9, 1e20, -1e20,
    float("nan"), float("inf"), float("-inf"),
]  # fmt: skip


def _converted(value: float, width: int, signed: bool, is_double: bool) -> int:
    """cvt.rzi of the PTX ISA, of the next of 16, 32 and 64 bits where there is no such integer."""
    larger = next(size for size in (16, 32, 64) if width <= size)
    least, most = (-(1 << (larger - 1)), (1 << (larger - 1)) - 1) if signed else (0, 2**larger - 1)
    if value != value:
        whole = 1 << (larger - 1) if is_double or larger == 64 else 0
    else:
        whole = (
            int(min(max(value, least), most))
            if abs(value) < 1e19
            else (most if value > 0 else least)
        )
    return whole % 2**width


def _conversions(source: str, kinds: list[tuple[str, int]]) -> str:
    """A kernel with each conversion of `source`, from one and from a vector of two."""
    outputs = ", ".join(f"ptr %o{n}" for n in range(2 * len(kinds)))
    lines = [f"define ptx_kernel void @k(ptr %f, {outputs}) {{",
             "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
             f"  %p = getelementptr {source}, ptr %f, i32 %t",
             f"  %v = load {source}, ptr %p",
             f"  %w0 = insertelement <2 x {source}> zeroinitializer, {source} %v, i32 1",
             ]  # fmt: skip
    for n, (op, width) in enumerate(kinds):
        lines += [f"  %a{n} = {op} {source} %v to i{width}",
                  f"  %b{n} = zext i{width} %a{n} to i64" if width < 64 else
                  f"  %b{n} = add i64 %a{n}, 0",
                  f"  %q{n} = getelementptr i64, ptr %o{n}, i32 %t",
                  f"  store i64 %b{n}, ptr %q{n}",
                  f"  %c{n} = {op} <2 x {source}> %w0 to <2 x i{width}>",
                  f"  %d{n} = extractelement <2 x i{width}> %c{n}, i32 1",
                  f"  %e{n} = zext i{width} %d{n} to i64" if width < 64 else
                  f"  %e{n} = add i64 %d{n}, 0",
                  f"  %r{n} = getelementptr i64, ptr %o{n + len(kinds)}, i32 %t",
                  f"  store i64 %e{n}, ptr %r{n}"]  # fmt: skip
    return 'target triple = "nvptx64-nvidia-cuda"\n' + "\n".join([*lines, "  ret void", "}"])


@pytest.mark.parametrize("source", ["float", "double"])
@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
def test_floats_beyond_an_integer_become_what_a_gpu_makes_of_them(strategy: str, source: str):
    widths = (8, 16, 32, 64) if strategy == "warps" else (8, 16, 24, 32, 64)
    kinds = [(op, width) for op in ("fptosi", "fptoui") for width in widths]
    text = _conversions(source, kinds)
    given = np.array(ODD * 2, np.float32 if source == "float" else np.float64)
    found = np.zeros((2 * len(kinds), given.size), np.uint64)
    launcher = Launcher(compile_llvm(text, 2), strategy)
    arguments = [ctypes.c_void_p(a.ctypes.data) for a in (given, *found)]
    launcher.launch("k", 1, given.size, *arguments)
    launcher.close()
    expected = [
        [_converted(v, width, op == "fptosi", source == "double") for v in given.tolist()]
        for op, width in kinds
    ]
    assert found.tolist() == expected * 2


def _shifts(widths: list[int]) -> str:
    """A kernel that shifts all bits, and -8, by the number of its thread and more."""
    outputs = ", ".join(f"ptr %o{n}" for n in range(3 * len(widths)))
    lines = [f"define ptx_kernel void @k(i32 %more, {outputs}) {{",
             "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
             "  %n = add i32 %t, %more", "  %w = zext i32 %n to i64"]  # fmt: skip
    at = 0
    for width in widths:
        by = {16: "trunc i32 %n to i16", 32: "add i32 %n, 0", 64: "add i64 %w, 0"}[width]
        lines.append(f"  %by{width} = {by}")
        for op, value in (("shl", -1), ("lshr", -1), ("ashr", -8)):
            lines += [f"  %v{at} = {op} i{width} {value}, %by{width}",
                      f"  %p{at} = getelementptr i{width}, ptr %o{at}, i32 %t",
                      f"  store i{width} %v{at}, ptr %p{at}"]  # fmt: skip
            at += 1
    return 'target triple = "nvptx64-nvidia-cuda"\n' + "\n".join([*lines, "  ret void", "}"])


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
def test_shifts_by_the_width_and_more_leave_nothing(strategy: str):
    """Amounts beyond the width count as the width (PTX ISA, shl and shr)."""
    widths = [16, 32, 64]
    found = [np.zeros(COUNT, f"i{width // 8}") for width in widths for _ in range(3)]
    launcher = Launcher(compile_llvm(_shifts(widths), 2), strategy)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in found]
    launcher.launch("k", 1, COUNT, ctypes.c_int32(10), *pointers)
    launcher.close()
    for at, width in enumerate(widths):
        ones = (1 << width) - 1
        left, right, signed = (f.tolist() for f in found[3 * at : 3 * at + 3])
        amounts = range(10, 10 + COUNT)
        assert [x & ones for x in left] == [(ones << n) & ones for n in amounts]
        assert [x & ones for x in right] == [ones >> n for n in amounts]
        assert signed == [-8 >> n for n in amounts]


SAD = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a, ptr %b, ptr %c, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr TYPE, ptr %a, i32 %t
  %pb = getelementptr TYPE, ptr %b, i32 %t
  %pc = getelementptr TYPE, ptr %c, i32 %t
  %po = getelementptr TYPE, ptr %o, i32 %t
  %x = load TYPE, ptr %pa
  %y = load TYPE, ptr %pb
  %z = load TYPE, ptr %pc
  %s = call TYPE @llvm.nvvm.sad.KIND(TYPE %x, TYPE %y, TYPE %z)
  store TYPE %s, ptr %po
  ret void
}
"""


@pytest.mark.parametrize(
    ("kind", "dtype", "strategy"),
    some(
        [
            ("s", np.int16), ("us", np.uint16), ("i", np.int32), ("ui", np.uint32),
            ("ll", np.int64), ("ull", np.uint64),
        ],
        ["auto", "warps", "threads"],
        of=3,
    ),
)  # fmt: skip
def test_sums_of_absolute_differences(kind: str, dtype: type[np.integer], strategy: str):
    """sad.{s,us,i,ui,ll,ull}: |a - b| + c modulo the width (PTX ISA, sad)."""
    width = np.dtype(dtype).itemsize * 8
    rng = np.random.default_rng(3)
    limits = np.iinfo(dtype)
    given = rng.integers(limits.min, limits.max, (3, COUNT), dtype, endpoint=True)
    given[:2, :4] = [[limits.min, limits.max, 0, 5], [limits.max, limits.min, 0, 5]]
    found = np.zeros(COUNT, dtype)
    text = SAD.replace("KIND", kind).replace("TYPE", f"i{width}")
    launcher = Launcher(compile_llvm(text, 2), strategy)
    arguments = [ctypes.c_void_p(a.ctypes.data) for a in (*given, found)]
    launcher.launch("k", 1, COUNT, *arguments)
    launcher.close()
    rows = zip(*given.tolist(), strict=True)
    expected = [(abs(a - b) + c) % 2**width for a, b, c in rows]
    np.testing.assert_array_equal(found.view(f"u{width // 8}"), expected)


_BIT_FUNCTIONS = {
    "i32 @llvm.nvvm.bmsk.wrap(i32 %x, i32 %y)": "bmsk.wrap.b32 r, x, y;",
    "i32 @llvm.nvvm.bmsk.clamp(i32 %x, i32 %y)": "bmsk.clamp.b32 r, x, y;",
    "i32 @llvm.nvvm.sext.wrap(i32 %x, i32 %y)": "szext.wrap.s32 r, x, y;",
    "i32 @llvm.nvvm.sext.clamp(i32 %x, i32 %y)": "szext.clamp.s32 r, x, y;",
    "i32 @llvm.nvvm.zext.wrap(i32 %x, i32 %y)": "szext.wrap.u32 r, x, y;",
    "i32 @llvm.nvvm.zext.clamp(i32 %x, i32 %y)": "szext.clamp.u32 r, x, y;",
    "i32 @llvm.nvvm.fshl.clamp.i32(i32 %x, i32 %y, i32 %y)": "shf.l.clamp.b32 r, y, x, y;",
    "i32 @llvm.nvvm.fshr.clamp.i32(i32 %x, i32 %y, i32 %y)": "shf.r.clamp.b32 r, y, x, y;",
    "i32 @llvm.nvvm.flo.s.i32(i32 %x, i1 false)": "bfind.s32 r, x;",
    "i32 @llvm.nvvm.flo.u.i32(i32 %x, i1 false)": "bfind.u32 r, x;",
    "i32 @llvm.nvvm.flo.u.i32(i32 %x, i1 true)": "bfind.shiftamt.u32 r, x;",
    "i32 @llvm.nvvm.flo.s.i64(i64 %z, i1 true)": "bfind.shiftamt.s64 r, z;",
    "i32 @llvm.nvvm.flo.u.i64(i64 %z, i1 false)": "bfind.u64 r, z;",
    "i32 @llvm.nvvm.d2i.lo(double %d)": "{ .reg .b32 h; mov.b64 {r, h}, z; }",
    "i32 @llvm.nvvm.d2i.hi(double %d)": "{ .reg .b32 l; mov.b64 {l, r}, z; }",
}
_BITS = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a, ptr %b, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i32, ptr %a, i32 %t
  %pb = getelementptr i32, ptr %b, i32 %t
  %po = getelementptr i32, ptr %o, i32 %t
  %x = load i32, ptr %pa
  %y = load i32, ptr %pb
  %e = call double @llvm.nvvm.lohi.i2d(i32 %x, i32 %y)
  %z = bitcast double %e to i64
  %d = bitcast i64 %z to double
  %r = FUNCTION
  store i32 %r, ptr %po
  ret void
}
"""


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
@pytest.mark.parametrize("function", _BIT_FUNCTIONS)
def test_bits_of_words(function: str, strategy: str):
    """As the instruction of PTX that each is."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 1 << 32, (2, COUNT), np.uint32) >> rng.integers(0, 32, (2, COUNT))
    a[:4], b[:6] = [0, 1, 0xFFFFFFFF, 0x80000000], [0, 31, 32, 33, 0xFFFFFFFF, 1]
    given = [v.astype(np.uint32) for v in (a, b)]
    asm = "{ .reg .b32 r, x, y; .reg .b64 z; mov.b32 x, $1; mov.b32 y, $2; mov.b64 z, {x, y}; "
    asm += _BIT_FUNCTIONS[function] + " mov.b32 $0, r; }"
    results = []
    for text in (f"call {function}", f'call i32 asm "{asm}", "=r,r,r"(i32 %x, i32 %y)'):
        out = np.zeros(COUNT, np.uint32)
        launcher = Launcher(compile_llvm(_BITS.replace("FUNCTION", text), 2), strategy)
        launcher.launch("k", 1, COUNT, *(ctypes.c_void_p(v.ctypes.data) for v in (*given, out)))
        launcher.close()
        results.append(out.tolist())
    assert results[0] == results[1]


_SET_BIT = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %masks, ptr %bases, ptr %offsets, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pm = getelementptr i32, ptr %masks, i32 %t
  %pb = getelementptr i32, ptr %bases, i32 %t
  %po = getelementptr i32, ptr %offsets, i32 %t
  %p = getelementptr i32, ptr %out, i32 %t
  %m = load i32, ptr %pm
  %b = load i32, ptr %pb
  %o = load i32, ptr %po
  %r = call i32 @llvm.nvvm.fns(i32 %m, i32 %b, i32 %o)
  store i32 %r, ptr %p
  ret void
}
"""


def _nth_set_bit(mask: int, base: int, offset: int) -> int:
    """Step by step, as the PTX ISA has it (fns); it says nothing of a base above 31."""
    position, left = base % 32, max(abs(offset), 1)
    while 0 <= position < 32:
        left -= mask >> position & 1
        if left == 0:
            return position
        if offset == 0:
            break
        position += 1 if offset > 0 else -1
    return -1


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
def test_the_nth_set_bit(strategy: str):
    """Masks with no, few, many and all bits; each base; offsets to both sides and too far."""
    rng = np.random.default_rng(5)
    masks = [0, 1, 1 << 31, 0xFFFFFFFF, 0xF0, 0x80000001, *rng.integers(0, 1 << 32, 4).tolist()]
    offsets = [0, 1, -1, 2, -2, 3, -4, 31, 32, -32, 33, 2**31 - 1, -(2**31)]
    cases = list(itertools.product(masks, [*range(32), 32, 37, 0xFFFFFFFF], offsets))
    cases += [(0, 0, 0)] * (-len(cases) % 512)
    found: list[int] = []
    launcher = Launcher(compile_llvm(_SET_BIT, 2), strategy)
    for first in range(0, len(cases), 512):
        part = np.array(cases[first : first + 512], np.int64).T.astype(np.uint32).copy()
        out = np.zeros(512, np.int32)
        launcher.launch("k", 1, 512, *(ctypes.c_void_p(v.ctypes.data) for v in (*part, out)))
        found += out.tolist()
    launcher.close()
    assert found == [_nth_set_bit(*case) for case in cases]


_BFLOATS = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr TYPE, ptr %a, i32 %t
  %q = getelementptr RESULT, ptr %o, i32 %t
  %x = load TYPE, ptr %p
  %r = call RESULT @llvm.nvvm.NAME(TYPE %x)
  store RESULT %r, ptr %q
  ret void
}
"""


def _as_half(bits: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float16).view(np.uint16)


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
@pytest.mark.parametrize(
    ("name", "type", "result", "expected"),
    [
        ("neg.bf16", "bfloat", "bfloat", lambda bits: bits ^ 0x8000),
        ("neg.bf16x2", "<2 x bfloat>", "<2 x bfloat>", lambda bits: bits ^ 0x8000),
        ("bf2h.rn", "bfloat", "i16", _as_half),
        ("bf2h.rn.ftz", "bfloat", "i16", _as_half),
    ],
)
def test_functions_of_bfloats(
    name: str, type: str, result: str, expected: Callable[[np.ndarray], np.ndarray], strategy: str
):
    """Every 64th bfloat16, and zeros, infinities and a NaN."""
    given = np.arange(0, 1 << 16, 64, np.uint16)
    given = given[(given & 0x7F80) != 0x7F80]  # which NaN comes of a NaN is LLVM's choice
    given[:6] = [0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 1]
    found = np.zeros_like(given)
    text = _BFLOATS.replace("TYPE", type).replace("RESULT", result).replace("NAME", name)
    launcher = Launcher(compile_llvm(text, 2), strategy)
    threads = len(given) // (2 if "x2" in name else 1)
    launcher.launch("k", 1, threads, *(ctypes.c_void_p(v.ctypes.data) for v in (given, found)))
    launcher.close()
    np.testing.assert_array_equal(found, expected(given))


def test_an_unknown_intrinsic_is_named_in_its_file(tmp_path: Path):
    """LLVM IR has no lines without debug information: the message has the file, no line."""
    path = tmp_path / "k.ll"
    declared = "declare i32 @llvm.nvvm.frob(i32, i32, i32)"
    path.write_text(_SET_BIT.replace("llvm.nvvm.fns", "llvm.nvvm.frob") + declared)
    with pytest.raises(xgpu.DiagnosticError) as caught, xgpu.load(path, device="host") as module:
        module.kernels["k"][1, 1](*np.zeros((4, 1), np.int32))
    assert str(caught.value).splitlines()[0] == (
        f"{path}: error: cannot compile for the host: kernel 'k': intrinsic "
        "'llvm.nvvm.frob' is not supported on the host device"
    )


BY_VALUE = """
target triple = "nvptx64-nvidia-cuda"
%s = type { [4 x i32], ptr, i32 }
define ptx_kernel void @read(ptr byval(%s) align 8 %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = and i32 %t, 3
  %e = getelementptr %s, ptr %p, i32 0, i32 0, i32 %at
  %v = load i32, ptr %e
  %n = getelementptr %s, ptr %p, i32 0, i32 2
  %add = load i32, ptr %n
  %sum = add i32 %v, %add
  %op = getelementptr %s, ptr %p, i32 0, i32 1
  %o = load ptr, ptr %op
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}
define ptx_kernel void @written(ptr byval(%s) align 8 %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = and i32 %t, 3
  %e = getelementptr %s, ptr %p, i32 0, i32 0, i32 %at
  store i32 %t, ptr %e
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = load i32, ptr %p
  %v = load i32, ptr %e
  %sum = add i32 %v, %first
  %op = getelementptr %s, ptr %p, i32 0, i32 1
  %o = load ptr, ptr %op
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}
"""


class Argument(ctypes.Structure):
    """`%s` of these kernels."""

    _fields_ = (("values", ctypes.c_int32 * 4), ("out", ctypes.c_void_p), ("add", ctypes.c_int32))


@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
@pytest.mark.parametrize("kernel", ["read", "written"])
def test_a_parameter_by_value_is_a_threads_own(kernel: str, strategy: str):
    found = np.zeros(COUNT, np.int32)
    argument = Argument((1, 20, 300, 4000), found.ctypes.data, 7)
    launcher = Launcher(compile_llvm(BY_VALUE), strategy)
    for _ in range(2):
        launcher.launch(kernel, 1, COUNT, argument)
    launcher.close()
    threads = np.arange(COUNT)
    wanted = {
        "read": np.array(argument.values)[threads % 4] + 7,
        "written": threads + np.where(threads % 4 == 0, threads, 1),
    }
    np.testing.assert_array_equal(found, wanted[kernel])
    assert list(argument.values) == [1, 20, 300, 4000]


# Each gives 1 for a thread whose clocks run.

CLOCKS_IN_LLVM_IR = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %g = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %b = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %wide = zext i32 %c to i64
  %since = sub i64 %b, %wide
  %high = trunc i64 %since to i32
  %later = icmp ugt i64 %b, %a
  %near = icmp ult i32 %high, 1000000000
  %runs = icmp ugt i64 %g, 0
  %x = and i1 %later, %near
  %y = and i1 %x, %runs
  %r = zext i1 %y to i32
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %r, ptr %p
  ret void
}
"""
CLOCKS_IN_MLIR = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%o: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %a = nvvm.read.ptx.sreg.clock64 : i64
      %c = nvvm.read.ptx.sreg.clock : i32
      %b = nvvm.read.ptx.sreg.clock64 : i64
      %later = llvm.icmp "ugt" %b, %a : i64
      %r = llvm.zext %later : i1 to i32
      %p = llvm.getelementptr %o[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %r, %p : i32, !llvm.ptr
      llvm.return
    }
  }
}
"""
CLOCKS_IN_PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 o) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [o];
  mov.u32 %r1, %tid.x;
  mov.u64 %rd2, %clock64;
  mov.u32 %r2, %clock;
  mov.u32 %r4, %clock_hi;
  mov.u64 %rd6, %globaltimer;
  mov.u32 %r5, %globaltimer_lo;
  mov.u64 %rd3, %clock64;
  setp.gt.u64 %p1, %rd3, %rd2;
  selp.u32 %r3, 1, 0, %p1;
  mad.wide.u32 %rd5, %r1, 4, %rd1;
  st.global.u32 [%rd5], %r3;
  ret;
}
"""


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
@pytest.mark.parametrize("source", [CLOCKS_IN_LLVM_IR, CLOCKS_IN_MLIR, CLOCKS_IN_PTX])
def test_clocks(source: str, strategy: str):
    if source is CLOCKS_IN_PTX:
        data = lowered_object(import_module(source, "k.ptx"))
    else:
        data = host_object(source) if "module" in source else compile_llvm(source)
    found = np.zeros(COUNT, np.int32)
    launcher = Launcher(data, strategy)
    launcher.launch("k", 1, COUNT, ctypes.c_void_p(found.ctypes.data))
    launcher.close()
    np.testing.assert_array_equal(found, 1)
    assert launcher.strategy.startswith("block-loops" if strategy == "auto" else strategy)


AGGREGATED = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %third = urem i32 %t, 3
  %one = icmp eq i32 %third, 1
  br i1 %one, label %together, label %end
together:
  %mask = call i32 @llvm.nvvm.activemask()
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 %mask)
  %p = getelementptr [2 x i32], ptr %o, i32 %t
  store i32 %mask, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  store i32 %sum, ptr %q
  br label %end
end:
  ret void
}
"""


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads", "watched"])
def test_lanes_that_come_together(strategy: str):
    """`activemask` names the lanes of the branch, which can do a collective operation then."""
    found = np.zeros((COUNT, 2), np.uint32)
    sanitizer = Sanitizer() if strategy == "watched" else None
    asked = "auto" if sanitizer is not None else strategy
    launcher = Launcher(compile_llvm(AGGREGATED), asked, sanitizer=sanitizer)
    launcher.device.mgpuMemHostRegister(found.ctypes.data, found.nbytes)
    launcher.launch("k", 1, COUNT, ctypes.c_void_p(found.ctypes.data))
    launcher.close()
    threads = np.arange(COUNT)
    is_one = threads % 3 == 1
    wanted = np.zeros((2, 32, 2), np.uint32)
    for warp, lanes in enumerate(is_one.reshape(2, 32)):
        wanted[warp, lanes, 0] = sum(1 << int(lane) for lane in np.flatnonzero(lanes))
        wanted[warp, lanes, 1] = threads.reshape(2, 32)[warp, lanes].sum()
    np.testing.assert_array_equal(found, wanted.reshape(COUNT, 2))
    if sanitizer is not None:
        assert not sanitizer.findings()


TILES = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %begin = and i32 %lane, 24
  %tile = shl i32 255, %begin
  %a = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %tile, i32 %t, i32 7, i32 6175)
  %b = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %tile, i32 %a, i32 1, i32 6175)
  %c = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %tile, i32 %b, i32 0, i32 6175)
  %mask = call i32 @llvm.nvvm.activemask()
  %p = getelementptr [2 x i32], ptr %o, i32 %t
  store i32 %mask, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  store i32 %c, ptr %q
  ret void
}
"""


@pytest.mark.parametrize("strategy", ["auto", "threads", "watched"])
def test_lanes_that_come_together_behind_collectives_of_tiles(strategy: str):
    """A lane waits for the others of its warp as long as these get on."""
    found = np.zeros((COUNT, 2), np.uint32)
    sanitizer = Sanitizer() if strategy == "watched" else None
    asked = "auto" if sanitizer is not None else strategy
    launcher = Launcher(compile_llvm(TILES), asked, sanitizer=sanitizer)
    launcher.device.mgpuMemHostRegister(found.ctypes.data, found.nbytes)
    launcher.launch("k", 1, COUNT, ctypes.c_void_p(found.ctypes.data))
    launcher.close()
    assert found[:, 0].tolist() == [0xFFFFFFFF] * COUNT
    assert found[:, 1].tolist() == [t // 8 * 8 + 7 for t in range(COUNT)]


# As `#pragma unroll` leaves it: a loop that has to be unrolled, which a barrier forbids.
UNROLLED = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %v = load i32, ptr %p
  %more = add i32 %v, %i
  store i32 %more, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %goes = icmp slt i32 %next, %n
  br i1 %goes, label %again, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
"""


def test_a_loop_with_a_barrier_that_has_to_be_unrolled(capfd: pytest.CaptureFixture[str]):
    found = np.zeros(COUNT, np.int32)
    launcher = Launcher(compile_llvm(UNROLLED), "threads")
    launcher.launch("k", 1, COUNT, ctypes.c_void_p(found.ctypes.data), ctypes.c_int32(5))
    launcher.close()
    np.testing.assert_array_equal(found, 10)
    assert capfd.readouterr().err == ""
