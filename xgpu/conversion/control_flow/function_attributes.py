# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which attributes of a function its llvm.func keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

if TYPE_CHECKING:
    pass

#: Attributes of func.func that are said in another way.
_NOT_KEPT = frozenset(("llvm.linkage", "llvm.readnone", "func.varargs"))


def kept_attributes(op: Operation) -> dict[str, Attribute]:
    """The discardable attributes that go along. Those that llvm.func has become its own."""
    return {name: value for name, value in op.attributes.items() if name not in _NOT_KEPT}
