# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated from `structs` by tools/generate_native_records.py."""

from typing import Final

from xgpu.runtime.native.prelude import Ptr, Record, i32, i64, ptr

def stub_text() -> str: ...

STATE_READY: Final = 0
STATE_DONE: Final = 1
STATE_BARRIER: Final = 2
STATE_WARP: Final = 3
STATE_MBARRIER: Final = 4
STATE_CLUSTER: Final = 5
STATE_YIELD: Final = 6
STATE_STEP: Final = 7
NAMED_BARRIERS: Final = 16
BARRIER_POPC: Final = 1
BARRIER_AND: Final = 2
BARRIER_OR: Final = 3
WARP_SYNC: Final = 0
SHFL_UP: Final = 1
SHFL_DOWN: Final = 2
SHFL_BFLY: Final = 3
SHFL_IDX: Final = 4
VOTE_ALL: Final = 5
VOTE_ANY: Final = 6
VOTE_UNI: Final = 7
VOTE_BALLOT: Final = 8
MATCH_ANY: Final = 9
MATCH_ALL: Final = 10
ELECT: Final = 11
REDUX_ADD: Final = 12
REDUX_AND: Final = 13
REDUX_OR: Final = 14
REDUX_XOR: Final = 15
REDUX_MIN: Final = 16
REDUX_MAX: Final = 17
REDUX_UMIN: Final = 18
REDUX_UMAX: Final = 19
REDUX_FMIN: Final = 20
REDUX_FMAX: Final = 21
REDUX_FMIN_ABS: Final = 22
REDUX_FMAX_ABS: Final = 23
REDUX_FMIN_NAN: Final = 24
REDUX_FMAX_NAN: Final = 25
REDUX_FMIN_ABS_NAN: Final = 26
REDUX_FMAX_ABS_NAN: Final = 27
MMA: Final = 28
LDMATRIX: Final = 29

class Launch(Record):
    entry: ptr
    params: ptr
    suspending: i32
    identity: i32
    grid_x: i32
    grid_y: i32
    grid_z: i32
    block_x: i32
    block_y: i32
    block_z: i32
    cluster_x: i32
    cluster_y: i32
    cluster_z: i32
    dynamic_shared: i32
    shared_bytes: i64
    groups: i64
    next: Ptr[i64]
    error: Ptr[i32]
    static_shared: i32

class Block(Record):
    launch: Launch
    threads: Thread
    shared: ptr
    group: Block
    cluster_rank: i32
    cluster_size: i32
    ntid_x: i32
    ntid_y: i32
    ntid_z: i32
    ctaid_x: i32
    ctaid_y: i32
    ctaid_z: i32
    nctaid_x: i32
    nctaid_y: i32
    nctaid_z: i32
    clusterid_x: i32
    clusterid_y: i32
    clusterid_z: i32
    nclusterid_x: i32
    nclusterid_y: i32
    nclusterid_z: i32
    cluster_ctaid_x: i32
    cluster_ctaid_y: i32
    cluster_ctaid_z: i32
    cluster_nctaid_x: i32
    cluster_nctaid_y: i32
    cluster_nctaid_z: i32
    dynamic_shared: i32
    static_shared: i32
    count: i32
    live: i32
    waiting: i32
    cluster_arrived: i32
    cluster_phase: i32
    bar_arrived: Ptr[i32]
    bar_expected: Ptr[i32]
    bar_popc: Ptr[i32]
    worker: Worker

class Thread(Record):
    block: Block
    handle: ptr
    tid_x: i32
    tid_y: i32
    tid_z: i32
    linear: i32
    state: i32
    wait_id: i32
    mask: i32
    argument_b: i32
    argument_c: i32
    predicate: i32
    value: i64
    result: i64
    address: ptr
    phase: i64
    cluster_phase: i32

class Worker(Record):
    launch: Launch
    blocks: Block
    threads: Thread
    shared: ptr
    frames: ptr
    frame_bytes: i64
    current: Thread

class Transfer(Record):
    target: ptr
    source: ptr
    count: i64
    value: i64
    value_bytes: i32

class TensorMap(Record):
    base: ptr
    sizes: Ptr[i64]
    strides: Ptr[i64]
    box: Ptr[i32]
    rank: i32
    element_bytes: i32
    swizzle: i32
    fill: i32

class AsyncObject(Record):
    references: Ptr[i64]
    state: Ptr[i64]
    first: AsyncTask | None
    last: AsyncTask | None
    waiting: i64
    blocked: i64
    pending: i64
    errors: Ptr[i64]
    rank: i64

class AsyncTask(Record):
    next: AsyncTask | None
    handle: ptr
    resume: ptr
    group: AsyncObject | None

class AsyncPool(Record):
    mutex: Ptr[i64]
    work: Ptr[i64]
    done: Ptr[i64]
    spare: Ptr[i64]
    first: AsyncTask | None
    last: AsyncTask | None
    queued: i64
    threads: i64
    idle: i64
    blocked: i64
    waiting: i64
    parked: i64
    tickets: i64
    limit: i64
    alive: Ptr[i64]
    detect: i32
    draining: i32
    stopping: i32
    failed: i32
