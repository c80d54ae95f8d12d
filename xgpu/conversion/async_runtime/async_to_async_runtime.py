# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-to-async-runtime` and `async-func-to-async-runtime`: async operations and functions
become coroutines and calls of the async runtime.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i1,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import split_before, take_region
from xgpu.core.ir.constants import is_constant_op
from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import SymbolTable
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.async_.ops import ValueType
from xgpu.dialects.gpu.ops import replace_uses_in_region, used_values_defined_above, walk_postorder

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import async_, func
    from xgpu.dialects.func import FuncOp


# --- coroutines ----------------------------------------------------------------------------------
# Functions made coroutines of LLVM's switched-resume kind, and what suspends them.
#
# A function whose results are an optional token and async values gets a frame around its body:
#
#     ^entry:       create the results, the coroutine's id and handle; on to the body
#     ...body...    an await saves the state, asks the runtime to resume it, and suspends
#     ^set_error:   sets the results to their error state (made when the first branch needs it)
#     ^cleanup:     frees the frame at the end of the body
#     ^destroy:     frees the frame of a coroutine that is destroyed while it is suspended
#     ^suspend:     ends the coroutine and returns the results
#
# `async-to-async-runtime` makes these from async.execute, `async-func-to-async-runtime` from
# async.func. Source: MLIR 22.1 AsyncToAsyncRuntime.cpp.


#: Operations that suspend a coroutine, or leave it: they need blocks of their own.
_SPLITTING = frozenset(("async.await", "async.await_all", "cf.assert"))

_LEGAL = ("async", "func", "arith.constant", "arith.xori", "cf.assert", "cf.br", "cf.cond_br")


class Coroutine:
    """A func.func with the frame around it."""

    __slots__ = ("_set_error", "cleanup", "destroy", "entry", "func", "handle", "suspend",
                 "token", "values")  # fmt: skip

    def __init__(self, func: func.FuncOp) -> None:
        """Puts the frame around the body of `func`; the entry block ends in a cf.br to the body."""
        self.func = func
        self._set_error: Block | None = None
        region = func.regions[0]
        first = region.blocks[0].first_op
        assert first is not None
        self.entry, body = split_before(first)
        rw = Rewriter(block=self.entry, location=func.location)
        types = list(func.function_type.outputs.data)
        self.token: SSAValue | None = None
        if types[0].name == "async.token":
            self.token = rw.value("async.runtime.create", (), types.pop(0))
        self.values = [rw.value("async.runtime.create", (), ty) for ty in types]
        identity = rw.value("async.coro.id", (), ods.attr_class("async.coro.id")())
        handle_type = ods.attr_class("async.coro.handle")()
        self.handle = rw.value("async.coro.begin", (identity,), handle_type)
        rw.create("cf.br", successors=(body,))

        self.cleanup, self.destroy, self.suspend = Block(), Block(), Block()
        for block in (self.cleanup, self.destroy):
            region.add_block(block)
            rw.at_end(block)
            rw.create("async.coro.free", (identity, self.handle))
            rw.create("cf.br", successors=(self.suspend,))
        region.add_block(self.suspend)
        rw.at_end(self.suspend)
        rw.create("async.coro.end", (self.handle,))
        token = [] if self.token is None else [self.token]
        rw.create("func.return", [*token, *self.values])
        func.attributes["passthrough"] = ArrayAttr([StringAttr("presplitcoroutine")])

    @property
    def set_error(self) -> Block:
        """The block that sets the results to their error state."""
        if self._set_error is None:
            self._set_error = Block()
            self.func.regions[0].insert_block_before(self._set_error, self.cleanup)
            rw = Rewriter(block=self._set_error, location=self.func.location)
            token = [] if self.token is None else [self.token]
            for value in (*token, *self.values):
                rw.create("async.runtime.set_error", (value,))
            rw.create("cf.br", successors=(self.cleanup,))
        return self._set_error

    def suspend_at(self, rw: Rewriter, state: SSAValue, resume: Block) -> None:
        """Suspends; the runtime goes on in `resume`."""
        rw.create("async.coro.suspend", (state,), successors=(self.suspend, resume, self.destroy))

    def save(self, rw: Rewriter) -> SSAValue:
        return rw.value("async.coro.save", (self.handle,), ods.attr_class("async.coro.state")())

    def finish(self, op: Operation) -> None:
        """Replaces a terminator: its operands become the values, the results are available."""
        rw = Rewriter(op)
        for operand, value in zip(op.operands, self.values, strict=False):
            rw.create("async.runtime.store", (operand, value))
            rw.create("async.runtime.set_available", (value,))
        if self.token is not None:
            rw.create("async.runtime.set_available", (self.token,))
        rw.create("cf.br", successors=(self.cleanup,))
        rw.erase(op)

    def lower_await(self, op: Operation) -> None:
        """Waits without a thread: suspends until the operand is available."""
        self._check_place(op)
        operand = op.operands[0]
        suspended, _ = split_before(op)
        rw = Rewriter(block=suspended, location=op.location)
        state = self.save(rw)
        rw.create("async.runtime.await_and_resume", (operand, self.handle))
        resume, continuation = split_before(op)
        rw.at_end(suspended)
        self.suspend_at(rw, state, resume)
        rw.at_end(resume)
        failed = rw.value("async.runtime.is_error", (operand,), i1)
        rw.create("cf.cond_br", [failed, [], []], successors=(self.set_error, continuation))
        rw.before(op)
        replace_await(op, rw)

    def lower_assert(self, op: Operation) -> None:
        """A failed assertion is an error of the results, not the end of the program."""
        self._check_place(op)
        head, tail = split_before(op)
        rw = Rewriter(block=head, location=op.location)
        rw.create("cf.cond_br", [op.operands[0], [], []], successors=(tail, self.set_error))
        rw.erase(op)

    def _check_place(self, op: Operation) -> None:
        parent = op.parent_op()
        if parent is not self.func:
            assert parent is not None
            raise error(
                op,
                f"failed to legalize operation '{op.name}': it cannot suspend or leave a "
                f"coroutine from inside '{parent.name}'",
            )


