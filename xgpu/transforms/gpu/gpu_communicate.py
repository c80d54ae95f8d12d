# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-communicate`: collectives of buffers on the device are on a stream of it.

    mpi.allreduce(%a, %a, MPI_SUM, %comm)  =>  mgpu.communicate {
                                                 mpi.allreduce(%a, %a, MPI_SUM, %comm)
                                               }

The host waits for it, unless tokens are given to it afterwards. What NCCL does not have stays as it
is: other reductions, other elements. Messages stay too: a send by itself waits for its receive
there, so which of them are a group is not to be seen.
"""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.bufferization.canonicalize import BufferOrigins
from xgpu.dialects.mgpu.ops import COMMUNICATIONS, NCCL_ELEMENTS, NCCL_REDUCTIONS

_MESSAGES = frozenset(("mpi.recv", "mpi.send"))


class GpuCommunicate(Pass):
    """Collectives of the device's buffers go to streams."""

    name = "gpu-communicate"
    summary = "Put collectives of buffers on the device on a stream"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        found = [inner for inner in op.walk() if _is_nccls(inner)]
        if not found:
            return
        origins = BufferOrigins(op)
        for inner in found:
            if all(_is_on_device(buffer, origins) for buffer in _buffers(inner)):
                _wrap(inner)


def _is_nccls(op: Operation) -> bool:
    """Whether NCCL has what a collective does."""
    if op.name not in COMMUNICATIONS or op.name in _MESSAGES or op.results:
        return False
    parent = op.parent_op()
    if parent is not None and parent.name == "mgpu.communicate":
        return False
    number = op.properties.get("op")
    if isinstance(number, IntegerAttr) and number.value.data not in NCCL_REDUCTIONS:
        return False
    kind = cast("MemRefType[Attribute]", op.operands[0].type)
    return str(kind.element_type) in NCCL_ELEMENTS


def _buffers(op: Operation) -> list[SSAValue]:
    return [op.operands[at] for at in range(len(COMMUNICATIONS[op.name][1]))]


def _is_on_device(buffer: SSAValue, origins: BufferOrigins) -> bool:
    makers = origins.origins(buffer) or {buffer}
    return all(
        isinstance(value.owner, Operation) and value.owner.name == "gpu.alloc" for value in makers
    )


def _wrap(op: Operation) -> None:
    rw = Rewriter(op)
    block = Block()
    rw.create("mgpu.communicate", [], regions=(Region(block),))
    op.detach()
    block.add_op(op)
