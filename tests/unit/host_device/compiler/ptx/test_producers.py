# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as compilers for GPUs write them, with inline PTX, launched without their runtime.

Those of Triton and Mosaic GPU are looked for in the folder that XGPU_PRODUCER_KERNELS names:
kernels for sm_90 in the llvm dialect, `add_sm90.mlir`, `softmax_sm90.mlir` and so on; programs for
sm_100 whose names have what a test looks for.
"""

from __future__ import annotations

import ctypes
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from xgpu.core import ods
from xgpu.driver import compiler
from xgpu.host_device.compiler.compiler import compile_module
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

STRATEGIES = ["auto", "warps", "threads"]
_LOAD = (
    "mov.u32 $0, 0x0;\\0A\\09mov.u32 $1, 0x0;\\0A\\09"
    "@$3 ld.global.L1::evict_last.v2.b32 { $0, $1 }, [ $2 + 0 ];"
)
_LOAD_CALL = f'llvm.inline_asm has_side_effects "{_LOAD}", "=r,=r,l,b"'
_STORE_CALL = (
    'llvm.inline_asm has_side_effects "@$3 st.global.v2.b32 [ $2 + 0 ], { $0, $1 };", "r,r,l,b"'
)
#: o[i] = a[i] + b[i], two elements a thread, as far as `n` goes.
PAIRS = f"""
llvm.func @pairs(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %o: !llvm.ptr<1>, %n: i32)
    attributes {{nvvm.kernel, nvvm.reqntid = array<i32: 64>}} {{
  %two = llvm.mlir.constant(2 : i32) : i32
  %block = llvm.mlir.constant(128 : i32) : i32
  %c = nvvm.read.ptx.sreg.ctaid.x : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %start = llvm.mul %c, %block : i32
  %own = llvm.mul %t, %two : i32
  %i = llvm.add %start, %own : i32
  %in = llvm.icmp "slt" %i, %n : i32
  %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %po = llvm.getelementptr %o[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = {_LOAD_CALL} %pa, %in : (!llvm.ptr<1>, i1) -> !llvm.struct<(i32, i32)>
  %y = {_LOAD_CALL} %pb, %in : (!llvm.ptr<1>, i1) -> !llvm.struct<(i32, i32)>
  %x0 = llvm.extractvalue %x[0] : !llvm.struct<(i32, i32)>
  %x1 = llvm.extractvalue %x[1] : !llvm.struct<(i32, i32)>
  %y0 = llvm.extractvalue %y[0] : !llvm.struct<(i32, i32)>
  %y1 = llvm.extractvalue %y[1] : !llvm.struct<(i32, i32)>
  %fx0 = llvm.bitcast %x0 : i32 to f32
  %fx1 = llvm.bitcast %x1 : i32 to f32
  %fy0 = llvm.bitcast %y0 : i32 to f32
  %fy1 = llvm.bitcast %y1 : i32 to f32
  %s0 = llvm.fadd %fx0, %fy0 : f32
  %s1 = llvm.fadd %fx1, %fy1 : f32
  %z0 = llvm.bitcast %s0 : f32 to i32
  %z1 = llvm.bitcast %s1 : f32 to i32
  {_STORE_CALL} %z0, %z1, %po, %in : (i32, i32, !llvm.ptr<1>, i1) -> ()
  llvm.return
}}
"""
#: Without a barrier: each thread reads in workgroup memory what its neighbour writes.
NEIGHBOURS = """
llvm.mlir.global external @s() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @neighbours(%o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %r = llvm.inline_asm has_side_effects "{ .reg .b32 a; xor.b32 a, $1, 4; ASM }",
    "=r,r,r" %p, %t : (!llvm.ptr<3>, i32) -> i32
  llvm.store %r, %q : i32, !llvm.ptr<1>
  llvm.return
}
"""


def _object(text: str) -> bytes:
    from xdsl.dialects.builtin import StringAttr
    from xdsl.ir import Block, Region

    module = compiler.parse(text)
    block = Block()
    for op in list(module.regions[0].blocks[0].ops):
        op.detach()
        block.add_op(op)
    name = {"sym_name": StringAttr("kernels")}
    kernels = ods.create(
        "gpu.module", (), (), name, None, [Region(block)], location=module.location
    )
    return compile_module(kernels)


def _launch(
    data: bytes, strategy: str, shared: int, kernel: str, grid: Any, block: int, *arguments: Any,
    **options: Any,
) -> str:  # fmt: skip
    """Arrays are pointers, integers i32; the strategy that the kernel got."""
    launcher = Launcher(data, strategy, **options)
    launcher.shared = shared
    given = [
        ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_int32(a)
        for a in arguments
    ]
    try:
        for array in arguments:
            if "sanitizer" in options and isinstance(array, np.ndarray):
                launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch(kernel, grid, block, *given)
    finally:
        launcher.close()
    return launcher.strategies[-1] if launcher.strategies else ""


@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
def test_predicated_pairs(strategy: str):
    a, b = (np.random.default_rng(i).standard_normal(1000).astype(np.float32) for i in range(2))
    out = np.full(1100, -1, np.float32)
    _launch(_object(PAIRS), strategy, 0, "pairs", 9, 64, a, b, out, 1000)
    np.testing.assert_array_equal(out[:1000], a + b)
    assert (out[1000:] == -1).all()


@pytest.mark.parametrize(("barrier", "races"), [("", True), ("bar.sync 0;", False)])
def test_the_sanitizer_sees_what_inline_assembly_does(barrier: str, races: bool):
    sanitizer = Sanitizer()
    out = np.zeros(64, np.int32)
    asm = f"st.shared.b32 [$1], $2; {barrier} ld.shared.b32 $0, [a];"
    data = _object(NEIGHBOURS.replace("ASM", asm))
    _launch(data, "auto", 0, "neighbours", 1, 64, out, sanitizer=sanitizer)
    assert bool(sanitizer.findings()) == races
    if not races:
        np.testing.assert_array_equal(out, np.arange(64) ^ 1)


# -- Triton's

_FOLDER = os.environ.get("XGPU_PRODUCER_KERNELS", "")


@pytest.fixture(params=STRATEGIES)
def strategy(request: Any) -> str:
    if not _FOLDER:
        pytest.skip("XGPU_PRODUCER_KERNELS names no folder with kernels of Triton")
    return request.param


def _kernel(name: str) -> bytes:
    return _object((Path(_FOLDER) / f"{name}_sm90.mlir").read_text())


def test_add(strategy: str):
    n = 5000
    a, b = (np.random.default_rng(i).random(n, np.float32) for i in range(2))
    out = np.full(n + 100, -1, np.float32)
    _launch(_kernel("add"), strategy, 0, "add_kernel", 5, 128, a, b, out, n, a, a)
    np.testing.assert_array_equal(out[:n], a + b)
    assert (out[n:] == -1).all()


def test_softmax(strategy: str):
    x = np.random.default_rng(0).standard_normal((5, 1000)).astype(np.float32)
    out = np.zeros_like(x)
    given = (out, x, 1000, 1000, 1000, x, x)
    _launch(_kernel("softmax"), strategy, 16, "softmax_kernel", 5, 128, *given)
    powers = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(out, powers / powers.sum(1, keepdims=True), rtol=1e-5)


def test_sort(strategy: str):
    x = np.random.default_rng(1).standard_normal(256).astype(np.float32)
    out = np.zeros_like(x)
    _launch(_kernel("sort"), strategy, 1024, "sort_kernel", 1, 128, x, out, x, x)
    np.testing.assert_array_equal(out, np.sort(x))


def test_histogram(strategy: str):
    x = np.random.default_rng(2).integers(0, 256, 4000).astype(np.int32)
    out = np.zeros(4096, np.int32)
    _launch(_kernel("hist"), strategy, 4096, "hist_kernel", 8, 128, x, out, 4000, x, x)
    np.testing.assert_array_equal(out, np.bincount(x, minlength=4096))


@pytest.mark.long
def test_matmul(strategy: str):
    m, n, k = 100, 96, 80
    rng = np.random.default_rng(3)
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.standard_normal((k, n)).astype(np.float16)
    out = np.zeros((m, n), np.float16)
    sizes = (m, n, k, k, 1, n, 1, n, 1)
    given = (a, b, out, *sizes, a, a)
    _launch(_kernel("matmul"), strategy, 8192, "matmul_kernel", (2, 2), 128, *given)
    expected = a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_allclose(out, expected, rtol=2e-3, atol=2e-3)


# -- Mosaic GPU's: its stream, a pointer, is taken for a token


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("slicing_0ad780", slice(1, 2)),
        ("slicing_45c0e2", slice(1, 4)),
        ("slicing_c0ece3", slice(3, 4)),
    ],
)
def test_slices_of_tensor_memory(strategy: str, name: str, columns: slice):
    (path,) = Path(_FOLDER).glob(f"*{name}*")
    text = re.sub(
        r"builtin.unrealized_conversion_cast %arg0 : !llvm.ptr to !gpu.async.token",
        "gpu.wait async", path.read_text(),
    )  # fmt: skip
    given = np.random.default_rng(4).standard_normal((256, 4)).astype(np.float32)
    out = np.zeros((256, columns.stop - columns.start), np.float32)
    launcher = Launcher(host_object(text), strategy)
    launcher.shared = 4
    try:
        launcher.launch("kernel_mosaic_gpu_kernel", 1, 128, given, out)
    finally:
        launcher.close()
    np.testing.assert_array_equal(out, given[:, columns])
