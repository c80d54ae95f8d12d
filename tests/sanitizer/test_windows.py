# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows of locations (`sanitizer_windows`): memory in which a launch notes its accesses by bits,
over many pages; and what becomes of these bits."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import some
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

pytestmark = pytest.mark.sampled(2)

_ROWS, _COLUMNS = 64, 2048  # two pages a row

_TEXT = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%a: memref<{rows}x{columns}xf32>, %b: memref<{rows}x{columns}xf32>) kernel {{
      %c1 = arith.constant 1 : index
      %last = arith.constant {last} : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %c32 = arith.constant 32 : index
      %c8 = arith.constant 8 : index
      %x0 = arith.muli %bx, %c32 : index
      %x = arith.addi %x0, %tx : index
      %y0 = arith.muli %by, %c8 : index
      %y = arith.addi %y0, %ty : index
      %n0 = arith.addi %y, %c1 : index
      %down = arith.minui %n0, %last : index
      %v = memref.load %a[%y, %x] : memref<{rows}x{columns}xf32>
      %w = memref.load %a[%down, %x] : memref<{rows}x{columns}xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %b[%y, %x] : memref<{rows}x{columns}xf32>
{more}
      gpu.return
    }}
  }}
}}
"""
_MORE = """
      %wx = arith.constant {x} : index
      %wy = arith.constant {y} : index
      %ex = arith.cmpi eq, %x, %wx : index
      %ey = arith.cmpi eq, %y, %wy : index
      %e = arith.andi %ex, %ey : i1
      scf.if %e {{
        memref.store %s, {target}[%{at}, %x] : memref<{rows}x{columns}xf32>
      }}
"""


def _findings(more: str, kinds: tuple[str, ...], times: int = 1) -> tuple[Sanitizer, np.ndarray]:
    text = _TEXT.format(rows=_ROWS, columns=_COLUMNS, last=_ROWS - 1, more=more)
    rng = np.random.default_rng(3)
    a = rng.random((_ROWS, _COLUMNS), np.float32)
    b = np.zeros_like(a)
    sanitizer = Sanitizer(kinds)
    launcher = Launcher(host_object(text), sanitizer=sanitizer)
    try:
        for array in (a, b):
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        for _ in range(times):
            launcher.launch("k", (_COLUMNS // 32, _ROWS // 8), (32, 8), a, b)
    finally:
        launcher.close()
    return sanitizer, b


@pytest.mark.parametrize("kinds", [("race",), ("memory", "init"), ("memory", "race", "init")])
def test_rows_of_several_pages(kinds: tuple[str, ...]) -> None:
    sanitizer, b = _findings("", kinds, 3)
    assert not sanitizer.findings()
    assert sanitizer.screens[-1] == "clean"
    a = np.random.default_rng(3).random((_ROWS, _COLUMNS), np.float32)
    np.testing.assert_array_equal(b, a + a[[*range(1, _ROWS), _ROWS - 1]])


@pytest.mark.parametrize(("x", "y"), some([0, 31, 1024, 2047], [0, 5, 7, 31, 55, 61]))
def test_one_word_that_another_thread_reads(x: int, y: int) -> None:
    """A thread writes to the word below its own, which the thread there reads; wherever in the
    windows of the two loads that is."""
    more = _MORE.format(x=x, y=y, target="%a", at="down", rows=_ROWS, columns=_COLUMNS)
    sanitizer, _ = _findings(more, ("race",))
    (found,) = sanitizer.findings()
    assert (found.kind, found.count) == ("race", 1)
    assert len(found.sides) == 2


@pytest.mark.parametrize(("x", "y"), [(0, 0), (1023, 30), (2047, 62)])
def test_one_word_that_another_thread_writes(x: int, y: int) -> None:
    more = _MORE.format(x=x, y=y, target="%b", at="down", rows=_ROWS, columns=_COLUMNS)
    sanitizer, _ = _findings(more, ("race",))
    (found,) = sanitizer.findings()
    assert (found.kind, found.count) == ("race", 1)


_PARTS = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%a: memref<8192xi8>, %b: memref<2048xi32>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %words = memref.view %a[%c0][] : memref<8192xi8> to memref<2048xi32>
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %o = arith.muli %g, %c64 : index
      %i = arith.addi %o, %t : index
      %v = memref.load %words[%i] : memref<2048xi32>
      memref.store %v, %b[%i] : memref<2048xi32>
      %n = arith.addi %i, {distance} : index
      %last = arith.constant 2047 : index
      %m = arith.minui %n, %last : index
      %p = arith.muli %m, %c4 : index
      %part = arith.trunci %v : i32 to i8
      %not = arith.xori %part, %ones : i8
      memref.store %not, %a[%p] : memref<8192xi8>
      gpu.return
    }}
  }}
}}
""".replace("      %c4 =", "      %ones = arith.constant -1 : i8\n      %c4 =")


@pytest.mark.parametrize(("distance", "races"), [("%c0", False), ("%c1", True), ("%c64", True)])
def test_words_that_are_read_and_parts_of_them_that_are_written(distance: str, races: bool) -> None:
    a, b = np.zeros(8192, np.int8), np.zeros(2048, np.int32)
    sanitizer = Sanitizer(("race",))
    launcher = Launcher(host_object(_PARTS.format(distance=distance)), sanitizer=sanitizer)
    try:
        for array in (a, b):
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", 31, 64, a, b)
    finally:
        launcher.close()
    assert {f.kind for f in sanitizer.findings()} == ({"race"} if races else set())


