# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels report: faults, deadlocks, failed assertions, printf. Native code calls it with
addresses."""

from __future__ import annotations

import ctypes
import functools
import re
import signal
from typing import TYPE_CHECKING, TypeVar

from xgpu.host_device.abi.addresses import host_use
from xgpu.host_device.abi.codes import (
    MISUSE_FREE,
    MISUSE_MBARRIER,
    MISUSE_PAIR,
    MISUSE_PARTIAL_WARP,
    MISUSE_RANK,
    MISUSE_TENSOR_COLUMNS,
    MISUSE_TENSOR_DESCRIPTOR,
    MISUSE_TENSOR_LINES,
    MISUSE_TENSOR_METADATA,
    MISUSE_TENSOR_PLACE,
    MISUSE_TENSOR_REDUCTION,
    MISUSE_TENSOR_SHIFT,
    MISUSE_TENSOR_SIX_BITS,
    NOTICE_ABSENT,
    NOTICE_EXITED,
    NOTICE_OVERRUN,
    SIGNAL_CODE,
    THROW_DIVISION,
    THROW_OVERFLOW,
    THROW_TRAP,
)
from xgpu.host_device.abi.structs import (
    LAUNCH_WARPS,
    NAMED_BARRIERS,
    STATE_NAMES,
    WARP_OPERATIONS,
    ctypes_struct,
    size_of,
)
from xgpu.host_device.device.pages import pages
from xgpu.host_device.native.library import native_library

if TYPE_CHECKING:
    from collections.abc import Callable

    from xgpu.host_device.abi.record_classes import Thread, Worker


# -- Reports of faults of kernels: what happened, in which block, at which address.


_THROWN = {
    THROW_TRAP: "trap",
    THROW_DIVISION: "integer division by zero",
    THROW_OVERFLOW: "integer division overflows",
}


#: What the sources of the native library are for.
_DOES = {
    "mbarrier": "an operation on an mbarrier", "tma": "a tensor copy",
    "tma_reductions": "a reduction into a tensor",
    "tensor_copy": "a copy of tensor memory", "tensor_memory": "an operation on tensor memory",
    "deferred_copies": "an asynchronous copy", "expired_copies": "an asynchronous copy",
    "warp_matrices": "a load or store of matrices",
    "mma": "a product of matrices", "wgmma": "a product of matrices",
    "descriptors": "a product of matrices",
    "tensor_mma": "a product of matrices",
    "warp": "an operation of a warp",
    "device_functions": "malloc, free or printf",
}  # fmt: skip


def described(worker: Worker, code: int, is_vector: bool = False) -> str:
    """What a worker was thrown out of its work for, in which block, and what is known of the
    address. Of a vector of threads it is not known which of them it was."""
    where = position(worker, code, is_vector)
    return _fault(code) + where + _about(code, worker) + _note(code)


def is_false_claim(code: int) -> bool:
    """Whether a check of the checked build has trapped."""
    return code == SIGNAL_CODE + signal.SIGILL and native_library().false_claim() is not None


def is_of_a_thread(code: int) -> bool:
    """Whether code that runs threads by themselves comes to the same end, and can say which thread
    it was."""
    return code >= SIGNAL_CODE or code in _THROWN


def _note(code: int) -> str:
    """Where a division is in the source."""
    if code not in (THROW_DIVISION, THROW_OVERFLOW):
        return ""
    place, _ = native_library().division()
    return f"\n{place}: note: the division is here" if place else ""


def _fault(code: int) -> str:
    if code in _THROWN:
        return _THROWN[code]
    number = code - SIGNAL_CODE
    if is_false_claim(code):
        return f"false claim: {native_library().false_claim()}"
    names = {
        signal.SIGSEGV: "illegal memory access",
        signal.SIGBUS: "misaligned or illegal memory access",
        signal.SIGFPE: "integer division by zero",
        signal.SIGILL: "illegal instruction (a trap)",
    }
    source = native_library().fault_source()
    what = "" if source is None else _DOES.get(source, "an operation of the host device's own code")
    where = f" by {what}" if what else ""
    return names.get(number, f"signal {number}") + where  # type: ignore[call-overload]


def _about(code: int, worker: Worker) -> str:
    """What is known of the address that a kernel should not have used."""
    if code - SIGNAL_CODE not in (signal.SIGSEGV, signal.SIGBUS):
        return ""
    address = native_library().fault_address()
    used = host_use(address)
    if used is not None:
        return (
            f": 0x{used:x} is the host's, and neither registered (gpu.host_register) nor shared "
            "(gpu.alloc host_shared)"
        )
    about = _about_shared(address, worker) or pages().describe(address)
    return f": {about}" if about else ""


def _about_shared(address: int, worker: Worker) -> str:
    """What is known of an address around the workgroup memory of a worker's blocks."""
    if not worker.shared or not worker.launch:
        return ""
    launch = ctypes_struct("Launch").from_address(worker.launch)
    size, blocks = launch.shared_bytes, launch.cluster_x * launch.cluster_y * launch.cluster_z
    lead = worker.shared - worker.shared_base
    window = (worker.shared_room - lead) // blocks
    if not -lead <= address - worker.shared < worker.shared_room - lead:
        return ""
    if address < worker.shared:
        distance, side = worker.shared - address, "before"
    else:
        distance, side = (address - worker.shared) % window - size, "behind"
    return f"0x{address:x} lies {distance} bytes {side} {size} bytes of workgroup memory"


