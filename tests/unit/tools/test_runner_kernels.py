# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --kernel`: one kernel of a file with arguments from the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.clang import needs_clang
from xgpu.core.ir.errors import UsageError
from xgpu.tools import xgpu_runner

ADD = """
gpu.module @m {
  gpu.func @add(%x: memref<?xf32>, %y: memref<?xf32>, %by: f32) kernel {
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %m = arith.muli %b, %d : index
    %i = arith.addi %m, %t : index
    %v = memref.load %x[%i] : memref<?xf32>
    %s = arith.addf %v, %by : f32
    memref.store %s, %y[%i] : memref<?xf32>
    gpu.return
  }
}
"""
TWO = ADD.replace("gpu.module @m {", """gpu.module @m {
  gpu.func @count(%x: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %v = memref.load %x[%c0] : memref<?xi32>
    %s = arith.addi %v, %one : i32
    memref.store %s, %x[%c0] : memref<?xi32>
    gpu.return
  }""")  # fmt: skip


@pytest.fixture
def add(tmp_path: Path) -> str:
    file = tmp_path / "add.mlir"
    file.write_text(ADD)
    return str(file)


def run(file: str, *words: str) -> int:
    return xgpu_runner.run(["--device=host", "--kernel", file, *words])


def test_a_summary(add: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(add, "--args", "f32[8]=range, f32[8], f32=0.5", "--grid=2", "--block=4") == 0
    assert capsys.readouterr().out == (
        "x: f32[8] = [0, 1, 2, 3, 4, 5, 6, 7], min 0, max 7, mean 3.5\n"
        "y: f32[8] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], min 0.5, max 7.5, mean 4\n"
    )


def test_whole_arrays(add: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(add, "--args", "f32[3]=ones,f32[3]=2,f32=1", "--block=3", "--print") == 0
    assert capsys.readouterr().out == "x: f32[3] =\n[1. 1. 1.]\ny: f32[3] =\n[2. 2. 2.]\n"


def test_files(add: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = str(tmp_path / "x.npy"), str(tmp_path / "out.npy")
    np.save(given, np.arange(32, dtype=np.float32))
    arguments = ("--args", f"{given}, f32[32]=zeros, f32=2", "--block=32")
    assert run(add, *arguments, f"--save=2={out}") == 0
    np.testing.assert_array_equal(np.load(out), np.arange(32) + 2)
    assert run(add, *arguments, f"--expect=2={out}") == 0
    capsys.readouterr()
    assert run(add, *arguments, f"--expect=2={given}", f"--expect=1={given}") == 1
    assert capsys.readouterr().err == (
        "xgpu-runner: error: argument 2 differs in 32 of 32 elements, first in [0]: "
        "expected 0.0, but found 2.0\n"
    )


def test_random_arrays_are_the_same_each_time(add: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for seed in ("3", "3", "4"):
        run(add, "--args", "f32[4]=random, f32[4], f32=0", "--block=4", f"--seed={seed}")
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2]


def test_the_sanitizer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.mlir"
    file.write_text(TWO)
    report = tmp_path / "found.json"
    words = ("--entry=count", "--args=i32[1]=0", "--block=64", "--sanitize=race")
    assert run(str(file), *words, f"--sanitize-report={report}") == 1
    said = capsys.readouterr().err
    assert f"{file}:8:5: error: race" in said
    assert f"{file}:6:10: note: " in said
    assert '"race"' in report.read_text()
    assert run(str(file), "--entry=count", "--args=i32[1]=0", "--sanitize=race") == 0


@needs_clang
def test_cuda(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.cu"
    file.write_text("template <typename T> __global__ void k(T *x) { x[threadIdx.x] *= N; }\n")
    words = ("--instantiate=k<double>", "--clang-options=-DN=3", "--args=f64[2]=range", "--block=2")
    assert run(str(file), *words) == 0
    assert capsys.readouterr().out == "x: f64[2] = [0, 3], min 0, max 3, mean 1.5\n"


TYPES = "with a type of i1, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, index"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--entry=ad"], "no kernel 'ad' in '{file}'; did you mean 'add'?"),
        (["--entry=zzz"], "no kernel 'zzz' in '{file}'; there are: count, add"),
        ([], "'{file}' has several kernels, name one with --entry: count, add"),
        (["--args=f31[3]"], "option '--args', argument 1 is 'f31[3]', expected TYPE[SIZES]=zeros"
         "|ones|range|random|NUMBER|FILE.npy, TYPE=NUMBER or FILE.npy, " + TYPES),
        (["--args=i32=1, f32[2x]"], "option '--args', argument 2 is 'f32[2x]', expected sizes such "
         "as [1024] or [32x32]"),
        (["--args=f32[2]=lots"], "option '--args', argument 1 is 'f32[2]=lots', expected a number "
         "behind '='"),
        (["--args=i32[1]=99999999999"], "option '--args', argument 1 is 'i32[1]=99999999999', and "
         "int32 holds numbers from -2147483648 to 2147483647"),
        (["--args=u8[2]=-1"], "option '--args', argument 1 is 'u8[2]=-1', and uint8 holds numbers "
         "from 0 to 255"),
        (["--args=i8[300]=range"],
         "option '--args', argument 1 is 'i8[300]=range', and int8 holds numbers from -128"),
        (["--args=f16[2]=1e9"], "option '--args', argument 1 is 'f16[2]=1e9', and float16 holds "
         "numbers up to 65504"),
        (["--args=none.npy"], "cannot read 'none.npy': No such file or directory"),
        (["--args=i32=1", "--expect=1=a.npy"], "option '--expect' is '1=a.npy', expected "
         "N=FILE.npy with the number of an argument that is an array: none"),
        (["--entry=count", "--grid=1x2x3x4"], "option '--grid' is '1x2x3x4', expected 1 to 3 sizes "
         "such as 4 or 16x16"),
        (["--entry=count"], "kernel 'count' takes 1 argument (x), but 0 were given"),
        (["--entry=count", "--args=i32=1"], "kernel 'count', argument 'x' of type memref<?xi32>: "
         "expected an array"),
        (["--report"], "options '--kernel' and '--report' exclude one another"),
        (["other.mlir"], "option '--kernel' names the file, and 'other.mlir' is another"),
        (["--shared=many"], "option '--shared' is 'many', expected a number of bytes"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path: Path, words: list[str], message: str) -> None:
    file = tmp_path / "two.mlir"
    file.write_text(TWO)
    with pytest.raises(UsageError) as caught:
        run(str(file), *words)
    assert str(caught.value).startswith(message.format(file=file))


def test_options_need_a_kernel() -> None:
    with pytest.raises(UsageError, match="option '--grid' needs '--kernel'"):
        xgpu_runner.run(["--grid=3", "x.mlir"])
