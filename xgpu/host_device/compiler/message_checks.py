# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of host code of ranks: it leaves the buffers of messages alone that are under way, and
its indices are within bounds, halos included.

`mpi.isend` and `mpi.irecv` return before their buffers may be used again. In a program that begins
messages so, each access of memory tells where it is:

    llvm.call @xgpu_mpi_touch(%p, <bytes>, <twice the location, and one more where it writes>)
    llvm.store %v, %p

The function is inlined: it compares the number of messages under way with zero.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FunctionType, IndexType, StringAttr, SymbolRefAttr, i32, i64
from xdsl.ir import Region

from xgpu.core import ods
from xgpu.core.ir.construction import operations_of
from xgpu.core.ir.locations import source_location
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.support.mpi_abi import OUTSIDE, PENDING, TOUCH, TOUCHED
from xgpu.dialects.arith.builders import cast as cast_value
from xgpu.dialects.arith.builders import cmpi, constant, index_constant
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import DataLayout
from xgpu.host_device.compiler.operations import callee
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.host_device.compiler.checks import Locations

#: The types that `TOUCH` and `TOUCHED` take.
TOUCHED_TYPES = ("ptr", "i64", "i32")
_BEGIN = ("MPI_Isend", "MPI_Irecv")
#: The operands that are addresses, and whether memory is written there.
_ACCESSES = {
    "llvm.load": ((0, False),), "llvm.store": ((1, True),),
    "llvm.atomicrmw": ((0, True),), "llvm.cmpxchg": ((0, True),),
    "llvm.intr.memcpy": ((0, True), (1, False)), "llvm.intr.memmove": ((0, True), (1, False)),
    "llvm.intr.memset": ((0, True),),
}  # fmt: skip
#: The first index of accesses of memrefs.
_INDICES = {"memref.load": 1, "memref.store": 2}
_LENGTH = 2  # the operand of `llvm.intr.mem*` that says how many bytes
_LAYOUT = DataLayout()
INDEX = IndexType()


def watch_messages(module: Operation, locations: Locations) -> None:
    """Puts a call before each access of memory in host code of `module` (llvm dialect), in place,
    if the program begins messages that it waits for later."""
    functions = [
        op
        for op in operations_of(module.regions[0].blocks[0])
        if op.name == "llvm.func" and op.regions[0].blocks
    ]
    code = [op for function in functions for op in list(function.walk())]
    if not any(callee(op) in _BEGIN for op in code):
        return
    rw = Rewriter()
    for op in code:
        for index, writes in _ACCESSES.get(op.name, ()):
            _watch(rw, op, op.operands[index], writes, locations)
        if callee(op) == "free":
            _watch(rw, op, op.operands[0], True, locations)
    llvm.declare(rw, module, TOUCH, (llvm.POINTER, i64, i32), llvm.VOID)


def _watch(
    rw: Rewriter, op: Operation, address: SSAValue, writes: bool, locations: Locations
) -> None:
    location = source_location(op.location)
    number = 0 if location is None else locations.add(str(location))
    rw.before(op)
    rw.location = op.location
    code = llvm.constant(rw, number * 2 + writes, i32)
    llvm.call(rw, TOUCH, (address, _size(rw, op), code), None)


def _size(rw: Rewriter, op: Operation) -> SSAValue:
    """How many bytes an operation accesses."""
    if op.name.startswith("llvm.intr.mem"):
        length = op.operands[_LENGTH]
        return length if length.type == i64 else rw.value("llvm.zext", [length], i64)
    if op.name == "llvm.call":
        return llvm.constant(rw, 1, i64)
    is_load = op.name == "llvm.load"
    value = op.results[0] if is_load else op.operands[op.name != "llvm.store"]
    return llvm.constant(rw, _LAYOUT.size(value.type), i64)


def touch_text() -> str:
    """`xgpu_mpi_touch` in LLVM IR."""
    return f"""
@{PENDING} = external global i32
define internal void @{TOUCH}(ptr %p, i64 %bytes, i32 %code) alwaysinline {{
  %count = load i32, ptr @{PENDING}
  %none = icmp eq i32 %count, 0
  br i1 %none, label %done, label %ask
ask:
  call void @{TOUCHED}(ptr %p, i64 %bytes, i32 %code)
  br label %done
done:
  ret void
}}
"""


def check_indices(module: Operation) -> None:
    """Lets host code of `module` (memref dialect) say where an index is out of bounds, in place."""
    rw = Rewriter()
    accesses = [
        op
        for function in operations_of(module.regions[0].blocks[0])
        if function.name == "func.func"
        for op in function.walk()
        if op.name in _INDICES
    ]
    for op in accesses:
        if not _in_kernel(op):
            _check_access(rw, op)
    if accesses:
        _declare_outside(module)


def _in_kernel(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and parent.name != "gpu.launch":
        parent = parent.parent_op()
    return parent is not None


def _check_access(rw: Rewriter, op: Operation) -> None:
    first = _INDICES[op.name]
    rw.before(op)
    rw.location = op.location
    memref = op.operands[first - 1]
    for dimension, index in enumerate(op.operands[first:]):
        size = rw.value("memref.dim", [memref, index_constant(rw, dimension)], INDEX)
        is_outside = cmpi(rw, "uge", index, size)
        number = constant(rw, dimension, i32)
        if_else(rw, is_outside, (), partial(_say_outside, rw, (index, size), number))


def _say_outside(
    rw: Rewriter, numbers: tuple[SSAValue, SSAValue], dimension: SSAValue
) -> tuple[SSAValue, ...]:
    words = [cast_value(rw, "index_cast", number, i64) for number in numbers]
    properties = {"callee": SymbolRefAttr(OUTSIDE)}
    rw.create("func.call", [*words, dimension], (), properties)
    return ()


def _declare_outside(module: Operation) -> None:
    body = module.regions[0].blocks[0]
    properties = {
        "sym_name": StringAttr(OUTSIDE),
        "function_type": FunctionType.from_lists([i64, i64, i32], []),
        "sym_visibility": StringAttr("private"),
    }
    made = ods.create("func.func", (), (), properties, None, [Region()])
    made.location = module.location
    body.add_op(made)
