# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subviews that a structured operation works on become buffers of their own.

    %a = memref.subview %m[..] [4, 8] [1, 1]
    linalg.matmul ins(%a, ..)
    =>
    %buffer = memref.alloc() : memref<128xi8>
    %view = memref.view %buffer[%c0][%c4, %c8] : memref<128xi8> to memref<?x?xf32>
    %part = memref.subview %view[0, 0] [%c4, %c8] [1, 1]
    linalg.copy ins(%a) outs(%part)
    linalg.matmul ins(%part, ..)
    memref.dealloc %buffer

A buffer is as large as the subview can be; with full tiles the operation works on all of it, which
is filled with zeros before. Source: MLIR 22.1 Promotion.cpp.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ComplexType,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    VectorType,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.analysis.bounds import ValueBounds
from xgpu.core import ods
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import element_size
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.bodies import build_region
from xgpu.dialects.memref.verify_views import infer_subview
from xgpu.dialects.reshapes import kept_dimensions
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.builders import zeros
from xgpu.transforms.linalg.decompose_aggregates import create_fill
from xgpu.transforms.linalg.vectorization.vectors import size_at

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation

_INDEX = IndexType()


@dataclass
class PromotionOptions:
    """What is promoted, and where to."""

    #: Numbers of operands; None: all that are subviews.
    operands: Collection[int] | None = None
    #: For each operand whether the operation works on the whole buffer.
    full_tiles: Sequence[bool] = field(default_factory=list[bool])
    full_by_default: bool = False
    #: The buffer has the size of the subview, known or not.
    original_size: bool = False
    alloca: bool = False
    alignment: int | None = None
    memory_space: Attribute | None = None
    #: Of a GPU: "workgroup" or "private".
    gpu_space: str | None = None


class _Buffer:
    """The buffer of one subview: all of it, and the part that stands for the subview."""

    def __init__(self, whole: SSAValue, part: SSAValue, memory: SSAValue) -> None:
        self.whole, self.part, self.memory = whole, part, memory


def promoted_operands(op: Operation, options: PromotionOptions) -> list[int]:
    """The numbers of the operands that are subviews and to be promoted."""
    wanted = options.operands
    return [
        number
        for number, value in enumerate(op.operands)
        if (wanted is None or number in wanted) and defining(value, "memref.subview") is not None
    ]


def promote(rw: Rewriter, op: Operation, options: PromotionOptions) -> bool:
    """Promotes the operands of `op` in place; False if a buffer cannot be made."""
    rw.before(op)
    rw.location = op.location
    numbers = promoted_operands(op, options)
    full = list(options.full_tiles)
    full += [options.full_by_default] * (len(op.operands) - len(full))
    buffers: dict[int, _Buffer] = {}
    for number in numbers:
        buffer = _promote_subview(rw, op.operands[number], options)
        if buffer is None:
            return False
        buffers[number] = buffer
        if full[number]:
            create_fill(rw, _zero(rw, ops.scalar_type(buffer.whole)), buffer.whole)
    first_output = len(ops.inputs(op))
    for number, buffer in buffers.items():
        if _is_read(op, number):
            _copy(rw, op.operands[number], buffer.part, options)
    back: list[tuple[SSAValue, SSAValue]] = []
    for number, buffer in buffers.items():
        if number >= first_output:
            back.append((buffer.part, op.operands[number]))
        op.operands[number] = buffer.whole if full[number] else buffer.part
    rw.after(op)
    for part, original in back:
        _copy(rw, part, original, options)
    if not options.alloca and options.gpu_space is None:
        for buffer in buffers.values():
            with rw.located(location_of(buffer.memory)):
                rw.create("memref.dealloc", [buffer.memory])
    return True


def _zero(rw: Rewriter, element: Attribute) -> SSAValue:
    if not isinstance(element, ComplexType):
        return zeros(rw, element)
    part = zeros(rw, element.element_type)
    return rw.value("complex.create", [part, part], element)


def _is_read(op: Operation, number: int) -> bool:
    """Whether the body uses the operand; what is known of linalg.generic alone."""
    return op.name != "linalg.generic" or op.regions[0].blocks[0].args[number].first_use is not None


def _copy(rw: Rewriter, source: SSAValue, dest: SSAValue, options: PromotionOptions) -> None:
    if options.gpu_space is None:
        region = build_region("linalg.copy", [source, dest], {}, 1, rw.location)
        rw.create("linalg.copy", [[source], [dest]], (), regions=[region])
        return
    with rw.located(location_of(source)):
        if options.gpu_space == "workgroup":
            rw.create("gpu.barrier")
        rw.create("memref.copy", [source, dest])
        if options.gpu_space == "workgroup":
            rw.create("gpu.barrier")


