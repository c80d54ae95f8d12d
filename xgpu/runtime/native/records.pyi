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
LAUNCH_WARPS: Final = 2
NAMED_BARRIERS: Final = 16
BARRIER_POPC: Final = 1
BARRIER_AND: Final = 2
BARRIER_OR: Final = 3
ORDER_NATURAL: Final = 0
ORDER_REVERSED: Final = 1
ORDER_LAST: Final = 2
ORDER_FIRST: Final = 3
ORDER_RANDOM: Final = 4
ORDER_KINDS: Final = 7
ORDER_LATE: Final = 8
ORDER_ARGUMENT: Final = 4
STEP_ASIDE: Final = 1
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
TOGETHER: Final = 28
KIND_MEMORY: Final = 1
KIND_RACE: Final = 2
KIND_SYNC: Final = 4
KIND_INIT: Final = 8
KIND_LEAK: Final = 16
CODE_OUTSIDE: Final = 0
CODE_BEYOND: Final = 1
CODE_WILD: Final = 2
CODE_FREED: Final = 3
CODE_MISALIGNED: Final = 4
CODE_HOST_SPACE: Final = 5
CODE_RACE: Final = 6
CODE_PROXY: Final = 7
CODE_UNWRITTEN: Final = 8
CODE_POISONED: Final = 9
CODE_DIVERGED: Final = 10
CODE_TWICE: Final = 11
CODE_UNINITIALIZED_BARRIER: Final = 12
CODE_COPY_BEYOND: Final = 13
CODE_SCOPE: Final = 14
CODE_DEVICE_SPACE: Final = 15
CODE_ENDED: Final = 16
CODE_UNFENCED: Final = 17
CODE_NOT_ALLOCATED: Final = 18

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
    order: i32
    workers: i32
    front: Ptr[i64]
    back: Ptr[i64]
    backward: i64
    least: i64
    most: i64
    work: ptr
    pool: HelpPool | None
    following: Launch | None
    wanted: i32
    offered: i32
    helping: Ptr[i64]
    runs: Ptr[i64]
    interrupts: i64

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
    tensor_units: i32
    sanitizer: SanBlock

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
    wide: i32
    asked: i32

class Worker(Record):
    launch: Launch
    blocks: Block
    threads: Thread
    shared: ptr
    frames: ptr
    frame_bytes: i64
    taken: i64
    backward: i64
    alone: i64
    moment: Ptr[i64]
    current: Thread
    stack: i64
    tensor: ptr
    tensor_notes: TensorNotes | None
    late: LateCopy | None
    last_late: LateCopy | None
    miss: i32
    miss_thread: i32
    miss_lanes: i64
    miss_block: ptr
    miss_address: i64
    miss_step: i64
    miss_begin: i64
    miss_room: i64
    miss_bytes: i64
    shared_base: ptr
    shared_room: i64
    shared_end: i64
    keeps_shared: i32

class HelpPool(Record):
    mutex: Ptr[i64]
    wake: Ptr[i64]
    done: Ptr[i64]
    first: Launch | None
    helpers: Helper | None
    closed: i32
    seat: i32
    processor: ptr

class Helper(Record):
    pool: HelpPool
    worker: Worker
    thread: i64
    next: Helper | None

class LateCopy(Record):
    next: LateCopy | None
    thread: Thread
    target: ptr
    bar: Ptr[i64]
    source: ptr
    start: Ptr[i32]
    size: i32
    kind: i32

class TensorNotes(Record):
    written: ptr
    pieces: Ptr[i64]
    reads: Ptr[i64]
    writes: Ptr[i64]
    low: i64
    high: i64
    fault: i32
    lane: i32
    column: i32
    is_write: i32

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

class SanCell(Record):
    w_context: i32
    w_clock: i32
    w_who: i32
    r_context: i32
    r_clock: i32
    r_who: i32
    r_lanes: i32
    r_more: i32

class SanReader(Record):
    context: i32
    clock: i32
    who: i32
    lanes: i32
    next: i32

class SanPage(Record):
    cells: SanCell
    whole: SanCell
    shift: i32
    allocation: i32
    states: Ptr[i64]
    states_shift: i32
    live: i32
    claimed: i32
    changed: i32
    saved: ptr
    saved_for: i32
    bits: Ptr[i64]
    reader: i64
    full: i32
    plain: i32
    address: i64
    strangers: i32
    era: i32

