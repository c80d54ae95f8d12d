# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looking through `tensor.cast`, where what uses it may have more static sizes as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from xgpu.core import ods
from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ods.trait_checks import TRAIT, destinations

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def shape_of(value: SSAValue) -> list[int]:
    """The sizes of a ranked tensor."""
    kind = value.type
    assert isinstance(kind, TensorType)
    return list(kind.get_shape())


def with_shape(kind: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """A tensor type of another shape, encoding and all."""
    assert isinstance(kind, TensorType)
    return TensorType(kind.element_type, shape, kind.encoding)


def is_static(kind: Attribute) -> bool:
    """Whether a type is that of a ranked tensor of known sizes."""
    return isinstance(kind, TensorType) and DYNAMIC_INDEX not in kind.get_shape()


def keeps_sizes(source: Attribute, target: Attribute) -> bool:
    """Whether `target` is a ranked tensor like `source` that has each static size that this has."""
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return False
    before, after = source.get_shape(), target.get_shape()
    return (
        source.element_type == target.element_type
        and len(before) == len(after)
        and source.encoding == target.encoding
        and not any(
            a != DYNAMIC_INDEX and b == DYNAMIC_INDEX for a, b in zip(before, after, strict=True)
        )
    )


def may_be_cast(source: Attribute, target: Attribute) -> bool:
    """Whether a ranked tensor may be cast to another."""
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return False
    before, after = source.get_shape(), target.get_shape()
    return (
        source.element_type == target.element_type
        and len(before) == len(after)
        and all(a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(before, after, strict=True))
    )


def uncast(value: SSAValue) -> SSAValue | None:
    """What `value` is a cast of, if the cast forgets sizes or nothing."""
    inner = defining(value, "tensor.cast")
    if inner is None:
        return None
    source: SSAValue = inner.operands[0]
    return source if keeps_sizes(value.type, source.type) else None


def cast_to(rw: GreedyRewriter, value: SSAValue, kind: Attribute) -> SSAValue:
    """`value` as a tensor of type `kind`."""
    return value if value.type == kind else rw.value("tensor.cast", (value,), kind)


# -- Operations that write their results over operands: MLIR's DestinationStyleOpInterface.
#
#     %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
#     %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
#     =>
#     %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
#     %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>


#: What looks through casts by itself, or has patterns of its own.
_OTHERWISE = frozenset({"tensor.insert_slice", "linalg.pack", "linalg.unpack", "scf.forall"})


def destination_of(value: SSAValue) -> SSAValue | None:
    """What the operation that gives `value` writes it over."""
    if value.__class__ is not OpResult:
        return None
    op: OdsOperation = value.owner  # pyright: ignore[reportAssignmentType]
    if TRAIT not in traits_of(op.name):
        return None
    places = destinations(op)
    at = value.index  # pyright: ignore[reportAttributeAccessIssue]
    return op.operands[places[at]] if at < len(places) else None


def take_casts_in(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """What is given casts that forget sizes takes what they are casts of; its results then know
    these sizes, too."""
    if op.name in _OTHERWISE:
        return False
    operands: list[SSAValue] = [_uncast(value) for value in op.operands]
    if all(new is old for new, old in zip(operands, op.operands, strict=True)):
        return False
    kinds = _result_types(op, operands)
    regions = [op.detach_region(0) for _ in op.regions]
    new = ods.create(
        op.name, operands, kinds, dict(op.properties), dict(op.attributes), regions, (), op.location
    )
    if not _is_valid(new):
        # Sizes that contradict each other: this may never run, but it has to stay valid.
        for _ in regions:
            op.add_region(new.detach_region(0))
        new.erase()
        return False
    rw.insert(new)
    old_types = [result.type for result in op.results]
    rw.replace(
        op, [cast_to(rw, result, ty) for result, ty in zip(new.results, old_types, strict=True)]
    )
    return True


def _uncast(value: SSAValue) -> SSAValue:
    if value.__class__ is not OpResult or value.owner.name != "tensor.cast":  # pyright: ignore
        return value
    found = uncast(value)
    return value if found is None else found


def _result_types(op: OdsOperation, operands: list[SSAValue]) -> list[Attribute]:
    """The results have the types of what they are written over."""
    kinds = [result.type for result in op.results]
    at = 0
    for place in destinations(op):
        kind = operands[place].type
        if at < len(kinds) and not isinstance(kind, MemRefType):
            kinds[at] = kind
            at += 1
    return kinds


def _is_valid(op: Operation) -> bool:
    try:
        op.verify(verify_nested_ops=False)
    except (DiagnosticError, VerifyException):
        return False
    return True


#: Of every operation with the trait, before its own.
DESTINATION_PATTERNS: dict[str, tuple[Pattern, ...]] = {TRAIT: (take_casts_in,)}
