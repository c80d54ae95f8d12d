# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which rule makes host code of an operation that a CPU does not have: one table.

    OPERATIONS    name of an operation (`nvvm.mapa`, `llvm.call`)       -> rule
    INTRINSICS    pattern of an intrinsic's name, without `llvm.nvvm.`  -> rule

A rule is a function of a `Call` and a `Code` that builds what stands for the operation, before it,
and returns its results, one value each (nothing for an operation without results; None to leave the
operation as it is):

    @operation("nvvm.mapa")
    def mapa(call: Call, b: Code) -> Values:
        '''The same place in the shared memory of another block of the cluster.'''
        pointer, rank = call.arguments
        return [b.native("mapa", POINTER, pointer, rank)]

`b.native` calls a function of the device's runtime (`host_device/native/sources`), which gets the
thread's record first; `b.wait` one that may make the thread wait. What a rule cannot do it refuses
with `b.refuse(message)`, which becomes an error at the operation. Address spaces do not matter:
pointers that are given to `b.native` and results of rules are cast as needed.

An nvvm operation without a rule of its own is taken as the call of the intrinsic that it becomes
for a GPU (`xgpu.backend.llvm_ir.nvvm` knows its name and arguments), and so is
`llvm.call_intrinsic`. So one rule serves kernels from MLIR and from LLVM IR; prefer a rule in
INTRINSICS where the intrinsic's name says all.

Rules register themselves with the decorators `operation` and `intrinsic` when their module is
imported; `_MODULES` says which modules have rules for which names, so that a kernel loads what it
needs. A new file of rules gets a row there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from xgpu.backend.llvm_ir.types import Types
from xgpu.host_device.compiler.code import Call, Code

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.context import Argument


__all__ = [
    "INTRINSICS", "OPERATIONS", "Call", "Rule", "Values", "intrinsic", "intrinsic_pattern",
    "intrinsic_rule", "lower", "lower_intrinsic", "operation", "operation_rule",
]  # fmt: skip

Values = Sequence[SSAValue | None]


Rule = Callable[[Call, Code], Values | None]

OPERATIONS: dict[str, Rule] = {}
INTRINSICS: list[tuple[re.Pattern[str], Rule]] = []


