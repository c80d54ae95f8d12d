# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the host's own code reads and writes, told to the sanitizer.

    %v = llvm.load %p
becomes
    %f = llvm.inttoptr <address of xgpu_san_host_code>
    llvm.call %f(%info, %p, %size)
    %v = llvm.load %p

A program runs in the process that compiled it, so the function is known by its address. Memory of a
function's own (`llvm.alloca`) and variables of the program are the host's in any case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i64
from xdsl.ir import Operation

from xgpu.core.ir.construction import operations_of
from xgpu.core.ir.locations import source_location
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from xgpu.host_device.sanitizer.instrument.address_roots import LAYOUT
from xgpu.host_device.sanitizer.instrument.calls import WRITE

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.host_device.sanitizer.instrument.sites import SiteTable

_STEPS = ("llvm.getelementptr", "llvm.bitcast", "llvm.addrspacecast")
_OWN = ("llvm.alloca", "llvm.mlir.addressof")
_ACCESSES = {"llvm.load": 0, "llvm.store": 1}


def instrument_host(module: Operation, sites: SiteTable, function: int) -> None:
    """Put a call before each load and store of a lowered program's host code, in place."""
    rw = LLVMBuilder()
    for op in operations_of(module.regions[0].blocks[0]):
        if op.name != "llvm.func":
            continue
        for inner in [i for block in op.regions[0].blocks for i in operations_of(block)]:
            index = _ACCESSES.get(inner.name)
            if index is not None and not _is_own(inner.operands[index]):
                _tell(rw, inner, sites, function)


def _is_own(pointer: SSAValue) -> bool:
    while isinstance(owner := pointer.owner, Operation) and owner.name in _STEPS:
        pointer = owner.operands[0]
    return isinstance(owner, Operation) and owner.name in _OWN


def _tell(rw: LLVMBuilder, op: Operation, sites: SiteTable, function: int) -> None:
    index = _ACCESSES[op.name]
    location = source_location(op.location)
    if location is None:
        return
    ty = op.results[0].type if op.results else op.operands[0].type
    flags = WRITE if index else 0
    site = sites.host(str(location), "load" if not index else "store")
    rw.before(op)
    rw.location = op.location
    address = rw.integer(function, i64)
    callee = rw.value("llvm.inttoptr", (address,), LLVMPointerType())
    given = [
        rw.integer(site | flags << 20, i64),
        rw.value("llvm.ptrtoint", (op.operands[index],), i64),
        rw.integer(LAYOUT.store_size(ty), i64),
    ]
    from xdsl.dialects.builtin import DenseArrayBase, i32

    rw.create(
        "llvm.call", ([callee, *given], []), (),
        {
            "var_callee_type": LLVMFunctionType([i64] * 3, LLVMVoidType()),
            "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
        },
    )  # fmt: skip
