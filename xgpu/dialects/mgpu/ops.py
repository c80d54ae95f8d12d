# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tables leave out of the mgpu dialect: types, syntax and verifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from xgpu.core.ir.errors import op_error
from xgpu.dialects.gpu.syntax import DIRECTIVES as _GPU
from xgpu.dialects.syntax_helpers import PlainType

if TYPE_CHECKING:
    from xgpu.dialects import mgpu


# -- Types of the mgpu dialect: the runtime's handles, which have no parameters.


class StreamType(PlainType):
    """`!mgpu.stream`"""

    name = "mgpu.stream"


class EventType(PlainType):
    """`!mgpu.event`"""

    name = "mgpu.event"


class ModuleType(PlainType):
    """`!mgpu.module`"""

    name = "mgpu.module"


class FunctionType(PlainType):
    """`!mgpu.function`"""

    name = "mgpu.function"


class GraphType(PlainType):
    """`!mgpu.graph`"""

    name = "mgpu.graph"


class GraphNodeType(PlainType):
    """`!mgpu.graph_node`"""

    name = "mgpu.graph_node"


class GraphExecType(PlainType):
    """`!mgpu.graph_exec`"""

    name = "mgpu.graph_exec"


#: Every handle is a pointer in the end.
HANDLES = frozenset(
    cls.name
    for cls in (
        StreamType, EventType, ModuleType, FunctionType, GraphType, GraphNodeType, GraphExecType,
    )
)  # fmt: skip

ATTRIBUTES: dict[str, type[Attribute]] = {
    cls.name: cls
    for cls in (
        StreamType, EventType, ModuleType, FunctionType, GraphType, GraphNodeType, GraphExecType,
    )
}  # fmt: skip


# -- Syntax that launches of the mgpu dialect share with `gpu.launch_func`.


DIRECTIVES = {name: _GPU[name] for name in ("LaunchDimType", "LaunchFuncOperands")}


# -- What the table of the mgpu dialect cannot say about its operations.


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
