# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory behind allocations, which may be used from its first use on (`device.units`)."""

from __future__ import annotations

from xgpu.host_device.native.codes import PROGRAM_COUNTER_WORD, UNIT_WORDS, UNITS_WORD
from xgpu.host_device.native.prelude import Ptr, i1, i64, ptr, ult
from xgpu.host_device.native.sources.guards import xgpu_fault_place
from xgpu.host_device.native.sources.libc import mprotect

READ_WRITE = 3


def xgpu_open_unit(address: i64, context: Ptr[i64]) -> i1:
    """Whether an address lies behind an allocation, but in its last unit of memory: there is memory
    from now on, and what was interrupted goes on."""
    if PROGRAM_COUNTER_WORD != 0 and context[PROGRAM_COUNTER_WORD] == address:
        return False  # a jump there
    fault = xgpu_fault_place()
    units = Ptr[i64](fault[UNITS_WORD + 1])
    for i in range(fault[UNITS_WORD + 2]):
        at = i * UNIT_WORDS
        if ult(address - units[at], units[at + 1]):
            if units[at + 2] == 0:
                units[at + 2] = address
            return mprotect(ptr(units[at]), units[at + 1], READ_WRITE) == 0
    return False
