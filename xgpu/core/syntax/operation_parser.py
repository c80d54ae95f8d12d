# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading operations. A part of the parser; names of values are in `value_parser`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, FunctionType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.construction import value_type
from xgpu.core.ir.errors import DiagnosticError, shown
from xgpu.core.ir.integers import integer_value
from xgpu.core.ir.locations import SourceLoc
from xgpu.core.ods.region_traits import place_terminators
from xgpu.core.ods.registry import OUTSIDE
from xgpu.core.syntax.lexer import is_composite, is_integer, unescape
from xgpu.core.syntax.parser_base import Operand, ParserBase
from xgpu.core.syntax.table_context import near_ops
from xgpu.core.syntax.type_parser import integer_type


class OperationParser(ParserBase):
    """Operations; `self` is the parser."""

    # --- operations ------------------------------------------------------------------------
    def parse_optional_operation(self) -> Operation | None:
        text = self._texts[self._at]
        if text and (text[0] in '%"_' or text[0].isalpha()):
            return self.parse_operation()
        return None

    def parse_operation(self) -> Operation:
        """One operation with its names and location."""
        texts = self._texts
        start = self._at
        text = texts[start]
        name = names = None
        if text[:1] == "%":
            if texts[start + 1] == "=" and len(text) > 1:
                # The most frequent form, without a list: one name.
                name = text
                self._at = start + 2
            else:
                names = self._parse_result_names()
            text = texts[self._at]
        first = text[:1]
        if first == '"' and len(text) > 1:
            op = self._parse_generic(text)
        elif (first.isalpha() or first == "_") and first.isascii():
            if "." not in text and integer_type(text) is not None:
                raise self.expected("expected operation name in quotes")
            # Some operations must be named: an asynchronous one has a token.
            self.expected_results = 0 if name is names else 1
            op = self._parse_custom(text)
        else:
            raise self.expected("expected operation name in quotes")
        if name is not None:
            results = op.results
            if len(results) != 1:
                self._wrong_result_count(start, 1, len(results))
            self._define(name, results, self._starts[start])
        elif names is not None:
            self._bind_results(start, names, op.results)
        return op

    def _parse_result_names(self) -> list[tuple[str, int, int]]:
        names: list[tuple[str, int, int]] = []
        texts = self._texts
        while True:
            name = texts[self._at]
            position = self._starts[self._at]
            if name[:1] != "%" or len(name) < 2:
                self.expected("expected valid ssa identifier")
            self._at += 1
            count = 1
            if texts[self._at] == ":":
                self._at += 1
                number = texts[self._at]
                if not is_integer(number):
                    self.expected("expected integer number of results")
                count = integer_value(number)
                if not 0 < count < 1 << 64:
                    self.fail("expected named operation to have at least 1 result")
                self._at += 1
            names.append((name, count, position))
            if texts[self._at] != ",":
                break
            self._at += 1
        if texts[self._at] != "=":
            self.expected("expected '=' after SSA name")
        self._at += 1
        return names

    def _bind_results(
        self, start: int, names: list[tuple[str, int, int]], results: Sequence[SSAValue]
    ) -> None:
        wanted = sum(count for _, count, _ in names)
        if wanted != len(results):
            self._wrong_result_count(start, wanted, len(results))
        at = 0
        for name, count, position in names:
            self._define(name, results[at : at + count], position)
            at += count

    def _wrong_result_count(self, start: int, wanted: int, found: int) -> None:
        position = self._starts[start]
        if not found:
            raise self.error_at(position, "cannot name an operation with no results")
        raise self.error_at(
            position,
            f"operation defines {found} results but was provided {wanted} to bind",
        )

    # --- generic form ----------------------------------------------------------------------
    def _parse_generic(self, literal: str) -> Operation:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type loc`"""
        texts = self._texts
        location = SourceLoc(self.source, self._starts[self._at])
        cls = self._generic_ops.get(literal) or self._generic_class(literal)
        self._at += 1
        names = self._parse_operand_names()
        text = texts[self._at]
        successors: Sequence[Block] = ()
        properties: dict[str, Attribute] | None = None
        regions: Sequence[Region] = ()
        attributes: dict[str, Attribute] = {}
        if text != ":":
            if text == "[":
                if not self.ctx.may_be_terminator(cls):
                    self.fail("successors in non-terminator")
                successors = self.parse_successors()
                text = texts[self._at]
            if text == "<":
                properties = self._parse_properties()
                if not _takes_properties(cls):
                    raise self.error_at(
                        location.position,
                        f"invalid properties {shown(DictionaryAttr(properties))} for op "
                        f"{_quoted_name(literal)}: this operation does not support properties",
                    )
                text = texts[self._at]
            if text == "(":
                regions = self._parse_region_list(self.ctx.is_isolated(cls))
                text = texts[self._at]
            if text == "{":
                attributes = self.parse_optional_dictionary_attr_dict()
            if texts[self._at] != ":":
                self.expected("expected ':' followed by operation type")
        self._at += 1
        type_at = self._starts[self._at]
        inputs, outputs = self._parse_operation_type()
        if len(inputs) != len(names):
            plural = "" if len(names) == 1 else "s"
            raise self.error_at(
                type_at,
                f"expected {len(names)} operand type{plural} but had {len(inputs)}",
            )
        operands = self._resolve_names(names, inputs)
        op = self.ctx.build(
            cls, operands, outputs, properties, attributes, location, successors, regions, self
        )
        if texts[self._at] == "loc":
            self._trailing_location(op)
        return op

    def _generic_class(self, literal: str) -> type[Operation]:
        """The class of the operations whose name the token `literal` quotes."""
        name = _quoted_name(literal)
        if not name:
            self.fail("empty operation name is invalid")
        if "\0" in name:
            self.fail("null character not allowed in operation name")
        cls = self.ctx.generic_op(name)
        if cls is False:
            from xgpu.core.ir.suggestions import lacks_dialect

            missing = lacks_dialect(name.partition(".")[0])
            raise self.error_at(
                self._starts[self._at + 1],
                "operation being parsed with an unregistered dialect. If this is intended, "
                "please use -allow-unregistered-dialect with the MLIR tool used",
                hint=missing,
            )
        self._generic_ops[literal] = cls
        return cls

    def _parse_region_list(self, isolated: bool) -> list[Region]:
        """`({..}, {..})`"""
        texts = self._texts
        self._at += 1
        regions = [self._parse_region(None, isolated)]
        while texts[self._at] == ",":
            self._at += 1
            regions.append(self._parse_region(None, isolated))
        if texts[self._at] != ")":
            self.expected("expected ')' to end region list")
        self._at += 1
        return regions

    def _parse_operation_type(self) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        """The types of operands and results: `(i32, i32) -> i64`, or an alias of such a type."""
        texts = self._texts
        if texts[self._at] == "(":
            inputs = self._parse_types_in_parens()
            if texts[self._at] != "->":
                self.expected("expected '->' in function type")
            self._at += 1
            return inputs, self._parse_result_types()
        type_at = self._starts[self._at]
        function = self.parse_type()
        if not isinstance(function, FunctionType):
            raise self.error_at(type_at, "expected function type")
        return function.inputs.data, function.outputs.data

    def _resolve_names(
        self, names: Sequence[int | Operand], types: Sequence[Attribute]
    ) -> list[SSAValue]:  # fmt: skip
        """The values of the types that `_parse_operand_names` has read the names of."""
        texts, values = self._texts, self._named
        operands: list[SSAValue] = []
        for operand, ty in zip(names, types, strict=True):
            if isinstance(operand, int):
                value = values.get(texts[operand])
                if (
                    value is not None
                    and value.__class__ in _PLAIN
                    and (value_type(value) is ty or value_type(value) == ty)
                ):
                    operands.append(value)
                    continue
                operand = Operand(texts[operand], 0, self._starts[operand], self)
            operands.append(self.resolve_operand(operand, ty))
        return operands

    def _parse_operand_names(self) -> list[Any]:
        """The operands in parentheses: for a plain name the index of its token, else `Operand`."""
        texts = self._texts
        at = self._at
        if texts[at] != "(":
            self.expected("expected '(' to start operand list")
        at += 1
        names: list[object] = []
        if texts[at] == ")":
            self._at = at + 1
            return names
        while True:
            name = texts[at]
            if name[:1] != "%" or len(name) < 2:
                self._at = at
                self.expected(
                    "expected SSA operand" if names else "expected ')' to end operand list"
                )
            after = texts[at + 1]
            if after[:1] == "#":
                self._at = at
                names.append(self.parse_optional_unresolved_operand())
                at = self._at
                after = texts[at]
            else:
                names.append(at)
                at += 1
            if after == ",":
                at += 1
            elif after == ")":
                self._at = at + 1
                return names
            else:
                self._at = at
                self.expected("expected ')' to end operand list")

    def _parse_properties(self) -> dict[str, Attribute]:
        self._at += 1
        position = self.pos
        if self._texts[self._at] == "{":
            properties = self.parse_optional_dictionary_attr_dict()
        else:
            found = self.parse_attribute()
            if not isinstance(found, DictionaryAttr):
                raise self.error_at(position, "expected DictionaryAttr to set properties")
            properties = dict(found.data)
        if self._texts[self._at] != ">":
            self.expected("expected '>' to close properties")
        self._at += 1
        return properties

    def parse_optional_properties_dict(self) -> dict[str, Attribute]:
        return self._parse_properties() if self._texts[self._at] == "<" else {}

    def parse_op_args_list(self) -> list[UnresolvedOperand]:
        return self.parse_comma_separated_list(
            self.Delimiter.PAREN, self.parse_unresolved_operand, " to start operand list"
        )

    # --- custom form -----------------------------------------------------------------------
    def _parse_custom(self, as_text: str) -> Operation:
        if is_composite(as_text):
            as_text = self._explode()
        position = self._starts[self._at]
        stack = self._parser_state.dialect_stack
        key = (as_text, stack[-1])
        known = self._custom_ops.get(key)
        if known is None:
            cls = self._custom_class(as_text, position)
            ctx = self.ctx
            parse = partial(_parse_foreign, cls) if cls.name in OUTSIDE else cls.parse
            known = (parse, cls.name, ctx.default_dialect(cls), ctx.is_isolated(cls))
            self._custom_ops[key] = known
        self._at += 1
        isolated, op_name, op_start = self._isolated, self._op_name, self.op_start
        parse, self._op_name, dialect, self._isolated = known
        self.op_start = position
        stack.append(dialect)
        # The same defaults and inherent attributes as after the generic form are the business of
        # the operation's parser.
        op = parse(self)
        self._isolated, self._op_name, self.op_start = isolated, op_name, op_start
        stack.pop()
        op.location = SourceLoc(self.source, position)
        if op.regions:
            place_terminators(op)
        if self._texts[self._at] == "loc":
            self._trailing_location(op)
        return op

    def _custom_class(self, as_text: str, position: int) -> type[Operation]:
        ctx = self.ctx
        cls = ctx.registered_op(as_text)
        name = as_text
        if cls is None and "." not in as_text:
            name = f"{self._parser_state.dialect_stack[-1]}.{as_text}"
            cls = ctx.registered_op(name)
        if cls is not None:
            if ctx.has_custom_form(cls):
                return cls
            raise self.error_at(position + len(as_text), f"'{name}' op has no custom assembly form")
        dialect = name.partition(".")[0]
        tried = f" (tried '{name}' as well)" if name != as_text else ""
        if not ctx.knows_dialect(dialect):
            from xgpu.core.ir.suggestions import lacks_dialect

            missing = lacks_dialect(dialect)
            raise self.error_at(
                position,
                f"Dialect `{dialect}' not found for custom op '{as_text}' {tried}",
                [(None, missing or ctx.available_dialects())],
            )
        self._at += 1
        self._check_token()  # MLIR has read it
        near = near_ops(as_text) if "." in as_text else None
        raise self.error_at(position, f"custom op '{as_text}' is unknown{tried}", hint=near)

    def _trailing_location(self, op: Operation) -> None:
        location = self.parse_optional_location()
        if location is not None:
            op.location = location
            if self._stand_ins:
                self._located.append(op)

    # --- successors ------------------------------------------------------------------------
    def parse_optional_successor(self) -> Block | None:
        text = self._texts[self._at]
        if text[:1] != "^" or len(text) < 2:
            return None
        block = self._block(text, self._starts[self._at])
        self._at += 1
        return block

    def parse_successor(self) -> Block:
        block = self.parse_optional_successor()
        if block is None:
            raise self.expected("expected block name")
        return block

    def parse_successors(self) -> list[Block]:
        return self.parse_comma_separated_list(self.Delimiter.SQUARE, self.parse_successor)

    def _block(self, name: str, position: int) -> Block:
        """The block of a name; a name that is not defined yet waits for its definition."""
        block = self.blocks.get(name)
        if block is None:
            block = self.blocks[name] = Block()
            self.forward_block_references[name] = position
        return block


#: Classes of values that a name may stand for when nothing is left to resolve.
_PLAIN = frozenset((OpResult, BlockArgument))


def _quoted_name(literal: str) -> str:
    if "\\" in literal:
        return unescape(literal).decode("utf-8", "surrogateescape")
    return literal[1:-1]


def _takes_properties(cls: object) -> bool:
    """Whether operations of a class have any; who is not defined in tables may."""
    spec = getattr(cls, "spec", None)
    return spec is None or bool(spec.attrs) or any("Segments" in str(t) for t in spec.traits)


def _parse_foreign(cls: type[Operation], parser: Parser) -> Operation:
    """An operation of a class of others: what it raises while it is made has no place yet."""
    ours = cast("OperationParser", parser)
    position = ours._starts[ours._at - 1]  # of the name
    try:
        return cls.parse(parser)
    except VerifyException as e:
        if isinstance(e, DiagnosticError):
            raise
        raise ours.error_at(position, f"'{cls.name}' op {e}") from None
