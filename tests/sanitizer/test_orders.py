# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes that a program makes in some orders only: the natural order shows nothing, another one
does, and its seed shows it again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mutations import mutants
from planted import Planted
from some_cases import each

import xgpu
from xgpu.tools import xgpu_runner

sys.path.insert(0, str(Path(__file__).parent))

from story_cases import STORY

_BARS = """llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>
    llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>"""  # noqa: E501
_POINTERS = """
      %n1 = arith.constant 1 : i32
      %bytes = arith.constant 256 : i32
      %tn = arith.index_cast %t : index to i64
      %first = arith.cmpi eq, %t, %c0 : index
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %own = llvm.getelementptr %tile[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %pi = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %pn = arith.index_cast %pi : index to i64
      %src = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      %cta = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
"""
_INIT = """
      scf.if %first {
        nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
"""
_FLAG = """
      %ni = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %nn = arith.index_cast %ni : index to i64
      %flag = llvm.inttoptr %nn : i64 to !llvm.ptr<1>
"""
_ONE_WARP = """
      %is0 = arith.cmpi eq, %t, %c0 : index
      %is32 = arith.cmpi eq, %t, %c32 : index
"""

CASES = [
    # The reader does not look at what it acquired: right only if the writer came first.
    Planted("flag_that_is_not_looked_at", "race", _FLAG + _ONE_WARP + """
      scf.if %is0 {
        memref.store %f1, %out[%c0] : memref<256xf32> // SIDE
        llvm.atomicrmw add %flag, %one syncscope("device") release : !llvm.ptr<1>, i32
      }
      scf.if %is32 {
        %seen = llvm.atomicrmw add %flag, %zero syncscope("device") acquire : !llvm.ptr<1>, i32
        %came = arith.cmpi eq, %seen, %one : i32 // GOOD
        %came = arith.cmpi sge, %seen, %zero : i32 // BAD
        scf.if %came {
          %v = memref.load %out[%c0] : memref<256xf32> // SIDE
          memref.store %v, %out[%c64] : memref<256xf32>
        }
      }
"""),
    # One look at the phase, which is kept and does not decide: right only if the copy is fast.
    Planted("phase_that_is_not_waited_for", "race", _POINTERS + _INIT + """
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bar, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      %ticks = arith.constant 1000 : i32 // GOOD
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      %state = llvm.mlir.constant(0 : i64) : i64 // BAD
      %over = nvvm.mbarrier.test.wait %bar, %state : !llvm.ptr<3>, i64 -> i1 // BAD
      %answer = arith.extui %over : i1 to i32 // BAD
      memref.store %answer, %n[%t] : memref<64xi32> // BAD
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""", device=_BARS),  # noqa: E501
    # A producer that is slow: the consumer gives up after one look.
    Planted("producer_that_has_to_be_first", "race", _POINTERS + _INIT + """
      %is0 = arith.cmpi eq, %t, %c0 : index
      scf.if %is0 {
        llvm.store %f1, %tile : f32, !llvm.ptr<3> // SIDE
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      %is32 = arith.cmpi eq, %t, %c32 : index
      scf.if %is32 {
        %ticks = arith.constant 1000 : i32 // GOOD
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
        %state = llvm.mlir.constant(0 : i64) : i64 // BAD
        %over = nvvm.mbarrier.test.wait %bar, %state : !llvm.ptr<3>, i64 -> i1 // BAD
        %answer = arith.extui %over : i1 to i32 // BAD
        memref.store %answer, %n[%c0] : memref<64xi32> // BAD
        %v = llvm.load %tile : !llvm.ptr<3> -> f32 // SIDE
        memref.store %v, %out[%t] : memref<256xf32>
      }
""", device=_BARS),
    # Who draws the first ticket writes too far: in the natural order that is thread 0.
    Planted("ticket_of_somebody_else", "memory", _FLAG + """
      %b32 = arith.index_cast %t : index to i32
      %lane0 = arith.remui %t, %c32 : index
      %leads = arith.cmpi eq, %lane0, %c0 : index
      scf.if %leads {
        %ticket = llvm.atomicrmw add %flag, %one syncscope("device") monotonic : !llvm.ptr<1>, i32
        %sum = arith.addi %ticket, %b32 : i32
        %far = arith.constant 32 : i32
        %is = arith.cmpi eq, %sum, %far : i32
        scf.if %is {
          %c255 = arith.constant 255 : index
          %at = arith.addi %c255, %c1 : index // BAD
          %at = arith.addi %c255, %c0 : index // GOOD
          memref.store %f1, %out[%at] : memref<256xf32> // SIDE
        }
      }
"""),
]  # fmt: skip
_RUNS = 6


@pytest.mark.parametrize("case", each(CASES, 2), ids=lambda c: c.name)
def test_another_order_shows_it_and_its_seed_shows_it_again(case: Planted) -> None:
    bad, good = case.text(True), case.text(False)
    assert not xgpu.sanitize(bad)
    found = xgpu.sanitize(bad, schedules=_RUNS)
    (finding,) = [
        f for f in found if f.kind == case.kind and {s.line for s in f.sides} >= case.sides()
    ]
    assert finding.seed > 0
    assert f"--seed={finding.seed}" in finding.text()
    again = xgpu.sanitize(bad, schedules=1, seed=finding.seed)
    assert finding.headline() in [f.headline() for f in again]
    twin = xgpu.sanitize(good, schedules=_RUNS)
    assert not twin, twin.text()
    assert twin.runs == _RUNS


def test_nobody_is_taken_to_wait_who_only_lets_others_go_first() -> None:
    """Threads that end one by one, with fewer barriers than the twin has."""
    (case,) = [c for c in STORY if c.name == "epilogue_from_minus_one"]
    for mutant in mutants(case.name, case.text(False)):
        found = xgpu.sanitize(mutant.text, schedules=4)
        assert "sync" not in {f.kind for f in found}, f"{mutant.title}\n{found.text()}"


@pytest.mark.parametrize("case", STORY[:2], ids=lambda c: c.name)
def test_what_the_natural_order_shows_is_said_to_be_of_it(case: Planted) -> None:
    found = xgpu.sanitize(case.text(True), schedules=3)
    assert {f.seed for f in found if f.kind == case.kind} == {0}
    assert not xgpu.sanitize(case.text(False), schedules=_RUNS)


def test_the_runner_says_how_to_see_it_again(tmp_path, capfd) -> None:
    path = tmp_path / "late.mlir"
    path.write_text(CASES[1].text(True))
    assert xgpu_runner.main([str(path), "--sanitize"]) == 0
    capfd.readouterr()
    assert xgpu_runner.main([str(path), "--sanitize", "--schedules=4"]) == 1
    said = capfd.readouterr().err
    assert "4 other orders" in said
    seed = said.split("--schedules=1 --seed=")[1].split(" ")[0]
    assert xgpu_runner.main([str(path), "--sanitize", "--schedules=1", f"--seed={seed}"]) == 1
    assert "error: race: " in capfd.readouterr().err
