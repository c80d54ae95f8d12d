# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes of the host's: copies, streams, memory that is released too early."""

from __future__ import annotations

from planted import Planted

_BODY = """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32>
"""
_HEAD = """  func.func @main() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 1.5 : f32
    %i = arith.constant 0 : i32
    %in = gpu.alloc () : memref<256xf32>
    %out = gpu.alloc () : memref<256xf32>
    %n = gpu.alloc () : memref<64xi32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %in, %f : memref<256xf32>, f32
    %t2 = gpu.memset async [%t1] %out, %f : memref<256xf32>, f32
    %ready = gpu.memset async [%t2] %n, %i : memref<64xi32>, i32
    gpu.wait [%ready]
"""
_TAIL = """    gpu.dealloc %in : memref<256xf32>
    gpu.dealloc %out : memref<256xf32>
    gpu.dealloc %n : memref<64xi32>
    return
  }"""
_LAUNCH = "gpu.launch_func async [{after}] @kernels::@k blocks in (%c1, %c1, %c1) threads in " \
          "(%c64, %c1, %c1) args({args}, %n : memref<64xi32>)"  # fmt: skip
_FORWARD = "%in : memref<256xf32>, %out : memref<256xf32>"
_BACK = "%out : memref<256xf32>, %in : memref<256xf32>"


def _launch(after: str, args: str) -> str:
    return _LAUNCH.format(after=after, args=args)


def _host(text: str, tail: str = _TAIL) -> str:
    return _HEAD + text + tail


HOST = [
    Planted(
        "two_kernels_nothing_orders",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", _FORWARD)}
    %k2 = {_launch("%b", _BACK)} // BAD
    %k2 = {_launch("%k1", _BACK)} // GOOD
    gpu.wait [%k1, %k2]
"""),
    ),
    Planted(
        "copy_beside_the_kernel",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", _FORWARD)}
    %k2 = gpu.memcpy async [%b] %in, %out : memref<256xf32>, memref<256xf32> // BAD SIDE
    %k2 = gpu.memcpy async [%k1] %in, %out : memref<256xf32>, memref<256xf32> // GOOD
    gpu.wait [%k1, %k2]
"""),
    ),
    Planted(
        "fill_beside_the_kernel",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", _FORWARD)}
    %g = arith.constant 2.5 : f32
    %k2 = gpu.memset async [%b] %out, %g : memref<256xf32>, f32 // BAD SIDE
    %k2 = gpu.memset async [%k1] %out, %g : memref<256xf32>, f32 // GOOD
    gpu.wait [%k1, %k2]
"""),
    ),
    Planted(
        "released_beside_the_kernel",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        instead="memory",
        host=_host(
            f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %x, %xt = gpu.alloc async [%a] () : memref<256xf32>
    gpu.wait [%xt]
    %k1 = {_launch("%b", "%in : memref<256xf32>, %x : memref<256xf32>")}
    %k2 = gpu.dealloc async [%a] %x : memref<256xf32> // BAD SIDE
    %k2 = gpu.dealloc async [%k1] %x : memref<256xf32> // GOOD
    gpu.wait [%k1, %k2]
""".replace("%a = gpu.wait async", "%a = gpu.wait async", 1)
        ),
    ),
    Planted(
        "used_after_release",
        "memory",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %x = gpu.alloc () : memref<256xf32>
    %a = gpu.wait async
    gpu.dealloc %x : memref<256xf32> // BAD SIDE
    %k1 = {_launch("%a", "%in : memref<256xf32>, %x : memref<256xf32>")}
    gpu.wait [%k1]
    gpu.dealloc %x : memref<256xf32> // GOOD
"""),
    ),
    Planted(
        "host_memory_in_a_kernel",
        "memory",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %x = memref.alloc() : memref<256xf32>
    %u = memref.cast %x : memref<256xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32> // GOOD
    %a = gpu.wait async
    %k1 = {_launch("%a", "%in : memref<256xf32>, %x : memref<256xf32>")}
    gpu.wait [%k1]
    gpu.host_unregister %u : memref<*xf32> // GOOD
    memref.dealloc %x : memref<256xf32>
"""),
    ),
    Planted(
        "copy_of_nothing",
        "init",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        host=_host(f"""
    %x = gpu.alloc () : memref<256xf32>
    %a = gpu.wait async
    %s = gpu.memset async [%a] %x, %f : memref<256xf32>, f32 // GOOD
    %c = gpu.memcpy async [%s] %in, %x : memref<256xf32>, memref<256xf32> // GOOD
    %c = gpu.memcpy async [%a] %in, %x : memref<256xf32>, memref<256xf32> // BAD SIDE
    %k1 = {_launch("%c", _FORWARD)}
    gpu.wait [%k1]
    gpu.dealloc %x : memref<256xf32>
"""),
    ),
    Planted(
        "not_waited_for_before_the_copy_back",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %h = memref.alloc() : memref<256xf32>
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", _FORWARD)}
    %k2 = gpu.memcpy async [%b] %h, %out : memref<256xf32>, memref<256xf32> // BAD SIDE
    %k2 = gpu.memcpy async [%k1] %h, %out : memref<256xf32>, memref<256xf32> // GOOD
    gpu.wait [%k1, %k2]
    memref.dealloc %h : memref<256xf32>
"""),
    ),
]
