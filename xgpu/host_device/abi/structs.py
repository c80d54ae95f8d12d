# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The records that kernels compiled for the host share with the native block scheduler.

Three parties must agree on them: the code that `xgpu.host_device.compiler.compiler` emits for a
kernel, the scheduler (`xgpu.host_device.native`), and Python, which fills in a launch and reads a
stuck block back. All three take the layout from here and from nowhere else: `offset` for emitted
IR, `STRUCTS` for the scheduler's compiler, `ctypes_struct` for Python.

Layout is C's natural one: a field lies at the next multiple of its own size. A type is one of
`SIZES`, `Ptr[T]` or a record's name (its address); `Thread?` is an address that may be null, and
`Atomic[i64]` a number that several threads use at once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xgpu.host_device.abi.sanitizer_records import RECORDS as SANITIZER_RECORDS
from xgpu.host_device.abi.sanitizer_records import numbers as sanitizer_numbers

if TYPE_CHECKING:
    import ctypes
    from typing import Literal, overload

    from xgpu.host_device.abi import record_classes

SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f32": 4, "f64": 8, "ptr": 8}

NAMED_BARRIERS = 16  # PTX ISA 9.7.13.1: barriers 0 to 15 of a block
ALL_BARRIERS = NAMED_BARRIERS + 8  # and one for each warpgroup: wgmma works on 128 threads together

#: A grid's workspace as in CUDA's cooperative_groups.h: an i32 with its bytes, and an i32 that
#: counts the blocks that arrive. %envreg1 and %envreg2 are the halves of its address, 0 where the
#: launch is not cooperative.
WORKSPACE_BYTES = 8

LAUNCH_PLAIN, LAUNCH_THREADS, LAUNCH_WARPS = range(3)  # whose coroutines run, if any

# Who runs when (`Launch.order`): one of these, ORDER_LATE if bulk copies are done as late as they
# may be, ORDER_TURNS if blocks take turns at atomic operations, and from bit ORDER_ARGUMENT on the
# number of a warp, or of a random order.
ORDER_NATURAL, ORDER_REVERSED, ORDER_LAST, ORDER_FIRST, ORDER_RANDOM = range(5)
ORDER_KINDS, ORDER_LATE, ORDER_TURNS, ORDER_ARGUMENT = 7, 8, 16, 5
#: What a thread sleeps where it only lets others choose whether they go first.
STEP_ASIDE = 1

# Per grid. Written by Python before the launch; `next`, `error` and `stop` while it runs.
_LAUNCH = (
    ("entry", "ptr"),  # void (Block*, i32 blocks) of a plain kernel, ptr (Thread*) of a coroutine
    ("params", "ptr"),  # as cuLaunchKernel takes them: one pointer for each parameter
    ("suspending", "i32"),  # LAUNCH_PLAIN, ..
    ("identity", "i32"),  # its number among the sanitizer's operations
    ("grid_x", "i32"), ("grid_y", "i32"), ("grid_z", "i32"),
    ("block_x", "i32"), ("block_y", "i32"), ("block_z", "i32"),
    ("cluster_x", "i32"), ("cluster_y", "i32"), ("cluster_z", "i32"),
    ("dynamic_shared", "i32"),
    ("workspace", "i64"),  # where the blocks of a cooperative grid meet (`WORKSPACE_BYTES`)
    ("shared_bytes", "i64"),  # static and dynamic together, per block
    ("groups", "i64"),  # clusters of the grid (blocks where there are no clusters)
    ("next", "Atomic[i64]"),  # the next group to hand out
    ("error", "Atomic[i32]"),  # not zero: stop handing out groups
    ("static_shared", "i32"),
    ("order", "i32"),  # who runs when, 0 as always (`native.sources.orders`)
    ("workers", "i32"),  # that take part, as a rule
    ("front", "Atomic[i64]"),  # groups that were taken at its beginning,
    ("back", "Atomic[i64]"),  # and, by helpers, at its end
    ("backward", "i64"),  # whether these do that: blocks that may wait for others run in order
    ("least", "i64"),  # groups that a worker takes at a time,
    ("most", "i64"),  # and the most: 1 where blocks may wait for others
    ("work", "ptr"),  # i32 (Worker*) that runs blocks under a guard; what it was thrown out with
    ("pool", "HelpPool?"),  # whom the first worker may ask for help, if there are threads for it
    ("following", "Launch?"),  # the next one that wants help
    ("wanted", "i32"),  # helpers that it would still take
    ("offered", "i32"),  # whether it has asked for any
    ("helping", "Atomic[i64]"),  # those that run blocks of it
    # Of one that is made again and again: an odd number while it runs, the next one when it has.
    ("runs", "Atomic[i64]"),
    ("interrupts", "i64"),  # how many there had been when it began
    # Workers that have come, those that have found no more blocks, and those whose blocks wait for
    # other blocks; how many are to come at least, and whether one asks for more.
    ("came", "Atomic[i64]"), ("went", "Atomic[i64]"), ("awaiting", "Atomic[i64]"),
    ("expected", "Atomic[i64]"), ("asking", "Atomic[i64]"),
    # Above `VAIN_BITS`, how often a worker has begun or ended to wait; below, how many have looked
    # in vain since then.
    ("vain", "Atomic[i64]"),
    # Where blocks take turns: the next and the first number of the queue of those that let others
    # go first.
    ("queue_end", "Atomic[i64]"), ("queue_front", "Atomic[i64]"),
    ("said", "i64"),  # whether Python knows more of it than this: it has failed, warned or printed
)  # fmt: skip

