# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How faults of kernels are told: what happened, in which block, at which address."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from xgpu.host_device.compiler.addresses import host_use
from xgpu.host_device.compiler.structs import ctypes_struct
from xgpu.host_device.device.pages import pages
from xgpu.host_device.native.codes import SIGNAL_CODE, THROW_DIVISION, THROW_OVERFLOW, THROW_TRAP
from xgpu.host_device.native.library import native_library

if TYPE_CHECKING:
    from xgpu.host_device.compiler.record_classes import Worker


_THROWN = {
    THROW_TRAP: "trap",
    THROW_DIVISION: "integer division by zero",
    THROW_OVERFLOW: "integer division overflows",
}


#: What the sources of the native library are for.
_DOES = {
    "mbarrier": "an operation on an mbarrier", "tma": "a tensor copy",
    "tensor_copy": "a copy of tensor memory", "tensor_memory": "an operation on tensor memory",
    "deferred_copies": "an asynchronous copy", "expired_copies": "an asynchronous copy",
    "warp_matrices": "a load or store of matrices", "fragments": "a product of matrices",
    "mma": "a product of matrices", "wgmma": "a product of matrices",
    "products": "a product of matrices", "descriptors": "a product of matrices",
    "tensor_mma": "a product of matrices", "tensor_operands": "a product of matrices",
    "warp": "an operation of a warp", "lane_registers": "an operation of a warp",
    "device_functions": "malloc, free or printf",
}  # fmt: skip


def described(worker: Worker, code: int) -> str:
    """What a worker was thrown out of its work for, in which block, and what is known of the
    address."""
    return _fault(code) + _position(worker, code) + _about(code, worker) + _note(code)


def is_false_claim(code: int) -> bool:
    """Whether a check of the checked build has trapped."""
    return code == SIGNAL_CODE + signal.SIGILL and native_library().false_claim() is not None


def is_of_a_thread(code: int) -> bool:
    """Whether code that runs threads by themselves comes to the same end, and can say which thread
    it was."""
    return code >= SIGNAL_CODE or code in (THROW_DIVISION, THROW_OVERFLOW)


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
    size = ctypes_struct("Launch").from_address(worker.launch).shared_bytes
    window = worker.shared - worker.shared_base
    if not -window <= address - worker.shared < worker.shared_room - window:
        return ""
    if address < worker.shared:
        distance, side = worker.shared - address, "before"
    else:
        distance, side = (address - worker.shared) % window - size, "behind"
    return f"0x{address:x} lies {distance} bytes {side} {size} bytes of workgroup memory"


def _position(worker: Worker, code: int) -> str:
    """Which block and, where threads have records of their own, which thread was running."""
    if not worker.blocks:
        return ""
    block = ctypes_struct("Block").from_address(worker.blocks)
    where = f" in block ({block.ctaid_x}, {block.ctaid_y}, {block.ctaid_z})"
    if worker.current:
        t = ctypes_struct("Thread").from_address(worker.current)
        return f"{where}, thread ({t.tid_x}, {t.tid_y}, {t.tid_z})"
    if code in (THROW_DIVISION, THROW_OVERFLOW):
        _, thread = native_library().division()
        if thread is not None:
            return f"{where}, thread {thread}"
    return where
