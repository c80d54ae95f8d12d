# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes that a program makes in some orders only: the natural order shows nothing, another one
does, and its seed shows it again."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
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


#: Two blocks add to a number under a lock, which the second one of the two acquires. In the natural
#: order that is block 1.
LOCK = """
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 taken;
.visible .entry k(.param .u64 out)
{
  .reg .pred %p;
  .reg .u32 %v, %b, %one;
  .reg .u64 %o, %lock;
  ld.param.u64 %o, [out];
  mov.u64 %lock, taken;
  mov.u32 %b, %ctaid.x;
  mov.u32 %one, 1;
AGAIN:
  atom.relaxed.gpu.global.cas.b32 %v, [%lock], 0, %one;
  setp.ne.u32 %p, %v, 0;
  @%p bra AGAIN;
  setp.eq.u32 %p, %b, FIRST;
  @%p bra IN;
  fence.acq_rel.gpu;
IN:
  ld.global.u32 %v, [%o];
  add.u32 %v, %v, 1;
  st.global.u32 [%o], %v;
  fence.acq_rel.gpu;
  atom.relaxed.gpu.global.exch.b32 %v, [%lock], 0;
  ret;
}
"""


def _locked(first: int, schedules: int, seed: int = 0) -> tuple[xgpu.Findings, int]:
    """Findings, and the number, where block `first` (-1: none) does not acquire."""
    kernel = xgpu.load(LOCK.replace("FIRST", str(first)), "host").kernels["k"]
    out = np.zeros(1, np.int32)
    with xgpu.sanitized(schedules=schedules, seed=seed) as watched:
        kernel[2, 1](out)
        kernel[2, 1](out)
    return watched.findings(), int(out[0])


def test_a_launch_runs_again_in_other_orders_from_the_same_memory() -> None:
    natural, number = _locked(0, 0)
    assert (len(natural), natural.runs, number) == (0, 0, 4)
    found, number = _locked(0, 1)
    assert number == 4
    assert found.runs == 2
    assert {finding.kind for finding in found} == {"race"}
    assert {finding.seed for finding in found} == {1}
    again, _ = _locked(0, 1, found[0].seed)
    assert [f.headline() for f in again] == [f.headline() for f in found]
    # What the natural order shows is said to be of it, and what is right stays so in all orders.
    assert {finding.seed for finding in _locked(1, 2)[0]} == {0}
    right, number = _locked(-1, 6)
    assert (len(right), right.runs, number) == (0, 12, 4), right.text()


def test_a_launch_that_fails_in_another_order_alone() -> None:
    """The one that is first traps if it is not block 0."""
    text = LOCK.replace("FIRST", "-1").replace(
        "  add.u32", "  setp.ne.u32 %p, %v, %b;\n  @%p trap;\n  add.u32"
    )
    kernel = xgpu.load(text, "host").kernels["k"]
    out = np.zeros(1, np.int32)
    with xgpu.sanitized(schedules=1) as watched:
        kernel[2, 1](out)
    found = watched.findings()
    assert out[0] == 2
    assert found.seed == 1
    assert "trap" in found.difference


def test_numbers_of_orders_are_checked() -> None:
    with pytest.raises(xgpu.UsageError, match="schedules is -1, seed is 0"):
        xgpu.sanitized(schedules=-1).__enter__()
