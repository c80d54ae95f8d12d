# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of affine: loops, maps over values, and memory accesses with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.core import ods
from xgpu.core.ir.elements import dense_of
from xgpu.core.ir.errors import op_error
from xgpu.core.syntax.formats.numbers import read_typed_number
from xgpu.dialects import affine
from xgpu.dialects.affine.maps import (
    OperandExpressions,
    affine_scope,
    is_valid_dim,
    is_valid_symbol,
    parse_dims_and_symbols,
    parse_subscripts,
    print_dims_and_symbols,
    print_expression,
    print_subscripts,
)
from xgpu.dialects.memref.syntax import (
    parse_memref_type,
    parse_prefetch_words,
    print_prefetch_words,
    reduction_kinds,
)
from xgpu.dialects.syntax_helpers import (
    UntypedArgument,
    ensure_terminator,
    parse_assignments,
    parse_optional_arrow_types,
    parse_type_or_list,
    parse_untyped_argument,
    print_assignments,
    print_attr_dict,
    print_list,
    print_operands,
    print_optional_arrow_types,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook, PrintHook


# -- `affine.dma_start` and `affine.dma_wait`: syntax and verifiers.
#
# The operands are buffers, each followed by the operands of its map; the maps are discardable
# attributes, as in MLIR.


_SHORT = {"source": "src", "destination": "dst", "tag": "tag"}
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
    for (memref, _, indices), (_, words) in zip(parts, _START, strict=True):
        if memref.type.name != "memref":
            raise op_error(op, f"expected DMA {words} to be of memref type")
        _verify_dma_indices(op, f"{_SHORT[words]} index", indices)
    if len(rest) not in (1, 3):
        raise op_error(op, "incorrect number of operands")


def verify_dma_wait(op: Operation) -> None:
    """The tag is a memref, and its subscripts are dimensions and symbols."""
    parts, rest = dma_parts(op, ("tag_map",))
    if len(rest) != 1:
        raise op_error(op, "incorrect number of operands")
    memref, _, indices = parts[0]
    if memref.type.name != "memref":
        raise op_error(op, "expected DMA tag to be of memref type")
    _verify_dma_indices(op, "index", indices)


def _verify_dma_indices(op: Operation, what: str, indices: Sequence[SSAValue]) -> None:
    """Which of the two an index is does not matter."""
    scope = affine_scope(op)
    for index in indices:
        if not (is_valid_dim(index, scope) or is_valid_symbol(index, scope)):
            raise op_error(op, f"{what} must be a valid dimension or symbol identifier")


# -- The syntax of `affine.for`, `affine.if` and `affine.parallel`.


# -- for ----------------------------------------------------------------------------------------


def parse_for(parser: Parser) -> Operation:
    """`%i (loc(..))? = lower to upper (step n)? (iter_args(%a = %b) -> (types))? {...}`"""
    induction = parse_untyped_argument(parser)
    parser.parse_punctuation("=")
    lower_map, lower = _parse_bound(parser, "lower", "max")
    parser.parse_keyword("to", " between bounds")
    upper_map, upper = _parse_bound(parser, "upper", "min")
    step = 1
    if parser.parse_optional_keyword("step") is not None:
        position = parser.pos
        number = read_typed_number(parser, IndexType())
        if number is None:
            raise parser.expected("expected attribute value")
        step = number.value.data
        if step < 0:
            parser.raise_error(
                "expected step to be representable as a positive signed integer", position
            )
    inner: list[UntypedArgument] = []
    outer: list[Operand] = []
    types: list[Attribute] = []
    position = parser.pos
    if parser.parse_optional_keyword("iter_args") is not None:
        inner, outer = parse_assignments(parser)
        parser.parse_punctuation("->")
        types = parse_type_or_list(parser)
    if len(outer) != len(types):
        parser.raise_error(
            "mismatch between the number of loop-carried values and results", parser.op_start
        )
    inits = parser.resolve_operands(outer, types, position)
    region = parser.parse_region(
        [induction.resolve(IndexType()), *(a.resolve(t) for a, t in zip(inner, types, strict=True))]
    )
    if not types:
        ensure_terminator(region, "affine.yield")
    attributes = parser.parse_optional_attr_dict()
    properties = {
        "lowerBoundMap": AffineMapAttr(lower_map),
        "upperBoundMap": AffineMapAttr(upper_map),
        "step": IntegerAttr(step, IndexType()),
    }
    return ods.create("affine.for", [lower, upper, inits], types, properties, attributes, [region])


def _parse_bound(parser: Parser, which: str, word: str) -> tuple[AffineMap, list[SSAValue]]:
    """`%value`, a number, or `max|min? #map(dims)[symbols]`"""
    found_word = parser.parse_optional_keyword(word) is not None
    operand = parser.parse_optional_unresolved_operand()
    if operand is not None:
        value = parser.resolve_operand(operand, IndexType())
        return AffineMap(0, 1, (AffineSymExpr(0),)), [value]
    position = parser.pos
    number = read_typed_number(parser, IndexType())
    if number is not None:
        return AffineMap(0, 0, (AffineConstantExpr(number.value.data),)), []
    bound = parser.parse_attribute()
    if not isinstance(bound, AffineMapAttr):
        parser.raise_error("expected valid affine map representation for loop bounds", position)
    at = parser.pos
    operands, dims = parse_dims_and_symbols(parser)
    affine_map = bound.data
    if dims != affine_map.num_dims:
        parser.raise_error("dim operand count and affine map dim count must match", at)
    if len(operands) - dims != affine_map.num_symbols:
        parser.raise_error("symbol operand count and affine map symbol count must match", at)
    if len(affine_map.results) > 1 and not found_word:
        parser.raise_error(
            f"{which} loop bound affine map with multiple results requires '{word}' prefix",
            position,
        )
    return affine_map, operands


def print_for(op: affine.ForOp, printer: Printer) -> None:
    block = op.regions[0].block
    printer.print_string(" ")
    printer.print_block_argument(block.args[0], print_type=False)
    printer.print_string(" = ")
    properties = op.properties
    _print_bound(printer, properties["lowerBoundMap"], op.operand_group(0), "max")
    printer.print_string(" to ")
    _print_bound(printer, properties["upperBoundMap"], op.operand_group(1), "min")
    step = properties["step"].value.data
    if step != 1:
        printer.print_string(f" step {step}")
    inits = op.operand_group(2)
    if inits:
        print_assignments(printer, block.args[1:], inits, " iter_args")
        printer.print_string(" -> (")
        print_list(printer, [v.type for v in inits], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.regions[0], print_entry_block_args=False, print_block_terminators=bool(inits)
    )
    print_attr_dict(printer, op, ("lowerBoundMap", "upperBoundMap", "step"))


def _print_bound(
    printer: Printer, bound: AffineMapAttr, operands: Sequence[SSAValue], word: str
) -> None:
    affine_map = bound.data
    results = affine_map.results
    if len(results) == 1:
        expr = results[0]
        if not affine_map.num_dims and not affine_map.num_symbols:
            if isinstance(expr, AffineConstantExpr):
                printer.print_string(str(expr.value))
                return
        elif isinstance(expr, AffineSymExpr) and len(operands) == 1:
            printer.print_ssa_value(operands[0])
            return
    else:
        printer.print_string(word + " ")
    printer.print_attribute(bound)
    print_dims_and_symbols(printer, operands, affine_map.num_dims)


# -- if -----------------------------------------------------------------------------------------


def parse_if(parser: Parser) -> Operation:
    """`#set(dims)[symbols] (-> types)? {...} (else {...})?`"""
    position = parser.pos
    condition = parser.parse_attribute()
    if not isinstance(condition, AffineSetAttr):
        parser.raise_error("expected condition to be an integer set", position)
    at = parser.pos
    operands, dims = parse_dims_and_symbols(parser)
    if dims != condition.data.num_dims:
        parser.raise_error("dim operand count and integer set dim count must match", at)
    if len(operands) - dims != condition.data.num_symbols:
        parser.raise_error("symbol operand count and integer set symbol count must match", at)
    types = parse_optional_arrow_types(parser)
    then = ensure_terminator(parser.parse_region(), "affine.yield")
    otherwise = Region()
    if parser.parse_optional_keyword("else") is not None:
        otherwise = ensure_terminator(parser.parse_region(), "affine.yield")
    attributes = parser.parse_optional_attr_dict()
    properties = {"condition": condition}
    return ods.create("affine.if", operands, types, properties, attributes, [then, otherwise])


def print_if(op: Operation, printer: Printer) -> None:
    condition = cast("AffineSetAttr", op.properties["condition"])
    printer.print_string(" ")
    printer.print_attribute(condition)
    print_dims_and_symbols(printer, op.operands, condition.data.num_dims)
    print_optional_arrow_types(printer, [result.type for result in op.results])
    printer.print_string(" ")
    show = bool(op.results)
    then, otherwise = op.regions
    printer.print_region(then, print_entry_block_args=False, print_block_terminators=show)
    if otherwise.first_block is not None:
        printer.print_string(" else ")
        printer.print_region(otherwise, print_entry_block_args=False, print_block_terminators=show)
    print_attr_dict(printer, op, ("condition",))


# -- parallel -----------------------------------------------------------------------------------


def parse_parallel(parser: Parser) -> Operation:
    """`(%i, ..) = (bounds) to (bounds) (step (n, ..))? (reduce ("kind", ..) -> types)? {...}`"""
    inductions = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_untyped_argument(parser)
    )
    parser.parse_punctuation("=")
    lower_map, lower_groups, lower = _parse_bounds(parser, "max")
    parser.parse_keyword("to")
    upper_map, upper_groups, upper = _parse_bounds(parser, "min")
    steps = [1] * len(inductions)
    if parser.parse_optional_keyword("step") is not None:
        steps = _parse_steps(parser)
    reductions: list[IntegerAttr] = []
    if parser.parse_optional_keyword("reduce") is not None:
        reductions = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_reduction(parser)
        )
    types = parse_optional_arrow_types(parser)
    index = IndexType()
    region = parser.parse_region([a.resolve(index) for a in inductions])
    attributes = parser.parse_optional_attr_dict()
    ensure_terminator(region, "affine.yield")
    properties = {
        "lowerBoundsMap": AffineMapAttr(lower_map),
        "lowerBoundsGroups": _i32_tensor(lower_groups),
        "upperBoundsMap": AffineMapAttr(upper_map),
        "upperBoundsGroups": _i32_tensor(upper_groups),
        "steps": ArrayAttr([IntegerAttr(step, i64) for step in steps]),
        "reductions": ArrayAttr(reductions),
    }
    return ods.create("affine.parallel", [*lower, *upper], types, properties, attributes, [region])


