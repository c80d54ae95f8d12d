# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each collective of shard on 2x2 processes, beside what NumPy says of all processes' tensors.

A rank of MPI runs this file: `mpiexec -n 4 python collective_ranks.py`, or, for a communicator of
mpi4py's, `mpiexec -n 5 python collective_ranks.py mpi4py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from sharded_programs import LIFE

import xgpu
from xgpu.runtime import mpi

Array = Any
Group = list[Array]
GRID = (2, 2)
SIZE = 4


def _of_root(op: Callable[[Group], Array], root: int) -> Callable[[Group], list[Array | None]]:
    """What the root gets; what others get is undefined."""
    return lambda parts: [op(parts) if at == root else None for at in range(len(parts))]


def _exchange(parts: Group) -> Group:
    pieces = [np.split(part, len(parts), 0) for part in parts]
    return [np.concatenate(column, 1) for column in zip(*pieces, strict=True)]


#: Name, axes, the operation, the shape of its result, and what the group of a process gets.
_CASES: list[tuple[str, list[int], str, str, Callable[[Group], list[Array | None]]]] = [
    ("all_reduce", [1], "", "4x4", lambda p: [sum(p)] * len(p)),
    ("all_reduce", [0, 1], "reduction = max", "4x4", lambda p: [np.maximum.reduce(p)] * len(p)),
    ("all_gather", [0], "gather_axis = 1", "4x8", lambda p: [np.concatenate(p, 1)] * len(p)),
    ("all_slice", [1], "slice_axis = 0", "2x4",
     lambda p: [np.split(x, len(p), 0)[at] for at, x in enumerate(p)]),
    ("all_to_all", [0, 1], "split_axis = 0 concat_axis = 1", "1x16", _exchange),
    ("reduce_scatter", [0], "scatter_axis = 1", "4x2", lambda p: np.split(sum(p), len(p), 1)),
    ("broadcast", [1], "root = [1]", "4x4", lambda p: [p[1]] * len(p)),
    ("gather", [0], "gather_axis = 0 root = [1]", "8x4", _of_root(np.concatenate, 1)),
    ("reduce", [0, 1], "root = [1, 0]", "4x4", _of_root(sum, 2)),
    ("scatter", [1], "scatter_axis = 1 root = [1]", "4x2", lambda p: np.split(p[1], len(p), 1)),
    ("scatter", [0, 1], "scatter_axis = 0 root = [1, 0]", "1x4",
     lambda p: np.split(p[2], len(p), 0)),
    ("shift", [1], "shift_axis = 1 offset = 1", "4x4", lambda p: [None, p[0]]),
    ("shift", [0, 1], "shift_axis = 0 offset = -1 rotate", "4x4",
     lambda p: [p[2], p[3], p[0], p[1]]),
]  # fmt: skip


def for_library(text: str) -> str:
    """A program for the library that the `mpiexec` of this machine belongs to."""
    if not mpi.has_mpiexec() or mpi.implementation_of_launcher() == "MPICH":
        return text
    head = 'module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">'
    if text.startswith("module attributes {"):
        return text.replace("module attributes {", f"{head}, ", 1)
    return f"{head}}} {{{text}}}"


_FUNCTIONAL = ("broadcast", "gather", "reduce", "scatter")

_HEAD = f"""
shard.grid @g(shape = 2x2)
{LIFE}"""
_MORE = """
func.func @rank() -> index {
  %0 = shard.process_linear_index on @g : index
  return %0 : index
}
func.func @message(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %r:2 = shard.process_multi_index on @g : index, index
  %first = arith.cmpi eq, %r#1, %c0 : index
  %got = scf.if %first -> tensor<4x4xf32> {
    %0 = shard.send %t on @g grid_axes = [1] destination = [1]
      : (tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  } else {
    %1 = shard.recv %t on @g grid_axes = [1] source = [%c0]
      : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  }
  return %got : tensor<4x4xf32>
}
"""


def _function(number: int) -> str:
    name, axes, words, shape, _ = _CASES[number]
    types = f"tensor<4x4xf32> -> tensor<{shape}xf32>"
    if name in _FUNCTIONAL:
        types = f"(tensor<4x4xf32>) -> tensor<{shape}xf32>"
    return (
        f"func.func @f{number}(%t: tensor<4x4xf32>) -> tensor<{shape}xf32> {{\n"
        f"  %0 = shard.{name} %t on @g grid_axes = {axes} {words} : {types}\n"
        f"  return %0 : tensor<{shape}xf32>\n}}\n"
    )


TEXT = _HEAD + _MORE + "".join(map(_function, range(len(_CASES))))


def _tensor(rank: int) -> Array:
    return (np.arange(SIZE * SIZE, dtype=np.float32) + 100 * rank).reshape(SIZE, SIZE)


def _group(rank: int, axes: list[int]) -> list[int]:
    """The ranks of a process's group, in their order."""
    own = np.unravel_index(rank, GRID)
    ranks = range(GRID[0] * GRID[1])
    others = [axis for axis in range(len(GRID)) if axis not in axes]
    return [r for r in ranks if all(np.unravel_index(r, GRID)[a] == own[a] for a in others)]


def check(functions: Any, rank: int) -> None:
    """Compares all collectives of one rank. Raises AssertionError."""
    assert functions["rank"]() == rank
    own = _tensor(rank)
    for number, (_, axes, _, _, of_group) in enumerate(_CASES):
        found = functions[f"f{number}"](own).numpy()
        group = _group(rank, axes)
        wanted = of_group([_tensor(other) for other in group])[group.index(rank)]
        if wanted is not None:
            np.testing.assert_array_equal(found, wanted, str(_CASES[number][:3]))
    np.testing.assert_array_equal(functions["message"](own).numpy(), _tensor(rank - rank % 2))


def _of_callers_communicator() -> None:
    """The ranks of the world but the first, the other way round."""
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    comm = world.Split(min(world.rank, 1), -world.rank)
    if world.rank:
        module = xgpu.load(for_library(TEXT), device="host", opt_level=0, communicator=comm)
        check(module.functions, comm.rank)
        total = module.functions["f0"](np.full((SIZE, SIZE), world.rank, np.float32)).numpy()
        # Both ranks of a row of the grid.
        assert total[0, 0] == {1: 1 + 2, 2: 1 + 2, 3: 3 + 4, 4: 3 + 4}[world.rank]
        sys.stdout.write(f"rank {comm.rank}: as NumPy says\n")


def main() -> None:
    if sys.argv[1:] == ["mpi4py"]:
        _of_callers_communicator()
        return
    functions = xgpu.load(for_library(TEXT), device="host", opt_level=0).functions
    functions["init"]()
    rank = functions["rank"]()
    check(functions, rank)
    functions["finish"]()
    sys.stdout.write(f"rank {rank}: as NumPy says\n")


if __name__ == "__main__":
    main()
