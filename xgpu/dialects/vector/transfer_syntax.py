# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The syntax of `vector.transfer_read` and `vector.transfer_write`.

Left out in the text: a permutation map that is the identity on the last dimensions, and `in_bounds`
where no dimension is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    MemRefType,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core import ods
from xgpu.dialects.syntax_helpers import (
    parse_attributes_without_sizes,
    print_attr_dict,
    print_operands,
    scalable_dims,
)
from xgpu.dialects.vector.infer import vector_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.vector import TransferReadOp, TransferWriteOp


def minor_identity(dims: int, results: int) -> AffineMap:
    """`(d0, .., dn) -> (the last dimensions)`"""
    return AffineMap(dims, 0, tuple(AffineDimExpr(d) for d in range(dims - results, dims)))


def is_minor_identity(affine_map: AffineMap) -> bool:
    """Whether a map gives its last dimensions, in order."""
    count = len(affine_map.results)
    return affine_map.num_dims >= count and affine_map == minor_identity(affine_map.num_dims, count)


def default_permutation(shaped: MemRefType | TensorType, vector: VectorType) -> AffineMap:
    """The permutation map of a transfer that states none."""
    rank = len(shaped.get_shape())
    element_rank = (
        len(shaped.element_type.shape) if isinstance(shaped.element_type, VectorType) else 0
    )
    if rank == 0 and tuple(vector.get_shape()) == (1,):
        return AffineMap(0, 0, (AffineConstantExpr(0),))
    return minor_identity(rank, len(vector.get_shape()) - element_rank)


def mask_type(vector: VectorType, permutation: AffineMap) -> VectorType:
    """The type of the mask of a transfer: the vector's shape in the order of the memory's
    dimensions, broadcast ones left out."""
    shape, dims = vector.get_shape(), scalable_dims(vector)
    at = sorted(
        (expr.position, place)
        for place, expr in enumerate(permutation.results)
        if isinstance(expr, AffineDimExpr)
    )
    places = [place for _, place in at]
    if not places:
        return VectorType(i1, [1])
    return vector_type(i1, [shape[p] for p in places], [dims[p] for p in places])


def _parse_types(
    parser: Parser,
) -> tuple[Attribute, Attribute]:
    position = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != 2:
        parser.raise_error("requires two types", position)
    return types[0], types[1]


def _complete(
    parser: Parser, attributes: dict[str, Attribute], shaped: Attribute, vector: Attribute
) -> AffineMap:
    """Adds the attributes that the text may leave out; the permutation map."""
    position = parser.pos
    if not isinstance(vector, VectorType):
        parser.raise_error("requires vector type", position)
    if not isinstance(shaped, MemRefType | TensorType):
        parser.raise_error("requires memref or ranked tensor type", position)
    given = cast("AffineMapAttr | None", attributes.get("permutation_map"))
    if given is None:
        sizes = shaped.get_shape(), tuple(vector.get_shape())
        one_of_none = not sizes[0] and sizes[1] == (1,)
        too_short = len(sizes[0]) < len(sizes[1]) and shaped.element_type.name != "vector"
        if too_short and not one_of_none:
            parser.raise_error(
                "expected a custom permutation_map when rank(source) != rank(destination)",
                position,
            )
        permutation = default_permutation(shaped, vector)
        attributes["permutation_map"] = AffineMapAttr(permutation)
    else:
        permutation = given.data
    if "in_bounds" not in attributes:
        flags = [BoolAttr.from_bool(False)] * len(permutation.results)
        attributes["in_bounds"] = ArrayAttr(flags)
    return permutation


def _mask(
    parser: Parser,
    mask: Operand | None,
    shaped: MemRefType | TensorType,
    vector: VectorType,
    permutation: AffineMap,
) -> SSAValue | None:
    if mask is None:
        return None
    if shaped.element_type.name == "vector":
        parser.raise_error("does not support masks with vector element type")
    if len(vector.get_shape()) != len(permutation.results):
        parser.raise_error(
            "expected the same rank for the vector and the results of the permutation map"
        )
    return parser.resolve_operand(mask, mask_type(vector, permutation))


def _indices(parser: Parser) -> list[Operand]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )


def parse_transfer_read(parser: Parser) -> Operation:
    """`%base[%i, ..], %padding (, %mask)? {attributes} : shaped, vector`"""
    base = parser.parse_unresolved_operand()
    indices = _indices(parser)
    parser.parse_punctuation(",")
    padding = parser.parse_unresolved_operand()
    mask = None
    if parser.parse_optional_punctuation(",") is not None:
        mask = parser.parse_unresolved_operand()
    attributes = parse_attributes_without_sizes(parser)
    parser.parse_punctuation(":")
    shaped, vector = _parse_types(parser)
    permutation = _complete(parser, attributes, shaped, vector)
    index = IndexType()
    operands = [
        parser.resolve_operand(base, shaped),
        [parser.resolve_operand(i, index) for i in indices],
        parser.resolve_operand(padding, cast("MemRefType | TensorType", shaped).element_type),
        _mask(
            parser,
            mask,
            cast("MemRefType | TensorType", shaped),
            cast("VectorType", vector),
            permutation,
        ),
    ]
    return ods.create("vector.transfer_read", operands, [vector], None, attributes)


def parse_transfer_write(parser: Parser) -> Operation:
    """`%vector, %base[%i, ..] (, %mask)? {attributes} : vector, shaped`"""
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    base = parser.parse_unresolved_operand()
    indices = _indices(parser)
    mask = None
    if parser.parse_optional_punctuation(",") is not None:
        mask = parser.parse_unresolved_operand()
    attributes = parse_attributes_without_sizes(parser)
    parser.parse_punctuation(":")
    vector, shaped = _parse_types(parser)
    permutation = _complete(parser, attributes, shaped, vector)
    index = IndexType()
    operands = [
        parser.resolve_operand(value, vector),
        parser.resolve_operand(base, shaped),
        [parser.resolve_operand(i, index) for i in indices],
        _mask(
            parser,
            mask,
            cast("MemRefType | TensorType", shaped),
            cast("VectorType", vector),
            permutation,
        ),
    ]
    results = [shaped] if shaped.name == "tensor" else []
    return ods.create("vector.transfer_write", operands, results, None, attributes)


def _print_attributes(printer: Printer, op: TransferReadOp | TransferWriteOp) -> None:
    elided = []
    if is_minor_identity(op.permutation_map.data):
        elided.append("permutation_map")
    if not any(flag.value.data for flag in op.in_bounds.data):
        elided.append("in_bounds")
    print_attr_dict(printer, op, elided)


def _print_access(printer: Printer, base: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(base)
    printer.print_string("[")
    print_operands(printer, indices)
    printer.print_string("]")


def print_transfer_read(op: TransferReadOp, printer: Printer) -> None:
    printer.print_string(" ")
    base = op.operand_group(0)[0]
    _print_access(printer, base, op.operand_group(1))
    for group in (2, 3):
        for value in op.operand_group(group):
            printer.print_string(", ")
            printer.print_ssa_value(value)
    _print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(base.type)
    printer.print_string(", ")
    printer.print_attribute(op.results[0].type)


def print_transfer_write(op: TransferWriteOp, printer: Printer) -> None:
    value, base = op.operand_group(0)[0], op.operand_group(1)[0]
    printer.print_string(" ")
    printer.print_ssa_value(value)
    printer.print_string(", ")
    _print_access(printer, base, op.operand_group(2))
    for mask in op.operand_group(3):
        printer.print_string(", ")
        printer.print_ssa_value(mask)
    _print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(value.type)
    printer.print_string(", ")
    printer.print_attribute(base.type)
