# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps of parsers that need nothing of the operation's definition but a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, Region

from xgpu.core.ir.errors import shown
from xgpu.core.ods.registry import optional_attr_class
from xgpu.core.ods.spec import ONE, OPTIONAL, Field, OpSpec
from xgpu.core.syntax.formats.fields import ReadState, stripped_type, type_name
from xgpu.core.syntax.formats.format_parser import is_keyword

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.parser.core import UnresolvedOperand

    from xgpu.core.ods.attributes import StructAttr
    from xgpu.core.ods.constraints import Constraint
    from xgpu.core.syntax.parser_base import Operand, ParserBase


#: Reads one element. As the first of an optional group: False if the group is absent.
Step = Callable[..., object]


def read_literal(text: str, first: bool) -> Step:
    """A word or punctuation; as `first` only if it is there."""
    if is_keyword(text):
        if first:
            return lambda parser, state: parser.parse_optional_keyword(text) is not None
        return lambda parser, state: parser.parse_keyword(text)
    if text in _PUNCTUATION:
        if first:
            return lambda parser, state: parser.parse_optional_punctuation(text) is not None
        return lambda parser, state: parser.parse_punctuation(text)
    if first:
        return lambda parser, state: parser.parse_optional_characters(text) is not None
    return lambda parser, state: parser.parse_characters(text)


#: Punctuation that is a token; other characters are read one by one.
_PUNCTUATION = frozenset(("->", "...", "::", *":,=>{([<-+?})]"))


def read_operand(index: int, quantity: str, first: bool) -> Step:
    """`%a`, or for a variadic operand `%a, %b`."""
    if quantity == ONE and not first:

        def read_one(parser: ParserBase, state: ReadState) -> None:
            state.operands[index] = [parser.parse_unresolved_operand()]

        return read_one
    if quantity in (ONE, OPTIONAL):

        def read_optional(parser: ParserBase, state: ReadState) -> bool:
            operand = parser.parse_optional_unresolved_operand()
            state.operands[index] = [] if operand is None else [operand]
            return operand is not None

        return read_optional
    if quantity == "variadic2":

        def read_nested(parser: Parser, state: ReadState) -> bool:
            groups = _read_operand_groups(parser)
            state.operands[index] = [operand for group in groups for operand in group]
            state.properties[f"$sizes {index}"] = [len(group) for group in groups]  # pyright: ignore
            return bool(groups)

        return read_nested

    def read_several(parser: Parser, state: ReadState) -> bool:
        operands = read_operands(parser)
        state.operands[index] = operands
        return bool(operands)

    return read_several


def read_operands(parser: Parser) -> list[UnresolvedOperand | Operand]:
    """Operands separated by commas, or none."""
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        return []
    operands = [operand]
    while parser.parse_optional_punctuation(",") is not None:
        operands.append(parser.parse_unresolved_operand())
    return operands


def _read_operand_groups(parser: Parser) -> list[list[UnresolvedOperand]]:
    """`(%a, %b), (%c), ()`"""
    groups: list[list[UnresolvedOperand]] = []
    while parser.parse_optional_punctuation("(") is not None:
        groups.append(read_operands(parser))
        parser.parse_punctuation(")")
        if parser.parse_optional_punctuation(",") is None:
            break
    return groups


def read_types(parser: Parser) -> list[Attribute]:
    """Types separated by commas, or none."""
    type = parser.parse_optional_type()
    if type is None:
        return []
    types: list[Attribute] = [type]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    return types


def read_regions(parser: Parser) -> list[Region]:
    region = parser.parse_optional_region()
    if region is None:
        return []
    regions = [region]
    while parser.parse_optional_punctuation(",") is not None:
        regions.append(parser.parse_region())
    return regions


def read_successors(parser: Parser) -> list[Block]:
    successor = parser.parse_optional_successor()
    if successor is None:
        return []
    successors = [successor]
    while parser.parse_optional_punctuation(",") is not None:
        successors.append(parser.parse_successor())
    return successors


def read_successor(index: int, quantity: str, first: bool) -> Step:
    def step(parser: Parser, state: ReadState) -> bool:
        if quantity == ONE and not first:
            state.successors[index] = [parser.parse_successor()]
        else:
            found = read_successors(parser) if quantity not in (ONE, OPTIONAL) else None
            if found is None:
                one = parser.parse_optional_successor()
                found = [] if one is None else [one]
            state.successors[index] = found
        return bool(state.successors[index])

    return step


#: Predicates that only one type of MLIR's C++ can hold for.
_CLASSES = {
    "is_memref": "memref", "is_ranked_tensor": "tensor",
    "is_vector": "vector", "is_fixed_vector": "vector",
    "is_signless": "integer", "is_integer": "integer", "is_index": "index",
}  # fmt: skip


def one_class(constraint: Constraint) -> str | None:
    """The builtin type that all types of a constraint are, where MLIR's definition says it."""
    name = constraint.name
    if name == "LLVM_AnyVector" or name.startswith("LLVM_dialect_compatible_vector_of"):
        return "vector"
    found = (_CLASSES.get(term.partition("(t")[0]) for term in _terms(constraint.expression))
    return next((kind for kind in found if kind is not None), None)


