# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of contexts begin anew, where those of screened launches (`MOST_CONTEXTS`) are used up.

It is possible while nothing runs that anybody could be beside: then all that has happened comes
before all to come, and what pages know of it is only what was written.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import i1, i64
from xgpu.host_device.native.records import SanCell, SanPage, SanState
from xgpu.host_device.native.sources.sanitizer_clocks import xgpu_san_quiet
from xgpu.host_device.native.sources.sanitizer_pages import (
    fold,
    forget_page,
    forget_readers,
    is_of_blocks,
)
from xgpu.host_device.native.sources.sanitizer_state import FIRST, PAGE, PARTS, POISON, TABLE


def renew(s: SanState) -> i1:
    """Begin anew, if that is possible now."""
    for i in range(i64(s.oldest), i64(s.context_count)):
        if s.operations[i64(s.contexts[i].operation)].settled == 0:
            return False
    for part in range(PARTS):
        if i64(s.pages[part]) != 0:
            renew_part(s, SanPage(s.pages[part]))
    xgpu_san_quiet()
    s.host_context = 0
    s.context_count = FIRST
    s.oldest = FIRST
    return True


def renew_part(s: SanState, pages: SanPage) -> None:
    for i in range(TABLE):
        page = pages[i]
        if page.era == s.era and page.address != 0:
            if is_of_blocks(page):
                forget_page(s, page)
            else:
                renew_page(s, page)


def renew_page(s: SanState, page: SanPage) -> None:
    if page.live != 0:
        fold(s, page)
    page.changed = 1
    renew_cell(s, page.whole)
    if i64(page.cells) != 0:
        for i in range(i64(PAGE) >> i64(page.shift)):
            renew_cell(s, page.cells[i])


def renew_cell(s: SanState, cell: SanCell) -> None:
    forget_readers(s, cell)
    if (cell.w_clock & POISON) != 0:
        cell.w_context = 0
        cell.w_clock = 0
    elif cell.w_context != 0:
        cell.w_context = 1
        cell.w_clock = 1
