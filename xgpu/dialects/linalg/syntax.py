# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of linalg: structured operations and their terminator."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.dialects.linalg.bodies import BodyError, build_region, copying_region
from xgpu.dialects.linalg.elementwise_syntax import (
    parse_map,
    parse_reduce,
    print_map,
    print_reduce,
)
from xgpu.dialects.linalg.named_ops import OPS
from xgpu.dialects.linalg.parts import (
    parse_ins_outs,
    parse_properties,
    print_ins_outs,
    split_properties,
)
from xgpu.dialects.linalg.structure import (
    MATMULS,
    default_maps,
    rank_of,
    select,
)
from xgpu.dialects.syntax_helpers import (
    parse_attributes_without_sizes,
    parse_operand_list,
    parse_optional_arrow_types,
    print_attr_dict,
    print_list,
    print_optional_arrow_types,
    refuse_sizes,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import linalg
    from xgpu.dialects.hook_types import ParseHook, PrintHook


_MEMOIZED = "linalg.memoized_indexing_maps"


# --- named operations --------------------------------------------------------------------------
def _named_parser(name: str) -> ParseHook:
    def parse(parser: Parser) -> Operation:
        """`(indexing_maps = [...])? attr-dict ins(...) outs(...) (-> types)?`"""
        maps: Attribute | None = None
        kind: Attribute | None = None
        if name == "linalg.elementwise":
            parser.parse_keyword("kind")
            parser.parse_punctuation("=")
            kind = parser.parse_attribute()
        if parser.parse_optional_keyword("indexing_maps") is not None:
            parser.parse_punctuation("=")
            maps = parser.parse_attribute()
        attributes = parse_properties(parser)
        attributes.update(parse_attributes_without_sizes(parser))
        position = parser.pos
        ins, outs = parse_ins_outs(parser)
        results = parse_optional_arrow_types(parser)
        if maps is not None:
            attributes["indexing_maps"] = maps
        elif (defaults := default_maps(name)) is not None and "indexing_maps" not in attributes:
            attributes["indexing_maps"] = ArrayAttr([AffineMapAttr(m) for m in defaults])
        if kind is not None:
            attributes["kind"] = kind
            if "indexing_maps" not in attributes:
                rank = rank_of(outs[0]) if outs else 0
                same = AffineMapAttr(select(rank, range(rank)))
                attributes["indexing_maps"] = ArrayAttr([same] * (len(ins) + len(outs)))
        properties, rest = split_properties(name, attributes)
        try:
            region = build_region(name, [*ins, *outs], properties, len(outs))
        except BodyError as error:
            raise parser.raise_error(str(error), position) from None
        return ods.create(name, (ins, outs), results, properties, rest, (region,))

    return parse


def _print_named(op: Operation, printer: Printer) -> None:
    if op.name == "linalg.elementwise":
        printer.print_string(" kind=")
        printer.print_attribute(op.properties["kind"])
    if "indexing_maps" in op.properties and not _has_default_maps(op):
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(op.properties["indexing_maps"])
    elided = [_MEMOIZED, "indexing_maps", "kind"]
    kind = op.properties.get("cast")
    if getattr(kind, "data", None) == "cast_signed" and op.name in MATMULS:
        elided.append("cast")
    print_attr_dict(printer, op, elided)
    print_ins_outs(printer, op)
    print_optional_arrow_types(printer, [r.type for r in op.results])


def _has_default_maps(op: Operation) -> bool:
    found = [m.data for m in cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"]).data]
    if op.name == "linalg.contract":
        return False
    if op.name == "linalg.elementwise":
        rank = rank_of(op.operands[-1])
        return all(m == select(rank, range(rank)) for m in found)
    return found == default_maps(op.name)


# --- generic -----------------------------------------------------------------------------------
def _parse_generic(parser: Parser) -> Operation:
    """`{...} ins(...) outs(...) (attrs = {...})? region (-> types)?`; an alias may stand for {}."""
    position = parser.pos
    traits = parser.parse_attribute()
    if not isinstance(traits, DictionaryAttr):
        parser.raise_error("expected dictionary attribute", position)
    attributes = dict(traits.data)
    iterators = attributes.get("iterator_types")
    if not isinstance(iterators, ArrayAttr):
        parser.raise_error('expected "iterator_types" array attribute', position)
    else:
        attributes["iterator_types"] = ArrayAttr(
            [ods.enum("linalg.iterator_type", _keyword(parser, i)) for i in iterators.data]
        )
    ins, outs = parse_ins_outs(parser)
    if parser.parse_optional_keyword("attrs") is not None:
        parser.parse_punctuation("=")
        attributes.update(parser.parse_optional_attr_dict())
    refuse_sizes(parser, attributes, position)
    region = parser.parse_region()
    results = parse_optional_arrow_types(parser)
    properties, rest = split_properties("linalg.generic", attributes)
    return ods.create("linalg.generic", (ins, outs), results, properties, rest, (region,))


def _keyword(parser: Parser, attr: Attribute) -> str:
    # mlir-opt ends where this is no string: it looks at what is not there.
    name = attr.data if isinstance(attr, StringAttr) else str(attr)
    if name not in ("parallel", "reduction"):
        parser.raise_error(f"unexpected iterator_type ({name})")
    return name


def _print_generic(op: linalg.GenericOp, printer: Printer) -> None:
    shown: dict[str, Attribute] = {}
    for name in ("doc", "indexing_maps", "iterator_types", "library_call"):
        attr = op.properties.get(name)
        if attr is None:
            continue
        if name == "iterator_types":
            attr = ArrayAttr([StringAttr(i.data) for i in op.properties["iterator_types"].data])
        shown[name] = attr
    printer.print_op_attributes(shown)
    print_ins_outs(printer, op)
    if op.attributes:
        printer.print_string(" attrs = ")
        printer.print_op_attributes(op.attributes)
    printer.print_string(" ")
    printer.print_region(op.regions[0])
    print_optional_arrow_types(printer, [r.type for r in op.results])


# --- transpose and broadcast -------------------------------------------------------------------
def _dimensions_parser(name: str, word: str) -> ParseHook:
    def parse(parser: Parser) -> Operation:
        """`ins(...) outs(...) word = [...] attr-dict`"""
        position = parser.pos
        ins, outs = parse_ins_outs(parser)
        if (found := len(ins) + len(outs)) != 2:
            parser.raise_error(f"'{name}' op expected 2 operands, but found {found}", position)
        parser.parse_keyword(word)
        parser.parse_punctuation("=")
        values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        attributes = dict(parser.parse_optional_attr_dict())
        results = [v.type for v in outs if v.type.name == "tensor"]
        properties = {word: DenseArrayBase.from_list(i64, values)}
        regions = (copying_region((*ins, *outs)),)
        return ods.create(name, (*ins, *outs), results, properties, attributes, regions)

    return parse


def _dimensions_printer(word: str) -> PrintHook:
    def show(op: linalg.TransposeOp, printer: Printer) -> None:
        print_ins_outs(printer, op)
        printer.print_string(f" {word} = [")
        values = cast("DenseArrayBase[IntegerType]", op.properties[word]).get_values()
        print_list(printer, values, lambda v: printer.print_string(str(v)))
        printer.print_string("] ")
        print_attr_dict(printer, op, (word,))

    return show


# --- yield -------------------------------------------------------------------------------------
def _parse_yield(parser: Parser) -> Operation:
    """`%a, %b attr-dict : types`"""
    position = parser.pos
    operands = parse_operand_list(parser)
    attributes = parser.parse_optional_attr_dict()
    types: list[Attribute] = []
    if operands:
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    values = parser.resolve_operands(operands, types, position)
    return ods.create("linalg.yield", values, (), {}, attributes)


def _print_yield(op: Operation, printer: Printer) -> None:
    if op.operands:
        printer.print_string(" ")
        print_list(printer, op.operands, printer.print_ssa_value)
    print_attr_dict(printer, op)
    if op.operands:
        printer.print_string(" : ")
        print_list(printer, [v.type for v in op.operands], printer.print_attribute)


_NAMED = (*OPS, *MATMULS, "linalg.contract", "linalg.elementwise")

PARSE: dict[str, ParseHook] = {
    **{name: _named_parser(name) for name in _NAMED},
    "linalg.broadcast": _dimensions_parser("linalg.broadcast", "dimensions"),
    "linalg.generic": _parse_generic,
    "linalg.map": parse_map,
    "linalg.reduce": parse_reduce,
    "linalg.transpose": _dimensions_parser("linalg.transpose", "permutation"),
    "linalg.yield": _parse_yield,
}
PRINT: dict[str, PrintHook] = {
    **dict.fromkeys(_NAMED, _print_named),
    "linalg.broadcast": _dimensions_printer("dimensions"),
    "linalg.generic": _print_generic,
    "linalg.map": print_map,
    "linalg.reduce": print_reduce,
    "linalg.transpose": _dimensions_printer("permutation"),
    "linalg.yield": _print_yield,
}
