# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose threads wait: every thread a switched-resume coroutine of LLVM's.

    %go = llvm.call @xgpu_barrier(%thread, ...) {host.waits} : (...) -> i1
becomes
    %go = llvm.call @xgpu_barrier(%thread, ...) : (...) -> i1
    llvm.cond_br %go, ^after, ^suspend
  ^suspend:
    %none = llvm.mlir.none : !llvm.token
    %state = llvm.intr.coro.suspend %none, %false : i8
    llvm.switch %state : i8, ^return [0: ^after, 1: ^cleanup]
  ^after:

so that a thread that finds all others there does not suspend at all. The frame (what lives
across a suspension) comes from `xgpu_frame`, and is never destroyed: the scheduler reuses the
memory for the next block. https://llvm.org/docs/Coroutines.html, "switched-resume lowering".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    StringAttr,
    UnitAttr,
    VectorType,
    i32,
)
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.construction import (
    clone_operation,
    erase_operation,
    nested_operations,
    operations_of,
)
from xgpu.core.ir.dominance import ControlFlowGraph, program_order
from xgpu.core.ir.symbols import symbol_name
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMTokenType
from xgpu.host_device.compiler.code import WAITS, Code, FunctionState, ModuleState, Unsupported
from xgpu.host_device.compiler.functions import is_warp_function
from xgpu.host_device.compiler.operations import callee
from xgpu.host_device.compiler.threads.runtime_calls import load_parameters, top_level
from xgpu.host_device.compiler.types import I1, I8, I32, I64, POINTER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Attribute, LocationAttr, Region, Use


# -- Device functions that make a thread wait, inlined into their callers: only a kernel can be a
# coroutine. They are gone afterwards.


def inline_waits(module: Operation) -> None:
    """Changes a module in place. Raises `Unsupported` for a function that waits and calls
    itself."""
    functions = {
        symbol_name(f) or "": f for f in top_level(module)
        if f.name == "llvm.func" and f.regions[0].blocks
    }  # fmt: skip
    called = {name: _calls(f) for name, f in functions.items()}
    inlined = _waiting(functions, called)
    if not inlined:
        return
    order = _callees_first(functions, called, inlined)
    for name in [*order, *(n for n in functions if n not in inlined)]:
        for call in _calls_of(functions[name], inlined):
            inline_call(call, functions[callee(call) or ""], functions[name])
    for name in inlined:
        _refuse_addresses(module, name)
        functions[name].detach()
        functions[name].erase()


def is_entry(function: Operation) -> bool:
    """Whether the device starts a function, as a kernel."""
    return "host.parameters" in function.attributes


def waits(function: Operation) -> bool:
    """Whether a function itself has a place where its thread may have to wait."""
    return any(WAITS in op.attributes for op in nested_operations(function))


def _calls(function: Operation) -> set[str]:
    return {
        name for op in nested_operations(function)
        if op.name == "llvm.call" and (name := callee(op)) is not None
    }  # fmt: skip


def _calls_of(function: Operation, names: set[str]) -> list[Operation]:
    return [
        op for op in nested_operations(function)
        if op.name == "llvm.call" and callee(op) in names
    ]  # fmt: skip


def _waiting(functions: dict[str, Operation], called: dict[str, set[str]]) -> set[str]:
    """Functions other than kernels that wait, or call one that does."""
    callers: dict[str, list[str]] = {}
    for name, names in called.items():
        for other in names:
            callers.setdefault(other, []).append(name)
    found = {n for n, f in functions.items() if not is_entry(f) and waits(f)}
    pending = list(found)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in found and not is_entry(functions[caller]):
                found.add(caller)
                pending.append(caller)
    return found


def _callees_first(
    functions: dict[str, Operation], called: dict[str, set[str]], among: set[str]
) -> list[str]:
    order: list[str] = []
    state: dict[str, int] = {}
    for root in functions:
        if root not in among or root in state:
            continue
        stack = [(root, iter(sorted(called[root] & among)))]
        state[root] = 1
        while stack:
            name, rest = stack[-1]
            for other in rest:
                if state.get(other) == 1:
                    raise Unsupported(
                        f"function '{other}' waits and calls itself", functions[other]
                    )
                if other not in state:
                    state[other] = 1
                    stack.append((other, iter(sorted(called[other] & among))))
                    break
            else:
                state[name] = 2
                order.append(name)
                stack.pop()
    return order


def _refuse_addresses(module: Operation, name: str) -> None:
    for op in nested_operations(module):
        if op.name == "llvm.mlir.addressof":
            reference = cast("SymbolRefAttr", op.properties["global_name"])
            if reference.root_reference.data == name:
                raise Unsupported(f"function '{name}' waits and is called by address", op)


