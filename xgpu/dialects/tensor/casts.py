# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looking through `tensor.cast`, where what uses it may have more static sizes as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, OpResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter


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
    """Whether `target` is a ranked tensor like `source` that knows each size that this knows."""
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


def made_by(value: SSAValue, name: str) -> Operation | None:
    """The operation `name` that defines `value`, or None."""
    if value.__class__ is not OpResult:
        return None
    owner = value.owner
    return owner if isinstance(owner, Operation) and owner.name == name else None


def uncast(value: SSAValue) -> SSAValue | None:
    """What `value` is a cast of, if the cast forgets sizes or nothing."""
    inner = made_by(value, "tensor.cast")
    if inner is None:
        return None
    source: SSAValue = inner.operands[0]
    return source if keeps_sizes(value.type, source.type) else None


def cast_to(rw: GreedyRewriter, value: SSAValue, kind: Attribute) -> SSAValue:
    """`value` as a tensor of type `kind`."""
    return value if value.type == kind else rw.value("tensor.cast", (value,), kind)