def operation(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for operations by name."""

    def register(rule: Rule) -> Rule:
        for name in names:
            OPERATIONS[name] = rule
        return rule

    return register


def intrinsic(*patterns: str) -> Callable[[Rule], Rule]:
    """Registers a rule for intrinsics whose whole names match a regular expression."""

    def register(rule: Rule) -> Rule:
        INTRINSICS.extend((re.compile(pattern), rule) for pattern in patterns)
        return rule

    return register


#: Beginning of a name -> modules of this package that may have the rule, in the order of asking.
#: Names are of operations, or of intrinsics without `llvm.`; the first row that fits counts.
_MODULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("llvm.", ("llvm",)),
    ("nvvm.read.", ("warp",)),
    ("nvvm.ptx.mma", ("matrix",)),
    ("nvvm.ptx.movmatrix", ("matrix",)),
    ("nvvm.ptx.wgmma", ("matrix",)),
    ("nvvm.ptx.tcgen05", ("tensor_memory",)),
    ("nvvm.ptx.tex", ("textures",)),
    ("nvvm.ptx.surf", ("textures",)),
    ("nvvm.ptx.", ("llvm",)),
    ("nvvm.tcgen05.", ("tensor_memory",)),
    ("nvvm.cp.async.bulk", ("tensor_memory",)),
    ("nvvm.clusterlaunchcontrol", ("tensor_memory",)),
    ("nvvm.mma", ("matrix",)),
    ("nvvm.wmma", ("matrix",)),
    ("nvvm.wgmma", ("matrix",)),
    ("nvvm.ldmatrix", ("matrix",)),
    ("nvvm.stmatrix", ("matrix",)),
    ("nvvm.barrier", ("warp",)),
    ("nvvm.mbarrier", ("warp",)),
    ("nvvm.", ("warp", "llvm", "math", "conversions")),
)


def _load(name: str) -> None:
    for beginning, modules in _MODULES:
        if name.startswith(beginning):
            for module in modules:
                import_module(f"xgpu.host_device.compiler.rules.{module}")
            return


def operation_rule(name: str) -> Rule | None:
    """The rule for operations of that name, if it has one."""
    if name not in OPERATIONS:
        _load(name)
    return OPERATIONS.get(name)


def intrinsic_rule(name: str) -> Rule | None:
    """The rule for an intrinsic, by its name without `llvm.nvvm.`."""
    found = _found(name)
    return None if found is None else found[1]


def intrinsic_pattern(name: str) -> str | None:
    """The pattern by which an intrinsic has its rule; None if it has none."""
    found = _found(name)
    return None if found is None else found[0].pattern


def _found(name: str) -> tuple[re.Pattern[str], Rule] | None:
    _load(f"nvvm.{name}")
    return next((entry for entry in INTRINSICS if entry[0].fullmatch(name)), None)


def lower(op: Operation, b: Code) -> Values | None:
    """Builds what stands for `op`, before it, and returns its results; None if the operation is one
    of the machine's own. Raises `Unsupported`."""
    name = op.name
    rule = operation_rule(name)
    if rule is not None:
        return rule(Call(op, name, op.operands), b)
    if not name.startswith("nvvm."):
        return None
    if name.startswith("nvvm.read."):
        return lower_intrinsic(Call(op, name[5:], ()), b)
    return lower_intrinsic(intrinsic_call(op, b), b)


def lower_intrinsic(call: Call, b: Code) -> Values:
    """Builds what stands for a call of an NVVM intrinsic. Raises `Unsupported`."""
    rule = intrinsic_rule(call.name)
    found = rule(call, b) if rule is not None else None
    if found is None:
        b.refuse(f"intrinsic 'llvm.nvvm.{call.name}' is not supported on the host device")
    return found


# -- an nvvm operation as a call of the intrinsic that it becomes for a GPU
#
# The tables of `xgpu.backend.llvm_ir` know the intrinsic's name and arguments for every operation.
# Here their emitters write to an object that takes the call instead of printing it.


class _Found(Exception):
    def __init__(self, name: str, arguments: Sequence[Argument], result: Attribute | None) -> None:
        super().__init__(name)
        self.name = name
        self.arguments = arguments
        self.result = result


class _NotPlain(Exception):
    """An emitter does more than to call an intrinsic."""


class _Values(dict[SSAValue, str]):
    def __missing__(self, key: SSAValue) -> str:
        raise _NotPlain


class _Module:
    def intrinsic(self, op: Operation, name: str) -> None:
        pass


class _Writer:
    """What emitters of nvvm operations write to."""

    def __init__(self) -> None:
        self.types = Types()
        self.values: dict[SSAValue, str] = _Values()
        self.module = _Module()

    def call(
        self, op: Operation, result: Attribute | None, name: str, arguments: Sequence[Argument]
    ) -> NoReturn:
        raise _Found(name, arguments, result)

    def new(self, text: str) -> NoReturn:
        raise _NotPlain

    typed = line = new

    def define(self, result: SSAValue, text: str) -> NoReturn:
        raise _NotPlain


def intrinsic_call(op: Operation, b: Code) -> Call:
    """The call that `op` is. Raises `Unsupported` for what is no call of an intrinsic."""
    from xgpu.backend.llvm_ir.nvvm import emitter

    emit = emitter(op.name)
    try:
        if emit is not None:
            emit(_Writer(), op)
    except _Found as found:
        arguments = [_value(a, b) for a in found.arguments]
        name = found.name.removeprefix("llvm.nvvm.")
        return Call(op, name, arguments, [] if found.result is None else [found.result])
    except _NotPlain:
        pass
    b.refuse(f"'{op.name}' is not supported on the host device")


def _value(argument: Argument, b: Code) -> SSAValue:
    if isinstance(argument, SSAValue):
        return argument
    if isinstance(argument, str):  # of an instruction before the call
        raise _NotPlain
    return b.integer(argument.value, IntegerType(argument.bits))