def position(worker: Worker, code: int, is_vector: bool) -> str:
    """Which block and, where threads have records of their own, which thread was running."""
    if not worker.blocks:
        return ""
    block = ctypes_struct("Block").from_address(worker.blocks)
    where = f" in block ({block.ctaid_x}, {block.ctaid_y}, {block.ctaid_z})"
    if worker.current and not is_vector:
        t = ctypes_struct("Thread").from_address(worker.current)
        return f"{where}, thread ({t.tid_x}, {t.tid_y}, {t.tid_z})"
    if code in (THROW_DIVISION, THROW_OVERFLOW):
        _, thread = native_library().division()
        if thread is not None:
            return f"{where}, thread {thread}"
    return where


#: What a printf may be given.
_Value = TypeVar("_Value", ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p, ctypes.c_double)

_OPERATION_NAMES = {number: name.lower() for name, number in WARP_OPERATIONS.items()}
_OPERATION_NAMES[WARP_OPERATIONS["TOGETHER"]] = "an operation of the whole warp"
_SHOWN = 4  # threads named for each thing waited for


def describe_deadlock(worker_address: int) -> str:
    """Who waits for what, for a cluster whose threads can never go on."""
    worker = ctypes_struct("Worker").from_address(worker_address)
    first = ctypes_struct("Block").from_address(worker.blocks)
    total = first.count * first.cluster_size
    threads = [
        ctypes_struct("Thread").from_address(worker.threads + i * size_of("Thread"))
        for i in range(total)
    ]
    block = f"block ({first.ctaid_x}, {first.ctaid_y}, {first.ctaid_z})"
    outsider = next((t for t in threads if is_outside(t)), None)
    if outsider is not None:
        return f"{block}: {_outside(outsider)}"
    groups: dict[str, list[Thread]] = {}
    exited = 0
    for thread in threads:
        if STATE_NAMES[thread.state] == "DONE":
            exited += 1
        else:
            groups.setdefault(waits_for(_spokesman(thread)), []).append(thread)
    lines = [f"deadlock in {block}: {total - exited} of {total} threads wait for ever"]
    for what, waiting in groups.items():
        names = ", ".join(f"({t.tid_x}, {t.tid_y}, {t.tid_z})" for t in waiting[:_SHOWN])
        more = ", ..." if len(waiting) > _SHOWN else ""
        plural = "thread waits" if len(waiting) == 1 else "threads wait"
        lines.append(f"  {len(waiting)} {plural} {what}: {names}{more}")
    if exited:
        lines.append(f"  {exited} {'thread has' if exited == 1 else 'threads have'} exited")
    return "\n".join(lines)


_NOTICES = {
    NOTICE_OVERRUN: (
        "an mbarrier's phase got {} bytes more than mbarrier.arrive.expect_tx announced: it is "
        "complete, and they count for the next phase"
    ),
    NOTICE_EXITED: (
        "barrier {} goes on without threads that have exited, as on GPUs; PTX leaves that undefined"
    ),
}


_NOTICES[NOTICE_ABSENT] = (
    "a shuffle reads from lane {}, which does not take part in it: what that gives is undefined"
)


def describe_notice(kind: int, amount: int) -> str:
    """A warning about what a kernel did."""
    return _NOTICES[kind].format(amount)


