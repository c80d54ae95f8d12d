# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`dense_resource<...>` as a dense attribute, which constants are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType

from xgpu.core.ir.elements import dense, from_raw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import DenseResourceAttr, TensorType
    from xdsl.ir import Attribute


class ResourceError(Exception):
    """A resource that cannot be the constant's value, in MLIR's words."""


def dense_of_resource(
    attr: DenseResourceAttr,
    scalar: Attribute,
    resources: Mapping[str, Mapping[str, Mapping[str, str]]] | None,
) -> DenseIntOrFPElementsAttr:
    """The elements of a blob; `scalar` is the innermost type of the constant."""
    bits = scalar.width.data if isinstance(scalar, IntegerType) else getattr(scalar, "bitwidth", 0)
    if bits not in (8, 16, 32, 64):
        raise ResourceError("no known conversion for innermost element type")
    blobs = ((resources or {}).get("dialect_resources") or {}).get("builtin") or {}
    text = blobs.get(attr.resource_handle.data)
    if text is None:
        raise ResourceError("resource does not exist")
    raw = bytes.fromhex(text[2:])[4:]
    kind = cast("VectorType | TensorType", attr.type)
    element = kind.element_type
    count = 1
    for length in kind.get_shape():
        count *= length
    if isinstance(element, VectorType):
        for length in element.get_shape():
            count *= length
        element = element.element_type
    if len(raw) // count * 8 != bits:
        raise ResourceError("raw data size does not match element type size")
    if kind.name not in ("tensor", "vector"):
        raise ResourceError("unsupported dense_resource type")
    data = from_raw(raw[: count * bits // 8], element, count)
    if data is None:
        raise ResourceError("raw data size does not match element type size")
    from xdsl.dialects.builtin import TensorType

    return dense(TensorType(element, [count]), data)
