# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of f16, bf16 and floats of 8 bits in kernels: what the GPU's instructions are."""

import pytest

import xgpu
from xgpu.backend.nvptx import cubin
from xgpu.core.ir.errors import DiagnosticError

KERNEL = """
gpu.module @k {{
  gpu.func @k(%m: memref<4x{type}>, %w: memref<4xf32>) kernel {{
    %i = arith.constant 0 : index
    %0 = memref.load %m[%i] : memref<4x{type}>
    %1 = arith.addf %0, %0 : {type}
    memref.store %1, %m[%i] : memref<4x{type}>
    %2 = arith.extf %0 : {type} to f32
    memref.store %2, %w[%i] : memref<4xf32>
    gpu.return
  }}
}}
"""

INSTRUCTIONS = {
    "f16": "add.rn.f16",
    "bf16": "add.rn.bf16",
    "f8E4M3FN": "cvt.rn.satfinite.e4m3x2.f32",
    "f8E5M2": "cvt.rn.f16x2.e5m2x2",
}


@pytest.mark.parametrize("type", INSTRUCTIONS)
def test_ptx_has_the_instruction(type):
    ptx = xgpu.compile(KERNEL.format(type=type), chip="sm_90").kernels["k"].decode()
    assert INSTRUCTIONS[type] in ptx


@pytest.mark.skipif(cubin.assembler_ptx_version() is None, reason="needs an assembler")
@pytest.mark.parametrize("type", INSTRUCTIONS)
@pytest.mark.parametrize("chip", ["sm_89", "sm_90"])
def test_it_assembles(type, chip):
    image = xgpu.compile(KERNEL.format(type=type), chip=chip, format="bin").kernels["k"]
    assert image[:4] == b"\x7fELF"


def test_a_chip_without_the_instructions_is_named():
    with pytest.raises(DiagnosticError, match="needs sm_89 or newer, not chip 'sm_80'"):
        xgpu.compile(KERNEL.format(type="f8E5M2"), chip="sm_80")
