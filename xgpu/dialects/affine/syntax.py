# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of affine: maps over values, and memory accesses with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, VectorType, i1, i32
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.dialects.affine.dma_syntax import (
    parse_dma_start,
    parse_dma_wait,
    print_dma_start,
    print_dma_wait,
)
from xgpu.dialects.affine.loop_syntax import (
    parse_for,
    parse_if,
    parse_parallel,
    print_for,
    print_if,
    print_parallel,
)
from xgpu.dialects.affine.maps import (
    parse_dims_and_symbols,
    parse_subscripts,
    print_dims_and_symbols,
    print_subscripts,
)
from xgpu.dialects.memref.prefetch_syntax import (
    parse_memref_type,
    parse_prefetch_words,
    print_prefetch_words,
)
from xgpu.dialects.syntax_helpers import print_attr_dict

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType
    from xdsl.ir import Attribute, SSAValue
    from xdsl.ir.affine import AffineMap

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import affine
    from xgpu.dialects.hook_types import ParseHook, PrintHook


# -- apply, min, max ----------------------------------------------------------------------------


def _parse_map_op(name: str) -> ParseHook:
    def parse(parser: Parser) -> Operation:
        """`#map(%dims)[%symbols] {attributes}`"""
        position = parser.pos
        affine_map = parser.parse_attribute()
        if not isinstance(affine_map, AffineMapAttr):
            parser.raise_error("invalid kind of attribute specified", position)
        operands, dims = parse_dims_and_symbols(parser)
        attributes = parser.parse_optional_attr_dict()
        data = affine_map.data
        mismatch = dims != data.num_dims or len(operands) - dims != data.num_symbols
        if mismatch and name == "affine.apply":
            parser.raise_error("dimension or symbol index mismatch", position)
        return ods.create(name, operands, [IndexType()], {"map": affine_map}, attributes)

    return parse


def _print_map_op(op: Operation, printer: Printer) -> None:
    affine_map = cast("AffineMapAttr", op.properties["map"])
    printer.print_string(" ")
    printer.print_attribute(affine_map)
    print_dims_and_symbols(printer, op.operands, affine_map.data.num_dims)
    print_attr_dict(printer, op, ("map",))


# -- load, store, prefetch ----------------------------------------------------------------------


def parse_load(parser: Parser) -> Operation:
    """`%m[subscripts] {attributes} : memref`"""
    memref, affine_map, operands, attributes, kind = _parse_access(parser)
    memref = parser.resolve_operand(memref, kind)
    properties = {"map": AffineMapAttr(affine_map)}
    result = kind.element_type
    return ods.create("affine.load", [memref, *operands], [result], properties, attributes)


def parse_vector_load(parser: Parser) -> Operation:
    """`%m[subscripts] {attributes} : memref, vector`"""
    memref, affine_map, operands, attributes, kind = _parse_access(parser)
    parser.parse_punctuation(",")
    result = _parse_vector_type(parser)
    memref = parser.resolve_operand(memref, kind)
    properties = {"map": AffineMapAttr(affine_map)}
    return ods.create("affine.vector_load", [memref, *operands], [result], properties, attributes)


def parse_store(parser: Parser) -> Operation:
    """`%v, %m[subscripts] {attributes} : memref`"""
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    memref, affine_map, operands, attributes, kind = _parse_access(parser)
    value = parser.resolve_operand(value, kind.element_type)
    memref = parser.resolve_operand(memref, kind)
    properties = {"map": AffineMapAttr(affine_map)}
    return ods.create("affine.store", [value, memref, *operands], (), properties, attributes)


def parse_vector_store(parser: Parser) -> Operation:
    """`%v, %m[subscripts] {attributes} : memref, vector`"""
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    memref, affine_map, operands, attributes, kind = _parse_access(parser)
    parser.parse_punctuation(",")
    vector = _parse_vector_type(parser)
    value = parser.resolve_operand(value, vector)
    memref = parser.resolve_operand(memref, kind)
    properties = {"map": AffineMapAttr(affine_map)}
    return ods.create("affine.vector_store", [value, memref, *operands], (), properties, attributes)


def _parse_vector_type(parser: Parser) -> VectorType:
    position = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, VectorType):
        parser.raise_error("invalid kind of type specified: expected vector type", position)
    return kind


def _parse_access(
    parser: Parser,
) -> tuple[Operand, AffineMap, list[SSAValue], dict[str, Attribute], MemRefType]:
    memref = parser.parse_unresolved_operand()
    affine_map, operands = parse_subscripts(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return memref, affine_map, operands, attributes, parse_memref_type(parser)


def _print_access(first: int, last: str) -> PrintHook:
    """The printer of an access: the memref is operand `first`; `last` says which type follows."""

    def print_access(
        op: affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp,
        printer: Printer,
    ) -> None:
        printer.print_string(" ")
        if first:
            printer.print_ssa_value(op.operands[0])
            printer.print_string(", ")
        printer.print_ssa_value(op.operands[first])
        print_subscripts(printer, op.map.data, op.operands[first + 1 :])
        print_attr_dict(printer, op, ("map",))
        printer.print_string(" : ")
        printer.print_attribute(op.operands[first].type)
        if last:
            printer.print_string(", ")
            printer.print_attribute(op.results[0].type if last == "result" else op.operands[0].type)

    return print_access


def parse_prefetch(parser: Parser) -> Operation:
    """`%m[subscripts], read|write, locality<n>, data|instr {attributes} : memref`"""
    memref = parser.parse_unresolved_operand()
    affine_map, operands = parse_subscripts(parser)
    parser.parse_punctuation(",")
    write, hint, data = parse_prefetch_words(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    memref = parser.resolve_operand(memref, parse_memref_type(parser))
    properties = {
        "map": AffineMapAttr(affine_map),
        "isWrite": IntegerAttr(int(write), i1),
        "localityHint": IntegerAttr(hint, i32),
        "isDataCache": IntegerAttr(int(data), i1),
    }
    return ods.create("affine.prefetch", [memref, *operands], (), properties, attributes)


def print_prefetch(op: affine.PrefetchOp, printer: Printer) -> None:
    memref, *operands = op.operands
    printer.print_string(" ")
    printer.print_ssa_value(memref)
    print_subscripts(printer, op.map.data, operands)
    print_prefetch_words(printer, op)
    print_attr_dict(printer, op, ("map", "isWrite", "localityHint", "isDataCache"))
    printer.print_string(" : ")
    printer.print_attribute(memref.type)


PARSE = {
    "affine.apply": _parse_map_op("affine.apply"),
    "affine.min": _parse_map_op("affine.min"),
    "affine.max": _parse_map_op("affine.max"),
    "affine.for": parse_for,
    "affine.if": parse_if,
    "affine.parallel": parse_parallel,
    "affine.load": parse_load,
    "affine.store": parse_store,
    "affine.vector_load": parse_vector_load,
    "affine.vector_store": parse_vector_store,
    "affine.prefetch": parse_prefetch,
    "affine.dma_start": parse_dma_start,
    "affine.dma_wait": parse_dma_wait,
}
PRINT = {
    "affine.apply": _print_map_op,
    "affine.min": _print_map_op,
    "affine.max": _print_map_op,
    "affine.for": print_for,
    "affine.if": print_if,
    "affine.parallel": print_parallel,
    "affine.load": _print_access(0, ""),
    "affine.store": _print_access(1, ""),
    "affine.vector_load": _print_access(0, "result"),
    "affine.vector_store": _print_access(1, "operand"),
    "affine.prefetch": print_prefetch,
    "affine.dma_start": print_dma_start,
    "affine.dma_wait": print_dma_wait,
}
