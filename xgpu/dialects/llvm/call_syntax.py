# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax of functions and calls: `llvm.func`, `llvm.call`, `llvm.invoke`, `llvm.call_intrinsic`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import current_token
from xgpu.core.ir.errors import DiagnosticError, shown
from xgpu.core.ods.predicates import is_llvm_compatible
from xgpu.core.syntax.diagnostics import emit
from xgpu.core.syntax.formats.numbers import read_integer
from xgpu.dialects import llvm
from xgpu.dialects.llvm.attributes import (
    UNNAMED_ADDR,
    VISIBILITY,
    CConvAttr,
    LinkageAttr,
    TailCallKindAttr,
    choice,
    parse_choice,
    parse_convention,
    parse_linkage,
    parse_string,
    parse_tail_call_kind,
    print_dict,
    split,
)
from xgpu.dialects.llvm.types import NO_RESULT, LLVMFunctionType, LLVMVoidType
from xgpu.dialects.syntax_helpers import print_argument

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook, PrintHook


if TYPE_CHECKING:
    T = TypeVar("T")


Signature = list[tuple[Attribute, dict[str, Attribute]]]


def _report(parser: Parser, message: str) -> None:
    """An error beside the one that ends the reading, as MLIR reports both."""
    try:
        parser.expected(message)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            emit(diagnostic)


def _list(parser: Parser, one: Callable[[], T]) -> list[T]:
    """`(a, b)`"""
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)


def parse_typed_operands(parser: Parser) -> tuple[list[Operand], list[Attribute]]:
    """`%a, %b : i32, f32`, one operand or more; their number may differ from that of the types."""
    operands = [parser.parse_unresolved_operand()]
    while parser.parse_optional_punctuation(",") is not None:
        operands.append(parser.parse_unresolved_operand())
    parser.parse_punctuation(":")
    types: list[Attribute] = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    return operands, types


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
            operands, types = parse_typed_operands(parser)
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


