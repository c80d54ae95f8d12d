# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.loop.coalesce, transform.loop.outline: nests as one loop, loops as functions.

Source: MLIR 22.1 SCFTransformOps.cpp, SCF/Utils/Utils.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.symbols import SymbolTable, nearest_table
from xgpu.dialects.gpu.ops import clone_with_locations, used_values_defined_above
from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.interpreter import Results, each
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.transform_dialect.state import State


def coalesce(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The loop that a nest has become."""
    from xgpu.transforms.affine.loop_coalescing import coalesce_affine_nest
    from xgpu.transforms.scf.loop_coalescing import coalesce_nest

    def rewriters(anchor: Operation) -> Rewriter:
        return TrackingRewriter(state, anchor)

    done = False
    if target.name == "scf.for":
        done = coalesce_nest(target, rewriters)
    elif target.name == "affine.for":
        done = coalesce_affine_nest(target, rewriters)
    if not done:
        raise silenceable(op, "failed to coalesce")
    return [target]


def outline(op: Operation, state: State) -> Results:
    """The functions and the calls that loops have become, each call in an scf.execute_region."""
    name = cast("StringAttr", op.properties["func_name"]).data
    tables: dict[Operation, SymbolTable] = {}
    functions: list[Operation] = []
    calls: list[Operation] = []
    for target in state.ops(op.operands[0]):
        if len(target.regions) != 1:
            note = [(target.location, "target op")]
            raise silenceable(op, "failed to outline", note)
        table = nearest_table(target)
        function = _enclosing_function(target)
        if table is None or function is None:
            raise definite(op, "expected the target to be in a function")
        symbols = tables.setdefault(table, SymbolTable(table))
        made, call = _outline(target, function, name, state)
        made.detach()
        call.properties["callee"] = SymbolRefAttr(symbols.insert(made, function))
        functions.append(made)
        calls.append(call)
    return [list(functions), list(calls)]


def _enclosing_function(op: Operation) -> Operation | None:
    from xgpu.core.ir.calls import is_function

    parent = op.parent_op()
    while parent is not None and not is_function(parent):
        parent = parent.parent_op()
    return parent


def _outline(
    target: Operation, function: Operation, name: str, state: State
) -> tuple[Operation, Operation]:
    """Moves an operation with one region to a function before the one that it is in."""
    rw = TrackingRewriter(state, target)
    types = [result.type for result in target.results]
    region = Region(Block())
    execute = rw.create("scf.execute_region", (), types, regions=(region,))
    inside = TrackingRewriter(state)
    inside.location = target.location
    inside.at_end(region.blocks[0])
    body = target.detach_region(0)
    moved = inside.create(
        target.name,
        list(target.operands),
        types,
        dict(target.properties),
        dict(target.attributes),
        (body,),
    )
    captured = used_values_defined_above(region)
    for old, new in zip(target.results, execute.results, strict=True):
        old.replace_all_uses_with(new)
    target.add_region(Region(Block()))
    rw.replace(target, execute.results)

    entry = Block(arg_types=[value.type for value in captured])
    outer = TrackingRewriter(state, function)
    outer.location = moved.location
    made = outer.create(
        "func.func",
        properties={
            "sym_name": StringAttr(name),
            "function_type": FunctionType.from_lists([v.type for v in captured], types),
        },
        regions=(Region(entry),),
    )
    moved.detach()
    entry.add_op(moved)
    outer.at_end(entry)
    outer.create("func.return", list(moved.results))
    callee = {"callee": SymbolRefAttr(name)}
    call = inside.create("func.call", captured, types, callee)
    inside.create("scf.yield", list(call.results))
    for value, argument in zip(captured, entry.args, strict=True):
        _replace_inside(value, _in_function(value, argument, entry), made)
    return made, call


def _in_function(value: SSAValue, argument: SSAValue, entry: Block) -> SSAValue:
    """What stands for a captured value: its argument, or its copy if it is a constant index."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "arith.constant":
        return argument
    if value.type.name != "index":
        return argument
    copy = clone_with_locations(owner)
    first = entry.first_op
    assert first is not None
    entry.insert_op_before(copy, first)
    return copy.results[0]


def _replace_inside(old: SSAValue, new: SSAValue, function: Operation) -> None:
    for use in list(old.uses):
        if function.is_ancestor(use.operation):
            use.operation.operands[use.index] = new


OPS = {
    "transform.loop.coalesce": each(coalesce),
    "transform.loop.outline": outline,
}
