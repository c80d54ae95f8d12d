# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fast, ftz and fma-contract from Python, and what libdevice makes of them."""

import pytest

import xgpu
from xgpu.backend.nvptx.compiler import libdevice_path
from xgpu.backend.nvptx.float_modes import FloatMode

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


def test_a_fast_form_is_declared_once():
    text = "declare float @__nv_expf(float)\ndeclare float @__nv_fast_expf(float)\n"
    changed = FloatMode(approximate=True).in_text(text)
    assert changed.count("declare") == 1
    assert "@__nv_fast_expf(" in changed
