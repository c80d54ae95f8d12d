# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Affine maps over values: how they are written, which values they take, how they are applied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.core.ir import affine
from xgpu.core.ir.construction import current_token
from xgpu.core.ir.errors import op_error
from xgpu.core.ods.registry import op_spec
from xgpu.dialects.syntax_helpers import print_list, print_operands

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer


# -- Affine expressions over values, with nothing but what any parser of xDSL can do.
#
# Our own parser reads them itself; xDSL's reads no `symbol(%n)`.


#: Reads a value, or `symbol(value)`, that begins with a text.
OperandReader = Callable[[str], AffineExpr]


def parse_expression(parser: Parser, operand: OperandReader) -> AffineExpr:
    """Sums and differences of terms."""
    found = _term(parser, operand)
    while True:
        if parser.parse_optional_punctuation("+") is not None:
            found = found + _term(parser, operand)
        elif parser.parse_optional_punctuation("-") is not None:
            found = found - _term(parser, operand)
        else:
            return found


def _term(parser: Parser, operand: OperandReader) -> AffineExpr:
    """Products, quotients and remainders of factors."""
    found = _factor(parser, operand)
    while True:
        if parser.parse_optional_punctuation("*") is not None:
            found = found * _factor(parser, operand)
            continue
        word = parser.parse_optional_keyword_in(("floordiv", "ceildiv", "mod"))
        if word is None:
            return found
        right = _factor(parser, operand)
        if word == "floordiv":
            found = found // right
        else:
            found = found.ceil_div(right) if word == "ceildiv" else found % right


def _factor(parser: Parser, operand: OperandReader) -> AffineExpr:
    if parser.parse_optional_punctuation("(") is not None:
        found = parse_expression(parser, operand)
        parser.parse_punctuation(")")
        return found
    if parser.parse_optional_punctuation("-") is not None:
        return -_factor(parser, operand)
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        return AffineConstantExpr(number)
    return operand(current_token(parser).text)


def parse_dims_and_symbols(parser: Parser) -> tuple[list[SSAValue], int]:
    """`(dims)[symbols]`: the operands, all of index type, and how many are dimensions."""
    dims = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    symbols = (
        parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        or []
    )
    index = IndexType()
    return [parser.resolve_operand(o, index) for o in (*dims, *symbols)], len(dims)


def print_dims_and_symbols(printer: Printer, operands: Sequence[SSAValue], num_dims: int) -> None:
    """What `parse_dims_and_symbols` reads."""
    printer.print_string("(")
    print_operands(printer, operands[:num_dims])
    printer.print_string(")")
    if len(operands) > num_dims:
        printer.print_string("[")
        print_operands(printer, operands[num_dims:])
        printer.print_string("]")


