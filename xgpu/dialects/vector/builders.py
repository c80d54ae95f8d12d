# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the patterns of this package build, and ask of types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import poison as poison_attribute
from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.syntax_helpers import scalable_dims

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.greedy import Pattern


def start(op: Operation, rw: Rewriter) -> None:
    """From here on, build before `op` with its location."""
    rw.before(op)
    rw.location = op.location


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The sizes of a vector; of a scalar none."""
    ty = value.type
    return tuple(ty.get_shape()) if isinstance(ty, VectorType) else ()


def is_scalable(ty: Attribute) -> bool:
    return any(scalable_dims(ty))


def zero_attribute(ty: Attribute) -> Attribute:
    """Zero, for a vector in every place."""
    if isinstance(ty, VectorType):
        number = 0.0 if isinstance(ty.element_type, AnyFloat) else 0
        return dense_of(ty, [number])  # pyright: ignore
    return FloatAttr(0.0, ty) if isinstance(ty, AnyFloat) else IntegerAttr(0, ty)  # pyright: ignore


def zeros(rw: Rewriter, ty: Attribute) -> SSAValue:
    return attribute_constant(rw, zero_attribute(ty), ty)


def poison(rw: Rewriter, ty: Attribute) -> SSAValue:
    return rw.value("ub.poison", (), ty, {"value": poison_attribute()})


def positions(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All positions within `shape`, the last dimension first."""
    return product(*(range(extent) for extent in shape))


def leading_positions(ty: VectorType, kept: int) -> list[tuple[int, ...]] | None:
    """Positions of the leading dimensions to unroll so that `kept` are left; unrolling stops before
    a scalable dimension. None if there is nothing to unroll."""
    count = len(ty.get_shape()) - kept
    flags = scalable_dims(ty)[: max(count, 0)]
    if True in flags:
        count = list(flags).index(True)
    if count <= 0:
        return None
    return list(positions(ty.get_shape()[:count]))


def merge(*tables: Mapping[str, Sequence[Pattern]]) -> dict[str, tuple[Pattern, ...]]:
    """One table of patterns; those of earlier tables come first."""
    result: dict[str, tuple[Pattern, ...]] = {}
    for table in tables:
        for name, patterns in table.items():
            result[name] = (*result.get(name, ()), *patterns)
    return result


def masking_op(op: Operation) -> Operation | None:
    """The vector.mask around `op`, or None."""
    parent = op.parent_op()
    return parent if parent is not None and parent.name == "vector.mask" else None


def masked(
    rw: Rewriter,
    mask: SSAValue | None,
    name: str,
    operands: Sequence[SSAValue],
    ty: Attribute,
    properties: Mapping[str, Attribute],
) -> SSAValue:
    """An operation of one result, in a vector.mask if there is a mask."""
    if mask is None:
        return rw.value(name, operands, ty, properties)
    inner = ods.create(name, operands, (ty,), properties, location=rw.location)
    end = ods.create("vector.yield", inner.results, location=rw.location)
    region = Region(Block([inner, end]))
    return rw.create("vector.mask", [mask], (ty,), regions=(region,)).results[0]
