# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that are not watched, as all that they access is known before they run
(`instrument.whole_launch`): which are, that verdicts are those of launches that are watched, and
what those learn that run beside them."""

from __future__ import annotations

import ctypes
import gc
import random
import time
from typing import Any

import numpy as np
import pytest

import xgpu
from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import some
from xgpu.host_device.device import launch
from xgpu.host_device.sanitizer.instrument import known_launches, whole_launch
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

pytestmark = pytest.mark.sampled(2)

_COUNT, _BLOCKS, _THREADS = 256, 4, 64
_WG = "memref<64xi32, #gpu.address_space<workgroup>>"
_HEAD = f"""
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %p: index, %q: index,
                %r: index, %s: index) workgroup(%own: {_WG}) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %c63 = arith.constant 63 : index
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %size = gpu.block_dim x
      %o = arith.muli %g, %size : index
      %i = arith.addi %o, %t : index
"""
_TAIL = """
      gpu.return
    }
  }
}
"""
_LOAD, _STORE = "%v = memref.load %a[{}] : memref<?xi32>", "memref.store %v, %b[{}] : memref<?xi32>"
_FORM = """
      %{0}0 = arith.muli %{1}, %{2} : index
      %{0} = arith.addi %{0}0, %{3} : index"""
#: a[i * p + q] to b[i * r + s], for i below n.
_STRIDED = f"""
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {{{_FORM.format("x", "i", "p", "q")}{_FORM.format("y", "i", "r", "s")}
        {_LOAD.format("%x")}
        {_STORE.format("%y")}
      }}"""
#: Rows of eight, each of which a loop goes along; q and s are the steps of rows.
_ROWS = f"""
      %col = arith.remui %t, %c8 : index
      %row = arith.divui %i, %c8 : index
      scf.for %j = %col to %n step %c8 {{
        %x0 = arith.muli %row, %q : index
        %x1 = arith.muli %j, %p : index
        %x = arith.addi %x0, %x1 : index
        %y0 = arith.muli %row, %s : index
        %y1 = arith.muli %j, %r : index
        %y = arith.addi %y0, %y1 : index
        {_LOAD.format("%x")}
        {_STORE.format("%y")}
      }}"""
#: The grid goes along all, as often as it must; some threads do something else.
_GRID = f"""
      %grid = gpu.grid_dim x
      %all = arith.muli %grid, %size : index
      scf.for %j = %i to %n step %all {{{_FORM.format("x", "j", "p", "q")}
        %y = arith.addi %j, %s : index
        {_LOAD.format("%x")}
        {_STORE.format("%y")}
      }}
      %last = arith.cmpi uge, %i, %r : index
      scf.if %last {{
        %w = memref.load %b[%i] : memref<?xi32>
        memref.store %w, %b[%i] : memref<?xi32>
      }}"""
#: Memory of blocks between the two, which the threads turn round; p is where they wait.
_TURNED = f"""
      {_LOAD.format("%i")}
      memref.store %v, %own[%t] : {_WG}
      %waits = arith.cmpi eq, %p, %c1 : index
      scf.if %waits {{
        gpu.barrier
      }}
      %back = arith.subi %c63, %t : index
      %w = memref.load %own[%back] : {_WG}
      %y = arith.addi %i, %s : index
      memref.store %w, %b[%y] : memref<?xi32>"""
#: The sum of a[i + j] for j from q to r, by an unsigned loop, to b[i] for n elements from p on.
_BETWEEN = f"""
      %c256 = arith.constant {_COUNT} : index
      cf.br ^head(%q, %one : index, i32)
    ^head(%j: index, %sum: i32):
      %on = arith.cmpi ult, %j, %r : index
      cf.cond_br %on, ^body, ^end
    ^body:
      %z = arith.addi %i, %j : index
      %inside = arith.cmpi ult, %z, %c256 : index
      %more = scf.if %inside -> i32 {{
        %v = memref.load %a[%z] : memref<?xi32>
        scf.yield %v : i32
      }} else {{
        scf.yield %one : i32
      }}
      %sum2 = arith.addi %sum, %more : i32
      %j2 = arith.addi %j, %c32 : index
      cf.br ^head(%j2, %sum2 : index, i32)
    ^end:
      %behind = arith.subi %i, %p : index
      %below = arith.cmpi ult, %behind, %n : index
      scf.if %below {{
        memref.store %sum, %b[%i] : memref<?xi32>
      }}"""
#: More conditions than are followed, the outermost of which says the most.
_DEPTH = 2
_DEEP = (
    "%c9 = arith.constant 9 : index\n%first = arith.cmpi slt, %i, %c9 : index\nscf.if %first {\n"
    + "".join(
        f"%k{k} = arith.constant {k} : index\n%m{k} = arith.addi %n, %k{k} : index\n"
        f"%l{k} = arith.cmpi slt, %i, %m{k} : index\nscf.if %l{k} {{\n"
        for k in range(_DEPTH)
    )
    + "memref.store %one, %b[%i] : memref<?xi32>\n" + "}\n" * (_DEPTH + 1)
)  # fmt: skip
_BODIES = {"strided": _STRIDED, "rows": _ROWS, "grid": _GRID}
#: Of each body numbers with which nothing is wrong, for 4 blocks of 64 and arrays of 256.
_GOOD = {
    "strided": (256, 1, 0, 1, 0), "rows": (8, 1, 8, 1, 8), "grid": (256, 1, 0, 256, 0),
}  # fmt: skip
_objects: dict[str, bytes] = {}


def _object(body: str) -> bytes:
    if body not in _objects:
        _objects[body] = host_object(_HEAD + body + _TAIL)
    return _objects[body]


def _run(
    body: str, launches: list[tuple[int, ...]], kinds: tuple[str, ...] = ("race", "memory", "init"),
    size: int = _COUNT, in_place: bool = False,
) -> tuple[list[Any], Sanitizer]:  # fmt: skip
    """The findings of launches with these numbers, what is in the arrays then, and the fates of the
    launches."""
    sanitizer = Sanitizer(kinds)
    launcher = Launcher(_object(body), sanitizer=sanitizer)
    a = np.arange(size, dtype=np.int32)
    b = a if in_place else np.zeros(size, np.int32)
    try:
        for array in {id(a): a, id(b): b}.values():
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        for numbers in launches:
            values = [ctypes.c_int64(n) for n in numbers]
            launcher.launch("k", _BLOCKS, _THREADS, a, b, *values)
        found = sorted((f.kind, f.count, f.line, f.message.split(" of 4 bytes")[0])
                       for f in sanitizer.findings())  # fmt: skip
    finally:
        launcher.close()
    return [found, a.tolist(), b.tolist()], sanitizer


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "WORTH_KNOWING", -1)


def _watched(*given: Any, **options: Any) -> tuple[list[Any], Sanitizer]:
    """The same where each launch is watched."""
    was, launch.WORTH_KNOWING = launch.WORTH_KNOWING, 1 << 62
    try:
        return _run(*given, **options)
    finally:
        launch.WORTH_KNOWING = was


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("kinds", [("race",), ("memory", "init"), ("race", "memory", "init")])
@pytest.mark.parametrize("body", _BODIES)
def test_launches_that_are_known(body: str, kinds: tuple[str, ...]) -> None:
    """They do what others do."""
    found, sanitizer = _run(_BODIES[body], [_GOOD[body]] * 3, kinds)
    assert not found[0]
    assert sanitizer.screens[-1] == "known"
    (watched,) = (w for w in sanitizer.coverage().launches if w.how == "known before it runs")
    assert watched.launches >= 2
    assert found == _watched(_BODIES[body], [_GOOD[body]] * 3, kinds)[0]


def test_it_has_to_pay_to_find_out() -> None:
    sanitizer = _run(_STRIDED, [_GOOD["strided"]] * 3)[1]
    assert sanitizer.screens == ["k: screened", "clean", "clean", "clean"]


_MISTAKES = {
    "beyond the end": ("strided", (256, 1, 1, 1, 0)),
    "before the beginning": ("strided", (256, 1, 0, 1, -1)),
    "a grid beyond the end": ("grid", (257, 1, 0, 256, 0)),
    "one element": ("strided", (256, 1, 0, 0, 0)),
    "two threads each": ("rows", (16, 1, 8, 1, 8)),
    "rows that overlap": ("rows", (8, 1, 8, 1, 7)),
    "rows beyond the end": ("rows", (8, 1, 9, 1, 8)),
    "what another thread has written": ("grid", (253, 1, 0, 255, 3)),
}


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("mistake", _MISTAKES)
def test_mistakes_behind_launches_that_are_known(mistake: str) -> None:
    """Their numbers are not those of the launches before."""
    body, numbers = _MISTAKES[mistake]
    launches = [_GOOD[body], _GOOD[body], numbers]
    found, sanitizer = _run(_BODIES[body], launches)
    assert found[0]
    assert sanitizer.screens[-2:] == ["known", "undone"]
    assert found == _watched(_BODIES[body], launches)[0]


def _numbers(body: str, rng: random.Random) -> tuple[int, ...]:
    """Numbers near those that are right."""
    found = list(_GOOD[body])
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(found))
        found[at] += rng.choice((-8, -2, -1, 1, 2, 8, 64))
    return tuple(found)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(("body", "seed"), some(list(_BODIES), range(40), of=8))
def test_verdicts_are_those_of_launches_that_are_watched(body: str, seed: int) -> None:
    rng = random.Random(f"{body} {seed}")
    numbers = _numbers(body, rng)
    in_place = rng.random() < 0.3
    kinds = rng.choice((("race",), ("memory", "init"), ("race", "memory", "init")))
    given = (_BODIES[body], [_GOOD[body], numbers, numbers], kinds)
    found, _ = _run(*given, in_place=in_place)
    wanted, _ = _watched(*given, in_place=in_place)
    assert found[0] == wanted[0], numbers
    if not wanted[0]:
        assert found == wanted


@pytest.mark.usefixtures("eager")
def test_a_race_in_memory_of_blocks() -> None:
    """Their first block shows it, whatever is known of the rest."""
    body = _TURNED.replace("scf.if %waits {\n        gpu.barrier\n      }", "gpu.barrier")
    numbers = (0, 0, 0, 0, 0)
    assert _run(body, [numbers] * 2)[1].screens == ["k: screened", "clean", "known"]
    found, sanitizer = _run(body.replace("gpu.barrier", ""), [numbers] * 2)
    assert sanitizer.screens == ["k: screened", "undone", "undone"]
    assert [f[0] for f in found[0]] == ["race"]


_MAIN = f"""
    gpu.func @other(%to: memref<?xi32>, %at: index) kernel {{
      %t = gpu.thread_id x
      %i = arith.addi %at, %t : index
      %v = arith.constant 77 : i32
      memref.store %v, %to[%i] : memref<?xi32>
      gpu.return
    }}
  }}
  func.func @main() {{
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %blocks = arith.constant {_BLOCKS} : index
    %all = arith.constant {_COUNT} : index
    %five = arith.constant 5 : i32
    NUMBERS
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] (%all) : memref<?xi32>
    %b, %t2 = gpu.alloc async [%t1] (%all) : memref<?xi32>
    %t3 = gpu.memset async [%t2] %a, %five : memref<?xi32>, i32
    %t4 = gpu.memset async [%t3] %b, %five : memref<?xi32>, i32
    %s1 = gpu.launch_func async [%t4] @m::@k blocks in (%blocks, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<?xi32>, %b : memref<?xi32>, %n : index,
          %p : index, %q : index, %r : index, %s : index)
    LAUNCH
    gpu.wait [%s1, %s2]
    return
  }}
}}
"""
_OTHERS = {
    "kernel": """%s2 = gpu.launch_func async [ORDER] @m::@other blocks in (%c1, %c1, %c1)
        threads in (%c8, %c1, %c1) args(MEMORY : memref<?xi32>, %at : index)""",
    "copy": """%part = memref.subview MEMORY[%at] [8] [1]
        : memref<?xi32> to memref<8xi32, strided<[1], offset: ?>>
      %s2 = gpu.memset async [ORDER] %part, %five : memref<8xi32, strided<[1], offset: ?>>, i32""",
}


def _beside(
    body: str, numbers: tuple[int, ...], other: str, memory: str, at: int, order: str
) -> Any:
    """What a kernel and something beside it, which writes 8 words of an array, find."""
    from xgpu.driver.sanitizer import open_explorer
    from xgpu.driver.schedules import ready

    named = zip("npqrs", numbers, strict=True)
    constants = "\n    ".join(
        f"%{name} = arith.constant {value} : index" for name, value in (*named, ("at", at))
    )
    then = _OTHERS[other].replace("MEMORY", memory).replace("ORDER", order)
    main = _MAIN.replace("NUMBERS", constants).replace("LAUNCH", then)
    end = "\n      gpu.return\n    }"
    explorer, sanitizer = open_explorer(("race",), _HEAD + body + end + main, "beside.mlir")
    with ready():
        explorer.run_ordered("main", (), 0)
    explorer.close()
    found = [(f.kind, f.count, f.message, [s.location for s in f.sides])
             for f in sanitizer.findings()]  # fmt: skip
    return found, sanitizer.screens


#: Each thread uses some words alone, and others do not.
_PARTS = {
    "strided": (100, 2, 3, 2, 1), "rows": (7, 1, 7, 1, 8), "grid": (200, 1, 8, 250, 0),
}  # fmt: skip


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(
    ("body", "other", "memory", "place"),
    some(list(_PARTS), list(_OTHERS), ["%a", "%b"], range(12), of=16),
)
def test_what_runs_beside_them(body: str, other: str, memory: str, place: int) -> None:
    """A kernel or a fill that nothing orders finds the words that the threads used, and no others;
    what is ordered behind finds none."""
    at = random.Random(f"{body} {other} {memory} {place}").randrange(0, _COUNT - 8)
    given = _BODIES[body], _PARTS[body], other, memory, at
    found, screens = _beside(*given, "%t4")
    assert "known" in screens
    was, launch.WORTH_KNOWING = launch.WORTH_KNOWING, 1 << 62
    wanted, screens = _beside(*given, "%t4")
    launch.WORTH_KNOWING = was
    assert "known" not in screens
    assert found == wanted
    assert not _beside(*given, "%s1")[0]


def _same_beside(*given: Any) -> list[str]:
    """What becomes of launches that find beside another one what they find when watched."""
    found, screens = _beside(*given, "%t4")
    was, launch.WORTH_KNOWING = launch.WORTH_KNOWING, 1 << 62
    wanted, _ = _beside(*given, "%t4")
    launch.WORTH_KNOWING = was
    assert found == wanted
    return screens


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(
    ("q", "memory", "at"),
    some([0], ["%b"], (88, 92, 93, 196, 200), of=3)
    + some([-32, 32], ["%a"], (0, 24, 30, 88), of=4),
)
def test_both_bounds_of_conditions(q: int, memory: str, at: int) -> None:
    """Words below the least one and above the greatest are not used; a number below zero is a
    great one where bounds are unsigned."""
    _same_beside(_BETWEEN, (100, 100, q, 64, 0), "kernel", memory, at)


@pytest.mark.usefixtures("eager")
def test_more_conditions_than_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes is not known."""
    monkeypatch.setattr(whole_launch, "_MOST_CONDITIONS", _DEPTH)
    assert _run(_DEEP, [(200, 0, 0, 0, 0)] * 2, ("race",))[1].screens[-1] == "clean"


