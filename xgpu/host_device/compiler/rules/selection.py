# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An nvvm operation as a call of the intrinsic that it becomes for a GPU.

The tables of `backend.llvm_ir` know the intrinsic's name and arguments for every operation; here
they are asked with a writer that keeps values instead of writing text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.rules.device_call import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation


_INTEGER = re.compile(r"i(\d+)(?: (true|false|-?\d+))?")
_PAIR = "{ i32, i1 }"


class _Argument(str):
    """An argument as the emitters hand it on: the value itself, with its type for its text."""

    value: SSAValue

    __slots__ = ("value",)


class _Found(Exception):
    def __init__(self, name: str, arguments: Sequence[str], result: str) -> None:
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
        from xgpu.backend.llvm_ir.types import Types

        self.types = Types()
        self.values: dict[SSAValue, str] = _Values()
        self.module = _Module()

    def typed(self, value: SSAValue) -> str:
        argument = _Argument(self.types(value.type))
        argument.value = value
        return argument

    def call(self, op: Operation, result: str, name: str, arguments: Sequence[str]) -> NoReturn:
        raise _Found(name, arguments, result)

    def new(self, text: str) -> NoReturn:
        raise _NotPlain

    line = new

    def define(self, result: SSAValue, text: str) -> NoReturn:
        raise _NotPlain


def intrinsic_call(op: Operation, b: Code) -> Call:
    """The call that `op` is. Raises `Unsupported` for what is no call of an intrinsic."""
    from xgpu.backend.llvm_ir.nvvm import emitter

    emit = emitter(op.name)
    writer = _Writer()
    try:
        if emit is not None:
            emit(writer, op)
    except _Found as found:
        arguments = [_value(a, b) for a in found.arguments]
        name = found.name.removeprefix("llvm.nvvm.")
        given = [] if found.result == "void" else [_type(found.result, op, writer)]
        return Call(op, name, arguments, given)
    except _NotPlain:
        pass
    b.refuse(f"'{op.name}' is not supported on the host device")


def _value(argument: str, b: Code) -> SSAValue:
    if isinstance(argument, _Argument):
        return argument.value
    literal = _INTEGER.fullmatch(argument)
    if literal is None or literal[2] is None:
        raise _NotPlain
    number = {"true": 1, "false": 0}.get(literal[2])
    return b.integer(int(literal[2]) if number is None else number, IntegerType(int(literal[1])))


def _type(text: str, op: Operation, writer: _Writer) -> Attribute:
    """The type of the intrinsic's result, which may not be the operation's."""
    if op.results and writer.types(op.results[0].type) == text:
        return op.results[0].type
    if text == _PAIR:
        from xgpu.dialects.llvm.types import LLVMStructType

        return LLVMStructType((IntegerType(32), IntegerType(1)))
    literal = _INTEGER.fullmatch(text)
    if literal is None:
        raise _NotPlain
    return IntegerType(int(literal[1]))