class OperandExpressions:
    """Reads expressions over values and numbers the values that they mention."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._dims: dict[tuple[str, int], tuple[AffineExpr, Operand]] = {}
        self._symbols: dict[tuple[str, int], tuple[AffineExpr, Operand]] = {}

    def expression(self) -> AffineExpr:
        """One expression."""
        parser = self._parser
        if not hasattr(parser, "_affine_operand"):
            return parse_expression(parser, self._operand)
        outer = parser._affine_operand, parser._affine_names
        # The only names here are those of values.
        parser._affine_operand, parser._affine_names = self._operand, {}
        try:
            return parser.parse_affine_expression()
        finally:
            parser._affine_operand, parser._affine_names = outer

    def _operand(self, text: str) -> AffineExpr:
        parser = self._parser
        if text == "symbol":
            parser.parse_keyword("symbol")
            parser.parse_punctuation("(")
            operand = parser.parse_unresolved_operand()
            parser.parse_punctuation(")")
            return _number(self._symbols, operand, AffineSymExpr)
        return _number(self._dims, parser.parse_unresolved_operand(), AffineDimExpr)

    def map(self, results: Sequence[AffineExpr]) -> AffineMap:
        """The map of expressions that were read."""
        return AffineMap(len(self._dims), len(self._symbols), tuple(results))

    def operands(self) -> list[SSAValue]:
        """The values: dimensions, then symbols."""
        index = IndexType()
        found = [operand for _, operand in (*self._dims.values(), *self._symbols.values())]
        return [self._parser.resolve_operand(operand, index) for operand in found]


def _number(
    table: dict[tuple[str, int], tuple[AffineExpr, Operand]],
    operand: Operand,
    make: Callable[[int], AffineExpr],
) -> AffineExpr:
    key = (operand.operand_name, operand.index)
    if key not in table:
        table[key] = (make(len(table)), operand)
    return table[key][0]


def parse_subscripts(parser: Parser) -> tuple[AffineMap, list[SSAValue]]:
    """`[%i + 1, symbol(%n)]`"""
    expressions = OperandExpressions(parser)
    results = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, expressions.expression)
    return expressions.map(results), expressions.operands()


def print_subscripts(printer: Printer, affine_map: AffineMap, operands: Sequence[SSAValue]) -> None:
    """What `parse_subscripts` reads."""
    printer.print_string("[")
    print_list(
        printer,
        affine_map.results,
        lambda expr: print_expression(printer, expr, operands, affine_map.num_dims),
    )
    printer.print_string("]")


def print_expression(
    printer: Printer, expr: AffineExpr, operands: Sequence[SSAValue], num_dims: int
) -> None:
    """An expression with the names of the values in it."""
    from xgpu.core.syntax.affine_printer import expr_text

    # Names are only known to the printer: print pieces between them.
    marks: list[tuple[bool, SSAValue]] = []

    def name(is_symbol: bool, position: int) -> str:
        marks.append((is_symbol, operands[position + (num_dims if is_symbol else 0)]))
        return f"\x01{len(marks) - 1}\x01"

    for place, piece in enumerate(expr_text(expr, name).split("\x01")):
        if place % 2 == 0:
            printer.print_string(piece)
            continue
        is_symbol, value = marks[int(piece)]
        printer.print_string("symbol(" if is_symbol else "")
        printer.print_ssa_value(value)
        printer.print_string(")" if is_symbol else "")


# -- Which values may be dimensions and symbols of affine operations.
#
# A symbol is a value that is fixed in its affine scope (a function, usually): defined at the top of
# the scope, a constant, or what a pure operation makes of symbols. A dimension is a symbol, the
# induction variable of an affine loop, or an affine expression of dimensions.


_LOOPS = frozenset(("affine.for", "affine.parallel"))
_EXPRESSIONS = frozenset(("affine.apply", "affine.delinearize_index", "affine.linearize_index"))
_DIMS = frozenset(("memref.dim", "tensor.dim"))


def _has_trait(op: Operation, name: str) -> bool:
    if op.name == "builtin.module":
        return name in ("AffineScope", "IsolatedFromAbove")
    spec = op_spec(op.name)
    return spec is not None and name in spec.traits


def affine_scope(op: Operation) -> Region | None:
    """The region of the nearest operation that is an affine scope."""
    current = op
    while True:
        region = current.parent_region()
        parent = current.parent_op()
        if parent is None or _has_trait(parent, "AffineScope"):
            return region if parent is not None else None
        current = parent


def _defining_op(value: SSAValue) -> Operation | None:
    return None if isinstance(value.owner, Block) else value.owner


def _region_of(value: SSAValue) -> Region | None:
    owner = value.owner
    return owner.parent if isinstance(owner, Block) else owner.parent_region()


def is_top_level(value: SSAValue, region: Region | None = None) -> bool:
    """Whether `value` is defined directly in `region`, or in that of an affine scope."""
    own = _region_of(value)
    if region is not None:
        return own is region
    return own is not None and own.parent is not None and _has_trait(own.parent, "AffineScope")


def is_valid_dim(value: SSAValue, region: Region | None) -> bool:
    """Whether `value` may be a dimension in the affine scope `region`."""
    if value.type.name != "index":
        return False
    if is_valid_symbol(value, region):
        return True
    op = _defining_op(value)
    if op is None:
        parent = value.owner.parent_op()
        return parent is not None and parent.name in _LOOPS
    if op.name in _EXPRESSIONS:
        return all(is_valid_dim(operand, region) for operand in op.operands)
    if op.name in _DIMS:
        return is_top_level(op.operands[0])
    return False


def is_valid_symbol(value: SSAValue, region: Region | None) -> bool:
    """Whether `value` may be a symbol in the affine scope `region`."""
    if value.type.name != "index":
        return False
    if region is not None and is_top_level(value, region):
        return True
    op = _defining_op(value)
    if op is not None:
        spec = op_spec(op.name)
        if spec is not None and "ConstantLike" in spec.traits:
            return True
        if op.name in _EXPRESSIONS:
            return all(is_valid_symbol(operand, region) for operand in op.operands)
        if op.name in _DIMS:
            return _is_dim_symbol(op, region)
        if (
            spec is not None
            and "Pure" in spec.traits
            and all(is_valid_symbol(operand, region) for operand in op.operands)
        ):
            return True
    parent = None if region is None else region.parent
    if parent is not None and not _has_trait(parent, "IsolatedFromAbove"):
        return is_valid_symbol(value, parent.parent_region())
    return False


def _is_dim_symbol(op: Operation, region: Region | None) -> bool:
    shaped = op.operands[0]
    if is_top_level(shaped):
        return True
    source = _defining_op(shaped)
    index = _defining_op(op.operands[1])
    if source is None or index is None or index.name != "arith.constant":
        return False
    number = cast("IntegerAttr", index.properties["value"]).value.data
    if source.name not in ("memref.alloc", "memref.alloca", "memref.view", "memref.subview"):
        return False
    shape = cast("MemRefType", source.results[0].type)
    sizes = shape.get_shape()
    if not 0 <= number < len(sizes):
        return False
    if sizes[number] >= 0:
        return True
    place = sum(1 for size in sizes[:number] if size < 0)
    spec = op_spec(source.name)
    names = [field.name for field in spec.operands] if spec is not None else []
    group = next((i for i, n in enumerate(names) if n in ("dynamicSizes", "sizes")), None)
    if group is None:
        return False
    values = source.operand_group(group)  # pyright: ignore[reportAttributeAccessIssue]
    return place < len(values) and is_valid_symbol(values[place], region)


def verify_dims_and_symbols(op: Operation, operands: Sequence[SSAValue], num_dims: int) -> None:
    """The operands of a map may be the dimensions and symbols that they are."""
    scope = affine_scope(op)
    for index, operand in enumerate(operands):
        if index < num_dims:
            if not is_valid_dim(operand, scope):
                raise op_error(op, "operand cannot be used as a dimension id")
        elif not is_valid_symbol(operand, scope):
            raise op_error(op, "operand cannot be used as a symbol")


# -- Expressions of `affine.apply`: what to put for dimensions and symbols.


#: A value, or the integer that it is known to be.
Mixed = SSAValue | int

#: What makes, and simplifies, an expression of each kind.
BUILD = {
    AffineBinaryOpKind.Add: affine.add,
    AffineBinaryOpKind.Mul: affine.mul,
    AffineBinaryOpKind.FloorDiv: affine.floordiv,
    AffineBinaryOpKind.CeilDiv: affine.ceildiv,
    AffineBinaryOpKind.Mod: affine.mod,
}


def symbol(position: int) -> AffineExpr:
    return AffineSymExpr(position)


def constant(value: int) -> AffineExpr:
    return AffineConstantExpr(value)


def substitute(
    expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr]
) -> AffineExpr:
    """`expr` with its dimensions and symbols replaced, simplified on the way."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if isinstance(expr, AffineBinaryOpExpr):
        lhs, rhs = substitute(expr.lhs, dims, symbols), substitute(expr.rhs, dims, symbols)
        return BUILD[expr.kind](lhs, rhs)
    return expr
