# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that one program had and another gets: what the first has not written says nothing. Code
that one sanitizer had made and another one uses."""

from __future__ import annotations

import re

import numpy as np
import pytest

import xgpu
from tests.support.kernel_launch import Launcher, host_object
from xgpu.host_device.machine import cpu as machine
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_PAGE = 4096
TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @fill(%a: memref<?xi32>) kernel {
      %c5 = arith.constant 5 : index
      %v = arith.constant 7 : i32
      memref.store %v, %a[%c5] : memref<?xi32>
      gpu.return
    }
    gpu.func @copy(%a: memref<?xi32>, %b: memref<?xi32>) kernel {
      %c20 = arith.constant 20 : index
      %v = memref.load %a[%c20] : memref<?xi32>
      memref.store %v, %b[%c20] : memref<?xi32>
      gpu.return
    }
  }
}
"""


@pytest.mark.parametrize("form", ["auto", "threads"])
def test_an_array_where_device_memory_was(form: str):
    """An array takes a part of a page that was device memory of a program before it."""
    data = host_object(TEXT)
    room = np.arange(2 * _PAGE, dtype=np.int32)
    first = (-room.ctypes.data % _PAGE) // 4
    page = room[first : first + _PAGE // 4]

    before = Launcher(data, form, sanitizer=Sanitizer())
    before.device.sanitizer.allocated(page.ctypes.data, _PAGE, "device", None)
    before.launch("fill", 1, 1, page)
    before.close()

    sanitizer = Sanitizer()
    after = Launcher(data, form, sanitizer=sanitizer)
    source, target = page[32:64], page[128:160]
    for array in (source, target):
        after.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
    after.launch("copy", 1, 1, source, target)
    after.close()

    assert [f.message for f in sanitizer.findings()] == []
    assert target[20] == source[20]


def _copy_of_nothing(launcher: Launcher, target: np.ndarray) -> None:
    """Copy device memory that nobody has written to an array."""
    device = launcher.device
    nothing = device.mgpuMemAlloc(target.nbytes, 0, 0)
    device.mgpuMemcpy(target.ctypes.data, nothing, target.nbytes, 0)
    device.mgpuStreamSynchronize(0)
    device.mgpuMemFree(nothing, 0)


@pytest.mark.parametrize("form", ["auto", "threads"])
@pytest.mark.parametrize("again", ["in the same run", "in another run"])
def test_an_array_where_another_had_got_nothing(form: str, again: str):
    """An array that a copy of nothing was made to is gone; the next one has contents."""
    data = host_object(TEXT)
    room = np.arange(2 * _PAGE, dtype=np.int32)
    sanitizer = Sanitizer()
    launcher = Launcher(data, form, sanitizer=sanitizer)
    first, second = room[40:72], room[128:160]
    launcher.device.mgpuMemHostRegister(first.ctypes.data, first.nbytes)
    _copy_of_nothing(launcher, first)
    launcher.device.mgpuMemHostUnregister(first.ctypes.data)
    if again == "in another run":
        launcher.close()
        sanitizer = Sanitizer()
        launcher = Launcher(data, form, sanitizer=sanitizer)
    room[:] = np.arange(2 * _PAGE)
    for array in (first, second):
        launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
    launcher.launch("copy", 1, 1, first, second)
    launcher.close()

    assert [f.message for f in sanitizer.findings()] == []
    assert second[20] == first[20]


@pytest.mark.parametrize("form", ["auto", "threads"])
def test_an_array_that_gets_nothing_while_it_is_there(form: str):
    """The other side of it: that is found."""
    data = host_object(TEXT)
    room = np.arange(2 * _PAGE, dtype=np.int32)
    sanitizer = Sanitizer()
    launcher = Launcher(data, form, sanitizer=sanitizer)
    first, second = room[40:72], room[128:160]
    for array in (first, second):
        launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
    _copy_of_nothing(launcher, first)
    launcher.launch("copy", 1, 1, first, second)
    launcher.close()
    assert {f.kind for f in sanitizer.findings()} == {"init"}


_UNREGISTERED = """
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 1.5 : f32
  %x = memref.alloc() : memref<SIZExf32>
  %u = memref.cast %x : memref<SIZExf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  %n = gpu.alloc () : memref<SIZExf32>
  gpu.memcpy %x, %n : memref<SIZExf32>, memref<SIZExf32>
  gpu.dealloc %n : memref<SIZExf32>
  gpu.host_unregister %u : memref<*xf32>
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %f, %x[%i] : memref<SIZExf32>
  }
  %d = gpu.alloc () : memref<SIZExf32>
  %e = gpu.alloc () : memref<SIZExf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %e, %f : memref<SIZExf32>, f32
  gpu.wait [%t1]
  gpu.memcpy %d, %x : memref<SIZExf32>, memref<SIZExf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %d[%t] : memref<SIZExf32>
    memref.store %v, %e[%t] : memref<SIZExf32>
    gpu.terminator
  }
  gpu.memcpy %x, %e : memref<SIZExf32>, memref<SIZExf32>
  gpu.dealloc %d : memref<SIZExf32>
  gpu.dealloc %e : memref<SIZExf32>
  %w = memref.load %x[%c20] : memref<SIZExf32>
  memref.dealloc %x : memref<SIZExf32>
  return %w : f32
}"""


@pytest.mark.parametrize("size", [32, 8192])
def test_memory_that_is_no_longer_registered_is_the_hosts_as_before(size: int):
    found = xgpu.sanitize(_UNREGISTERED.replace("SIZE", str(size)))
    assert not found, found.text()
    assert found.value == 1.5


_ROUNDS = """
gpu.module @m {
  gpu.func @k(%a: memref<?xi32>, %out: memref<?xi32>) kernel {
    %t = gpu.thread_id x
    %c100 = arith.constant 100 : index
    %far = arith.addi %t, %c100 : index
    %before = memref.load %a[%far] : memref<?xi32>
    %v = arith.constant 7 : i32
    memref.store %v, %a[%far] : memref<?xi32>
    %after = memref.load %a[%far] : memref<?xi32>
    %sum = arith.addi %before, %after : i32
    memref.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }
}
"""


def test_loads_out_of_bounds_see_no_stores_out_of_bounds() -> None:
    """They read zeros in each run, so that a loop whose bound is read there ends."""
    kernel = xgpu.load(_ROUNDS, "host").kernels["k"]
    for _ in range(2):
        out = np.full(32, -1, np.int32)
        with xgpu.sanitized() as watched:
            kernel[1, 32](np.zeros(100, np.int32), out)
        assert {f.kind for f in watched.findings()} == {"memory"}
        assert not out.any()


_EXCHANGED = """
#map = affine_map<(d) -> (MAP)>
gpu.module @m {
  gpu.func @k(%out: memref<?xi32>) workgroup(%s : memref<16xi32, #gpu.address_space<workgroup>>)
      kernel {
    %t = gpu.thread_id x
    %at = affine.apply #map(%t)
    %v = memref.load %s[%at] : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%t] : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%t] : memref<?xi32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize(
    ("read", "kinds"),
    [
        ("d", {"init"}),
        ("(d + 1) mod 16", {"race"}),
        # The diagonal is read by the threads that write it, later.
        ("(d mod 4) * 4 + d floordiv 4", {"race", "init"}),
    ],
)
def test_a_race_hides_no_read_of_what_nothing_writes(read: str, kinds: set[str]) -> None:
    kernel = xgpu.load(_EXCHANGED.replace("MAP", read), "host").kernels["k"]
    with xgpu.sanitized() as watched:
        kernel[1, 16](np.zeros(16, np.int32))
    assert {f.kind for f in watched.findings()} == kinds


def test_kernels_are_instrumented_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _EXCHANGED.replace("MAP", "(d mod 4) * 4 + d floordiv 4")
    kernel = xgpu.load(text, "host").kernels["k"]
    found: list[list[str]] = []
    for _ in range(2):
        with xgpu.sanitized() as watched:
            kernel[1, 16](np.zeros(16, np.int32))
        found.append([f.text() for f in watched.findings()])
        monkeypatch.setattr(machine, "compile_ir", None)
    assert found[0]
    assert found[0] == found[1]


HEAP = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @free(!llvm.ptr)
    llvm.func @right() attributes {gpu.kernel, nvvm.kernel} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %n = llvm.mlir.constant(20 : i64) : i64
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      llvm.store %t, %p : i32, !llvm.ptr
      llvm.call @free(%p) : (!llvm.ptr) -> ()
      %null = llvm.mlir.zero : !llvm.ptr
      llvm.call @free(%null) : (!llvm.ptr) -> ()
      llvm.return
    }
    llvm.func @twice() attributes {gpu.kernel, nvvm.kernel} {
      %n = llvm.mlir.constant(20 : i64) : i64
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      llvm.call @free(%p) : (!llvm.ptr) -> ()
      llvm.call @free(%p) : (!llvm.ptr) -> ()
      llvm.return
    }
    llvm.func @never() attributes {gpu.kernel, nvvm.kernel} {
      %n = llvm.mlir.constant(20 : i64) : i64
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      %q = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.call @free(%q) : (!llvm.ptr) -> ()
      llvm.return
    }
    llvm.func @behind() attributes {gpu.kernel, nvvm.kernel} {
      %n = llvm.mlir.constant(20 : i64) : i64
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      %q = llvm.getelementptr %p[24] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %n, %q : i64, !llvm.ptr
      llvm.return
    }
    llvm.func @late() attributes {gpu.kernel, nvvm.kernel} {
      %n = llvm.mlir.constant(20 : i64) : i64
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      llvm.store %n, %p : i64, !llvm.ptr
      llvm.call @free(%p) : (!llvm.ptr) -> ()
      %v = llvm.load volatile %p : !llvm.ptr -> i64
      llvm.return
    }
    llvm.func @unwritten() attributes {gpu.kernel, nvvm.kernel} {
      %n = llvm.mlir.constant(20 : i64) : i64
      %q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      llvm.store %n, %q : i64, !llvm.ptr
      llvm.call @free(%q) : (!llvm.ptr) -> ()
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      %v = llvm.load volatile %p : !llvm.ptr -> i64
      llvm.return
    }
    llvm.func @large() attributes {gpu.kernel, nvvm.kernel} {
      %n = llvm.mlir.constant(40000 : i64) : i64
      %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
      %q = llvm.getelementptr %p[20000] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %n, %q : i64, !llvm.ptr
      %v = llvm.load volatile %q : !llvm.ptr -> i64
      %r = llvm.getelementptr %p[30000] : (!llvm.ptr) -> !llvm.ptr, i8
      %w = llvm.load volatile %r : !llvm.ptr -> i64
      llvm.return
    }
  }
}
"""


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
@pytest.mark.parametrize("name", ["twice", "never"])
def test_a_wrong_free_of_a_kernel(name: str, strategy: str):
    launcher = Launcher(host_object(HEAP), strategy)
    launcher.launch("right", 2, 64)
    what = (
        f"kernel '{name}': thread (0, 0, 0) of block (0, 0, 0) frees memory that malloc of a "
        "kernel has not given, or that is freed already"
    )
    with pytest.raises(xgpu.DeviceError, match=re.escape(what)):
        launcher.launch(name, 1, 1)
    launcher.close()


@pytest.mark.parametrize(
    ("name", "message", "notes"),
    [
        ("right", None, []),
        ("twice", "free of memory that is freed already",
         ["it was freed here", "it comes from here (malloc of a kernel)"]),
        ("never", "which no malloc of a kernel has given", []),
        ("behind", "write of 8 bytes, 4 bytes behind the end of an allocation of 20 bytes",
         ["20 bytes come from here (malloc of a kernel)"]),
        ("late", "read of 8 bytes in memory that a kernel has freed",
         ["it was freed here", "it comes from here (malloc of a kernel)"]),
        ("unwritten", "read of 8 bytes that nothing has written",
         ["20 bytes come from here (malloc of a kernel)"]),
        ("large", "read of 8 bytes that nothing has written",
         ["40000 bytes come from here (malloc of a kernel)"]),
    ],
)  # fmt: skip
def test_the_heap_of_kernels(name: str, message: str | None, notes: list[str]):
    """Threads that get the memory of another one after its `free` are ordered behind it."""
    sanitizer = Sanitizer()
    launcher = Launcher(host_object(HEAP), sanitizer=sanitizer)
    launcher.launch(name, 1, 64 if message is None else 1)
    launcher.close()
    found = sanitizer.findings()
    assert len(found) == (message is not None)
    for finding in found:
        assert finding.kind == ("init" if "written" in finding.message else "memory")
        assert message in finding.message
        assert [side.did for side in finding.sides[1:]] == notes
        lines = {HEAP.splitlines()[side.line - 1].strip()[:15] for side in finding.sides[1:2]}
        assert lines <= {"llvm.call @free", "%p = llvm.call "}


def test_workgroup_memory_of_one_thread():
    """`memref.alloc` of a kernel is memory of a thread, whatever its address space."""
    text = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%out: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %c63 = arith.constant 63 : index
      %r = arith.subi %c63, %t : index
      %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %one = arith.constant 1.0 : f32
      memref.store %one, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %v = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}
