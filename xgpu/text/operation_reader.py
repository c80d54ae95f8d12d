# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading operations, blocks and regions. A part of the parser.

Value names live in `_values`, one dictionary for a region that is isolated from above and for all
that it contains; `_scopes` remembers which names a region defined, and they go when it ends. A name
stands for one value, or for a list of them (`%0:2`). A value that is used before it is defined is a
`ForwardValue` until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.lexer import Span

from xgpu.text.lexer import is_composite, unescape
from xgpu.text.locations import SourceLoc, StandInLoc
from xgpu.text.type_reader import integer_type


class ForwardValue(SSAValue[Attribute]):
    """A value that was used and is not defined yet."""

    position: int

    @property
    def owner(self) -> Any:
        raise ValueError("a value that is not defined yet has no owner")


class Operand(UnresolvedOperand):
    """The name of a value that is used: `name` with its `%`, `index` after `#`, its position."""

    __slots__ = ("_source", "name", "position")

    def __init__(self, name: str, index: int, position: int, parser: Any) -> None:
        self.name = name
        self.index = index
        self.position = position
        self._source = parser

    @property
    def span(self) -> Span:  # pyright: ignore
        return Span(self.position, self.position + len(self.name), self._source.lexer.input)

    @property
    def operand_name(self) -> str:
        return self.name[1:]