# Per block that is being run.
_BLOCK = (
    ("launch", "Launch"),
    ("threads", "Thread"),
    ("shared", "ptr"),
    ("group", "Block"),  # the first block of the cluster
    ("cluster_rank", "i32"),
    ("cluster_size", "i32"),
    ("ntid_x", "i32"), ("ntid_y", "i32"), ("ntid_z", "i32"),
    ("ctaid_x", "i32"), ("ctaid_y", "i32"), ("ctaid_z", "i32"),
    ("nctaid_x", "i32"), ("nctaid_y", "i32"), ("nctaid_z", "i32"),
    ("clusterid_x", "i32"), ("clusterid_y", "i32"), ("clusterid_z", "i32"),
    ("nclusterid_x", "i32"), ("nclusterid_y", "i32"), ("nclusterid_z", "i32"),
    ("cluster_ctaid_x", "i32"), ("cluster_ctaid_y", "i32"), ("cluster_ctaid_z", "i32"),
    ("cluster_nctaid_x", "i32"), ("cluster_nctaid_y", "i32"), ("cluster_nctaid_z", "i32"),
    ("dynamic_shared", "i32"),
    ("static_shared", "i32"),
    ("count", "i32"),  # threads of the block
    ("live", "i32"),  # those that have not exited
    ("waiting", "i32"),  # and those that wait at a barrier
    ("cluster_arrived", "i32"),  # kept on the first block of the cluster
    ("cluster_phase", "i32"),
    ("bar_arrived", "i32", ALL_BARRIERS),
    ("bar_expected", "i32", ALL_BARRIERS),
    ("bar_popc", "i32", ALL_BARRIERS),
    ("worker", "Worker"),
    ("looks", "i32"),  # at what other blocks write, in loops that wait for it
    ("tensor_units", "i32"),  # a bit for each 32 columns of tensor memory that are allocated
    ("sanitizer", "SanBlock"),  # what the sanitizer knows of it, once it has asked
)  # fmt: skip

#: Kinds of atomic operations that a worker combines, by number; the bytes of the memory in which it
#: does, and how many copies of them it has.
COMBINED = ("ADD", "OR", "XOR", "AND", "MAX", "MIN", "UMAX", "UMIN", "FADD")
COMBINE_WINDOW, COMBINE_COPIES = 4096, 4