_CHOSEN = f"""
      {_LOAD.format("%i")}
      %in = arith.cmpi sgt, %v, %one : i32
      scf.if %in {{
        {_STORE.format("%i")}
      }}"""


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(("kinds", "fate"), [(("race",), "clean"), (("memory", "init"), "known")])
def test_what_data_decides(kinds: tuple[str, ...], fate: str) -> None:
    """Who writes is not known, so nothing could say it to a launch beside; where all of it may be
    used, that does no harm."""
    found, sanitizer = _run(_CHOSEN, [(0, 0, 0, 0, 0)] * 2, kinds)
    assert not found[0]
    assert sanitizer.screens[-1] == fate


#: The last of `n` decides: a truth value is cut off a number.
_ODD = f"""
      %n64 = arith.index_cast %n : index to i64
      %odd = arith.trunci %n64 : i64 to i1
      scf.if %odd {{
      }} else {{
        %x = arith.addi %i, %p : index
        {_LOAD.format("%x")}
        {_STORE.format("%i")}
      }}"""
#: Numbers that differ from others by a step beyond the least one: the greatest.
_LEAST = f"""
      {_LOAD.format("%i")}
      %n32 = arith.index_cast %n : index to i32
      %c31 = arith.constant 31 : i32
      %c5 = arith.constant 5 : i32
      %c40 = arith.constant 40 : i32
      %zero = arith.constant 0 : i32
      %bit = arith.andi %v, %n32 : i32
      %x = arith.shli %bit, %c31 : i32
      %less = arith.subi %x, %one : i32
      %ok0 = arith.cmpi sge, %less, %zero : i32
      scf.if %ok0 {{
        %ok1 = arith.cmpi sge, %less, %c5 : i32
        scf.if %ok1 {{
          %ok2 = arith.cmpi slt, %x, %c40 : i32
          scf.if %ok2 {{
            %at = arith.index_cast %x : i32 to index
            %w = memref.load %a[%at] : memref<?xi32>
            memref.store %w, %b[%i] : memref<?xi32>
          }}
        }}
      }}"""
