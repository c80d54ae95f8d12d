# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading `memref<...>`, `tensor<...>`, `vector<...>`, `complex<...>`, `tuple<...>`.

Each function is called with the cursor after the word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    BuiltinAttribute,
    ComplexType,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefLayoutAttr,
    MemRefType,
    NoneAttr,
    NoneType,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, TypeAttribute

from xgpu.core.ir.affine import is_identity

if TYPE_CHECKING:
    from xgpu.core.syntax.parser_base import ParserBase


def _memref(parser: ParserBase) -> TypeAttribute:
    start = parser._starts[parser._at - 1]
    parser.parse_punctuation("<", " in memref type")
    unranked = parser._texts[parser._at] == "*"
    dimensions: list[int] = []
    if unranked:
        parser._at += 1
        parser.parse_shape_delimiter()
    else:
        dimensions = parser._parse_dimensions()
    position = parser.pos
    element = parser.parse_type()
    if not _is_memref_element(element):
        raise parser.error_at(position, "invalid memref element type")
    layout: Attribute = NoneAttr()
    space: Attribute = NoneAttr()
    if parser._texts[parser._at] != ">":
        parser.parse_punctuation(",", " or '>' in memref type")
        while True:
            attribute = parser.parse_attribute()
            if isinstance(attribute, MemRefLayoutAttr):
                layout = attribute
                if unranked:
                    parser.fail("cannot have affine map for unranked memref type")
                if not isinstance(space, NoneAttr):
                    parser.fail("expected memory space to be last in memref type")
            elif not isinstance(space, NoneAttr):
                parser.fail("multiple memory spaces specified in memref type")
            else:
                space = attribute
            if parser._texts[parser._at] != ",":
                break
            parser._at += 1
        if parser._texts[parser._at] != ">":
            parser.expected("expected ',' or '>'")
    parser.parse_punctuation(">", "")
    _check_layout(parser, layout, dimensions, start)
    _check_space(parser, space, start)
    space = _canonical_space(space)
    if unranked:
        return UnrankedMemRefType(element, space)
    made = _canonical_layout(layout, dimensions)
    return MemRefType(element, dimensions, made, space)  # pyright: ignore[reportArgumentType]


def _canonical_space(space: Attribute) -> Attribute:
    """MLIR drops the default memory space, the integer 0."""
    if isinstance(space, IntegerAttr) and space.value.data == 0:
        return NoneAttr()
    return space


def _canonical_layout(layout: Attribute, dimensions: list[int]) -> Attribute:
    """MLIR prints no layout that is the identity map."""
    if isinstance(layout, AffineMapAttr) and is_identity(layout.data):
        return NoneAttr()
    return layout


def _check_space(parser: ParserBase, space: Attribute, start: int) -> None:
    from xgpu.core.syntax.builtin_attributes import DialectAttr

    # An attribute of a dialect that is unknown here may be a memory space there.
    known = NoneAttr | IntegerAttr | StringAttr | DictionaryAttr | DialectAttr
    if isinstance(space, BuiltinAttribute) and not isinstance(space, known):
        raise parser.error_at(start, "unsupported memory space Attribute")


def _check_layout(parser: ParserBase, layout: Attribute, dimensions: list[int], start: int) -> None:
    if isinstance(layout, AffineMapAttr):
        rank = layout.data.num_dims
    elif isinstance(layout, StridedLayoutAttr):
        rank = len(layout.strides)
        if rank != len(dimensions):
            raise parser.error_at(start, "expected the number of strides to match the rank")
    else:
        return
    if rank != len(dimensions):
        raise parser.error_at(
            start,
            f"memref layout mismatch between rank and affine map: {len(dimensions)} != {rank}",
        )


#: Types of dialects that are floats or implement MLIR's MemRefElementTypeInterface.
_MEMREF_ELEMENTS = {"llvm.ppc_fp128", "ptr.ptr"}
#: Those that implement its VectorElementTypeInterface.
_VECTOR_ELEMENTS = frozenset(("llvm.ppc_fp128", "llvm.ptr", "ptr.ptr"))


def register_memref_element(name: str) -> None:
    """States that memrefs may have elements of the type `name` (without `!`) of another project."""
    _MEMREF_ELEMENTS.add(name)


