# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""y = a x + y as in saxpy.py, with a kernel that Python builds instead of text."""

import numpy as np
from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    f32,
)
from xdsl.ir import Block

import xgpu
from xgpu.dialects import arith, gpu, memref, scf


def program() -> ModuleOp:
    """A module with one gpu.module, which has one kernel."""
    array = MemRefType(f32, [DYNAMIC_INDEX])
    types = [f32, array, array, IndexType()]
    body = Block(arg_types=types)
    a, x, y, n = body.args
    for argument, name in zip(body.args, "axyn", strict=True):
        argument.name_hint = name  # what launches call their arguments
    with ImplicitBuilder(body):
        block, size = gpu.BlockIdOp(dimension="x"), gpu.BlockDimOp(dimension="x")
        thread = gpu.ThreadIdOp(dimension="x")
        i = arith.AddiOp(arith.MuliOp(block, size), thread).result
        inside = Block()
        with ImplicitBuilder(inside):
            product = arith.MulfOp(a, memref.LoadOp(x, [i]))
            memref.StoreOp(arith.AddfOp(product, memref.LoadOp(y, [i])), y, [i])
            scf.YieldOp()
        scf.IfOp(arith.CmpiOp(i, n, predicate="ult"), then_region=inside)
        gpu.ReturnOp()
    kernel = gpu.FuncOp(
        sym_name="saxpy", kernel=True, function_type=FunctionType.from_lists(types, []), body=body
    )
    return ModuleOp([gpu.ModuleOp(sym_name="kernels", body_region=[kernel])])


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    saxpy = xgpu.load(program(), device).kernels.saxpy
    x = np.arange(10_000, dtype=np.float32)
    y = np.ones_like(x)
    on_device = xgpu.asarray(y, device, copy=True)
    grid = -(-x.size // 256)
    saxpy[grid, 256](2.0, x=xgpu.asarray(x, device), y=on_device, n=x.size)
    return on_device.numpy(), 2 * x + y


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