# Per OS thread that takes part in a launch: what it has allocated, for release after a crash too.
_WORKER = (
    ("launch", "Launch"),
    ("blocks", "Block"),
    ("threads", "Thread"),
    ("shared", "ptr"),
    ("frames", "ptr"),
    ("frame_bytes", "i64"),
    ("taken", "i64"),  # blocks that it has begun of those that it takes many at a time
    ("backward", "i64"),  # whether it takes blocks from the end
    ("alone", "i64"),  # nanoseconds after which it takes no more of these, 0 for all
    ("moment", "i64", 2),  # room for a time: seconds and nanoseconds
    ("current", "Thread"),  # the thread that ran last (suspending kernels)
    ("stack", "i64"),  # where it begins to grow downwards from, for what blocks have there
    ("tensor", "ptr"),  # tensor memory of the blocks of a cluster, once one has asked
    ("tensor_notes", "TensorNotes?"),  # what the sanitizer wants to know of it
    # Rounds in which all of its threads only looked again at what they wait for in memory, and
    # how often one has done anything else (`spins` in host_device/device).
    ("rounds", "i64"),
    ("progress", "i64"),
    ("collectives", "i64"),  # whether one of its threads has taken part in a warp's operation
    ("awaits", "i64"),  # whether it counts among the launch's `awaiting`
    # What was in the launch's `vain` above when it looked last, and whether it counts below.
    ("vain_since", "i64"),
    ("vain_told", "i64"),
    ("late", "LateCopy?"),  # copies that have been asked for and are not done, in order
    ("last_late", "LateCopy?"),
    # Of an access outside of its array: the number of the check, the block, the first thread of a
    # vector, which of its threads it may be, the address of the first and how far apart they are,
    # and what the check went by.
    ("miss", "i32"),
    ("miss_thread", "i32"),
    ("miss_lanes", "i64"),
    ("miss_block", "ptr"),
    ("miss_address", "i64"),
    ("miss_step", "i64"),
    ("miss_begin", "i64"),
    ("miss_room", "i64"),
    ("miss_bytes", "i64"),
    # Atomic operations on few words that are done in copies (`native.sources.combined_atomics`):
    # where the memory begins that these stand for, whether they hold anything, the kind of the
    # operation and the bytes of a word; what a window should have, and how often vectors have left
    # it since.
    ("combine_base", "i64"),
    ("combine_copies", "ptr"),
    ("combine_end", "ptr"),  # void (Worker*) that gives back what they hold, once there are some
    ("combine_dirty", "i32"),
    ("combine_kind", "i32"),
    ("combine_size", "i32"),
    ("combine_seen", "i32"),
    ("combine_low", "i64"),
    ("combine_high", "i64"),
    ("combine_misses", "i64"),
    ("combine_patience", "i64"),
    # At the end what stays from launch to launch (`KEPT` in `sources/scheduler.py`).
    ("shared_base", "ptr"),  # what was allocated for it, with room without access
    ("shared_room", "i64"),
    ("shared_end", "i64"),  # of each block's part: there is no access from here on
    ("records", "ptr"),  # what was allocated for the records of blocks and threads
    ("records_room", "i64"),
    ("keeps", "i32"),  # whether they stay for the next launch
)

# Threads that help launches of a device; zeros are a valid mutex and valid condition variables.
_HELP_POOL = (
    ("mutex", "i64", 8),
    ("wake", "i64", 8),  # a launch wants help
    ("done", "i64", 8),  # a helper has left a launch
    ("first", "Launch?"),  # who wants it
    ("helpers", "Helper?"),
    ("closed", "i32"),
    ("seat", "i32"),  # the processor that they keep off, below zero if none,
    ("processor", "ptr"),  # and i32 () that gives the calling thread's; null where it is not known
)

# One of them.
_HELPER = (
    ("pool", "HelpPool"),
    ("worker", "Worker"),
    ("thread", "i64"),
    ("next", "Helper?"),
)

# What operations on tensor memory do, under the sanitizer: `written` has a byte for each 32 bits
# of the blocks of a cluster, `pieces` a bit for each 16 bytes of the block's workgroup memory that
# were read through descriptors, `reads` and `writes` one for each 32 bits of its tensor memory
# that the operation has used, in words from `low` to `high`; `fault` is 1 for columns that are not
# allocated, 2 for what nothing wrote.
_TENSOR_NOTES = (
    ("written", "ptr"),
    ("pieces", "Ptr[i64]"),
    ("reads", "Ptr[i64]"),
    ("writes", "Ptr[i64]"),
    ("low", "i64"),
    ("high", "i64"),
    ("fault", "i32"),
    ("lane", "i32"),
    ("column", "i32"),
    ("is_write", "i32"),
)

