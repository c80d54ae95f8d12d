# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions that make a thread wait, inlined into their callers: only a kernel can be a
coroutine. They are gone afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.construction import nested_operations, operations_of
from xgpu.core.ir.symbols import symbol_name
from xgpu.host_device.compiler.code import WAITS, Unsupported
from xgpu.host_device.compiler.operations import callee
from xgpu.host_device.compiler.threads.runtime_calls import top_level

if TYPE_CHECKING:
    from xdsl.dialects.builtin import SymbolRefAttr


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
    from xgpu.dialects.gpu.ops import clone_with_locations

    region = clone_with_locations(function).regions[0]
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
