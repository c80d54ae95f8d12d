# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that run rewrites, conversions and passes on the payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.dialects.transform.syntax import parameter_index
from xgpu.transform_dialect.failures import SilenceableError, definite
from xgpu.transform_dialect.interpreter import Results, each, flag, integer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DictionaryAttr

    from xgpu.transform_dialect.state import State


def _refuse_own_ancestor(op: Operation, target: Operation) -> None:
    current: Operation | None = op
    while current is not None:
        if current is target:
            raise definite(
                op,
                "cannot apply transform to itself (or one of its ancestors)",
                [(target.location, "target payload op")],
            )
        current = current.parent_op()


def _apply_patterns(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transform_dialect.patterns import collect
    from xgpu.transform_dialect.tracking import apply_tracked

    _refuse_own_ancestor(op, target)
    block = op.regions[0].first_block
    patterns = collect(block.ops if block is not None else ())
    with_cse = flag(op, "apply_cse")
    while True:
        before = _fingerprint(target) if with_cse else None
        converged = apply_tracked(
            target,
            patterns,
            state,
            max_iterations=integer(op, "max_iterations", -1),
            max_rewrites=integer(op, "max_num_rewrites", -1),
        )
        if not converged:
            raise SilenceableError(
                Diagnostic("error", "greedy pattern application failed", target.location)
            )
        if not with_cse:
            return
        _eliminate(target, state)
        if _fingerprint(target) == before:
            return


def _fingerprint(target: Operation) -> list[int]:
    return [id(o) for o in target.walk()]


def _eliminate(target: Operation, state: State) -> None:
    """Common subexpressions of `target`; handles follow to the operations that stay."""
    from xgpu.transforms.generic.cse import eliminate_common_subexpressions

    before = list(target.walk())
    eliminate_common_subexpressions(target)
    _forget_removed(before, target, state)


def _forget_removed(before: list[Operation], target: Operation, state: State) -> None:
    left = set(target.walk())
    for old in before:
        if old not in left:
            state.erased(old)


def _apply_cse(op: Operation, target: Operation, state: State) -> None:
    _refuse_own_ancestor(op, target)
    _eliminate(target, state)


def _apply_dce(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.generic.trivial_dce import erase_dead

    _refuse_own_ancestor(op, target)
    before = list(target.walk())
    while True:
        erase_dead(target)
        left = list(target.walk())
        if len(left) == len(before):
            return
        _forget_removed(before, target, state)
        before = left


def _apply_licm(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.generic.loop_invariant_code_motion import is_loop, move_invariant_code

    _refuse_own_ancestor(op, target)
    if not is_loop(target):
        raise SilenceableError(
            Diagnostic(
                "error",
                "transform applied to the wrong op kind",
                op.location,
                [Diagnostic("note", "when applied to this op", target.location)],
            )
        )
    move_invariant_code(target)


def apply_conversion_patterns(op: Operation, state: State) -> Results:
    """One dialect conversion of each target, with the rules that the region names."""
    from xgpu.transform_dialect.conversions import Conversion

    conversion = Conversion(op)
    keep = flag(op, "preserve_handles")
    for target in state.ops(op.operands[0]):
        _refuse_own_ancestor(op, target)
        before = list(target.walk()) if keep else []
        try:
            conversion.run(target)
        except DiagnosticError as error:
            last = Diagnostic(
                "error",
                "dialect conversion failed",
                op.location,
                [Diagnostic("note", "target op", target.location)],
            )
            raise SilenceableError(*error.diagnostics, last) from None
        if keep:
            _follow_converted(before, target, state)
    return []


def _follow_converted(before: list[Operation], target: Operation, state: State) -> None:
    left = set(target.walk())
    for old in before:
        if old not in left:
            state.erased(old)


def _option_text(value: Attribute) -> str:
    if isinstance(value, StringAttr):
        return value.data
    if isinstance(value, IntegerAttr):
        ty = value.type
        if getattr(getattr(ty, "width", None), "data", 0) == 1:
            return "true" if value.value.data else "false"
        return str(value.value.data)
    from xgpu.core.syntax.printer import attribute_text

    return attribute_text(value)


def _options(op: Operation, state: State) -> str:
    """The options of a pass as the command line has them."""
    given = cast("DictionaryAttr | None", op.properties.get("options"))
    parts: list[str] = []

    def texts(value: Attribute) -> list[str]:
        if value.name == "transform.param_operand":
            handle = op.operands[1 + parameter_index(value)]
            return [_option_text(p) for p in state.payload(handle)]
        if isinstance(value, ArrayAttr):
            return [text for item in value.data for text in texts(item)]
        return [_option_text(value)]

    for key, value in (given.data if given is not None else {}).items():
        joined = ",".join(texts(value))
        quoted = f"{{{joined}}}" if isinstance(value, ArrayAttr) or " " in joined else joined
        parts.append(f"{key}={quoted}")
    return " ".join(parts)


def apply_registered_pass(op: Operation, state: State) -> Results:
    """Runs a pass or pipeline of the registry on each target."""
    from xgpu.core.passes.manager import PassManager, VerifyEach
    from xgpu.core.passes.pipeline_text import add
    from xgpu.core.passes.registry import PASSES, PIPELINES

    name = cast("StringAttr", op.properties["pass_name"])
    if name.data not in PASSES and name.data not in PIPELINES:
        raise definite(op, f"unknown pass or pass pipeline: {name.data}")
    targets = state.ops(op.operands[0])
    text = _options(op, state)
    for target in targets:
        _refuse_own_ancestor(op, target)
        manager = PassManager(target.name)
        try:
            add(manager, name.data, text)
        except UsageError as error:
            raise definite(
                op,
                f"failed to add pass or pass pipeline to pipeline: {name.data}",
                [(op.location, str(error))],
            ) from None
        before = list(target.walk())
        try:
            _check_isolated(target)
            manager.run(target, state.ctx, [VerifyEach()])
        except DiagnosticError as error:
            last = Diagnostic(
                "error",
                "pass pipeline failed",
                op.location,
                [Diagnostic("note", "target op", target.location)],
            )
            raise SilenceableError(*error.diagnostics, last) from None
        _forget_removed(before, target, state)
    return [targets]


def _check_isolated(target: Operation) -> None:
    from xgpu.core.ir.errors import op_error
    from xgpu.core.ir.op_info import traits_of

    if target.name != "builtin.module" and "IsolatedFromAbove" not in traits_of(target.name):
        raise op_error(
            target,
            "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'",
        )


OPS = {
    "transform.apply_conversion_patterns": apply_conversion_patterns,
    "transform.apply_cse": each(_apply_cse),
    "transform.apply_dce": each(_apply_dce),
    "transform.apply_licm": each(_apply_licm),
    "transform.apply_patterns": each(_apply_patterns),
    "transform.apply_registered_pass": apply_registered_pass,
}
