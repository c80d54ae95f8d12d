# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading affine maps and integer sets. A part of the parser."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from xgpu.core.ir.affine import add, ceildiv, floordiv, is_symbolic_or_constant, mod, mul, negate
from xgpu.core.ir.integers import integer_value
from xgpu.core.syntax.lexer import is_integer, is_word
from xgpu.core.syntax.parser_base import ParserBase


class AffineParser(ParserBase):
    """Maps and sets; a part of the parser. `_affine_names` are the names that are in scope."""

    _affine_names: dict[str, AffineExpr] = {}
    #: For maps over values (`[%i + 1]`): what to do with a `%name`; None elsewhere.
    _affine_operand: Callable[[str], AffineExpr] | None = None

    def parse_affine_map(self) -> AffineMap:
        dims, symbols = self._parse_dims_and_symbols()
        if self._texts[self._at] != "->":
            self.expected("expected '->' or ':'")
        self._at += 1
        return AffineMap(dims, symbols, tuple(self._parse_affine_results()))

    def parse_affine_set(self) -> AffineSet:
        dims, symbols = self._parse_dims_and_symbols()
        if self._texts[self._at] != ":":
            self.expected("expected '->' or ':'")
        self._at += 1
        constraints = self.parse_comma_separated_list(
            self.Delimiter.PAREN,
            self._parse_affine_constraint,
            " in integer set constraint list",
        )
        if not constraints:
            constraints = [
                AffineConstraintExpr(
                    AffineConstraintKind.eq,
                    AffineConstantExpr(0),
                    AffineConstantExpr(0),
                    canonicalize=False,
                )
            ]
        return AffineSet(dims, symbols, tuple(constraints))

    def _parse_affine_results(self) -> list[AffineExpr]:
        return self.parse_comma_separated_list(
            self.Delimiter.PAREN, self.parse_affine_expression, " in affine map range"
        )

    def _parse_dims_and_symbols(self) -> tuple[int, int]:
        names: dict[str, AffineExpr] = {}
        self._affine_names = names
        counts = [0, 0]

        def read(which: int) -> None:
            text = self._text
            if not is_word(text):
                self.expected("expected bare identifier")
            if text in names:
                self.fail(f"redefinition of identifier '{text}'")
            cls = AffineSymExpr if which else AffineDimExpr
            names[text] = cls(counts[which])
            counts[which] += 1
            self._at += 1

        self.parse_comma_separated_list(
            self.Delimiter.PAREN, lambda: read(0), " in dimensional identifier list"
        )
        if self._texts[self._at] == "[":
            self.parse_comma_separated_list(
                self.Delimiter.SQUARE, lambda: read(1), " in symbol list"
            )
        return counts[0], counts[1]

    def _parse_affine_constraint(self) -> AffineConstraintExpr:
        lhs = self.parse_affine_expression()
        text = self._texts[self._at]
        second = self._texts[self._at + 1]
        if text == "=" and second == "=":
            kind = AffineConstraintKind.eq
        elif text == ">" and second == "=":
            kind = AffineConstraintKind.ge
        elif text == "<" and second == "=":
            kind = AffineConstraintKind.le
        else:
            if text in (">", "<", "="):
                self._at += 1
            raise self.fail(
                "expected '== affine-expr' or '>= affine-expr' at end of affine constraint"
            )
        self._at += 2
        rhs = self.parse_affine_expression()
        if kind is AffineConstraintKind.le:
            kind, lhs, rhs = AffineConstraintKind.ge, rhs, lhs
        return AffineConstraintExpr(
            kind, add(lhs, negate(rhs)), AffineConstantExpr(0), canonicalize=False
        )

    def parse_affine_expression(self) -> AffineExpr:
        """Terms joined by `+` and `-`."""
        expr = self._parse_affine_term()
        texts = self._texts
        while True:
            text = texts[self._at]
            if text == "+":
                self._at += 1
                expr = add(expr, self._parse_affine_term(True))
            elif text == "-":
                self._at += 1
                least = None
                if self._texts[self._at + 1] not in ("*", "floordiv", "ceildiv", "mod"):
                    least = self._parse_least_integer()
                if least is None:
                    least = negate(self._parse_affine_term(True))
                expr = add(expr, least)
            else:
                return expr

    def _parse_least_integer(self) -> AffineExpr | None:
        """What follows a minus if both are the least integer, which is printed so: its positive is
        too large for a number of its own."""
        text = self._text
        if not is_integer(text) or integer_value(text) != 1 << 63:
            return None
        self._at += 1
        return AffineConstantExpr(-(1 << 63))

    def _parse_affine_term(self, after_operator: bool = False) -> AffineExpr:
        """Factors joined by `*`, `floordiv`, `ceildiv`, `mod`."""
        expr = self._parse_affine_factor(after_operator)
        while True:
            text = self._texts[self._at]
            if text not in ("*", "floordiv", "ceildiv", "mod"):
                return expr
            position = self.pos
            self._at += 1
            rhs = self._parse_affine_factor(True)
            if text == "*":
                if not is_symbolic_or_constant(expr) and not is_symbolic_or_constant(rhs):
                    raise self.error_at(
                        position,
                        "non-affine expression: at least one of the multiply operands has to be "
                        "either a constant or symbolic",
                    )
                expr = mul(expr, rhs)
                continue
            if not is_symbolic_or_constant(rhs):
                raise self.error_at(
                    position,
                    f"non-affine expression: right operand of {text} has to be either a constant "
                    "or symbolic",
                )
            expr = {"floordiv": floordiv, "ceildiv": ceildiv, "mod": mod}[text](expr, rhs)

    def _parse_affine_factor(self, after_operator: bool = False) -> AffineExpr:
        text = self._text
        if text == "(":
            self._at += 1
            if self._texts[self._at] == ")":
                self.fail("no expression inside parentheses")
            expr = self.parse_affine_expression()
            self.parse_punctuation(")", "")
            return expr
        if text == "-":
            self._at += 1
            least = self._parse_least_integer()
            return negate(self._parse_affine_factor()) if least is None else least
        if is_integer(text):
            self._at += 1
            value = integer_value(text)
            if value >= 1 << 63:
                self._at -= 1
                self.fail("constant too large for index")
            return AffineConstantExpr(value)
        if self._affine_operand is not None and (text[:1] == "%" or text == "symbol"):
            return self._affine_operand(text)
        if is_word(text):
            found = self._affine_names.get(text)
            if found is None:
                raise self.expected("use of undeclared identifier")
            self._at += 1
            return found
        if after_operator:
            self.fail("missing right operand of binary operator")
        if text in ("*", "+"):
            self.fail("missing left operand of binary operator")
        raise self.expected("expected affine expression")
