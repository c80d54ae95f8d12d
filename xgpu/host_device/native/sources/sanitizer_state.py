# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer's state: the lock, contexts, operations, reports.

One worker at a time is inside of the sanitizer, and stays until its block ends or pauses; so what
it finds does not depend on how threads of the machine happen to run.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import SIGNAL_CODE
from xgpu.host_device.native.prelude import (
    Ptr,
    atomic_load,
    atomic_store,
    copy_bytes,
    exchange_if,
    extern,
    i1,
    i8,
    i32,
    i64,
    ptr,
    sizeof,
    zero_bytes,
)
from xgpu.host_device.native.records import (
    SanContext,
    SanOperation,
    SanReport,
    SanScreen,
    SanState,
    SanSummary,
    Thread,
)
from xgpu.host_device.native.sources.libc import (
    aligned_alloc,
    calloc,
    free,
    malloc,
    pthread_self,
    usleep,
)

PAGE = 4096
SINK = 1048576  # bytes of unused memory: more than asynchronous copies move at a time
TABLE = 262144  # pages of a part of the table: 1 GiB
BITS = 128  # bytes of a page's bits, one for each word
ROW = 4096  # pages whose states lie side by side; only what is used takes memory
PARTS = 131072  # 47 bits of addresses
FIRST = 2  # context 1 was before everything
MOST_CONTEXTS = 8388608  # of blocks that are screened, whose states are positive
MOST_REPORTS = 4096
AGENT_MASK = 8191
AGENT_BITS = 13
POISON = 536870912  # mark of a clock: what was written there was nothing
LIVE = 1
RELEASED = 2
GONE = 3  # with the program that made it
ALLOCATION_DEVICE = 0
ALLOCATION_SHARED = 1
ALLOCATION_HOST = 2
ALLOCATION_MANAGED = 3
ALLOCATION_HEAP = 4  # of kernels: the host's memory, too
ALLOCATION_CONSTANT = 5  # of a module: nothing writes it

# A state of a cell, as `sanitizer_screen` keeps it: where its parts begin, and its marks.
STATE_CONTEXT = 40
STATE_EPOCH = 28
STATE_WHO = 18
STATE_SITE = 7
STATE_KIND = 112
KIND_READ = 16  # by one thread of the block
KIND_READS = 32  # by several
KIND_WROTE = 64  # by one thread, which may have read as well
KIND_ATOMIC = 80
KIND_MANY = 112  # used by several blocks
STATE_READ = 8
STATE_ATOMIC = 4
STATE_WROTE = 2
STATE_WRITTEN = 6
STATE_BEFORE = 1  # written before this launch
CLOCK_ATOMIC = 1073741824
WIDTH_SHIFT = 26
SIGILL = 4
MOST_SITES = 2048  # that states of screened launches can name


@extern
def xgpu_san_state() -> SanState: ...


@extern
def xgpu_san_stack() -> ptr: ...


@extern
def xgpu_san_inside(value: i64) -> None: ...


@extern
def xgpu_throw(code: i32) -> None: ...


@extern
def xgpu_san_keep(to: ptr, page: ptr) -> None: ...


def zeroed(size: i64) -> ptr:
    memory = malloc(size)
    zero_bytes(memory, size)
    return memory


def in_lines(size: i64) -> ptr:
    """Memory for vectors, none of which lies in two lines of the cache."""
    return aligned_alloc(64, (size + 63) & -64)


def grown(old: ptr, bytes: i64, room: i64) -> ptr:
    """An array that grows to `room` bytes, of which `bytes` are in use."""
    new = zeroed(room)
    if bytes != 0:
        copy_bytes(new, old, bytes)
    if i64(old) != 0:
        free(old)
    return new


def unused(s: SanState, size: i64) -> ptr:
    """Memory for an access that would leave its own: of zeros, whatever was stored there before."""
    if size > s.sink_room:
        s.sink = calloc(1, size)
        s.sink_room = size
    elif size > 0:
        zero_bytes(s.sink, size)
    return s.sink


def xgpu_san_begin(kinds: i32) -> None:
    """Make the state, empty, on its first use; and say what to look for."""
    s = xgpu_san_state()
    if i64(s.pages) == 0:
        s.pages = Ptr[ptr](zeroed(PARTS * 8))
        unused(s, SINK)
        s.reports = SanReport(zeroed(MOST_REPORTS * sizeof(SanReport)))
        s.syncs = Ptr[ptr](zeroed(65536 * 8))
        s.screen = SanScreen(zeroed(sizeof(SanScreen)))
        s.screen.widths = Ptr[i8](zeroed(MOST_SITES))
        # What happened before everything: operation 0, context 1.
        # Most contexts are never used, and take no memory.
        s.contexts = SanContext(calloc(MOST_CONTEXTS, sizeof(SanContext)))
        s.context_room = MOST_CONTEXTS
        xgpu_san_operation(0, 0, Ptr[i32](s.sink), 0, 0)
    for number in range(i64(s.allocation_count)):
        s.allocations[number].state = GONE
    # Addresses serve again, for other things: what pages know of earlier programs is forgotten, and
    # with it who has read there. So numbers of contexts serve again, too.
    s.era += 1
    s.summary_count = 0
    zero_bytes(s.screen.widths, MOST_SITES)
    s.context_count = FIRST
    s.host_context = 0
    s.reader_count = 1
    s.free_reader = 0
    s.kinds = kinds
    s.oldest = s.context_count
    s.report_count = 0
    s.report_room = MOST_REPORTS
    s.dropped = 0