_BESIDE = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @read(%a: memref<8192xi8>, %b: memref<2048xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c4096 = arith.constant 4096 : index
      %words = memref.view %a[%c0][] : memref<8192xi8> to memref<2048xi32>
      %t = gpu.thread_id x
      %v = memref.load %words[%t] : memref<2048xi32>
      %p = arith.constant 2048 : index
      %q = arith.addi %p, %t : index
      %w = memref.load %a[%q] : memref<8192xi8>
      %x = arith.extsi %w : i8 to i32
      %y = arith.addi %x, %v : i32
      memref.store %y, %b[%t] : memref<2048xi32>
      gpu.return
    }
    gpu.func @write(%a: memref<8192xi8>) kernel {
      %c0 = arith.constant 0 : index
      %words = memref.view %a[%c0][] : memref<8192xi8> to memref<2048xi32>
      %at = arith.constant AT : index
      %t = gpu.thread_id x
      %i = arith.addi %at, %t : index
      %v = arith.constant 7 : i32
      memref.store %v, %words[%i] : memref<2048xi32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %f = arith.constant 1 : i8
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<8192xi8>
    %b, %t2 = gpu.alloc async [%t1] () : memref<2048xi32>
    %t3 = gpu.memset async [%t2] %a, %f : memref<8192xi8>, i8
    %s1 = gpu.launch_func async [%t3] @m::@read blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%a : memref<8192xi8>, %b : memref<2048xi32>)
    %s2 = gpu.launch_func async [%t3] @m::@write blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%a : memref<8192xi8>)
    gpu.wait [%s1, %s2]
    return
  }
}
"""


@pytest.mark.parametrize(
    ("at", "races"), [(0, 1), (16, 1), (31, 1), (32, 0), (480, 0), (481, 1), (519, 1), (520, 0)]
)
def test_what_another_stream_learns_of_bits(at: int, races: int) -> None:
    """One kernel reads words 0 to 31 and, so that its page has cells of bytes, bytes 2048 to 2079,
    which are words 512 to 519; another writes 32 words beside it."""
    from xgpu.driver.sanitizer import open_explorer
    from xgpu.driver.schedules import ready

    text = _BESIDE.replace("AT", str(at))
    explorer, sanitizer = open_explorer(("race",), text, "beside.mlir")
    with ready():
        explorer.run_ordered("main", (), 0)
    explorer.close()
    assert [f.kind for f in sanitizer.findings()] == ["race"] * races
    assert sanitizer.screens[:2] == ["read: screened", "clean"]


_ADDITIONS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%in: memref<2000xi32>, %bins: memref<100xi32>, %wide: memref<50xi64>) kernel {
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %long = arith.constant 1 : i64
      %first = arith.muli %b, %c32 : index
      %i = arith.addi %first, %t : index
      %value = memref.load %in[%i] : memref<2000xi32>
      %bin = arith.index_cast %value : i32 to index
      %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<100xi32>) -> i32
      %mine = arith.constant WHO : index
      %is_one = arith.cmpi eq, %i, %mine : index
      scf.if %is_one {
        MORE
      }
      gpu.return
    }
  }
}
"""
_READ = """%v = memref.load %bins[%c0] : memref<100xi32>
        memref.store %v, %in[%i] : memref<2000xi32>"""
_WRITE = "memref.store %one, %bins[%c0] : memref<100xi32>"
_WIDE = "%w = memref.atomic_rmw addi %long, %wide[%c0] : (i64, memref<50xi64>) -> i64"


def _additions(more: str, who: int, kinds: tuple[str, ...], last: int = 0) -> Sanitizer:
    """64 blocks of 32 threads count in bins of which the first and last pages belong to several
    arrays."""
    whole = np.zeros(4096, np.int32)
    given, bins = whole[7:2007], whole[2008:2108]
    given[:] = np.arange(2000) * 7 % 100
    given[1983] = last
    sanitizer = Sanitizer(kinds)
    text = _ADDITIONS.replace("WHO", str(who)).replace("MORE", more)
    launcher = Launcher(host_object(text), sanitizer=sanitizer)
    try:
        for array in (given, bins):
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", 62, 32, given, bins, bins.view(np.int64))
    finally:
        launcher.close()
    if not more and not last:
        wanted = np.bincount(given[:1984], minlength=100)
        np.testing.assert_array_equal(bins, wanted)
    return sanitizer


@pytest.mark.parametrize("kinds", [("race",), ("memory", "init"), ("memory", "race", "init")])
def test_atomic_operations_anywhere(kinds: tuple[str, ...]) -> None:
    sanitizer = _additions("", 0, kinds)
    assert not sanitizer.findings()
    assert sanitizer.screens[-1] == "clean"


@pytest.mark.parametrize("who", [0, 40, 1982])
@pytest.mark.parametrize("more", [_READ, _WRITE, _WIDE])
def test_atomic_operations_and_another_access(more: str, who: int) -> None:
    sanitizer = _additions(more, who, ("race",))
    assert {found.kind for found in sanitizer.findings()} == {"race"}


def test_an_atomic_operation_out_of_bounds() -> None:
    (found,) = _additions("", 0, ("memory",), 100).findings()
    assert (found.kind, found.count) == ("memory", 1)
