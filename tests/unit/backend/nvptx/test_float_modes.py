# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fast, ftz and fma-contract from Python, and what libdevice makes of them."""

import pytest

import xgpu
from xgpu.backend.llvm_ir import translate
from xgpu.backend.nvptx.compiler import libdevice_path
from xgpu.backend.nvptx.float_modes import FloatMode, with_libdevice
from xgpu.core.syntax import parse_module

KERNEL = """
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>, %a: f32) kernel {
    %i = arith.constant 0 : index
    %0 = memref.load %m[%i] : memref<4xf32>
    %1 = arith.mulf %0, %a : f32
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %m[%i] : memref<4xf32>
    CALL
    gpu.return
  }
}
"""
EXP = "%3 = math.exp %2 : f32  memref.store %3, %m[%i] : memref<4xf32>"


def ptx(call="", **options):
    text = KERNEL.replace("CALL", call)
    return xgpu.compile(text, chip="sm_80", **options).kernels["k"].decode()


def test_contraction_is_asked_for():
    exact = ptx()
    assert "mul.rn.f32" in exact
    assert "fma" not in exact
    assert "fma.rn.f32" in ptx(fma_contract=True)


def test_ftz_flushes_without_contracting():
    text = ptx(ftz=True)
    assert "mul.rn.ftz.f32" in text
    assert "fma" not in text


@pytest.mark.skipif(libdevice_path() is None, reason="needs libdevice")
def test_fast_takes_the_fast_forms_of_libdevice():
    exact, fast = ptx(EXP), ptx(EXP, fast=True)
    assert "ex2.approx.ftz.f32" in fast
    assert fast.count("\n") < exact.count("\n")  # one instruction instead of a range reduction


BOTH = """
gpu.module @k {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @__nv_logf(f32) -> f32
  llvm.func @__nv_fast_expf(f32) -> f32
  llvm.func @k(%x: f32) -> f32 {
    %0 = llvm.call @__nv_expf(%x) : (f32) -> f32
    %1 = llvm.call @__nv_fast_expf(%0) : (f32) -> f32
    %2 = llvm.call @__nv_logf(%1) : (f32) -> f32
    llvm.return %2 : f32
  }
}
"""


def test_libdevice_is_asked_for_the_mode_for_a_while():
    module = parse_module(BOTH)
    (kernels,) = module.regions[0].block.ops
    before = translate(kernels)
    with with_libdevice(kernels, FloatMode(approximate=True, flush=True)):
        text = translate(kernels)
    assert text.count("call float @__nv_fast_expf(") == 2
    assert text.count("declare float @__nv_fast_expf(") == 1
    assert "declare float @__nv_fast_logf(" in text
    assert "@__nv_logf(" not in text
    assert '!{i32 4, !"nvvm-reflect-ftz", i32 1}' in text
    assert translate(kernels) == before
