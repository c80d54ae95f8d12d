# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transforms of TypesMatchWith, which tables state as expressions over a type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Transform = Callable[[Any], Any]


def find_transform(text: str) -> Transform:
    """The function for the table's expression `text` (`element_type(t)`)."""
    from xgpu.ods.predicates import compile_type_predicate

    return compile_type_predicate(text)
