# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `xgpu-cuda` tells the driver in the processes that it starts, by environment variables."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from xgpu.core.ir.errors import UsageError

_CHIP = re.compile(r"sm_(\d+)(\d)[af]?")
DEFAULT_CHIP = "sm_90a"
_MOST_DEVICES = 64

CHIP, DEVICES, FAIL_AT = "XGPU_CUDA_CHIP", "XGPU_CUDA_DEVICES", "XGPU_CUDA_FAIL_AT"
RECORDS, TIMELINE, VERBOSE = "XGPU_CUDA_RECORDS", "XGPU_CUDA_TIMELINE", "XGPU_CUDA_VERBOSE"


@dataclass(frozen=True, slots=True)
class Settings:
    """`chips` of the devices, one for all or one for each; the number of `devices`; the number of
    the call that fails (0: none) and with which result; a folder for what processes `records` at
    their end; the file of the `timeline`; whether to be `verbose`."""

    chips: tuple[str, ...] = (DEFAULT_CHIP,)
    devices: int = 1
    fail_at: int = 0
    fail_with: int = 1
    records: str = ""
    timeline: bool = False
    verbose: bool = False

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
            bool(os.environ.get(VERBOSE)),
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
