# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What discardable bufferization attributes demand of the operation that carries them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, StridedLayoutAttr, StringAttr, i1

from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

_ACCESSES = ("none", "read", "write", "read-write")


def verify_writable(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """Whether a function may write into an argument's buffer."""
    if not isinstance(value, IntegerAttr) or value.type != i1:
        raise error(op, f"'{name}' is expected to be a boolean attribute")
    if not op.regions or not op.regions[0].blocks:
        raise error(op, f"'{name}' is invalid on external functions")


def verify_access(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """What a function that is defined elsewhere does to an argument's buffer."""
    if not isinstance(value, StringAttr):
        raise error(op, f"'{name}' is expected to be a string attribute")
    if value.data not in _ACCESSES:
        raise error(op, f"invalid value for '{name}'")


def verify_buffer_layout(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """The layout of an argument's buffer."""
    if not isinstance(value, AffineMapAttr | StridedLayoutAttr):
        raise error(op, f"'{name}' is expected to be a memref layout attribute")


def refuse_argument(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    raise error(
        op,
        f"attribute '{name}' not supported as a region arg attribute by the bufferization dialect",
    )


def verify_manual_deallocation(op: Operation, name: str, value: Attribute) -> None:
    """The operation allocates or frees something itself; those inside of it do not count."""
    known = None if "RecursiveMemoryEffects" in traits_of(op.name) else effects(op)
    if known is None or not any(effect.kind in ("allocate", "free") for effect in known):
        raise op_error(
            op,
            f"attribute '{name}' can be used only on ops that have an allocation and/or free "
            "side effect",
        )


def refuse(op: Operation, name: str, value: Attribute) -> None:
    raise error(
        op,
        f"attribute '\"{name}\"' not supported as an op attribute by the bufferization dialect",
    )


VERIFY_ATTRIBUTES = {"bufferization.manual_deallocation": verify_manual_deallocation, "*": refuse}
VERIFY_ARGUMENT_ATTRIBUTES = {
    "bufferization.access": verify_access,
    "bufferization.buffer_layout": verify_buffer_layout,
    "bufferization.writable": verify_writable,
    "*": refuse_argument,
}
