# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of functions in PTX.

    { .param .b32 given; st.param.b32 [given], %r1; .param .b32 back;
      call.uni (back), helper, (given); ld.param.b32 %r2, [back]; }

A parameter is a register of the body that only `st.param`, `ld.param` and `call` name; it has one
number. What is called is a function of the kernel's module, or one that every device has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.llvm.builders import call as call_function
from xgpu.frontend.ptx.grammar import Group, Name
from xgpu.frontend.ptx.instructions import Built, instruction, scalar_of
from xgpu.frontend.ptx.registers import I32, I64, POINTER, as_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute

    from xgpu.frontend.ptx.grammar import Operand
    from xgpu.frontend.ptx.registers import Slot

#: Functions that every device has: types of arguments, of the result.
KNOWN: dict[str, tuple[tuple[Attribute, ...], Attribute | None]] = {
    "vprintf": ((POINTER, POINTER), I32),
    "malloc": ((I64,), POINTER),
    "free": ((POINTER,), None),
    "__assertfail": ((POINTER, POINTER, I32, POINTER, I64), None),
}


@instruction("st.param")
def store(p: Built) -> None:
    p.take("param")
    width = _width(p)
    p.expect(2)
    p.registers.write(_parameter(p, 0, width), p.integer(1, width))


@instruction("ld.param")
def load(p: Built) -> None:
    p.take("param")
    width = _width(p)
    p.expect(2)
    p.write(0, p.registers.read(_parameter(p, 1, width)))


def _width(p: Built) -> int:
    name = p.take_type()
    p.finish()
    kind = scalar_of(name) or p.refuse(f"'.{name}'")
    return kind[1] * kind[2]


def _parameter(p: Built, at: int, width: int) -> Slot:
    """The parameter that `[name]` names."""
    address = p.address(at)
    slot = p.slot(address.base)
    if slot is None or address.offset or slot.width != width:
        p.refuse("a part of a parameter")
    return slot


@instruction("call")
def call(p: Built) -> None:
    """call[.uni] [(result),] name[, (arguments)]"""
    p.take("uni")
    p.finish()
    operands = list(p.operands)
    result = operands.pop(0) if operands and isinstance(operands[0], Group) else None
    name = operands.pop(0) if operands else None
    given = operands.pop(0) if operands else None
    if not isinstance(name, Name) or operands or not isinstance(given, Group | None):
        p.refuse("what it calls is not known")
    found = _types(p, name.text)
    parts = [] if given is None else given.parts
    if found is None or len(found[0]) < len(parts):
        p.refuse(f"'{name.text}' is not declared")
    inputs, output = found
    _emit(p, name.text, parts, inputs[len(inputs) - len(parts) :], output, result)


def _emit(
    p: Built, name: str, parts: Sequence[Operand], inputs: Sequence[Attribute],
    output: Attribute | None, result: Operand | None,
) -> None:  # fmt: skip
    b = p.b
    values = [as_type(b, p.value(part), ty) for part, ty in zip(parts, inputs, strict=True)]
    made = call_function(b, name, values, output)
    if result is None:
        return
    targets = p.parts(result)
    if output is None or len(targets) != 1:
        p.refuse("its result")
    p.write(targets[0], made.results[0])


def _types(p: Built, name: str) -> tuple[Sequence[Attribute], Attribute | None] | None:
    """Types of a function's arguments and result; one whose host code is made has its thread's
    record before them."""
    ty = p.b.function_type(name)
    if ty is None:
        return KNOWN.get(name)
    return ty.arguments, None if ty.result.name == "llvm.void" else ty.result
