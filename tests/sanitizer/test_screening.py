# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that are screened: which are, what becomes of them, and that nothing is left of those
that are undone."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import numpy as np
import pytest

import xgpu
from tests.support.kernel_launch import Launcher, host_object
from tests.support.processor_time import limit_progress
from tests.support.some_cases import short, some
from xgpu.host_device.device.modules import Kernel
from xgpu.host_device.sanitizer.instrument.screening import Screen
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

pytestmark = pytest.mark.sampled(2)

_TEXT = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32>) workgroup(
        %s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %o = arith.muli %g, %c64 : index
      %i = arith.addi %o, %t : index
      %r = arith.subi %c63, %t : index
{body}
      gpu.return
    }}
  }}
}}
"""
_BLOCKS = 40  # more than a page of memory
_WG = "memref<64xf32, #gpu.address_space<workgroup>>"
_COPY = """
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32>
"""
_IN_PLACE = """
      %v = memref.load %a[%i] : memref<?xf32>
      gpu.barrier
      %w = arith.addf %v, %one : f32
      memref.store %w, %a[%i] : memref<?xf32>
"""
_REVERSED = f"""
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %s[%t] : {_WG}
      gpu.barrier
      %w = memref.load %s[%r] : {_WG}
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.addf %w, %x : f32
      memref.store %y, %a[%i] : memref<?xf32>
"""
_RACY = _REVERSED.replace("      gpu.barrier\n", "")
_LOOP = """
      %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%x = %one) -> (f32) {
        %k = arith.addi %o, %j : index
        %v = memref.load %a[%k] : memref<?xf32>
        %y = arith.addf %x, %v : f32
        scf.yield %y : f32
      }
      memref.store %sum, %b[%i] : memref<?xf32>
"""


def _run(body: str, sanitizer: Sanitizer | None, times: int = 1) -> list[Any]:
    count = 64 * _BLOCKS
    given = [np.arange(count, dtype=np.float32), np.zeros(count, np.float32)]
    launcher = Launcher(host_object(_TEXT.format(body=body)), sanitizer=sanitizer)
    try:
        for array in given:
            if sanitizer is not None:
                launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        for _ in range(times):
            launcher.launch("k", _BLOCKS, 64, *given)
    finally:
        launcher.close()
    return given


@pytest.mark.parametrize(
    ("body", "fate"),
    [(_COPY, ["clean"]), (_LOOP, ["clean"]), (_IN_PLACE, ["again", "clean"]), (_RACY, ["undone"])],
    ids=["copy", "loop", "in place", "racy"],
)
def test_what_becomes_of_a_launch(body: str, fate: list[str]) -> None:
    sanitizer = Sanitizer()
    _run(body, sanitizer)
    assert sanitizer.screens == ["k: screened", *fate]
    assert bool(sanitizer.findings()) == (fate == ["undone"])


def _divided(by: int, change: tuple[str, str] = ("", "")) -> str:
    """Rows and columns of a tile, and of columns of it in a loop."""
    text = f"""
      %by = arith.constant {by} : index
      %c4 = arith.constant 4 : index
      %col = arith.remui %t, %by : index
      %row = arith.divui %t, %by : index
      %up = arith.muli %row, %by : index
      %own = arith.addi %up, %col : index
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %s[%own] : {_WG}
      gpu.barrier
      %first = memref.load %s[%up] : {_WG}
      %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%x = %first) -> (f32) {{
        %k = arith.addi %j, %col : index
        %m = arith.addi %j, %row : index
        %p = memref.load %s[%k] : {_WG}
        %q = memref.load %s[%m] : {_WG}
        %far = arith.addi %o, %k : index
        %g2 = memref.load %a[%far] : memref<?xf32>
        %y = arith.addf %x, %p : f32
        %z = arith.addf %y, %q : f32
        %w = arith.addf %z, %g2 : f32
        scf.yield %w : f32
      }}
      %far2 = arith.addi %o, %col : index
      memref.store %sum, %b[%i] : memref<?xf32>
    """
    return text.replace(*change) if change[0] else text


_FAULTS = {
    "none": ("", ""),
    "no barrier": ("gpu.barrier", ""),
    "one column": ("%s[%own]", "%s[%col]"),
    "one row": ("%s[%own]", "%s[%up]"),
    "out of bounds": ("%k = arith.addi %j, %col", "%k = arith.addi %c63, %col"),
    "a global column": ("%b[%i]", "%b[%far2]"),
}


@pytest.mark.parametrize(("by", "fault"), some([16, 10], list(_FAULTS), of=3))
def test_indices_that_are_divided(by: int, fault: str) -> None:
    """Lanes of a vector lie in rows, or at one address: 16 of them, or some that differ."""
    body = _divided(by, _FAULTS[fault])
    sanitizer = Sanitizer(("memory", "race", "init"))
    found = _run(body, sanitizer)
    assert sanitizer.screens == ["k: screened", "clean" if fault == "none" else "undone"]
    assert bool(sanitizer.findings()) == (fault != "none")
    if fault == "none":
        np.testing.assert_array_equal(found[1], _run(body, None)[1])


@pytest.mark.parametrize("kinds", [("race",), ("memory", "init"), ("memory", "race", "init")])
@pytest.mark.parametrize("body", [_COPY, _IN_PLACE, _REVERSED, _LOOP])
def test_results_are_those_without_it(body: str, kinds: tuple[str, ...]) -> None:
    sanitizer = Sanitizer(kinds)
    found, wanted = _run(body, sanitizer, 3), _run(body, None, 3)
    assert not sanitizer.findings()
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_kernel_is_screened_with_care_from_its_second_launch_on() -> None:
    sanitizer = Sanitizer()
    _run(_IN_PLACE, sanitizer, 3)
    assert sanitizer.screens == ["k: screened", "again", "clean", "clean", "clean"]


_COUNTED = """
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.addf %x, %one : f32
      memref.store %y, %a[%i] : memref<?xf32>
