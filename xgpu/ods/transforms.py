# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transforms of TypesMatchWith: ODS's C++ snippets, each with the Python function for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import builtin

from xgpu.ods.types import element_type_or_self, with_element_type

Transform = Callable[[Any], Any]


def _element(type: Any) -> Any:
    return type.element_type


def _i1_same_shape(type: Any) -> Any:
    return with_element_type(type, builtin.i1)


#: C++ text without `::mlir::`, `::llvm::` and white space.
_TRANSFORMS: dict[str, Transform] = {
    "$_self": lambda type: type,
    "getI1SameShape($_self)": _i1_same_shape,
    "getElementTypeOrSelf($_self)": element_type_or_self,
    "cast<MemRefType>($_self).getElementType()": _element,
}


def find_transform(text: str) -> Transform | None:
    """The function for the C++ expression `text` in `$_self`, or None."""
    return _TRANSFORMS.get(normalize(text))


def normalize(text: str) -> str:
    """The key of a snippet: no white space, no namespaces."""
    plain = "".join(text.split()).removesuffix(";")
    return plain.replace("::mlir::", "").replace("::llvm::", "").replace("llvm::", "")