# A bulk or tensor copy that is done as late as its definition allows.
_LATE_COPY = (
    ("next", "LateCopy?"),
    ("thread", "Thread"),
    ("target", "ptr"),
    ("bar", "Ptr[i64]"),
    ("source", "ptr"),  # or its tensor map
    ("start", "i32", 5),
    ("size", "i32"),
    ("kind", "i32"),
)

# A copy (value_bytes 0) or a fill with a value of 1, 2, 4 or 8 bytes, done under a guard.
_TRANSFER = (
    ("target", "ptr"),
    ("source", "ptr"),
    ("count", "i64"),  # bytes of a copy, values of a fill
    ("value", "i64"),
    ("value_bytes", "i32"),
)

# A tensor map, as the host device encodes it: at most the 128 bytes of a real one. Dimension 0 is
# the innermost; its stride is one element, so strides (bytes) begin with dimension 1.
_TENSOR_MAP = (
    ("base", "ptr"),
    ("sizes", "i64", 5),
    ("strides", "i64", 4),
    ("box", "i32", 5),
    ("rank", "i32"),
    ("element_bytes", "i32"),
    ("element_type", "i32"),  # CUtensorMapDataType
    ("swizzle", "i32"),  # CUtensorMapSwizzle: 0 none, 1 32 bytes, 2 64 bytes, 3 128 bytes
    ("fill", "i32"),
)

#: Flags of how an instruction reads a texture, beside its dimensions; the mark of a record that is
#: one, and of the memory behind one that is no array.
TEXTURE_LAYERED, TEXTURE_CUBE = 4, 8
TEXTURE_MAGIC = 0x7865_7475_7265_5F31
TEXTURE_ARRAY, TEXTURE_LINEAR_MEMORY, TEXTURE_ROWS = range(3)
# A texture or surface, whose address is the handle of a kernel.
_TEXTURE = (
    ("magic", "i64"),
    ("data", "i64"),
    ("width", "i64"), ("height", "i64"), ("depth", "i64"),  # in texels; layers are depth
    ("row", "i64"), ("slice", "i64"),  # bytes from one to the next
    ("texel_bytes", "i32"), ("format", "i32"), ("channels", "i32"),  # CUarray_format
    ("addressing", "i32", 3),  # CUaddress_mode
    ("is_linear", "i32"),  # whether texels are mixed
    ("is_normalized", "i32"),  # whether coordinates are parts of the size
    ("reads_floats", "i32"),
    ("kind", "i32"),  # TEXTURE_ARRAY, ..
    ("border", "f32", 4),
)  # fmt: skip

# Per thread of the block that is being run: what a kernel's code gets as its context.
_THREAD = (
    ("block", "Block"),
    ("handle", "ptr"),  # the coroutine
    ("tid_x", "i32"), ("tid_y", "i32"), ("tid_z", "i32"),
    ("linear", "i32"),
    ("state", "i32"),  # one of the STATE_ values
    ("wait_id", "i32"),  # barrier number, or the operation of a warp collective
    ("mask", "i32"),
    ("argument_b", "i32"),
    ("argument_c", "i32"),
    ("predicate", "i32"),
    ("value", "i64"),
    ("result", "i64"),
    ("address", "ptr"),  # the mbarrier waited for
    ("phase", "i64"),
    ("cluster_phase", "i32"),
    ("wide", "i32"),  # of a warp's first thread: each of its threads waits for itself
    ("asked", "i32"),  # in a launch with an order: it was refused without letting others go first
    ("changed", "i32"),  # whether the last stmatrix has changed the row that this lane gave
    # Of a loop that waits for memory: how often it has looked, since it came to the loop, where
    # and at how many bytes, and the place of that in the source (line and column).
    ("spins", "i32"), ("spin_bytes", "i32"), ("spin_address", "ptr"), ("spin_place", "i64"),
)  # fmt: skip