_MISUSES = {
    MISUSE_MBARRIER: "arrives at an mbarrier, or announces bytes to one, before mbarrier.init",
    MISUSE_FREE: "frees memory that malloc of a kernel has not given, or that is freed already",
    MISUSE_PARTIAL_WARP: "runs a matrix operation in a warp of fewer than 32 threads",
    MISUSE_TENSOR_COLUMNS: (
        "asks for more tensor memory than is left (512 columns; 32, 64, 128, 256 or 512 at once)"
    ),
    MISUSE_TENSOR_PLACE: "names a place outside of tensor memory, or that is not allocated",
    MISUSE_TENSOR_DESCRIPTOR: (
        "runs tcgen05.mma with an instruction descriptor that the host device does not have: types "
        "or sizes that do not belong together, or another sparsity than the instruction's"
    ),
    MISUSE_TENSOR_REDUCTION: (
        "runs cp.reduce.async.bulk.tensor with an operation that the tensor's type does not have"
    ),
    MISUSE_TENSOR_LINES: "copies lines (gather4, scatter4) of a tensor that is no matrix",
    MISUSE_PAIR: "copies by cta_group::2 to a block that has no pair in its cluster",
    MISUSE_TENSOR_METADATA: (
        "runs tcgen05.mma.sp with metadata that are not in an even column, or in other lanes than "
        "A and D, or with a sparsity selector that the host device does not have (0 and 1 for f16 "
        "and tf32, else 0)"
    ),
    MISUSE_TENSOR_SHIFT: (
        "shifts an operand of tcgen05.mma as the host device does not: rows of A that are not in "
        "all lanes, or do not begin at the first of 32, or columns of B further than the "
        "instruction descriptor allows"
    ),
    MISUSE_TENSOR_SIX_BITS: (
        "multiplies by A of 6 bits in tensor memory, which the host device does not have"
    ),
}


def describe_misuse(thread_address: int, kind: int) -> str:
    """What a thread has done that has no meaning."""
    t = ctypes_struct("Thread").from_address(thread_address)
    b = ctypes_struct("Block").from_address(t.block)
    who = (
        f"thread ({t.tid_x}, {t.tid_y}, {t.tid_z}) of block ({b.ctaid_x}, {b.ctaid_y}, {b.ctaid_z})"
    )
    if kind == MISUSE_RANK:
        place, rank = native_library().rank()
        note = f"\n{place}: note: mapa is here" if place else ""
        return f"{who} names block {rank} of a cluster of {b.cluster_size} in mapa{note}"
    return f"{who} {_MISUSES[kind]}"


def _spokesman(thread: Thread) -> Thread:
    """Whose record says what a thread waits for: where warps run as vectors, that of the first."""
    block = ctypes_struct("Block").from_address(thread.block)
    if ctypes_struct("Launch").from_address(block.launch).suspending != LAUNCH_WARPS:
        return thread
    lane = thread.linear % 32
    first = ctypes_struct("Thread").from_address(
        ctypes.addressof(thread) - lane * size_of("Thread")
    )
    return thread if first.wide else first


def is_outside(thread: Thread) -> bool:
    """Whether a thread waits at a warp collective whose mask leaves it out."""
    return STATE_NAMES[thread.state] == "WARP" and not thread.mask >> (thread.linear % 32) & 1


def _outside(thread: Thread) -> str:
    return (
        f"thread ({thread.tid_x}, {thread.tid_y}, {thread.tid_z}) is lane {thread.linear % 32} of "
        f"its warp and executes {_collective(thread)}, which does not name that lane: what that "
        "gives is undefined"
    )


def _collective(thread: Thread, operation: str = "") -> str:
    name = _OPERATION_NAMES.get(thread.wait_id, "collective")
    if name == "together":
        return operation or "an operation of the whole warp"
    name = operation or name
    return f"{name} with mask 0x{thread.mask & 0xFFFFFFFF:08x}"


def waits_for(thread: Thread, operation: str = "", mbarrier: str = "") -> str:
    """What a thread waits for; `operation` is what it executes and `mbarrier` what the program
    calls the one that it waits for, where they are known."""
    block = ctypes_struct("Block").from_address(thread.block)
    state = STATE_NAMES[thread.state]
    if state == "BARRIER":
        number = thread.wait_id
        if number >= NAMED_BARRIERS:
            return f"at wgmma.wait_group of warpgroup {number - NAMED_BARRIERS}"
        return (
            f"at barrier {number} "
            f"({block.bar_arrived[number]} of {block.bar_expected[number]} threads are there)"
        )
    if state == "WARP":
        return f"at {_collective(thread, operation)}, of warp {thread.linear // 32}"
    if state == "MBARRIER":
        word = ctypes.c_uint64.from_address(thread.address).value
        offset = thread.address - block.shared
        name = mbarrier or f"the mbarrier at byte {offset} of workgroup memory"
        return f"for the phase of parity {thread.phase} of {name} ({missing_text(word)})"
    if state == "CLUSTER":
        return "at the cluster barrier"
    return "to be resumed"


