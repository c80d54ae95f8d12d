# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `xgpu-cuda` tells the driver in the processes that it starts, by environment variables, and
the attributes of devices (CUdevice_attribute), by their numbers in cuda.h."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass

from xgpu.core.ir.errors import UsageError
from xgpu.runtime.launch_limits import LaunchLimits

_CHIP = re.compile(r"sm_(\d+)(\d)[af]?")
DEFAULT_CHIP = "sm_90a"
_MOST_DEVICES = 64

CHIP, DEVICES, FAIL_AT = "XGPU_CUDA_CHIP", "XGPU_CUDA_DEVICES", "XGPU_CUDA_FAIL_AT"
RECORDS, TIMELINE, VERBOSE = "XGPU_CUDA_RECORDS", "XGPU_CUDA_TIMELINE", "XGPU_CUDA_VERBOSE"
FIDELITY = "XGPU_CUDA_FIDELITY"


@dataclass(frozen=True, slots=True)
class Settings:
    """`chips` of the devices, one for all or one for each; the number of `devices`; the number of
    the call that fails (0: none) and with which result; a folder for what processes `records` at
    their end; the file of the `timeline`; whether to be `verbose`; whether
    to say how near to a GPU kernels are (`fidelity`)."""

    chips: tuple[str, ...] = (DEFAULT_CHIP,)
    devices: int = 1
    fail_at: int = 0
    fail_with: int = 1
    records: str = ""
    timeline: bool = False
    verbose: bool = False
    fidelity: bool = False

    @classmethod
    def of_environment(cls) -> Settings:
        """Raises `UsageError` for a value that means nothing."""
        chips = tuple(c for c in os.environ.get(CHIP, "").split(",") if c) or (DEFAULT_CHIP,)
        for chip in chips:
            capability(chip)
        devices = _number(DEVICES, os.environ.get(DEVICES, ""), max(1, len(chips)), _MOST_DEVICES)
        fail_at, _, code = os.environ.get(FAIL_AT, "").partition(":")
        return cls(
            chips, devices, _number(FAIL_AT, fail_at, 0, 1 << 62), _number(FAIL_AT, code, 1, 999),
            os.environ.get(RECORDS, ""), bool(os.environ.get(TIMELINE)),
            bool(os.environ.get(VERBOSE)), bool(os.environ.get(FIDELITY)),
        )  # fmt: skip

    def chip_of(self, ordinal: int) -> str:
        return self.chips[min(ordinal, len(self.chips) - 1)]


def capability(chip: str) -> tuple[int, int]:
    """Major and minor number. Raises `UsageError` for what is no chip."""
    match = _CHIP.fullmatch(chip)
    if match is None:
        raise UsageError(f"chip is '{chip}', expected a name such as sm_80 or sm_90a")
    return int(match[1]), int(match[2])


def _number(name: str, text: str, default: int, most: int) -> int:
    if not text:
        return default
    if not text.isdecimal() or int(text) > most:
        raise UsageError(f"{name} is '{text}', expected a number up to {most}")
    return int(text)


_LIMITS = LaunchLimits()
KIB, MIB = 1 << 10, 1 << 20

COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76
MULTIPROCESSORS, THREADS_PER_MULTIPROCESSOR, BLOCKS_PER_MULTIPROCESSOR = 16, 39, 106
SHARED_PER_MULTIPROCESSOR, SHARED_OPTIN, SHARED_PER_BLOCK = 81, 97, 8
REGISTERS_PER_MULTIPROCESSOR = 82

