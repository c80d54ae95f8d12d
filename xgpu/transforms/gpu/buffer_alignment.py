# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of where buffers of kernels begin; workgroup memory that is made to begin there."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, i64
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.dialects.gpu.syntax import attributions

KERNELS = frozenset({"gpu.launch", "gpu.func"})
#: What cuMemAlloc and the host device give at least.
_DEVICE_ALIGNMENT = 256


def attribution(memory: SSAValue) -> int | None:
    """Which buffer of its workgroup `memory` is."""
    if not isinstance(memory, BlockArgument):
        return None
    kernel = memory.block.parent_op()
    if kernel is None or kernel.name not in KERNELS:
        return None
    buffers = attributions(kernel)[0]
    return buffers.index(memory) if memory in buffers else None


#: They leave the pointer alone; where they begin is an offset of their type.
_SAME_POINTER = frozenset(
    {"memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.subview"}
)
_BUFFERS = "workgroup_attrib_attrs"
_ALIGN = "llvm.align"


def _entries(kernel: Operation) -> list[DictionaryAttr]:
    held = kernel.properties if kernel.name == "gpu.func" else kernel.attributes
    given = held.get(_BUFFERS)
    if isinstance(given, ArrayAttr):
        return list(cast("ArrayAttr[DictionaryAttr]", given).data)
    return [DictionaryAttr({})] * len(attributions(kernel)[0])


def align(memory: SSAValue, alignment: int) -> None:
    """Sees to it that a buffer is aligned that may be."""
    at = attribution(memory)
    if at is None or alignment_of_buffer(memory) % alignment == 0:
        return
    kernel = cast("BlockArgument", memory).block.parent_op()
    assert kernel is not None
    entries = _entries(kernel)
    entries[at] = DictionaryAttr({**entries[at].data, _ALIGN: IntegerAttr(alignment, i64)})
    held = kernel.properties if kernel.name == "gpu.func" else kernel.attributes
    held[_BUFFERS] = ArrayAttr(entries)


def alignment_of_buffer(memory: SSAValue) -> int:
    """To how many bytes the buffer begins at a multiple, its offset aside; 1 if that is unknown."""
    at = attribution(memory)
    if at is not None:
        kernel = cast("BlockArgument", memory).block.parent_op()
        assert kernel is not None
        given = _entries(kernel)[at].data.get(_ALIGN)
        return given.value.data if isinstance(given, IntegerAttr) else 1
    owner = memory.owner
    if not isinstance(owner, Operation):
        return 1
    if owner.name == "gpu.alloc":
        return _DEVICE_ALIGNMENT
    if owner.name in ("memref.alloc", "memref.alloca", "memref.assume_alignment"):
        given = owner.properties.get("alignment")
        return given.value.data if isinstance(given, IntegerAttr) else 1
    if owner.name in (
        "memref.cast",
        "memref.subview",
        "memref.expand_shape",
        "memref.collapse_shape",
    ):
        # They leave the pointer alone; offsets are of the type.
        return alignment_of_buffer(owner.operands[0])
    return 1
