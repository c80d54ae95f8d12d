# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions in parts and tiles without a remainder, beside mlir-opt 22, over shapes and sizes."""

from __future__ import annotations

import pytest

from tests.filecheck.conftest import run_stage
from tests.support import processes

pytestmark = [pytest.mark.parity, pytest.mark.long]

_PROGRAM = """
#all = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j, k) -> (i)>
!op = !transform.any_op
!in = tensor<{shape}x{element}>
!out = tensor<{rows}x{element}>
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !op {{transform.readonly}}) {{
    %0 = transform.structured.match ops{{["linalg.generic"]}} in %root : (!op) -> !op
    {transform}
    transform.yield
  }}
  func.func @f(%a: !in, %b: !out) -> !out {{
    %r = linalg.generic {{indexing_maps = [#all, #row],
        iterator_types = ["parallel", "reduction", "reduction"]}}
        ins(%a : !in) outs(%b : !out) {{
    ^bb0(%x: {element}, %y: {element}):
      %s = arith.{combine} %y, %x : {element}
      linalg.yield %s : {element}
    }} -> !out
    return %r : !out
  }}
}}
"""
_TRANSFORMS = {
    "for": "tile_reduction_using_for %0 by tile_sizes = {sizes} : (!op) -> (!op, !op, !op, !op)",
    "tiles": "tile_reduction_using_forall %0 by tile_sizes = {sizes} "
    ": (!op) -> (!op, !op, !op, !op)",
    "threads": "tile_reduction_using_forall %0 by num_threads = {sizes} "
    ": (!op) -> (!op, !op, !op, !op)",
    "sizes": "multitile_sizes %0 {{dimension = 1, target_size = {size}, divisor = 2}} "
    ": (!op) -> !op",
}


@pytest.mark.parametrize("shape", ["4x64x32", "?x?x32", "?x7x?"])
@pytest.mark.parametrize("sizes", [(0, 5), (0, 0, 4), (0, 7, 3), (0, 1, 2)])
@pytest.mark.parametrize("kind", _TRANSFORMS)
def test_same(kind: str, sizes: tuple[int, ...], shape: str, mlir_opt: str) -> None:
    combine, element = {5: ("addf", "f32"), 4: ("maxsi", "i32")}.get(sizes[-1], ("mulf", "f64"))
    call = _TRANSFORMS[kind].format(sizes=list(sizes), size=max(sizes))
    results = "%1, %2, %3" if kind == "sizes" else "%1, %2, %3, %4"
    text = _PROGRAM.format(
        transform=f"{results} = transform.structured.{call}",
        shape=shape,
        rows=shape.partition("x")[0],
        element=element,
        combine=combine,
    )
    passes = ["--transform-interpreter", "--canonicalize", "--cse"]
    theirs = processes.run([mlir_opt, *passes], input=text, capture_output=True, text=True)
    assert theirs.returncode == 0, theirs.stderr
    ours, errors, code = run_stage(["xgpu-opt", *passes], text.encode(), False)
    assert code == 0, errors
    assert ours.decode().split() == theirs.stdout.split()
