# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`remove-dead-values`: takes away what has no influence on what a program does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, FunctionType, i32
from xdsl.ir import Operation

from xgpu.analysis.liveness import Liveness
from xgpu.core.ir import region_flow
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.calls import first_argument, has_body, is_call, is_function, is_return
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.op_info import may_be_terminator
from xgpu.core.ir.region_flow import (
    segment_sizes,
    set_successor_operands,
    successor_operands,
    successor_ranges,
)
from xgpu.core.ir.symbols import references, resolve, visibility
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyDriver
from xgpu.transforms.generic.canonicalize import CanonicalizationPatterns

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Attribute, Block, SSAValue


# --- signatures ----------------------------------------------------------------------------------
# Taking operands, results and a function's arguments away, with what says how many there are.


T = TypeVar("T")


def without(items: Sequence[T], indices: Collection[int]) -> list[T]:
    """The items but those at `indices`."""
    return [item for i, item in enumerate(items) if i not in indices]


def erase_operands(op: Operation, indices: Collection[int]) -> None:
    """Takes operands away; the sizes of their groups follow."""
    if not indices:
        return
    name = "operandSegmentSizes"
    if name in op.properties or name in op.attributes:
        sizes: list[int] = []
        at = 0
        for size in segment_sizes(op):
            sizes.append(size - sum(at <= i < at + size for i in indices))
            at += size
        held = op.properties if name in op.properties else op.attributes
        held[name] = DenseArrayBase.from_list(i32, sizes)
    op.operands = without(op.operands, indices)


def erase_results(op: Operation, indices: Collection[int]) -> Operation:
    """Puts an operation without the results at `indices`, which have no uses, in the place of `op`,
    and gives it."""
    if not indices:
        return op
    rw = Rewriter(op)
    regions = list(op.regions)
    for region in regions:
        op.detach_region(region)
    new = rw.create(
        op.name,
        list(op.operands),
        without([result.type for result in op.results], indices),
        dict(op.properties),
        dict(op.attributes),
        regions,
        list(op.successors),
    )
    for old, result in zip(without(op.results, indices), new.results, strict=True):
        if old.name_hint is not None:
            result.name_hint = old.name_hint
        replace_all_uses(old, result)
    rw.erase(op)
    return new


def shrink_function(
    function: Operation, arguments: Collection[int], results: Collection[int]
) -> None:
    """Takes arguments, which have no uses, and results away from the signature of a function."""
    kind = function.properties["function_type"]
    function.properties["function_type"] = _shrunk(kind, arguments, results)
    for name, indices in (("arg_attrs", arguments), ("res_attrs", results)):
        attrs = cast("ArrayAttr[Attribute] | None", function.properties.get(name))
        if attrs is None or not indices:
            continue
        rest = without(attrs.data, indices)
        if rest:
            function.properties[name] = ArrayAttr(rest)
        else:
            del function.properties[name]
    entry = function.regions[0].first_block
    if entry is not None:
        for index in sorted(arguments, reverse=True):
            entry.erase_arg(entry.args[index])


def signature(function: Operation) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    """The types of a function's arguments and results."""
    kind = function.properties["function_type"]
    if isinstance(kind, FunctionType):
        return kind.inputs.data, kind.outputs.data
    from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType

    assert isinstance(kind, LLVMFunctionType), "functions have types of functions"
    return kind.arguments, () if isinstance(kind.result, LLVMVoidType) else (kind.result,)


def _shrunk(kind: Attribute, arguments: Collection[int], results: Collection[int]) -> Attribute:
    if isinstance(kind, FunctionType):
        inputs = without(kind.inputs.data, arguments)
        return FunctionType.from_lists(inputs, without(kind.outputs.data, results))
    from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType

    assert isinstance(kind, LLVMFunctionType), "functions have types of functions"
    result = LLVMVoidType() if results else kind.result
    return LLVMFunctionType(without(kind.arguments, arguments), result, variadic=kind.variadic)


# --- remove dead values --------------------------------------------------------------------------
# `remove-dead-values`: takes away what has no influence on what a program does.
#
# Operations, arguments and results of private functions, arguments of blocks. What an operation
# with regions passes on in vain becomes `ub.poison`, and canonicalization of such operations takes
# it away if asked. All is found first, and then changed: a value that goes may be used by what
# goes with it. Source: MLIR 22.1 RemoveDeadValues.cpp.


