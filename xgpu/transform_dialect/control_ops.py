# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that run others: sequence, include, foreach, alternatives, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation

from xgpu.core.ir.symbols import symbol_name
from xgpu.dialects.transform.handle_effects import resolve
from xgpu.transform_dialect.failures import SilenceableError, definite, silenceable
from xgpu.transform_dialect.interpreter import Results, flag, run_block, run_sequence, suppresses

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
    from xdsl.ir import Attribute, Block

    from xgpu.transform_dialect.state import State


def _bind(block: Block, op: Operation, state: State) -> None:
    for argument, operand in zip(block.args, op.operands, strict=True):
        state.set(argument, state.payload(operand))


def _body(op: Operation, index: int = 0) -> Block:
    block = op.regions[index].first_block
    assert block is not None
    return block


def apply_named_sequence(op: Operation, state: State) -> Results:
    """A definition: nothing runs until it is included."""
    return []


def apply_sequence(op: Operation, state: State) -> Results:
    block = _body(op)
    _bind(block, op, state)
    return run_sequence(op, block, state, suppress=suppresses(op), arity=len(op.results))


def apply_include(op: Operation, state: State) -> Results:
    callee = resolve(op, op.properties["target"])
    if callee is None or callee.name != "transform.named_sequence":
        raise definite(op, "could not resolve the named sequence to include")
    block = callee.regions[0].first_block
    if block is None:
        raise definite(op, "unresolved external named sequence")
    _bind(block, op, state)
    return run_sequence(op, block, state, suppress=suppresses(op), arity=len(op.results))


def apply_foreach(op: Operation, state: State) -> Results:
    """The body, once for each payload entity of the operands, taken side by side."""
    block = _body(op)
    payloads = [state.payload(v) for v in op.operands]
    shortest = flag(op, "with_zip_shortest")
    count = min((len(p) for p in payloads), default=0)
    if not shortest:
        for payload in payloads:
            if len(payload) != len(payloads[0]):
                raise silenceable(
                    op,
                    "prior targets' payload size ("
                    f"{len(payloads[0])}) differs from payload size ({len(payload)}) of target "
                    + _operand_text(op, payloads.index(payload)),
                )
    results = [[] for _ in op.results]
    for index in range(count):
        for argument, payload in zip(block.args, payloads, strict=True):
            state.set(argument, [payload[index]])
        terminator = run_block(block, state)
        if terminator is not None:
            for items, value in zip(results, terminator.operands, strict=True):
                items.extend(state.payload(value))
    return results


def _operand_text(op: Operation, index: int) -> str:
    return f"%{op.operands[index].name_hint or index}"


def apply_alternatives(op: Operation, state: State) -> Results:
    """The first alternative that succeeds, each tried on a copy of the scope."""
    scopes = state.ops(op.operands[0]) if op.operands else [state.root]
    for scope in scopes:
        if scope is op or _contains(scope, op):
            raise definite(op, "scope must not contain the transforms being applied")
        from xgpu.core.ir.op_info import traits_of

        if "IsolatedFromAbove" not in traits_of(scope.name) and scope.name != "builtin.module":
            raise definite(
                op,
                "only isolated-from-above ops can be alternative scopes",
                [(scope.location, "scope")],
            )
    for region in op.regions:
        clones = [scope.clone() for scope in scopes]
        block = region.first_block
        if block is None:
            return [[] for _ in op.results]
        for scope, clone in zip(scopes, clones, strict=True):
            _keep_locations(scope, clone)
            assert scope.parent is not None
            scope.parent.insert_op_before(clone, scope)
        if block.args:
            state.set(block.args[0], clones)
        try:
            terminator = run_block(block, state)
        except SilenceableError:
            for clone in clones:
                state.erased(clone)
                clone.detach()
                clone.erase(safe_erase=False)
            continue
        results = (
            [[] for _ in op.results]
            if terminator is None
            else [state.payload(v) for v in terminator.operands]
        )
        for scope, clone in zip(scopes, clones, strict=True):
            for old, new in zip(scope.results, clone.results, strict=True):
                old.replace_all_uses_with(new)
            state.erased(scope)
            scope.detach()
            scope.erase(safe_erase=False)
        return results
    raise silenceable(op, "all alternatives failed")


