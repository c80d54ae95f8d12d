# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows of a launch that is screened: for each location, memory in which its accesses are all
right.

A kernel looks at them in line (`host_device/sanitizer/instrument/fast_path.py`) before it calls a
check, so what a window promises has to hold until it is closed:

* where races are not looked for: all of it is one allocation's, claimed by the launch, and written
  before; for a location that writes, kept as well (`save`), so that a bit for each word is all that
  is noted;
* where they are, for locations that read: pages whose reads take a bit each (`SanPage.plain`).

It grows by pages next to it; for reads without races by those behind it that are written, for
nothing is noted there. A location has credit for the pages it looks at: many at first, so that one
that strides through an allocation has all of it, and some more for each miss, so that memory with
holes costs no more than that.

The bits of the words of an address lie at `base` + address / 32.
Nothing else ends in a launch: nobody else is inside. A page that stops to be plain leaves all.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import i64, lshr, sizeof
from xgpu.host_device.native.records import SanPage, SanScreen, SanState, SanWindow
from xgpu.host_device.native.sources.libc import malloc
from xgpu.host_device.native.sources.sanitizer_state import TABLE

MOST_WINDOWS = 2048
CREDIT = 4096  # pages a location may look at in a launch
MORE_CREDIT = 64  # and for each miss
FLAG_WRITE = 1
FLAG_ATOMIC = 2


def begin_windows(v: SanScreen) -> None:
    if i64(v.windows) == 0:
        v.windows = SanWindow(malloc(MOST_WINDOWS * sizeof(SanWindow)))
        v.window_count = MOST_WINDOWS
    close_windows(v)
    v.window_count = 0


def close_windows(v: SanScreen) -> None:
    for i in range(v.window_count):
        close(v.windows[i])


def close(w: SanWindow) -> None:
    w.low = -1
    w.high = 0
    w.credit = CREDIT


def leave_page(v: SanScreen, page: SanPage) -> None:
    """No window has a page any more; each keeps what it has on one side of it."""
    begin = page.address
    end = begin + 4096
    for i in range(v.window_count):
        w = v.windows[i]
        if w.low < end and w.high > begin and w.high != 0:
            if begin - w.low > w.high - end:
                w.high = begin
            else:
                w.low = end
            if w.low >= w.high:
                w.low = -1
                w.high = 0


def slide(s: SanState, v: SanScreen, page: SanPage, info: i64, flags: i64) -> None:
    """An access of a location to a page was all right: its window is there now."""
    number = lshr(info, 52) & 2047
    if number == 0 or page.allocation < 0 or (flags & FLAG_ATOMIC) != 0:
        return
    if v.races != 0 and (flags != 0 or page.plain == 0):
        return
    if v.races == 0:
        if page.full == 0 and v.inits != 0:
            return
        if flags != 0 and (page.plain == 0 or page.saved_for != v.operation):
            return
    while v.window_count <= number:
        close(v.windows[v.window_count])
        v.window_count += 1
    w = v.windows[number]
    a = s.allocations[i64(page.allocation)]
    low = page.address if page.address > a.begin else a.begin
    high = page.address + 4096
    if v.races == 0 and flags == 0:
        high = reach(s, v, w, page, a.begin + a.size)
    if high > a.begin + a.size:
        high = a.begin + a.size
    move(w, page, low, high)


def reach(s: SanState, v: SanScreen, w: SanWindow, page: SanPage, end: i64) -> i64:
    """How far reads that go on behind a page need no other look."""
    if w.credit < CREDIT:
        w.credit += MORE_CREDIT
    high = page.address + 4096
    for i in range(1, i64(w.credit)):
        w.credit -= 1
        if high >= end or (lshr(high, 12) & (TABLE - 1)) == 0:
            return high
        if high == w.low and w.allocation == page.allocation:
            return w.high
        following = page[i]
        if following.era != s.era or following.allocation != page.allocation:
            return high
        if following.full == 0 and v.inits != 0:
            return high
        high = high + 4096
    return high


def move(w: SanWindow, page: SanPage, low: i64, high: i64) -> None:
    base = i64(page.bits) - lshr(page.address, 5)
    # In another part of the table bits have another base.
    known = w.high != 0 and w.allocation == page.allocation and w.base == base
    if known and low <= w.high and high >= w.low:
        if low < w.low:
            w.low = low
        if high > w.high:
            w.high = high
        return
    w.base = base
    w.allocation = page.allocation
    w.low = low
    w.high = high