#: Terms of constraints that types of any rank, and of none, fulfil, and how their names end.
_RANKED_OR_NOT = {"is_tensor(t)": "tensor", "is_base_memref(t)": "memref"}


def _any_rank(constraint: Constraint) -> str | None:
    """Likewise, of types with a rank and without."""
    found = (_RANKED_OR_NOT.get(term) for term in _terms(constraint.expression))
    return next((kind for kind in found if kind is not None), None)


def _read_of_any_rank(parser: Parser, kind: str) -> Attribute:
    at = parser.pos
    type = parser.parse_type()
    if not type.name.endswith(kind) or not type.name.startswith((kind, "unranked")):
        raise parser.raise_error("invalid kind of type specified", at)
    return type


def _terms(expression: str) -> list[str]:
    """Of `a and (b or c) and d` the predicates that always hold: `a`, `(b or c)`, `d`."""
    depth = begin = 0
    terms: list[str] = []
    for at, character in enumerate(expression):
        depth += (character in "([") - (character in ")]")
        if depth:
            continue
        if expression.startswith(" or ", at):
            return []
        if expression.startswith(" and ", at):
            terms.append(expression[begin:at])
            begin = at + len(" and ")
    return [*terms, expression[begin:]]


def _read_of_class(parser: Parser, kind: str) -> Attribute:
    at = parser.pos
    type = parser.parse_type()
    if type.name.removesuffix("_type") != kind:
        wrong_class(parser, f"builtin.{kind}", type, at)
    return type


def wrong_class(parser: Parser, expected: str, type: Attribute, at: int) -> NoReturn:
    """Complains that `type` is not of the class that its field has."""
    raise parser.raise_error(
        f"invalid kind of type specified: expected {expected}, but found '{shown(type)}'",
        at,
    )


def type_parser(field: Field, qualified: bool) -> Callable[[Parser], Attribute]:
    """A type in full, or of a field that has one type class also without its name."""
    kind = one_class(field.constraint)
    if kind is not None:
        return lambda parser: _read_of_class(parser, kind)
    any_rank = _any_rank(field.constraint)
    if any_rank is not None:
        return lambda parser: _read_of_any_rank(parser, any_rank)
    if qualified or not stripped_type(field):
        return lambda parser: parser.parse_type()
    cls = cast("type[StructAttr]", optional_attr_class(f"!{type_name(field)}"))

    def read(parser: Parser) -> Attribute:
        at = parser.pos
        type = parser.parse_optional_type()
        if type is None:
            return cls.new(cls.parse_parameter(parser))
        if type.name != cls.name:
            wrong_class(parser, cls.name, type, at)
        return type

    return read


def read_all_types(name: str) -> Step:
    target = "all_operand_types" if name == "operands" else "all_result_types"

    def step(parser: Parser, state: ReadState) -> bool:
        types = read_types(parser)
        setattr(state, target, types)
        return bool(types)

    return step


def parse_functional_type(parser: Parser) -> FunctionType:
    """A function type; another type is refused by its kind, as by MLIR."""
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, FunctionType):
        parser.raise_error(
            f"invalid kind of type specified: expected builtin.function, but found '{shown(type)}'",
            position,
        )
    return type


def read_dictionary(spec: OpSpec, with_keyword: bool) -> Step:
    """The step of `attr-dict`: what the definition says of inherent attributes holds at once."""
    constraints = {a.name: a.constraint for a in spec.attrs}

    def step(parser: Parser, state: ReadState) -> None:
        position = parser.pos
        if with_keyword:
            given = parser.parse_optional_attr_dict_with_keyword()
            found = {} if given is None else given.data
        else:
            found = parser.parse_optional_attr_dict()
        if not found:
            return
        for name, value in found.items():
            constraint = constraints.get(name)
            if constraint is not None and not constraint.check(value):
                parser.raise_error(
                    f"'{spec.name}' op attribute '{name}' failed to satisfy constraint: "
                    f"{constraint.summary}",
                    position,
                )
        state.attributes.update(found)

    return step


def read_properties(spec: OpSpec) -> Step:
    """The step of `prop-dict`: it holds what the definition has, for nothing else would be kept."""
    known = {field.name for field in spec.attrs} | {"operandSegmentSizes", "resultSegmentSizes"}

    def step(parser: Parser, state: ReadState) -> None:
        position = parser.pos
        found = parser.parse_optional_properties_dict()
        for name in found:
            if name not in known:
                parser.raise_error(
                    f"invalid properties for op {spec.name}: unknown key '\"{name}\"' when parsing "
                    "properties dictionary",
                    position,
                )
        state.properties.update(found)

    return step


def _read_all_operands(parser: Parser, state: ReadState) -> bool:
    state.all_operands = read_operands(parser)
    return bool(state.all_operands)


def _read_all_successors(parser: Parser, state: ReadState) -> bool:
    state.all_successors = read_successors(parser)
    return bool(state.all_successors)


PLAIN: dict[str, Step] = {
    "operands": _read_all_operands,
    "successors": _read_all_successors,
}
