# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the table of the mgpu dialect cannot say about its operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xgpu.dialects import mgpu


def verify_kernel(op: mgpu.KernelOp) -> None:
    if len(op.kernel.nested_references.data) != 1:
        raise op_error(op, "expects a kernel in a module: @module::@kernel")


def verify_launch(op: mgpu.GraphAddKernelOp | mgpu.LaunchOp) -> None:
    sizes = [op.cluster_size_x, op.cluster_size_y, op.cluster_size_z]
    given = [size for size in sizes if size is not None]
    if given and (len(given) != 3 or any(size.type != given[0].type for size in given)):
        raise op_error(op, "expects three cluster sizes of one type, or none")


def verify_alloc(op: mgpu.AllocOp | mgpu.AllocAsyncOp) -> None:
    ty = op.results[0].type
    dynamic = sum(1 for extent in ty.get_shape() if extent < 0)
    if len(op.dynamic_sizes) != dynamic:
        raise op_error(
            op, f"expects {dynamic} sizes, one a dynamic extent, and has {len(op.dynamic_sizes)}"
        )


VERIFY = {
    "mgpu.kernel": verify_kernel,
    "mgpu.launch": verify_launch,
    "mgpu.graph_add_kernel": verify_launch,
    "mgpu.alloc": verify_alloc,
    "mgpu.alloc_async": verify_alloc,
}
