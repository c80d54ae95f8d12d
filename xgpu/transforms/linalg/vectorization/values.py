# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a structured operation's body, and the vectors that stand for them."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, SSAValue

from xgpu.core.ir.constants import constant_of, splat_value
from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.vector.ops import is_broadcastable, shape
from xgpu.transforms.linalg.vectorization.masking import Space
from xgpu.transforms.linalg.vectorization.reductions import body_of
from xgpu.transforms.vector import transfers


def broadcast_to(space: Space, value: SSAValue, kind: VectorType) -> SSAValue:
    """`value` repeated to a vector of the type `kind`, if it can be and is not one already."""
    if value.type == kind or not shape(kind) or not is_broadcastable(value.type, kind):
        return value
    known = splat_value(constant_of(value))
    if known is not None:
        return attribute_constant(space.rw, dense_of(kind, [known]), kind)
    return transfers.broadcast(space.rw, value, kind)


def element_of(ty: Attribute) -> Attribute:
    return ty.element_type if isinstance(ty, VectorType) else ty


class Values:
    """What has become of the values of the body."""

    def __init__(self, space: Space) -> None:
        self.space, self.rw, self.op = space, space.rw, space.op
        self.block = body_of(space.op)
        self.values: dict[SSAValue, SSAValue] = {}

    def lookup(self, value: SSAValue) -> SSAValue:
        """What stands for `value`: itself if it comes from outside of the body."""
        return self.values.get(value, value)
