# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of the mgpu dialect, and handles that outlive a call, in the llvm dialect.

Rules of `convert-mgpu-to-llvm`. Signatures: xgpu/runtime/abi.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import SymbolRefAttr, i32, i64
from xdsl.ir import SSAValue

from xgpu.conversion import llvm_ops as llvm
from xgpu.conversion.launch.mgpu_rules import (
    KernelLaunch,
    copy_arguments,
    fill_arguments,
    plain_call,
)
from xgpu.conversion.launch.runtime_calls import POINTER, runtime_call

if TYPE_CHECKING:
    from xgpu.rewriting.driver import Rule


def _add(
    op: Any, operands: Sequence[Any], rw: Any, name: str, arguments: Sequence[SSAValue]
) -> list[SSAValue]:
    """A call that adds a node: graph, dependencies, their number, and `arguments`."""
    before = operands[1 : 1 + len(op.dependencies)]
    listed = rw.state.arguments.list(rw, before)
    count = llvm.constant(rw, len(before), i64)
    return [runtime_call(rw, name, [operands[0], listed, count, *arguments], POINTER)]


def lower_add_kernel(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    launch = KernelLaunch(op, operands, rw)
    sizes = [*launch.cluster, *launch.grid, *launch.block]
    count = llvm.constant(rw, launch.count, i64)
    name = "mgpuGraphAddClusterKernel" if launch.cluster else "mgpuGraphAddKernel"
    size = llvm.constant(rw, launch.bytes, i64)
    arguments = [launch.function, *sizes, launch.shared, launch.parameters, count, size]
    return _add(op, operands, rw, name, arguments)


def lower_set_kernel(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    launch = KernelLaunch(op, operands, rw)
    count = llvm.constant(rw, launch.count, i64)
    sizes = [*launch.grid, *launch.block, launch.shared]
    size = llvm.constant(rw, launch.bytes, i64)
    arguments = [*operands[:2], launch.function, *sizes, launch.parameters, count, size]
    runtime_call(rw, "mgpuGraphExecKernelSetParams", arguments)
    return []


def lower_add_memcpy(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    arguments = copy_arguments(op, rw, *operands[-2:])
    return _add(op, operands, rw, "mgpuGraphAddMemcpy", arguments)


def lower_set_memcpy(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    arguments = copy_arguments(op, rw, *operands[-2:])
    runtime_call(rw, "mgpuGraphExecMemcpySetParams", [*operands[:2], *arguments])
    return []


def _fill(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    to, value, width, count = fill_arguments(op, rw, *operands[-2:])
    if width < 8:
        value = rw.value("llvm.zext", (value,), i64)
    return [to, value, llvm.constant(rw, width, i32), count]


def lower_add_memset(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddMemset", _fill(op, operands, rw))


def lower_set_memset(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    arguments = [*operands[:2], *_fill(op, operands, rw)]
    runtime_call(rw, "mgpuGraphExecMemsetSetParams", arguments)
    return []


def lower_add_empty(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddEmpty", ())


def lower_add_host(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddHost", operands[-2:])


# --- handles that outlive a call ---------------------------------------------------------------
def _place(op: Any, rw: Any) -> SSAValue:
    name = {"global_name": SymbolRefAttr(op.cache.root_reference.data)}
    address = rw.value("llvm.mlir.addressof", (), POINTER, name)
    return llvm.gep(rw, address, POINTER, [op.properties["index"].value.data])


def lower_cache_load(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    return [llvm.load(rw, _place(op, rw), POINTER)]


def lower_cache_store(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    llvm.store(rw, operands[0], _place(op, rw))
    return []


def lower_is_null(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    return [llvm.icmp(rw, "eq", operands[0], llvm.zero(rw, POINTER))]


GRAPH_RULES: dict[str, Rule] = {
    "mgpu.graph_create": plain_call("mgpuGraphCreate"),
    "mgpu.graph_destroy": plain_call("mgpuGraphDestroy"),
    "mgpu.graph_add_kernel": lower_add_kernel,
    "mgpu.graph_add_memcpy": lower_add_memcpy,
    "mgpu.graph_add_memset": lower_add_memset,
    "mgpu.graph_add_empty": lower_add_empty,
    "mgpu.graph_add_host": lower_add_host,
    "mgpu.graph_instantiate": plain_call("mgpuGraphInstantiate"),
    "mgpu.graph_set_kernel": lower_set_kernel,
    "mgpu.graph_set_memcpy": lower_set_memcpy,
    "mgpu.graph_set_memset": lower_set_memset,
    "mgpu.graph_launch": plain_call("mgpuGraphLaunch"),
    "mgpu.graph_exec_destroy": plain_call("mgpuGraphExecDestroy"),
    "mgpu.cache_load": lower_cache_load,
    "mgpu.cache_take": lower_cache_load,
    "mgpu.cache_store": lower_cache_store,
    "mgpu.is_null": lower_is_null,
}
