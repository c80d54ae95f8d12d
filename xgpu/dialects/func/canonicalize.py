# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the func dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.arith.canonicalize import defining

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def known_callee(op: Operation, rw: GreedyRewriter) -> bool:
    """call_indirect(constant @f)(x) -> call @f(x)"""
    callee = defining(op.operands[0], "func.constant")
    if callee is None:
        return False
    properties = {"callee": callee.properties["value"]}
    types = [result.type for result in op.results]
    rw.replace_with(op, "func.call", list(op.operands[1:]), types, properties)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {"func.call_indirect": (known_callee,)}
