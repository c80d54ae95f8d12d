# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines that stand for control flow until a function's blocks are split."""

from __future__ import annotations

IF = "xgpu.if "


def conditional(condition: str, lines: list[str]) -> str:
    """A line that stands for `lines` where the i1 `condition` holds, until `expand_conditions`."""
    return "\n".join([f"{IF}{condition}", *lines])


EXIT = "xgpu.exit"  # stands for the end of the thread until `split_blocks` makes a branch of it