#: Functions whose arguments are those of their type and whose returns give their results.
_PLAIN_FUNCTIONS = frozenset(("func.func", "gpu.func", "llvm.func"))


class _Shrunk(NamedTuple):
    """What goes of a function, with all of its calls."""

    function: Operation
    arguments: set[int]
    results: set[int]
    calls: list[Operation]


class _Findings:
    """What is to go, found in one walk, from the inside to the outside."""

    def __init__(self, top: Operation) -> None:
        self.liveness = Liveness(top)
        self.dropped: set[SSAValue] = set()
        self.users = _users(top)
        self.blocks: list[tuple[Block, set[int]]] = []
        self.branches: list[tuple[Operation, int, set[int]]] = []
        self.functions: list[_Shrunk] = []
        self.poisoned: list[tuple[Operation, list[int]]] = []
        self.operations: list[Operation] = []
        for op in _postorder(top):
            self._look_at(op)

    def lives(self, value: SSAValue) -> bool:
        return value not in self.dropped and self.liveness.is_live(value)

    def _dead(self, values: Iterable[SSAValue]) -> set[int]:
        return {i for i, value in enumerate(values) if not self.lives(value)}

    def _look_at(self, op: Operation) -> None:
        if is_function(op):
            self._function(op)
        elif region_flow.is_region_branch(op):
            self._region_branch(op)
        elif op.successors and successor_ranges(op) is not None:
            self._branch(op)
        elif may_be_terminator(op) and op.next_op is None and op.parent_op() is not None:
            pass  # it belongs to its parent
        elif not is_call(op):
            self._simple(op)

    def _simple(self, op: Operation) -> None:
        """An operation goes if a value that it uses does: it never runs, for else that value would
        live. Or if it does nothing and nothing needs its results."""
        unused = not any(self.lives(r) for r in op.results)
        if self._dead(op.operands) or (unused and is_memory_effect_free(op)):
            self._drop(op)

    def _drop(self, op: Operation) -> None:
        self.operations.append(op)
        self.dropped.update(op.results)

    def _function(self, op: Operation) -> None:
        if visibility(op) == "public" or not has_body(op) or op.name not in _PLAIN_FUNCTIONS:
            return
        users = self.users.get(op, [])
        if not all(is_call(user) for user in users):
            return  # what refers to it relies on its type
        entry = op.regions[0].blocks[0]
        inputs, outputs = signature(op)
        if len(entry.args) != len(inputs):
            return  # memory of the workgroup comes as arguments, too
        arguments = self._dead(entry.args)
        self.dropped.update(entry.args[i] for i in arguments)
        results = set(range(len(outputs)))
        for call in users:
            results &= self._dead(call.results)
        self.functions.append(_Shrunk(op, arguments, results, users))
        for call in users:
            self.dropped.update(call.results[i] for i in results)

    def _region_branch(self, op: Operation) -> None:
        if is_memory_effect_free(op) and not any(self.lives(r) for r in op.results):
            self.operations.append(op)
            return
        ends = [op]
        for region in op.regions:
            last = None if region.first_block is None else region.first_block.last_op
            if last is not None and last.name in region_flow.REGION_ENDS:
                ends.append(last)
        for end in ends:
            # By operand, by its place from the end, what it becomes.
            inputs: dict[int, list[SSAValue]] = {}
            for flow in region_flow.edges(op, end):
                first = len(end.operands) - len(flow.operands)
                for i, value in enumerate(flow.inputs[: len(flow.operands)]):
                    inputs.setdefault(first + i, []).append(value)
            vain = [
                i
                for i, values in sorted(inputs.items())
                if not self.lives(end.operands[i]) or not any(self.lives(v) for v in values)
            ]
            if vain:
                self.poisoned.append((end, vain))

    def _branch(self, op: Operation) -> None:
        ranges = successor_ranges(op)
        assert ranges is not None
        passed = {i for start, end in ranges for i in range(start, end)}
        if self._dead(op.operands) - passed:
            self.operations.append(op)
            return
        for index, block in enumerate(op.successors):
            values = successor_operands(op, index) or []
            dead = self._dead(values)
            self.dropped.update(arg for arg in block.args if arg.index in dead)
            self.blocks.append((block, dead))
            self.branches.append((op, index, dead))


