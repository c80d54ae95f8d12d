# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies, fills, kernels and releases in streams; tokens that are forgotten; what is left over."""

from __future__ import annotations

from host_cases import _BACK, _FORWARD, _host, _launch
from planted import Planted

_COPY = """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32>
"""
_WRITES = """
      %ti = arith.index_cast %t : index to i32
      %tf = arith.sitofp %ti : i32 to f32
      memref.store %tf, %out[%t] : memref<256xf32> // SIDE
"""
_M = "memref<256xf32>"

STREAMS = [
    Planted(
        "two_kernels_write_one_array",
        "race",
        _WRITES,
        host=_host(f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", _FORWARD)}
    %g = arith.constant 2.5 : f32
    %m = gpu.memset async [%b] %out, %g : {_M}, f32 // BAD SIDE
    %m = gpu.memset async [%k1] %out, %g : {_M}, f32 // GOOD
    gpu.wait [%k1, %m]
"""),
    ),
    Planted(
        "copy_into_what_a_kernel_reads",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        host=_host(f"""
    %x = gpu.alloc () : {_M}
    %a = gpu.wait async
    %b = gpu.wait async
    %s = gpu.memset async [%a] %x, %f : {_M}, f32
    gpu.wait [%s]
    %c = gpu.wait async
    %k1 = {_launch("%c", _FORWARD)}
    %m = gpu.memcpy async [%b] %in, %x : {_M}, {_M} // BAD SIDE
    %m = gpu.memcpy async [%k1] %in, %x : {_M}, {_M} // GOOD
    gpu.wait [%k1, %m]
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "two_copies_into_one_array",
        "race",
        _COPY,
        host=_host(f"""
    %x = gpu.alloc () : {_M}
    %a = gpu.wait async
    %b = gpu.wait async
    %m1 = gpu.memcpy async [%a] %x, %in : {_M}, {_M} // SIDE
    %m2 = gpu.memcpy async [%b] %x, %out : {_M}, {_M} // BAD SIDE
    %m2 = gpu.memcpy async [%m1] %x, %out : {_M}, {_M} // GOOD
    gpu.wait [%m1, %m2]
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "two_fills_of_one_array",
        "race",
        _COPY,
        host=_host(f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %g = arith.constant 2.5 : f32
    %m1 = gpu.memset async [%a] %out, %f : {_M}, f32 // SIDE
    %m2 = gpu.memset async [%b] %out, %g : {_M}, f32 // BAD SIDE
    %m2 = gpu.memset async [%m1] %out, %g : {_M}, f32 // GOOD
    gpu.wait [%m1, %m2]
"""),
    ),
    Planted(
        "join_waits_for_one_of_two",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", _FORWARD)}
    %g = arith.constant 2.5 : f32
    %x = gpu.alloc () : {_M}
    %m = gpu.memset async [%b] %x, %g : {_M}, f32
    %j = gpu.wait async [%m] // BAD
    %j = gpu.wait async [%m, %k1] // GOOD
    %k2 = {_launch("%j", _BACK)}
    gpu.wait [%k1, %k2]
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "fill_of_released_memory",
        "memory",
        _COPY,
        host=_host(f"""
    %x = gpu.alloc () : {_M}
    %a = gpu.wait async
    gpu.dealloc %x : {_M} // BAD
    %m = gpu.memset async [%a] %x, %f : {_M}, f32 // SIDE
    gpu.wait [%m]
    gpu.dealloc %x : {_M} // GOOD
"""),
    ),
    Planted(
        "copy_of_released_memory",
        "memory",
        _COPY,
        host=_host(f"""
    %x = gpu.alloc () : {_M}
    %a = gpu.wait async
    %s = gpu.memset async [%a] %x, %f : {_M}, f32
    gpu.wait [%s]
    gpu.dealloc %x : {_M} // BAD
    %c = gpu.wait async
    %m = gpu.memcpy async [%c] %out, %x : {_M}, {_M} // SIDE
    gpu.wait [%m]
    gpu.dealloc %x : {_M} // GOOD
"""),
    ),
    Planted(
        "copy_larger_than_its_target",
        "memory",
        _COPY,
        host=_host(f"""
    %c128 = arith.constant 128 : index // BAD
    %c128 = arith.constant 256 : index // GOOD
    %x = gpu.alloc (%c128) : memref<?xf32>
    %y = memref.cast %in : {_M} to memref<?xf32>
    %a = gpu.wait async
    %m = gpu.memcpy async [%a] %x, %y : memref<?xf32>, memref<?xf32> // SIDE
    gpu.wait [%m]
    gpu.dealloc %x : memref<?xf32>
"""),
    ),
    Planted(
        "copy_of_an_unwritten_array_twice",
        "init",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        host=_host(f"""
    %x = gpu.alloc () : {_M}
    %y = gpu.alloc () : {_M}
    %a = gpu.wait async
    %s = gpu.memset async [%a] %x, %f : {_M}, f32 // GOOD
    %s = gpu.wait async [%a] // BAD
    %c = gpu.memcpy async [%s] %y, %x : {_M}, {_M}
    %d = gpu.memcpy async [%c] %in, %y : {_M}, {_M}
    %k1 = {_launch("%d", _FORWARD)}
    gpu.wait [%k1]
    gpu.dealloc %x : {_M}
    gpu.dealloc %y : {_M}
"""),
    ),
    Planted(
        "memory_that_is_never_released",
        "leak",
        _COPY,
        kinds=("leak",),
        host=_host(f"""
    %x = gpu.alloc () : {_M} // SIDE
    %a = gpu.wait async
    %m = gpu.memset async [%a] %x, %f : {_M}, f32
    gpu.wait [%m]
    gpu.dealloc %x : {_M} // GOOD
"""),
    ),
    Planted(
        "shared_memory_that_is_never_released",
        "leak",
        _COPY,
        kinds=("leak",),
        host=_host(f"""
    %x = gpu.alloc host_shared () : {_M} // SIDE
    %a = gpu.wait async
    %m = gpu.memset async [%a] %x, %f : {_M}, f32
    gpu.wait [%m]
    gpu.dealloc %x : {_M} // GOOD
"""),
    ),
    Planted(
        "memory_of_a_branch",
        "leak",
        _COPY,
        kinds=("leak",),
        host=_host(f"""
    %x = gpu.alloc () : {_M} // SIDE
    %a = gpu.wait async
    %m = gpu.memset async [%a] %x, %f : {_M}, f32
    gpu.wait [%m]
    %never = arith.constant false // BAD
    %never = arith.constant true // GOOD
    scf.if %never {{
      gpu.dealloc %x : {_M}
    }}
"""),
    ),
    Planted(
        "managed_memory_of_two_kernels",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %x = gpu.alloc host_shared () : {_M}
    %a = gpu.wait async
    %b = gpu.wait async
    %k1 = {_launch("%a", "%in : " + _M + ", %x : " + _M)}
    %k2 = {_launch("%b", "%x : " + _M + ", %out : " + _M)} // BAD
    %k2 = {_launch("%k1", "%x : " + _M + ", %out : " + _M)} // GOOD
    gpu.wait [%k1, %k2]
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "host_reads_device_memory",
        "memory",
        _COPY,
        host=_host(f"""
    %x = gpu.alloc () : {_M} // BAD
    %x = gpu.alloc host_shared () : {_M} // GOOD
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : {_M} // SIDE
    memref.store %v, %x[%c0] : {_M}
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "host_reads_before_it_has_waited",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %x = gpu.alloc host_shared () : {_M}
    %c0 = arith.constant 0 : index
    %a = gpu.wait async
    %k1 = {_launch("%a", "%in : " + _M + ", %x : " + _M)}
    gpu.wait [%k1] // GOOD
    %v = memref.load %x[%c0] : {_M} // SIDE
    gpu.wait [%k1] // BAD
    memref.store %v, %x[%c0] : {_M}
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "host_writes_while_the_kernel_reads",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        host=_host(f"""
    %x = gpu.alloc host_shared () : {_M}
    %c0 = arith.constant 0 : index
    %g = arith.constant 7.5 : f32
    %a = gpu.wait async
    %k1 = {_launch("%a", "%x : " + _M + ", %out : " + _M)}
    gpu.wait [%k1] // GOOD
    memref.store %g, %x[%c0] : {_M} // SIDE
    gpu.wait [%k1] // BAD
    gpu.dealloc %x : {_M}
"""),
    ),
    Planted(
        "managed_memory_one_behind",
        "memory",
        """
      %k = arith.addi %t, %c1 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      %e = arith.constant 192 : index
      %j = arith.addi %k, %e : index
      memref.store %f1, %out[%j] : memref<256xf32> // SIDE
""",
        host=_host(f"""
    %x = gpu.alloc host_shared () : {_M}
    %a = gpu.wait async
    %k1 = {_launch("%a", "%in : " + _M + ", %x : " + _M)}
    gpu.wait [%k1]
    gpu.dealloc %x : {_M}
"""),
    ),
]