def _contains(scope: Operation, op: Operation) -> bool:
    current: Operation | None = op
    while current is not None:
        if current is scope:
            return True
        current = current.parent_op()
    return False


def _keep_locations(old: Operation, new: Operation) -> None:
    for before, after in zip(old.walk(), new.walk(), strict=True):
        after.location = before.location


def match_sequence(
    sequence: Operation, payloads: list[list[Any]], state: State
) -> list[list[Any]] | None:
    """What the matcher yields for `payloads`, or None if it does not match."""
    block = _body(sequence)
    for argument, payload in zip(block.args, payloads, strict=True):
        state.set(argument, payload)
    try:
        terminator = run_block(block, state)
    except SilenceableError:
        return None
    return [] if terminator is None else [state.payload(v) for v in terminator.operands]


def apply_foreach_match(op: Operation, state: State) -> Results:
    """For each operation below the root, the action of the first matcher that takes it."""
    pairs: list[tuple[Operation, Operation]] = []
    properties = cast("dict[str, ArrayAttr]", op.properties)
    for matcher, action in zip(
        properties["matchers"].data, properties["actions"].data, strict=True
    ):
        found = resolve(op, matcher), resolve(op, action)
        if found[0] is None or found[1] is None:
            raise definite(op, "unresolved external named sequence")
        pairs.append(found)  # type: ignore[arg-type]
    forwarded = [state.payload(v) for v in op.operands[1:]]
    outputs: list[list[Any]] = [[] for _ in op.results[1:]]
    failures: list[tuple[Operation, Operation, SilenceableError]] = []
    for root in state.ops(op.operands[0]):
        for target in list(root.walk(region_first=True)):
            if flag(op, "restrict_root") is not (target is root):
                continue  # the root itself, or what is below it: an action may consume it
            if target.parent is None and target is not root:
                continue
            for matcher, action in pairs:
                matched = match_sequence(matcher, [[target], *forwarded], state)
                if matched is None:
                    continue
                block = _body(action)
                for argument, payload in zip(block.args, matched, strict=True):
                    state.set(argument, payload)
                try:
                    terminator = run_block(block, state)
                except SilenceableError as failure:
                    failures.append((action, target, failure))
                    break
                if terminator is not None:
                    for items, value in zip(outputs, terminator.operands, strict=True):
                        found_items = state.payload(value)
                        if len(found_items) != 1 and not flag(op, "flatten_results"):
                            raise definite(
                                op,
                                f"action @{symbol_name(action)} has results associated with "
                                "multiple payload entities, but flattening was not requested",
                            )
                        items.extend(found_items)
                break
    if failures:
        notes: list[tuple[Attribute, str]] = []
        for action, target, failure in failures:
            notes.append((action.location, f"failed action: {failure}"))
            notes.append((target.location, "when applied to this matching payload"))
        raise silenceable(op, "actions failed", notes)
    return [state.ops(op.operands[0]), *outputs]


def apply_collect_matching(op: Operation, state: State) -> Results:
    """What the matcher yields for each operation below the root."""
    matcher = resolve(op, op.properties["matcher"])
    if matcher is None or matcher.regions[0].first_block is None:
        symbol = cast("SymbolRefAttr", op.properties["matcher"])
        raise definite(op, f"unresolved external symbol @{symbol.string_value()}")
    results = [[] for _ in op.results]
    for root in state.ops(op.operands[0]):
        for target in root.walk(region_first=True):
            matched = match_sequence(matcher, [[target]], state)
            if matched is not None:
                for items, payload in zip(results, matched, strict=True):
                    items.extend(payload)
    return results


OPS = {
    "transform.alternatives": apply_alternatives,
    "transform.collect_matching": apply_collect_matching,
    "transform.foreach": apply_foreach,
    "transform.foreach_match": apply_foreach_match,
    "transform.include": apply_include,
    "transform.named_sequence": apply_named_sequence,
    "transform.sequence": apply_sequence,
}