def parse_successor(parser: Parser) -> tuple[Block, list[Operand], list[Attribute]]:
    """`^bb` or `^bb(%a, %b : i32, i64)`: the block, what it is given, and the types of that."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, [], []
    operands, types = parse_typed_operands(parser)
    parser.parse_punctuation(")")
    return block, operands, types


def _parse_resolved_successor(parser: Parser) -> tuple[Block, list[SSAValue]]:
    at = parser.pos
    block, operands, types = parse_successor(parser)
    if len(operands) != len(types):
        parser.fail(f"expected {len(operands)} types to match operand list", at)
    return block, parser.resolve_operands(operands, types, at)


def print_successor(printer: Printer, block: Block, values: Sequence[SSAValue]) -> None:
    """`^bb1(%a : i32)`"""
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
    normal, normal_values = _parse_resolved_successor(parser)
    parser.parse_keyword("unwind")
    unwind, unwind_values = _parse_resolved_successor(parser)
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
    print_successor(printer, op.successors[0], op.operands[ends[0] : ends[1]])
    printer.print_string(" unwind ")
    print_successor(printer, op.successors[1], op.operands[ends[1] : ends[2]])
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


# -- `llvm.func`: its keywords, a signature that may be variadic, and what follows it.
#
#     llvm.func linkage? visibility? unnamed_addr? cconv? @f(%a: i32 {attrs}, ..) -> (i32 {attrs})
#         (vscale_range(1, 2))? (comdat(@c::@s))? (attributes {..})? region?


def parse_func(parser: Parser) -> Operation:
    properties: dict[str, Attribute] = {
        "linkage": parse_linkage(parser),
        "visibility_": parse_choice(parser, VISIBILITY),
        "unnamed_addr": parse_choice(parser, UNNAMED_ADDR),
        "CConv": parse_convention(parser),
        "sym_name": parser.parse_symbol_name(),
    }
    at = parser.pos
    named, arguments, variadic = _parse_arguments(parser)
    results = _parse_results(parser)
    if len(results) > 1:
        parser.raise_error(
            "failed to construct function type: expected zero or one function result", at
        )
    if any(not is_llvm_compatible(t) for t, _ in arguments):
        parser.raise_error(
            "failed to construct function type: expected LLVM type for function arguments", at
        )
    if results and not is_llvm_compatible(results[0][0]):
        parser.raise_error(
            "failed to construct function type: expected LLVM type for function results"
            f"'{shown(results[0][0])}'",
            at,
        )
    for t, _ in arguments:
        # The type of such a function could not be written.
        if isinstance(t, LLVMVoidType | LLVMFunctionType):
            parser.raise_error(f"invalid function argument type: '{shown(t)}'", at)
    result = results[0][0] if results else LLVMVoidType()
    if isinstance(result, NO_RESULT):
        parser.raise_error(f"invalid function result type: '{shown(result)}'", at)
    properties["function_type"] = LLVMFunctionType(
        [t for t, _ in arguments], result, variadic=variadic
    )
    if parser.parse_optional_keyword("vscale_range") is not None:
        parser.parse_punctuation("(")
        low = read_integer(parser, 32)
        parser.parse_punctuation(",")
        high = read_integer(parser, 32)
        parser.parse_punctuation(")")
        properties["vscale_range"] = ods.attr_class("llvm.vscale_range")(
            IntegerAttr(low, i32), IntegerAttr(high, i32)
        )
    if parser.parse_optional_keyword("comdat") is not None:
        parser.parse_punctuation("(")
        properties["comdat"] = parser.parse_attribute()
        parser.parse_punctuation(")")
    given = parser.parse_optional_attr_dict_with_keyword()
    inherent, discardable = split("llvm.func", dict(given.data) if given is not None else {})
    properties.update(inherent)
    for key, group in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(attrs for _, attrs in group):
            properties[key] = ArrayAttr([DictionaryAttr(attrs) for _, attrs in group])
    region = parser.parse_optional_region(named)
    if region is None or _is_empty(region):  # braces with nothing in them are no body
        region = Region()
    return ods.create("llvm.func", (), (), properties, discardable, [region])


def _is_empty(region: Region) -> bool:
    block = region.blocks.first
    return block is not None and block is region.blocks.last and not (block.args or block.first_op)


def _parse_arguments(parser: Parser) -> tuple[list[Parser.Argument], Signature, bool]:
    """(block arguments that are named, all types with attributes, whether `...` closes the list)"""
    named: list[Parser.Argument] = []
    found: Signature = []
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return named, found, False
    variadic = False
    while True:
        if parser.parse_optional_punctuation("...") is not None:
            variadic = True
            break
        argument = parser.parse_optional_argument()
        if argument is None:
            if named:
                parser.raise_error("expected SSA identifier")
            t = parser.parse_type()
            found.append((t, parser.parse_optional_dictionary_attr_dict()))
            parser.parse_optional_location()
        else:
            if len(named) < len(found):
                parser.raise_error("expected type instead of SSA identifier")
            attrs = parser.parse_optional_dictionary_attr_dict()
            argument.location = parser.parse_optional_location()
            named.append(argument)
            found.append((argument.type, attrs))
        if parser.parse_optional_punctuation(",") is None:
            break
    if variadic and parser.parse_optional_punctuation(",") is not None:
        parser.raise_error("variadic arguments must be in the end of the argument list")
    parser.parse_punctuation(")")
    return named, found, variadic


def _parse_results(parser: Parser) -> Signature:
    if parser.parse_optional_punctuation("->") is None:
        return []
    if parser.parse_optional_punctuation("(") is None:
        return [(parser.parse_type(), {})]
    if parser.parse_optional_punctuation(")") is not None:
        return []
    found: Signature = [(parser.parse_type(), parser.parse_optional_dictionary_attr_dict())]
    while parser.parse_optional_punctuation(",") is not None:
        found.append((parser.parse_type(), parser.parse_optional_dictionary_attr_dict()))
    parser.parse_punctuation(")")
    return found


#: What is printed elsewhere than in the attribute dictionary.
_HIDDEN_OF_FUNC = (
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "linkage",
    "CConv",
    "visibility_",
    "comdat",
    "unnamed_addr",
    "vscale_range",
)


def print_func(op: llvm.FuncOp, printer: Printer) -> None:
    properties = op.properties
    text = " "
    linkage = cast("Attribute | None", properties.get("linkage"))
    convention = cast("Attribute | None", properties.get("CConv"))
    if isinstance(linkage, LinkageAttr) and linkage.data != "external":
        text += linkage.data + " "
    text += choice(properties.get("visibility_"), VISIBILITY)
    text += choice(properties.get("unnamed_addr"), UNNAMED_ADDR)
    if isinstance(convention, CConvAttr) and convention.data != "ccc":
        text += convention.data + " "
    printer.print_string(text)
    printer.print_symbol_name(properties["sym_name"].data)
    _print_func_signature(op, printer)
    if (scale := properties.get("vscale_range")) is not None:
        low, high = scale.data
        printer.print_string(f" vscale_range({low.value.data}, {high.value.data})")
    if (comdat := properties.get("comdat")) is not None:
        printer.print_string(" comdat(")
        printer.print_attribute(comdat)
        printer.print_string(")")
    print_dict(printer, op, _HIDDEN_OF_FUNC, keyword=True)
    region = op.regions[0]
    if region.blocks:
        printer.print_string(" ")
        printer.print_region(region, print_entry_block_args=False)


def _print_func_signature(op: llvm.FuncOp, printer: Printer) -> None:
    properties = op.properties
    kind: LLVMFunctionType = properties["function_type"]
    attrs, entry = properties.get("arg_attrs"), op.regions[0].blocks.first
    printer.print_string("(")
    for i, t in enumerate(kind.arguments):
        if i:
            printer.print_string(", ")
        own: Mapping[str, Attribute] = (
            attrs.data[i].data if attrs is not None and i < len(attrs.data) else {}
        )
        if entry is not None and i < len(entry.args):
            print_argument(printer, entry.args[i], own)
            continue
        printer.print_attribute(t)
        printer.print_op_attributes(own)
    if kind.variadic:
        printer.print_string(", ..." if kind.arguments else "...")
    printer.print_string(")")
    if isinstance(kind.result, LLVMVoidType):
        return
    results = properties.get("res_attrs")
    own = results.data[0].data if results is not None and results.data else {}
    printer.print_string(" -> (" if own else " -> ")
    printer.print_attribute(kind.result)
    printer.print_op_attributes(own)
    if own:
        printer.print_string(")")