def _promote_subview(rw: Rewriter, value: SSAValue, options: PromotionOptions) -> _Buffer | None:
    view = defining(value, "memref.subview")
    assert view is not None
    sizes = _sizes(view)
    kept = kept_dimensions(sizes, ops.shape_of(value) or ())
    whole_sizes: list[SSAValue] = []
    part_sizes: list[SSAValue] = []
    for position, dim in enumerate(kept):
        whole_sizes.append(as_value(rw, _bound(sizes[dim], options)))
        part_sizes.append(as_value(rw, _dimension(rw, value, position)))
    with rw.located(view.location):
        made = _allocate(rw, view, whole_sizes, options)
    if made is None:
        return None
    whole, memory = made
    rank = len(kept)
    kind = cast("MemRefType[Attribute]", whole.type)
    zero, one = [0] * rank, [1] * rank
    ty = infer_subview(kind, zero, [None] * rank, one)
    assert ty is not None
    properties: dict[str, Attribute] = {
        "static_offsets": DenseArrayBase.from_list(i64, zero),
        "static_sizes": DenseArrayBase.from_list(i64, [DYNAMIC] * rank),
        "static_strides": DenseArrayBase.from_list(i64, one),
    }
    part = rw.value("memref.subview", [[whole], [], part_sizes, []], ty, properties)
    return _Buffer(whole, part, memory)


def _sizes(view: Operation) -> list[Mixed]:
    static = cast("DenseArrayBase[IntegerType]", view.properties["static_sizes"]).get_values()
    dynamic = iter(cast("OdsOperation", view).operand_group(2))
    return [next(dynamic) if size == DYNAMIC else size for size in static]


def _bound(size: Mixed, options: PromotionOptions) -> Mixed:
    if isinstance(size, int) or options.original_size:
        return size
    bounds = ValueBounds()
    upper = bounds.upper(bounds.value(size))
    return size if upper is None else upper


def _dimension(rw: Rewriter, value: SSAValue, position: int) -> Mixed:
    """The size of a subview: what it was made with, if that is a value."""
    view = defining(value, "memref.subview")
    size = size_at(rw, value, position) if view is None else None
    if view is not None:
        sizes = _sizes(view)
        kept = kept_dimensions(sizes, ops.shape_of(value) or ())
        size = sizes[kept[position]]
    assert size is not None
    return size


def _allocate(
    rw: Rewriter, view: Operation, sizes: Sequence[SSAValue], options: PromotionOptions
) -> tuple[SSAValue, SSAValue] | None:
    """A buffer of these sizes, and the memory that it is a view of."""
    kind = cast("MemRefType[Attribute]", view.results[0].type)
    if options.gpu_space is not None:
        buffer = _allocate_on_gpu(rw, view, sizes, options.gpu_space)
        return None if buffer is None else (buffer, buffer)
    element = kind.element_type
    zero = as_value(rw, 0)
    count = as_value(rw, 1)
    for size in sizes:
        count = _product(rw, count, size)
    memory = _bytes(rw, _width(element), count, options)
    space = cast("MemRefType[Attribute]", memory.type).memory_space
    dynamic = MemRefType(element, [DYNAMIC] * len(sizes), NoneAttr(), space)
    whole = rw.value("memref.view", [memory, zero, *sizes], dynamic)
    return whole, memory


def _width(element: Attribute) -> int:
    """The bytes of an element in memory, as MLIR's default data layout has them."""
    if isinstance(element, IndexType):
        return 8
    if isinstance(element, VectorType):
        *outer, last = element.get_shape() or (1,)
        # Rows are padded to a power of two.
        return prod(outer) * _width(element.element_type) * (1 << (last - 1).bit_length())
    return element_size(element)


def _product(rw: Rewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    known = int_of(left), int_of(right)
    if known[0] is not None and known[1] is not None:
        return as_value(rw, known[0] * known[1])
    if known[0] == 1:
        return right
    if known[1] == 1:
        return left
    return rw.value("arith.muli", [left, right], _INDEX)


def _bytes(rw: Rewriter, width: int, count: SSAValue, options: PromotionOptions) -> SSAValue:
    properties: dict[str, Attribute] = {}
    if options.alignment is not None:
        properties["alignment"] = IntegerAttr(options.alignment, i64)
    name = "memref.alloca" if options.alloca else "memref.alloc"
    space = options.memory_space or NoneAttr()
    known = int_of(count)
    size = DYNAMIC if known is None else known * width
    operands = [] if known is not None else [_product(rw, count, as_value(rw, width))]
    ty = MemRefType(i8, [size], NoneAttr(), space)
    return rw.value(name, [operands, []], ty, properties)


def _allocate_on_gpu(
    rw: Rewriter, view: Operation, sizes: Sequence[SSAValue], space: str
) -> SSAValue | None:
    """A buffer of a known size at the start of the function."""
    kind = cast("MemRefType[Attribute]", view.results[0].type)
    known = [int_of(size) for size in sizes]
    function = view.parent_op()
    while function is not None and function.name != "func.func":
        function = function.parent_op()
    if function is None or None in known:
        return None
    shape = [size for size in known if size is not None]
    ty = MemRefType(kind.element_type, shape, NoneAttr(), ods.enum("gpu.address_space", space))
    place = rw.anchor, rw.block, rw.location
    entry: Block = function.regions[0].blocks[0]
    rw.at_start(entry)
    rw.location = function.location
    name = "memref.alloc" if space == "workgroup" else "memref.alloca"
    buffer = rw.value(name, [[], []], ty)
    rw.anchor, rw.block, rw.location = place
    return buffer
