# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transforms of TypesMatchWith: expressions of the tables over `t`, as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Transform = Callable[..., Any]

_TRANSFORMS: dict[str, Transform] = {}


def find_transform(text: str) -> Transform:
    """The function for an expression like `element_type(t)`."""
    transform = _TRANSFORMS.get(text)
    if transform is None:
        from xgpu.core.ods.predicates import compile_type_predicate

        transform = _TRANSFORMS[text] = compile_type_predicate(text)
    return transform