def _parse_steps(parser: Parser) -> list[int]:
    """`(1, 2 * 8)`: expressions that are constants."""
    expressions = OperandExpressions(parser)
    found = parser.parse_comma_separated_list(parser.Delimiter.PAREN, expressions.expression)
    steps = [expr.value for expr in found if isinstance(expr, AffineConstantExpr)]
    if len(steps) != len(found):
        parser.raise_error("steps must be constant integers")
    return steps


def _parse_bounds(parser: Parser, word: str) -> tuple[AffineMap, list[int], list[SSAValue]]:
    """`(expr, max(expr, ..), ..)`: one map, how many results each bound has, the operands."""
    expressions = OperandExpressions(parser)
    results: list[AffineExpr] = []
    groups: list[int] = []

    def bound() -> None:
        if parser.parse_optional_keyword(word) is not None:
            group = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, expressions.expression
            )
        else:
            group = [expressions.expression()]
        results.extend(group)
        groups.append(len(group))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, bound)
    return expressions.map(results), groups, expressions.operands()


def _i32_tensor(values: list[int]) -> DenseIntOrFPElementsAttr:
    return dense_of(TensorType(i32, [len(values)]), values)


def _parse_reduction(parser: Parser) -> IntegerAttr:
    position = parser.pos
    word = parser.parse_str_literal()
    kinds = reduction_kinds()
    if word not in kinds:
        parser.raise_error(f'invalid reduction value: "{word}"', position)
    return IntegerAttr(kinds[word], i64)


