# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The passes of `mlir-reduce`: each keeps what a test finds interesting.

`reduction-tree` leaves out and simplifies operations (`tree`); `opt-reduction-pass` runs other
passes and keeps what they make if it is interesting and shorter as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.passes.base import Option, Pass
from xgpu.tools.reducer.tester import ScriptTester

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

_TEST = (
    Option("test", str, "", "The location of the tester which tests the file interestingness"),
    Option("test-arg", list, (), "arguments of the tester"),
)


def _tester(p: ReductionTreePass | OptReductionPass) -> ScriptTester:
    if not p.test:
        raise UsageError(f"{p.name}: the option 'test' names no program")
    return ScriptTester(p.test, p.test_arg)


def _fail(op: Operation, message: str) -> DiagnosticError:
    note = Diagnostic("note", "the test ends with 0: this input is not interesting", op.location)
    return DiagnosticError(Diagnostic("error", message, op.location, [note]))


def _take_over(op: Operation, other: Operation) -> None:
    """Makes `op` what `other` is."""
    old, new = op.regions[0], other.regions[0]
    op.attributes = dict(other.attributes)
    for block in list(old.blocks):
        old.detach_block(block)
    for block in list(new.blocks):
        new.detach_block(block)
        old.add_block(block)


class ReductionTreePass(Pass):
    name = "reduction-tree"
    summary = "Reduce the input with reduction-tree algorithm"
    options = (
        Option(
            "traversal-mode", int, 0, "The graph traversal mode, the default is single-path mode"
        ),
        *_TEST,
    )

    traversal_mode: int
    test: str
    test_arg: tuple[str, ...]

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.syntax import print_module
        from xgpu.tools.reducer.tree import TreeReducer

        if op.name != "builtin.module":
            raise DiagnosticError(
                Diagnostic("error", "top-level op must be 'builtin.module'", op.location)
            )
        if self.traversal_mode != 0:
            raise DiagnosticError(
                Diagnostic("error", "unsupported traversal mode detected", op.location)
            )
        interesting = _tester(self)
        if not interesting(print_module(op)):
            raise _fail(op, "uninterested module will not be reduced")
        _take_over(op, TreeReducer(op.clone(), interesting).run())


class OptReductionPass(Pass):
    name = "opt-reduction-pass"
    summary = "A wrapper pass that reduces the file with optimization passes"
    anchor = "builtin.module"
    options = (
        Option("opt-pass", str, "", "The optimization passes used for reduction, e.g., symbol-dce"),
        *_TEST,
    )

    opt_pass: str
    test: str
    test_arg: tuple[str, ...]

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.passes.pipeline_text import parse_pipeline
        from xgpu.core.syntax import print_module
        from xgpu.core.syntax.verify import verify_module

        interesting = _tester(self)
        manager = parse_pipeline(f"builtin.module({self.opt_pass})")
        before = print_module(op)
        if not interesting(before):
            raise _fail(op, "the original input is not interested")
        variant = op.clone()
        manager.run(variant, ctx)
        try:
            verify_module(variant)
        except DiagnosticError:
            return  # as mlir-reduce, which finds nothing interesting that is not valid
        after = print_module(variant)
        if len(after) < len(before) and interesting(after):
            _take_over(op, variant)