def replace_await(op: Operation, rw: Rewriter) -> None:
    """Replaces an await that is over: a value is loaded."""
    ty = op.operands[0].type
    if isinstance(ty, ValueType):
        rw.replace(op, [rw.value("async.runtime.load", op.operands, ty.value_type)])
    else:
        rw.erase(op)


def lower_blocking_await(op: Operation) -> None:
    """Waits with the thread, and asserts that what it waited for is no error."""
    rw = Rewriter(op)
    operand = op.operands[0]
    rw.create("async.runtime.await", (operand,))
    failed = rw.value("async.runtime.is_error", (operand,), i1)
    true = attribute_constant(rw, IntegerAttr(1, i1), i1)
    fine = rw.value("arith.xori", (failed, true), i1)
    message = StringAttr("Awaited async operand is in error state")
    rw.create("cf.assert", (fine,), (), {"msg": message})
    replace_await(op, rw)


def lower_group_op(op: Operation) -> None:
    """async.create_group and async.add_to_group are one operation of the runtime each."""
    rw = Rewriter(op)
    ty = op.results[0].type if op.name == "async.create_group" else IndexType()
    name = op.name.replace("async.", "async.runtime.")
    rw.replace(op, [rw.value(name, list(op.operands), ty)])


def fold_others(module: Operation, *legal: str) -> None:
    """Folds what a pass neither converts nor has as legal, as MLIR's conversion does."""
    from xgpu.core.rewriting.driver import convert

    convert(module, {}, legal=(*_LEGAL, *legal), known=())