def missing_text(word: int) -> str:
    """What an mbarrier waits for, from its word (`native/sources/mbarrier.py`)."""
    if not word:
        return "it is not initialized"
    arrivals = _signed(word & 0xFFFFF, 20)
    bytes_left = _signed(word >> 40 & 0x7FFFFF, 23)
    return f"{_counted(arrivals, 'arrival')}, {_counted(bytes_left, 'byte')}"


def _counted(missing: int, what: str) -> str:
    plural = "" if abs(missing) == 1 else "s"
    return f"{abs(missing)} {what}{plural} {'too many' if missing < 0 else 'missing'}"


def _signed(field: int, bits: int) -> int:
    return field - (1 << bits) if field >> (bits - 1) else field


def describe_assertion(
    thread_address: int, message: int, file: int, line: int, function: int
) -> str:
    """A failed assertion as CUDA prints it."""
    thread = ctypes_struct("Thread").from_address(thread_address)
    block = ctypes_struct("Block").from_address(thread.block)
    return (
        f"{_text(file)}:{line}: {_text(function)}: "
        f"block: [{block.ctaid_x},{block.ctaid_y},{block.ctaid_z}], "
        f"thread: [{thread.tid_x},{thread.tid_y},{thread.tid_z}] "
        f"Assertion `{_text(message)}` failed."
    )


def _text(address: int) -> str:
    return ctypes.string_at(address).decode(errors="replace") if address else ""


_SPECIFIER = re.compile(
    rb"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>[diouxXeEfFgGaAcsp%])"
)

# What an integer conversion makes of its value; those of eight bytes have another argument.
_LENGTHS: dict[bytes, bytes] = {b"hh": b"hh", b"h": b"h"}
_LONG: frozenset[bytes] = frozenset({b"l", b"ll", b"j", b"z", b"t"})


@functools.cache
def _snprintf() -> Callable[..., int]:
    function = ctypes.CDLL(None).snprintf
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
    function.restype = ctypes.c_int
    return function


def _convert(specifier: bytes, value: _Value) -> bytes:
    """What C's printf writes for one conversion, nothing where it fails.

    As on a GPU, the host's C library makes the text (CUDA C++ Programming Guide, printf).
    """
    snprintf = _snprintf()
    buffer = ctypes.create_string_buffer(128)
    length = snprintf(buffer, 128, specifier, value)
    if length >= 128:
        buffer = ctypes.create_string_buffer(length + 1)
        snprintf(buffer, length + 1, specifier, value)
    return buffer.raw[: max(length, 0)]


def format_printf(format_address: int, arguments: int) -> tuple[str, int]:
    """The text of a kernel's printf and the number of values.

    `vprintf` gets a buffer in which each value lies at the next multiple of its size: int (4), long
    long, double and pointers (8); float is passed as double (CUDA C++ Programming Guide, printf).
    """
    at = arguments
    count = 0

    def take(kind: type[_Value]) -> _Value:
        nonlocal at, count
        size = ctypes.sizeof(kind)
        at = -(-at // size) * size
        value = kind.from_address(at)
        at += size
        count += 1
        return value

    def expand(match: re.Match[bytes]) -> bytes:
        kind = match["kind"]
        if kind == b"%":
            return b"%"
        width, precision = match["width"] or b"", match["precision"]
        if width == b"*":
            width = b"%d" % take(ctypes.c_int32).value
        if precision == b"*":
            number = take(ctypes.c_int32).value
            precision = b"%d" % number if number >= 0 else None
        prefix = b"%" + match["flags"] + width + (b"" if precision is None else b"." + precision)
        length = match["length"]
        if kind in b"diouxX":
            if length in _LONG:
                return _convert(prefix + b"ll" + kind, take(ctypes.c_int64))
            return _convert(prefix + _LENGTHS.get(length, b"") + kind, take(ctypes.c_int32))
        if kind == b"c":
            return _convert(prefix + kind, take(ctypes.c_int32))
        if kind in b"sp":
            return _convert(prefix + kind, take(ctypes.c_void_p))
        return _convert(prefix + kind, take(ctypes.c_double))

    text = _SPECIFIER.sub(expand, ctypes.string_at(format_address) if format_address else b"")
    return text.decode(errors="replace"), count
