# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of results of transform operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation


def _foreach_match(op: Operation) -> list[str | None]:
    return ["updated_root", *["yielded" for _ in op.results[1:]]]


NAMES = {"transform.foreach_match": _foreach_match}