def _is_memref_element(ty: Attribute) -> bool:
    return ty.name in _MEMREF_ELEMENTS or isinstance(
        ty,
        IntegerType
        | IndexType
        | AnyFloat
        | ComplexType
        | VectorType
        | MemRefType
        | UnrankedMemRefType,
    )


def _tensor(parser: ParserBase) -> TypeAttribute:
    parser.parse_punctuation("<", " in tensor type")
    unranked = parser._texts[parser._at] == "*"
    dimensions: list[int] = []
    if unranked:
        parser._at += 1
        parser.parse_shape_delimiter()
    else:
        dimensions = parser._parse_dimensions()
    position = parser.pos
    element = parser.parse_type()
    encoding: Attribute = NoneAttr()
    if parser._texts[parser._at] == ",":
        parser._at += 1
        encoding = parser.parse_attribute()
    parser.parse_punctuation(">", " in tensor type")
    if isinstance(
        element,
        TensorType
        | UnrankedTensorType
        | TupleType
        | FunctionType
        | NoneType
        | MemRefType
        | UnrankedMemRefType,
    ):
        raise parser.error_at(position, "invalid tensor element type")
    if unranked:
        if not isinstance(encoding, NoneAttr):
            parser.fail("cannot apply encoding to unranked tensor")
        return UnrankedTensorType(element)
    return TensorType(element, dimensions, encoding)


def _vector(parser: ParserBase) -> TypeAttribute:
    start = parser._starts[parser._at - 1]
    parser.parse_punctuation("<", " in vector type")
    dimensions: list[int] = []
    scalable: list[bool] = []
    while True:
        text = parser._texts[parser._at]
        in_brackets = text == "["
        if in_brackets:
            parser._at += 1
        elif text[:1] not in tuple("0123456789") or "." in text:
            break
        if parser._texts[parser._at][:1] not in tuple("0123456789"):
            parser.fail("invalid dimension")
        dimensions.append(parser.parse_shape_dimension(allow_dynamic=False))
        scalable.append(in_brackets)
        if in_brackets and parser.parse_optional_punctuation("]") is None:
            parser.expected("missing ']' closing scalable dimension")
        parser.parse_shape_delimiter()
    if parser._texts[parser._at] == "?":
        parser.expected("expected non-function type")
    element = parser.parse_type()
    parser.parse_punctuation(">", " in vector type")
    if any(dimension <= 0 for dimension in dimensions):
        sizes = ", ".join(map(str, dimensions))
        raise parser.error_at(
            start, f"vector types must have positive constant sizes but got {sizes}"
        )
    if not _is_vector_element(element):
        raise parser.error_at(
            start,
            "failed to verify 'elementType': VectorElementTypeInterface instance",
        )
    return VectorType(element, dimensions, ArrayAttr([BoolAttr(s, i1) for s in scalable]))


def _is_vector_element(ty: Attribute) -> bool:
    return ty.name in _VECTOR_ELEMENTS or isinstance(ty, IntegerType | IndexType | AnyFloat)


def _complex(parser: ParserBase) -> TypeAttribute:
    parser.parse_punctuation("<", " in complex type")
    position = parser.pos
    element = parser.parse_type()
    parser.parse_punctuation(">", " in complex type")
    if not isinstance(element, IntegerType | AnyFloat):
        raise parser.error_at(position, "invalid element type for complex")
    return ComplexType(element)


def _tuple(parser: ParserBase) -> TypeAttribute:
    parser.parse_punctuation("<", " in tuple type")
    types: list[TypeAttribute] = []
    if parser.parse_optional_punctuation(">") is not None:
        return TupleType(ArrayAttr(types))
    while True:
        types.append(parser.parse_type())
        if parser.parse_optional_punctuation(",") is None:
            break
    parser.parse_punctuation(">", " in tuple type")
    return TupleType(ArrayAttr(types))


BRACKETED: dict[str, Callable[[ParserBase], TypeAttribute]] = {
    "memref": _memref,
    "tensor": _tensor,
    "vector": _vector,
    "complex": _complex,
    "tuple": _tuple,
}