class OperationReader:
    """Operations; `self` is the parser."""

    _values: dict[str, Any]
    _scopes: list[list[str]]

    # --- operands --------------------------------------------------------------------------
    def parse_optional_unresolved_operand(self: Any) -> Operand | None:
        at = self._at
        name = self._texts[at]
        if name[:1] != "%" or len(name) < 2:
            return None
        suffix = self._texts[at + 1]
        if suffix[:1] == "#":
            if not suffix[1:].isdigit():
                self._at = at + 1
                self.fail("invalid SSA value result number")
            self._at = at + 2
            return Operand(name, int(suffix[1:]), self._starts[at], self)
        self._at = at + 1
        return Operand(name, 0, self._starts[at], self)

    def parse_unresolved_operand(self: Any, msg: str = "expected SSA operand") -> Operand:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            self.expected("expected SSA operand")
        return operand

    def resolve_operand(self: Any, operand: Any, type: Attribute) -> Any:
        if not isinstance(operand, Operand):
            span = operand.span
            operand = Operand(span.text, operand.index, span.start, self)
        name = operand.name
        value = self._values.get(name)
        index = operand.index
        if value.__class__ is list:
            value = value[index] if index < len(value) else None
            if value is None and not isinstance(self._values[name][0], ForwardValue | None):
                raise self.error_at(operand.position, "reference to invalid result number")
        elif value is not None and index:
            if not isinstance(value, ForwardValue):
                raise self.error_at(operand.position, "reference to invalid result number")
            value = None
        if value is None:
            return self._forward_value(operand, type)
        known = value._type
        if known is not type and known != type:
            raise self.error_at(
                operand.position,
                f"use of value '{name}' expects different type than prior uses: "
                f"'{self.spell(type)}' vs '{self.spell(known)}'",
                [(self._definition_location(name, index, value), "prior use here")],
            )
        return value

    def _definition_location(self: Any, name: str, index: int, value: Any) -> Any:
        """Where a name was defined or first used, for a note."""
        if isinstance(value, ForwardValue):
            return SourceLoc(self.source, value.position)
        position = self._definitions.get(name)
        if position is not None:
            return SourceLoc(self.source, position)
        owner = value.owner
        return value.location if isinstance(value, BlockArgument) else owner.location

    def _forward_value(self: Any, operand: Operand, type: Attribute) -> ForwardValue:
        value = ForwardValue(type)
        value.position = operand.position
        self._forward.append(value)
        self._unresolved[value] = None
        name, index = operand.name, operand.index
        entry = self._values.get(name)
        if entry is None and not index:
            self._values[name] = value
            return value
        if entry.__class__ is not list:
            entry = self._values[name] = [entry]
        entry.extend([None] * (index + 1 - len(entry)))
        entry[index] = value
        return value

    def resolve_operands(
        self: Any, args: Sequence[Any], input_types: Sequence[Attribute], error_pos: Any
    ) -> list[Any]:
        if len(args) != len(input_types):
            self.raise_error(
                "number of operands and types do not match: got "
                f"{len(args)} operands and {len(input_types)} types",
                error_pos if isinstance(error_pos, int) else self.pos,
            )
        return [self.resolve_operand(arg, ty) for arg, ty in zip(args, input_types, strict=True)]

    def parse_optional_operand(self: Any, type: Attribute | None = None) -> Any:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            return None
        if type is None:
            value = self._values.get(operand.name)
            if value.__class__ is list:
                value = value[operand.index] if operand.index < len(value) else None
            if value is None:
                raise self.error_at(operand.position, "use of undeclared SSA value name")
            return value
        return self.resolve_operand(operand, type)

    def parse_operand(self: Any, type: Any = None, *, msg: str = "") -> Any:
        operand = self.parse_optional_operand(type if isinstance(type, Attribute) else None)
        if operand is None:
            self.expected("expected SSA operand")
        return operand

    # --- definitions -----------------------------------------------------------------------
    def _register_ssa_definition(
        self: Any, name: str, values: Sequence[SSAValue], span: Any
    ) -> None:
        position = span if isinstance(span, int) else span.start
        self._define("%" + name, values, position)

    def _define(self: Any, name: str, values: Sequence[Any], position: int) -> None:
        """Gives values a name. Who used the name before now uses the values."""
        table = self._values
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
                    value._name = hint

    def _replace_forward(
        self: Any, name: str, entry: Any, values: Sequence[Any], position: int
    ) -> None:
        entries = entry if entry.__class__ is list else [entry]
        for index, old in enumerate(entries):
            if old is None:
                continue
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
                    f"definition of SSA value '{name}#{index}' has type '{self.spell(new.type)}'",
                    [
                        (
                            SourceLoc(self.source, old.position),
                            f"previously used here with type '{self.spell(old.type)}'",
                        )
                    ],
                )
            old.replace_all_uses_with(new)
            del self._unresolved[old]

    # --- operations ------------------------------------------------------------------------
    def parse_optional_operation(self: Any) -> Operation | None:
        text = self._texts[self._at]
        if text and (text[0] in '%"_' or text[0].isalpha()):
            return self.parse_operation()
        return None

    def parse_operation(self: Any) -> Operation:
        """One operation with its names and location."""
        texts = self._texts
        start = self._at
        text = texts[start]
        names = None
        if text[:1] == "%":
            if texts[start + 1] == "=" and len(text) > 1:
                # The most frequent form, without a list: one name.
                names = text
                self._at = start + 2
            else:
                names = self._parse_result_names()
            text = texts[self._at]
        first = text[:1]
        if first == '"' and len(text) > 1:
            op = self._parse_generic(text)
        elif (first.isalpha() or first == "_") and first.isascii():
            if integer_type(text) is not None:
                self.expected("expected operation name in quotes")
            op = self._parse_custom(text)
        else:
            self.expected("expected operation name in quotes")
        if names is not None:
            results = op.results
            if names.__class__ is str:
                if len(results) != 1:
                    self._wrong_result_count(start, 1, len(results))
                self._define(names, results, self._starts[start])
            else:
                self._bind_results(start, names, results)
        return op

    def _parse_result_names(self: Any) -> list[tuple[str, int, int]]:
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
                if not number.isdigit():
                    self.expected("expected integer number of results")
                count = int(number)
                if count < 1:
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
        self: Any, start: int, names: list[tuple[str, int, int]], results: Sequence[Any]
    ) -> None:
        wanted = sum(count for _, count, _ in names)
        if wanted != len(results):
            self._wrong_result_count(start, wanted, len(results))
        at = 0
        for name, count, position in names:
            self._define(name, results[at : at + count], position)
            at += count

    def _wrong_result_count(self: Any, start: int, wanted: int, found: int) -> None:
        position = self._starts[start]
        if not found:
            raise self.error_at(position, "cannot name an operation with no results")
        raise self.error_at(
            position,
            f"operation defines {found} results but was provided {wanted} to bind",
        )

    # --- generic form ----------------------------------------------------------------------
    def _parse_generic(self: Any, literal: str) -> Operation:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type loc`"""
        texts = self._texts
        location = SourceLoc(self.source, self._starts[self._at])
        name = literal[1:-1] if "\\" not in literal else unescape(literal).decode()
        if not name:
            self.fail("empty operation name is invalid")
        self._at += 1
        cls = self._generic_ops.get(name)
        if cls is None:
            cls = self._generic_ops[name] = self.ctx.generic_op(name)
        if cls is False:
            self.fail(
                "operation being parsed with an unregistered dialect. If this is intended, "
                "please use -allow-unregistered-dialect with the MLIR tool used"
            )
        names = self._parse_operand_names()
        at = self._at
        text = texts[at]
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
                text = texts[self._at]
            if text == "(":
                isolated = self.ctx.is_isolated(cls)
                self._at += 1
                regions = [self._parse_region(None, isolated)]
                while texts[self._at] == ",":
                    self._at += 1
                    regions.append(self._parse_region(None, isolated))
                if texts[self._at] != ")":
                    self.expected("expected ')' to end region list")
                self._at += 1
                text = texts[self._at]
            if text == "{":
                attributes = self.parse_optional_dictionary_attr_dict()
            if texts[self._at] != ":":
                self.expected("expected ':' followed by operation type")
        self._at += 1
        type_at = self._starts[self._at]
        if texts[self._at] == "(":
            inputs = self._parse_types_in_parens()
            if texts[self._at] != "->":
                self.expected("expected '->' in function type")
            self._at += 1
            outputs = self._parse_result_types()
        else:
            function = self.parse_type()
            if not isinstance(function, FunctionType):
                raise self.error_at(type_at, "expected function type")
            inputs, outputs = function.inputs.data, function.outputs.data
        if len(inputs) != len(names):
            plural = "" if len(names) == 1 else "s"
            raise self.error_at(
                type_at,
                f"expected {len(names)} operand type{plural} but had {len(inputs)}",
            )
        values = self._values
        operands: list[Any] = []
        for operand, ty in zip(names, inputs, strict=True):
            if operand.__class__ is int:
                value = values.get(texts[operand])
                if value.__class__ in _PLAIN and (value._type is ty or value._type == ty):
                    operands.append(value)
                    continue
                operand = Operand(texts[operand], 0, self._starts[operand], self)
            operands.append(self.resolve_operand(operand, ty))
        op = self.ctx.build(
            cls, operands, outputs, properties, attributes, location, successors, regions, self
        )
        if texts[self._at] == "loc":
            self._trailing_location(op)
        return op

    def _parse_operand_names(self: Any) -> list[Any]:
        """The operands in parentheses: for a plain name the index of its token, else `Operand`."""
        texts = self._texts
        at = self._at
        if texts[at] != "(":
            self.expected("expected '(' to start operand list")
        at += 1
        names: list[Any] = []
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

    def _parse_properties(self: Any) -> dict[str, Attribute]:
        self._at += 1
        position = self.pos
        if self._texts[self._at] == "{":
            properties = self.parse_optional_dictionary_attr_dict()
        else:
            found = self.parse_attribute()
            data = getattr(found, "data", None)
            if not hasattr(data, "items"):
                raise self.error_at(position, "expected DictionaryAttr to set properties")
            properties = dict(data.items())
        if self._texts[self._at] != ">":
            self.expected("expected '>' to close properties")
        self._at += 1
        return properties

    def parse_optional_properties_dict(self: Any) -> dict[str, Attribute]:
        return self._parse_properties() if self._texts[self._at] == "<" else {}

    def parse_op_args_list(self: Any) -> list[Any]:
        return self.parse_comma_separated_list(
            self.Delimiter.PAREN, self.parse_unresolved_operand, " to start operand list"
        )

    # --- custom form -----------------------------------------------------------------------
    def _parse_custom(self: Any, spelled: str) -> Operation:
        if is_composite(spelled):
            spelled = self._explode()
        position = self._starts[self._at]
        stack = self._parser_state.dialect_stack
        key = (spelled, stack[-1])
        cls = self._custom_ops.get(key)
        if cls is None:
            cls = self._custom_ops[key] = self._custom_class(spelled, position)
        self._at += 1
        stack.append(self.ctx.default_dialect(cls))
        isolated, op_name = self._isolated, self._op_name
        self._isolated = self.ctx.is_isolated(cls)
        self._op_name = cls.name
        # The same defaults and inherent attributes as after the generic form are the business of
        # the operation's reader.
        op = cls.parse(self)
        self._isolated, self._op_name = isolated, op_name
        stack.pop()
        op.location = SourceLoc(self.source, position)
        if self._texts[self._at] == "loc":
            self._trailing_location(op)
        return op

    def _custom_class(self: Any, spelled: str, position: int) -> Any:
        ctx = self.ctx
        cls = ctx.registered_op(spelled)
        name = spelled
        if cls is None and "." not in spelled:
            name = f"{self._parser_state.dialect_stack[-1]}.{spelled}"
            cls = ctx.registered_op(name)
        if cls is not None:
            if ctx.has_custom_form(cls):
                return cls
            raise self.error_at(position + len(spelled), f"'{name}' op has no custom assembly form")
        dialect = name.partition(".")[0]
        tried = f" (tried '{name}' as well)" if name != spelled else ""
        if not ctx.knows_dialect(dialect):
            raise self.error_at(
                position,
                f"Dialect `{dialect}' not found for custom op '{spelled}' {tried}",
                [(None, ctx.available_dialects())],
            )
        raise self.error_at(position, f"custom op '{spelled}' is unknown{tried}")

    def _trailing_location(self: Any, op: Any) -> None:
        location = self.parse_optional_location()
        if location is not None:
            op.location = location
            if self._stand_ins:
                self._located.append(op)

    # --- successors ------------------------------------------------------------------------
    def parse_optional_successor(self: Any) -> Block | None:
        text = self._texts[self._at]
        if text[:1] != "^" or len(text) < 2:
            return None
        block = self._block(text, self._starts[self._at])
        self._at += 1
        return block

    def parse_successor(self: Any) -> Block:
        block = self.parse_optional_successor()
        if block is None:
            self.expected("expected block name")
        return block

    def parse_successors(self: Any) -> list[Block]:
        return self.parse_comma_separated_list(self.Delimiter.SQUARE, self.parse_successor)

    def _block(self: Any, name: str, position: int) -> Block:
        """The block of a name; a name that is not defined yet waits for its definition."""
        block = self.blocks.get(name)
        if block is None:
            block = self.blocks[name] = Block()
            self.forward_block_references[name] = position
        return block

    # --- arguments -------------------------------------------------------------------------
    def parse_optional_argument(self: Any, expect_type: bool = True) -> Any:
        text = self._texts[self._at]
        if text[:1] != "%" or len(text) < 2:
            return None
        start = self._starts[self._at]
        self._at += 1
        span = Span(start, start + len(text), self.lexer.input)
        if not expect_type:
            return self.UnresolvedArgument(span)
        self.parse_punctuation(":")
        return self.Argument(span, self.parse_type())

    def parse_argument(self: Any, *, expect_type: bool = True) -> Any:
        argument = self.parse_optional_argument(expect_type)
        if argument is None:
            self.expected("expected SSA operand")
        return argument


#: Classes of values whose name is found and whose type is known.
_PLAIN: set[type] = set()


def _plain_classes() -> set[type]:
    from xdsl.ir import OpResult

    return {OpResult, BlockArgument}


_PLAIN |= _plain_classes()

__all__ = ["ForwardValue", "Iterable", "Operand", "OperationReader", "StandInLoc"]
