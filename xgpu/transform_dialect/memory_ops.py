# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.memref.*, transform.bufferization.* and transform.xgpu.*: buffers of the payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.calls import is_function
from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.op_info import attribute_of, traits_of
from xgpu.core.ir.symbols import body_operations, nearest_table, symbol_name
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.state import (
    SilenceableError,
    State,
    TrackingRewriter,
    definite,
    silenceable,
)

if TYPE_CHECKING:
    from xgpu.dialects import memref
    from xgpu.transforms.bufferization.one_shot.options import Options


# --- memref ops ----------------------------------------------------------------------------------
# transform.memref.*: multi-buffering, dead allocations, allocations that become globals.


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
    """The users of memory that nothing reads, innermost first; None if something may."""
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


# --- bufferization ops ---------------------------------------------------------------------------
# transform.bufferization.*: tensors of the payload become buffers.


def one_shot_bufferize(op: Operation, state: State) -> Results:
    """Bufferizes modules and functions in place; they are the results too."""
    from xgpu.transforms.bufferization import one_shot_bufferize

    targets = list(state.ops(op.operands[0]))
    for target in targets:
        is_module = target.name == "builtin.module"
        if not is_module and not is_function(target):
            raise silenceable(op, "expected module or function target")
        options = _options(op)
        if options.bufferize_function_boundaries and not is_module:
            raise silenceable(op, "expected module target")
        try:
            if options.bufferize_function_boundaries:
                one_shot_bufferize.bufferize_module(target, options)
            else:
                one_shot_bufferize.one_shot_bufferize(target, options)
        except DiagnosticError as problem:
            failure = silenceable(op, "bufferization failed")
            failure.diagnostics[:0] = problem.diagnostics
            raise failure from None
    return [targets]


def _options(op: Operation) -> Options:
    from xgpu.transforms.bufferization.one_shot.options import DYNAMIC, IDENTITY, INFER, Options

    # By the numbers of the enumeration.
    layouts = (INFER, IDENTITY, DYNAMIC)
    layout = integer(op, "function_boundary_type_conversion", 0)
    copy = attribute_of(op, "memcpy_op")
    return Options(
        allow_return_allocs_from_loops=flag(op, "allow_return_allocs_from_loops"),
        allow_unknown_ops=flag(op, "allow_unknown_ops"),
        bufferize_function_boundaries=flag(op, "bufferize_function_boundaries"),
        check_parallel_regions=flag(op, "check_parallel_regions"),
        copy_op=copy.data if isinstance(copy, StringAttr) else "memref.copy",
        dump_alias_sets=flag(op, "dump_alias_sets"),
        function_boundaries=layouts[layout],
        print_conflicts=flag(op, "print_conflicts"),
        test_analysis_only=flag(op, "test_analysis_only"),
    )


def eliminate_empty_tensors(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.bufferization.eliminate_empty_tensors import eliminate_in

    try:
        eliminate_in(target)
    except DiagnosticError as problem:
        failure = silenceable(op, "empty tensor elimination failed")
        failure.diagnostics[:0] = problem.diagnostics
        raise failure from None


def buffer_loop_hoisting(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.bufferization.buffer_optimizations import hoist_allocations

    hoist_allocations(target)


def empty_tensor_to_alloc_tensor(op: Operation, target: Operation, state: State) -> list[Operation]:
    rw = TrackingRewriter(state, target)
    sizes = list(target.operands)
    kinds = [target.results[0].type]
    new = rw.create("bufferization.alloc_tensor", (sizes, [], []), kinds)
    state.value_replaced(target.results[0], new.results[0])
    target.results[0].replace_all_uses_with(new.results[0])
    state.op_replaced(target, new)
    rw.erase(target)
    return [new]


# --- xgpu ops ------------------------------------------------------------------------------------
# transform.xgpu.*: passes of ours on what a handle has.


def circular_buffer(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The pass on one scf.for; gives its main loop. What the pass refuses is a silenceable failure
    if nothing has been changed."""
    from xgpu.kernels.circular.circular_buffer import (
        buffer_registers,
        build,
        copies_to_registers,
        plan_of,
    )
    from xgpu.kernels.circular.plan import Options

    default = Options()
    mode, registers = op.properties.get("mode"), op.properties.get("registers")
    given = Options(
        integer(op, "stages", default.stages),
        integer(op, "prefetch", default.prefetch),
        mode.data if isinstance(mode, StringAttr) else default.mode,
        integer(op, "producer_warps", default.producer_warps),
        _numbers(registers) if isinstance(registers, ArrayAttr) else default.registers,
    )
    if copies_to_registers(target):
        return [buffer_registers(TrackingRewriter(state, target), target, given)]
    try:
        plan = plan_of(target, given)
    except DiagnosticError as refused:
        first = Diagnostic("error", "cannot buffer this loop", op.location)
        first.notes = [
            Diagnostic("note", d.message, d.location, d.notes) for d in refused.diagnostics
        ]
        raise SilenceableError(first) from None
    try:
        return [build(TrackingRewriter(state, target), plan)]
    except DiagnosticError as refused:
        notes = [(d.location, d.message) for d in refused.diagnostics]
        raise definite(op, "cannot buffer this loop", notes) from None


def _numbers(registers: ArrayAttr) -> tuple[int, ...]:
    return tuple(item.value.data for item in registers.data if isinstance(item, IntegerAttr))


OPS = {
    "transform.memref.alloca_to_global": alloca_to_global,
    "transform.memref.erase_dead_alloc_and_stores": each(erase_dead),
    "transform.memref.multibuffer": multibuffer,
    "transform.bufferization.buffer_loop_hoisting": each(buffer_loop_hoisting),
    "transform.bufferization.eliminate_empty_tensors": each(eliminate_empty_tensors),
    "transform.bufferization.empty_tensor_to_alloc_tensor": each(
        empty_tensor_to_alloc_tensor, "tensor.empty"
    ),
    "transform.bufferization.one_shot_bufferize": one_shot_bufferize,
    "transform.xgpu.circular_buffer": each(circular_buffer, "scf.for"),
}
