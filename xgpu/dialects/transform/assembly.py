# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of results of transform operations."""

from __future__ import annotations

from typing import Any


def _foreach_match(op: Any) -> list[str | None]:
    return ["updated_root", *["yielded" for _ in op.results[1:]]]


NAMES = {"transform.foreach_match": _foreach_match}