"""
    kernel = xgpu.load(text, device="host").kernels["k"]
    with xgpu.sanitized() as watched:
        kernel[1, 64](np.zeros(64, np.float32))
    (finding,) = watched.findings()
    assert finding.message == "read of %s[31] (4 bytes) that nothing has written"
    read, made = finding.sides
    assert read.line - made.line == 4
    assert made.did == "256 bytes come from here (malloc of a kernel of %s)"
    assert "give each thread memory of its own" in finding.hint


SCREENED = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%a: memref<?x{type}>, %b: memref<?x{type}>) kernel {{
      %i = gpu.global_id x
      %v = memref.load %a[%i] : memref<?x{type}>
      gpu.barrier
      memref.store %v, %{to}[%i] : memref<?x{type}>
      gpu.return
    }}
  }}
}}
"""


def test_an_earlier_program_used_bytes_of_the_memory():
    """What becomes of a launch does not depend on who had its memory before."""
    given = [np.zeros(2560, np.float32) for _ in range(2)]
    words = SCREENED.format(type="f32", to="a")
    parts = SCREENED.format(type="i8", to="b")
    for text, kind, fate in (
        (words, np.float32, ["again", "clean"]),
        (parts, np.int8, ["clean"]),
        (words, np.float32, ["again", "clean"]),
    ):
        sanitizer = Sanitizer(("race",))
        launcher = Launcher(host_object(text), sanitizer=sanitizer)
        arrays = [array.view(kind) for array in given]
        try:
            for array in given:
                launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
            launcher.launch("k", arrays[0].size // 64, 64, *arrays)
        finally:
            launcher.close()
        assert sanitizer.screens == ["k: screened", *fate]
