# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose devices communicate on streams."""

from __future__ import annotations

_HEAD = """
gpu.module @k {
  gpu.func @fill(%m: memref<512xf32>, %v: f32) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c = arith.constant 128 : index
    %o = arith.muli %b, %c : index
    %i = arith.addi %o, %t : index
    memref.store %v, %m[%i] : memref<512xf32>
    gpu.return
  }
  gpu.func @spin(%m: memref<512xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 40000 : index
    %t = gpu.thread_id x
    %k = arith.constant 0.999 : f32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> f32 {
      %y = arith.mulf %x, %k : f32
      %z = arith.addf %y, %v : f32
      scf.yield %z : f32
    }
    memref.store %r, %m[%t] : memref<512xf32>
    gpu.return
  }
}
"""
_BEGIN = """
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %size = mpi.comm_size(%comm) : i32
  %v = arith.sitofp %rank : i32 to f32
  %r0 = arith.constant 0 : i32
  %r1 = arith.constant 1 : i32
  %is = arith.cmpi eq, %rank, %r1 : i32
  %peer = arith.subi %r1, %rank : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %a = gpu.alloc host_shared () : memref<512xf32>
  %b = gpu.alloc host_shared () : memref<512xf32>
  %d = gpu.alloc host_shared () : memref<512xf32>
"""
_END = """
  gpu.dealloc %a : memref<512xf32>
  gpu.dealloc %b : memref<512xf32>
  gpu.dealloc %d : memref<512xf32>
  mpi.finalize
"""


def fill(buffer: str, value: str = "%v", *, after: str = "", kernel: str = "fill") -> str:
    """A launch that fills a buffer."""
    return (
        f"gpu.launch_func async [{after}] @k::@{kernel} blocks in (%c4, %c1, %c1) "
        f"threads in (%c128, %c1, %c1) args({buffer} : memref<512xf32>, {value} : f32)"
    )


def reduce(sent: str, received: str, *, after: str = "", op: str = "MPI_SUM") -> str:
    """A collective on a stream."""
    kind = "memref<512xf32>"
    inner = f"mpi.allreduce({sent}, {received}, {op}, %comm) : {kind}, {kind}"
    return f"mgpu.communicate async [{after}] {{\n{inner}\n}}"


def program(body: str, result: str | None = None) -> str:
    """A module whose `main` does `body`, and returns an element of the buffer `result`."""
    arrow = " -> f32" if result else ""
    load = f"%result = memref.load {result}[%c4] : memref<512xf32>" if result else ""
    end = "return %result : f32" if result else "return"
    return (
        f"module attributes {{gpu.container_module}} {{{_HEAD}\nfunc.func @main(){arrow} {{"
        f"{_BEGIN}{body}\n{load}{_END}{end}\n}}\n}}"
    )
