# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The feed-forward layer of Lighthouse's MPI example (github.com/llvm/lighthouse, examples/mpi), as
its generator writes it, and its schedules in the transform dialect.

D = sigmoid(A @ B) @ C, with weights that stay where they are. Here tosa.sigmoid is what
tosa-to-linalg makes of it, since there is no tosa dialect.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
Axes = list[list[int]]

#: Sizes M, N, K: activations are MxK, weights KxN and NxK.
M, N, K = 8, 16, 32
#: By the grid: how activations, both weights, and what is between the products are split.
GRIDS: dict[tuple[int, ...], dict[str, Axes]] = {
    (4,): {
        "act": [[], [0]], "win": [[], [0]], "wout": [[0], []],
        "mm0a_mm1c": [[]], "mm0_c": [[], [0]], "sigmoid": [[], [0]],
    },
    (2, 2): {
        "act": [[], [0, 1]], "win": [[0], [1]], "wout": [[1], [0]],
        "mm0a_mm1c": [[], [0]], "mm0_c": [[], [1]], "sigmoid": [[], [1, 0]],
    },
}  # fmt: skip
_SHAPES = {"act": (M, K), "win": (K, N), "wout": (N, K)}

#: The passes of each schedule, with the options that it gives them. Buffers of a whole module are
#: released, not of a function, where MLIR 22.1 asks for a library function.
SHARD = (
    'sharding-propagation with options = {"traversal" = "forward-backward"}',
    "shard-partition", "shard-simplify", "convert-shard-to-mpi", "canonicalize",
)  # fmt: skip
BUFFERIZE = (
    "linalg-generalize-named-ops", "linalg-fuse-elementwise-ops", "eliminate-empty-tensors",
    "one-shot", 'drop-equivalent-buffer-results with options = {"modify-public-functions" = true}',
    "buffer-deallocation-pipeline",
)  # fmt: skip
LOWER = (
    "convert-linalg-to-parallel-loops", "scf-parallel-loop-fusion", "canonicalize",
    "expand-strided-metadata", "lower-affine", "convert-vector-to-scf", "convert-scf-to-cf",
    "symbol-dce", "convert-vector-to-llvm", "canonicalize", "convert-to-llvm",
    "reconcile-unrealized-casts", "cse",
)  # fmt: skip
_ANY = "(!transform.any_op) -> !transform.any_op"
_ONE_SHOT = (
    "transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %LAST "
    "{bufferize_function_boundaries = true}"
)


def schedule(passes: tuple[str, ...]) -> str:
    """A sequence that runs passes: those that split tensors on the functions, others on their
    module."""
    lines = [f'%0 = transform.structured.match ops{{["func.func"]}} in %root : {_ANY}']
    if passes is not SHARD:
        of_module = '{deduplicate, op_name = "builtin.module"}'
        lines.append(f"%1 = transform.get_parent_op %0 {of_module} : {_ANY}")
    for given in passes:
        name, blank, options = given.partition(" ")
        last = len(lines) - 1
        run = f'transform.apply_registered_pass "{name}"{blank}{options} to %{last}'
        if given == "one-shot":
            run = _ONE_SHOT.replace("LAST", str(last))
        lines.append(f"%{last + 1} = {run} : {_ANY}")
    body = "\n".join(lines)
    return f"""
transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
{body}
transform.yield
}}"""


def _kind(rows: int, columns: int) -> str:
    return f"tensor<{rows}x{columns}xf32>"


def _sigmoid(value: str) -> str:
    kind = _kind(M, N)
    return f"""
  %sigmoid_to = tensor.empty() : {kind}
  %sig = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({value} : {kind}) outs(%sigmoid_to : {kind}) {{
  ^bb0(%x: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %x : f32
    %power = math.exp %minus : f32
    %sum = arith.addf %power, %one : f32
    %result = arith.divf %one, %sum : f32
    linalg.yield %result : f32
  }} -> {kind}"""


