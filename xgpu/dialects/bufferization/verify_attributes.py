# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What discardable bufferization attributes demand of the operation that carries them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i1

from xgpu.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


def verify_writable(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """Whether a function may write into an argument's buffer."""
    if not isinstance(value, IntegerAttr) or value.type != i1:
        raise error(op, f"'{name}' is expected to be a boolean attribute")


VERIFY_ARGUMENT_ATTRIBUTES = {"bufferization.writable": verify_writable}