class _Removal:
    """Changes what was found. A remaining user of such a value gets `ub.poison`; it goes, too,
    with its last user."""

    def __init__(self) -> None:
        self.poison: list[Operation] = []

    def run(self, found: _Findings) -> None:
        sizes = {block: len(block.args) for block, _ in found.blocks}
        for block, dead in found.blocks:
            if len(block.args) == sizes[block]:  # another branch to it may have been there before
                self._erase_arguments(block, dead)
        for branch, index, dead in found.branches:
            values = successor_operands(branch, index) or []
            if dead:
                set_successor_operands(branch, index, without(values, dead))
        for shrunk in found.functions:
            self._shrink(shrunk)
        for end, places in found.poisoned:
            for place in places:
                operand = end.operands[place]
                rw = Rewriter(end, location=location_of(operand))
                end.operands[place] = self._make(rw, operand)
        for shrunk in found.functions:
            for call in shrunk.calls:
                self._shrink_call(call, shrunk)
        for op in found.operations:
            self._erase(op)
        for op in reversed(self.poison):
            if op.results[0].first_use is None:
                Rewriter(op).erase(op)

    def _make(self, rw: Rewriter, value: SSAValue) -> SSAValue:
        made = rw.create("ub.poison", (), (value.type,))
        self.poison.append(made)
        return made.results[0]

    def _replace(self, rw: Rewriter, value: SSAValue) -> None:
        if value.first_use is not None:
            replace_all_uses(value, self._make(rw, value))

    def _erase_arguments(self, block: Block, dead: Collection[int]) -> None:
        for index in sorted(dead, reverse=True):
            argument = block.args[index]
            rw = Rewriter(block=block, location=argument.location)
            rw.at_start(block)
            self._replace(rw, argument)
            block.erase_arg(argument)

    def _shrink(self, shrunk: _Shrunk) -> None:
        function = shrunk.function
        entry = function.regions[0].blocks[0]
        rw = Rewriter(block=entry, location=function.location)
        rw.at_start(entry)
        for index in sorted(shrunk.arguments):
            self._replace(rw, entry.args[index])
        count = len(signature(function)[1])
        shrink_function(function, shrunk.arguments, shrunk.results)
        for block in function.regions[0].blocks:
            last = block.last_op
            if last is not None and is_return(last) and len(last.operands) == count:
                erase_operands(last, shrunk.results)

    def _shrink_call(self, call: Operation, shrunk: _Shrunk) -> None:
        """Gives a call the signature of what it calls."""
        first = first_argument(call)
        erase_operands(call, {first + i for i in shrunk.arguments})
        rw = Rewriter(call)
        for index in sorted(shrunk.results):
            self._replace(rw, call.results[index])
        erase_results(call, shrunk.results)

    def _erase(self, op: Operation) -> None:
        rw = Rewriter(op)
        if op.next_op is None and may_be_terminator(op):
            rw.create("ub.unreachable")
        for result in op.results:
            self._replace(rw, result)
        rw.erase(op)


def _users(top: Operation) -> dict[Operation, list[Operation]]:
    """Who refers to a symbol, once for each time."""
    found: dict[Operation, list[Operation]] = {}
    for op in top.walk():
        for reference in references(op):
            path = resolve(op, reference)
            if path:
                found.setdefault(path[-1], []).append(op)
    return found


def _postorder(top: Operation) -> Iterable[Operation]:
    for region in top.regions:
        for block in region.blocks:
            for op in list(block.ops):
                yield from _postorder(op)
    yield top


class RemoveDeadValues(Pass):
    """Removes what has no influence on what a program does."""

    name = "remove-dead-values"
    summary = "Remove dead values"
    options = (Option("canonicalize", bool, True, "Canonicalize region branch ops"),)
    canonicalize: bool

    def run(self, op: Operation, ctx: Context) -> None:
        _Removal().run(_Findings(op))
        if not self.canonicalize:
            return
        loops = [inner for inner in _postorder(op) if region_flow.is_region_branch(inner)]
        if loops:
            GreedyDriver(CanonicalizationPatterns(), simplify=None).run_on(loops)
