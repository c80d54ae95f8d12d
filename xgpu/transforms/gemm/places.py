# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Storing what a thread has of a product's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1

from xgpu.transforms.circular import numbers
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.rewriting.rewriter import Rewriter
    from xgpu.transforms.circular.numbers import Number
    from xgpu.transforms.gemm.epilogue import Epilogue
    from xgpu.transforms.gemm.product import Product
    from xgpu.transforms.gemm.tiles import Tiles


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
    inside: list[SSAValue] = []
    for loop, extent in ((product.m, tiles.m), (product.n, tiles.n)):
        size = sizes[loop]
        if not isinstance(size, int) or size % extent:
            inside.append(numbers.compare(rw, numbers.ULT, place[loop], size))

    def store() -> list[SSAValue]:
        _add(rw, product, epilogue, value, place)
        return []

    if not inside:
        store()
        return
    both = inside[0] if len(inside) == 1 else rw.value("arith.andi", inside, i1)
    if_else(rw, both, (), store)


def _add(
    rw: Rewriter,
    product: Product,
    epilogue: Epilogue,
    value: SSAValue,
    place: Mapping[int, Number],
) -> None:
    c, wide = product.c, value.type
    places = [place[loop] for loop in c.loops]
    old = epilogue.initial(rw, [numbers.value(rw, index) for index in places])
    if c.element != wide:
        old = rw.value("arith.extf", [old], wide)
    name = "arith.addi" if product.is_integer else "arith.addf"
    new = rw.value(name, [old, value], wide)
    if c.element != wide:
        new = rw.value("arith.truncf", [new], c.element)
    epilogue.store(rw, new, places)