def enter(s: SanState, who: ptr) -> None:
    """Wait until no other thread is inside. Two threads of the machine must not be the same `who`:
    a worker is one, what is called from Python has its stack (`xgpu_san_stack`).

    The lock is its owner: a worker that is thrown out at any place here has it or has it not."""
    if atomic_load(s.lock) == i64(who):
        return
    pause: i32 = 20
    while not exchange_if(s.lock, 0, i64(who)):
        usleep(pause)
        if pause < 5000:
            pause = pause * 2
    s.wanted = 0
    s.thread = pthread_self()


def xgpu_san_enter(who: ptr) -> None:
    enter(xgpu_san_state(), who)


def xgpu_san_leave(who: ptr) -> None:
    """Let others in, if `who` is inside."""
    s = xgpu_san_state()
    if atomic_load(s.lock) == i64(who):
        xgpu_san_inside(0)
        atomic_store(s.lock, 0)


# What kernels call (`library`) stands between these two. A signal that is to end the kernel waits
# until then: it must not come while tables are half changed, or while malloc has its own lock.


def hold(t: Thread) -> None:
    """A thread of a kernel comes in; its worker has the lock from here on."""
    enter(xgpu_san_state(), t.block.worker)
    xgpu_san_inside(1)


def hold_screened(t: Thread) -> None:
    """Likewise, in a launch that is screened: it has the lock."""
    xgpu_san_inside(1)


def let_go(t: Thread) -> None:
    """A thread of a kernel goes on with the kernel, or ends if that is wanted."""
    s = xgpu_san_state()
    if atomic_load(s.lock) == i64(t.block.worker):
        let_go_screened(t)


def let_go_screened(t: Thread) -> None:
    xgpu_san_inside(0)
    s = xgpu_san_state()
    if s.wanted != 0:
        s.wanted = 0
        xgpu_throw(SIGILL + SIGNAL_CODE)


def width_class(size: i64) -> i32:
    """What a clock says of the size of an atomic access: those of different sizes that overlap are
    not atomic for one another."""
    if size == 4:
        return 0
    if size == 8:
        return 1 << WIDTH_SHIFT
    if size == 16:
        return 2 << WIDTH_SHIFT
    return 3 << WIDTH_SHIFT


# -- contexts and operations


def new_contexts(s: SanState, count: i32) -> i32:
    """The first of `count` numbers in a row."""
    first = s.context_count
    if first + count > s.context_room:
        room = i64(first + count) * 2 + 1024
        used = i64(s.context_room) * sizeof(SanContext)
        s.contexts = SanContext(grown(s.contexts, used, room * sizeof(SanContext)))
        s.context_room = i32(room)
    s.context_count = first + count
    return first


def xgpu_san_operation(
    lane: i32, index: i32, after: Ptr[i32], lanes: i32, synchronizes: i32
) -> i32:
    """The number of a new operation; `after` is what it comes after in each of `lanes` lanes, and
    it `synchronizes` if its blocks may learn of one another."""
    s = xgpu_san_state()
    enter(s, after)
    number = s.operation_count
    if number >= s.operation_room:
        room = i64(number) * 2 + 1024
        used = i64(number) * sizeof(SanOperation)
        s.operations = SanOperation(grown(s.operations, used, room * sizeof(SanOperation)))
        s.operation_room = i32(room)
    s.operation_count = number + 1
    o = s.operations[i64(number)]
    o.lane = lane
    o.index = index
    o.lanes = lanes
    o.after = after
    o.synchronizes = synchronizes
    xgpu_san_leave(after)
    return number


def xgpu_san_follow(number: i32, after: Ptr[i32], lanes: i32) -> None:
    """An operation that has not begun comes after more than was known when it was made."""
    s = xgpu_san_state()
    enter(s, after)
    o = s.operations[i64(number)]
    if o.settled == 0:
        o.after = after
        o.lanes = lanes
    xgpu_san_leave(after)


def xgpu_san_settle(after: i32) -> None:
    """All that is not over comes after the operations up to `after`, and so does all to come. What
    these came after themselves is not needed any more."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    number = i64(after)
    while number >= 0 and s.operations[number].settled == 0:
        s.operations[number].settled = 1
        s.operations[number].lanes = 0
        number -= 1
    kept: i32 = 0
    for i in range(s.summary_count):
        m = s.summaries[i64(i)]
        if m.operation > after:
            copy_bytes(s.summaries[i64(kept)], m, sizeof(SanSummary))
            kept += 1
    s.summary_count = kept
    xgpu_san_leave(who)


def operation_ordered(s: SanState, earlier: i32, later: i32) -> i1:
    """Whether one operation is over before the other begins, whatever the order of the run."""
    if earlier == later:
        return True
    if earlier == 0:
        return True
    a = s.operations[i64(earlier)]
    b = s.operations[i64(later)]
    if a.settled != 0:
        return True
    return a.lane < b.lanes and b.after[i64(a.lane)] >= a.index


# -- reports


def report_of(s: SanState, code: i32, site: i32, other: i32) -> SanReport:
    """The report on a pair of places, or one that has no count yet; null where there is no room."""
    for i in range(s.report_count):
        r = s.reports[i64(i)]
        if r.code == code and r.site == site and r.other_site == other:
            return r
    if s.report_count >= s.report_room:
        s.dropped += 1
        return SanReport(None)
    r = s.reports[i64(s.report_count)]
    zero_bytes(r, sizeof(SanReport))
    s.report_count += 1
    r.code = code
    r.site = site
    r.other_site = other
    r.allocation = -1
    return r
