# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.memref.*: multi-buffering, dead allocations, allocations that become globals."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import body_operations, nearest_table, symbol_name
from xgpu.transform_dialect.failures import SilenceableError, definite
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xgpu.dialects import memref
    from xgpu.transform_dialect.state import State


#: Other views of the same memory.
_VIEWS = frozenset(("memref.collapse_shape", "memref.expand_shape", "memref.subview"))


def multibuffer(op: Operation, state: State) -> Results:
    from xgpu.transforms.memref.multi_buffer import multi_buffer, parent_loop, users

    found: list[Operation] = []
    for target in state.ops(op.operands[0]):
        using = [u for u in users(target.results[0]) if u.name != "memref.dealloc"]
        if any(parent_loop(u) is None for u in using):
            continue
        new = multi_buffer(
            TrackingRewriter(state, target),
            cast("memref.AllocOp", target),
            integer(op, "factor", 1),
            skip_analysis=flag(op, "skip_analysis"),
        )
        if new is None:
            raise SilenceableError(Diagnostic("error", "op failed to multibuffer", target.location))
        found.append(new)
    return [found]


def _free_name(table: Operation, wanted: str) -> str:
    taken = {symbol_name(o) for o in body_operations(table)}
    name, number = wanted, 0
    while name in taken:
        name = f"{wanted}_{number}"
        number += 1
    return name


def alloca_to_global(op: Operation, state: State) -> Results:
    """Each memref.alloca becomes a memref.get_global of a new memref.global."""
    uses: list[Operation] = []
    globals_: list[Operation] = []
    for target in state.ops(op.operands[0]):
        if target.operands:
            raise definite(op, "only memref.alloca of a static shape is supported by xgpu")
        table = nearest_table(target)
        assert table is not None
        name = _free_name(table, "alloca")
        ty = target.results[0].type
        rw = TrackingRewriter(state)
        rw.location = target.location
        rw.at_end(table.regions[0].block)
        last = table.regions[0].block.last_op
        if last is not None and "Terminator" in traits_of(last.name):
            rw.before(last)
        properties = {
            "sym_name": StringAttr(name),
            "sym_visibility": StringAttr("private"),
            "type": ty,
        }
        globals_.append(rw.create("memref.global", (), (), properties))
        rw.before(target)
        rw.location = target.location
        use = rw.create("memref.get_global", (), [ty], {"name": SymbolRefAttr(name)})
        uses.append(use)
        rw.replace(target, use.results)
    return [uses, globals_]


def _writers(value: SSAValue) -> list[Operation] | None:
    """The users of memory that nobody reads, innermost first; None if somebody may."""
    found: list[Operation] = []
    for use in value.uses:
        user = use.operation
        if "Terminator" in traits_of(user.name):
            return None
        if user.name in _VIEWS:
            inner = _writers(user.results[0])
            if inner is None:
                return None
            found.extend(inner)
        elif user.name != "memref.dealloc":
            known = effects(user)
            reads = known is None or any(
                e.kind == "read" and (e.value is None or e.value is value) for e in known
            )
            if user.results or user.regions or reads:
                return None
        found.append(user)
    return found


def erase_dead(op: Operation, target: Operation, state: State) -> None:
    """Allocations that are only written, with what writes them."""
    rw = TrackingRewriter(state)
    names = ("memref.alloc", "memref.alloca")
    for alloc in [o for o in target.walk() if o.name in names]:
        doomed = _writers(alloc.results[0])
        if doomed is None:
            continue
        for user in dict.fromkeys(doomed):
            rw.erase(user)
        rw.erase(alloc)


OPS = {
    "transform.memref.alloca_to_global": alloca_to_global,
    "transform.memref.erase_dead_alloc_and_stores": each(erase_dead),
    "transform.memref.multibuffer": multibuffer,
}
