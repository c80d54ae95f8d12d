# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of the source in kernels' code: directives in PTX, and a line table that ptxas makes."""

import pytest

import xgpu
from tests.support import processes
from xgpu.backend.nvptx import cubin

KERNEL = """\
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel {
    %i = arith.constant 0 : index
    %0 = memref.load %m[%i] : memref<4xf32>
    %1 = arith.mulf %0, %0 : f32 LOCATION
    memref.store %1, %m[%i] : memref<4xf32>
    gpu.return
  }
}
"""


def compiled(location="", **options):
    text = KERNEL.replace("LOCATION", location)
    return xgpu.compile(text, chip="sm_90", filename="/src/kernel.mlir", **options).kernels["k"]


def test_ptx_names_lines_of_the_mlir_file():
    ptx = compiled(line_info=True).decode()
    assert '.file\t1 "/src/kernel.mlir"' in ptx
    for line, instruction in ((4, "ld.global"), (5, "mul.rn.f32"), (6, "st.global")):
        _, found, rest = ptx.partition(f".loc\t1 {line} ")
        assert found
        assert instruction in rest.split(".loc", 1)[0]
    assert ".target sm_90\n" in ptx  # not ", debug": the assembler optimizes


def test_ptx_names_lines_of_the_original_source():
    ptx = compiled('loc("/src/model.py":31:9)', line_info=True).decode()
    number = next(i for i in (1, 2) if f'.file\t{i} "/src/model.py"' in ptx)
    assert f".loc\t{number} 31 9" in ptx


def test_there_are_no_lines_unless_asked_for():
    assert ".loc" not in compiled().decode()


@pytest.mark.skipif(cubin.assembler_ptx_version() is None, reason="needs an assembler")
def test_the_cubin_has_a_line_table():
    assert b".debug_line" in compiled(line_info=True, format="bin")
    image = compiled(line_info=True, format="bin")
    assert b"kernel.mlir" in image


@pytest.mark.skipif(cubin.find_tool("ptxas") is None, reason="needs ptxas")
def test_ptxas_takes_the_directives(tmp_path):
    (tmp_path / "k.ptx").write_bytes(compiled(line_info=True))
    command = ["ptxas", "-lineinfo", "-arch=sm_90", "k.ptx", "-o", "k.cubin"]
    command[0] = cubin.find_tool("ptxas")
    processes.run(command, cwd=tmp_path, check=True, capture_output=True)