_CUT = {"odd": (_ODD, (-2, 0), (-2, 8)), "least": (_LEAST, (0, 0), (1, 0))}


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("which", _CUT)
def test_numbers_of_few_bits(which: str) -> None:
    """What leaves its type is another number."""
    body, good, bad = _CUT[which]
    launches = [(*good, 0, 0, 0), (*good, 0, 0, 0), (*bad, 0, 0, 0)]
    found, _ = _run(body, launches, ("memory", "init"))
    assert [f[0] for f in found[0]] == ["memory"]
    assert found == _watched(body, launches, ("memory", "init"))[0]


_SUMS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) kernel {
      %i = gpu.global_id x
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %one = arith.constant 1 : i32
        %v = memref.load %a[%i] : memref<?xi32>
        %w = arith.addi %v, %one : i32
        memref.store %w, %b[%i] : memref<?xi32>
      }
      gpu.return
    }
  }
}
"""


@pytest.mark.usefixtures("eager")
def test_what_is_known_of_a_launch_lives_as_long_as_its_summary(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Launches of other sizes come meanwhile, and their sizes are remembered in its place."""
    monkeypatch.setattr(known_launches, "_MOST_SHAPES", 0)
    kernel = xgpu.load(_SUMS, "host").kernels["k"]
    with xgpu.sanitized(["race"]) as watched:
        streams = [xgpu.Stream(device="host") for _ in range(3)]
        arrays = [xgpu.empty(_COUNT, "int32", device="host").fill(0) for _ in range(4)]
        first = streams[0].record()
        kernel[_BLOCKS, _THREADS, streams[0]](arrays[0], arrays[1], _COUNT)
        streams[0].record()
        while first._backend.device.running():
            time.sleep(0.001)
        kernel[_BLOCKS, _THREADS // 2, streams[1]](arrays[2], arrays[3], _COUNT // 2)
        streams[1].synchronize()
        gc.collect()
        junk = [(ctypes.c_int64 * _THREADS)(*[1 << 40] * _THREADS) for _ in range(2000)]
        kernel[_BLOCKS, _THREADS, streams[2]](arrays[1], arrays[3], _COUNT)
        streams[2].synchronize()
        del junk
        streams[0].synchronize()
    assert [(f.kind, f.count) for f in watched.findings()] == [("race", _COUNT)]
