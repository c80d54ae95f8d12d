# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-define-device-runtime`: functions of CUDA's device runtime that kernels declare and call.

CUDA links them from a library (cudadevrt). What cooperative groups call is here as IR: a barrier of
the whole grid. All blocks of a launch must be resident, as a cooperative launch demands.

The barrier is a counter in the workspace that the driver gives a cooperative launch; its address is
the group's handle. Other launches, which a device may run as well where all blocks are resident,
have one counter of the module. The first block adds 2^31 less the number of the others,
each of which adds one: the highest bit changes with the last, for which the others wait. What is
left below that bit is 0 again, for the next barrier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core.ir.construction import insert_before
from xgpu.core.ir.symbols import body_operations, symbol_name
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context

#: The registers as CUDA's cooperative_groups.h reads them. No other group than the grid is known.
_HANDLE = """
func.func private @cudaCGGetIntrinsicHandle(%scope: i32) -> i64 {
  %bits = arith.constant 32 : i64
  %envreg1 = nvvm.read.ptx.sreg.envreg1 : i32
  %envreg2 = nvvm.read.ptx.sreg.envreg2 : i32
  %low = arith.extui %envreg1 : i32 to i64
  %upper = arith.extui %envreg2 : i32 to i64
  %high = arith.shli %upper, %bits : i64
  %grid = arith.ori %high, %low : i64
  return %grid : i64
}
"""

_SYNCHRONIZE = """
llvm.mlir.global internal @__xgpu_grid_barrier(0 : i32)
  {addr_space = 1 : i32, alignment = 4 : i64} : i32
func.func private @cudaCGSynchronize(%handle: i64, %flags: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %high = arith.constant 0x80000000 : i32
  %begin = arith.constant 0 : index
  gpu.barrier
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %tz = gpu.thread_id z
  %txy = arith.ori %tx, %ty : index
  %thread = arith.ori %txy, %tz : index
  %leads = arith.cmpi eq, %thread, %begin : index
  scf.if %leads {
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %gz = gpu.grid_dim z
    %gxy = arith.muli %gx, %gy : index
    %grid = arith.muli %gxy, %gz : index
    %blocks = arith.index_cast %grid : index to i32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %bxy = arith.ori %bx, %by : index
    %block = arith.ori %bxy, %bz : index
    %first = arith.cmpi eq, %block, %begin : index
    %others = arith.subi %blocks, %one : i32
    %rest = arith.subi %high, %others : i32
    %arrivals = arith.select %first, %rest, %one : i32
    %global = llvm.mlir.addressof @__xgpu_grid_barrier : !llvm.ptr<1>
    %shared = llvm.addrspacecast %global : !llvm.ptr<1> to !llvm.ptr
    %none = arith.constant 0 : i64
    %has = arith.cmpi ne, %handle, %none : i64
    %workspace = llvm.inttoptr %handle : i64 to !llvm.ptr
    %own = llvm.getelementptr %workspace[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %counter = arith.select %has, %own, %shared : !llvm.ptr
    llvm.fence syncscope("device") seq_cst
    %before = llvm.atomicrmw add %counter, %arrivals syncscope("device") acq_rel : !llvm.ptr, i32
    scf.while : () -> () {
      %now = llvm.load %counter atomic syncscope("device") acquire {alignment = 4 : i64}
        : !llvm.ptr -> i32
      %change = arith.xori %before, %now : i32
      %flip = arith.andi %change, %high : i32
      %waits = arith.cmpi eq, %flip, %zero : i32
      scf.condition(%waits)
    } do {
      scf.yield
    }
    llvm.fence syncscope("device") seq_cst
  }
  gpu.barrier
  return %zero : i32
}
"""

#: Functions by name, as IR.
FUNCTIONS = {"cudaCGGetIntrinsicHandle": _HANDLE, "cudaCGSynchronize": _SYNCHRONIZE}


class GpuDefineDeviceRuntime(Pass):
    """Functions of CUDA's device runtime that a kernel module declares get bodies."""

    name = "gpu-define-device-runtime"
    summary = "Define the functions of CUDA's device runtime that kernels declare"
    anchor = "gpu.module"

    def run(self, op: Operation, ctx: Context) -> None:
        for declared in list(body_operations(op)):
            name = symbol_name(declared)
            if name in FUNCTIONS and not declared.regions[0].blocks:
                _define(declared, FUNCTIONS[name])


def _define(declared: Operation, text: str) -> None:
    """Puts what `text` defines in the place of a declaration."""
    from xgpu.core.syntax import parse_module

    block = declared.parent
    assert block is not None
    for made in list(parse_module(text).body.block.ops):
        made.detach()
        for inner in made.walk():
            inner.location = declared.location
        insert_before(block, made, declared)
    declared.detach()
    declared.erase()
