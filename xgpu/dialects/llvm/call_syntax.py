# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm.call`, `llvm.invoke`, `llvm.call_intrinsic`: callee, operand bundles, attributed types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, StringAttr, i32
from xdsl.ir import Attribute

from xgpu.core import ods
from xgpu.core.ir.fields import current_token
from xgpu.dialects.llvm.keywords import (
    parse_convention,
    parse_string,
    parse_tail_call_kind,
    print_dict,
    split,
)
from xgpu.dialects.llvm.types import LLVMVoidType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Block, Operation, SSAValue

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import ParseHook, PrintHook
    from xgpu.dialects.llvm.attributes import CConvAttr, TailCallKindAttr

    T = TypeVar("T")


Signature = list[tuple[Attribute, dict[str, Attribute]]]


def _report(parser: Parser, message: str) -> None:
    """An error beside the one that ends the reading, as MLIR reports both."""
    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.syntax.diagnostics import emit

    try:
        parser.expected(message)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            emit(diagnostic)


def _list(parser: Parser, one: Callable[[], T]) -> list[T]:
    """`(a, b)`"""
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)


def parse_bundles_unresolved(
    parser: Parser,
) -> tuple[list[list[Operand]], list[list[Attribute]], list[str]] | None:
    """`["tag"(%a, %b : i32, i64), "tag"()]`: names and types of each bundle's values, the tags."""
    values: list[list[Operand]] = []
    kinds: list[list[Attribute]] = []
    tags: list[str] = []

    def bundle() -> None:
        tag = parser.parse_optional_str_literal()
        if tag is None:
            raise parser.raise_error("expect operand bundle tag")
        tags.append(tag)
        operands: list[Operand] = []
        types: list[Attribute] = []
        parser.parse_punctuation("(")
        if parser.parse_optional_punctuation(")") is None:
            operands.append(parser.parse_unresolved_operand())
            while parser.parse_optional_punctuation(",") is not None:
                operands.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
            types.append(parser.parse_type())
            while parser.parse_optional_punctuation(",") is not None:
                types.append(parser.parse_type())
            parser.parse_punctuation(")")
        values.append(operands)
        kinds.append(types)

    found = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, bundle)
    return None if found is None else (values, kinds, tags)


def parse_bundles(parser: Parser) -> tuple[list[list[SSAValue]], list[StringAttr]] | None:
    """Operand bundles with their values, and the tags."""
    at = parser.pos
    found = parse_bundles_unresolved(parser)
    if found is None:
        return None
    values, kinds, tags = found
    for place, (operands, types) in enumerate(zip(values, kinds, strict=True)):
        if len(operands) != len(types):
            parser.raise_error(
                f"expected {len(operands)} types for operand bundle operands for operand bundle "
                f"#{place}, but actually got {len(types)}",
                at,
            )
    resolved = [
        list(parser.resolve_operands(v, k, at)) for v, k in zip(values, kinds, strict=False)
    ]
    return resolved, [StringAttr(tag) for tag in tags]


def print_bundles(
    printer: Printer, values: Sequence[SSAValue], sizes: Sequence[int], tags: Iterable[StringAttr]
) -> None:
    printer.print_string("[")
    at = 0
    for i, (size, tag) in enumerate(zip(sizes, tags, strict=False)):
        if i:
            printer.print_string(", ")
        printer.print_string_literal(tag.data)
        printer.print_string("(")
        own = values[at : at + size]
        at += size
        if own:
            printer.print_list(own, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([v.type for v in own], printer.print_attribute)
        printer.print_string(")")
    printer.print_string("]")


def _parse_signature(parser: Parser) -> tuple[Signature, Signature]:
    """`(i32 {attrs}, ...) -> i32`, `() -> (i32 {attrs})`, `() -> ()`"""

    def entry() -> tuple[Attribute, dict[str, Attribute]]:
        return parser.parse_type(), parser.parse_optional_dictionary_attr_dict()

    arguments = _list(parser, entry)
    parser.parse_punctuation("->")
    results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, entry)
    return arguments, [(parser.parse_type(), {})] if results is None else results


def _print_signature(printer: Printer, op: Operation, arguments: Sequence[SSAValue]) -> None:
    properties = op.properties
    attrs = cast("ArrayAttr | None", properties.get("arg_attrs"))
    printer.print_string("(")
    for i, value in enumerate(arguments):
        if i:
            printer.print_string(", ")
        printer.print_attribute(value.type)
        if attrs is not None and i < len(attrs.data):
            printer.print_op_attributes(cast("DictionaryAttr", attrs.data[i]).data)
    printer.print_string(") -> ")
    results = cast("ArrayAttr | None", properties.get("res_attrs"))
    own = (
        cast("DictionaryAttr", results.data[0]).data if results is not None and results.data else {}
    )
    bare = len(op.results) == 1 and not own
    if not bare:
        printer.print_string("(")
    for result in op.results:
        printer.print_attribute(result.type)
        printer.print_op_attributes(own)
    if not bare:
        printer.print_string(")")


