# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classes that `structs.ctypes_struct` makes, for type checkers; pointers are integers.

Written by tools/generate_native_records.py; do not edit.
"""

from __future__ import annotations

import ctypes


class Launch(ctypes.Structure):
    entry: int
    params: int
    suspending: int
    identity: int
    grid_x: int
    grid_y: int
    grid_z: int
    block_x: int
    block_y: int
    block_z: int
    cluster_x: int
    cluster_y: int
    cluster_z: int
    dynamic_shared: int
    shared_bytes: int
    groups: int
    next: int
    error: int
    static_shared: int
    order: int
    workers: int
    front: int
    back: int
    backward: int
    least: int
    most: int
    work: int
    pool: int
    following: int
    wanted: int
    offered: int
    helping: int
    runs: int
    interrupts: int


class Block(ctypes.Structure):
    launch: int
    threads: int
    shared: int
    group: int
    cluster_rank: int
    cluster_size: int
    ntid_x: int
    ntid_y: int
    ntid_z: int
    ctaid_x: int
    ctaid_y: int
    ctaid_z: int
    nctaid_x: int
    nctaid_y: int
    nctaid_z: int
    clusterid_x: int
    clusterid_y: int
    clusterid_z: int
    nclusterid_x: int
    nclusterid_y: int
    nclusterid_z: int
    cluster_ctaid_x: int
    cluster_ctaid_y: int
    cluster_ctaid_z: int
    cluster_nctaid_x: int
    cluster_nctaid_y: int
    cluster_nctaid_z: int
    dynamic_shared: int
    static_shared: int
    count: int
    live: int
    waiting: int
    cluster_arrived: int
    cluster_phase: int
    bar_arrived: ctypes.Array[ctypes.c_int32]
    bar_expected: ctypes.Array[ctypes.c_int32]
    bar_popc: ctypes.Array[ctypes.c_int32]
    worker: int
    tensor_units: int
    sanitizer: int


class Thread(ctypes.Structure):
    block: int
    handle: int
    tid_x: int
    tid_y: int
    tid_z: int
    linear: int
    state: int
    wait_id: int
    mask: int
    argument_b: int
    argument_c: int
    predicate: int
    value: int
    result: int
    address: int
    phase: int
    cluster_phase: int
    wide: int
    asked: int


class Worker(ctypes.Structure):
    launch: int
    blocks: int
    threads: int
    shared: int
    frames: int
    frame_bytes: int
    taken: int
    backward: int
    alone: int
    moment: ctypes.Array[ctypes.c_int64]
    current: int
    stack: int
    tensor: int
    tensor_notes: int
    late: int
    last_late: int
    miss: int
    miss_thread: int
    miss_lanes: int
    miss_block: int
    miss_address: int
    miss_step: int
    miss_begin: int
    miss_room: int
    miss_bytes: int
    shared_base: int
    shared_room: int
    shared_end: int
    keeps_shared: int


class HelpPool(ctypes.Structure):
    mutex: ctypes.Array[ctypes.c_int64]
    wake: ctypes.Array[ctypes.c_int64]
    done: ctypes.Array[ctypes.c_int64]
    first: int
    helpers: int
    closed: int
    seat: int
    processor: int


class Helper(ctypes.Structure):
    pool: int
    worker: int
    thread: int
    next: int


class LateCopy(ctypes.Structure):
    next: int
    thread: int
    target: int
    bar: int
    source: int
    start: ctypes.Array[ctypes.c_int32]
    size: int
    kind: int


class TensorNotes(ctypes.Structure):
    written: int
    pieces: int
    reads: int
    writes: int
    low: int
    high: int
    fault: int
    lane: int
    column: int
    is_write: int


class Transfer(ctypes.Structure):
    target: int
    source: int
    count: int
    value: int
    value_bytes: int


class TensorMap(ctypes.Structure):
    base: int
    sizes: ctypes.Array[ctypes.c_int64]
    strides: ctypes.Array[ctypes.c_int64]
    box: ctypes.Array[ctypes.c_int32]
    rank: int
    element_bytes: int
    swizzle: int
    fill: int


class AsyncObject(ctypes.Structure):
    references: int
    state: int
    first: int
    last: int
    waiting: int
    blocked: int
    pending: int
    errors: int
    rank: int


class AsyncTask(ctypes.Structure):
    next: int
    handle: int
    resume: int
    group: int


class AsyncPool(ctypes.Structure):
    mutex: ctypes.Array[ctypes.c_int64]
    work: ctypes.Array[ctypes.c_int64]
    done: ctypes.Array[ctypes.c_int64]
    spare: ctypes.Array[ctypes.c_int64]
    first: int
    last: int
    queued: int
    threads: int
    idle: int
    blocked: int
    waiting: int
    parked: int
    tickets: int
    limit: int
    alive: int
    detect: int
    draining: int
    stopping: int
    failed: int
