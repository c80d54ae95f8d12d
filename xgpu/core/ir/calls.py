# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who calls whom: functions, their calls and returns, inside of one operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xdsl.dialects.builtin import SymbolRefAttr, UnitAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.op_info import attribute_of, traits_of
from xgpu.core.ir.symbols import nearest_table, references, resolve, symbol_name, visibility

RETURNS = frozenset(("func.return", "gpu.return", "llvm.return", "async.return"))


#: Calls of other projects whose arguments are one of several groups of operands: which.
_ARGUMENT_GROUPS: dict[str, int] = {}


def register_call(name: str, group: int) -> None:
    """States that the operands of that group become the arguments of what the operation calls."""
    _ARGUMENT_GROUPS[name] = group


def is_call(op: Operation) -> bool:
    return "CallOpInterface" in traits_of(op.name)


def is_function(op: Operation) -> bool:
    return "FunctionOpInterface" in traits_of(op.name)


def has_body(function: Operation) -> bool:
    return bool(function.regions) and function.regions[0].first_block is not None


def is_return(op: Operation) -> bool:
    return op.name in RETURNS


def callee_name(call: Operation) -> SymbolRefAttr | None:
    """The function that a call names, or None for a call of a value."""
    attr = attribute_of(call, "callee")
    return attr if isinstance(attr, SymbolRefAttr) else None


def call_arguments(call: Operation) -> Sequence[SSAValue]:
    """The operands that become the callee's arguments."""
    if call.name in _ARGUMENT_GROUPS:
        return _operand_group(call, _ARGUMENT_GROUPS[call.name])
    if callee_name(call) is None:
        return call.operands[1:]
    if call.name.startswith("llvm."):
        group = getattr(call, "operand_group", None)
        if group is not None:
            return list(group(0))
    return call.operands


def first_argument(call: Operation) -> int:
    """The place of the first operand that becomes an argument."""
    if call.name in _ARGUMENT_GROUPS:
        before = range(_ARGUMENT_GROUPS[call.name])
        return sum(len(_operand_group(call, group)) for group in before)
    return 0 if callee_name(call) is not None else 1


def _operand_group(call: Any, group: int) -> Sequence[SSAValue]:
    return call.operand_group(group)


class CallGraph:
    """The calls inside `top`, and for each function whether all of its calls are known."""

    __slots__ = ("_callees", "_open", "_sites")

    def __init__(self, top: Operation) -> None:
        self._callees: dict[Operation, Operation | None] = {}
        self._sites: dict[Operation, list[Operation]] = {}
        self._open: set[Operation] = set()
        functions: list[Operation] = []
        for op in top.walk():
            if is_function(op):
                functions.append(op)
            if is_call(op):
                self._add_call(op, top)
                continue
            if op is top:
                continue
            for reference in references(op):
                self._open.update(resolve(op, reference) or ())
        for function in functions:
            if function is top or not has_body(function) or _is_exposed(function, top):
                self._open.add(function)

    def _add_call(self, op: Operation, top: Operation) -> None:
        name = callee_name(op)
        path = None if name is None else resolve(op, name)
        function = path[-1] if path and is_function(path[-1]) else None
        if function is not None and not top.is_ancestor(function):
            function = None
        self._callees[op] = function
        if function is not None:
            self._sites.setdefault(function, []).append(op)

    def callee(self, call: Operation) -> Operation | None:
        """The function that is called, if it is known."""
        return self._callees.get(call)

    def all_sites(self, function: Operation) -> list[Operation]:
        """The calls that are known."""
        return self._sites.get(function, [])

    def sites(self, function: Operation) -> list[Operation] | None:
        """All calls of a function; None if there may be others, or it is no function."""
        if not is_function(function) or function in self._open or symbol_name(function) is None:
            return None
        return self._sites.get(function, [])

    def returns(self, function: Operation) -> list[Operation] | None:
        """The operations that return from a function; None if it has no body."""
        if not has_body(function):
            return None
        found: list[Operation] = []
        for block in function.regions[0].blocks:
            last = block.last_op
            if last is not None and is_return(last):
                found.append(last)
        return found


def _is_exposed(function: Operation, top: Operation) -> bool:
    """Whether there may be calls that are not inside `top`."""
    seen = visibility(function)
    if seen != "nested":
        return seen == "public"
    if top.parent is None:
        return False
    table = nearest_table(function)
    while table is not None and table is not top:
        if symbol_name(table) is None or visibility(table) == "private":
            return False
        table = nearest_table(table)
    return True


# -- Kernels written by xgpu's own passes, which an attribute marks.
#
# What mlir-opt makes of a kernel, xgpu makes too, to the byte. A kernel from `circular-buffer` or
# `gpu-gemm-pipeline` has no counterpart in MLIR: it may get better code.


OWN = "xgpu.own"
_KERNELS = ("gpu.launch", "gpu.func", "llvm.func")


def mark_own(op: Operation) -> None:
    """Say so of the kernel around `op`, or that `op` is, if there is one."""
    kernel: Operation | None = op
    while kernel is not None and kernel.name not in _KERNELS:
        kernel = kernel.parent_op()
    if kernel is not None:
        kernel.attributes[OWN] = UnitAttr()


def own_kernels(module: Operation) -> Iterator[Operation]:
    """Those in `module`, a module of kernels in the llvm dialect."""
    for op in module.regions[0].block.ops:
        if OWN in op.attributes:
            yield op