class _Parsed:
    """What a call is made of, gathered while reading."""

    def __init__(self) -> None:
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.callee: list[Operand] = []
        self.arguments: list[Operand] = []
        self.operands: list[SSAValue] = []
        self.bundles: list[list[SSAValue]] = []


def _parse_callee(parser: Parser, parsed: _Parsed) -> bool:
    """`@f(%a)` or `%f(%a)`; whether it is direct."""
    pointer = parser.parse_optional_unresolved_operand()
    if pointer is None:
        name = parser.parse_optional_symbol_name()
        if name is None:
            raise parser.raise_error("expected valid '@'-identifier for symbol name")
        from xdsl.dialects.builtin import SymbolRefAttr

        parsed.properties["callee"] = SymbolRefAttr(name)
    else:
        parsed.callee = [pointer]
    parsed.arguments = _list(parser, parser.parse_unresolved_operand)
    return pointer is None


def _parse_vararg(parser: Parser, parsed: _Parsed) -> None:
    if parser.parse_optional_keyword("vararg") is not None:
        parser.parse_punctuation("(")
        parsed.properties["var_callee_type"] = parser.parse_type()
        parser.parse_punctuation(")")


def _parse_rest(parser: Parser, name: str, parsed: _Parsed, direct: bool) -> list[Attribute]:
    """Bundles, attributes and types; resolves the operands and returns the result types."""
    at = parser.pos
    bundles = parse_bundles(parser)
    if bundles is not None and bundles[1]:
        parsed.bundles = bundles[0]
        parsed.properties["op_bundle_tags"] = ArrayAttr(bundles[1])
    sizes = [len(b) for b in parsed.bundles]
    parsed.properties["op_bundle_sizes"] = DenseArrayBase.from_list(i32, sizes)
    given, parsed.attributes = split(name, parser.parse_optional_attr_dict())
    parsed.properties.update(given)
    trailing = parser.pos
    parser.parse_punctuation(":")
    callee_types: list[Attribute] = []
    if not direct:
        callee_types.append(parser.parse_type())
        if parser.parse_optional_punctuation(",") is None:
            parser.raise_error("expected indirect call to have 2 trailing types", trailing)
    if current_token(parser).text != "(":  # no signature at all
        _report(parser, "expected '('")
        if direct:
            parser.raise_error("expected direct call to have 1 trailing types", trailing)
        parser.raise_error("expected trailing function type", trailing)
    arguments, results = _parse_signature(parser)
    if len(results) > 1:
        parser.raise_error("expected function with 0 or 1 result", trailing)
    if results and isinstance(results[0][0], LLVMVoidType):
        parser.raise_error("expected a non-void result type", trailing)
    operands = [*parsed.callee, *parsed.arguments]
    types = [*callee_types, *(t for t, _ in arguments)]
    if len(operands) != len(types):
        parser.raise_error(
            f"number of operands and types do not match: got {len(parsed.arguments)} operands and"
            f"{len(arguments)} types"
        )
    parsed.operands = list(parser.resolve_operands(operands, types, at))
    for key, group in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(attrs for _, attrs in group):
            parsed.properties[key] = ArrayAttr([DictionaryAttr(attrs) for _, attrs in group])
    return [t for t, _ in results]


def _flat(groups: Sequence[Sequence[SSAValue]]) -> list[SSAValue]:
    return [v for group in groups for v in group]


def parse_call(parser: Parser) -> Operation:
    parsed = _Parsed()
    parsed.properties["CConv"] = parse_convention(parser)
    parsed.properties["TailCallKind"] = parse_tail_call_kind(parser)
    direct = _parse_callee(parser, parsed)
    _parse_vararg(parser, parsed)
    results = _parse_rest(parser, "llvm.call", parsed, direct)
    operands = (parsed.operands, _flat(parsed.bundles))
    return _make("llvm.call", operands, results, parsed)


def _make(
    name: str,
    operands: Sequence[Sequence[SSAValue]],
    results: Sequence[Attribute],
    parsed: _Parsed,
    successors: Sequence[Block] = (),
) -> Operation:
    properties = {
        **parsed.properties,
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(g) for g in operands]),
    }
    return ods.op_class(name).create(
        operands=_flat(operands),
        result_types=list(results),
        properties=properties,
        attributes=parsed.attributes,
        successors=list(successors),
    )


_HIDDEN = (
    "callee",
    "TailCallKind",
    "var_callee_type",
    "CConv",
    "operandSegmentSizes",
    "op_bundle_sizes",
    "op_bundle_tags",
    "arg_attrs",
    "res_attrs",
)


def _sizes(op: Operation) -> list[int]:
    return [
        int(n)
        for n in cast(
            "DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"]
        ).get_values()
    ]