def print_parallel(op: affine.ParallelOp, printer: Printer) -> None:
    properties = op.properties
    printer.print_string(" (")
    print_operands(printer, op.regions[0].block.args)
    printer.print_string(") = (")
    lower_map = properties["lowerBoundsMap"].data
    split = lower_map.num_dims + lower_map.num_symbols
    _print_bounds(printer, lower_map, properties["lowerBoundsGroups"], op.operands[:split], "max")
    printer.print_string(") to (")
    _print_bounds(
        printer,
        properties["upperBoundsMap"].data,
        properties["upperBoundsGroups"],
        op.operands[split:],
        "min",
    )
    printer.print_string(")")
    steps = [step.value.data for step in properties["steps"].data]
    if any(step != 1 for step in steps):
        printer.print_string(f" step ({', '.join(map(str, steps))})")
    if op.results:
        names = {value: name for name, value in reduction_kinds().items()}
        words = [f'"{names[kind.value.data]}"' for kind in properties["reductions"].data]
        printer.print_string(f" reduce ({', '.join(words)}) -> (")
        print_list(printer, [result.type for result in op.results], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.regions[0], print_entry_block_args=False, print_block_terminators=bool(op.results)
    )
    elided = ("lowerBoundsMap", "lowerBoundsGroups", "upperBoundsMap", "upperBoundsGroups",
              "steps", "reductions")  # fmt: skip
    print_attr_dict(printer, op, elided)


def _print_bounds(
    printer: Printer,
    affine_map: AffineMap,
    groups: DenseIntOrFPElementsAttr[IntegerType],
    operands: Sequence[SSAValue],
    word: str,
) -> None:
    at = 0

    def one(expr: AffineExpr) -> None:
        print_expression(printer, expr, operands, affine_map.num_dims)

    for place, size in enumerate(cast("Iterable[int]", groups.iter_values())):
        if place:
            printer.print_string(", ")
        results = affine_map.results[at : at + size]
        at += size
        if size == 1:
            one(results[0])
            continue
        printer.print_string(word + "(")
        print_list(printer, results, one)
        printer.print_string(")")


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
