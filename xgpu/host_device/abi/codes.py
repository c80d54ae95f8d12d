# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that native code and Python agree on."""

from __future__ import annotations

import platform
from collections.abc import Callable
from functools import cache, wraps
from typing import TypeVar

from xgpu.core.support.forks import holds_off_forks, new_rlock

GUARD_SLOTS = 512  # threads that may be in guarded code at once
FREE_SLOT = 1  # in their table: a thread had it; 0: none has had it yet
KEPT_SLOTS = GUARD_SLOTS // 2  # that threads keep which have left their guard
KEPT_SLOT = 2  # a bit beside the number of such a thread
FIRST_GUARD_SLOT = GUARD_SLOTS * 8
GUARD_SLOT_BYTES = 1024
SIGNAL_CODE = 1000  # a guard's result for a fault is SIGNAL_CODE + the signal's number

THROW_ASSERT = 1
THROW_TRAP = 2
THROW_PROGRAM = 3  # the host program is to stop: see engine
THROW_DIVISION = 5  # by zero, in a kernel
THROW_OVERFLOW = 6  # a kernel divides the smallest number by minus one
THROW_BOUNDS = 7  # an access outside of an array, in a kernel
THROW_STUCK = 4  # all threads wait for tokens that cannot become available

POOL_CLOSED = 1_000_000  # what a helper comes back with when there is nothing more to help
ELSEWHERE = 1_000_001  # a launch that was to be made again may share its processor with helpers

NOTICE_OVERRUN = 1  # more bytes came to an mbarrier than were announced
NOTICE_EXITED = 2  # a barrier went on without threads that have exited
NOTICE_ABSENT = 3  # a shuffle reads from a lane that does not take part
NOTICE_CROWDED = 4  # all workers wait for other blocks, of which some have not begun

MISUSE_MBARRIER = 1  # an mbarrier that was not initialized
MISUSE_PARTIAL_WARP = 2  # a matrix operation of fewer than 32 threads
MISUSE_TENSOR_COLUMNS = 3  # tensor memory that there is not
MISUSE_TENSOR_PLACE = 4  # an address outside of tensor memory
MISUSE_TENSOR_DESCRIPTOR = 5  # an instruction descriptor without a meaning
MISUSE_TENSOR_METADATA = 6  # metadata of sparse A where there can be none
MISUSE_TENSOR_SHIFT = 7  # rows or columns of an operand that cannot be shifted so
MISUSE_TENSOR_SIX_BITS = 8  # A of 6 bits in tensor memory
MISUSE_RANK = 9  # a block that the cluster does not have
MISUSE_TENSOR_REDUCTION = 11  # a reduction that a tensor's type does not have
MISUSE_PAIR = 12  # cta_group::2 where the cluster has no such pair of blocks
MISUSE_TENSOR_LINES = 13  # gather4 or scatter4 of a tensor that is no matrix
MISUSE_FREE = 10  # free of what malloc of a kernel has not given, or of what is freed

ANSWER_BYTES = 16  # that clusterlaunchcontrol.try_cancel writes
#: Beside the 16 bits of a multicast mask: the copy is of cta_group::2.
OF_PAIRS = 1 << 16

FAULT_TEXT = (
    "xgpu-runner: error: illegal memory access in a runtime function: the program gave it an "
    "address that is not there\n"
)
FAULT_TEXT_BYTES = len(FAULT_TEXT)

# Which 8-byte word of a signal handler's third argument is the program counter; 0: not known.
# glibc's ucontext_t: gregs[REG_RIP] on x86-64, uc_mcontext.pc on AArch64.
PROGRAM_COUNTER_WORD = {("Linux", "x86_64"): 21, ("Linux", "aarch64"): 55}.get(
    (platform.system(), platform.machine()), 0
)

# And which word is its stack pointer.
STACK_POINTER_WORD = PROGRAM_COUNTER_WORD - 1

# Behind what is known of the last fault (`xgpu_fault_place`): where the code of the C library and
# of the dynamic linker begins, and its bytes.
LIBRARY_WORDS = 9

# And behind that, once there is memory behind allocations (`device.units`): where the code of
# `guards.xgpu_open_unit` is, where its table is, and how many entries that has, of UNIT_WORDS
# words: where memory is that may be used from its first use on, its bytes, and what was used of it:
# nothing (0), the first address, or SAID where that was asked for.
UNITS_WORD, UNIT_WORDS, SAID = LIBRARY_WORDS + 4, 3, 1

# Which 8-byte word of its second argument, siginfo_t, is the address that faulted.
FAULT_ADDRESS_WORD = 3 if platform.system() == "Darwin" else 2


# -- What is linked into the process once: by one thread at a time, not while the process forks.


T = TypeVar("T")

#: Who makes the native library, or links a part of it, which may need another.
LINKING = new_rlock()


holds_off_forks(lambda: LINKING)


def linked_once(link: Callable[[], T]) -> Callable[[], T]:
    """What `link` gives, the first time it is asked for."""
    known = cache(link)

    @wraps(link)
    def get() -> T:
        with LINKING:
            return known()

    return get
