# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of the mgpu dialect: the runtime's handles, which have no parameters."""

from __future__ import annotations

from xdsl.ir import Attribute

from xgpu.dialects.syntax_helpers import PlainType


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
