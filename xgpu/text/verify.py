# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifier of whole IR: structure first, then each operation's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Operation


def is_terminator(op: Operation) -> bool:
    from xdsl.traits import IsTerminator

    return op.has_trait(IsTerminator)


def verify_op(op: Operation) -> None:
    """Verifies `op` and what it contains."""
    for inner in op.walk():
        inner.verify_()


def verify_module(module: Any) -> None:
    verify_op(module)