def program(grid: tuple[int, ...]) -> str:
    """The layer, and a function that gathers each kind of argument."""
    splits = GRIDS[grid]
    act, win, wout, inner = _kind(M, K), _kind(K, N), _kind(N, K), _kind(M, N)
    shardings = "\n".join(
        f"  %sh_{name} = shard.sharding @grid0 split_axes = {axes} : !shard.sharding"
        for name, axes in splits.items()
    )
    shape = "x".join(map(str, grid))
    gathers = "".join(_gather(name, splits[name]) for name in _SHAPES)
    return f"""
module attributes {{mpi.dlti = #dlti.map<"MPI:Implementation" = "MPICH",
                                        "MPI:comm_world_size" = 4>}} {{
shard.grid @grid0(shape = {shape})
func.func @payload(%a: {act}, %b: {win}, %c: {wout}, %r: {act}) -> {act}
    attributes {{llvm.emit_c_interface}} {{
  %cst = arith.constant 0.0 : f32
{shardings}
  %sd_ai = shard.shard %a to %sh_act : {act}
  %sd_bi = shard.shard %b to %sh_win : {win}
  %sd_ci = shard.shard %c to %sh_wout : {wout}
  %sd_r = shard.shard %r to %sh_act : {act}
  %empty0 = tensor.empty() : {inner}
  %fill0 = linalg.fill ins(%cst : f32) outs(%empty0 : {inner}) -> {inner}
  %sd_a1 = shard.shard %sd_ai to %sh_mm0a_mm1c annotate_for_users : {act}
  %sd_fill0 = shard.shard %fill0 to %sh_mm0_c annotate_for_users : {inner}
  %mm0 = linalg.matmul ins(%sd_a1, %sd_bi : {act}, {win}) outs(%sd_fill0 : {inner}) -> {inner}
  %sd_mm0 = shard.shard %mm0 to %sh_sigmoid annotate_for_users : {inner}
{_sigmoid("%sd_mm0")}
  %empty1 = tensor.empty() : {act}
  %fill1 = linalg.fill ins(%cst : f32) outs(%empty1 : {act}) -> {act}
  %sd_fill1 = shard.shard %fill1 to %sh_mm0a_mm1c annotate_for_users : {act}
  %mm1 = linalg.matmul ins(%sig, %sd_ci : {inner}, {wout}) outs(%sd_fill1 : {act}) -> {act}
  %sd_res = shard.shard %mm1 to %sh_act annotate_for_users : {act}
  %res = bufferization.materialize_in_destination %sd_res in %sd_r : ({act}, {act}) -> {act}
  %last = shard.shard %res to %sh_act annotate_for_users : {act}
  return %last : {act}
}}
{gathers}}}
"""


def _gather(name: str, axes: Axes) -> str:
    kind = _kind(*_SHAPES[name])
    return f"""
func.func @gather_{name}(%arg: {kind}) -> {kind} attributes {{llvm.emit_c_interface}} {{
  %from = shard.sharding @grid0 split_axes = {axes} : !shard.sharding
  %to = shard.sharding @grid0 split_axes = [[]] : !shard.sharding
  %0 = shard.shard %arg to %from : {kind}
  %1 = shard.shard %0 to %to annotate_for_users : {kind}
  return %1 : {kind}
}}
"""


def part(grid: tuple[int, ...], rank: int, name: str, whole: Array) -> Array:
    """What a rank has of an argument."""
    index = np.unravel_index(rank, grid)
    for dimension, axes in enumerate(GRIDS[grid][name]):
        sizes = [grid[axis] for axis in axes]
        if axes:
            at = int(np.ravel_multi_index([index[axis] for axis in axes], sizes))
            whole = np.split(whole, int(np.prod(sizes)), dimension)[at]
    return np.ascontiguousarray(whole)


def wanted(a: Array, b: Array, c: Array) -> Array:
    """The layer as NumPy computes it."""
    return 1 / (1 + np.exp(-(a @ b))) @ c
