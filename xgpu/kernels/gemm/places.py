# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Storing what a thread has of a product's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xgpu.kernels.circular import numbers
from xgpu.kernels.gemm.bounds import inside
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.gemm.epilogue import Epilogue
    from xgpu.kernels.gemm.product import Product
    from xgpu.kernels.gemm.tiles import Tiles


def store_element(
    rw: Rewriter,
    product: Product,
    tiles: Tiles,
    epilogue: Epilogue,
    value: SSAValue,
    place: Mapping[int, Number],
    sizes: Mapping[int, Number],
) -> None:
    """Adds `value` to the element at `place`, by loop, if there is one."""
    extents = {product.m: tiles.m, product.n: tiles.n}
    in_bounds = inside(rw, place, sizes, extents)

    def store() -> list[SSAValue]:
        at = [numbers.value(rw, place[loop]) for loop in product.c.loops]
        for memory, element in results_at(rw, product, epilogue, value, place).items():
            rw.create("memref.store", [element, memory, *at])
        return []

    if in_bounds is None:
        store()
    else:
        if_else(rw, in_bounds, (), store)


def results_at(
    rw: Rewriter,
    product: Product,
    epilogue: Epilogue,
    value: SSAValue,
    place: Mapping[int, Number],
) -> dict[SSAValue, SSAValue]:
    """By memref what is to be stored at `place`: `value` added to what was there, and what the
    operations behind the product make of it."""
    c, wide = product.c, value.type
    places = [place[loop] for loop in c.loops]
    old = epilogue.initial(rw, [numbers.value(rw, index) for index in places])
    if c.element != wide:
        old = rw.value("arith.extf", [old], wide)
    name = "arith.addi" if product.is_integer else "arith.addf"
    new = rw.value(name, [old, value], wide)
    if c.element != wide:
        new = rw.value("arith.truncf", [new], c.element)
    return epilogue.values(rw, new, places)
