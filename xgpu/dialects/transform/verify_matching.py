# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of transform.foreach_match and collect_matching: matchers and actions fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.transform.handle_effects import is_consumed, resolve
from xgpu.dialects.transform.kinds import kind_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import transform


def _sequence(op: Operation, symbol: SymbolRefAttr, what: str) -> transform.NamedSequenceOp:
    found = resolve(op, symbol)
    if found is None or found.name != "transform.named_sequence":
        raise error(op, f"unresolved {what} symbol {_as_text(symbol)}")
    return cast("transform.NamedSequenceOp", found)


def _as_text(symbol: SymbolRefAttr) -> str:
    parts = [symbol.root_reference.data, *(n.data for n in symbol.nested_references.data)]
    return "::".join("@" + part for part in parts)


def _types(sequence: Operation) -> tuple[list[Attribute], list[Attribute]]:
    ty = cast("FunctionType", sequence.properties["function_type"])
    return list(ty.inputs.data), list(ty.outputs.data)


def verify_foreach_match(op: transform.ForeachMatchOp) -> None:
    matchers = op.properties["matchers"].data
    actions = op.properties["actions"].data
    if len(matchers) != len(actions):
        raise op_error(op, "expected the same number of matchers and actions")
    if not matchers:
        raise op_error(op, "expected at least one match/action pair")
    for matcher_name, action_name in zip(matchers, actions, strict=True):
        matcher = _sequence(op, matcher_name, "matcher")
        action = _sequence(op, action_name, "action")
        inputs, matched = _types(matcher)
        if len(inputs) != len(op.operands):
            raise error(
                op,
                f"the number of operands ({len(op.operands)}) doesn't match the number of matcher "
                f"arguments ({len(inputs)}) for {_as_text(matcher_name)}",
            )
        for index, (wanted, operand) in enumerate(zip(inputs, op.operands, strict=True)):
            if is_consumed(matcher, index):
                raise op_error(
                    op, f"does not expect matcher symbol to consume its operand #{index}"
                )
            if kind_of(wanted) != kind_of(operand.type):
                raise error(
                    op,
                    f"mismatching type interfaces for operand and matcher argument #{index} of "
                    f"matcher {_as_text(matcher_name)}",
                )
        arguments, outputs = _types(action)
        if len(matched) != len(arguments):
            raise error(
                op,
                "mismatching number of matcher results and action arguments between "
                f"{_as_text(matcher_name)} ({len(matched)}) and {_as_text(action_name)} "
                f"({len(arguments)})",
            )
        for index, (a, b) in enumerate(zip(matched, arguments, strict=True)):
            if kind_of(a) != kind_of(b):
                raise error(
                    op,
                    f"mismatching type interfaces for matcher result and action argument #{index}"
                    f" of matcher {_as_text(matcher_name)} and action {_as_text(action_name)}",
                )
        extra = op.results[1:]
        if len(outputs) != len(extra):
            raise error(
                op,
                f"the number of action results ({len(outputs)}) for {_as_text(action_name)} "
                f"doesn't match the number of extra op results ({len(extra)})",
            )
        for index, (a, result) in enumerate(zip(outputs, extra, strict=True)):
            if kind_of(a) != kind_of(result.type):
                raise error(
                    op,
                    f"mismatching type interfaces for action result #{index} of action "
                    f"{_as_text(action_name)} and op result",
                )


def verify_collect_matching(op: transform.CollectMatchingOp) -> None:
    matcher = _sequence(op, op.properties["matcher"], "matcher")
    inputs, outputs = _types(matcher)
    if len(inputs) != 1 or kind_of(inputs[0]) != "op":
        raise error(op, "expected the matcher to take one operation handle argument")
    attrs = matcher.properties.get("arg_attrs")
    if attrs is None or "transform.readonly" not in attrs.data[0].data:
        raise error(op, "expected the matcher argument to be marked readonly")
    if len(outputs) != len(op.results):
        raise error(
            op,
            "expected the matcher to yield as many values as op has results "
            f"({len(op.results)}), got {len(outputs)}",
        )
    for a, result in zip(outputs, op.results, strict=True):
        if kind_of(a) != kind_of(result.type):
            raise error(op, "mismatching type interfaces for matcher result and op result")
