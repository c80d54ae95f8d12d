# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nearest known name."""

import pytest

from xgpu.core.ir.suggestions import nearest

NAMES = ["arith.andi", "arith.addf", "arith.addi", "gpu.launch_func", "gpu.launch"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("arith.adi", "arith.addi"),  # `andi` is as near, and begins with less of it
        ("arith.anid", "arith.andi"),
        ("gpu.lanuch", "gpu.launch"),
        ("gpu.launchfunc", "gpu.launch_func"),
        ("scf.for", None),
    ],
)
def test_nearest(name: str, found: str | None) -> None:
    assert nearest(name, NAMES) == found
    assert nearest(name, reversed(NAMES)) == found
