# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies to shared memory in a gpu.launch become TMA loads with one barrier.

Descriptors are made on the host, before the launch. Thread 0 requests the loads and says how many
bytes are to come; all threads wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    i1,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.dialects.affine.index_math import apply, as_value, bit_width
from xgpu.dialects.affine.maps import Mixed, symbol
from xgpu.dialects.affine.maps import constant as literal
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute
    from xdsl.ir.affine import AffineExpr

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import gpu

_EQ = 0
#: How long a thread waits before it asks again.
_TICKS = 10_000_000


def rewrite_copies(rw: Rewriter, copies: Sequence[Operation], launch: gpu.LaunchOp) -> None:
    """Replaces the linalg.copy operations `copies`, all in `launch`."""
    rw.before(copies[0])
    blocks = [launch.block_size_x, launch.block_size_y, launch.block_size_z]
    threads = apply(rw, _product(3), blocks)
    barrier = _barrier(rw, threads)
    descriptors: list[SSAValue] = []
    for copy in copies:
        rw.before(launch)
        descriptors.append(_descriptor(rw, copy.operands[0]))
    rw.before(copies[0])
    _load(rw, descriptors, [copy.operands[1] for copy in copies], barrier)
    parity = rw.value("llvm.mlir.constant", (), i1, {"value": IntegerAttr(0, i1)})
    ticks = index_constant(rw, _TICKS)
    rw.create("nvgpu.mbarrier.try_wait.parity", [barrier, parity, ticks, index_constant(rw, 0)])
    for copy in copies:
        rw.erase(copy)


def _product(count: int) -> AffineExpr:
    result = symbol(0)
    for index in range(1, count):
        result = affine.mul(result, symbol(index))
    return result


def _shared() -> Attribute:
    return ods.enum("gpu.address_space", "workgroup")


def _barrier(rw: Rewriter, threads: Mixed) -> SSAValue:
    group = ods.attr_class("nvgpu.mbarrier.group")(_shared(), 1)
    barrier = rw.value("nvgpu.mbarrier.create", (), group)
    zero = index_constant(rw, 0)
    rw.create("nvgpu.mbarrier.init", [barrier, as_value(rw, threads), zero])
    rw.create("gpu.barrier")
    return barrier


def _sizes(rw: Rewriter, memref: SSAValue) -> list[Mixed]:
    ty = cast("MemRefType", memref.type)
    sizes: list[Mixed] = []
    for index, size in enumerate(ty.get_shape()):
        if size < 0:
            sizes.append(rw.value("memref.dim", [memref, index_constant(rw, index)], IndexType()))
        else:
            sizes.append(size)
    return sizes


def _descriptor(rw: Rewriter, memref: SSAValue) -> SSAValue:
    ty = cast("MemRefType", memref.type)
    space = ty.memory_space
    unranked = UnrankedMemRefType(ty.element_type, space if space is not None else NoneAttr())  # type: ignore[call-arg]
    unranked_memref = rw.value("memref.cast", [memref], unranked)
    sizes = [as_value(rw, size) for size in _sizes(rw, memref)]
    tensor = MemRefType(ty.element_type, ty.get_shape(), ty.layout, _shared())
    descriptor = ods.attr_class("nvgpu.tensormap.descriptor")(
        tensor, "none", "none", "zero", "none"
    )
    return rw.value("nvgpu.tma.create.descriptor", [unranked_memref, *sizes], descriptor)


def _load(
    rw: Rewriter, descriptors: list[SSAValue], targets: list[SSAValue], barrier: SSAValue
) -> None:
    zero = index_constant(rw, 0)
    thread = rw.value("gpu.thread_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "x")})
    properties = {"predicate": IntegerAttr(_EQ, i64)}
    is_first = rw.value("arith.cmpi", [thread, zero], i1, properties)
    then, other = Block(), Block()
    branch: Operation = rw.create("scf.if", [is_first], regions=[Region(then), Region(other)])
    rw.at_end(then)
    sizes = [
        _request(rw, descriptor, target, barrier)
        for descriptor, target in zip(descriptors, targets, strict=True)
    ]
    _expect(rw, barrier, sizes)
    rw.create("scf.yield")
    rw.at_end(other)
    _expect(rw, barrier, [0])
    rw.create("scf.yield")
    rw.after(branch)


def _request(rw: Rewriter, descriptor: SSAValue, target: SSAValue, barrier: SSAValue) -> Mixed:
    """Requests one load; returns how many bytes it brings."""
    zero = index_constant(rw, 0)
    rw.create("nvgpu.tma.async.load", [target, barrier, descriptor, [zero, zero], zero, None, None])
    sizes = _sizes(rw, target)
    ty = cast("MemRefType", target.type)
    total = affine.mul(_product(len(sizes)), literal(bit_width(ty.element_type) // 8))
    return apply(rw, total, sizes)


def _expect(rw: Rewriter, barrier: SSAValue, sizes: list[Mixed]) -> None:
    total = symbol(0)
    for index in range(1, len(sizes)):
        total = affine.add(total, symbol(index))
    count = as_value(rw, apply(rw, total, sizes))
    rw.create("nvgpu.mbarrier.arrive.expect_tx", [barrier, count, index_constant(rw, 0)])