# A token, a value (its content follows) or a group of the async runtime.
_ASYNC_OBJECT = (
    ("references", "Atomic[i64]"),
    # 0 unavailable, 1 available, 2 error; of a group: 1 when all have come
    ("state", "Atomic[i64]"),
    ("first", "AsyncTask?"),  # who is to go on when this is available
    ("last", "AsyncTask?"),
    ("waiting", "i64"),  # threads that block on this,
    ("blocked", "i64"),  # and workers among them
    ("pending", "i64"),  # of a group: tokens that have not come
    ("errors", "Atomic[i64]"),  # and how many came as errors
    ("rank", "i64"),  # and how many were added
)

# A waiter: a coroutine, or a group that counts tokens.
_ASYNC_TASK = (
    ("next", "AsyncTask?"),
    ("handle", "ptr"),
    ("resume", "ptr"),  # void (ptr handle)
    ("group", "AsyncObject?"),
)

# The threads of the async runtime; zeros are a valid mutex and valid condition variables.
_ASYNC_POOL = (
    ("mutex", "i64", 8),
    ("work", "i64", 8),  # there is a task
    ("done", "i64", 8),  # something is available, or all workers wait
    ("spare", "i64", 8),  # a worker is wanted in place of one that blocks
    ("first", "AsyncTask?"),
    ("last", "AsyncTask?"),
    ("queued", "i64"),
    ("threads", "i64"),
    ("idle", "i64"),
    ("blocked", "i64"),  # workers that wait for an object
    ("waiting", "i64"),  # other threads that do
    ("parked", "i64"),  # workers that rest, for too many can run; no part of `threads`
    ("tickets", "i64"),  # how many of them are called
    ("limit", "i64"),  # workers that may run at once
    ("alive", "Atomic[i64]"),  # objects
    ("detect", "i32"),
    ("draining", "i32"),
    ("stopping", "i32"),
    ("failed", "i32"),
)

STRUCTS: dict[str, tuple[tuple[str, str] | tuple[str, str, int], ...]] = {
    "Launch": _LAUNCH,
    "Block": _BLOCK,
    "Thread": _THREAD,
    "Worker": _WORKER,
    "HelpPool": _HELP_POOL,
    "Helper": _HELPER,
    "LateCopy": _LATE_COPY,
    "TensorNotes": _TENSOR_NOTES,
    "Transfer": _TRANSFER,
    "TensorMap": _TENSOR_MAP,
    "Texture": _TEXTURE,
    "AsyncObject": _ASYNC_OBJECT,
    "AsyncTask": _ASYNC_TASK,
    "AsyncPool": _ASYNC_POOL,
    **SANITIZER_RECORDS,
}


def scalar_kind(kind: str) -> str:
    """A field's type without what is said about its use."""
    if kind.startswith("Atomic["):
        return kind[len("Atomic[") : -1]
    return kind.rstrip("?")


