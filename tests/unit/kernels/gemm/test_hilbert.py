# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hilbert's curve visits each tile of any rectangle once, and neighbours one after the other."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from xgpu.core.rewriting.builder import Rewriter
from xgpu.driver import compiler
from xgpu.kernels.gemm.kernel import place_on_curve

CURVE = """
func.func @curve(%rows: index, %columns: index, %to: memref<?x2xindex>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.muli %rows, %columns : index
  scf.for %i = %0 to %n step %1 {
    memref.store %0, %to[%i, %0] : memref<?x2xindex>
    memref.store %0, %to[%i, %1] : memref<?x2xindex>
  }
  return
}"""


@pytest.fixture(scope="module")
def curve() -> xgpu.Module:
    module = compiler.parse(CURVE, "curve.mlir")
    (loop,) = (op for op in module.walk() if op.name == "scf.for")
    stores = [op for op in loop.walk() if op.name == "memref.store"]
    assert loop.parent is not None
    rows, columns, _ = loop.parent.args
    tile = loop.regions[0].block.args[0]
    for store, at in zip(
        stores, place_on_curve(Rewriter(stores[0]), tile, rows, columns), strict=True
    ):
        store.operands[0] = at
    return xgpu.load(module, device="host")


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 8, 13, 16])
def test_each_tile_comes_once_and_beside_the_one_before(curve: xgpu.Module, rows: int) -> None:
    for columns in (*range(1, 18), 64):
        places = np.full((rows * columns, 2), -1, np.int64)
        curve.functions["curve"](rows, columns, places)
        assert {tuple(at) for at in places.tolist()} == {
            (m, n) for m in range(rows) for n in range(columns)
        }
        steps = np.abs(np.diff(places, axis=0))
        assert (steps.max(axis=1, initial=0) <= 1).all()
        assert (steps.sum(axis=1) > 1).sum() <= 1, (rows, columns)


def test_a_square_of_a_power_of_two_is_the_known_curve(curve: xgpu.Module) -> None:
    """Each quarter of the numbers is a quarter of the square, whatever its size."""
    places = np.full((256, 2), -1, np.int64)
    curve.functions["curve"](16, 16, places)
    for size in (4, 16, 64):
        side = int(size**0.5)
        for first in range(0, 256, size):
            corner = places[first : first + size].min(axis=0)
            assert (corner % side == 0).all()
            assert (places[first : first + size] - corner < side).all()