def flatten_control_flow(coroutines: Mapping[Operation, Coroutine], *, skip_executes: bool) -> None:
    """Turns scf operations around what needs blocks of its own into blocks and branches.

    With `skip_executes` that is what suspends or leaves a coroutine, the bodies of async.execute
    aside; without, it is every operation of the async dialect, as in MLIR, and assertions.
    """
    from xgpu.conversion.control_flow.scf_to_cf import RULES
    from xgpu.core.rewriting.driver import convert

    def keeps(op: Operation) -> bool:
        return not any(_has_splitting(region, skip_executes) for region in op.regions)

    for func in coroutines:
        if any(op.name.startswith("scf.") for op in func.walk()):
            convert(func, RULES, legal=keeps)


def _has_splitting(region: Region, skip_executes: bool) -> bool:
    for block in region.blocks:
        for op in block.ops:
            name = op.name
            if name in _SPLITTING or (not skip_executes and name.startswith("async.")):
                return True
            if skip_executes and name == "async.execute":
                continue
            if any(_has_splitting(inner, skip_executes) for inner in op.regions):
                return True
    return False


def inside(root: Operation, names: Sequence[str]) -> Iterator[Operation]:
    """The operations of these names, in the order of the program; a list, as they change."""
    yield from [op for op in root.walk() if op.name in names]


def function_around(op: Operation, name: str = "func.func") -> Operation | None:
    parent = op.parent_op()
    while parent is not None and parent.name != name:
        parent = parent.parent_op()
    return parent


# --- async func to async runtime -----------------------------------------------------------------
# `async-func-to-async-runtime`: async.func becomes func.func, a coroutine.
#
# It starts in the caller's thread and suspends at its first await. What is inside an async.execute
# waits for `async-to-async-runtime`. Source: MLIR 22.1 AsyncToAsyncRuntime.cpp.


class AsyncFuncToAsyncRuntimePass(Pass):
    """Lowers async.func, async.call and async.return."""

    name = "async-func-to-async-runtime"
    summary = "Lower async.func operations to the explicit async.runtime and async.coro operations"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        fold_others(op)
        coroutines: dict[Operation, Coroutine] = {}
        for function in inside(op, ("async.func",)):
            new = _plain_function(function)
            if new.regions[0].blocks:
                coroutines[new] = Coroutine(cast("func.FuncOp", new))
        for call in inside(op, ("async.call",)):
            rw = Rewriter(call)
            types = [result.type for result in call.results]
            properties = {"callee": call.properties["callee"]}
            new = rw.create("func.call", list(call.operands), types, properties)
            rw.replace(call, new.results)
        flatten_control_flow(coroutines, skip_executes=True)
        for function, coroutine in coroutines.items():
            for inner in inside(
                function, ("async.await", "async.await_all", "async.return", "cf.assert")
            ):
                _lower_in_function(inner, coroutine)


def _plain_function(op: Operation) -> Operation:
    """The func.func that takes the place of an async.func."""
    new = ods.create(
        "func.func",
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=(take_region(op, 0),),
        location=op.location,
    )
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
    op.detach()
    op.erase()
    return new


def _lower_in_function(op: Operation, coroutine: Coroutine) -> None:
    if op.name == "async.return":
        coroutine.finish(op)
    elif function_around(op, "async.execute") is not None:
        return
    elif op.name == "cf.assert":
        coroutine.lower_assert(op)
    else:
        coroutine.lower_await(op)


# --- async to async runtime ----------------------------------------------------------------------
# `async-to-async-runtime`: async operations become coroutines and calls of the async runtime.
#
# The body of each async.execute becomes a function that is a coroutine: called, it suspends at once
# and asks the runtime to resume it in one of its threads. Inside, an await suspends; outside, it
# blocks. Source: MLIR 22.1 AsyncToAsyncRuntime.cpp.


_LOWERED = ("async.await", "async.await_all", "async.yield", "async.create_group",
            "async.add_to_group", "cf.assert")  # fmt: skip