def _print_callee(
    op: Operation, printer: Printer, operands: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    """Prints callee and arguments; returns the arguments."""
    callee = op.properties.get("callee")
    if callee is not None:
        printer.print_attribute(callee)
        arguments = operands
    else:
        printer.print_ssa_value(operands[0])
        arguments = operands[1:]
    printer.print_string("(")
    printer.print_list(arguments, printer.print_ssa_value)
    printer.print_string(")")
    return arguments


def _print_convention(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    convention = cast("CConvAttr | None", op.properties.get("CConv"))
    if convention is not None and convention.data != "ccc":
        printer.print_string(convention.data + " ")


def _print_vararg(op: Operation, printer: Printer) -> None:
    if (vararg := op.properties.get("var_callee_type")) is not None:
        printer.print_string(" vararg(")
        printer.print_attribute(vararg)
        printer.print_string(")")


def _print_rest(
    op: llvm.CallOp | llvm.CallIntrinsicOp | llvm.InvokeOp,
    printer: Printer,
    bundled: Sequence[SSAValue],
    arguments: Sequence[SSAValue],
) -> None:
    tags = cast("ArrayAttr[StringAttr] | None", op.properties.get("op_bundle_tags"))
    if tags is not None and tags.data:
        sizes = [int(n) for n in op.op_bundle_sizes.get_values()]
        printer.print_string(" ")
        print_bundles(printer, bundled, sizes, tags.data)
    print_dict(printer, op, (*_HIDDEN, "intrin"))
    printer.print_string(" : ")
    if "callee" not in op.properties and op.name != "llvm.call_intrinsic":
        printer.print_attribute(op.operands[0].type)
        printer.print_string(", ")
    _print_signature(printer, op, arguments)


def print_call(op: llvm.CallOp, printer: Printer) -> None:
    count, _ = _sizes(op)
    _print_convention(op, printer)
    kind = cast("TailCallKindAttr | None", op.properties.get("TailCallKind"))
    if kind is not None and kind.data != "none":
        printer.print_string(kind.data + " ")
    arguments = _print_callee(op, printer, op.operands[:count])
    _print_vararg(op, printer)
    _print_rest(op, printer, op.operands[count:], arguments)


def _parse_successor(parser: Parser) -> tuple[Block, list[SSAValue]]:
    """`^bb` or `^bb(%a, %b : i32, i64)`"""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, []
    at = parser.pos
    operands = [parser.parse_unresolved_operand()]
    while parser.parse_optional_punctuation(",") is not None:
        operands.append(parser.parse_unresolved_operand())
    parser.parse_punctuation(":")
    types = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    parser.parse_punctuation(")")
    return block, list(parser.resolve_operands(operands, types, at))


def _print_successor(printer: Printer, block: Block, values: Sequence[SSAValue]) -> None:
    printer.print_block_name(block)
    if values:
        printer.print_string("(")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in values], printer.print_attribute)
        printer.print_string(")")


def parse_invoke(parser: Parser) -> Operation:
    parsed = _Parsed()
    parsed.properties["CConv"] = parse_convention(parser)
    direct = _parse_callee(parser, parsed)
    parser.parse_keyword("to")
    normal, normal_values = _parse_successor(parser)
    parser.parse_keyword("unwind")
    unwind, unwind_values = _parse_successor(parser)
    _parse_vararg(parser, parsed)
    results = _parse_rest(parser, "llvm.invoke", parsed, direct)
    operands = (parsed.operands, normal_values, unwind_values, _flat(parsed.bundles))
    return _make("llvm.invoke", operands, results, parsed, (normal, unwind))


def print_invoke(op: llvm.InvokeOp, printer: Printer) -> None:
    sizes = _sizes(op)
    ends = [sum(sizes[: i + 1]) for i in range(4)]
    _print_convention(op, printer)
    arguments = _print_callee(op, printer, op.operands[: ends[0]])
    printer.print_string(" to ")
    _print_successor(printer, op.successors[0], op.operands[ends[0] : ends[1]])
    printer.print_string(" unwind ")
    _print_successor(printer, op.successors[1], op.operands[ends[1] : ends[2]])
    _print_vararg(op, printer)
    _print_rest(op, printer, op.operands[ends[2] :], arguments)


def parse_call_intrinsic(parser: Parser) -> Operation:
    parsed = _Parsed()
    parsed.properties["intrin"] = StringAttr(parse_string(parser))
    parsed.arguments = _list(parser, parser.parse_unresolved_operand)
    results = _parse_rest(parser, "llvm.call_intrinsic", parsed, True)
    operands = (parsed.operands, _flat(parsed.bundles))
    return _make("llvm.call_intrinsic", operands, results, parsed)


def print_call_intrinsic(op: llvm.CallIntrinsicOp, printer: Printer) -> None:
    count, _ = _sizes(op)
    printer.print_string(" ")
    printer.print_attribute(op.properties["intrin"])
    printer.print_string("(")
    printer.print_list(op.operands[:count], printer.print_ssa_value)
    printer.print_string(")")
    _print_rest(op, printer, op.operands[count:], op.operands[:count])


CALL_PARSE: dict[str, ParseHook] = {
    "llvm.call": parse_call,
    "llvm.invoke": parse_invoke,
    "llvm.call_intrinsic": parse_call_intrinsic,
}
CALL_PRINT: dict[str, PrintHook] = {
    "llvm.call": print_call,
    "llvm.invoke": print_invoke,
    "llvm.call_intrinsic": print_call_intrinsic,
}
