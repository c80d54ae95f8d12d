# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making a program smaller while it stays interesting: what `xgpu-reduce` does.

The order is: lists and texts by halves, the user's test, single steps, the search over a module,
and MLIR's two reduction passes.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.dominance import reachable_blocks
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context


Part = TypeVar("Part")

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|[%@#!^][\w$.-]+|[A-Za-z_][\w$.]*|0x[0-9a-fA-F]+'
    r"|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?)?|->|::|\s+|.",
    re.DOTALL,
)


def tokens(text: str) -> list[str]:
    """A text cut into tokens and what is between them; together they are the text."""
    return _TOKEN.findall(text)


def smaller(parts: list[Part], holds: Callable[[Sequence[Part]], bool]) -> list[Part]:
    """Leaves out stretches of parts as long as the rest `holds`: half of them at first, single
    ones at last, these until none can go. From the end, since what is behind uses what is before.
    """
    size = max(1, len(parts) // 2)
    while parts:
        end = len(parts)
        changed = False
        while end > 0:
            shorter = parts[: max(end - size, 0)] + parts[end:]
            if holds(shorter):
                parts, changed = shorter, True
            end -= size
        if size > 1:
            size //= 2
        elif not changed:
            break
    return parts


def reduced_text(text: str, still: Callable[[str], bool], tries: int = 2_000) -> str:
    """`text` with as much left out as can be while `still` holds: lines first, then tokens.

    At most so many tries. It need not be MLIR.
    """
    budget = [tries]

    def check(parts: Sequence[str]) -> bool:
        budget[0] -= 1
        return budget[0] > 0 and still("".join(parts))

    lines = smaller(text.splitlines(keepends=True), check)
    return "".join(smaller(tokens("".join(lines)), check))


# -- The test of the user.
#
# As with mlir-reduce, it is a program that gets the arguments of `test-arg` and then the path of a
# file; an exit code other than 0 says that the file is interesting.


class ScriptTester:
    """Runs a test for each text, each in a file of its own that is gone afterwards."""

    def __init__(self, script: str, arguments: Sequence[str] = ()) -> None:
        # A name without a folder is a file here, as for mlir-reduce, or a command.
        self.command = os.path.abspath(script) if os.path.exists(script) else script
        self.arguments = tuple(arguments)
        self.runs = 0

    def __call__(self, text: str) -> bool:
        """Whether the test finds `text` interesting. Raises UsageError where it cannot be run."""
        self.runs += 1
        handle, path = tempfile.mkstemp(".mlir", "xgpu-reduce-")
        try:
            with open(handle, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            return self._run(path) != 0
        finally:
            os.unlink(path)

    def _run(self, path: str) -> int:
        try:
            code = subprocess.call(
                [self.command, *self.arguments, path], stdin=subprocess.DEVNULL, stdout=2
            )
        except OSError as problem:
            raise UsageError(
                f"cannot run the test '{self.command}': {problem.strerror or problem}"
            ) from None
        if code < 0:
            name = signal.Signals(-code).name
            raise UsageError(f"the test '{self.command}' was ended by {name}")
        return code


# -- Single steps that make a program smaller. Each changes IR in place and says whether it could;
# whether the result is valid is the verifier's business.


def may_erase(gone: Sequence[Operation]) -> bool:
    """Whether nothing outside of the operations uses what they define."""
    leaving = set(map(id, gone))
    return all(
        _inside(use.operation, leaving)
        for op in gone
        for result in op.results
        for use in result.uses
    )


def _inside(op: Operation | None, leaving: set[int]) -> bool:
    while op is not None:
        if id(op) in leaving:
            return True
        op = op.parent_op()
    return False


def erase_all(gone: Sequence[Operation]) -> None:
    """Erases operations that only they themselves use."""
    for op in gone:
        op.detach()
    for op in gone:
        op.erase(safe_erase=False)


def _candidates(op: Operation) -> list[SSAValue]:
    """Values that are there before `op`: its operands first, then those of its block, then those
    of the blocks around it."""
    found: list[SSAValue] = list(op.operands)
    block: Block | None = op.parent
    before: Operation | None = op
    while block is not None and before is not None:
        found += block.args
        earlier = before.prev_op
        while earlier is not None:
            found += earlier.results
            earlier = earlier.prev_op
        before = block.parent_op()
        block = before.parent if before is not None else None
    return found


def replaceable_by(op: Operation, number: int) -> bool:
    """Puts for each result the value of its type that comes in place `number`."""
    if op.next_op is None or op.successors:
        return False  # a terminator
    known = _candidates(op)
    replacements: list[SSAValue] = []
    for result in op.results:
        same = list(dict.fromkeys(value for value in known if value.type == result.type))
        if not any(True for _ in result.uses):
            replacements.append(result)
            continue
        if number >= len(same):
            return False
        replacements.append(same[number])
    for result, value in zip(op.results, replacements, strict=True):
        if result is not value:
            result.replace_all_uses_with(value)
    erase_all([op])
    return True


def hoist_region(op: Operation, number: int) -> bool:
    """Puts the body of a region of one block where the operation is.

    The terminator's operands take the place of the results; arguments of the block, that of
    operands of the same types.
    """
    region = op.regions[number]
    if op.parent is None or op.parent_op() is None or len(region.blocks) != 1:
        return False
    body = region.blocks[0]
    last = body.last_op
    if last is None or last.successors or last.regions or op.next_op is None:
        return False
    values: list[SSAValue] = list(last.operands)[-len(op.results) :] if op.results else []
    if [value.type for value in values] != [result.type for result in op.results]:
        return False
    if not _replace_arguments(op, body):
        return False
    erase_all([last])
    for inner in list(body.ops):
        inner.detach()
        op.parent.insert_op_before(inner, op)
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    erase_all([op])
    return True


def _replace_arguments(op: Operation, body: Block) -> bool:
    for argument in body.args:
        same = next((v for v in op.operands if v.type == argument.type), None)
        if same is None and any(True for _ in argument.uses):
            return False
        if same is not None:
            argument.replace_all_uses_with(same)
    return True


def one_way(op: Operation, number: int) -> bool:
    """Makes a branch go to one of its successors always, and erases blocks that no branch goes
    to."""
    from xgpu.core import ods
    from xgpu.core.ir.region_flow import successor_operands

    jump = {"cf": "cf.br", "llvm": "llvm.br"}.get(op.name.partition(".")[0])
    block = op.parent
    if jump is None or block is None or op.regions:
        return False
    operands = successor_operands(op, number)
    if operands is None:
        return False
    new = ods.create(jump, operands, successors=(op.successors[number],))
    new.location = op.location
    erase_all([op])
    block.add_op(new)
    _erase_unreachable(block)
    return True


def merge_target(op: Operation) -> bool:
    """Puts the block that this branch alone goes to, in place of the branch."""
    from xgpu.core.ir.region_flow import predecessor_edges, successor_operands

    block, operands = op.parent, None
    if block is not None and len(op.successors) == 1:
        operands = successor_operands(op, 0)
    if operands is None:
        return False
    target = op.successors[0]
    if target is block or len(predecessor_edges(target)) != 1 or target.prev_block is None:
        return False
    for argument, value in zip(target.args, operands, strict=True):
        argument.replace_all_uses_with(value)
    erase_all([op])
    for inner in list(target.ops):
        inner.detach()
        block.add_op(inner)  # pyright: ignore[reportOptionalMemberAccess]
    cast("Region", target.parent).detach_block(target)
    return True


def _erase_unreachable(block: Block) -> None:
    region = cast("Region", block.parent)
    reached = reachable_blocks(region)
    gone = [b for b in region.blocks if b not in reached]
    for b in gone:
        for op in b.ops:
            op.drop_all_references()
    for b in gone:
        region.detach_block(b)


def drop_unused_arguments(op: Operation) -> bool:
    """Leaves out the arguments of a function that nothing uses; its calls make that invalid."""
    from xdsl.dialects.builtin import FunctionType

    kind = op.properties.get("function_type")
    if op.name != "func.func" or not op.regions[0].blocks or not isinstance(kind, FunctionType):
        return False
    entry = op.regions[0].blocks[0]
    unused: list[BlockArgument] = [a for a in entry.args if not any(True for _ in a.uses)]
    if not unused or op.properties.get("arg_attrs") is not None:
        return False
    for argument in unused:
        entry.erase_arg(argument)
    op.properties["function_type"] = FunctionType.from_lists(
        [a.type for a in entry.args], list(kind.outputs.data)
    )
    return True


# -- Leaving out and simplifying operations of a module while it stays interesting.
#
# Every step changes a copy. What the verifier refuses, or what is not shorter as text, is not asked
# about; what is interesting takes the place of the module. Steps know operations by their place in
# a walk, which is the same in the copy. They go on until none of them helps:
#
# 1. operations are left out, region by region from the outside in, by halves first;
# 2. an operation is replaced by a value that is there already;
# 3. an operation gives way to the body of one of its regions;
# 4. a branch goes one way only, and blocks that no branch goes to go with it; where it is the only
#    way, the block that it goes to takes its place;
# 5. attributes that no definition asks for are left out, and arguments of functions that nothing
#    uses.


#: So many values of the same type are tried in place of a result.
_VALUES = 4


class TreeReducer:
    """`module` is the smallest interesting one so far, `text` what it is printed as."""

    def __init__(self, module: Operation, interesting: Callable[[str], bool]) -> None:
        from xgpu.core.syntax import print_module

        self.module: Operation = module
        self.text = print_module(module)
        self._interesting = interesting

    def run(self) -> Operation:
        """The smallest module that was found; the given one must be interesting."""
        before = ""
        while before != self.text:
            before = self.text
            self._erase()
            self._simplify()
        return self.module

    def _attempt(self, change: Callable[[list[Operation]], bool]) -> bool:
        """Changes a copy, given its operations in the order of a walk; keeps it if it is valid,
        shorter and interesting. False also where `change` says that it cannot."""
        from xgpu.core.syntax import print_module
        from xgpu.core.syntax.verify import verify_module

        copy = self.module.clone()
        if not change(list(copy.walk())):
            return False
        try:
            verify_module(copy)
        except DiagnosticError:
            return False
        text = print_module(copy)
        if len(text) >= len(self.text) or not self._interesting(text):
            return False
        self.module, self.text = copy, text
        return True

    # -- operations left out ----------------------------------------------------------------------
    def _erase(self) -> None:
        """Region by region; a region is named by the place of its operation and its number. What
        is erased in one moves nothing before it, so the next is the first behind it."""
        last = (-1, 0)
        while (key := self._region_behind(last)) is not None:
            self._erase_in(key)
            last = key

    def _region_behind(self, last: tuple[int, int]) -> tuple[int, int] | None:
        for place, op in enumerate(self.module.walk()):
            for number, region in enumerate(op.regions):
                if (place, number) > last and region.blocks:
                    return place, number
        return None

    def _erase_in(self, key: tuple[int, int]) -> None:
        """Leaves operations of a region out."""
        place, number = key

        def children(ops: Sequence[Operation]) -> list[Operation]:
            region: Region = ops[place].regions[number]
            found = [op for block in region.blocks for op in block.ops]
            return [op for op in found if "Terminator" not in traits_of(op.name)]

        # Places in the region as it is now; each success renumbers those that are left.
        names = list(range(len(children(list(self.module.walk())))))
        alive = list(names)

        def holds(kept: Sequence[int]) -> bool:
            nonlocal alive
            keep = set(kept)

            def change(ops: list[Operation]) -> bool:
                here = children(ops)
                gone = [op for name, op in zip(alive, here, strict=True) if name not in keep]
                if not gone or not may_erase(gone):
                    return False
                erase_all(gone)
                return True

            if self._attempt(change):
                alive = [name for name in alive if name in keep]
                return True
            return False

        smaller(names, holds)

    # -- operations made simpler ------------------------------------------------------------------
    def _simplify(self) -> None:
        """Each operation in turn, from the last: those before it keep their places."""
        place = sum(1 for _ in self.module.walk()) - 1
        while place > 0:
            for change in self._changes(place):
                if self._attempt(change):
                    break
            place = min(place - 1, sum(1 for _ in self.module.walk()) - 1)

    def _changes(self, place: int) -> Iterable[Callable[[list[Operation]], bool]]:
        op = list(self.module.walk())[place]
        for number in range(len(op.regions)):
            yield lambda ops, n=number: hoist_region(ops[place], n)
        if op.results:
            for at in range(_VALUES):
                yield lambda ops, n=at: replaceable_by(ops[place], n)
        if len(op.successors) > 1:
            for at in range(len(op.successors)):
                yield lambda ops, n=at: one_way(ops[place], n)
        elif op.successors:
            yield lambda ops: merge_target(ops[place])
        for name in list(op.attributes):
            yield lambda ops, n=name: ops[place].attributes.pop(n, None) is not None
        yield lambda ops: drop_unused_arguments(ops[place])


# -- The passes of `mlir-reduce`.
#
# `reduction-tree` leaves out and simplifies operations; `opt-reduction-pass` runs other passes, and
# takes their result if it is interesting and shorter as text.


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
