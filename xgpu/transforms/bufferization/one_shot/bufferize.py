# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replacing operations on tensors by operations on buffers, from the first to the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, error
from xgpu.transforms.bufferization.one_shot.analysis import Analysis
from xgpu.transforms.bufferization.one_shot.annotations import mark_alias_sets, mark_decisions
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, has_effects
from xgpu.transforms.bufferization.one_shot.copies import insert_copies
from xgpu.transforms.bufferization.one_shot.state import Undecided
from xgpu.transforms.bufferization.one_shot.values import has_tensors, walk_postorder

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.options import Options

_PAIR = frozenset({"bufferization.to_buffer", "bufferization.to_tensor"})


def one_shot_bufferize(root: Operation, options: Options) -> None:
    """Analyzes and bufferizes `root` and what it contains.

    Raises DiagnosticError for what cannot be bufferized under the options.
    """
    if not options.copy_before_write:
        state = Analysis(root, options)
        state.analyze(root)
        annotate(root, state)
        if not options.test_analysis_only:
            insert_copies(root, state)
    if not options.test_analysis_only:
        bufferize(root, options)


def annotate(root: Operation, state: Analysis) -> None:
    """States what the analysis found, if the options ask for it."""
    if state.options.test_analysis_only:
        mark_decisions(root, state)
    if state.options.dump_alias_sets:
        mark_alias_sets(root, state)


def bufferize(root: Operation, options: Options) -> None:
    """Replaces the operations in `root`, whose operands may all write where they stand."""
    state = Undecided(options)
    if options.copy_before_write:
        insert_copies(root, state)
    buffers = Buffers(state)
    pending = [op for op in root.walk() if _has_tensors(op, state)]
    at = 0
    while at < len(pending):
        op = pending[at]
        at += 1
        if op in buffers.gone or not _has_tensors(op, state):
            continue
        model = state.known_model(op)
        if model is None:
            continue
        buffers.start(op)
        try:
            model.bufferize(op, buffers)
        except DiagnosticError as problem:
            raise _failure(op, problem) from None
        pending.extend(new for new in buffers.created if new.name not in _PAIR and has_tensors(new))
        buffers.created.clear()
    _fold_pairs(root, buffers)
    if not options.allow_unknown_ops:
        _check(pending, buffers, state)


def _failure(op: Operation, problem: DiagnosticError) -> DiagnosticError:
    """What is wrong, and while what."""
    words = "failed to bufferize op"
    if problem.diagnostics[-1].message == words:
        return problem
    return DiagnosticError(*problem.diagnostics, Diagnostic("error", words, op.location, (), op))


def _has_tensors(op: Operation, state: Undecided) -> bool:
    model = state.known_model(op)
    return has_tensors(op) if model is None else model.has_tensors(op)


def _fold_pairs(root: Operation, buffers: Buffers) -> None:
    for op in list(root.walk()):
        if op.name == "bufferization.to_buffer":
            buffers.fold_pair(op)
    for op in list(walk_postorder(root)):
        if op.name == "bufferization.to_tensor" and op.results[0].first_use is None:
            buffers.erase(op)


def _check(operations: list[Operation], buffers: Buffers, state: Undecided) -> None:
    for op in operations:
        if op in buffers.gone or op.name in _PAIR or not _has_tensors(op, state):
            continue
        if not buffers.options.is_allowed(op):
            continue
        if all(result.first_use is None for result in op.results) and not has_effects(op):
            continue
        raise error(op, "op was not bufferized")