@cache
def layout(struct: str) -> tuple[dict[str, tuple[int, str, int]], int]:
    """Each field's (offset in bytes, type, elements; 0 elements for a scalar), and the size."""
    fields: dict[str, tuple[int, str, int]] = {}
    at = 0
    for name, kind, *count in STRUCTS[struct]:
        size = SIZES.get(scalar_kind(kind), 8)
        at = -(-at // size) * size
        fields[name] = (at, kind, count[0] if count else 0)
        at += size * (count[0] if count else 1)
    return fields, -(-at // 8) * 8


def offset(struct: str, field: str) -> int:
    """Where `field` lies in `struct`, in bytes."""
    return layout(struct)[0][field][0]


def size_of(struct: str) -> int:
    """The size of `struct` in bytes."""
    return layout(struct)[1]


if TYPE_CHECKING:

    @overload
    def ctypes_struct(struct: Literal["Launch"]) -> type[record_classes.Launch]: ...
    @overload
    def ctypes_struct(struct: Literal["Block"]) -> type[record_classes.Block]: ...
    @overload
    def ctypes_struct(struct: Literal["Thread"]) -> type[record_classes.Thread]: ...
    @overload
    def ctypes_struct(struct: Literal["Worker"]) -> type[record_classes.Worker]: ...
    @overload
    def ctypes_struct(struct: Literal["HelpPool"]) -> type[record_classes.HelpPool]: ...
    @overload
    def ctypes_struct(struct: Literal["Helper"]) -> type[record_classes.Helper]: ...
    @overload
    def ctypes_struct(struct: Literal["TensorMap"]) -> type[record_classes.TensorMap]: ...
    @overload
    def ctypes_struct(struct: Literal["Texture"]) -> type[record_classes.Texture]: ...
    @overload
    def ctypes_struct(struct: str) -> type[ctypes.Structure]: ...
    def ctypes_struct(struct: str) -> type[ctypes.Structure]:
        """`struct` as a ctypes.Structure; pointers are integers."""
        ...

else:

    @cache
    def ctypes_struct(struct: str) -> type[ctypes.Structure]:
        """`struct` as a ctypes.Structure; pointers are integers."""
        import ctypes

        scalars = {
            "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
            "i64": ctypes.c_int64, "f32": ctypes.c_float, "f64": ctypes.c_double,
        }  # fmt: skip
        fields: list[tuple[str, type]] = []
        for name, kind, *count in STRUCTS[struct]:
            scalar = scalars.get(scalar_kind(kind), ctypes.c_void_p)
            fields.append((name, scalar * count[0] if count else scalar))
        return type(struct, (ctypes.Structure,), {"_fields_": fields})


# What a barrier delivers, and the warp collectives; the order of the latter matters to
# `native/sources/warp.py`.
BARRIER_SYNC, BARRIER_POPC, BARRIER_AND, BARRIER_OR = range(4)
_WARP_NAMES = (
    "WARP_SYNC", "SHFL_UP", "SHFL_DOWN", "SHFL_BFLY", "SHFL_IDX",
    "VOTE_ALL", "VOTE_ANY", "VOTE_UNI", "VOTE_BALLOT", "MATCH_ANY", "MATCH_ALL", "ELECT",
    "REDUX_ADD", "REDUX_AND", "REDUX_OR", "REDUX_XOR", "REDUX_MIN", "REDUX_MAX", "REDUX_UMIN",
    "REDUX_UMAX", "REDUX_FMIN", "REDUX_FMAX", "REDUX_FMIN_ABS", "REDUX_FMAX_ABS",
    "REDUX_FMIN_NAN", "REDUX_FMAX_NAN", "REDUX_FMIN_ABS_NAN", "REDUX_FMAX_ABS_NAN",
    "TOGETHER",
)  # fmt: skip
WARP_OPERATIONS = {name: number for number, name in enumerate(_WARP_NAMES)}

#: The `spin_bytes` of a thread that waits for a phase of an mbarrier.
OF_MBARRIER = -1

STATE_NAMES = ("READY", "DONE", "BARRIER", "WARP", "MBARRIER", "CLUSTER", "YIELD", "STEP")


def constants() -> dict[str, int]:
    """Every number above by name, for the native sources."""
    numbers = {f"STATE_{name}": number for number, name in enumerate(STATE_NAMES)}
    numbers |= {
        "LAUNCH_WARPS": LAUNCH_WARPS,
        "NAMED_BARRIERS": NAMED_BARRIERS,
        "BARRIER_POPC": 1,
        "BARRIER_AND": 2,
        "BARRIER_OR": 3,
        "ORDER_NATURAL": ORDER_NATURAL,
        "ORDER_REVERSED": ORDER_REVERSED,
        "ORDER_LAST": ORDER_LAST,
        "ORDER_FIRST": ORDER_FIRST,
        "ORDER_RANDOM": ORDER_RANDOM,
        "ORDER_KINDS": ORDER_KINDS,
        "ORDER_LATE": ORDER_LATE,
        "ORDER_TURNS": ORDER_TURNS,
        "ORDER_ARGUMENT": ORDER_ARGUMENT,
        "STEP_ASIDE": STEP_ASIDE,
        "TEXTURE_LAYERED": TEXTURE_LAYERED,
        "TEXTURE_CUBE": TEXTURE_CUBE,
        "TEXTURE_MAGIC": TEXTURE_MAGIC,
        "TEXTURE_LINEAR_MEMORY": TEXTURE_LINEAR_MEMORY,
    }
    numbers |= {f"COMBINE_{name}": number for number, name in enumerate(COMBINED)}
    numbers |= {"COMBINE_WINDOW": COMBINE_WINDOW, "COMBINE_COPIES": COMBINE_COPIES}
    return numbers | WARP_OPERATIONS | sanitizer_numbers()