# Those that are the same for every chip (values of an H100, where nothing else decides). Textures
# need the alignment that all memory has (14).
_COMMON = {
    1: _LIMITS.threads, 2: _LIMITS.block[0], 3: _LIMITS.block[1], 4: _LIMITS.block[2],
    5: _LIMITS.grid[0], 6: _LIMITS.grid[1], 7: _LIMITS.grid[2], 8: 48 * KIB, 9: 64 * KIB, 10: 32,
    11: 2**31 - 1, 12: 65536, 13: 1980000, 14: 256, 15: 1, 17: 0, 18: 0, 19: 1, 20: 0,
    21: 131072, 22: 131072, 23: 65536, 24: 16384, 25: 16384, 26: 16384, 27: 32768, 28: 32768,
    29: 2048, 30: 512, 31: 1, 32: 0, 34: 0, 35: 0, 36: 2619000, 37: 5120, 38: 50 * MIB, 40: 3,
    41: 1, 42: 32768, 43: 2048, 44: 1, 45: 32768, 46: 32768, 47: 8192, 48: 8192, 49: 32768, 50: 0,
    51: 32, 52: 32768, 53: 32768, 54: 2046, 55: 32768, 56: 131072, 57: 65536, 58: 16384,
    59: 16384, 60: 16384, 61: 32768, 62: 2048, 63: 32768, 64: 32768, 65: 2048, 66: 32768,
    67: 32768, 68: 2046, 69: 268435456, 70: 131072, 71: 65000, 72: 2097120, 73: 32768, 74: 32768,
    77: 32768, 78: 1, 79: 1, 80: 1, 82: 65536, 83: 1, 84: 0, 85: 0, 86: 1, 87: 2, 88: 1, 89: 1,
    90: 1, 91: 1, 92: 0, 93: 0, 94: 0, 95: 1, 96: 0, 98: 0, 99: 1, 100: 1, 101: 1, 102: 1, 103: 1,
    104: 0, 105: 0, 107: 0, 108: 0, 109: 0, 110: 0, 111: KIB, 112: 0, 113: 0, 114: 0, 115: 1,
    116: 0, 117: 0, 118: 0, 119: 0, 121: 0, 122: 1, 123: 1, 124: 0, 125: 0, 126: 1, 128: 0,
    129: 0, 130: 0, 131: -1, 132: 0, 133: 0, 134: 0, 135: 0, 136: 0, 137: 0, 138: 0, 139: 0,
    140: 0, 141: 0, 142: 0, 143: 0, 144: 0, 145: 0, 146: 0, 147: 0, 148: 0,
}  # fmt: skip

#: Bytes of shared memory of a multiprocessor, threads and blocks that it holds, by capability
#: (CUDA C++ Programming Guide, technical specifications); the last that is not newer counts.
_MULTIPROCESSORS = {
    (5, 0): (64, 2048, 32), (5, 2): (96, 2048, 32), (6, 0): (64, 2048, 32), (6, 1): (96, 2048, 32),
    (7, 0): (96, 2048, 32), (7, 5): (64, 1024, 16), (8, 0): (164, 2048, 32),
    (8, 6): (100, 1536, 16), (8, 7): (164, 1536, 16), (8, 9): (100, 1536, 24),
    (9, 0): (228, 2048, 32), (10, 0): (228, 2048, 32), (12, 0): (100, 1536, 24),
}  # fmt: skip


def attributes_of(chip: str, ordinal: int) -> dict[int, int]:
    """The attributes of a device."""
    major, minor = capability(chip)
    known = max(c for c in _MULTIPROCESSORS if c <= (major, minor)) if major >= 5 else (5, 0)
    shared, threads, blocks = _MULTIPROCESSORS[known]
    reserve = 1 if (major, minor) >= (8, 0) else 0
    optin = 48 if major < 7 else shared - reserve
    has_clusters = int(major >= 9)
    return {
        **_COMMON, MULTIPROCESSORS: len(os.sched_getaffinity(0)), 33: ordinal + 1,
        THREADS_PER_MULTIPROCESSOR: threads, COMPUTE_CAPABILITY_MAJOR: major,
        COMPUTE_CAPABILITY_MINOR: minor, SHARED_PER_MULTIPROCESSOR: shared * KIB,
        SHARED_OPTIN: optin * KIB, BLOCKS_PER_MULTIPROCESSOR: blocks, 120: has_clusters,
        127: has_clusters,
    }  # fmt: skip


def name_of(chip: str, ordinal: int) -> str:
    """The name of a device."""
    return f"xgpu host device {ordinal} ({chip})"


def identity(ordinal: int) -> bytes:
    """The UUID of a device, which is the same in all processes."""
    return hashlib.sha256(f"xgpu host device {ordinal}".encode()).digest()[:16]


#: Limits of a context (CUlimit): the value at first.
LIMITS = {0: 1024, 1: 7 * MIB, 2: 8 * MIB, 3: 2, 4: 2048, 5: 64, 6: 0}
