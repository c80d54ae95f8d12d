# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, VectorType
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.dialects.syntax_helpers import (
    parse_operand_list,
    parse_optional_arrow_types,
    print_attr_dict,
    print_list,
    print_operands,
    scalable_dims,
)
from xgpu.dialects.vector.infer import vector_type
from xgpu.dialects.vector.transfer_syntax import (
    parse_transfer_read,
    parse_transfer_write,
    print_transfer_read,
    print_transfer_write,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Attribute, Block, Region

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import vector


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
    operands = parse_operand_list(parser)
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
    return ods.create("vector.contract", values, [types[2]], None, attributes)


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
    operands = parse_operand_list(parser)
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
    _yield_of(region)
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


def _yield_of(region: Region) -> None:
    """Gives the region of a mask its `vector.yield` of the masked operation's results."""
    from xdsl.ir import Block

    if region.first_block is None:
        region.add_block(Block())
    block = cast("Block", region.first_block)
    last = block.last_op
    if last is None or last.name != "vector.yield":
        block.add_op(ods.create("vector.yield", () if last is None else last.results))


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
