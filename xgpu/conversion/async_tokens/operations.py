# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu operations as those of the mgpu dialect, on a stream or by the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    StringAttr,
    UnrealizedConversionCastOp,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.dialects.mgpu.ops import FunctionType

if TYPE_CHECKING:
    from xgpu.conversion.async_tokens.graph_launches import Graphs
    from xgpu.conversion.async_tokens.points import Graph


class Operations:
    """Writes what takes the place of the operations of one unit; `dead` are those.

    With `annotate` the runtime is told the location of each in the source.
    """

    __slots__ = ("_annotate", "_graphs", "_kernels", "_last_kernel", "_region", "dead")

    def __init__(self, region: Region, graphs: Graphs | None, annotate: bool) -> None:
        self._region = region
        self._graphs = graphs
        self._annotate = annotate
        self._kernels: dict[Attribute, SSAValue] = {}
        self._last_kernel: Operation | None = None
        self.dead: list[Operation] = []

    def on_host(self, op: Any, rw: Rewriter) -> None:
        """What is no work for a stream."""
        if op.name == "gpu.alloc":
            operands = [list(op.dynamic_sizes), list(op.symbol_operands)]
            properties = {"hostShared": op.properties["hostShared"]}
            new = rw.create("mgpu.alloc", operands, [op.memref.type], properties)
            self._replace(op, new.results[0])
        elif op.name == "gpu.dealloc":
            rw.create("mgpu.free", [op.memref])
            self.dead.append(op)
        elif is_async_op(op):
            self.dead.append(op)

    def annotate(self, op: Operation, rw: Rewriter) -> None:
        """Tells the runtime where the program says what it does next."""
        if not self._annotate:
            return
        from xgpu.core.ir.locations import source_location

        location = source_location(op.location)
        if location is not None:
            rw.create("mgpu.annotate", (), (), {"text": StringAttr(str(location))})

    def _replace(self, op: Operation, *values: SSAValue) -> None:
        from xgpu.core.ir.construction import replace_all_uses

        for old, new in zip(op.results, values, strict=False):
            if new.name_hint is None:
                new.name_hint = old.name_hint
            replace_all_uses(old, new)
        self.dead.append(op)

    def on_stream(self, op: Any, stream: SSAValue, rw: Rewriter) -> None:
        name = op.name
        if name == "gpu.launch_func":
            self.launch(op, stream, rw)
            self.dead.append(op)
        elif name == "gpu.alloc":
            operands = [[stream], list(op.dynamic_sizes), list(op.symbol_operands)]
            new = rw.create("mgpu.alloc_async", operands, [op.memref.type])
            self._replace(op, new.results[0])
        elif name == "gpu.dealloc":
            rw.create("mgpu.free_async", [stream, op.memref])
            self.dead.append(op)
        elif name == "gpu.memcpy":
            rw.create("mgpu.memcpy", [stream, op.dst, op.src])
            self.dead.append(op)
        elif name == "gpu.memset":
            rw.create("mgpu.memset", [stream, op.dst, op.value])
            self.dead.append(op)
        else:
            self._library_call(op, stream, rw)

    def launch(self, op: Any, stream: SSAValue, rw: Rewriter) -> None:
        # The operands in the middle are the same, and so are the sizes of their groups.
        tokens, *sizes, objects = op.properties["operandSegmentSizes"].get_values()
        operands = tuple(op.operands)
        kernel = self._kernel(op.properties["kernel"], rw)
        rw.insert(
            ods.op_class("mgpu.launch").create(
                operands=[stream, kernel, *operands[tokens : len(operands) - objects]],
                properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, *sizes])},
                location=op.location,
            )
        )

    def graph(self, graph: Graph, stream: SSAValue, rw: Rewriter) -> None:
        assert self._graphs is not None
        launches = [p.op for p in graph.members if "kernel" in p.op.properties]
        kernels = {
            op.properties["kernel"]: self._kernel(op.properties["kernel"], rw) for op in launches
        }
        self.annotate(graph.members[0].op, rw)
        self.dead += self._graphs.launch(graph, stream, kernels, rw)

    def _kernel(self, kernel: Attribute, rw: Rewriter) -> SSAValue:
        """The kernel's handle, asked for once."""
        value = self._kernels.get(kernel)
        if value is None:
            at = Rewriter(location=rw.location)
            if self._last_kernel is None:
                at.at_start(self._region.blocks[0])
            else:
                at.after(self._last_kernel)
            made = at.create("mgpu.kernel", (), (FunctionType(),), {"kernel": kernel})
            self._last_kernel = made
            value = self._kernels[kernel] = made.results[0]
        return value

    def _library_call(self, op: Operation, stream: SSAValue, rw: Rewriter) -> None:
        """Sparse operations stay, with the stream in place of the token."""
        from xgpu.conversion.async_tokens.tokens import with_token

        cast = UnrealizedConversionCastOp.create(
            operands=[stream], result_types=[AsyncTokenType()], location=rw.location
        )
        rw.insert(cast)
        new = with_token(op, cast.results[0], rw)
        self._replace(op, *new.results)
