# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The records of the sanitizer's native code: part of `structs.STRUCTS`, with its rules.

What does something is an *agent* of a *context*. A context is one block of one launch, or one
copy or fill of the host's; it gets a number when it begins, and 0 is none. In a block of n
threads the agents are

    0 .. n        the threads,
    n .. 2n       what thread i has copied by cp.async, its clock the number of the group,
    2n .. 3n      what it has stored by bulk copies, its clock the number of the group,
    3n .. 4n      what these have read,
    4n .. 4n+64   bulk copies that an mbarrier counts, one after the other,
    4n+64 ..      what products of matrices (wgmma) of each warp have read, their clock the number
                  of the group.

An *epoch* is an agent and its clock. Who knows an epoch is ordered behind what it did.
"""

from __future__ import annotations

#: Bits of an agent in `who`; the rest is the number of the place.
AGENT_BITS = 13
BULK_AGENTS = 64
#: How far a fence or a release reaches.
SCOPE_BLOCK, SCOPE_CLUSTER, SCOPE_DEVICE = 1, 2, 3
#: What a fence between threads and asynchronous copies is for: data in workgroup memory, data in
#: global memory, mbarriers.
PROXY_SHARED, PROXY_GLOBAL, PROXY_MBARRIER = range(3)
#: Marks in a clock: the access was atomic, for its cluster or its block only; the value is a copy
#: of nothing.
CLOCK_BITS = 25
CLUSTER_SCOPE = 1 << 25
WIDTH = 3 << 26  # of an atomic access: 4 bytes, 8, 16, or fewer than 4
ATOMIC, BLOCK_SCOPE, POISON = 1 << 30, 1 << 28, 1 << 29

#: Flags of a watched access: bits 20 to 31 of what a call gets about it, and `flags` of a report.
FLAG_WRITE, FLAG_ATOMIC = 1, 2
FLAG_BLOCK_SCOPE, FLAG_CLUSTER_SCOPE = 4, 8  # of an atomic access that is not for the whole device
FLAG_MODIFY = 16  # of a write that replaces what it has read
FLAG_CONSTANT = 32  # of a write to a variable that is constant
# Of one that is watched thread by thread: where its call has the value that is stored, and that it
# is part of a copy, or done some time later.
FLAG_VALUE, FLAG_VALUE_AT, FLAG_COPY, FLAG_ASYNC = 64, 128, 256, 512
FLAG_UNREAD = 1024  # likewise: it reads and writes, and nothing uses what it has read (PTX's `red`)
# Of an atomic operation that is screened, in the same bits: whether what it reads is used, its
# ordering, and whether it may not write.
FLAG_USED, FLAG_RELEASES, FLAG_ACQUIRES, FLAG_COMPARES = 64, 128, 256, 512
#: What an atomic access is, for the order that it makes.
HOW_RELEASE, HOW_ACQUIRE, HOW_READ, HOW_WRITE, HOW_REDUCE = 1, 2, 4, 8, 16
HOW_BITS = 5

KIND_NAMES = ("memory", "race", "sync", "init", "leak")
#: What a report says; `xgpu.host_device.sanitizer.reports.messages` has the text.
CODE_NAMES = (
    "OUTSIDE",  # of the variable that the address is computed from
    "BEYOND",  # outside of an allocation, near it or computed from it
    "WILD",  # no allocation anywhere near
    "FREED",
    "MISALIGNED",
    "HOST_SPACE",  # host memory that kernels cannot reach
    "RACE",
    "PROXY",  # no fence between a write and an asynchronous copy
    "UNWRITTEN",
    "POISONED",  # a copy of unwritten memory
    "DIVERGED",  # lanes of a warp at two barriers
    "TWICE",  # a phase waited for twice
    "UNINITIALIZED_BARRIER",  # a use of an mbarrier that is none
    "COPY_BEYOND",  # a copy that does not fit
    "SCOPE",  # atomic, but not for both
    "WIDTHS",  # atomic, but for different bytes
    "DEVICE_SPACE",  # device memory that the host's code cannot reach
    "ENDED",  # shared memory of a block that ends meanwhile
    "UNFENCED",  # a product of matrices with no wgmma.fence before it
    "NOT_ALLOCATED",  # columns of tensor memory
    "UNEVEN",  # the size of a bulk copy
    "CONSTANT",  # a write to a variable that is constant
    "NO_BLOCK",  # a rank beyond the cluster
    "APART",  # lanes of a warp at two places for one collective
    "INITIALIZED",  # an mbarrier that is one already
    "UNFINISHED",  # results of a product that has not been waited for
    "HEAP_FREED",  # memory that a kernel has freed
    "HEAP_FREE",  # a kernel frees what it must not
)

# What is known of 4 bytes of memory, or of one: the last write, and reads since.
_CELL = (
    ("w_context", "i32"), ("w_clock", "i32"), ("w_who", "i32"),
    ("r_context", "i32"), ("r_clock", "i32"),
    ("r_who", "i32"),  # the agent is a multiple of 32, `r_lanes` says which of 32
    ("r_lanes", "i32"),
    ("r_more", "i32"),  # index of a SanReader, or 0
)  # fmt: skip

_READER = (
    ("context", "i32"), ("clock", "i32"), ("who", "i32"), ("lanes", "i32"), ("next", "i32"),
)  # fmt: skip

# 4 KiB of memory. Without `cells` all are as `whole` says.
_PAGE = (
    ("cells", "SanCell"),
    ("whole", "SanCell"),
    ("shift", "i32"),  # of bytes to cells: 2, or 0
    ("allocation", "i32"),  # -1: several, or none; -2: the own memory of blocks
    ("states", "Ptr[i64]"),  # what launches that were screened did (see `SanScreen`)
    ("states_shift", "i32"),
    ("live", "i32"),  # whether `states` know more than cells do
    ("claimed", "i32"),  # the operation that did it last
    ("changed", "i32"),  # whether cells may know more than `states` do
    ("saved", "ptr"),  # the page before the operation `saved_for` wrote to it
    ("saved_for", "i32"),
    ("bits", "Ptr[i64]"),  # of each word: whether `claimed` has used it, where `plain`
    ("reader", "i64"),  # one of those that have, as a state
    ("full", "i32"),  # whether all of it has been written
    ("plain", "i32"),  # it has only been read so far, or no races are looked for
    ("address", "i64"),
    ("strangers", "i32"),  # the operation that reads it beside others, not ordered with it
    ("era", "i32"),  # of which program it tells (`SanState`)
    ("row", "ptr"),  # of the first of `ROW` pages: the states of their words, side by side
)

_ALLOCATION = (
    ("begin", "i64"),
    ("size", "i64"),
    ("kind", "i32"),
    ("state", "i32"),  # 1 live, 2 released
    ("made_site", "i32"),
    ("freed_site", "i32"),  # of the heap of kernels
)

_CONTEXT = (("operation", "i32"), ("x", "i32"), ("y", "i32"), ("z", "i32"))

# A launch or a copy: its stream's lane, its number there, and what it comes after in each lane.
_OPERATION = (
    ("lane", "i32"), ("index", "i32"), ("lanes", "i32"),
    ("synchronizes", "i32"),  # 0 threads by barriers of the block only, 1 in blocks, 2 blocks too
    ("after", "Ptr[i32]"),
    ("settled", "i32"),  # all that is not over comes after it
)  # fmt: skip

# What an agent knew when it released: a list (`next`), or all that two know.
_NODE = (
    ("next", "SanNode?"),
    ("other", "SanNode?"),
    ("vector", "Ptr[i32]"),
    ("copies", "Ptr[i32]"),  # what all threads of its block knew of agents other than threads
    ("context", "i32"),  # 0: a join of `next` and `other`
    ("agent", "i32"),
    ("clock", "i32"),
    ("block_clock", "i32"),
    # How far a release reaches: SCOPE_BLOCK, SCOPE_CLUSTER or SCOPE_DEVICE; and the narrowest of
    # all in the list.
    ("scope", "i32"),
    ("narrowest", "i32"),
    ("threads", "i32"),  # of its block
    ("visited", "i64"),
)

# What comes together in one phase of a barrier.
_SLOT = (
    ("vector", "Ptr[i32]"),
    ("acquired", "SanNode?"),
    ("live", "i64"),  # which pieces of `vector` hold anything, a bit each
    ("block_clock", "i32"),
    ("top", "i32"),
    ("arrivals", "i32"),
    ("mixed", "i32"),  # whether some have arrived without waiting
)

_SYNC = (
    ("next", "SanSync"),
    ("key", "i64"),
    ("even", "SanSlot"), ("odd", "SanSlot"),
    ("log", "SanNode?"),  # releases at an atomic, the last first
    ("waited", "Ptr[i32]"),  # of each thread: the last phase that it has waited for
    ("generation", "i32"),  # phases that are over
    # Where mbarrier.init was last, 0 if it is none now, and mbarrier.inval, 0 if there was none.
    ("initialized", "i32"), ("invalidated", "i32"),
    ("context", "i32"),
)  # fmt: skip

_THREAD = (
    ("vector", "Ptr[i32]"),  # of clocks by agent, later than `block_clock`
    ("own", "Ptr[i32]"),  # the memory for one that it does not share with its warp
    ("acquired", "SanNode?"),
    ("pending", "SanNode?"),  # what relaxed loads have seen: acquired at the next fence
    # What was known at the last fence, and at later ones of a narrower scope: relaxed stores
    # release it.
    ("fenced", "SanNode?"), ("fenced_cluster", "SanNode?"), ("fenced_block", "SanNode?"),
    ("barrier", "SanSync?"),
    ("asked", "SanNode?"),  # the last question about other contexts, and its answer
    ("asked_context", "i32"), ("asked_agent", "i32"), ("asked_clock", "i32"),
    ("asked_block_clock", "i32"), ("asked_threads", "i32"),
    ("live", "i64"),  # which pieces of `vector` hold anything
    ("clock", "i32"),
    ("block_clock", "i32"),  # clocks up to this one are known of every thread of the block
    # Clocks at the last proxy fence, for each kind of memory (PROXY_SHARED, ..), and for which of
    # them nothing has been learned since, a bit each.
    ("proxy_clock", "i32", 3), ("proxy_block_clock", "i32", 3), ("proxy_all", "i32"),
    ("shuffled", "i32"), ("shuffles", "i32"),  # clock at the last collective, and how many
    ("copies", "i32"), ("stores", "i32"), ("products", "i32"),  # groups that were committed
    ("fenced_products", "i32"),  # whether there was a wgmma.fence
    ("done_products", "i32"),  # groups that were waited for
    ("store_group", "i32"), ("store_site", "i32"),  # of the last bulk copy from shared memory
    ("generation", "i32"), ("whole", "i32"),  # of the barrier that it is at
    ("site", "i32"),  # of the last operation that orders or waits
    ("waits", "i32"),  # where it waits for others, or did so last
    # Barrier that it has last arrived at without waiting, and the phase.
    ("arrived", "SanSync?"), ("arrived_generation", "i32"),
    # Barriers that it went around, and those of them behind which it did something (a bit each),
    # and where; the barrier that it has come to last, and whether that is part of a reduction.
    ("skipped", "i64"), ("left_out", "i64"), ("reached", "i64"),
    ("left_at", "i32"), ("collective", "i32"),
    ("exited", "i32"),
    ("late", "SanLate?"),  # copies by cp.async that have been put off, in order
    ("last_late", "SanLate?"),
)  # fmt: skip

# A copy by cp.async that is done when its group is waited for.
_LATE = (
    ("next", "SanLate?"),
    ("target", "ptr"), ("source", "ptr"),
    ("size", "i64"), ("bytes", "i64"),
    ("group", "i32"),
)  # fmt: skip

_BLOCK = (
    ("next", "SanBlock?"),
    ("block", "Block"),
    ("threads", "SanThread"),
    ("block_clocks", "Ptr[i32]"),  # clocks of agents other than threads that all threads know
    ("block_live", "i64"),  # which pieces of it hold anything
    ("copies", "Ptr[i32]"),  # the same as it is now, for releases; null if none has it
    ("barriers", "Ptr[ptr]"),
    ("syncs", "Ptr[ptr]"),
    ("acquired", "SanNode?"),
    ("warps", "Ptr[i32]"),  # for each warp: generation and place of its last barrier
    ("vectors", "Ptr[i32]"),  # for each warp: a vector of clocks that all of its threads share
    ("groups", "Ptr[i32]"),  # for each warp: its threads that share a record (`group_of`)
    # For each warp: barriers that some of its threads have gone around, and the barrier that all of
    # them have come to last, or 0.
    ("skips", "Ptr[i64]"), ("reached", "Ptr[i64]"),
    ("worker", "ptr"),
    ("room", "i32"),
    ("count", "i32"),
    ("width", "i32"),
    ("context", "i32"), ("first", "i32"), ("last", "i32"),  # of its cluster
    ("operation", "i32"),
    ("exited", "i32"), ("exit_clock", "i32"),
    ("bulk", "i32"),
    ("bulk_clocks", "Ptr[i32]"),
    ("bulk_sites", "Ptr[i32]"),  # of copies into the block that its mbarriers count
    ("bulk_known", "Ptr[i32]"),  # clocks of copies that threads knew of when they exited
    ("remotes", "SanRemote"),  # the last access of each block of the cluster to its memory
    ("begin", "i64"), ("window", "i64"), ("bytes", "i64"),  # of shared memory
    # Between these two offsets nothing lies: behind its variables, before its dynamic part.
    ("gap", "i64"), ("gap_end", "i64"),
    # Where tcgen05.alloc last wrote an address, and which thread's write that was.
    ("slot", "i64"), ("slot_writer", "i32"), ("slot_clock", "i32"),
    ("level", "i32"),  # as `synchronizes` of its operation
    ("settled", "i32"),  # a context that all threads of the block come after
)  # fmt: skip

# An access to shared memory of another block of the cluster.
_REMOTE = (("context", "i32"), ("agent", "i32"), ("clock", "i32"), ("site", "i32"))

_REPORT = (
    ("kind", "i32"), ("code", "i32"),
    ("site", "i32"), ("context", "i32"), ("agent", "i32"), ("flags", "i32"),
    ("other_site", "i32"), ("other_context", "i32"), ("other_agent", "i32"), ("other_flags", "i32"),
    ("allocation", "i32"), ("size", "i32"),
    ("count", "i64"), ("address", "i64"), ("extra", "i64"),
    ("synced", "i32"), ("operation", "i32"),
    ("serial", "i64"),  # of the access that was counted last
    ("cells", "i64"),  # that nothing had written, but for those that a race wrote later
    ("offset", "i64"),  # of `address` in a block's workgroup memory, or -1
)  # fmt: skip

# A launch that is screened: all in one thread of the machine, in loops over vectors. A state of
# `states` is what the launch did to one cell; `sanitizer_screen` says how it is written.
_SCREEN = (
    ("context", "i64"), ("epoch", "i64"),
    ("first", "i64"),  # the context of the launch's first block
    ("begin", "i64"), ("bytes", "i64"), ("shift", "i64"),  # of shared memory
    ("gap", "i64"), ("gap_end", "i64"),  # addresses between which nothing lies in it
    ("states", "Ptr[i32]"),
    # Where no races are looked for: whether all words of the block have been written, and at how
    # many barriers it may be asked. Where they are: words that several threads have read since the
    # barrier of that epoch.
    ("is_written", "i32"), ("questions", "i32"),
    # Whether the launch's first block has shown what all do in their own memory, where that is the
    # same in each.
    ("is_known", "i32"),
    ("shared_low", "i64"), ("shared_high", "i64"), ("shared_epoch", "i64"),
    ("room", "i64"), ("shared_room", "i64"),  # bytes of `states`, and those of this launch
    ("spins", "i64"),
    ("pages", "Ptr[ptr]"),
    ("page_count", "i64"), ("page_room", "i64"),
    ("launch", "Launch"),
    ("operation", "i32"),
    ("suspicious", "i32"),  # where it ended: twice the number of the place, plus 1
    ("fine", "i32"),  # whether who reads what is remembered from the beginning
    ("again", "i32"),  # it should have been
    ("races", "i32"), ("inits", "i32"),  # what is looked for
    ("strangers", "i32"),  # whether cells of a page have readers that the launch does not know
    ("windows", "SanWindow"),  # of each place, and how many have been open (`sanitizer_screen`)
    ("window_count", "i64"),
    ("widths", "Ptr[i8]"),  # of each place: the bytes of its atomic accesses
    # What blocks learn of one another (`sanitizer_screen`): of each context the address at which it
    # has released last, and by whom when.
    ("release_at", "Ptr[i64]"), ("release_by", "Ptr[i64]"),
    ("release_room", "i64"),
    ("has_releases", "i32"),
    ("stored", "i32"), ("relaxed", "i32"),  # atomic accesses of the launch that release nothing
    ("chained", "i32"),  # whether the atomic access that is looked at is known of here
    ("released", "i64"),  # the thread of the region that has released, or -1
    ("acquired", "i64"), ("known", "i64"),  # addresses: behind the next barrier, and now; or 0
    ("fence_own", "i64"), ("fence_lanes", "i64"),
    ("read_at", "i64"), ("read_by", "i64"),  # what an atomic operation has read
    # Asynchronous copies of the block that no thread has waited for: lists by the warp of their
    # first thread, and of unused records (0 ends one). Groups that each thread has ended.
    ("copies", "SanCopied"), ("copy_room", "i64"), ("copy_count", "i64"),
    ("copied", "Ptr[i32]"), ("free_copy", "i32"),
    ("commits", "Ptr[i32]"),
    ("has_copies", "i32"),
)  # fmt: skip

# A copy by lanes from thread `own` on of `size` bytes each, side by side from `address` on.
_COPIED = (
    ("address", "i64"), ("mask", "i64"),
    ("own", "i32"), ("size", "i32"),
    ("group", "i32"),
    ("next", "i32"),
)  # fmt: skip

# Memory in which an access of a place is all right; its bits are at `base` + address / 32, the
# states of what is written at `base` + address * 2.
_WINDOW = (
    ("low", "i64"), ("high", "i64"), ("base", "i64"), ("allocation", "i32"),
    ("credit", "i32"),  # pages that may still be looked at
    ("has_states", "i64"),
)  # fmt: skip

# What a launch did that is known as a whole: blocks from `skipped` on, whose contexts begin at
# `first`. `ranges` are four numbers each, `accesses` what `sanitizer_pages.spell_out` says.
_SUMMARY = (
    ("operation", "i32"), ("first", "i32"), ("groups", "i32"), ("skipped", "i32"),
    ("threads", "i32"), ("count", "i32"), ("range_count", "i32"),
    ("ranges", "Ptr[i64]"), ("accesses", "Ptr[i64]"),
)  # fmt: skip

_STATE = (
    ("pages", "Ptr[ptr]"),
    ("allocations", "SanAllocation"),
    ("contexts", "SanContext"),
    ("operations", "SanOperation"),
    ("reports", "SanReport"),
    ("readers", "SanReader"),
    ("stack", "Ptr[ptr]"),
    ("blocks", "SanBlock?"),
    ("host", "SanBlock?"),  # stands for the block of a copy or fill
    ("screen", "SanScreen"),
    ("summaries", "SanSummary"),  # of launches that what comes may not be ordered behind
    ("free_syncs", "SanSync"),
    ("syncs", "Ptr[ptr]"), ("sync_count", "i64"),  # of addresses that atomics use, by their hash
    ("nodes", "SanNode"),  # chunks of nodes, and the room in the first
    ("snapshots", "Ptr[ptr]"),  # what nodes hold of `block_clocks`, each behind the next one
    ("sink", "ptr"), ("sink_room", "i64"),  # unused memory
    ("visit", "i64"),
    ("node_room", "i64"), ("node_count", "i64"),
    ("stack_room", "i64"),
    ("lock", "Atomic[i64]"),  # who is inside (`sanitizer_state.enter`), or 0
    # Of who holds the lock: its thread of the machine, whether that is in the sanitizer's code, and
    # whether a signal has come meanwhile that is to end what it runs (`guards.xgpu_signal`).
    ("thread", "i64"), ("inside", "i64"), ("wanted", "i64"),
    ("kinds", "i32"),
    ("allocation_count", "i32"), ("context_count", "i32"), ("operation_count", "i32"),
    ("report_count", "i32"), ("reader_count", "i32"),
    ("allocation_room", "i32"), ("context_room", "i32"), ("operation_room", "i32"),
    ("reader_room", "i32"), ("free_reader", "i32"), ("summary_count", "i32"),
    ("oldest", "i32"),  # the first context of this program: others were of earlier ones
    ("era", "i32"),  # which program this is; what pages know of others is nothing
    ("host_operation", "i32"), ("host_context", "i32"),  # of what the host's own code does
    ("dropped", "i32"),  # times that there was no room for a report
    ("report_room", "i32"),  # reports that there is room for
    ("serial", "i64"),  # of the access that is looked at: all of its cells count as one
)  # fmt: skip

RECORDS: dict[str, tuple[tuple[str, str] | tuple[str, str, int], ...]] = {
    "SanCell": _CELL,
    "SanReader": _READER,
    "SanPage": _PAGE,
    "SanAllocation": _ALLOCATION,
    "SanContext": _CONTEXT,
    "SanOperation": _OPERATION,
    "SanNode": _NODE,
    "SanSlot": _SLOT,
    "SanSync": _SYNC,
    "SanThread": _THREAD,
    "SanLate": _LATE,
    "SanBlock": _BLOCK,
    "SanRemote": _REMOTE,
    "SanReport": _REPORT,
    "SanScreen": _SCREEN,
    "SanWindow": _WINDOW,
    "SanCopied": _COPIED,
    "SanSummary": _SUMMARY,
    "SanState": _STATE,
}


def numbers() -> dict[str, int]:
    """The numbers of kinds, codes, scopes, proxies and flags by name."""
    found = {f"KIND_{name.upper()}": 1 << i for i, name in enumerate(KIND_NAMES)}
    found |= {
        name: number
        for name, number in globals().items()
        if name.startswith(("SCOPE_", "PROXY_", "FLAG_", "HOW_"))
    }
    return found | {f"CODE_{name}": i for i, name in enumerate(CODE_NAMES)}
