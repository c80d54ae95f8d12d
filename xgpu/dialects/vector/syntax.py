# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IndexType,
    LocationAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnknownLoc,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core import ods
from xgpu.core.syntax.formats.reading import read_operands
from xgpu.dialects import vector
from xgpu.dialects.syntax_helpers import (
    parse_attributes_without_sizes,
    parse_optional_arrow_types,
    print_attr_dict,
    print_list,
    print_operands,
    scalable_dims,
)
from xgpu.dialects.vector.ops import vector_type

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.vector import TransferReadOp, TransferWriteOp


# -- The syntax of `vector.transfer_read` and `vector.transfer_write`.
#
# Left out in the text: a permutation map that is the identity on the last dimensions, and
# `in_bounds` where no dimension is.


def minor_identity(dims: int, results: int) -> AffineMap:
    """`(d0, .., dn) -> (the last dimensions)`"""
    return AffineMap(dims, 0, tuple(AffineDimExpr(d) for d in range(dims - results, dims)))


def is_minor_identity(affine_map: AffineMap) -> bool:
    """Whether a map gives its last dimensions, in order."""
    count = len(affine_map.results)
    return affine_map.num_dims >= count and affine_map == minor_identity(affine_map.num_dims, count)


def _transferred_rank(shaped: MemRefType | TensorType, vector: VectorType) -> int:
    """How many dimensions of the vector are dimensions of the memory."""
    element = shaped.element_type
    if not shaped.get_shape() and tuple(vector.get_shape()) == (1,):
        return 0
    element_rank = len(element.get_shape()) if isinstance(element, VectorType) else 0
    return len(vector.get_shape()) - element_rank


def default_permutation(shaped: MemRefType | TensorType, vector: VectorType) -> AffineMap:
    """The permutation map of a transfer that states none."""
    rank = len(shaped.get_shape())
    if rank == 0 and tuple(vector.get_shape()) == (1,):
        return AffineMap(0, 0, (AffineConstantExpr(0),))
    return minor_identity(rank, _transferred_rank(shaped, vector))


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


def _parse_types(parser: Parser) -> tuple[Attribute, Attribute, int]:
    """The two types behind the colon, and where they begin: errors about them are there."""
    position = parser.pos
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != 2:
        parser.raise_error("requires two types", position)
    return types[0], types[1], position


