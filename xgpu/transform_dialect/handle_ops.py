# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that only look: they make handles and parameters of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.op_info import traits_of
from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.interpreter import Results, flag, integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.transform_dialect.state import State


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
                "cannot get defining ops of block argument",
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


def cast(op: Operation, state: State) -> Results:
    return [state.payload(op.operands[0])]


def param_constant(op: Operation, state: State) -> Results:
    return [[op.properties["value"]]]


def verify(op: Operation, state: State) -> Results:
    from xgpu.core.ir.errors import DiagnosticError
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
    from xdsl.dialects.builtin import UnitAttr

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
    import sys

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
    "transform.annotate": annotate,
    "transform.cast": cast,
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