"""


def test_nobody_helps_while_a_launch_is_compiled_to_be_screened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A launch that hands out no blocks for a while gets threads; one that is not yet to run, none:
    they would run it a second time."""
    compiled, handed_out = Kernel.screen, list[int]()

    def slowly(self: Kernel, block: tuple[int, int, int], is_small: bool) -> int:
        time.sleep(0.8)
        handed_out.extend(launch.record.next for launch in self.module.device.running())
        return compiled(self, block, is_small)

    wanted = _run(_COUNTED, None)
    monkeypatch.setattr(Kernel, "screen", slowly)
    sanitizer = Sanitizer()
    found = _run(_COUNTED, sanitizer)
    assert handed_out == [0]
    assert not sanitizer.findings()
    np.testing.assert_array_equal(found[0], wanted[0])


def test_a_launch_that_is_screened_for_long_gets_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty blocks, one after the other, take longer than the watchdog waits for one."""
    limit_progress(monkeypatch, 0.2)
    body = """
      %c500000 = arith.constant 500000 : index
      %n = memref.load %a[%c0] : memref<?xf32>
      %sum = scf.for %j = %c0 to %c500000 step %c1 iter_args(%x = %n) -> (f32) {
        %y = arith.mulf %x, %x : f32
        %z = math.sin %y : f32
        scf.yield %z : f32
      }
      memref.store %sum, %b[%i] : memref<?xf32>
"""
    begin = time.process_time()
    sanitizer = Sanitizer()
    _run(body, sanitizer)
    assert time.process_time() - begin > 0.3, "too short to tell"
    assert not sanitizer.findings()
    assert sanitizer.screens == ["k: screened", "clean"]


def test_nothing_is_left_of_a_launch_that_is_undone() -> None:
    """Threads run in order where each is by itself, so what a race makes is known."""
    found = _run(_RACY, Sanitizer())[0].reshape(_BLOCKS, 64)
    before = np.arange(64 * _BLOCKS, dtype=np.float32).reshape(_BLOCKS, 64)
    np.testing.assert_array_equal(found[:, 32:], (before + before[:, ::-1])[:, 32:])


_UPDATE = """
      %v = memref.load %a[%i] : memref<?xf32>
      %x = memref.load %b[%i] : memref<?xf32>
      %y = arith.addf %x, %one : f32
      %w = arith.addf %v, %y : f32
      memref.store %w, %a[%i] : memref<?xf32>
"""
_HALVES = """
      %p = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
      %c2 = arith.constant 2 : index
      %at = arith.muli %i, %c2 : index
      %base = arith.addi %p, %at : index
      %word = arith.index_cast %base : index to i64
      %q = llvm.inttoptr %word : i64 to !llvm.ptr
      %x = memref.load %b[%i] : memref<?xf32>
      %y = arith.addf %x, %one : f32
      %h = arith.truncf %y : f32 to f16
      llvm.store %h, %q : f16, !llvm.ptr