class SanAllocation(Record):
    begin: i64
    size: i64
    kind: i32
    state: i32

class SanContext(Record):
    operation: i32
    x: i32
    y: i32
    z: i32

class SanOperation(Record):
    lane: i32
    index: i32
    lanes: i32
    synchronizes: i32
    after: Ptr[i32]
    settled: i32

class SanNode(Record):
    next: SanNode | None
    other: SanNode | None
    vector: Ptr[i32]
    context: i32
    agent: i32
    clock: i32
    floor: i32
    visited: i64

class SanSlot(Record):
    vector: Ptr[i32]
    acquired: SanNode | None
    live: i32
    floor: i32
    top: i32
    arrivals: i32

class SanSync(Record):
    next: SanSync
    key: i64
    even: SanSlot
    odd: SanSlot
    log: SanNode | None
    waited: Ptr[i32]
    generation: i32
    context: i32

class SanThread(Record):
    vector: Ptr[i32]
    acquired: SanNode | None
    pending: SanNode | None
    fenced: SanNode | None
    barrier: SanSync | None
    asked: SanNode | None
    asked_context: i32
    asked_agent: i32
    asked_clock: i32
    asked_floor: i32
    live: i32
    clock: i32
    floor: i32
    proxy_clock: i32
    proxy_floor: i32
    proxy_all: i32
    shuffled: i32
    shuffles: i32
    copies: i32
    stores: i32
    products: i32
    fenced_products: i32
    done_products: i32
    store_group: i32
    store_site: i32
    generation: i32
    whole: i32
    site: i32
    exited: i32
    late: SanLate | None
    last_late: SanLate | None

class SanLate(Record):
    next: SanLate | None
    target: ptr
    source: ptr
    size: i64
    bytes: i64
    group: i32

class SanBlock(Record):
    next: SanBlock | None
    block: Block
    threads: SanThread
    floors: Ptr[i32]
    barriers: Ptr[ptr]
    syncs: Ptr[ptr]
    acquired: SanNode | None
    warps: Ptr[i32]
    worker: ptr
    room: i32
    count: i32
    width: i32
    context: i32
    first: i32
    last: i32
    operation: i32
    exited: i32
    exit_clock: i32
    bulk: i32
    bulk_clocks: Ptr[i32]
    bulk_sites: Ptr[i32]
    bulk_known: Ptr[i32]
    remotes: SanRemote
    begin: i64
    window: i64
    bytes: i64
    level: i32
    settled: i32

class SanRemote(Record):
    context: i32
    agent: i32
    clock: i32
    site: i32

class SanReport(Record):
    kind: i32
    code: i32
    site: i32
    context: i32
    agent: i32
    flags: i32
    other_site: i32
    other_context: i32
    other_agent: i32
    other_flags: i32
    allocation: i32
    size: i32
    count: i64
    address: i64
    extra: i64
    synced: i32
    operation: i32
    serial: i64

class SanScreen(Record):
    context: i64
    epoch: i64
    first: i64
    begin: i64
    bytes: i64
    shift: i64
    states: Ptr[i32]
    room: i64
    spins: i64
    pages: Ptr[ptr]
    page_count: i64
    page_room: i64
    launch: Launch
    operation: i32
    suspicious: i32
    fine: i32
    again: i32
    races: i32
    inits: i32
    strangers: i32
    windows: SanWindow
    window_count: i64

class SanWindow(Record):
    low: i64
    high: i64
    base: i64
    allocation: i32
    credit: i32

class SanState(Record):
    pages: Ptr[ptr]
    allocations: SanAllocation
    contexts: SanContext
    operations: SanOperation
    reports: SanReport
    readers: SanReader
    stack: Ptr[ptr]
    blocks: SanBlock | None
    host: SanBlock | None
    screen: SanScreen
    free_syncs: SanSync
    syncs: Ptr[ptr]
    nodes: SanNode
    owner: ptr
    sink: ptr
    visit: i64
    node_room: i64
    node_count: i64
    stack_room: i64
    lock: Ptr[i32]
    kinds: i32
    allocation_count: i32
    context_count: i32
    operation_count: i32
    report_count: i32
    reader_count: i32
    allocation_room: i32
    context_room: i32
    operation_room: i32
    reader_room: i32
    free_reader: i32
    oldest: i32
    era: i32
    host_operation: i32
    host_context: i32
    dropped: i32
    serial: i64
