# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.bufferization.*: tensors of the payload become buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr

from xgpu.core.ir.calls import is_function
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.inherent import attribute_of
from xgpu.transform_dialect.failures import silenceable
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.transform_dialect.state import State
    from xgpu.transforms.bufferization.one_shot.options import Options


def one_shot_bufferize(op: Operation, state: State) -> Results:
    """Bufferizes modules and functions in place; they are the results too."""
    from xgpu.transforms.bufferization.one_shot import bufferize, functions

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
                functions.bufferize_module(target, options)
            else:
                bufferize.one_shot_bufferize(target, options)
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
    from xgpu.transforms.bufferization.buffer_loop_hoisting import hoist_allocations

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


OPS = {
    "transform.bufferization.buffer_loop_hoisting": each(buffer_loop_hoisting),
    "transform.bufferization.eliminate_empty_tensors": each(eliminate_empty_tensors),
    "transform.bufferization.empty_tensor_to_alloc_tensor": each(
        empty_tensor_to_alloc_tensor, "tensor.empty"
    ),
    "transform.bufferization.one_shot_bufferize": one_shot_bufferize,
}