"""


@pytest.mark.parametrize("body", [_UPDATE, _HALVES], ids=["words", "halves"])
@pytest.mark.parametrize("kinds", [("memory",), ("memory", "init"), ("memory", "init", "race")])
def test_all_pages_of_a_launch_are_put_back(body: str, kinds: tuple[str, ...]) -> None:
    """The last block reads beyond its array, when all others have written their pages."""
    count = 64 * _BLOCKS
    # What lies behind the second array is the test's own, and known to nobody.
    a, room = np.arange(count, dtype=np.float32), np.zeros(count + 4096, np.float32)
    b = room[2048 : 2048 + count - 1]
    # What the last thread makes of what is not there is its own affair.
    size = 4 if body is _UPDATE else 2
    last = slice(size * (count - 1), size * count)
    wanted = a.copy()
    if body is _UPDATE:
        wanted += 1
    else:
        wanted.view(np.float16)[:count] = 1
    sanitizer = Sanitizer(kinds)
    launcher = Launcher(host_object(_TEXT.format(body=body)), sanitizer=sanitizer)
    try:
        for array in (a, b):
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", _BLOCKS, 64, a, b)
    finally:
        launcher.close()
    assert sanitizer.screens[-1] == "undone"
    (found,) = sanitizer.findings()
    assert (found.kind, found.count) == ("memory", 1)
    for array in (a, wanted):
        array.view(np.uint8)[last] = 0
    np.testing.assert_array_equal(a, wanted)


_USE = "\n memref.store %w, %b[%i] : memref<?xf32>"
_SHARED_RACES = {
    "write, write": "memref.store %v, %s[%t] : {wg}\n memref.store %v, %s[%r] : {wg}",
    "write, read": "memref.store %v, %s[%t] : {wg}\n %w = memref.load %s[%r] : {wg}{use}",
    "write, all read": "memref.store %v, %s[%t] : {wg}\n %w = memref.load %s[%c63] : {wg}{use}",
    "all read, write": (
        "memref.store %v, %s[%t] : {wg}\n gpu.barrier\n %w = memref.load %s[%c63] : {wg}{use}\n"
        " memref.store %one, %s[%t] : {wg}"
    ),
    "read, write": (
        "memref.store %v, %s[%t] : {wg}\n gpu.barrier\n %w = memref.load %s[%r] : {wg}{use}\n"
        " memref.store %one, %s[%t] : {wg}"
    ),
}


@pytest.mark.parametrize("body", _SHARED_RACES.values(), ids=_SHARED_RACES)
@pytest.mark.parametrize("ordered", [False, True])
def test_the_blocks_own_memory(body: str, ordered: bool) -> None:
    """Each race, and with a barrier between all accesses none."""
    text = "%v = memref.load %a[%i] : memref<?xf32>\n" + body.format(wg=_WG, use=_USE)
    if ordered:
        text = text.replace("\n", "\n gpu.barrier\n")
    sanitizer = Sanitizer(("race", "init"))
    _run(text, sanitizer)
    assert [f.kind for f in sanitizer.findings()] == ([] if ordered else ["race"])


def test_a_word_that_nobody_wrote() -> None:
    """All of a vector but one lane."""
    text = f"""
      %in = arith.cmpi ne, %t, %c63 : index
      scf.if %in {{
        memref.store %one, %s[%t] : {_WG}
      }}
      gpu.barrier
      %w = memref.load %s[%t] : {_WG}
      memref.store %w, %b[%i] : memref<?xf32>
    """
    for kinds in (("init",), ("memory", "init"), ("race", "init")):
        sanitizer = Sanitizer(kinds)
        _run(text, sanitizer)
        (found,) = sanitizer.findings()
        assert (found.kind, found.count) == ("init", _BLOCKS)


def test_memory_that_is_read_before_it_is_written() -> None:
    """Reads of a page that only take a bit each, then a write of what others have read."""
    text = """
      %v = memref.load %a[%i] : memref<?xf32>
      %last = arith.constant 2559 : index
      %m = arith.subi %last, %i : index
      memref.store %v, %a[%m] : memref<?xf32>
    """
    sanitizer = Sanitizer(("race",))
    _run(text, sanitizer)
    assert {f.kind for f in sanitizer.findings()} == {"race"}


def test_memory_of_which_parts_are_written() -> None:
    """Each second block writes what the next one reads, in pages that all before have only read."""
    text = """
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32>
      %c2 = arith.constant 2 : index
      %odd = arith.remui %g, %c2 : index
      %even = arith.cmpi eq, %odd, %c0 : index
      scf.if %even {
        %n = arith.addi %i, %c64 : index
        memref.store %one, %a[%n] : memref<?xf32>
      }
    """
    blocks = 48  # three pages
    room = np.zeros(3 * blocks * 64, np.float32)
    first = -room.ctypes.data % 4096 // 4
    a, b = room[first : first + 64 * blocks], np.zeros(64 * blocks, np.float32)
    sanitizer = Sanitizer(("race",))
    launcher = Launcher(host_object(_TEXT.format(body=text)), sanitizer=sanitizer)
    try:
        for array in (a, b):
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", blocks - 1, 64, a, b)
    finally:
        launcher.close()
    (found,) = sanitizer.findings()
    assert found.count == 64 * (blocks // 2 - 1)


def test_what_may_not_be_repeated_is_not_screened(capfd: pytest.CaptureFixture[str]) -> None:
    """A launch that prints cannot be undone."""
    sanitizer = Sanitizer(("race",))
    _run('      gpu.printf "%f", %one : f32\n', sanitizer)
    assert sanitizer.screens == ["k: 'llvm.call' is looked at thread by thread"]
    assert capfd.readouterr().out.count("1.000000") == 64 * _BLOCKS


_SIDE_BY_SIDE = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @read(%a: memref<2048xf32>, %b: memref<2048xf32>) kernel {
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %c64 = arith.constant 64 : index
      %o = arith.muli %g, %c64 : index
      %i = arith.addi %o, %t : index
      %v = memref.load %a[%i] : memref<2048xf32>
      memref.store %v, %b[%i] : memref<2048xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<2048xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<2048xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<2048xf32>
    %t4 = gpu.memset async [%t3] %a, %f : memref<2048xf32>, f32
    %s1 = gpu.launch_func async [%t4] @m::@read blocks in (%c32, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<2048xf32>, %b : memref<2048xf32>)
    %s2 = gpu.launch_func async [%t4] @m::@read blocks in (%c32, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<2048xf32>, %c : memref<2048xf32>)
    %s3 = gpu.memset async [DEPENDENCIES] %a, %f : memref<2048xf32>, f32
    gpu.wait [%s1, %s2, %s3]
    return
  }
}
"""


