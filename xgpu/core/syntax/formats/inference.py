# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types that a format does not spell: where each comes from.

An operand or result whose type no directive gives has it from its constraint (one type only), from
a trait that ties it to another (SameOperandsAndResultType, AllTypesMatch, TypesMatchWith), or, a
result, from the dialect's INFER.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from xgpu.core.ir.errors import shown
from xgpu.core.ods.predicates import Repetition, find_transform
from xgpu.core.ods.spec import ONE, VARIADIC, Field
from xgpu.core.ods.trait_checks import attribute_type
from xgpu.core.ods.traits import trait_table
from xgpu.core.syntax.formats.fields import ATTRIBUTE, OPERAND, RESULT, Fields, ReadState, walk
from xgpu.core.syntax.formats.format_parser import Directive, Element, Variable

if TYPE_CHECKING:
    _Made = Attribute | list[Attribute] | tuple[Attribute, ...] | Repetition | None


#: So many results one operation may have; MLIR runs out of memory.
MOST_RESULTS = 1 << 20

#: The types of one field, of the state and of how many values it has; None if not known.
Source = Callable[[ReadState, int], "Sequence[Attribute] | None"]


def type_sources(fields: Fields, elements: list[Element]) -> dict[str, Source]:
    """For each named or numbered operand and result the source of its types.

    Keys are "operand 0", "result 1". A missing key: the type cannot be known from the format.
    """
    return _Inference(fields, elements).run()


class WrongTypeError(Exception):
    """A type from which another cannot be inferred; the message is MLIR's."""


