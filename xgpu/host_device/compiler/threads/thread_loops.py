# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose threads do not wait: a function that runs all threads of a block, one after the
other, and the entry of a function that runs a whole block by itself.

What is the same for the whole block is read once, before the loops. The thread's record is a local
that LLVM dissolves into registers unless the kernel hands it to a function that it does not inline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, operations_of
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from xgpu.host_device.compiler.code import REGISTER, call_properties
from xgpu.host_device.compiler.parameters import load_parameters
from xgpu.host_device.compiler.rules.registers import FIELDS, is_thread_register
from xgpu.host_device.compiler.structs import offset, size_of
from xgpu.host_device.compiler.types import I8, I32, POINTER
from xgpu.host_device.compiler.vectors.emission import Builder

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import LocationAttr


_AXES = ("x", "y", "z")


def make_loops(function: Operation, name: str, by_value: list[int]) -> Operation:
    """Makes a kernel a function of a thread and of the registers that it reads, and returns the
    function `name` (block) that calls it for every thread."""
    types = [a.type for a in function.regions[0].blocks[0].args][1:]
    registers = _take_registers(function)
    body = _as_body(function)
    b, block = _entry_builder()
    values = load_parameters(b, block, types, by_value)
    known: dict[str, SSAValue] = {"block": block}
    for register in dict.fromkeys([*registers, "ntid.x", "ntid.y", "ntid.z"]):
        if register not in known and not is_thread_register(register):
            known[register] = _block_field(b, block, register)
    thread = _thread_record(b, block)

    def call(indices: dict[str, SSAValue]) -> None:
        given = [thread, *values, *(indices.get(r) or known[r] for r in registers)]
        b.create("llvm.call", given, (), call_properties(body, given))

    _thread_loops(b, thread, known, call)
    return _entry(b, name, function.location)


def make_block_entry(function: Operation, name: str, by_value: list[int]) -> Operation:
    """The function `name` (block) for a function that runs a whole block and is called once. The
    thread's record is for what asks for it: the function says which thread it is in before it
    calls a service of the device."""
    types = [a.type for a in function.regions[0].blocks[0].args][1:]
    body = _as_body(function)
    b, block = _entry_builder()
    values = load_parameters(b, block, types, by_value)
    given = [_thread_record(b, block), *values]
    b.create("llvm.call", given, (), call_properties(body, given))
    b.create("llvm.return")
    return _entry(b, name, function.location)


def _entry_builder() -> tuple[Builder, SSAValue]:
    region = Region()
    b = Builder(region, 1)
    return b, b.first.insert_arg(POINTER, 0)


def _entry(b: Builder, name: str, location: LocationAttr) -> Operation:
    from xgpu.dialects.llvm.builders import function_attributes

    ty = LLVMFunctionType((POINTER,), LLVMVoidType())
    properties = {**function_attributes(name, ty), "no_unwind": UnitAttr()}
    # Constants and what is read once were built in the first block, before what leaves it.
    return ods.create("llvm.func", (), (), properties, regions=[b.region], location=location)


def _as_body(function: Operation) -> str:
    """Makes a kernel a function that is inlined; its name."""
    properties = function.properties
    name = f"xgpu.body.{text_of(properties['sym_name'])}"
    arguments = [a.type for a in function.regions[0].blocks[0].args]
    properties["sym_name"] = StringAttr(name)
    properties["function_type"] = LLVMFunctionType(arguments, LLVMVoidType())
    properties["linkage"] = ods.attr_class("llvm.linkage")("internal")
    properties["always_inline"] = UnitAttr()
    properties["no_unwind"] = UnitAttr()
    return name


def _take_registers(function: Operation) -> list[str]:
    """Makes arguments of the special registers that a kernel reads; their names."""
    prologue: Block = function.regions[0].blocks[0]
    names: list[str] = []
    for op in operations_of(prologue):
        name = op.attributes.get(REGISTER)
        if name is None:
            continue
        argument = prologue.insert_arg(op.results[0].type, len(prologue.args), op.location)
        op.results[0].replace_all_uses_with(argument)
        erase_operation(op)
        names.append(text_of(name))
    return names


def _block_field(b: Builder, block: SSAValue, register: str) -> SSAValue:
    ty: Attribute = POINTER if register == "shared" else I32
    return b.load(b.address(block, offset("Block", FIELDS[register])), ty)


def _thread_record(b: Builder, block: SSAValue) -> SSAValue:
    thread = b.alloca(I8, size_of("Thread"), 8)
    b.store(block, b.address(thread, offset("Thread", "block")))
    return thread


def _thread_loops(
    b: Builder,
    thread: SSAValue,
    known: dict[str, SSAValue],
    call: Callable[[dict[str, SSAValue]], None],
) -> None:
    """Three nested loops around `call`, x innermost, which sets the thread's indices first."""
    zero, one = b.integer(0, I32), b.integer(1, I32)
    heads = {axis: Block(arg_types=[I32]) for axis in _AXES}
    latches = {axis: Block() for axis in ("y", "z")}
    done = Block()
    index = {axis: heads[axis].args[0] for axis in _AXES}

    def next_round(axis: str, after: Block) -> None:
        following = b.binary("add", index[axis], one)
        more = b.icmp("ult", following, known[f"ntid.{axis}"])
        b.cond_branch(more, heads[axis], after, (following,), ())

    b.branch(heads["z"], (zero,))
    b.enter(heads["z"])
    b.branch(heads["y"], (zero,))
    b.enter(heads["y"])
    row = b.binary("add", b.binary("mul", index["z"], known["ntid.y"]), index["y"])
    first = b.binary("mul", row, known["ntid.x"])
    b.branch(heads["x"], (zero,))
    b.enter(heads["x"])
    linear = b.binary("add", first, index["x"])
    indices: dict[str, SSAValue] = {f"tid.{axis}": index[axis] for axis in _AXES} | {
        "linear": linear
    }
    for register, value in indices.items():
        b.store(value, b.address(thread, offset("Thread", FIELDS[register])))
    call(indices)
    next_round("x", latches["y"])
    b.enter(latches["y"])
    next_round("y", latches["z"])
    b.enter(latches["z"])
    next_round("z", done)
    b.enter(done)
    b.create("llvm.return")
