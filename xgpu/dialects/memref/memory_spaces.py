# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory spaces of memrefs, as attributes of gpu and as numbers."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerAttr, MemRefType

#: The number of shared memory in nvvm.
_SHARED = 3


def is_workgroup_memory(kind: Any) -> bool:
    """Whether a memref is in the memory that a workgroup shares."""
    if not isinstance(kind, MemRefType):
        return False
    space: Any = kind.memory_space
    if isinstance(space, IntegerAttr):
        return space.value.data == _SHARED
    return space.name == "gpu.address_space" and space.data == "workgroup"


def has_workgroup_attribute(kind: Any) -> bool:
    """Whether a memref says by gpu's own attribute that a workgroup shares it."""
    space: Any = kind.memory_space if isinstance(kind, MemRefType) else None
    return space is not None and space.name == "gpu.address_space" and space.data == "workgroup"
