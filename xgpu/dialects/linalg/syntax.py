# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of linalg: structured operations and their terminator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerType,
    LocationAttr,
    StringAttr,
    UnknownLoc,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax.formats.reading import read_operands
from xgpu.core.syntax.tokens import operation_start
from xgpu.dialects import linalg
from xgpu.dialects.linalg.bodies import (
    ArgumentCountError,
    BodyError,
    build_region,
    copying_region,
)
from xgpu.dialects.linalg.ops import (
    MATMULS,
    OPS,
    default_maps,
    inputs,
    outputs,
    rank_of,
    scalar_type,
    select,
)
from xgpu.dialects.syntax_helpers import (
    parse_attributes_without_sizes,
    parse_optional_arrow_types,
    print_attr_dict,
    print_list,
    print_optional_arrow_types,
    refuse_sizes,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook, PrintHook


# -- Pieces of syntax that all structured operations share.


def parse_properties(parser: Parser) -> dict[str, Attribute]:
    """`(<{...}>)?`: inherent attributes apart from the others."""
    if parser.parse_optional_punctuation("<") is None:
        return {}
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(">")
    attributes.pop("operandSegmentSizes", None)
    return attributes


def _operands(parser: Parser, word: str) -> list[SSAValue]:
    if parser.parse_optional_keyword(word) is None:
        return []
    parser.parse_punctuation("(")
    position = parser.pos
    names = read_operands(parser)
    types: list[Attribute] = []
    if names:
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(names, types, position)


def parse_ins_outs(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """`(ins(%a : type))? (outs(%b : type))?`"""
    ins = _operands(parser, "ins")
    return ins, _operands(parser, "outs")


def print_ins_outs(
    printer: Printer,
    op: Operation,
) -> None:
    for word, values in (("ins", inputs(op)), ("outs", outputs(op))):
        if values:
            print_group(printer, word, values)


def print_group(printer: Printer, word: str, values: Sequence[SSAValue]) -> None:
    printer.print_string(f" {word}(")
    print_list(printer, values, printer.print_ssa_value)
    printer.print_string(" : ")
    print_list(printer, [v.type for v in values], printer.print_attribute)
    printer.print_string(")")


def split_properties(
    name: str, attributes: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Inherent attributes, and the rest."""
    spec = ods.op_spec(name)
    assert spec is not None
    inherent = {field.name for field in spec.attrs}
    properties = {k: v for k, v in attributes.items() if k in inherent}
    return properties, {k: v for k, v in attributes.items() if k not in inherent}


# -- Syntax of linalg.map and linalg.reduce, which may name one operation instead of a region.


class _Short(NamedTuple):
    """An operation in place of a body."""

    name: str
    attributes: dict[str, Attribute]
    location: LocationAttr


def _knows_locations(parser: Parser) -> bool:
    """Whether a parser knows locations: xDSL's does not."""
    return hasattr(parser, "location_at")


def _parse_short(parser: Parser) -> _Short | None:
    """`({ operation attr-dict })?`"""
    if parser.parse_optional_punctuation("{") is None:
        return None
    position = parser.pos
    name = parser.parse_identifier()
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation("}")
    if ods.op_spec(name) is None:
        parser.raise_error(f"custom op '{name}' is unknown", position)
    start = operation_start(parser)
    location = parser.location_at(start) if _knows_locations(parser) else UnknownLoc()
    return _Short(name, attributes, location)


def _short_region(
    short: _Short, types: list[Attribute], order: list[int], result: Attribute
) -> Region:
    block = Block(arg_types=types)
    spec = ods.op_class(short.name).spec
    inherent = {field.name for field in spec.attrs}
    op = ods.create(
        short.name,
        [block.args[i] for i in order],
        [result],
        {k: v for k, v in short.attributes.items() if k in inherent},
        {k: v for k, v in short.attributes.items() if k not in inherent},
        location=short.location,
    )
    block.add_op(op)
    block.add_op(ods.create("linalg.yield", list(op.results), location=short.location))
    return Region(block)


def _parse_body(parser: Parser) -> Region:
    """`(%a: type loc(..)?, ...) { ... }`"""

    def argument() -> Parser.Argument:
        found = parser.parse_argument()
        found.location = parser.parse_optional_location()
        return found

    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    return parser.parse_region(arguments)


def parse_map(parser: Parser) -> Operation:
    """`({ op })? ins(...) outs(...) attr-dict ((%a: type) {...})?`"""
    short = _parse_short(parser)
    ins, outs = parse_ins_outs(parser)
    attributes = parser.parse_optional_attr_dict()
    if not outs:
        parser.raise_error(f"'linalg.map' op expected 1 or more operands, but found {len(ins)}")
    if short is None:
        region = _parse_body(parser)
    else:
        types = [scalar_type(v) for v in (*ins, *outs)]
        region = _short_region(short, types, list(range(len(ins))), types[-1])
    results = [v.type for v in outs if v.type.name == "tensor"]
    return ods.create("linalg.map", (*ins, *outs), results, {}, attributes, (region,))


def parse_reduce(parser: Parser) -> Operation:
    """`({ op })? ins(...) outs(...) dimensions = [...] attr-dict ((%a: type) {...})?`"""
    short = _parse_short(parser)
    ins, outs = parse_ins_outs(parser)
    parser.parse_keyword("dimensions")
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    attributes = parser.parse_optional_attr_dict()
    if short is None:
        region = _parse_body(parser)
    elif not ins or not outs:
        raise parser.raise_error("expected 'ins' and 'outs' operands")
    else:
        types = [scalar_type(v) for v in (*ins, *outs)]
        count = len(types)
        # What was reduced so far comes first.
        region = _short_region(short, types, [count - 1, *range(count - 1)], types[-1])
    properties = {"dimensions": DenseArrayBase.from_list(i64, values)}
    results = [v.type for v in outs if v.type.name == "tensor"]
    return ods.create("linalg.reduce", (*ins, *outs), results, properties, attributes, (region,))


def _short_form(op: Operation, *, init_first: bool) -> Operation | None:
    """The only operation of the body, if it takes all arguments in order and is yielded."""
    block = op.regions[0].blocks[0]
    ops = list(block.ops)
    if len(ops) != 2:
        return None
    payload, end = ops
    arguments = list(block.args)
    expected = [arguments[-1], *arguments[:-1]] if init_first else arguments[:-1]
    if init_first and len(arguments) != 2:
        return None
    if (
        list(payload.operands) != expected
        or list(end.operands) != list(payload.results)
        or len(payload.results) != 1
        or payload.regions
    ):
        return None
    spec = ods.op_spec(payload.name)
    return None if spec is None else payload


def _print_payload(printer: Printer, payload: Operation) -> None:
    printer.print_string(" { " + payload.name)
    hidden: list[str] = []
    for name in ("fastmath", "overflowFlags"):
        attr = payload.properties.get(name)
        if attr is not None and getattr(attr, "data", None) == "none":
            hidden.append(name)
    print_attr_dict(printer, payload, hidden)
    printer.print_string(" }")


def _print_region(printer: Printer, op: Operation) -> None:
    """The body on lines of its own, indented once more."""
    with printer.indented():
        printer.print_string("\n(")
        print_list(printer, op.regions[0].blocks[0].args, printer.print_block_argument)
        printer.print_string(") ")
        printer.print_region(op.regions[0], print_entry_block_args=False)


def print_map(op: linalg.MapOp, printer: Printer) -> None:
    payload = _short_form(op, init_first=False)
    if payload is not None:
        _print_payload(printer, payload)
    if inputs(op):
        print_group(printer, "ins", inputs(op))
    print_group(printer, "outs", outputs(op))
    print_attr_dict(printer, op)
    if payload is None:
        _print_region(printer, op)


def print_reduce(op: linalg.ReduceOp, printer: Printer) -> None:
    payload = _short_form(op, init_first=True)
    if payload is not None:
        _print_payload(printer, payload)
    print_group(printer, "ins", inputs(op))
    print_group(printer, "outs", outputs(op))
    printer.print_string(" dimensions = [")
    values = op.dimensions.get_values()
    print_list(printer, values, lambda v: printer.print_string(str(v)))
    printer.print_string("] ")
    print_attr_dict(printer, op, ("dimensions",))
    if payload is None:
        _print_region(printer, op)


# -- Structured operations and their terminator.


_MEMOIZED = "linalg.memoized_indexing_maps"


def _errors(parser: Parser, name: str, words: Sequence[str]) -> DiagnosticError:
    """What is wrong with the named operation `name`, at the current token."""
    at = parser.pos
    found = [parser.error_at(at, f"custom op '{name}' {text}") for text in words]
    return DiagnosticError(*(d for error in found for d in error.diagnostics))


# --- named operations --------------------------------------------------------------------------
def _named_parser(name: str) -> ParseHook:
    def parse(parser: Parser) -> Operation:
        """`(indexing_maps = [...])? attr-dict ins(...) outs(...) (-> types)?`"""
        maps: Attribute | None = None
        kind: Attribute | None = None
        if name == "linalg.elementwise":
            parser.parse_keyword("kind")
            parser.parse_punctuation("=")
            try:
                kind = parser.parse_attribute()
            except DiagnosticError as problem:
                further = _errors(parser, name, ["expected operation 'kind' attribute"])
                raise DiagnosticError(*problem.diagnostics, *further.diagnostics) from None
        if parser.parse_optional_keyword("indexing_maps") is not None:
            parser.parse_punctuation("=")
            maps = parser.parse_attribute()
        position = parser.pos
        attributes = parse_properties(parser)
        attributes.update(parse_attributes_without_sizes(parser))
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
        except ArgumentCountError as error:
            further = ["unable to parse elemwise op"] if kind is not None else []
            raise _errors(parser, name, [str(error), *further]) from None
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
        location = parser.location_at(operation_start(parser)) if _knows_locations(parser) else None
        regions = (copying_region((*ins, *outs), location),)
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
    operands = read_operands(parser)
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