def inline_call(call: Operation, function: Operation, caller: Operation) -> None:
    """Puts the body of `function` in the place of a call. Both have a prologue."""

    region = clone_operation(function).regions[0]
    entry = region.blocks[0]
    for argument, value in zip(entry.args, call.operands, strict=True):
        argument.replace_all_uses_with(value)
    prologue = caller.regions[0].blocks[0]
    for op in operations_of(entry):
        if op.name == "llvm.alloca" or op.name.startswith("llvm.mlir."):
            op.detach()
            prologue.insert_op_before(op, cast("Operation", prologue.last_op))
    head, tail = split_before(call)
    results: list[SSAValue] = [
        tail.insert_arg(r.type, at, call.location) for at, r in enumerate(call.results)
    ]
    for old, new in zip(call.results, results, strict=True):
        old.replace_all_uses_with(new)
    for op in operations_of(entry):
        op.detach()
        head.add_op(op)
    target = caller.regions[0]
    for block in list(region.blocks)[1:]:
        _return_to(block, tail)
        region.detach_block(block)
        target.insert_block_before(block, tail)
    call.detach()
    call.erase()


def _return_to(block: Block, target: Block) -> None:
    last = block.last_op
    if last is None or last.name != "llvm.return":
        return
    given = list(last.operands)
    last.detach()
    block.add_op(ods.create("llvm.br", given, (), successors=(target,), location=last.location))
    last.erase()


_FRAME_ALIGNMENT = 64


def make_coroutine(
    function: Operation, name: str, by_value: list[int], module: ModuleState
) -> None:
    """Turns a kernel that waits into a coroutine `name` (thread) that returns its handle."""
    if not is_warp_function(function):
        yield_at_loops(function, FunctionState(function, module, True))
    waiting = [op for op in nested_operations(function) if WAITS in op.attributes]
    returns = [op for op in nested_operations(function) if op.name == "llvm.return"]
    state, handle = _begin(function, by_value, module)
    ends = _Ends(state, handle)
    for op in waiting:
        del op.attributes[WAITS]
        ends.suspend_after(op)
    _keep_long_chains(function.regions[0])
    for op in returns:
        block = op.parent
        assert block is not None
        erase_operation(op)
        _append(block, "llvm.br", (), successors=(ends.final,), location=op.location)
    properties = function.properties
    properties["sym_name"] = StringAttr(name)
    properties["function_type"] = LLVMFunctionType((POINTER,), POINTER)
    properties["no_unwind"] = UnitAttr()
    properties.pop("linkage", None)


def _is_call(op: Operation) -> bool:
    return op.name == "llvm.call"


def _append(
    block: Block,
    name: str,
    operands: Sequence[SSAValue | Sequence[SSAValue]],
    *,
    types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    successors: Sequence[Block] = (),
    location: LocationAttr | None = None,
) -> Operation:
    op = ods.create(name, operands, types, properties, successors=successors, location=location)
    block.add_op(op)
    return op


def _begin(
    function: Operation, by_value: list[int], module: ModuleState
) -> tuple[FunctionState, SSAValue]:
    """A block before all others that starts the coroutine and reads the parameters; its handle."""
    region = function.regions[0]
    old = region.blocks[0]
    start = Block(arg_types=[POINTER])
    region.insert_block_before(start, old)
    last = _append(start, "llvm.br", (), successors=(old,), location=function.location)
    state = FunctionState(function, module, True)
    b = Code(state, last)
    null = b.zero(POINTER)
    token = LLVMTokenType()
    alignment = b.integer(_FRAME_ALIGNMENT)
    identity = b.value("llvm.intr.coro.id", (alignment, null, null, null), token)
    size = b.value("llvm.intr.coro.size", (), I64)
    # Vectors that live across a suspension lie in the frame at multiples of their own size.
    boundary = b.value("llvm.intr.coro.align", (), I64)
    memory = b.native("frame", POINTER, size, boundary)
    handle = b.value("llvm.intr.coro.begin", (identity, cast("SSAValue", memory)), POINTER)
    block = b.field(POINTER, state.thread, "Thread", "block")
    values = load_parameters(b, block, [a.type for a in old.args[1:]], by_value)
    for argument, value in zip(old.args, (state.thread, *values), strict=True):
        argument.replace_all_uses_with(value)
    erase_operation(last)
    for op in operations_of(old):
        op.detach()
        start.add_op(op)
    region.detach_block(old)
    return state, handle


