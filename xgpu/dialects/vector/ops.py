# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every use of vectors asks: result types and names, effects, shapes, constant elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import make, wrapped
from xgpu.core.ir.construction import defining
from xgpu.core.ir.effects import Effect
from xgpu.core.ir.elements import dense, element_size, is_splat, pack, repeated, unpack
from xgpu.core.ir.floats import to_bits
from xgpu.dialects import vector
from xgpu.dialects.arith.builders import select
from xgpu.dialects.syntax_helpers import scalable_dims

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects.vector import KindAttr


# -- Result types that vector operations have from their operands and attributes.


def _to_elements(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("VectorType", operands[0].type)
    count = 1
    for size in source.get_shape():
        count *= size
    return [source.element_type] * count


def _shuffle(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    first = cast("VectorType", operands[0].type)
    shape = [
        len(cast("DenseArrayBase[IntegerType]", properties["mask"]).get_values()),
        *first.get_shape()[1:],
    ]
    return [VectorType(first.element_type, shape)]


def _multi_reduction(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("VectorType", operands[0].type)
    reduced = set(cast("DenseArrayBase[IntegerType]", properties["reduction_dims"]).get_values())
    dims = scalable_dims(source)
    kept = [i for i in range(len(dims)) if i not in reduced]
    if not kept:
        return [source.element_type]
    shape = source.get_shape()
    return [vector_type(source.element_type, [shape[i] for i in kept], [dims[i] for i in kept])]


def _extract(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("VectorType", operands[0].type)
    count = len(cast("DenseArrayBase[IntegerType]", properties["static_position"]).get_values())
    shape = source.get_shape()
    if count == len(shape):
        return [source.element_type]
    return [vector_type(source.element_type, shape[count:], scalable_dims(source)[count:])]


def vector_type(element: Attribute, shape: Sequence[int], scalable: Sequence[bool]) -> VectorType:
    """A vector type with some scalable dimensions."""
    flags = ArrayAttr([BoolAttr.from_bool(flag) for flag in scalable])
    return VectorType(element, list(shape), flags)  # pyright: ignore[reportArgumentType]


def _extract_compatible(inferred: list[Attribute], given: list[Attribute]) -> bool:
    """A scalar and a vector of one element stand for one another."""
    return len(given) == 1 and (
        _holds_one(inferred[0], given[0]) or _holds_one(given[0], inferred[0])
    )


def _holds_one(vector: Attribute, element: Attribute) -> bool:
    return (
        isinstance(vector, VectorType)
        and tuple(vector.get_shape()) == (1,)
        and not any(scalable_dims(vector))
        and vector.element_type == element
    )


INFER = {
    "vector.to_elements": _to_elements,
    "vector.shuffle": _shuffle,
    "vector.multi_reduction": _multi_reduction,
    "vector.extract": _extract,
}

#: Result types that an operation may have in place of those that are inferred.
COMPATIBLE = {"vector.extract": _extract_compatible}


# -- Names that MLIR suggests for results of vector operations.


def _vscale(op: Operation) -> list[str | None]:
    return ["vscale"]


NAMES = {"vector.vscale": _vscale}


# -- Memory effects of vector transfers: those of memrefs have some, those of tensors none.


def _transfer(kind: str, place: int) -> Callable[[Operation], list[Effect]]:
    def effects(op: Operation) -> list[Effect]:
        base = op.operands[place]
        if isinstance(base.type, MemRefType | UnrankedMemRefType):
            return [Effect(kind, base)]
        return []

    return effects


EFFECTS: dict[str, Callable[[Operation], list[Effect]]] = {
    "vector.transfer_read": _transfer("read", 0),
    "vector.transfer_write": _transfer("write", 1),
}


# -- What folds and patterns ask of vectors: their shapes, where elements lie, how they came to be.


#: A static position, offset or mask entry of which nothing is known: any element will do.
POISON_INDEX = -1


def is_vector(kind: Attribute) -> bool:
    return kind.name == "vector"


def shape(kind: Attribute) -> tuple[int, ...]:
    """The sizes of a vector type; none of a scalar's."""
    return cast("VectorType", kind).get_shape() if kind.name == "vector" else ()


def rank(value: SSAValue) -> int:
    return len(shape(value.type))


def count(kind: Attribute) -> int:
    """The number of elements, for a scalable vector of the least there are."""
    return prod(shape(kind))


def is_scalable(kind: Attribute) -> bool:
    return kind.name == "vector" and any(scalable_dims(cast("VectorType", kind)))


def place(position: Sequence[int], sizes: Sequence[int]) -> int:
    """How many elements come before those at `position`, whose trailing dimensions may be left
    out."""
    at = 0
    for i, size in enumerate(sizes):
        at = at * size + (position[i] if i < len(position) else 0)
    return at


def position_of(at: int, sizes: Sequence[int]) -> list[int]:
    """The position of element `at`."""
    found: list[int] = []
    for size in reversed(sizes):
        at, here = divmod(at, size)
        found.append(here)
    return found[::-1]


def integers(attr: ArrayAttr[IntegerAttr]) -> list[int]:
    """The numbers of an array of integer attributes."""
    return [item.value.data for item in attr.data]


def static_position(op: vector.ExtractOp | vector.InsertOp) -> list[int] | None:
    """Where an extract or insert reads or writes, if all of it is a number."""
    static = list(op.static_position.get_values())
    return None if DYNAMIC_INDEX in static else static


def mixed_position(op: vector.ExtractOp | vector.InsertOp) -> list[int | SSAValue]:
    """Where an extract or insert reads or writes, by numbers and values."""
    values = iter(op.dynamic_position)
    static = op.properties["static_position"].get_values()
    return [next(values) if n == DYNAMIC_INDEX else n for n in static]


def is_broadcastable(source: Attribute, result: VectorType) -> bool:
    """Whether `vector.broadcast` takes one type to the other."""
    if not is_vector(source):
        return source == result.element_type
    if cast("VectorType", source).element_type != result.element_type:
        return False
    sizes, targets = shape(source), shape(result)
    lead = len(targets) - len(sizes)
    if lead < 0:
        return False
    flags, target_flags = scalable_dims(source), scalable_dims(result)[lead:]
    dims = zip(sizes, flags, targets[lead:], target_flags, strict=True)
    for size, flag, target, target_flag in dims:
        if size not in (1, target) or (flag and size != target):
            return False
        if flag != target_flag and (flag or size != 1):
            return False
    return True


def broadcast_like(value: SSAValue) -> Operation | None:
    """The operation that makes `value` by repeating its operand as it is, or None: a broadcast, or
    a cast that adds leading dimensions."""
    op = cast("vector.BroadcastOp | None", defining(value, "vector.broadcast", "vector.shape_cast"))
    if op is None or op.name == "vector.broadcast":
        return op
    inner, outer = shape(op.operands[0].type), shape(value.type)
    lead = len(outer) - len(inner)
    return op if lead >= 0 and outer[lead:] == inner else None


def splat_source(value: SSAValue) -> SSAValue | None:
    """The scalar that a broadcast repeats, or None if `value` is no broadcast of a scalar."""
    broadcast = defining(value, "vector.broadcast")
    if broadcast is None or is_vector(broadcast.operands[0].type):
        return None
    return broadcast.operands[0]


# -- Constant vectors, element by element.


def splat_element(attr: Attribute | None) -> bytes | None:
    """The element, as bytes, that all of a constant vector are, or None."""
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return None
    size = element_size(attr.get_element_type())
    data: bytes = attr.data.data
    return data[:size] if is_splat(data, size) else None


def elements_of(attr: Attribute | None) -> list[bytes] | None:
    """The elements of a constant vector, each as bytes; None if it is none."""
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return None
    size = element_size(attr.get_element_type())
    data: bytes = attr.data.data
    if is_splat(data, size):
        return [data[:size]] * count(attr.type)
    return [data[at : at + size] for at in range(0, len(data), size)]


def filled(kind: Attribute, element: bytes) -> Attribute | None:
    """The constant of type `kind` whose elements are all `element`; of a scalable vector too."""
    return dense(kind, repeated(element, count(kind))) if is_vector(kind) else scalar(kind, element)


def vector_of(kind: Attribute, elements: Iterable[bytes]) -> Attribute:
    """The constant vector of these elements."""
    return dense(kind, b"".join(elements))


def scalar(kind: Attribute, element: bytes) -> Attribute | None:
    """The scalar constant; None where none is written as one attribute with a type."""
    value = unpack(element, kind)[0]
    return None if isinstance(kind, ComplexType) else make(kind, value)


def element_of(attr: Attribute | None, kind: Attribute) -> bytes | None:
    """A scalar constant as an element of a vector of `kind`; None if it is none. Integers of
    another width and floats of the same, as the llvm dialect has them, are so by their bits."""
    if isinstance(attr, IntegerAttr) and isinstance(kind, IntegerType | IndexType):
        return pack([wrapped(attr.value.data, kind)], kind)
    if isinstance(attr, FloatAttr) and attr.type == kind:
        return pack([attr.value.data], kind)
    if isinstance(attr, FloatAttr) and isinstance(kind, IntegerType):
        return pack([wrapped(to_bits(attr.value.data, attr.type), kind)], kind)
    if isinstance(attr, ArrayAttr) and isinstance(kind, ComplexType):
        return pack([tuple(part.value.data for part in attr.data)], kind)  # pyright: ignore
    return None


# -- What `#vector.kind` says, as operations of arith.


#: Kinds as operations on integers and on floats.
COMBINING = {
    "add": ("addi", "addf"),
    "mul": ("muli", "mulf"),
    "minui": ("minui", None),
    "minsi": ("minsi", None),
    "minnumf": (None, "minnumf"),
    "maxui": ("maxui", None),
    "maxsi": ("maxsi", None),
    "maxnumf": (None, "maxnumf"),
    "and": ("andi", None),
    "or": ("ori", None),
    "xor": ("xori", None),
    "minimumf": (None, "minimumf"),
    "maximumf": (None, "maximumf"),
}


def is_integer(ty: Attribute) -> bool:
    element = ty.element_type if isinstance(ty, VectorType) else ty
    return isinstance(element, IntegerType | IndexType)


def combine(
    rw: GreedyRewriter,
    kind: Attribute,
    left: SSAValue,
    right: SSAValue,
    fast: Mapping[str, Attribute] | None = None,
) -> SSAValue:
    """Two values combined as a `#vector.kind` says; they have the same type. `fast` are properties
    of operations on floats."""
    integer, floating = COMBINING[cast("KindAttr", kind).data]
    if is_integer(left.type):
        return rw.value(f"arith.{integer}", (left, right), left.type)
    return rw.value(f"arith.{floating}", (left, right), left.type, fast)


def chosen(
    rw: GreedyRewriter, mask: SSAValue | None, value: SSAValue, otherwise: SSAValue
) -> SSAValue:
    """`value` where there is no mask or where it is set."""
    if mask is None:
        return value
    return select(rw, mask, value, otherwise)
