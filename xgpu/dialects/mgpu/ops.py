# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tables leave out of the mgpu dialect: types, syntax and verifiers."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.effects import Effect
from xgpu.core.ir.errors import op_error
from xgpu.dialects import mgpu
from xgpu.dialects.gpu.syntax import DIRECTIVES as _GPU
from xgpu.dialects.syntax_helpers import PlainType

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


DIRECTIVES = {
    name: _GPU[name] for name in ("AsyncDependencies", "LaunchDimType", "LaunchFuncOperands")
}


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


#: What `mgpu.communicate` may hold: the operation on a stream, and how each of its buffers is used.
COMMUNICATIONS: dict[str, tuple[str, str]] = {
    "mpi.allgather": ("mgpu.comm_all_gather", "rw"),
    "mpi.allreduce": ("mgpu.comm_all_reduce", "rw"),
    "mpi.alltoall": ("mgpu.comm_all_to_all", "rw"),
    "mpi.bcast": ("mgpu.comm_broadcast", "b"),
    "mpi.recv": ("mgpu.comm_receive", "w"),
    "mpi.reduce_scatter_block": ("mgpu.comm_reduce_scatter", "rw"),
    "mpi.send": ("mgpu.comm_send", "r"),
}
#: NCCL's numbers of the types that it has (ncclDataType_t).
NCCL_ELEMENTS = {
    "i8": 0, "si8": 0, "ui8": 1, "i32": 2, "si32": 2, "ui32": 3, "i64": 4, "si64": 4, "index": 4,
    "ui64": 5, "f16": 6, "f32": 7, "f64": 8, "bf16": 9, "f8E4M3FN": 10, "f8E5M2": 11,
}  # fmt: skip
#: NCCL's number of each reduction that it has, by MLIR's.
NCCL_REDUCTIONS = {3: 0, 4: 1, 1: 2, 2: 3}


def communicated(op: Operation) -> list[tuple[SSAValue, bool]]:
    """The buffers that `mgpu.communicate` uses, and whether it writes each."""
    found: list[tuple[SSAValue, bool]] = []
    for inner in op.regions[0].blocks[0].ops:
        uses = COMMUNICATIONS[inner.name][1]
        found += [(inner.operands[at], use != "r") for at, use in enumerate(uses)]
    return found


def _communication_effects(op: Operation) -> list[Effect]:
    """Beside what it does to buffers here, it does something to those of other ranks."""
    effects = [Effect("write", None)]
    for inner in op.regions[0].blocks[0].ops:
        for at, use in enumerate(COMMUNICATIONS[inner.name][1]):
            kinds = ("read", "write") if use == "b" else ("read",) if use == "r" else ("write",)
            effects += [Effect(kind, inner.operands[at]) for kind in kinds]
    return effects


def verify_communicate(op: mgpu.CommunicateOp) -> None:
    if not (inside := list(op.regions[0].blocks[0].ops)):
        raise op_error(op, "expects operations of the mpi dialect")
    for inner in inside:
        if inner.name not in COMMUNICATIONS:
            raise op_error(inner, "cannot be on a stream: 'mgpu.communicate' does not take it")
        if inner.results:
            raise op_error(inner, "cannot give a code in 'mgpu.communicate': it is not over there")
        number = inner.properties.get("op")
        if isinstance(number, IntegerAttr) and number.value.data not in NCCL_REDUCTIONS:
            raise op_error(inner, "expects a sum, a product, a maximum or a minimum on a stream")


EFFECTS = {"mgpu.communicate": _communication_effects}

VERIFY = {
    "mgpu.communicate": verify_communicate,
    "mgpu.kernel": verify_kernel,
    "mgpu.launch": verify_launch,
    "mgpu.graph_add_kernel": verify_launch,
    "mgpu.alloc": verify_alloc,
    "mgpu.alloc_async": verify_alloc,
}
