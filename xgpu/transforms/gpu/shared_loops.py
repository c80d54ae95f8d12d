# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose iterations the threads of a block share: `scf.forall` mapped to linear thread ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr

from xgpu.core import ods

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


def thread_mapping(rank: int) -> list[Attribute]:
    """Loops whose iterations threads share, the last one by neighbours."""
    return [ods.enum("gpu.thread", f"linear_dim_{i}") for i in reversed(range(rank))]


def is_shared_by_threads(op: Operation) -> bool:
    """Whether `op` is a loop that the threads of a block share, in that order."""
    mapping = op.properties.get("mapping") if op.name == "scf.forall" else None
    return isinstance(mapping, ArrayAttr) and list(mapping.data) == thread_mapping(len(mapping))
