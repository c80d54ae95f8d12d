# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches whose accesses are known before they run (`instrument.whole_launch`): what has to hold
of the memory that they use, so that they need not be watched.

Each range of bytes lies in one allocation, that of the pointer which its addresses are computed
from; where uninitialized memory is looked for, all of it has been written; and the launch comes
after all that has used it. That no two of its threads meet, the compiler has found. The launch is
kept as a summary then, until all that comes is ordered behind it.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64, ptr, sizeof, zero_bytes
from xgpu.host_device.native.records import (
    KIND_INIT,
    KIND_RACE,
    Launch,
    SanPage,
    SanState,
    SanSummary,
)
from xgpu.host_device.native.sources.sanitizer_pages import (
    MOST_SUMMARIES,
    RANGE,
    allocation_at,
    page_at,
    spell_out_for,
)
from xgpu.host_device.native.sources.sanitizer_screen import begin_states, look_for_all, renew
from xgpu.host_device.native.sources.sanitizer_state import (
    BITS,
    FIRST,
    LIVE,
    MOST_CONTEXTS,
    PAGE,
    enter,
    new_contexts,
    operation_ordered,
    xgpu_san_leave,
    xgpu_san_stack,
    xgpu_san_state,
    zeroed,
)
from xgpu.host_device.native.sources.sanitizer_states import written_all


def xgpu_san_known(
    launch: Launch, ranges: Ptr[i64], range_count: i32, accesses: Ptr[i64], count: i32, skipped: i32
) -> i32:
    """Whether a launch with such accesses needs no watch; it counts as done then, but for its first
    `skipped` blocks. The arrays stay as they are until all comes after it."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    found: i32 = 0
    operation = launch.identity
    races = (s.kinds & KIND_RACE) != 0
    if not races or (s.summary_count < MOST_SUMMARIES and has_contexts(s, launch.groups)):
        fine = True
        at: i64 = 0
        while fine and at < i64(range_count) * RANGE:
            fine = is_range_known(s, Ptr[i64](ptr(i64(ranges) + at * 8)), operation, skipped)
            at += RANGE
        if not fine:
            forget_range(s, ranges, range_count, operation)
        elif races:
            summarize(s, launch, ranges, range_count, accesses, count, skipped)
        found = i32(fine)
    xgpu_san_leave(who)
    return found


def has_contexts(s: SanState, groups: i64) -> i1:
    room: i64 = MOST_CONTEXTS - groups
    return i64(s.context_count) < room or (room > FIRST and renew(s))


def is_range_known(s: SanState, given: Ptr[i64], operation: i32, skipped: i32) -> i1:
    begin = given[0]
    end = given[1]
    page = page_at(s, given[2])
    if i64(page) == 0 or begin >= end:
        return False
    number = allocation_at(s, page, given[2])
    if number < 0:
        return False
    a = s.allocations[i64(number)]
    if a.state != LIVE or begin < a.begin or end > a.begin + a.size:
        return False
    for i in range(s.summary_count):
        m = s.summaries[i64(i)]
        if disturbs(m, given) and not operation_ordered(s, m.operation, operation):
            return False
    at = begin & -PAGE
    while at < end:
        page = page_at(s, at)
        if i64(page) == 0:
            return False
        if page.live == 0 or page.changed != 0:
            # A block that is screened has to claim its pages itself.
            if skipped != 0 or not is_made_known(s, page, operation):
                return False
        elif not comes_behind(s, page, operation):
            return False
        if (s.kinds & KIND_INIT) != 0 and page.full == 0:
            shift = i64(page.states_shift)
            low = begin if begin > at else at
            high = end if end < at + PAGE else at + PAGE
            first = (low - at) >> shift
            last = (high - at + (1 << shift) - 1) >> shift
            if not written_all(Ptr[i64](ptr(i64(page.states) + first * 8)), last - first):
                return False
        at = at + PAGE
    return True


def disturbs(m: SanSummary, given: Ptr[i64]) -> i1:
    """Whether a launch uses any bytes of a range, and one of the two writes them."""
    for i in range(i64(m.range_count)):
        at = i * RANGE
        writes = m.ranges[at + 3] != 0 or given[3] != 0
        if writes and m.ranges[at] < given[1] and m.ranges[at + 1] > given[0]:
            return True
    return False


def comes_behind(s: SanState, page: SanPage, operation: i32) -> i1:
    """Whether an operation comes after all that states of a page tell of."""
    if s.operations[i64(page.claimed)].settled != 0:
        return True
    if page.claimed == operation or page.strangers == page.claimed:
        return page.claimed == operation
    return operation_ordered(s, page.claimed, operation)


def is_made_known(s: SanState, page: SanPage, operation: i32) -> i1:
    """Let states know what cells know, if the operation comes after it."""
    if s.summary_count != 0:
        spell_out_for(s, page, -1)
    if page.live != 0:
        return False
    v = s.screen
    v.operation = operation
    v.strangers = 0
    if not begin_states(s, v, page) or v.strangers != 0:
        return False
    page.live = 1
    page.changed = 0
    page.claimed = operation
    page.plain = 0
    zero_bytes(page.bits, BITS)
    look_for_all(page)
    return True


def forget_range(s: SanState, ranges: Ptr[i64], range_count: i32, operation: i32) -> None:
    """Let states of pages be made again that an operation has had made."""
    for i in range(i64(range_count)):
        at = ranges[i * RANGE] & -PAGE
        while at < ranges[i * RANGE + 1]:
            page = page_at(s, at)
            if i64(page) != 0 and page.claimed == operation and page.live != 0:
                page.live = 0
                page.changed = 1
            at = at + PAGE


def summarize(
    s: SanState, launch: Launch, ranges: Ptr[i64], range_count: i32, accesses: Ptr[i64], count: i32,
    skipped: i32,
) -> None:  # fmt: skip
    if i64(s.summaries) == 0:
        s.summaries = SanSummary(zeroed(MOST_SUMMARIES * sizeof(SanSummary)))
    m = s.summaries[i64(s.summary_count)]
    s.summary_count += 1
    m.operation = launch.identity
    m.groups = i32(launch.groups)
    m.first = new_contexts(s, m.groups)
    m.skipped = skipped
    m.threads = launch.block_x * launch.block_y * launch.block_z
    m.count = count
    m.range_count = range_count
    m.ranges = ranges
    m.accesses = accesses
    x: i32 = 0
    y: i32 = 0
    z: i32 = 0
    for block in range(launch.groups):
        c = s.contexts[i64(m.first) + block]
        c.operation = m.operation
        c.x = x
        c.y = y
        c.z = z
        x += 1
        if x == launch.grid_x:
            x = 0
            y += 1
            if y == launch.grid_y:
                y = 0
                z += 1


def xgpu_san_unknown(operation: i32) -> None:
    """The rest of a launch does not run as it was summarized."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    for i in range(s.summary_count):
        if s.summaries[i64(i)].operation == operation:
            s.summaries[i64(i)].range_count = 0
            s.summaries[i64(i)].count = 0
    xgpu_san_leave(who)