class _Inference:
    def __init__(self, fields: Fields, elements: list[Element]) -> None:
        self.fields = fields
        self.spec = fields.spec
        self.traits = trait_table(self.spec)
        self.sources: dict[str, Source] = {}
        self.explicit = set(self._explicit(elements))

    def run(self) -> dict[str, Source]:
        for kind, all_fields in ((OPERAND, self.spec.operands), (RESULT, self.spec.results)):
            for index, field in enumerate(all_fields):
                key = f"{kind} {index}"
                fixed = field.constraint.buildable()
                if key in self.explicit:
                    self.sources[key] = _explicit_source(kind, index, fixed)
                elif fixed is not None:
                    self.sources[key] = _fixed_source(fixed)
        edges = list(self._edges())
        changed = True
        while changed:
            changed = False
            for target, source, transform in edges:
                if target not in self.sources and (given := self._source(source)) is not None:
                    self.sources[target] = self._derived(given, source, target, transform)
                    changed = True
        self._from_first_attribute()
        return self.sources

    def _explicit(self, elements: Iterable[Element]) -> Iterable[str]:
        """Keys of what a type directive gives."""
        for element in walk(list(elements)):
            if not isinstance(element, Directive):
                continue
            if element.name not in ("type", "functional-type"):
                continue
            for argument in element.arguments:
                if isinstance(argument, Variable):
                    kind, index, _ = self.fields.find(argument.name)
                    yield f"{kind} {index}"
                elif isinstance(argument, Directive) and argument.name in ("operands", "results"):
                    kind = OPERAND if argument.name == "operands" else RESULT
                    count = len(self.spec.operands if kind == OPERAND else self.spec.results)
                    for index in range(count):
                        yield f"{kind} {index}"

    def _edges(self) -> Iterable[tuple[str, str, Callable[..., _Made] | None]]:
        """(target, source, transform or None for the same type)."""
        names = [*self._keys(self.spec.operands, OPERAND), *self._keys(self.spec.results, RESULT)]
        operands = list(self._keys(self.spec.operands, OPERAND))
        for trait, keys in (
            ("SameOperandsAndResultType", names),
            ("SameTypeOperands", operands),
        ):
            if trait in self.traits:
                yield from ((t, s, None) for t in keys for s in keys if s != t)
        for group in self.traits.get("AllTypesMatch", ()):
            keys = [key for name in group if (key := self._key(name)) is not None]
            yield from ((t, s, None) for t in keys for s in keys if s != t)
        for kind in ("TypesMatchWith", "RangedTypesMatchWith", "OptionalTypesMatchWith"):
            for _, lhs, rhs, text in self.traits.get(kind, ()):
                source, target = self._key(lhs), self._key(rhs)
                if source is not None and target is not None:
                    yield target, source, _transform(text)

        for summary, _ in self.traits.get("PredOpTrait", ()):
            # ShapedTypeMatchesElementCountAndTypes, which MLIR infers from besides.
            if summary.startswith("shaped type '"):
                _, shaped, _, elements, _ = summary.split("'")
                source, target = self._key(shaped), self._key(elements)
                if source is not None and target is not None:
                    yield target, source, _element_types

    def _keys(self, fields: Sequence[Field], kind: str) -> Iterable[str]:
        return (f"{kind} {index}" for index in range(len(fields)))

    def _key(self, name: str) -> str | None:
        found = self.fields.table.get(name)
        if found is None:
            return None
        kind, index, _ = found
        return f"{kind} {index}" if kind in (OPERAND, RESULT) else f"{kind} {name}"

    def _source(self, key: str) -> Source | None:
        if key in self.sources:
            return self.sources[key]
        kind, _, name = key.partition(" ")
        if kind != ATTRIBUTE:
            return None

        def of_attribute(state: ReadState, count: int) -> Sequence[Attribute] | None:
            attr = state.properties.get(name)
            if attr is None:
                attr = state.attributes.get(name)
            type = None if attr is None else attribute_type(attr)
            return None if type is None else (type,)

        return of_attribute

    def _is_one(self, key: str) -> bool:
        kind, _, index = key.partition(" ")
        if kind == ATTRIBUTE:
            return True
        fields = self.spec.operands if kind == OPERAND else self.spec.results
        return fields[int(index)].quantity == ONE

    def _is_variadic(self, key: str) -> bool:
        kind, _, index = key.partition(" ")
        fields = self.spec.operands if kind == OPERAND else self.spec.results
        return fields[int(index)].quantity == VARIADIC

    def _derived(
        self, given: Source, source: str, target: str, transform: Callable[..., _Made] | None
    ) -> Source:
        one = self._is_one(source)
        source_count = self._counter(source)
        kind, _, index = source.partition(" ")
        field = None
        if transform is not None and kind != ATTRIBUTE:
            field = (self.spec.operands if kind == OPERAND else self.spec.results)[int(index)]
        # A result for each operand of a group: nothing else says how many.
        follows = target.startswith(RESULT) and self._is_variadic(target)
        if transform is None and one:
            # The usual case: several values of one type.
            def same(state: ReadState, count: int) -> Sequence[Attribute] | None:
                found = given(state, 1)
                if not found:
                    return None if count else ()
                return found if count == 1 == len(found) else [found[0]] * count

            return same

        def types(state: ReadState, count: int) -> Sequence[Attribute] | None:
            found = given(state, source_count(state))
            if not found:
                return None if count else ()
            if transform is None:
                alike = not one and (len(found) == count or follows)
                return found if alike else [found[0]] * count
            if field is not None:
                self._check(field, found)
            result = transform(found[0] if one or len(found) == 1 else found)
            if result is None:
                return None
            if isinstance(result, Repetition):
                return _listed(result, None if follows else count)
            return result if isinstance(result, list | tuple) else [result] * count

        return types

    def _check(self, field: Field, types: Sequence[Attribute]) -> None:
        """A transform may rely on the constraint of what it transforms."""
        for type in types:
            if not field.constraint.check(type):
                raise WrongTypeError(
                    f"'{field.name}' must be {field.constraint.summary}, but got '{shown(type)}'"
                )

    def _counter(self, key: str) -> Callable[[ReadState], int]:
        kind, _, index = key.partition(" ")
        if kind == OPERAND and self.spec.operands[int(index)].quantity != ONE:
            place = int(index)
            return lambda state: len(state.operands[place] or ())
        return lambda state: 1

    def _from_first_attribute(self) -> None:
        if "FirstAttrDerivedResultType" not in self.traits or not self.spec.attrs:
            return
        name = self.spec.attrs[0].name

        def types(state: ReadState, count: int) -> Sequence[Attribute] | None:
            attr = state.properties.get(name, state.attributes.get(name))
            if attr is None:
                return None
            return [attribute_type(attr) or attr] * count

        for index in range(len(self.spec.results)):
            self.sources.setdefault(f"{RESULT} {index}", types)


def _explicit_source(kind: str, index: int, fixed: Attribute | None) -> Source:
    """The types that were read; the only possible one where a directive did not set them."""

    def of_operand(state: ReadState, count: int) -> Sequence[Attribute] | None:
        types = state.operand_types[index]
        return [fixed] * count if types is None and fixed is not None else types

    def of_result(state: ReadState, count: int) -> Sequence[Attribute] | None:
        return state.result_types[index]

    return of_operand if kind == OPERAND else of_result


def _fixed_source(type: Attribute) -> Source:
    return lambda state, count: [type] * count


def _element_types(shaped: Attribute) -> Repetition:
    type = cast("VectorType", shaped)
    return Repetition(type.element_type, math.prod(type.get_shape()))


def _listed(types: Repetition, count: int | None) -> list[Attribute]:
    """As a list, which is for `count` operands, or for as many results as there are types."""
    if count is not None and types.count != count:
        raise WrongTypeError(
            "number of operands and types do not match: got "
            f"{count} operands and {types.count} types"
        )
    if types.count > MOST_RESULTS:
        raise WrongTypeError(f"{types.count} results are more than {MOST_RESULTS}")
    return [types.type] * types.count


def _transform(text: str) -> Callable[[Attribute], Attribute]:
    transform = find_transform(text)
    if transform is None:
        raise NotImplementedError(f"type transform {text!r}")
    return transform
