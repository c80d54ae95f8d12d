# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classes that `structs.ctypes_struct` makes, for type checkers; pointers are integers.

Written by tools/generate_native_records.py; do not edit.
"""

from __future__ import annotations

import ctypes


class SanCell(ctypes.Structure):
    w_context: int
    w_clock: int
    w_who: int
    r_context: int
    r_clock: int
    r_who: int
    r_lanes: int
    r_more: int


class SanReader(ctypes.Structure):
    context: int
    clock: int
    who: int
    lanes: int
    next: int


class SanPage(ctypes.Structure):
    cells: int
    whole: int
    shift: int
    allocation: int
    states: int
    states_shift: int
    live: int
    claimed: int
    changed: int
    saved: int
    saved_for: int
    bits: int
    reader: int
    full: int
    plain: int
    address: int
    strangers: int
    era: int


class SanAllocation(ctypes.Structure):
    begin: int
    size: int
    kind: int
    state: int


class SanContext(ctypes.Structure):
    operation: int
    x: int
    y: int
    z: int


class SanOperation(ctypes.Structure):
    lane: int
    index: int
    lanes: int
    synchronizes: int
    after: int
    settled: int


class SanNode(ctypes.Structure):
    next: int
    other: int
    vector: int
    context: int
    agent: int
    clock: int
    floor: int
    scope: int
    narrowest: int
    visited: int


class SanSlot(ctypes.Structure):
    vector: int
    acquired: int
    live: int
    floor: int
    top: int
    arrivals: int
    mixed: int


class SanSync(ctypes.Structure):
    next: int
    key: int
    even: int
    odd: int
    log: int
    waited: int
    generation: int
    initialized: int
    is_used: int
    context: int


class SanThread(ctypes.Structure):
    vector: int
    acquired: int
    pending: int
    fenced: int
    fenced_cluster: int
    fenced_block: int
    barrier: int
    asked: int
    asked_context: int
    asked_agent: int
    asked_clock: int
    asked_floor: int
    live: int
    clock: int
    floor: int
    proxy_clock: ctypes.Array[ctypes.c_int32]
    proxy_floor: ctypes.Array[ctypes.c_int32]
    proxy_all: int
    shuffled: int
    shuffles: int
    copies: int
    stores: int
    products: int
    fenced_products: int
    done_products: int
    store_group: int
    store_site: int
    generation: int
    whole: int
    site: int
    waits: int
    arrived: int
    arrived_generation: int
    skipped: int
    left_out: int
    reached: int
    left_at: int
    collective: int
    exited: int
    late: int
    last_late: int


class SanLate(ctypes.Structure):
    next: int
    target: int
    source: int
    size: int
    bytes: int
    group: int


class SanBlock(ctypes.Structure):
    next: int
    block: int
    threads: int
    floors: int
    barriers: int
    syncs: int
    acquired: int
    warps: int
    worker: int
    room: int
    count: int
    width: int
    context: int
    first: int
    last: int
    operation: int
    exited: int
    exit_clock: int
    bulk: int
    bulk_clocks: int
    bulk_sites: int
    bulk_known: int
    remotes: int
    begin: int
    window: int
    bytes: int
    level: int
    settled: int


class SanRemote(ctypes.Structure):
    context: int
    agent: int
    clock: int
    site: int


class SanReport(ctypes.Structure):
    kind: int
    code: int
    site: int
    context: int
    agent: int
    flags: int
    other_site: int
    other_context: int
    other_agent: int
    other_flags: int
    allocation: int
    size: int
    count: int
    address: int
    extra: int
    synced: int
    operation: int
    serial: int


class SanScreen(ctypes.Structure):
    context: int
    epoch: int
    first: int
    begin: int
    bytes: int
    shift: int
    states: int
    room: int
    spins: int
    pages: int
    page_count: int
    page_room: int
    launch: int
    operation: int
    suspicious: int
    fine: int
    again: int
    races: int
    inits: int
    strangers: int
    windows: int
    window_count: int


class SanWindow(ctypes.Structure):
    low: int
    high: int
    base: int
    allocation: int
    credit: int


class SanState(ctypes.Structure):
    pages: int
    allocations: int
    contexts: int
    operations: int
    reports: int
    readers: int
    stack: int
    blocks: int
    host: int
    screen: int
    free_syncs: int
    syncs: int
    nodes: int
    owner: int
    sink: int
    visit: int
    node_room: int
    node_count: int
    stack_room: int
    active: int
    begun: int
    turns: int
    lock: int
    kinds: int
    allocation_count: int
    context_count: int
    operation_count: int
    report_count: int
    reader_count: int
    allocation_room: int
    context_room: int
    operation_room: int
    reader_room: int
    free_reader: int
    oldest: int
    era: int
    host_operation: int
    host_context: int
    dropped: int
    serial: int