class _Ends:
    """The blocks behind a coroutine's body, to which its suspensions branch."""

    def __init__(self, state: FunctionState, handle: SSAValue) -> None:
        self.state = state
        region = state.function.regions[0]
        location = state.function.location
        self.false = Code(state, state.end).integer(0, I1)
        true = Code(state, state.end).integer(1, I1)
        self.final, self.cleanup, self.leave, never = Block(), Block(), Block(), Block()
        for block in (self.final, self.cleanup, self.leave, never):
            region.add_block(block)
        self._suspend(self.final, true, never, location)
        _append(never, "llvm.unreachable", (), location=location)
        _append(self.cleanup, "llvm.br", (), successors=(self.leave,), location=location)
        none = _append(self.leave, "llvm.mlir.none", (), types=(LLVMTokenType(),))
        _append(
            self.leave, "llvm.intr.coro.end", (handle, self.false, none.results[0]), types=(I1,),
            location=location,
        )  # fmt: skip
        _append(self.leave, "llvm.return", (handle,), location=location)

    def suspend_after(self, op: Operation) -> None:
        """Suspends behind a call that says that its thread must wait."""
        following = op.next_op
        assert following is not None
        head, tail = split_before(following)
        wait = Block()
        self.state.function.regions[0].insert_block_before(wait, tail)
        _append(
            head, "llvm.cond_br", (op.results[0], (), ()), successors=(tail, wait),
            location=op.location,
        )  # fmt: skip
        self._suspend(wait, self.false, tail, op.location)

    def _suspend(
        self, block: Block, final: SSAValue, resumed: Block, location: LocationAttr
    ) -> None:
        none = _append(block, "llvm.mlir.none", (), types=(LLVMTokenType(),), location=location)
        suspended = _append(
            block, "llvm.intr.coro.suspend", (none.results[0], final), types=(I8,),
            location=location,
        )  # fmt: skip
        _append(
            block, "llvm.switch", (suspended.results[0], (), ()),
            properties={
                "case_values": DenseIntElementsAttr.from_list(VectorType(I8, [2]), [0, 1]),
                "case_operand_segments": DenseArrayBase.from_list(i32, [0, 0]),
            },
            successors=(self.leave, resumed, self.cleanup), location=location,
        )  # fmt: skip


#: What LLVM computes again behind a suspension instead of keeping it in the frame.
_COMPUTED_AGAIN = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem",
        "srem", "fadd", "fsub", "fmul", "fdiv", "frem", "icmp", "fcmp", "select", "sext", "zext",
        "trunc", "sitofp", "uitofp", "fptosi", "fptoui", "fpext", "fptrunc", "bitcast", "ptrtoint",
        "inttoptr", "getelementptr",
    )
)  # fmt: skip
#: Of so many operations at most, one after the other.
_LONGEST_CHAIN = 8


def _keep_long_chains(region: Region) -> None:
    """Freezes values that go to other blocks where they are the end of a long computation.

    LLVM asks behind each suspension whether values can be computed again from what they were
    computed from, however long ago: a kernel of 5,000 operations with 100 barriers took 10 s to
    compile. It keeps what is frozen.
    """
    depth: dict[SSAValue, int] = {}
    for block in program_order(region):
        for op in operations_of(block):
            if op.name not in _COMPUTED_AGAIN:
                continue
            result = op.results[0]
            depth[result] = 1 + max((depth.get(v, 0) for v in op.operands), default=0)
            if depth[result] < _LONGEST_CHAIN:
                continue
            outside = [use for use in result.uses if use.operation.parent is not block]
            if outside:
                _freeze(op, outside)


def _freeze(op: Operation, uses: list[Use]) -> None:
    result = op.results[0]
    frozen = ods.create("llvm.freeze", (result,), (result.type,), location=op.location)
    assert op.parent is not None
    op.parent.insert_op_after(frozen, op)
    for use in uses:
        use.operation.operands[use.index] = frozen.results[0]


def yield_at_loops(function: Operation, state: FunctionState) -> None:
    """Let the threads go round each loop together where there is wgmma. The warps of a warpgroup
    run nearly in step, and kernels around wgmma (MLIR's own among them) rely on it where they
    should have a barrier."""
    if not any(
        _is_call(op) and callee(op) == "xgpu_tensor_wgmma" for op in nested_operations(function)
    ):
        return
    for header in _loop_headers(function.regions[0]):
        first = header.first_op
        assert first is not None
        Code(state, first).wait("yield", Code(state, state.end).integer(0, I32))


def _loop_headers(region: Region) -> list[Block]:
    """The targets of edges back to where control came from."""
    graph = ControlFlowGraph(region)
    headers = {t for b, targets in enumerate(graph.successors) for t in targets if t <= b}
    return [graph.blocks[header] for header in sorted(headers)]
