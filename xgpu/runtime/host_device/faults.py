# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How faults of kernels are told: what happened, in which block, at which address."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from xgpu.backend.host.addresses import host_use
from xgpu.backend.host.structs import ctypes_struct
from xgpu.runtime.host_device.pages import pages
from xgpu.runtime.native.codes import SIGNAL_CODE, THROW_DIVISION, THROW_OVERFLOW, THROW_TRAP
from xgpu.runtime.native.library import native_library

if TYPE_CHECKING:
    from xgpu.backend.host.record_classes import Worker


_THROWN = {
    THROW_TRAP: "trap",
    THROW_DIVISION: "integer division by zero",
    THROW_OVERFLOW: "integer division overflows",
}


def described(worker: Worker, code: int) -> str:
    """What a worker was thrown out of its work for, in which block, and what is known of the
    address."""
    return _fault(code) + _position(worker) + _about(code, worker)


def _fault(code: int) -> str:
    if code in _THROWN:
        return _THROWN[code]
    number = code - SIGNAL_CODE
    claim = native_library().false_claim() if number == signal.SIGILL else None
    if claim is not None:
        return f"false claim: {claim}"
    names = {
        signal.SIGSEGV: "illegal memory access",
        signal.SIGBUS: "misaligned or illegal memory access",
        signal.SIGFPE: "integer division by zero",
        signal.SIGILL: "illegal instruction (a trap)",
    }
    source = native_library().fault_source()
    where = f" in {source}" if source else ""
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


def _position(worker: Worker) -> str:
    """Which block and, where threads have records of their own, which thread was running."""
    if not worker.blocks:
        return ""
    block = ctypes_struct("Block").from_address(worker.blocks)
    where = f" in block ({block.ctaid_x}, {block.ctaid_y}, {block.ctaid_z})"
    if worker.current:
        t = ctypes_struct("Thread").from_address(worker.current)
        where += f", thread ({t.tid_x}, {t.tid_y}, {t.tid_z})"
    return where