class AsyncToAsyncRuntimePass(Pass):
    """Lowers async.execute, awaits and groups."""

    name = "async-to-async-runtime"
    summary = (
        "Lower all high level async operations (e.g. async.execute) to the explicit "
        "async.runtime and async.coro operations"
    )
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        fold_others(op, "scf")
        table = SymbolTable(op)
        coroutines: dict[Operation, Coroutine] = {}
        executes = [o for o in walk_postorder(op.regions[0]) if o.name == "async.execute"]
        for execute in executes:
            coroutine = outline(cast("async_.ExecuteOp", execute), table)
            coroutines[coroutine.func] = coroutine
        flatten_control_flow(coroutines, skip_executes=False)
        for inner in inside(op, _LOWERED):
            function = function_around(inner)
            coroutine = coroutines.get(function) if function is not None else None
            _lower(inner, coroutine)


def _lower(op: Operation, coroutine: Coroutine | None) -> None:
    name = op.name
    if name in ("async.create_group", "async.add_to_group"):
        lower_group_op(op)
    elif coroutine is None:
        if name != "cf.assert":
            lower_blocking_await(op)
    elif name == "cf.assert":
        coroutine.lower_assert(op)
    elif name == "async.yield":
        coroutine.finish(op)
    else:
        coroutine.lower_await(op)


def clone_constants_into(region: Region) -> None:
    """Constants from outside that the region uses are copied to its start."""
    mapping: dict[SSAValue, SSAValue] = {}
    block = region.blocks[0]
    first = block.first_op
    for value in used_values_defined_above(region):
        owner = value.owner
        if isinstance(owner, Block) or not is_constant_op(owner):
            continue
        copy = owner.clone()
        copy.location = owner.location
        if first is None:
            block.add_op(copy)
        else:
            block.insert_op_before(copy, first)
        mapping[value] = copy.results[0]
    if mapping:
        replace_uses_in_region(region, mapping)


def outline(execute: async_.ExecuteOp, table: SymbolTable) -> Coroutine:
    """Moves the body of an async.execute to a coroutine and calls that instead."""
    region: Region = execute.regions[0]
    clone_constants_into(region)
    dependencies, operands = list(execute.dependencies), list(execute.body_operands)
    captured = used_values_defined_above(region)
    inputs = list(dict.fromkeys([*dependencies, *operands, *captured]))
    results = [result.type for result in execute.results]
    location = execute.location
    body = region.blocks[0]
    entry = Block(arg_types=[value.type for value in inputs])
    for argument in entry.args:
        argument.location = location
    func = cast(
        "FuncOp",
        ods.create(
            "func.func",
            properties={
                "sym_name": StringAttr("async_execute_fn"),
                "function_type": FunctionType.from_lists([v.type for v in inputs], results),
                "sym_visibility": StringAttr("private"),
            },
            regions=(Region(entry),),
            location=location,
        ),
    )
    name = table.insert(func)
    mapping: dict[SSAValue, SSAValue] = dict(zip(inputs, entry.args, strict=True))
    replace_uses_in_region(region, mapping)

    # First wait for what the body depends on, and unwrap what it takes.
    rw = Rewriter(block=entry, location=location)
    for value in dependencies:
        rw.create("async.await", (mapping[value],))
    for value, argument in zip(operands, body.args, strict=True):
        assert isinstance(value.type, ValueType)
        unwrapped = rw.value("async.await", (mapping[value],), value.type.value_type)
        argument.replace_all_uses_with(unwrapped)
    for op in list(body.ops):
        op.detach()
        entry.add_op(op)

    coroutine = Coroutine(func)
    branch = coroutine.entry.last_op
    assert branch is not None
    rw.before(branch)
    state = coroutine.save(rw)
    rw.create("async.runtime.resume", (coroutine.handle,))
    coroutine.suspend_at(rw, state, branch.successors[0])
    rw.erase(branch)

    call = Rewriter(execute)
    called = call.create("func.call", inputs, results, {"callee": SymbolRefAttr(name)})
    call.replace(execute, called.results)
    return coroutine
