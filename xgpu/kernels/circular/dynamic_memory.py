# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages in dynamic shared memory, where they are too many for variables.

A kernel has one array without extent, whose size each launch gives. It begins where variables end,
so stages begin at the first address in it that has their alignment, which is computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    i8,
    i32,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, attributions
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.launches import launches_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType

    from xgpu.core.ods.operation import OdsOperation

#: What a block may have at most, by the leading digits of its chip (CUDA's programming guide,
#: compute capabilities); a chip that is not known here may have as much as any.
LIMITS = {"80": 166912, "86": 101376, "87": 166912, "89": 101376, "90": 232448, "12": 101376}
MOST = 232448
#: The group of a launch's operands that is the size of dynamic shared memory.
_SIZE_GROUP = 10
_SEGMENTS = "operandSegmentSizes"
BUFFER_ATTRIBUTES = "workgroup_attrib_attrs"
ALIGN = "llvm.align"
#: No swizzle of a tensor map needs more (CUDA driver API, CU_TENSOR_MAP_SWIZZLE_128B: 1024).
_ALIGNMENT = 1024


def limit_of(chip: str) -> int:
    """The bytes of shared memory that a block can have on `chip`, such as sm_90a."""
    digits = "".join(c for c in chip if c.isdigit())
    return next((n for key, n in LIMITS.items() if digits.startswith(key)), MOST)


class DynamicMemory:
    """The dynamic shared memory of `kernel`, to which stages are added."""

    def __init__(self, kernel: Operation, loop: Operation) -> None:
        self.kernel = kernel
        self.launches = launches_of(kernel)
        self.begin = 0
        self.size = 0
        if not self.launches:
            raise error(
                kernel,
                "has no gpu.launch_func in this module that could give it more shared memory",
                [(loop.location, "which the stages of this loop need")],
            )
        for launch in self.launches:
            size = _dynamic_size(launch)
            known = 0 if size is None else int_of(size)
            if known is None:
                raise error(
                    launch,
                    "expected a constant size of dynamic shared memory, behind which stages lie",
                    [(loop.location, "the stages of this loop")],
                )
            self.begin = max(self.begin, known)

    def add(self, ty: MemRefType, bytes_: int) -> SSAValue:
        """A memref of `ty` there; launches give as many bytes more."""
        block = self.kernel.regions[0].block
        rw = Rewriter(block.first_op)
        rw.location = self.kernel.location
        base = self._base(rw)
        at = numbers.value(rw, numbers.add(rw, base[1], self.size))
        memory = rw.value("memref.view", [base[0], at], ty)
        self.size += -(-bytes_ // _ALIGNMENT) * _ALIGNMENT
        for launch in self.launches:
            _set_dynamic_size(launch, self.begin + _ALIGNMENT + self.size)
        return memory

    def _base(self, rw: Rewriter) -> tuple[SSAValue, SSAValue]:
        """The array, and the first offset in it that is aligned."""
        space = ods.enum("gpu.address_space", "workgroup")
        everything = rw.value(
            "gpu.dynamic_shared_memory", (), MemRefType(i8, [DYNAMIC_INDEX], memory_space=space)
        )
        start = rw.value("memref.extract_aligned_pointer_as_index", [everything], IndexType())
        first = numbers.add(rw, start, self.begin + _ALIGNMENT - 1)
        mask = numbers.value(rw, -_ALIGNMENT)
        aligned = rw.value("arith.andi", [numbers.value(rw, first), mask], IndexType())
        return everything, numbers.value(rw, numbers.sub(rw, aligned, start))


def _sizes(launch: Operation) -> list[int]:
    segments = cast("DenseArrayBase[IntegerType]", launch.properties[_SEGMENTS])
    return [int(n) for n in segments.get_values()]


def _dynamic_size(launch: Operation) -> SSAValue | None:
    group = cast("OdsOperation", launch).operand_group(_SIZE_GROUP)
    return group[0] if group else None


def _set_dynamic_size(launch: Operation, bytes_: int) -> None:
    sizes = _sizes(launch)
    at = sum(sizes[:_SIZE_GROUP])
    rw = Rewriter(launch)
    value = constant(rw, bytes_, i32)
    operands = list(launch.operands)
    operands[at : at + sizes[_SIZE_GROUP]] = [value]
    sizes[_SIZE_GROUP] = 1
    launch.operands = operands
    launch.properties[_SEGMENTS] = DenseArrayBase.from_list(i32, sizes)


# --- attributions --------------------------------------------------------------------------------
def alignment_of(buffer: BlockArgument) -> int:
    """What a kernel says of the alignment of an attribution; 1 where it says nothing."""
    stated = _entries(buffer)[_position(buffer)].data.get(ALIGN)
    return stated.value.data if isinstance(stated, IntegerAttr) else 1


def align(buffer: BlockArgument, bytes_: int) -> None:
    """Says of an attribution that it is aligned. A gpu.launch has no place for that: outlining
    takes it from an attribute of the same name."""
    entries = _entries(buffer)
    entry = dict(entries[_position(buffer)].data)
    entry[ALIGN] = IntegerAttr(max(alignment_of(buffer), bytes_), i64)
    entries[_position(buffer)] = DictionaryAttr(entry)
    _place(buffer)[BUFFER_ATTRIBUTES] = ArrayAttr(entries)


def erase_attribution(buffer: BlockArgument) -> None:
    """Takes an attribution that nobody uses from its kernel."""
    kernel = _kernel(buffer)
    entries = _entries(buffer)
    if BUFFER_ATTRIBUTES in _place(buffer):
        del entries[_position(buffer)]
        _place(buffer)[BUFFER_ATTRIBUTES] = ArrayAttr(entries)
    count = len(attributions(kernel)[0]) - 1
    kernel.attributes[WORKGROUP_COUNT] = IntegerAttr(count, i64)
    buffer.block.erase_arg(buffer)


def _kernel(buffer: BlockArgument) -> Operation:
    kernel = buffer.block.parent_op()
    assert kernel is not None
    return kernel


def _position(buffer: BlockArgument) -> int:
    return attributions(_kernel(buffer))[0].index(buffer)


def _place(buffer: BlockArgument) -> dict[str, object]:
    kernel = _kernel(buffer)
    place = kernel.properties if kernel.name == "gpu.func" else kernel.attributes
    return cast("dict[str, object]", place)


def _entries(buffer: BlockArgument) -> list[DictionaryAttr]:
    stated = _place(buffer).get(BUFFER_ATTRIBUTES)
    if isinstance(stated, ArrayAttr):
        return [cast("DictionaryAttr", entry) for entry in stated.data]
    return [DictionaryAttr({}) for _ in attributions(_kernel(buffer))[0]]