def _complete(
    parser: Parser,
    attributes: dict[str, Attribute],
    shaped: Attribute,
    vector: Attribute,
    position: int,
) -> AffineMap:
    """Adds the attributes that the text may leave out; the permutation map."""
    if not isinstance(vector, VectorType):
        parser.raise_error("requires vector type", position)
    if not isinstance(shaped, MemRefType | TensorType):
        parser.raise_error("requires memref or ranked tensor type", position)
    given = cast("AffineMapAttr | None", attributes.get("permutation_map"))
    if given is None:
        if len(shaped.get_shape()) < _transferred_rank(shaped, vector):
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
        parser.raise_error("does not support masks with vector element type", mask.position)
    if len(vector.get_shape()) != len(permutation.results):
        parser.raise_error(
            "expected the same rank for the vector and the results of the permutation map",
            mask.position,
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
    shaped, vector, position = _parse_types(parser)
    permutation = _complete(parser, attributes, shaped, vector, position)
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
    vector, shaped, position = _parse_types(parser)
    permutation = _complete(parser, attributes, shaped, vector, position)
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


# -- contract -----------------------------------------------------------------------------------

_CONTRACT_TRAITS = ("indexing_maps", "iterator_types", "kind")


def parse_contract(parser: Parser) -> Operation:
    """`#trait %lhs, %rhs, %acc {attributes} : type, type into type`"""
    position = parser.pos
    trait = parser.parse_attribute()
    if not isinstance(trait, DictionaryAttr):
        parser.raise_error("expected a dictionary of attributes", position)
    attributes = dict(trait.data)
    at = parser.pos
    operands = read_operands(parser)
    if len(operands) > 3:  # of old, masks stood here
        parser.raise_error("expected zero or exactly 2 vector mask operands", parser.op_start)
    if len(operands) != 3:
        parser.raise_error("expected 3 operands", at)
    attributes.update(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    types = [parser.parse_type()]
    parser.parse_punctuation(",")
    types.append(parser.parse_type())
    parser.parse_keyword("into")
    types.append(parser.parse_type())
    iterators = attributes.get("iterator_types")
    if not isinstance(iterators, ArrayAttr):
        raise parser.raise_error('expected "iterator_types" array attribute', position)
    attributes["iterator_types"] = ArrayAttr(
        [_iterator(parser, word, position) for word in iterators.data]
    )
    values = parser.resolve_operands(operands, types, at)
    _check_kind(parser, "vector.contract", attributes)
    return ods.create("vector.contract", values, [types[2]], None, attributes)


def _check_kind(parser: Parser, name: str, attributes: Mapping[str, Attribute]) -> None:
    kind = attributes.get("kind")
    if kind is not None and kind.name != "vector.kind":
        raise parser.error_at(
            parser.op_start,
            f"'{name}' op expected 'kind' attribute of type CombiningKind "
            "(e.g. 'vector.kind<add>')",
        )


def _iterator(parser: Parser, word: Attribute, position: int) -> Attribute:
    # mlir-opt ends where this is no string: it looks at what is not there.
    name = word.data if isinstance(word, StringAttr) else str(word)
    if name not in ("parallel", "reduction"):
        parser.raise_error(f"unexpected iterator_type ({name})", position)
    return ods.enum("vector.iterator_type", name)


def print_contract(op: vector.ContractOp, printer: Printer) -> None:
    properties = op.properties
    words = cast(
        "ArrayAttr",
        ArrayAttr([StringAttr(kind.data) for kind in properties["iterator_types"].data]),
    )
    shown = {name: properties[name] for name in _CONTRACT_TRAITS if name in properties}
    shown["iterator_types"] = words
    printer.print_string(" ")
    printer.print_attribute(DictionaryAttr(shown))
    printer.print_string(" ")
    print_operands(printer, op.operands)
    print_attr_dict(printer, op, _CONTRACT_TRAITS)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(", ")
    printer.print_attribute(op.operands[1].type)
    printer.print_string(" into ")
    printer.print_attribute(op.results[0].type)


# -- outerproduct -------------------------------------------------------------------------------


def parse_outerproduct(parser: Parser) -> Operation:
    """`%lhs, %rhs (, %acc)? {attributes} : type, type`"""
    position = parser.pos
    operands = read_operands(parser)
    if len(operands) < 2:
        parser.raise_error("expected at least 2 operands", position)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    at = parser.pos
    left = parser.parse_type()
    parser.parse_punctuation(",")
    right = parser.parse_type()
    if not isinstance(left, VectorType):
        parser.raise_error("expected vector type for operand #1", at)
    shape, dims = list(left.get_shape()), list(scalable_dims(left))
    if isinstance(right, VectorType):
        shape += right.get_shape()
        dims += scalable_dims(right)
    result = vector_type(left.element_type, shape, dims)
    types = [left, right, result][: len(operands)]
    values = parser.resolve_operands(operands, types, position)
    _check_kind(parser, "vector.outerproduct", attributes)
    return ods.create("vector.outerproduct", values, [result], None, attributes)


def print_outerproduct(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    print_operands(printer, op.operands)
    if len(op.operands) > 2:
        print_attr_dict(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(", ")
    printer.print_attribute(op.operands[1].type)


# -- mask ---------------------------------------------------------------------------------------


def parse_mask(parser: Parser) -> Operation:
    """`%mask (, %passthru)? { operation } {attributes} : type (-> types)?`"""
    mask = parser.parse_unresolved_operand()
    passthru = None
    position = parser.pos
    if parser.parse_optional_punctuation(",") is not None:
        position = parser.pos
        passthru = parser.parse_unresolved_operand()
    region = parser.parse_region()
    is_ours = hasattr(parser, "location_at")  # xDSL's parser knows no locations
    location = parser.location_at(parser.op_start) if is_ours else UnknownLoc()
    _yield_of(region, location)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    types = parse_optional_arrow_types(parser)
    operands = [parser.resolve_operand(mask, kind)]
    if passthru is not None:
        if not types:
            parser.raise_error("expects a result if passthru operand is provided", position)
        operands.append(parser.resolve_operand(passthru, types[0]))
    return ods.create("vector.mask", operands, types, None, attributes, [region])


def _yield_of(region: Region, location: LocationAttr) -> None:
    """Gives the region of a mask its `vector.yield` of the masked operation's results."""
    if region.first_block is None:
        region.add_block(Block())
    block = cast("Block", region.first_block)
    last = block.last_op
    if last is None or last.name != "vector.yield":
        results = () if last is None else last.results
        block.add_op(ods.create("vector.yield", results, location=location))


def print_mask(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    print_operands(printer, op.operands)
    printer.print_string(" { ")
    masked = op.regions[0].block.first_op
    if masked is not None:
        _print_without_results(printer, masked)
    printer.print_string(" }")
    print_attr_dict(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    if op.results:
        printer.print_string(" -> ")
        print_list(printer, [result.type for result in op.results], printer.print_attribute)


def _print_without_results(printer: Printer, op: Operation) -> None:
    printer.print_string(op.name)
    op.print(printer)


PARSE = {
    "vector.contract": parse_contract,
    "vector.outerproduct": parse_outerproduct,
    "vector.mask": parse_mask,
    "vector.transfer_read": parse_transfer_read,
    "vector.transfer_write": parse_transfer_write,
}
PRINT = {
    "vector.contract": print_contract,
    "vector.outerproduct": print_outerproduct,
    "vector.mask": print_mask,
    "vector.transfer_read": print_transfer_read,
    "vector.transfer_write": print_transfer_write,
}
