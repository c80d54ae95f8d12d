# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the async dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter


def drop_empty_group(op: Operation, rw: GreedyRewriter) -> bool:
    """A group that is awaited only, with nothing added to it, is erased with its awaits."""
    users = [use.operation for use in op.results[0].uses]
    if any(user.name != "async.await_all" for user in users):
        return False
    for user in users:
        rw.erase(user)
    rw.erase(op)
    return True


PATTERNS = {"async.create_group": (drop_empty_group,)}
