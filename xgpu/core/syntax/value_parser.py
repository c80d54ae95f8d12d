# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of values: uses before and after definitions. A part of the parser.

Value names live in `_named`, one dictionary for a region that is isolated from above and for all
that it contains; `_scopes` remembers which names a region defined, and they go when it ends. A name
stands for one value, or for a list of them (`%0:2`). A value that is used before it is defined is a
`ForwardValue` until then; several of one name are in a dictionary by their number, which may be
any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast, overload

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.parser import Parser as XdslParser
from xdsl.parser import UnresolvedOperand
from xdsl.utils.lexer import Span

from xgpu.core.ir.construction import set_hint, value_type
from xgpu.core.ir.locations import SourceLoc
from xgpu.core.syntax.lexer import is_integer
from xgpu.core.syntax.parser_base import ForwardValue, Operand, ParserBase


class ValueParser(ParserBase):
    """Values by name; `self` is the parser."""

    # --- operands --------------------------------------------------------------------------
    def parse_optional_unresolved_operand(self) -> Operand | None:
        at = self._at
        name = self._texts[at]
        if name[:1] != "%" or len(name) < 2:
            return None
        suffix = self._texts[at + 1]
        if suffix[:1] == "#":
            digits = suffix[1:]
            # MLIR's are unsigned ints.
            if not is_integer(digits) or len(digits) > 10 or int(digits) >> 32:
                self._at = at + 1
                self.fail("invalid SSA value result number")
            self._at = at + 2
            return Operand(name, int(digits), self._starts[at], self)
        self._at = at + 1
        return Operand(name, 0, self._starts[at], self)

    def parse_unresolved_operand(self, msg: str = "expected SSA operand") -> Operand:
        at = self._at
        name = self._texts[at]
        if name[:1] == "%" and len(name) > 1 and self._texts[at + 1][:1] != "#":
            # The usual case, as below.
            self._at = at + 1
            return Operand(name, 0, self._starts[at], self)
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            raise self.expected("expected SSA operand")
        return operand

    def resolve_operand(self, operand: Any, type: Attribute) -> SSAValue:
        if operand.__class__ is not Operand:
            span = operand.span
            operand = Operand(span.text, operand.index, span.start, self)
        name = operand.name
        value = self._named.get(name)
        if value is None:
            return self._forward_value(operand, type)
        index = operand.index
        if value.__class__ is list:
            if index >= len(value):
                raise self.error_at(operand.position, "reference to invalid result number")
            value = value[index]
        elif value.__class__ is dict:
            value = value.get(index)
        elif index:
            if not isinstance(value, ForwardValue):
                raise self.error_at(operand.position, "reference to invalid result number")
            value = None
        if value is None:
            return self._forward_value(operand, type)
        known = value_type(value)
        if known is not type and known != type:
            raise self.error_at(
                operand.position,
                f"use of value '{name}' expects different type than prior uses: "
                f"'{self.as_text(type)}' vs '{self.as_text(known)}'",
                [(self._definition_location(name, index, value), "prior use here")],
            )
        return value

    def _definition_location(
        self, name: str, index: int, value: SSAValue | dict[int, ForwardValue]
    ) -> Attribute:
        """Where a name was defined or first used, for a note."""
        if isinstance(value, ForwardValue):
            return value.location
        position = self._definitions.get(name)
        if position is not None:
            return SourceLoc(self.source, position)
        if isinstance(value, dict):  # some of several results that are not defined yet
            return next(iter(value.values())).location
        owner = value.owner

        return (
            value.location
            if isinstance(value, BlockArgument)
            else cast("Operation", owner).location
        )

    def _forward_value(self, operand: Operand, type: Attribute) -> ForwardValue:
        value = ForwardValue(type)
        value.position = operand.position
        value.location = SourceLoc(self.source, operand.position)
        self._forward.append(value)
        self._unresolved[value] = None
        name, index = operand.name, operand.index
        known = self._named.get(name)
        if known is None and not index:
            self._named[name] = value
            return value
        if not isinstance(known, dict):
            known = {} if known is None else {0: known}
            self._named[name] = known
        known[index] = value
        return value

    def resolve_operands(
        self,
        args: Sequence[UnresolvedOperand],
        input_types: Sequence[Attribute],
        error_pos: int | object,
    ) -> list[SSAValue]:
        if len(args) != len(input_types):
            self.raise_error(
                "number of operands and types do not match: got "
                f"{len(args)} operands and {len(input_types)} types",
                error_pos if isinstance(error_pos, int) else self.pos,
            )
        return [self.resolve_operand(arg, ty) for arg, ty in zip(args, input_types, strict=True)]

    def parse_optional_operand(self, type: Attribute | None = None) -> SSAValue | None:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            return None
        if type is None:
            value = self._named.get(operand.name)
            if value is None:
                raise self.error_at(operand.position, "use of undeclared SSA value name")
            if value.__class__ is list:
                value = value[operand.index] if operand.index < len(value) else None
            elif value.__class__ is dict:
                value = value.get(operand.index)
            if value is None:
                raise self.error_at(operand.position, "use of undeclared SSA value name")
            return value
        return self.resolve_operand(operand, type)

    def parse_operand(self, type: Attribute | str | None = None, *, msg: str = "") -> SSAValue:
        operand = self.parse_optional_operand(type if isinstance(type, Attribute) else None)
        if operand is None:
            self.expected("expected SSA operand")
        return operand

    # --- definitions -----------------------------------------------------------------------
    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        position = span if isinstance(span, int) else span.start
        self._define("%" + name, values, position)

    def _define(self, name: str, values: Sequence[SSAValue], position: int) -> None:
        """Gives values a name. Who used the name before now uses the values."""
        table = self._named
        entry = table.get(name)
        if entry is not None:
            self._replace_forward(name, entry, values, position)
        table[name] = values[0] if len(values) == 1 else list(values)
        self._definitions[name] = position
        self._scopes[-1].append(name)
        if not name[1].isdigit():
            hint = name[1:]
            if hint[-1].isdigit() and "_" in hint:
                head, _, tail = hint.rpartition("_")
                if tail.isdigit():
                    hint = head
            if hint:
                for value in values:
                    set_hint(value, hint)

    def _replace_forward(
        self,
        name: str,
        entry: Any,
        values: Sequence[SSAValue],
        position: int,
    ) -> None:
        if entry.__class__ is dict:
            entries = sorted(entry.items())
        else:
            entries = [(0, entry[0] if entry.__class__ is list else entry)]
        for index, old in entries:
            if not isinstance(old, ForwardValue):
                place = self._definition_location(name, 0, old)
                raise self.error_at(
                    position,
                    f"redefinition of SSA value '{name}'",
                    [(place, "previously defined here")],
                )
            if index >= len(values):
                continue
            new = values[index]
            if new.type != old.type:
                raise self.error_at(
                    position,
                    f"definition of SSA value '{name}#{index}' has type '{self.as_text(new.type)}'",
                    [
                        (
                            SourceLoc(self.source, old.position),
                            f"previously used here with type '{self.as_text(old.type)}'",
                        )
                    ],
                )
            old.replace_all_uses_with(new)
            del self._unresolved[old]

    # --- arguments -------------------------------------------------------------------------
    @overload
    def parse_optional_argument(
        self, expect_type: Literal[True] = True
    ) -> XdslParser.Argument | None: ...
    @overload
    def parse_optional_argument(
        self, expect_type: Literal[False]
    ) -> XdslParser.UnresolvedArgument | None: ...
    @overload
    def parse_optional_argument(
        self, expect_type: bool = True
    ) -> XdslParser.Argument | XdslParser.UnresolvedArgument | None: ...
    def parse_optional_argument(
        self, expect_type: bool = True
    ) -> XdslParser.Argument | XdslParser.UnresolvedArgument | None:
        text = self._texts[self._at]
        if text[:1] != "%" or len(text) < 2:
            return None
        start = self._starts[self._at]
        self._at += 1
        span = Span(start, start + len(text), self.lexer.input)
        if self._texts[self._at][:1] == "#":
            self.fail("result number not allowed in argument list")
        if not expect_type:
            return self.UnresolvedArgument(span)
        self.parse_punctuation(":")
        return self.Argument(span, self.parse_type())

    @overload
    def parse_argument(self, *, expect_type: Literal[True] = True) -> XdslParser.Argument: ...
    @overload
    def parse_argument(self, *, expect_type: Literal[False]) -> XdslParser.UnresolvedArgument: ...
    @overload
    def parse_argument(
        self, *, expect_type: bool = True
    ) -> XdslParser.Argument | XdslParser.UnresolvedArgument: ...
    def parse_argument(
        self, *, expect_type: bool = True
    ) -> XdslParser.Argument | XdslParser.UnresolvedArgument:
        argument = self.parse_optional_argument(expect_type)
        if argument is None:
            raise self.expected("expected SSA operand")
        return argument
