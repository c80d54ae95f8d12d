# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of the functions of a lowered host program; what is not known is none.

`graph_functions` do nothing but launch one graph whose nodes their arguments say. Called again with
the same arguments such a function would set each node to what it is and launch the graph as it is.
So it reads nothing but its arguments, what it has stored itself, and the program's handles; it
calls nothing but what makes, changes and launches graphs and waits for them; and it does so once.

`straight_functions` have no loops, small frames, and call nothing that may take long but waits for
streams and events: they can run in a caller's thread, whose stack may be small and in which Ctrl-C
must work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.backend.llvm_ir.context import linkage
from xgpu.backend.llvm_ir.facts import integers, prop
from xgpu.backend.llvm_ir.gpu import KERNEL
from xgpu.conversion.async_tokens.graph_launches import GRAPH_PREFIX
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.symbols import body_operations, lookup, symbol_name
from xgpu.dialects.llvm.attributes import DYNAMIC_INDEX
from xgpu.dialects.llvm.types import DataLayout, LLVMFunctionType, LLVMVoidType

_CALLS = frozenset((
    "xgpu_at", "mgpuAnnotate", "mgpuGraphCreate", "mgpuGraphAddKernel", "mgpuGraphAddMemcpy",
    "mgpuGraphAddMemset", "mgpuGraphAddEmpty", "mgpuGraphInstantiate",
    "mgpuGraphExecKernelSetParams", "mgpuGraphExecMemcpySetParams", "mgpuGraphExecMemsetSetParams",
    "mgpuGraphLaunch", "mgpuStreamCreate", "mgpuStreamSynchronize", "mgpuStreamDestroy",
))  # fmt: skip
_SOON = _CALLS | frozenset((
    "mgpuLaunchKernel", "mgpuLaunchClusterKernel", "mgpuStreamWaitEvent", "mgpuEventCreate",
    "mgpuEventRecord", "mgpuEventSynchronize", "mgpuEventDestroy", "mgpuGraphAddClusterKernel",
    "malloc", "free",
))  # fmt: skip
_FRAME_BYTES = 1 << 16
#: What computes a value of values, or is one.
_PURE = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "icmp", "fcmp", "select",
        "sext", "zext", "trunc", "fadd", "fsub", "fmul", "fdiv", "fpext", "fptrunc", "sitofp",
        "uitofp", "fptosi", "fptoui", "bitcast", "ptrtoint", "inttoptr", "insertvalue",
        "extractvalue", "freeze", "getelementptr", "alloca", "mlir.constant", "mlir.zero",
        "mlir.undef", "mlir.poison", "mlir.addressof", "br", "cond_br", "return",
    )
)  # fmt: skip
_CALLING = ("llvm.call", "llvm.invoke")


def graph_functions(module: Operation) -> frozenset[str]:
    """The names of those in `module`, a host program in the llvm dialect."""
    if lookup(module, "mgpuGraphLaunch") is None:
        return frozenset()
    return _named(module, lambda function: _is_graph(module, function))


def straight_functions(module: Operation) -> frozenset[str]:
    """The names of those in `module`, a host program in the llvm dialect."""
    return _named(module, _is_straight)


def _named(module: Operation, holds: Callable[[Operation], bool]) -> frozenset[str]:
    return frozenset(
        symbol_name(op) or ""
        for op in body_operations(module)
        if op.name == "llvm.func" and op.regions[0].blocks and holds(op)
    )


def _has_loop(body: Region) -> bool:
    """Whether a branch may lead to a block that has begun; blocks are in the order of the text."""
    begun: set[Block] = set()
    for block in body.blocks:
        begun.add(block)
        last = block.last_op
        if last is not None and not begun.isdisjoint(last.successors):
            return True
    return False


def _called(op: Operation) -> str:
    """The name of the function that is called; empty for a call by an address."""
    callee = prop(op, "callee")
    return callee.root_reference.data if isinstance(callee, SymbolRefAttr) else ""


# -- functions that come to their end soon


def _is_straight(function: Operation) -> bool:
    body = function.regions[0]
    if _has_loop(body):
        return False
    left = _FRAME_BYTES
    for op in _operations(body):
        if op.name in _CALLING:
            name = _called(op)
            if name not in _SOON and not name.startswith("llvm."):
                return False
        elif op.name in ("llvm.inline_asm", "gpu.launch_func"):
            return False
        elif op.name == "llvm.alloca":
            left -= _allocated(op, left + 1)
            if left < 0:
                return False
    return True


def _operations(body: Region) -> Iterator[Operation]:
    return (op for block in body.blocks for op in block.ops)


def _allocated(op: Operation, unknown: int) -> int:
    """The bytes of an `llvm.alloca`; `unknown` where the IR does not say it."""
    count, kind = op.operands[0].owner, prop(op, "elem_type")
    if not isinstance(count, Operation) or count.name != "llvm.mlir.constant":
        return unknown
    value = prop(count, "value")
    if not isinstance(value, IntegerAttr) or kind is None:
        return unknown
    try:
        return value.value.data * DataLayout("").size(kind)
    except DiagnosticError:  # a type whose size the target says
        return unknown


# -- functions that launch one graph


def _is_graph(module: Operation, function: Operation) -> bool:
    kind = prop(function, "function_type")
    if not isinstance(kind, LLVMFunctionType) or not isinstance(kind.result, LLVMVoidType):
        return False
    body = function.regions[0]
    if linkage(function) or _has_loop(body):
        return False
    launches = 0
    for op in _operations(body):
        if op.name in _CALLING:
            name = _called(op)
            if name not in _CALLS:
                return False
            launches += name == "mgpuGraphLaunch"
        elif op.name in ("llvm.load", "llvm.store"):
            if not _is_known(module, op.operands[-1]):
                return False
        elif op.name not in _PURE:
            return False
    return launches == 1


def _is_known(module: Operation, address: SSAValue) -> bool:
    """Whether an address is in the function's own memory or in the program's handles: graphs with
    their nodes, and kernels, which are set when the program starts."""
    is_fixed = True
    base = address.owner
    while isinstance(base, Operation) and base.name == "llvm.getelementptr":
        is_fixed = is_fixed and DYNAMIC_INDEX not in integers(prop(base, "rawConstantIndices"))
        base = base.operands[0].owner
    if not isinstance(base, Operation):
        return False
    if base.name == "llvm.alloca":
        return True
    if base.name != "llvm.mlir.addressof" or not is_fixed:
        return False
    name = prop(base, "global_name")
    assert isinstance(name, SymbolRefAttr)
    variable = lookup(module, name.root_reference.data)
    if variable is None:
        return False
    return KERNEL in variable.attributes or name.root_reference.data.startswith(GRAPH_PREFIX)
