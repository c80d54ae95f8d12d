# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scale.by` becomes a kernel: a copy to the device, a launch with a thread an element, a copy
back, each ordered after the one before by a token."""

from dataclasses import dataclass

from xdsl.builder import ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, OpResult
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from scale_dialect.dialect import ScaleOp
from xgpu.dialects import arith, gpu, memref


def kernel(buffer: OpResult, op: ScaleOp) -> Block:
    """The body of the launch: thread x multiplies element x."""
    body = Block(arg_types=[IndexType()] * 12)
    thread = body.args[3]
    with ImplicitBuilder(body):
        old = memref.LoadOp(buffer, [thread])
        new = arith.MulfOp(old, op.factor)
        memref.StoreOp(new, buffer, [thread])
        gpu.TerminatorOp()
    return body


class ScaleToLaunch(RewritePattern):
    """The only pattern."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ScaleOp, rewriter: PatternRewriter, /) -> None:
        block = Block()
        with ImplicitBuilder(block):
            size = memref.DimOp(op.buffer, 0)
            start = gpu.WaitOp(async_token=True)
            device = gpu.AllocOp([start], [size], memref=op.buffer.type, async_token=True)
            there = gpu.MemcpyOp(
                dst=device.memref,
                src=op.buffer,
                async_dependencies=device.results[1:],
                async_token=True,
            )
            launch = gpu.LaunchOp(
                [there],
                grid_size_x=1,
                grid_size_y=1,
                grid_size_z=1,
                block_size_x=size,
                block_size_y=1,
                block_size_z=1,
                body=kernel(device.memref, op),
                async_token=True,
            )
            back = gpu.MemcpyOp(
                dst=op.buffer, src=device.memref, async_dependencies=launch, async_token=True
            )
            free = gpu.DeallocOp(memref=device.memref, async_dependencies=back, async_token=True)
            gpu.WaitOp([free])
        rewriter.inline_block(block, InsertPoint.before(op))
        rewriter.erase(op)


@dataclass(frozen=True)
class ScaleToGPUPass(ModulePass):
    """Lowers the scale dialect to the gpu dialect."""

    name = "scale-to-gpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(ScaleToLaunch()).rewrite_module(op)
