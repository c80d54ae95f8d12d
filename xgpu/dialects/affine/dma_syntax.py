# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`affine.dma_start` and `affine.dma_wait`: syntax and verifiers.

The operands are buffers, each followed by the operands of its map; the maps are discardable
attributes, as in MLIR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.core.ir.errors import op_error
from xgpu.dialects.affine.maps import parse_subscripts, print_subscripts
from xgpu.dialects.affine.scopes import verify_dims_and_symbols
from xgpu.dialects.syntax_helpers import print_attr_dict, print_list

if TYPE_CHECKING:
    from xdsl.ir import SSAValue
    from xdsl.ir.affine import AffineMap

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


_START = (("src_map", "source"), ("dst_map", "destination"), ("tag_map", "tag"))


def parse_dma_start(parser: Parser) -> Operation:
    """`%src[..], %dst[..], %tag[..], %count (, %stride, %per_stride)? {attributes} : types`"""
    parts: list[tuple[Operand, AffineMap, list[SSAValue]]] = []
    for _ in _START:
        memref = parser.parse_unresolved_operand()
        parts.append((memref, *parse_subscripts(parser)))
        parser.parse_punctuation(",")
    counts = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    if len(counts) not in (1, 3):
        parser.raise_error("expected two stride related operands")
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    position = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != 3:
        parser.raise_error("expected three types", position)
    operands: list[SSAValue] = []
    for (name, _), (memref, affine_map, indices), kind in zip(_START, parts, types, strict=True):
        attributes[name] = AffineMapAttr(affine_map)
        operands += [parser.resolve_operand(memref, kind), *indices]
    operands += [parser.resolve_operand(count, IndexType()) for count in counts]
    return ods.create("affine.dma_start", operands, (), None, attributes)


def parse_dma_wait(parser: Parser) -> Operation:
    """`%tag[..], %count {attributes} : type`"""
    memref = parser.parse_unresolved_operand()
    affine_map, indices = parse_subscripts(parser)
    parser.parse_punctuation(",")
    count = parser.parse_unresolved_operand()
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    attributes["tag_map"] = AffineMapAttr(affine_map)
    operands = [
        parser.resolve_operand(memref, kind),
        *indices,
        parser.resolve_operand(count, IndexType()),
    ]
    return ods.create("affine.dma_wait", operands, (), None, attributes)


def dma_parts(
    op: Operation, names: tuple[str, ...]
) -> tuple[list[tuple[SSAValue, AffineMap, list[SSAValue]]], list[SSAValue]]:
    """Each buffer with its map and the map's operands, and what follows them all."""
    rest = list(op.operands)
    parts: list[tuple[SSAValue, AffineMap, list[SSAValue]]] = []
    for name in names:
        given = op.attributes.get(name)
        if not isinstance(given, AffineMapAttr):
            raise op_error(op, f"requires an affine map as attribute '{name}'")
        affine_map = given.data
        count = affine_map.num_dims + affine_map.num_symbols
        if len(rest) < 1 + count:
            raise op_error(op, "incorrect number of operands")
        parts.append((rest[0], affine_map, rest[1 : 1 + count]))
        del rest[: 1 + count]
    return parts, rest


def _print(op: Operation, printer: Printer, names: tuple[str, ...]) -> None:
    parts, rest = dma_parts(op, names)
    printer.print_string(" ")
    for memref, affine_map, indices in parts:
        printer.print_ssa_value(memref)
        print_subscripts(printer, affine_map, indices)
        printer.print_string(", ")
    print_list(printer, rest, printer.print_ssa_value)
    print_attr_dict(printer, op, names)
    printer.print_string(" : ")
    print_list(printer, [memref.type for memref, _, _ in parts], printer.print_attribute)


def print_dma_start(op: Operation, printer: Printer) -> None:
    _print(op, printer, tuple(name for name, _ in _START))


def print_dma_wait(op: Operation, printer: Printer) -> None:
    _print(op, printer, ("tag_map",))


def verify_dma_start(op: Operation) -> None:
    """Buffers are memrefs, and their subscripts are dimensions and symbols."""
    parts, rest = dma_parts(op, tuple(name for name, _ in _START))
    for (memref, affine_map, indices), (_, words) in zip(parts, _START, strict=True):
        if memref.type.name != "memref":
            raise op_error(op, f"expected DMA {words} to be of memref type")
        verify_dims_and_symbols(op, indices, affine_map.num_dims)
    if len(rest) not in (1, 3):
        raise op_error(op, "incorrect number of operands")


def verify_dma_wait(op: Operation) -> None:
    """The tag is a memref, and its subscripts are dimensions and symbols."""
    parts, rest = dma_parts(op, ("tag_map",))
    if len(rest) != 1:
        raise op_error(op, "incorrect number of operands")
    memref, affine_map, indices = parts[0]
    if memref.type.name != "memref":
        raise op_error(op, "expected DMA tag to be of memref type")
    verify_dims_and_symbols(op, indices, affine_map.num_dims)
