# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that run others (sequence, include, foreach, alternatives), and those that
make handles and parameters of others.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import symbol_name
from xgpu.dialects.transform.ops import resolve
from xgpu.transform_dialect.interpreter import (
    Results,
    flag,
    integer,
    run_block,
    run_sequence,
    suppresses,
)
from xgpu.transform_dialect.state import SilenceableError, definite, silenceable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr

    from xgpu.transform_dialect.state import State


# --- control ops ---------------------------------------------------------------------------------
# Transform operations that run others: sequence, include, foreach, alternatives, ...


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


# --- handle ops ----------------------------------------------------------------------------------
# Transform operations that only look: they make handles and parameters of others.


def _unique(items: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def get_parent_op(op: Operation, state: State) -> Results:
    """The nth parent of the wanted kind, of each operation."""
    name = op.properties.get("op_name")
    isolated = flag(op, "isolated_from_above")
    parents: list[Operation] = []
    for target in state.ops(op.operands[0]):
        parent: Operation | None = target
        for _ in range(integer(op, "nth_parent", 1)):
            parent = parent.parent_op() if parent is not None else None
            while parent is not None and not _fits(parent, name, isolated):
                parent = parent.parent_op()
        if parent is None:
            if flag(op, "allow_empty_results"):
                return [[]]
            raise silenceable(
                op,
                "could not find a parent op to match requirements",
                [(target.location, "target op")],
            )
        parents.append(parent)
    return [_unique(parents) if flag(op, "deduplicate") else parents]


def _fits(op: Operation, name: Any, isolated: bool) -> bool:
    if name is not None and op.name != name.data:
        return False
    return not isolated or op.name == "builtin.module" or "IsolatedFromAbove" in traits_of(op.name)


def get_defining_op(op: Operation, state: State) -> Results:
    owners: list[Operation] = []
    for value in state.payload(op.operands[0]):
        if isinstance(value.owner, Block):
            raise silenceable(
                op,
                "cannot get defining op of block argument",
                [(value.location, "target value")],
            )
        owners.append(value.owner)
    return [owners]


def get_producer_of_operand(op: Operation, state: State) -> Results:
    number = integer(op, "operand_number", 0)
    producers: list[Operation] = []
    for target in state.ops(op.operands[0]):
        owner = target.operands[number].owner if number < len(target.operands) else None
        if not isinstance(owner, Operation):
            raise silenceable(
                op,
                f"could not find a producer for operand number: {number} of {_text(target)}",
                [(target.location, "target op")],
            )
        producers.append(owner)
    return [producers]


def get_consumers_of_result(op: Operation, state: State) -> Results:
    targets = state.ops(op.operands[0])
    number = integer(op, "result_number", 0)
    if not targets:
        return [[]]
    if len(targets) != 1:
        raise definite(op, "handle must be mapped to exactly one payload op")
    if number >= len(targets[0].results):
        raise definite(op, "result number overflow")
    return [_unique([use.operation for use in targets[0].results[number].uses])]


def positions(op: Operation, count: int, target: Operation) -> list[int]:
    """The positions that `[0, -1]`, `[except(...)]` or `[all]` select among `count`."""
    if flag(op, "is_all"):
        return list(range(count))
    raw: Any = op.properties["raw_position_list"]
    chosen: list[int] = []
    for value in raw.get_values():
        updated = value + count if value < 0 else value
        if not 0 <= updated < count:
            raise silenceable(
                op,
                f"position overflow {updated} (updated from {value}) for maximum {count}",
                [(target.location, "while considering positions of this payload operation")],
            )
        if updated in chosen:
            raise silenceable(
                op,
                f"repeated position {updated} (updated from {value})",
                [(target.location, "while considering positions of this payload operation")],
            )
        chosen.append(updated)
    if flag(op, "is_inverted"):
        return [i for i in range(count) if i not in chosen]
    return chosen


def get_operand(op: Operation, state: State) -> Results:
    found: list[SSAValue] = []
    for target in state.ops(op.operands[0]):
        found.extend(target.operands[i] for i in positions(op, len(target.operands), target))
    return [found]


def get_result(op: Operation, state: State) -> Results:
    found: list[SSAValue] = []
    for target in state.ops(op.operands[0]):
        found.extend(target.results[i] for i in positions(op, len(target.results), target))
    return [found]


def get_type(op: Operation, state: State) -> Results:
    """The types of values, as parameters."""
    types: list[Attribute] = []
    for value in state.payload(op.operands[0]):
        ty: Any = value.type
        if flag(op, "elemental") and hasattr(ty, "element_type"):
            ty = ty.element_type
        types.append(ty)
    return [types]


def select(op: Operation, state: State) -> Results:
    name: Any = op.properties["op_name"]
    return [[o for o in state.ops(op.operands[0]) if o.name == name.data]]


def split_handle(op: Operation, state: State) -> Results:
    payload = state.payload(op.operands[0])
    count = len(op.results)
    overflow = op.properties.get("overflow_result")
    passes_empty = "pass_through_empty_handle" not in op.properties or flag(
        op, "pass_through_empty_handle"
    )
    fails_small = "fail_on_payload_too_small" not in op.properties or flag(
        op, "fail_on_payload_too_small"
    )
    too_many = len(payload) > count and overflow is None
    too_few = (
        len(payload) < count and (payload or not passes_empty) and (fails_small or not payload)
    )
    if too_many or too_few:
        raise silenceable(
            op,
            f"{_value_text(op.operands[0])} expected to contain {count} payloads but it "
            f"contains {len(payload)} payloads",
        )
    results = [[] for _ in range(count)]
    for index, item in enumerate(payload):
        at = index
        if at >= count:
            at = overflow.value.data  # type: ignore[union-attr]
        results[at].append(item)
    return results


def _value_text(value: SSAValue) -> str:
    if isinstance(value.owner, Operation):
        return _text(value.owner)
    from xgpu.core.syntax.printer import attribute_text

    index = value.index  # pyright: ignore
    return f"<block argument> of type '{attribute_text(value.type)}' at index: {index}"


def _text(op: Operation) -> str:
    from xgpu.core.syntax.printer import print_op

    return print_op(op, generic=True, local_scope=True)


def merge_handles(op: Operation, state: State) -> Results:
    items = [item for operand in op.operands for item in state.payload(operand)]
    return [_unique(items) if flag(op, "deduplicate") else items]


def num_associations(op: Operation, state: State) -> Results:
    return [[IntegerAttr(len(state.payload(op.operands[0])), IntegerType(64))]]


def replicate(op: Operation, state: State) -> Results:
    """The other handles' payload, as often as the pattern handle has operations."""
    count = len(state.payload(op.operands[0]))
    return [state.payload(handle) * count for handle in op.operands[1:]]


def cast_handle(op: Operation, state: State) -> Results:
    return [state.payload(op.operands[0])]


def param_constant(op: Operation, state: State) -> Results:
    return [[op.properties["value"]]]


def verify(op: Operation, state: State) -> Results:
    from xgpu.core.syntax.verify import verify_op

    for target in state.ops(op.operands[0]):
        try:
            verify_op(target)
        except DiagnosticError as error:
            last = definite(op, "failed to verify payload op", [(target.location, "payload op")])
            raise DiagnosticError(*error.diagnostics, *last.diagnostics) from None
    return []


def annotate(op: Operation, state: State) -> Results:
    """Sets an attribute on each operation: the one parameter, or unit."""
    name: Any = op.properties["name"]
    value: Attribute = UnitAttr()
    if len(op.operands) > 1:
        params = state.payload(op.operands[1])
        if len(params) != 1:
            raise definite(op, f"parameter produces {len(params)} payloads, expected 1")
        value = params[0]
    for target in state.ops(op.operands[0]):
        target.attributes[name.data] = value
    return []


def print_payload(op: Operation, state: State) -> Results:
    """Prints payload operations, or all of the payload, to standard output."""
    from xgpu.core.syntax.printer import print_op

    name = op.properties.get("name")
    title = "[[[ IR printer: " + (f"{name.data} " if isinstance(name, StringAttr) else "")
    local = flag(op, "use_local_scope")
    if not op.operands:
        sys.stdout.write(f"{title}top-level ]]]\n{print_op(state.root, local_scope=local)}\n")
        return []
    sys.stdout.write(f"{title}]]]\n")
    for target in state.ops(op.operands[0]):
        sys.stdout.write(print_op(target, local_scope=local) + "\n")
    return []


def _remark(
    message: str, location: Attribute, notes: Sequence[Diagnostic] = (), op: Operation | None = None
) -> None:
    from xgpu.core.syntax.diagnostics import emit

    emit(Diagnostic("remark", message, location, list(notes), op))


def emit_remark_at(op: Operation, state: State) -> Results:
    message: Any = op.properties["message"]
    for item in state.payload(op.operands[0]):
        if isinstance(item, Operation):
            _remark(message.data, item.location, (), item)
            continue
        owner = item.owner
        if isinstance(owner, Operation):
            number = item.index
            text = f"value handle points to an op result #{number}"
            _remark(message.data, owner.location, [Diagnostic("note", text, owner.location)])
        else:
            parent = owner.parent_op()
            text = f"value handle points to a block argument #{item.index} in block #0 in region #0"
            notes = [Diagnostic("note", text, parent.location)] if parent is not None else []
            _remark(message.data, item.location, notes)
    return []


def emit_param_as_remark(op: Operation, state: State) -> Results:
    from xgpu.core.syntax.printer import attribute_text

    message = op.properties.get("message")
    start = f"{message.data} " if isinstance(message, StringAttr) else ""
    values = ", ".join(attribute_text(p) for p in state.payload(op.operands[0]))
    places = state.ops(op.operands[1]) if len(op.operands) > 1 else [op]
    for place in places:
        _remark(start + values, place.location, (), place)
    return []


OPS = {
    "transform.alternatives": apply_alternatives,
    "transform.collect_matching": apply_collect_matching,
    "transform.foreach": apply_foreach,
    "transform.foreach_match": apply_foreach_match,
    "transform.include": apply_include,
    "transform.named_sequence": apply_named_sequence,
    "transform.sequence": apply_sequence,
    "transform.annotate": annotate,
    "transform.cast": cast_handle,
    "transform.debug.emit_param_as_remark": emit_param_as_remark,
    "transform.debug.emit_remark_at": emit_remark_at,
    "transform.get_consumers_of_result": get_consumers_of_result,
    "transform.get_defining_op": get_defining_op,
    "transform.get_operand": get_operand,
    "transform.get_parent_op": get_parent_op,
    "transform.get_producer_of_operand": get_producer_of_operand,
    "transform.get_result": get_result,
    "transform.get_type": get_type,
    "transform.merge_handles": merge_handles,
    "transform.num_associations": num_associations,
    "transform.param.constant": param_constant,
    "transform.print": print_payload,
    "transform.replicate": replicate,
    "transform.select": select,
    "transform.split_handle": split_handle,
    "transform.verify": verify,
}