@pytest.mark.parametrize(
    ("dependencies", "races"), [("%s1, %s2", 0), ("%s1", 1), ("%s2", 1), ("%t4", 1)]
)
def test_launches_that_read_beside_one_another_are_screened(dependencies: str, races: int) -> None:
    from xgpu.driver.sanitizer import open_explorer
    from xgpu.driver.schedules import ready

    text = _SIDE_BY_SIDE.replace("DEPENDENCIES", dependencies)
    explorer, sanitizer = open_explorer(("race",), text, "beside.mlir")
    with ready():
        explorer.run_ordered("main", (), 0)
    explorer.close()
    assert sanitizer.screens == ["read: screened", "clean", "clean"]
    assert [f.kind for f in sanitizer.findings()] == ["race"] * races


_COPIED = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @read(%a: memref<2048xf32>, %b: memref<2048xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %a[%i] : memref<2048xf32>
      memref.store %v, %b[%i] : memref<2048xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<2048xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<2048xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<2048xf32>
    %t4 = gpu.memset async [%t3] %a, %f : memref<2048xf32>, f32
    %t5 = gpu.launch_func async [%t4] @m::@read blocks in (%c32, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<2048xf32>, %b : memref<2048xf32>)
    %t6 = gpu.memcpy async [%t5] %a, %FROM : memref<2048xf32>, memref<2048xf32>
    %t7 = gpu.launch_func async [%t6] @m::@read blocks in (%c32, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<2048xf32>, %b : memref<2048xf32>)
    gpu.wait [%t7]
    return
  }
}
"""


@pytest.mark.parametrize(("source", "count"), [("b", 0), ("c", 2048)])
def test_a_copy_of_nothing_over_what_a_launch_has_seen_written(source: str, count: int) -> None:
    from xgpu.driver.sanitizer import open_explorer
    from xgpu.driver.schedules import ready

    explorer, sanitizer = open_explorer(("init",), _COPIED.replace("FROM", source), "copied.mlir")
    with ready():
        explorer.run_ordered("main", (), 0)
    explorer.close()
    assert [(f.kind, f.count) for f in sanitizer.findings()] == [("init", count)] * (count > 0)


# -- what one block learns of another

_TICKET = f"""
      %last = arith.constant 39 : i32
      %uno = arith.constant 1 : i32
      %is_first = arith.cmpi eq, %t, %c0 : index
      %is_second = arith.cmpi eq, %t, %c1 : index
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32> // data
      gpu.barrier // cumulates
      scf.if %is_first {{
        nvvm.memory.barrier #nvvm.mem_scope<gpu> // releases
        // between
        %old = llvm.atomicrmw add %ticket, %uno monotonic : !llvm.ptr, i32
        // behind
        nvvm.memory.barrier #nvvm.mem_scope<gpu> // acquires
        %f = arith.sitofp %old : i32 to f32
        memref.store %f, %s[%c0] : {_WG}
      }}
      gpu.barrier
      %f = memref.load %s[%c0] : {_WG}
      %number = arith.fptosi %f : f32 to i32
      %is_last = arith.cmpi eq, %number, %last : i32
      scf.if %is_last {{
        %sum = scf.for %j = %c0 to %c40 step %c1 iter_args(%x = %one) -> (f32) {{
          %far = arith.muli %j, %c64 : index
          %k = arith.addi %far, %r : index
          %w = memref.load %b[%k] : memref<?xf32>
          %y = arith.addf %x, %w : f32
          scf.yield %y : f32
        }}
        memref.store %sum, %a[%i] : memref<?xf32>
        scf.if %is_first {{
          // at the end
        }}
      }}
