# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory spaces of memrefs, as attributes of gpu and as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.core.ods.attributes import EnumAttr


#: The number of shared memory in nvvm.
_SHARED = 3


def is_workgroup_memory(kind: Attribute) -> bool:
    """Whether a memref is in the memory that a workgroup shares."""
    if not isinstance(kind, MemRefType):
        return False
    space = kind.memory_space
    if isinstance(space, IntegerAttr):
        return space.value.data == _SHARED
    return _is_workgroup(space)


def has_workgroup_attribute(kind: Attribute) -> bool:
    """Whether a memref says by gpu's own attribute that a workgroup shares it."""
    return isinstance(kind, MemRefType) and _is_workgroup(kind.memory_space)


def _is_workgroup(space: Attribute) -> bool:
    return space.name == "gpu.address_space" and cast("EnumAttr", space).data == "workgroup"
