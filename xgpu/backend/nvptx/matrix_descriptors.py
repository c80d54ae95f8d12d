# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a matrix begins, in its descriptor, as a sum of what a loop changes and what it does not.

A descriptor has the address in units of 16 bytes, as bits 4 to 17 of it (PTX ISA, matrix
descriptors). MLIR takes these bits of the whole address: with a stage of a buffer that is another
one in each iteration, all of it is done anew. Where the distance from the buffer's begin is a
multiple of 16 bytes the units of both add up,

    (address + 16 n) bits 4..17  =  address bits 4..17 + n

for addresses of shared memory are below 2^18: no bit above comes from the sum. The units of the
begin do not change then, and what is left is one addition.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.llvm.builders import binary, constant
from xgpu.dialects.llvm.types import LLVMPointerType

_SHARED, _UNIT = 3, 16
#: By how much an address is moved up, and down again, to have the bits 4 to 17 alone.
_UP, _DOWN = 46, 50


def split_addresses(kernel: Operation) -> None:
    """Changes the descriptors of matrices in `kernel`, in the llvm dialect."""
    for op in list(kernel.walk()):
        if op.name == "llvm.lshr":
            _split(op)


def _split(op: Operation) -> None:
    up = _shifted(op, "llvm.lshr", _DOWN)
    number = None if up is None else _shifted(up, "llvm.shl", _UP)
    place = None if number is None else defining(number, "llvm.ptrtoint")
    view = None if place is None else defining(place.operands[0], "llvm.getelementptr")
    if view is None or len(view.operands) != 2:
        return
    size = _bytes(view)
    scaled = defining(view.operands[1], "llvm.mul")
    if size is None or scaled is None or view.operands[0].type != LLVMPointerType(_SHARED):
        return
    factor = int_of(scaled.operands[1])
    if factor is None or factor * size % _UNIT:
        return
    rw = Rewriter(op)
    begin = rw.value("llvm.ptrtoint", [view.operands[0]], i64)
    begin = binary(rw, "shl", begin, constant(rw, _UP, i64), 0)
    begin = binary(rw, "lshr", begin, constant(rw, _DOWN, i64), None)
    # In 32 bits: what is above stays apart, and no carry is looked for.
    low, which = (rw.value("llvm.trunc", [value], i32) for value in (begin, scaled.operands[0]))
    distance = binary(rw, "mul", which, constant(rw, factor * size // _UNIT, i32), 0)
    rw.replace(op, [rw.value("llvm.zext", [binary(rw, "add", low, distance, 0)], i64)])


def _shifted(source: Operation | SSAValue, name: str, bits: int) -> SSAValue | None:
    """What `source` shifts by so many bits, as a value of 64 bits."""
    op = source if isinstance(source, Operation) else defining(source, name)
    if op is None or op.results[0].type != i64 or int_of(op.operands[1]) != bits:
        return None
    return op.operands[0]


def _bytes(view: Operation) -> int | None:
    """The size of what a pointer is moved by the one index of `view`: of a scalar, or None."""
    width = getattr(view.properties.get("elem_type"), "bitwidth", None)
    return width // 8 if isinstance(width, int) and width % 8 == 0 else None
