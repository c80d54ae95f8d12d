# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of the mgpu dialect: the runtime's handles, which have no parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Data, TypeAttribute

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer


class _HandleType(Data[None], TypeAttribute):
    """A handle: its name is its whole syntax."""

    def __init__(self, data: None = None) -> None:
        super().__init__(None)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> None:
        return None

    def print_parameter(self, printer: Printer) -> None:
        """Prints nothing after the name."""


class StreamType(_HandleType):
    """`!mgpu.stream`"""

    name = "mgpu.stream"


class EventType(_HandleType):
    """`!mgpu.event`"""

    name = "mgpu.event"


class ModuleType(_HandleType):
    """`!mgpu.module`"""

    name = "mgpu.module"


class FunctionType(_HandleType):
    """`!mgpu.function`"""

    name = "mgpu.function"


class GraphType(_HandleType):
    """`!mgpu.graph`"""

    name = "mgpu.graph"


class GraphNodeType(_HandleType):
    """`!mgpu.graph_node`"""

    name = "mgpu.graph_node"


class GraphExecType(_HandleType):
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
