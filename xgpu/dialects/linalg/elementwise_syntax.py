# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax of linalg.map and linalg.reduce, which may name one operation instead of a region."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, LocationAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region

from xgpu.core import ods
from xgpu.dialects.linalg.parts import parse_ins_outs, print_group
from xgpu.dialects.linalg.structure import inputs, outputs, scalar_type
from xgpu.dialects.syntax_helpers import print_attr_dict, print_list

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import linalg


class _Short(NamedTuple):
    """An operation in place of a body."""

    name: str
    attributes: dict[str, Attribute]
    location: LocationAttr


def _parse_short(parser: Parser) -> _Short | None:
    """`({ operation attr-dict })?`"""
    if parser.parse_optional_punctuation("{") is None:
        return None
    position = parser.pos
    name = parser.parse_identifier()
    while parser.parse_optional_punctuation(".") is not None:
        name += "." + parser.parse_identifier()
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation("}")
    if ods.op_spec(name) is None:
        parser.raise_error(f"custom op '{name}' is unknown", position)
    return _Short(name, attributes, parser.location_at(position))


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
    """`(%a: type, ...) { ... }`"""
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
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
