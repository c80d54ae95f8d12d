# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of index operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType

from xgpu.dialects.casts import cast_verifier

if TYPE_CHECKING:
    from xdsl.ir import Attribute


def _compatible(source: Attribute, target: Attribute) -> bool:
    """One of them is an index, the other an integer."""
    return isinstance(source, IndexType) is not isinstance(target, IndexType)


VERIFY = {
    "index.casts": cast_verifier(_compatible),
    "index.castu": cast_verifier(_compatible),
}
