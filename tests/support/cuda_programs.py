# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that use all of the cuda device."""

from __future__ import annotations

_KERNEL = """
  gpu.module @kernels {
    gpu.func @add(%a: memref<?xf32>, %n: index) kernel {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i] : memref<?xf32>
      gpu.return
    }
  }
"""

_CONSTANTS = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
"""


def _program(body: str, functions: str = "", kernels: str = _KERNEL) -> str:
    return (
        f"module attributes {{gpu.container_module}} {{{kernels}{functions}"
        f"  func.func @main() {{{_CONSTANTS}{body}    return\n  }}\n}}\n"
    )


_STREAMS = _program("""
    %s = gpu.wait async
    %a, %t0 = gpu.alloc async [%s] (%c32) : memref<?xf32>
    %b, %t1 = gpu.alloc async [%s] (%c32) : memref<?xf32>
    %zero = arith.constant 0.0 : f32
    %t2 = gpu.memset async [%t0] %a, %zero : memref<?xf32>, f32
    %t3 = gpu.launch_func async [%t2] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%a : memref<?xf32>, %c32 : index)
    %t4 = gpu.launch_func async [%t1] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%b : memref<?xf32>, %c32 : index)
    %t5 = gpu.memcpy async [%t3, %t4] %b, %a : memref<?xf32>, memref<?xf32>
    %t6 = gpu.dealloc async [%t5] %a : memref<?xf32>
    %t7 = gpu.dealloc async [%t5] %b : memref<?xf32>
    gpu.wait [%t6, %t7]
""")

_MANAGED = _program("""
    %a = gpu.alloc host_shared (%c32) : memref<?xf32>
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%c1] : memref<?xf32>
    gpu.launch_func @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%a : memref<?xf32>, %c32 : index)
    %t = gpu.wait async
    %d = gpu.dealloc async [%t] %a : memref<?xf32>
    gpu.wait [%d]
    %b = memref.alloc(%c32) : memref<?xf32>
    %u = memref.cast %b : memref<?xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    gpu.host_unregister %u : memref<*xf32>
    memref.dealloc %b : memref<?xf32>
""")

_GRAPH = _program(
    """
    scf.for %i = %c0 to %c4 step %c1 {
      %more = arith.addi %i, %c32 : index
      %n = arith.muli %more, %i : index
      %a, %t0 = gpu.alloc async (%c32) : memref<?xf32>
      %e, %t1 = gpu.alloc async (%n) : memref<?xi64>
      gpu.wait [%t0, %t1]
      %h = memref.alloc(%n) : memref<?xi64>
      func.call @step(%a, %e, %h) : (memref<?xf32>, memref<?xi64>, memref<?xi64>) -> ()
      gpu.dealloc %a : memref<?xf32>
      gpu.dealloc %e : memref<?xi64>
      memref.dealloc %h : memref<?xi64>
    }
""",
    """
  func.func @step(%a: memref<?xf32>, %e: memref<?xi64>, %h: memref<?xi64>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %five = arith.constant 0x500000007 : i64
    %s = gpu.wait async
    %t0 = gpu.memset async [%s] %e, %five : memref<?xi64>, i64
    %t1 = gpu.launch_func async [%t0] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%a : memref<?xf32>, %c32 : index)
    %t2 = gpu.memcpy async [%t1] %h, %e : memref<?xi64>, memref<?xi64>
    gpu.wait [%t2]
    return
  }
""",
)

_SHARED = _program("""
    %much = arith.constant 100000 : i32
    %a = gpu.alloc (%c32) : memref<?xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      gpu.launch_func @kernels::@add blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)
          dynamic_shared_memory_size %much args(%a : memref<?xf32>, %c32 : index)
    }
    gpu.launch_func @kernels::@add clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%a : memref<?xf32>, %c32 : index)
    gpu.dealloc %a : memref<?xf32>
""")

_WORKERS = _program(
    """
    %t0 = async.execute {
      func.call @work(%c32) : (index) -> ()
      async.yield
    }
    %t1 = async.execute {
      func.call @work(%c4) : (index) -> ()
      async.yield
    }
    async.await %t0 : !async.token
    async.await %t1 : !async.token
""",
    """
  func.func @work(%n: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %s = gpu.wait async
    %a, %t0 = gpu.alloc async [%s] (%n) : memref<?xf32>
    %t1 = gpu.launch_func async [%t0] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%a : memref<?xf32>, %n : index)
    %t2 = gpu.dealloc async [%t1] %a : memref<?xf32>
    gpu.wait [%t2]
    return
  }
""",
)

_DEVICES = _program("""
    %one = arith.constant 1 : i32
    %s = gpu.wait async
    %a, %t0 = gpu.alloc async [%s] (%c32) : memref<?xf32>
    %t1 = gpu.launch_func async [%t0] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%a : memref<?xf32>, %c32 : index)
    gpu.set_default_device %one
    %r = gpu.wait async
    %b, %t2 = gpu.alloc async [%r] (%c32) : memref<?xf32>
    %t3 = gpu.launch_func async [%t2, %t1] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%b : memref<?xf32>, %c32 : index)
    %t4 = gpu.memcpy async [%t3] %b, %a : memref<?xf32>, memref<?xf32>
    %t5 = gpu.dealloc async [%t4] %a : memref<?xf32>
    %t6 = gpu.dealloc async [%t4] %b : memref<?xf32>
    gpu.wait [%t5, %t6]
""")

_TMA = """
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b,
    l2promo = none, oob = zero, interleave = none>

func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = gpu.alloc () : memref<128x64xf16>
  %u = memref.cast %a : memref<128x64xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %u box[%c64, %c64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.terminator
  }
  gpu.dealloc %a : memref<128x64xf16>
  return
}
"""

#: Name -> text, and options of the pipeline.
PROGRAMS: dict[str, tuple[str, str]] = {
    "streams": (_STREAMS, ""),
    "managed": (_MANAGED, ""),
    "graph": (_GRAPH, "async-mode=graph"),
    "shared": (_SHARED, ""),
    "workers": (_WORKERS, ""),
    "devices": (_DEVICES, ""),
    "tma": (_TMA, ""),
}
