# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in which warps wait for one another: which strategy they get; all strategies agree."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.kernel_launch import Launcher, host_object
from xgpu.core.ir.errors import DeviceError

MODULE = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    llvm.mlir.global internal @flag() {{addr_space = 3 : i32}} : !llvm.array<4 x i32>
    llvm.mlir.global internal @bar() {{addr_space = 3 : i32}} : !llvm.array<2 x i64>
    llvm.mlir.global internal @data() {{addr_space = 3 : i32}} : !llvm.array<1024 x i32>
    llvm.func @k(%p: !llvm.ptr) attributes {{gpu.kernel, nvvm.kernel}} {{
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c5 = llvm.mlir.constant(5 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %warp = llvm.lshr %tid, %c5 : i32
      %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      %mine = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %slot = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %first = llvm.icmp "eq" %tid, %c0 : i32
      {body}
      llvm.return
    }}
  }}
}}
"""


def run(
    body: str, count: int, *, strategy: str = "auto", opt_level: int = 2
) -> tuple[NDArray[np.int32], str]:
    """What a block of `count` threads leaves behind `%p`, and what is said of its strategy."""
    launcher = Launcher(host_object(MODULE.format(body=body), opt_level), strategy)
    found = np.full(count, -1, np.int32)
    try:
        launcher.launch("k", 1, count, ctypes.c_void_p(found.ctypes.data))
    finally:
        launcher.close()
    return found, re.sub(r" \(-:\d+:\d+\)", "", launcher.strategy)


def check(body: str, count: int, want: NDArray[np.int_], strategy: str) -> str:
    """The result is `want` in every strategy that applies, and `strategy` is chosen."""
    found, said = run(body, count)
    assert said.startswith(strategy)
    np.testing.assert_array_equal(found, want)
    for asked in {"warps", "threads"} if strategy == "warps" else {"threads"}:
        for level in (0, 3):
            found, _ = run(body, count, strategy=asked, opt_level=level)
            np.testing.assert_array_equal(found, want)
    return said


# Warp 0 writes and arrives, warp 1 waits for the phase and reads.
ROLES = """
      llvm.cond_br %first, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      %produces = llvm.icmp "eq" %warp, %c0 : i32
      llvm.cond_br %produces, ^produce, ^consume
    ^produce:
      %value = llvm.mul %tid, %c5 : i32
      llvm.store %value, %slot : i32, !llvm.ptr<3>
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      llvm.store %tid, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^consume:
      nvvm.mbarrier.try_wait.parity %bar, %c0, %c1 : !llvm.ptr<3>, i32, i32
      %lane = llvm.sub %tid, %c32 : i32
      %theirs = llvm.getelementptr %data[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %got = llvm.load %theirs : !llvm.ptr<3> -> i32
      llvm.store %got, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^end:
"""


def test_warps_with_roles():
    lanes = np.arange(32)
    said = check(ROLES, 64, np.concatenate([lanes, 5 * lanes]), "warps")
    why = "'nvvm.mbarrier.init' has no form for a vector of threads"
    assert said == f"warps, not block-loops: {why}"


# Warps 2 and 3 meet at barrier 1, and warps 0 and 1 at barrier 2, twice.
NAMED = """
      %half = llvm.lshr %warp, %c1 : i32
      %upper = llvm.icmp "ne" %half, %c0 : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %other = llvm.xor %tid, %c32 : i32
      %place = llvm.getelementptr %data[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tid, %slot : i32, !llvm.ptr<3>
      llvm.cond_br %upper, ^one, ^two
    ^one:
      nvvm.barrier id = %c1 number_of_threads = %c64
      %a = llvm.load %place : !llvm.ptr<3> -> i32
      llvm.store %a, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^two:
      nvvm.barrier id = %c2 number_of_threads = %c64
      %b = llvm.load %place : !llvm.ptr<3> -> i32
      nvvm.barrier id = %c2 number_of_threads = %c64
      llvm.store %b, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^end:
"""


def test_barriers_with_a_number():
    check(NAMED, 128, np.arange(128) ^ 32, "warps")


# A sum over the block decides whether all go round again: barriers in a loop that it ends.
REDUCTION = """
      llvm.br ^again(%tid : i32)
    ^again(%n: i32):
      %c7 = llvm.mlir.constant(7 : i32) : i32
      %high = llvm.icmp "sgt" %n, %c7 : i32
      %bit = llvm.zext %high : i1 to i32
      %some = nvvm.barrier #nvvm.reduction<or> %bit -> i32
      %less = llvm.sub %n, %c5 : i32
      %go = llvm.icmp "ne" %some, %c0 : i32
      llvm.cond_br %go, ^again(%less : i32), ^done
    ^done:
      llvm.store %n, %mine : i32, !llvm.ptr
"""


@pytest.mark.parametrize("count", [64, 40, 7])
def test_what_a_barrier_delivers(count: int):
    rounds = max(0, -(-(count - 1 - 7) // 5))
    check(REDUCTION, count, np.arange(count) - 5 * rounds, "warps")


# Warp 1 tells warp 0 through workgroup memory.
SPIN = """
      %tells = llvm.icmp "ne" %warp, %c0 : i32
      llvm.cond_br %first, ^clear, ^ready
    ^clear:
      llvm.store volatile %c0, %flag : i32, !llvm.ptr<3>
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      llvm.cond_br %tells, ^tell, ^wait
    ^tell:
      llvm.store volatile %c32, %flag : i32, !llvm.ptr<3>
      llvm.store %c1, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^wait:
      %v = llvm.load volatile %flag : !llvm.ptr<3> -> i32
      %set = llvm.icmp "ne" %v, %c0 : i32
      llvm.cond_br %set, ^go, ^wait
    ^go:
      llvm.store %v, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^end:
"""


def test_a_warp_that_waits_for_memory_of_its_block():
    said = check(SPIN, 64, np.repeat([32, 1], 32), "warps")
    assert said == "warps, not block-loops: threads wait for what others of their block write"


# Likewise: what is read goes by a variable of the thread, as code that is not optimized has it.
BY_A_VARIABLE = SPIN.replace(
    """%v = llvm.load volatile %flag : !llvm.ptr<3> -> i32
""",
    """%read = llvm.load volatile %flag : !llvm.ptr<3> -> i32
      llvm.store %read, %own : i32, !llvm.ptr
      %v = llvm.load %own : !llvm.ptr -> i32
""",
)


def test_a_wait_whose_value_goes_by_a_variable_of_the_thread():
    own = "%own = llvm.alloca %c1 x i32 : (i32) -> !llvm.ptr"
    check(own + BY_A_VARIABLE, 64, np.repeat([32, 1], 32), "warps")


# Likewise: the address comes from an array of the thread.
BY_A_POINTER = """
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %pointers = llvm.alloca %c2 x !llvm.ptr : (i32) -> !llvm.ptr
      %generic = llvm.addrspacecast %flag : !llvm.ptr<3> to !llvm.ptr
      %at = llvm.urem %tid, %c2 : i32
      %place = llvm.getelementptr %pointers[%at] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
      llvm.store %generic, %place : !llvm.ptr, !llvm.ptr
      %kept = llvm.load %place : !llvm.ptr -> !llvm.ptr
""" + SPIN.replace("%flag : !llvm.ptr<3> -> i32", "%kept : !llvm.ptr -> i32")


def test_a_wait_for_memory_of_the_block_by_a_pointer_from_memory():
    said = check(BY_A_POINTER, 64, np.repeat([32, 1], 32), "threads")
    assert said == (
        "threads, not block-loops: threads wait for what others of their block write, "
        "not warps: threads of a warp wait for one another in memory"
    )


# One warp tells the other through the array.
GLOBAL_SPIN = """
      %tells = llvm.icmp "{tells}" %{index}, %c0 : i32
      %theirs = llvm.getelementptr %p[{at}] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.cond_br %tells, ^tell, ^wait
    ^tell:
      llvm.store volatile %c5, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^wait:
      %v = llvm.load volatile %theirs : !llvm.ptr -> i32
      %set = llvm.icmp "eq" %v, %c5 : i32
      llvm.cond_br %set, ^go, ^wait
    ^go:
      llvm.store %c1, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^end:
"""


def test_a_wait_for_what_a_later_warp_of_the_block_writes():
    body = GLOBAL_SPIN.format(tells="ne", index="warp", at=32)
    said = check(body, 64, np.repeat([1, 5], 32), "warps")
    assert said == (
        "warps, not block-loops: threads may wait for what later ones of their block write"
    )


def test_a_wait_for_what_the_first_warp_of_the_block_writes():
    body = GLOBAL_SPIN.format(tells="eq", index="warp", at=0)
    check(body, 64, np.repeat([5, 1], 32), "block-loops")


# Thread 0 waits for a thread of its warp, or for one that wrote before.
LANES = """
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %writes = llvm.icmp "eq" %tid, %{writer} : i32
      %theirs = llvm.getelementptr %p[{at}] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.cond_br %first, ^wait, ^may
    ^wait:
      %v = llvm.load volatile %theirs : !llvm.ptr -> i32
      %set = llvm.icmp "eq" %v, %c5 : i32
      llvm.cond_br %set, ^may, ^wait
    ^may:
      llvm.cond_br %writes, ^write, ^end
    ^write:
      llvm.store volatile %c5, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^end:
"""


def test_a_wait_for_another_lane_by_global_memory():
    want = np.where(np.arange(32) == 3, 5, -1)
    said = check(LANES.format(writer="c3", at=3), 32, want, "threads")
    why = "threads of a warp wait for one another in memory"
    assert said == f"threads, not block-loops or warps: {why}"


# Each thread waits for the one before, and adds one to what that has written.
NEIGHBOURS = """
      %minus = llvm.mlir.constant(-1 : i32) : i32
      %before = llvm.getelementptr %mine[-1] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.cond_br %first, ^write(%c0 : i32), ^wait
    ^wait:
      %v = llvm.load volatile %before : !llvm.ptr -> i32
      %more = llvm.add %v, %c1 : i32
      %set = llvm.icmp "ne" %v, %minus : i32
      llvm.cond_br %set, ^write(%more : i32), ^wait
    ^write(%sum: i32):
      llvm.store volatile %sum, %mine : i32, !llvm.ptr
"""


def test_a_chain_of_threads_that_wait_for_one_another():
    check(NEIGHBOURS, 64, np.arange(64), "threads")


# Thread 0 clears a word, for which warp 1 waits behind a barrier.
BEHIND_A_BARRIER = """
      llvm.cond_br %first, ^clear, ^ready
    ^clear:
      llvm.store volatile %c0, %p : i32, !llvm.ptr
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      %waits = llvm.icmp "ne" %warp, %c0 : i32
      llvm.cond_br %waits, ^wait, ^end
    ^wait:
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %set = llvm.icmp "eq" %v, %c0 : i32
      llvm.cond_br %set, ^end, ^wait
    ^end:
"""


def test_a_wait_for_what_was_written_before_a_barrier():
    check(BEHIND_A_BARRIER, 64, np.where(np.arange(64) == 0, 0, -1), "block-loops")


# Each thread arrives, thread 0 waits for all.
ARRIVALS = """
      %c63 = llvm.mlir.constant(63 : i32) : i32
      %old = llvm.atomicrmw add %p, %c1 monotonic : !llvm.ptr, i32
      llvm.cond_br %first, ^wait, ^end
    ^wait:
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %set = llvm.icmp "eq" %v, %{all} : i32
      llvm.cond_br %set, ^end, ^wait
    ^end:
"""


def test_a_wait_for_all_threads_of_the_block():
    want = np.where(np.arange(64) == 0, 63, -1)
    check(ARRIVALS.format(all="c63"), 64, want, "warps")


def test_a_wait_for_all_threads_of_the_warp():
    want = np.where(np.arange(32) == 0, 31, -1)
    body = "%c31 = llvm.mlir.constant(31 : i32) : i32" + ARRIVALS.format(all="c31")
    check(body, 32, want, "block-loops")


# Each thread works, and asks again, until the thread behind it is done. Who goes on is decided by
# branches alone.
WORKS = """
      %c63 = llvm.mlir.constant(63 : i32) : i32
      %is_last = llvm.icmp "eq" %tid, %c63 : i32
      %after = llvm.add %tid, %c1 : i32
      %next = llvm.getelementptr %p[%after] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.br ^round
    ^round:
      llvm.cond_br %is_last, ^set(%c0 : i32), ^look
    ^look:
      %v = llvm.load volatile %next : !llvm.ptr -> i32
      %ready = llvm.icmp "sge" %v, %c0 : i32
      %more = llvm.add %v, %c1 : i32
      llvm.cond_br %ready, ^set(%more : i32), ^test(%c1 : i32)
    ^set(%x: i32):
      llvm.store %x, %mine : i32, !llvm.ptr
      llvm.br ^test(%c0 : i32)
    ^test(%again: i32):
      %goes = llvm.icmp "ne" %again, %c0 : i32
      llvm.cond_br %goes, ^round, ^end
    ^end:
"""


def test_a_warp_that_works_until_another_one_is_done():
    said = check(WORKS, 64, 63 - np.arange(64), "warps")
    assert said == "warps, not block-loops: threads work until others of their block have done so"


# A lock that the threads of a warp take in turn.
LOCK = """
      llvm.cond_br %first, ^clear, ^ready
    ^clear:
      llvm.store %c0, %flag : i32, !llvm.ptr<3>
      llvm.store %c0, %data : i32, !llvm.ptr<3>
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      llvm.br ^try
    ^try:
      %pair = llvm.cmpxchg %flag, %c0, %c1 acq_rel monotonic : !llvm.ptr<3>, i32
      %got = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
      llvm.cond_br %got, ^locked, ^try
    ^locked:
      %n = llvm.load %data : !llvm.ptr<3> -> i32
      %more = llvm.add %n, %c1 : i32
      llvm.store %more, %data : i32, !llvm.ptr<3>
      %old = llvm.atomicrmw xchg %flag, %c0 release : !llvm.ptr<3>, i32
      nvvm.barrier0
      %all = llvm.load %data : !llvm.ptr<3> -> i32
      llvm.store %all, %mine : i32, !llvm.ptr
"""


def test_threads_of_a_warp_that_wait_for_one_another():
    said = check(LOCK, 64, np.full(64, 64), "threads")
    assert said == (
        "threads, not block-loops: threads wait for what others of their block write, "
        "not warps: threads of a warp wait for one another in memory"
    )


# A semaphore of two places: a thread reads until there is one, and takes it unless another did.
SEMAPHORE = """
      %two = llvm.add %c1, %c1 : i32
      llvm.cond_br %first, ^clear, ^ready
    ^clear:
      llvm.store %two, %flag : i32, !llvm.ptr<3>
      llvm.store %c0, %data : i32, !llvm.ptr<3>
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      %free = llvm.addrspacecast %flag : !llvm.ptr<3> to !llvm.ptr
      %place = llvm.ptrtoint %free : !llvm.ptr to i64
      %generic = llvm.inttoptr %place : i64 to !llvm.ptr
      llvm.br ^try
    ^try:
      %count = llvm.load %generic atomic monotonic {alignment = 4} : !llvm.ptr -> i32
      %some = llvm.icmp "sgt" %count, %c0 : i32
      llvm.cond_br %some, ^take(%count : i32), ^try
    ^take(%seen: i32):
      %less = llvm.sub %seen, %c1 : i32
      %pair = llvm.cmpxchg %generic, %seen, %less acq_rel monotonic : !llvm.ptr, i32
      %got = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
      llvm.cond_br %got, ^taken, ^try
    ^taken:
      %n = llvm.atomicrmw add %data, %c1 monotonic : !llvm.ptr<3>, i32
      %old = llvm.atomicrmw add %generic, %c1 release : !llvm.ptr, i32
      nvvm.barrier0
      %all = llvm.load %data : !llvm.ptr<3> -> i32
      llvm.store %all, %mine : i32, !llvm.ptr
"""


def test_threads_of_a_warp_that_take_places_by_turns():
    assert "threads of a warp wait for one another in memory" in check(
        SEMAPHORE, 64, np.full(64, 64), "threads"
    )


# One thread waits for what the others of its warp do later.
PARTED = """
      llvm.cond_br %first, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      llvm.cond_br %first, ^wait, ^other
    ^wait:
      nvvm.mbarrier.try_wait.parity %bar, %c0, %c1 : !llvm.ptr<3>, i32, i32
      llvm.br ^end
    ^other:
      %second = llvm.icmp "eq" %tid, %c1 : i32
      llvm.cond_br %second, ^arrive, ^end
    ^arrive:
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      llvm.br ^end
    ^end:
      llvm.store %tid, %mine : i32, !llvm.ptr
"""


def test_threads_of_a_warp_that_part_before_one_waits():
    said = check(PARTED, 40, np.arange(40), "threads")
    assert said.endswith("not warps: threads of a warp part before they wait")


# One lane of warp 0 hands numbers to warp 1, which says when it has read each.
ELECTED = """
      %c10 = llvm.mlir.constant(10 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %empty = llvm.getelementptr %bar[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      llvm.cond_br %first, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %c32 : !llvm.ptr<3>, i32
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      %producer = llvm.icmp "eq" %warp, %c0 : i32
      llvm.cond_br %producer, ^produce, ^consume(%c0, %c0 : i32, i32)
    ^produce:
      %elected = nvvm.elect.sync -> i1
      llvm.cond_br %elected, ^put(%c0 : i32), ^produced
    ^put(%i: i32):
      %parity = llvm.and %i, %c1 : i32
      %before = llvm.xor %parity, %c1 : i32
      nvvm.mbarrier.try_wait.parity %empty, %before, %c1 : !llvm.ptr<3>, i32, i32
      llvm.store %i, %data : i32, !llvm.ptr<3>
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      %next = llvm.add %i, %c1 : i32
      %more = llvm.icmp "ult" %next, %c10 : i32
      llvm.cond_br %more, ^put(%next : i32), ^produced
    ^produced:
      AFTER
      nvvm.bar.warp.sync %all : i32
      llvm.br ^end(%tid : i32)
    ^consume(%j: i32, %sum: i32):
      %phase = llvm.and %j, %c1 : i32
      nvvm.mbarrier.try_wait.parity %bar, %phase, %c1 : !llvm.ptr<3>, i32, i32
      %v = llvm.load %data : !llvm.ptr<3> -> i32
      %read = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
      %total = llvm.add %sum, %v : i32
      %following = llvm.add %j, %c1 : i32
      %again = llvm.icmp "ult" %following, %c10 : i32
      llvm.cond_br %again, ^consume(%following, %total : i32, i32), ^end(%total : i32)
    ^end(%result: i32):
      llvm.store %result, %mine : i32, !llvm.ptr
"""


def test_one_lane_of_a_warp_waits_and_the_others_have_nothing_to_do():
    want = np.where(np.arange(64) < 32, np.arange(64), 45)
    check(ELECTED.replace("AFTER", ""), 64, want, "warps")


def test_one_lane_of_a_warp_waits_and_the_others_tell_somebody():
    """What the others do behind the branch may be what the one waits for."""
    want = np.where(np.arange(64) < 32, np.arange(64), 45)
    body = ELECTED.replace("AFTER", "llvm.store %c1, %flag : i32, !llvm.ptr<3>")
    said = check(body, 64, want, "threads")
    assert said.endswith("not warps: threads of a warp part before they wait")


# Each iteration some thread of warp 0 waits by itself; which one does not change.
IN_A_LOOP = """
      llvm.cond_br %first, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      %lower = llvm.icmp "ult" %tid, %c32 : i32
      llvm.br ^head(%c0 : i32)
    ^head(%i: i32):
      llvm.cond_br %lower, ^ask, ^tell
    ^ask:
      llvm.cond_br %first, ^wait, ^next
    ^wait:
      %parity = llvm.and %i, %c1 : i32
      nvvm.mbarrier.try_wait.parity %bar, %parity, %c1 : !llvm.ptr<3>, i32, i32
      llvm.store %i, %data : i32, !llvm.ptr<3>
      llvm.br ^next
    ^tell:
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      llvm.br ^next
    ^next:
      MIDDLE
      %following = llvm.add %i, %c1 : i32
      %more = llvm.icmp "ult" %following, %c5 : i32
      llvm.cond_br %more, ^head(%following : i32), ^end
    ^end:
      nvvm.barrier0
      %v = llvm.load %data : !llvm.ptr<3> -> i32
      llvm.store %v, %mine : i32, !llvm.ptr
"""


def test_one_lane_waits_in_each_iteration():
    check(IN_A_LOOP.replace("MIDDLE", "nvvm.barrier0"), 64, np.full(64, 4), "warps")


def test_a_warp_that_is_not_there_for_a_barrier_is_told_of():
    body = NAMED.replace("id = %c2 number_of_threads = %c64", "id = %warp number_of_threads = %c64")
    with pytest.raises(DeviceError) as error:
        run(body, 128, strategy="warps")
    lines = str(error.value).splitlines()
    assert lines[0].endswith("deadlock in block (0, 0, 0): 32 of 128 threads wait for ever")
    assert lines[1].startswith("  32 threads wait at barrier 0 (32 of 64 threads are there): (0,")


def test_a_fault_names_the_thread():
    body = SPIN.replace("llvm.store %v, %mine", "llvm.store %v, %nowhere").replace(
        "^go:", "^go:\n      %nowhere = llvm.inttoptr %tid : i32 to !llvm.ptr"
    )
    with pytest.raises(DeviceError, match=r"illegal memory access in block \(0, 0, 0\), thread"):
        run(body, 64)


# Thread 0 of each block waits until the block before has told it, by reads that are additions.
BLOCKS_IN_TURN = """
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %own = llvm.getelementptr %p[%block] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.cond_br %first, ^wait, ^end
    ^wait:
      %v = llvm.atomicrmw add %own, %c0 acquire : !llvm.ptr, i32
      %set = llvm.icmp "sgt" %v, %c0 : i32
      llvm.cond_br %set, ^go, ^wait
    ^go:
      %more = llvm.add %v, %c1 : i32
      %old = llvm.atomicrmw xchg %next, %more release : !llvm.ptr, i32
      llvm.br ^end
    ^end:
"""


@pytest.mark.parametrize("strategy", ["auto", "warps", "threads"])
def test_blocks_that_wait_for_the_block_before(strategy: str):
    """Loops over warps do it too: no block waits for itself."""
    launcher = Launcher(host_object(MODULE.format(body=BLOCKS_IN_TURN)), strategy)
    found = np.zeros(21, np.int32)
    found[0] = 1
    launcher.launch("k", 20, 64, ctypes.c_void_p(found.ctypes.data))
    launcher.close()
    got = launcher.strategy.split(",")[0]
    assert got == ("block-loops" if strategy == "auto" else strategy)
    np.testing.assert_array_equal(found, np.arange(1, 22))
