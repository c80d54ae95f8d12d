# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which matrices are sparse by twos in fours (2:4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.ir import Operation

    from xgpu.dialects import gpu


def is_2to4(handle: SSAValue) -> bool:
    return getattr(handle.owner, "name", "") == "gpu.create_2to4_spmat"


def dense_tensors_of_2to4(root: Operation) -> set[int]:
    """The ids of the dense tensors in `root` that a product with a 2:4 matrix takes."""
    return {
        id(tensor)
        for op in cast("Iterator[gpu.SpmmOp]", root.walk())
        if op.name == "gpu.spmm" and is_2to4(op.spmat_a)
        for tensor in (op.dnmat_b, op.dnmat_c)
    }