"""
_RESET = "llvm.store %c0_i32, %ticket : i32, !llvm.ptr"
_RELEASE = "        nvvm.memory.barrier #nvvm.mem_scope<gpu> // releases\n"
_ACQUIRE = _RELEASE.replace("releases", "acquires")
_DATA = "memref.store %v, %b[%i] : memref<?xf32>"
_HALF = """%half = arith.remui %g, %c2 : index
        %half_i = arith.index_cast %half : index to i64
        %other = llvm.getelementptr %ticket[%half_i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
"""
_COMPARED = """%own_number = arith.index_cast %g : index to i32
        %pair = llvm.cmpxchg %ticket, %own_number, %uno monotonic monotonic : !llvm.ptr, i32
        %old = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>"""
#: What is changed, and whether a race is there then.
_TICKETS: dict[str, tuple[list[tuple[str, str]], bool]] = {
    "fences": ([], False),
    "no release": ([(_RELEASE, "")], True),
    "no acquire": ([(_ACQUIRE, "")], True),
    "acq_rel": ([(_RELEASE, ""), (_ACQUIRE, ""), ("monotonic", "acq_rel")], False),
    "acquire": ([(_RELEASE, ""), (_ACQUIRE, ""), ("monotonic", "acquire")], True),
    "release": ([(_RELEASE, ""), (_ACQUIRE, ""), ("monotonic", "release")], True),
    "a block's fence": ([("mem_scope<gpu> // releases", "mem_scope<cta>")], True),
    "no barrier": ([("gpu.barrier // cumulates", "")], True),
    "behind the release": ([(f"{_DATA} // data", ""), ("gpu.barrier // cumulates", ""),
                            ("// behind", _DATA)], True),
    "behind the fence": ([(f"{_DATA} // data", ""), ("// between", _DATA)], True),
    "of the thread itself": ([(f"{_DATA} // data", ""), ("gpu.barrier // cumulates", _DATA)], True),
    "too early": ([("constant 39 : i32", "constant 20 : i32")], True),
    "two tickets": ([("// between", _HALF), ("add %ticket,", "add %other,"),
                     ("constant 39 : i32", "constant 19 : i32")], True),
    "a ticket that is stored": ([("// between", _RESET)], True),
    "a reset": ([("monotonic", "acq_rel"), ("// at the end", _RESET)], False),
    "a reset behind fences": ([("// at the end", _RESET)], False),
    "a reset beside": ([("monotonic", "acq_rel"), ("// behind", _RESET)], True),
    "a relaxed one beside it": (
        [("// data", "llvm.atomicrmw add %ticket, %c0_i32 monotonic : !llvm.ptr, i32\n")], False),
}  # fmt: skip


def _ticket(strategy: str, changes: list[tuple[str, str]]) -> Sanitizer:
    body = _TICKET
    for old, new in changes:
        assert old in body
        body = body.replace(old, new)
    text = _TEXT.format(body=body).replace("%b: memref<?xf32>)", "%b: memref<?xf32>, "
                                           "%ticket: !llvm.ptr)")  # fmt: skip
    constants = "%c40 = arith.constant 40 : index\n %c2 = arith.constant 2 : index\n"
    text = text.replace("%t = gpu.thread_id", f"{constants} %c0_i32 = arith.constant 0 : i32\n"
                        "%t = gpu.thread_id")  # fmt: skip
    count = 64 * _BLOCKS
    given = [np.arange(count, dtype=np.float32), np.zeros(count, np.float32),
             np.zeros(2, np.int32)]  # fmt: skip
    sanitizer = Sanitizer(("memory", "race", "init"))
    launcher = Launcher(host_object(text), strategy, sanitizer=sanitizer)
    try:
        for array in given:
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        pointer = ctypes.c_int64(given[2].ctypes.data)
        launcher.launch("k", _BLOCKS, 64, *given[:2], pointer)
    finally:
        launcher.close()
    return sanitizer


@pytest.mark.parametrize("change", short(_TICKETS, "fences", "no acquire", "behind the fence"))
def test_blocks_that_learn_of_one_another(change: str) -> None:
    changes, is_racy = _TICKETS[change]
    sanitizer = _ticket("auto", changes)
    assert bool(sanitizer.findings()) == is_racy == bool(_ticket("threads", changes).findings())
    if change in ("fences", "acq_rel", "a reset"):
        assert sanitizer.screens[-1] == "clean"


@pytest.mark.long
def test_a_comparison_that_fails_releases_nothing() -> None:
    changes = [
        ("%old = llvm.atomicrmw add %ticket, %uno monotonic : !llvm.ptr, i32", _COMPARED),
        ("cmpi eq, %number, %last : i32", "cmpi eq, %g, %c39 : index"),
        ("%uno = ", "%c39 = arith.constant 39 : index\n %uno = "),
    ]
    assert _ticket("auto", changes).screens[-1] == "undone"


# -- asynchronous copies


def _async(*lines: str) -> str:
    """A body of lines in which `COPY`, `COMMIT`, `WAIT n` and `READ x` stand for operations."""
    copy = f"nvgpu.device_async_copy %a[%i], %s[%t], 1 : memref<?xf32> to {_WG}"
    text = ""
    for number, line in enumerate(lines):
        name, _, rest = line.partition(" ")
        if name == "COPY":
            text += f"%token{number} = {copy.replace(', 1 :', rest or ', 1 :')}\n"
        elif name == "COMMIT":
            text += "nvvm.cp.async.commit.group\n"
        elif name == "WAIT":
            text += f"nvvm.cp.async.wait.group {rest}\n"
        elif name == "READ":
            text += f"%v{number} = memref.load %s[%{rest}] : {_WG}\n"
            text += f"memref.store %v{number}, %b[%i] : memref<?xf32>\n"
        elif name == "SET":
            text += f"memref.store %one, {rest}\n"
        else:
            text += line + "\n"
    return text


_SET_TILE, _SET_SOURCE = f"SET %s[%t] : {_WG}", "SET %a[%i] : memref<?xf32>"
_FIRST = "%first = arith.cmpi ult, %t, %c40 : index"
#: Bodies, what becomes of a launch, and how many races there are.
_ASYNC: dict[str, tuple[tuple[str, ...], list[str], int]] = {
    "waited for": (("COPY", "COMMIT", "WAIT 0", "gpu.barrier", "READ r"), ["clean"], 0),
    "its own": (("COPY", "COMMIT", "WAIT 0", "READ t"), ["clean"], 0),
    "twice": (
        ("COPY", "COMMIT", "WAIT 0", "gpu.barrier", "READ r", "gpu.barrier", "COPY", "COMMIT",
         "WAIT 0", "gpu.barrier", "READ r"), ["clean"], 0,
    ),
    "never waited for": (("READ t", "gpu.barrier", "COPY"), ["clean"], 0),
    "an earlier group": (
        ("COPY", "COMMIT", "COMMIT", "WAIT 1", "gpu.barrier", "READ r"), ["clean"], 0
    ),
    "some lanes": (
        ("%c40 = arith.constant 40 : index", _FIRST, "scf.if %first {", "COPY", "COMMIT",
         "WAIT 0", "}", "gpu.barrier", "READ t"), ["clean"], 0,
    ),
    "none of its bytes": (
        ("COPY , 1, %c0 :", "COMMIT", "WAIT 0", "gpu.barrier", "READ r"), ["clean"], 0
    ),
    "in some lanes": (
        ("%n = arith.cmpi ult, %t, %c2 : index", "%k = arith.index_castui %n : i1 to index",
         "COPY , 1, %k :", "COMMIT", "WAIT 0", "gpu.barrier", "READ r"), ["clean"], 0,
    ),
    "no wait": (("COPY", "COMMIT", "gpu.barrier", "READ r"), ["undone"], 1),
    "no wait, its own": (("COPY", "COMMIT", "READ t"), ["undone"], 1),
    "no barrier": (("COPY", "COMMIT", "WAIT 0", "READ r"), ["undone"], 1),
    "a barrier too early": (("COPY", "COMMIT", "gpu.barrier", "WAIT 0", "READ r"), ["undone"], 1),
    "another group": (("COPY", "COMMIT", "WAIT 1", "gpu.barrier", "READ r"), ["undone"], 1),
    "no group": (("COPY", "WAIT 0", "gpu.barrier", "READ r"), ["undone"], 1),
    "a store meanwhile": (("COPY", _SET_TILE, "COMMIT", "WAIT 0"), ["undone"], 1),
    "over what others read": (
        (_SET_TILE, "gpu.barrier", "READ r", "COPY", "COMMIT", "WAIT 0"), ["undone"], 1
    ),
    "over its source": (("COPY", _SET_SOURCE, "COMMIT", "WAIT 0"), ["again", "undone"], 1),
    "over its source in time": (
        ("COPY", "COMMIT", "WAIT 0", _SET_SOURCE), ["again", "undone"], 0
    ),
    "in a loop": (
        ("%x = scf.for %j = %c0 to %c2 step %c1 iter_args(%y = %one) -> (f32) {",
         f"%p = memref.load %s[%t] : {_WG}", "%z = arith.addf %p, %y : f32", "COPY", "COMMIT",
         "scf.yield %z : f32", "}", "memref.store %x, %b[%i] : memref<?xf32>"), ["undone"], 2,
    ),
    "lanes with other groups": (
        ("%c40 = arith.constant 40 : index", _FIRST, "scf.if %first {", "COMMIT", "}", "COPY",
         "COMMIT", "WAIT 0", "READ t"), ["undone"], 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", some(list(_ASYNC), of=5))
def test_asynchronous_copies(name: str) -> None:
    lines, fate, races = _ASYNC[name]
    sanitizer = Sanitizer(("race",))
    body = "%c2 = arith.constant 2 : index\n" + _async(*lines)
    found = _run(body, sanitizer)
    assert sanitizer.screens == ["k: screened", *fate]
    assert [f.kind for f in sanitizer.findings()] == ["race"] * races
    if not races:
        np.testing.assert_array_equal(found[1], _run(body, None)[1])


# -- one block stands for all

_OWN = f"memref.store %v, %s[%t] : {_WG}"
_OTHERS = f"%w = memref.load %s[%r] : {_WG}\nmemref.store %w, %b[%i] : memref<?xf32>"
_LATE = "%c5 = arith.constant 5 : index\n%late = arith.cmpi uge, %g, %c5 : index\n"
_BY_DATA = """
      %least = arith.constant 320.0 : f32
      %u = memref.load %a[%o] : memref<?xf32>
      %late = arith.cmpf oge, %u, %least : f32
"""
_PLACE = f"""
      %at = arith.select %late, %c1, %t : index
      memref.store %v, %s[%at] : {_WG}
      gpu.barrier
"""
_MORE = f"memref.store %v, %s[%r] : {_WG}"
#: Lines between a load and a use of what another thread has stored: (lines, is one block like all).
_ALIKE = {
    "all": (_OWN + "\ngpu.barrier\n", True),
    "loop": (_OWN + "\nscf.for %j = %c0 to %c64 step %c1 {\ngpu.barrier\n}\n", True),
    "place": (_LATE + _PLACE, False),
    "place by data": (_BY_DATA + _PLACE, False),
    "way": (_LATE + _OWN + f"\nscf.if %late {{\n{_MORE}\n}}\ngpu.barrier\n", False),
    "way by data": (_BY_DATA + _OWN + f"\nscf.if %late {{\n{_MORE}\n}}\ngpu.barrier\n", False),
    "barrier": (
        _LATE + _OWN + "\nscf.if %late {\n} else {\ngpu.barrier\n}\n", False
    ),
    "iterations": (
        _OWN + f"\nscf.for %j = %c0 to %g step %c1 {{\n{_MORE}\n}}\ngpu.barrier\n", False
    ),
    "index of iterations": (
        _LATE + "%n = arith.select %late, %c1, %c0 : index\n"
        "%at = scf.for %j = %c0 to %n step %c1 iter_args(%k = %t) -> (index) "
        "{\nscf.yield %c1 : index\n}\n" + f"memref.store %v, %s[%at] : {_WG}\ngpu.barrier\n", False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", some(list(_ALIKE), of=4))
def test_one_block_stands_for_all(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What blocks do in their own memory is looked at in the first one alone if the others do the
    same; the mistakes here are of later blocks."""
    lines, alike = _ALIKE[name]
    screens: list[Screen] = []
    mark = Screen.mark

    def noted(self: Screen, function: Any) -> None:
        screens.append(self)
        mark(self, function)

    monkeypatch.setattr(Screen, "mark", noted)
    body = "%v = memref.load %a[%i] : memref<?xf32>\n" + lines + _OTHERS
    sanitizer = Sanitizer(("race",))
    _run(body, sanitizer)
    assert screens[-1].is_same == alike
    assert sanitizer.screens == ["k: screened", "clean" if alike else "undone"]
    assert bool(sanitizer.findings()) != alike


_COUNTERS = f"""
module attributes {{{{gpu.container_module}}}} {{{{
  gpu.module @m {{{{
    gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>) workgroup(
        %s: memref<64xi32, #gpu.address_space<workgroup>>) kernel {{{{
      %c64 = arith.constant 64 : index
      %c63 = arith.constant 63 : index
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %o = arith.muli %g, %c64 : index
      %i = arith.addi %o, %t : index
      %r = arith.subi %c63, %t : index
      %v = memref.load %a[%i] : memref<?xi32>
      %bin = arith.index_cast %v : i32 to index
      memref.atomic_rmw addi %one, %b[%bin] : (i32, memref<?xi32>) -> i32
      memref.store %v, %s[%t] : {_WG.replace("f32", "i32")}
      {{barrier}}
      %w = memref.load %s[%r] : {_WG.replace("f32", "i32")}
      memref.atomic_rmw addi %w, %b[%i] : (i32, memref<?xi32>) -> i32
      gpu.return
    }}}}
  }}}}
}}}}
"""


@pytest.mark.parametrize("barrier", ["gpu.barrier", ""])
def test_counters_that_a_worker_keeps_for_itself(barrier: str) -> None:
    """A worker gives back what it has added up before a launch is undone, or over."""
    count = 64 * _BLOCKS
    bins = np.random.default_rng(3).integers(0, 100, count).astype(np.int32)
    counts = np.zeros(count, np.int32)
    sanitizer = Sanitizer(("memory", "race", "init"))
    launcher = Launcher(host_object(_COUNTERS.format(barrier=barrier)), sanitizer=sanitizer)
    try:
        for array in (bins, counts):
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", _BLOCKS, 64, bins, counts)
    finally:
        launcher.close()
    assert sanitizer.screens == ["k: screened", "clean" if barrier else "undone"]
    assert bool(sanitizer.findings()) != bool(barrier)
    wanted = np.bincount(bins, minlength=count)
    if barrier:
        wanted = wanted + bins.reshape(-1, 64)[:, ::-1].ravel()
        np.testing.assert_array_equal(counts, wanted)
    else:  # what a racing load finds is open
        found = counts - wanted
        assert found.min() >= 0
        assert found.sum() <= bins.sum()


_TWO_NAMES = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global external @x() {addr_space = 3 : i32, alignment = 16 : i64}
      : !llvm.array<0 x f32>
    llvm.mlir.global external @y() {addr_space = 3 : i32, alignment = 16 : i64}
      : !llvm.array<0 x f32>
    gpu.func @k() kernel {
      %c5 = arith.constant 5 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %r = arith.subi %c63, %t : index
      %ti = arith.index_cast %t : index to i64
      %ri = arith.index_cast %r : index to i64
      %v = arith.sitofp %ti : i64 to f32
      %x = llvm.mlir.addressof @x : !llvm.ptr<3>
      %y = llvm.mlir.addressof @y : !llvm.ptr<3>
      %p = llvm.getelementptr %x[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %q = llvm.getelementptr %y[%ri] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %late = arith.cmpi uge, %g, %c5 : index
      llvm.store %v, %p : f32, !llvm.ptr<3>
      scf.if %late {
        llvm.store %v, %q : f32, !llvm.ptr<3>
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %size = arith.constant 256 : i32
    gpu.launch_func @m::@k blocks in (%c8, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %size
    return
  }
}
"""


def test_dynamic_memory_with_two_names() -> None:
    """What all blocks do by one name may race with what some do by another."""
    found = xgpu.sanitize(_TWO_NAMES, kinds=("race",))
    assert [f.kind for f in found] == ["race"], found.text()
