# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of the mgpu dialect, and handles that outlive a call, in the llvm dialect.

Rules of `convert-mgpu-to-llvm`. Signatures: xgpu/core/support/abi.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import SymbolRefAttr, i32, i64
from xdsl.ir import Operation, SSAValue

from xgpu.conversion.launch.mgpu_rules import (
    copy_arguments,
    fill_arguments,
    kernel_launch,
    numbers,
    plain_call,
)
from xgpu.conversion.launch.state import LaunchConversion, runtime_call
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import POINTER

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Rule
    from xgpu.dialects import mgpu

    #: Operations that add a node to a graph.
    Adds = (
        mgpu.GraphAddKernelOp
        | mgpu.GraphAddMemcpyOp
        | mgpu.GraphAddMemsetOp
        | mgpu.GraphAddEmptyOp
        | mgpu.GraphAddHostOp
    )


def _add(
    op: Adds,
    operands: Sequence[SSAValue],
    rw: LaunchConversion,
    name: str,
    arguments: Sequence[SSAValue],
) -> list[SSAValue]:
    """A call that adds a node: graph, dependencies, their number, and `arguments`."""
    before = operands[1 : 1 + len(op.dependencies)]
    listed = rw.state.arguments.list(rw, before)
    count = llvm.constant(rw, len(before), i64)
    return runtime_call(rw, name, [operands[0], listed, count, *arguments])


def lower_add_kernel(
    op: mgpu.GraphAddKernelOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    clusters = op.cluster_size_x, op.cluster_size_y, op.cluster_size_z
    launch = kernel_launch(op, operands, rw, *clusters)
    return _add(op, operands, rw, *launch.as_node(numbers(rw)))


def lower_set_kernel(
    op: mgpu.GraphSetKernelOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    launch = kernel_launch(op, operands, rw)
    return runtime_call(rw, *launch.of_node(operands[0], operands[1], numbers(rw)))


def lower_add_memcpy(
    op: mgpu.GraphAddMemcpyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    arguments = copy_arguments(op, rw, *operands[-2:])
    return _add(op, operands, rw, "mgpuGraphAddMemcpy", arguments)


def lower_set_memcpy(
    op: mgpu.GraphSetMemcpyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    arguments = copy_arguments(op, rw, *operands[-2:])
    return runtime_call(rw, "mgpuGraphExecMemcpySetParams", [*operands[:2], *arguments])


def _fill(
    op: mgpu.GraphAddMemsetOp | mgpu.GraphSetMemsetOp,
    operands: Sequence[SSAValue],
    rw: LaunchConversion,
) -> list[SSAValue]:
    to, value, width, count = fill_arguments(op, rw, *operands[-2:])
    if width < 8:
        value = rw.value("llvm.zext", (value,), i64)
    return [to, value, llvm.constant(rw, width, i32), count]


def lower_add_memset(
    op: mgpu.GraphAddMemsetOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddMemset", _fill(op, operands, rw))


def lower_set_memset(
    op: mgpu.GraphSetMemsetOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    arguments = [*operands[:2], *_fill(op, operands, rw)]
    return runtime_call(rw, "mgpuGraphExecMemsetSetParams", arguments)


def lower_add_empty(
    op: mgpu.GraphAddEmptyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddEmpty", ())


def lower_add_host(
    op: mgpu.GraphAddHostOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddHost", operands[-2:])


# --- handles that outlive a call ---------------------------------------------------------------
def _slot(
    op: mgpu.CacheLoadOp | mgpu.CacheTakeOp | mgpu.CacheStoreOp, rw: LaunchConversion
) -> SSAValue:
    """The address of a handle in the global that keeps it."""
    name = {"global_name": SymbolRefAttr(op.cache.root_reference.data)}
    address = rw.value("llvm.mlir.addressof", (), POINTER, name)
    return llvm.gep(rw, address, POINTER, [op.index.value.data])


def lower_cache_load(
    op: mgpu.CacheLoadOp | mgpu.CacheTakeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return [llvm.load(rw, _slot(op, rw), POINTER)]


def lower_cache_store(
    op: mgpu.CacheStoreOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    llvm.store(rw, operands[0], _slot(op, rw))
    return []


def lower_is_null(
    op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
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
