# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks before integer divisions of kernels: one without a result ends the kernel.

LLVM leaves it undefined, and folds it to anything. So before code is optimized, each division whose
divisor is not known to be harmless gets a call of `xgpu_check_<s|u>_<type>`, which is inlined: a
compare, and a branch that is never taken.

What fails says where it is in the source: file, line and column are arguments of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.backend.llvm_ir.facts import integers, number, prop
from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, insert_before, nested_operations
from xgpu.core.ir.locations import source_location
from xgpu.dialects.llvm.builders import function_attributes
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMFunctionType, LLVMVoidType
from xgpu.host_device.compiler.code import Code, FunctionState, ModuleState, call_properties
from xgpu.host_device.compiler.emission import Builder
from xgpu.host_device.compiler.functions import is_block_function, is_warp_function
from xgpu.host_device.compiler.operations import DIVISIONS, callee
from xgpu.host_device.compiler.threads.coroutines import is_entry, waits
from xgpu.host_device.compiler.threads.entries import narrow_vectors
from xgpu.host_device.compiler.types import I1, I8, I32, POINTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute


FAILS = "xgpu_kernel_division"
#: What finds the memory of another block of the cluster, and fails where there is none.
RANKED = "xgpu_mapa"
_PLACE = (POINTER, I32, I32, I32, I32, I32)  # file, line, column; x, y, z of the thread


def check_divisions(module: Operation, state: ModuleState) -> None:
    """Changes a module in place."""
    files: dict[str, Operation] = {}
    made = _check_all(module, state, files)
    _name_places(module, state, files)
    block = module.regions[0].blocks[0]
    for added in (*files.values(), *made.values()):
        block.add_op(added)


def _name_places(module: Operation, state: ModuleState, files: dict[str, Operation]) -> None:
    """Functions of the device whose errors name the place of their call get that place."""
    for op in nested_operations(module):
        if op.name == "llvm.call" and op.parent is not None and callee(op) == RANKED:
            given = [*op.operands, *_place(op, files)]
            made = ods.create(
                "llvm.call", given, [r.type for r in op.results], call_properties(RANKED, given),
                location=op.location,
            )  # fmt: skip
            insert_before(op.parent, made, op)
            for old, new in zip(op.results, made.results, strict=True):
                old.replace_all_uses_with(new)
            erase_operation(op)
            state.declared[RANKED] = (tuple(v.type for v in given), made.results[0].type)


def _check_all(
    module: Operation, state: ModuleState, files: dict[str, Operation]
) -> dict[str, Operation]:
    """Put calls before divisions; the functions that they call, by name."""
    made: dict[str, Operation] = {}
    threads: dict[Operation, list[SSAValue]] = {}
    for function, op in _divisions(module):
        if function not in threads:
            threads[function] = _thread_of(function, state)
        ty = op.operands[0].type
        signed = op.name in ("llvm.sdiv", "llvm.srem")
        name = check_name(ty, signed)
        if name not in made:
            made[name] = check_function(name, ty, signed, _PLACE, _fail)
            # Else LLVM makes wide vectors in what it comes to, which may ask for narrow ones.
            made[name].properties["passthrough"] = ArrayAttr(narrow_vectors())
        given = [*op.operands, *_place(op, files)]
        given += threads[function] or [_constant(op, -1)] * 3
        call = ods.create(
            "llvm.call", given, (), call_properties(name, given), location=op.location
        )
        insert_before(cast("Block", op.parent), call, op)
    if made:
        state.declared[FAILS] = ((I32, *_PLACE), None)
    return made


def _divisions(module: Operation) -> Iterator[tuple[Operation, Operation]]:
    """The divisions that may have no result, each with its function."""
    for function in list(module.regions[0].blocks[0].ops):
        for op in nested_operations(function):
            if op.name in DIVISIONS and op.parent is not None and not is_harmless(op.operands[1]):
                yield function, op


def _thread_of(function: Operation, state: ModuleState) -> list[SSAValue]:
    """Which thread runs, where a kernel is a loop over threads: the registers are there. Nothing
    where the thread is known otherwise (`Worker.current`), or many divide together."""
    is_loop = is_entry(function) and not waits(function)
    if not is_loop or is_block_function(function) or is_warp_function(function):
        return []
    b = Code(FunctionState(function, state, True), function)
    return [b.register(f"tid.{axis}") for axis in "xyz"]


def _constant(op: Operation, value: int) -> SSAValue:
    made = ods.create("llvm.mlir.constant", (), (I32,), {"value": IntegerAttr(value, I32)})
    insert_before(cast("Block", op.parent), made, op)
    return made.results[0]


def _place(op: Operation, files: dict[str, Operation]) -> list[SSAValue]:
    """Where a division is in the source, for who tells of it: file, line and column."""
    file, line, column = source_location(op.location) or ("", 0, 0)
    variable = files.get(file)
    if variable is None:
        text = file.encode() + b"\0"
        properties = {
            "sym_name": StringAttr(f"xgpu.file.{len(files)}"),
            "global_type": LLVMArrayType(len(text), I8),
            "linkage": ods.attr_class("llvm.linkage")("internal"),
            "constant": UnitAttr(),
            "value": StringAttr(file + "\0"),
        }
        variable = files[file] = ods.create(
            "llvm.mlir.global", (), (), properties, regions=[Region()]
        )
    name = SymbolRefAttr(cast("StringAttr", variable.properties["sym_name"]).data)
    address = ods.create("llvm.mlir.addressof", (), (POINTER,), {"global_name": name})
    insert_before(cast("Block", op.parent), address, op)
    return [address.results[0], _constant(op, line), _constant(op, column)]


def check_name(ty: Attribute, signed: bool) -> str:
    """The name of the function that checks divisions of a type."""
    element = cast("IntegerType", ty.element_type if isinstance(ty, VectorType) else ty)
    count = f"v{ty.get_shape()[0]}" if isinstance(ty, VectorType) else ""
    return f"xgpu_check_{'s' if signed else 'u'}_{count}i{element.width.data}"


def is_harmless(divisor: SSAValue) -> bool:
    """Whether a divisor is constant and never 0 or -1."""
    owner = divisor.owner
    if isinstance(owner, Block) or owner.name != "llvm.mlir.constant":
        return False
    attr = prop(owner, "value")
    values = [number(attr)] if hasattr(attr, "value") else integers(attr)
    return bool(values) and all(n not in (0, -1) for n in values)


def _fail(b: Builder, kind: SSAValue, place: Sequence[SSAValue]) -> None:
    given = (kind, *place)
    b.create("llvm.call", given, (), call_properties(FAILS, given))


def check_function(
    name: str, ty: Attribute, signed: bool, place: Sequence[Attribute],
    fail: Callable[[Builder, SSAValue, Sequence[SSAValue]], None],
) -> Operation:  # fmt: skip
    """The function that checks a division: of two numbers of type `ty`, and values of the types
    `place` that say where it is. It does what `fail` builds, with 0 for a divisor of zero, 1 for
    the smallest number divided by minus one."""
    region = Region()
    element = cast("IntegerType", ty.element_type if isinstance(ty, VectorType) else ty)
    is_vector = isinstance(ty, VectorType)
    b = Builder(region, ty.get_shape()[0] if isinstance(ty, VectorType) else 1)
    number, divisor = (b.first.insert_arg(ty, at) for at in range(2))
    where = [b.first.insert_arg(t, 2 + at) for at, t in enumerate(place)]

    def same(value: SSAValue, n: int) -> SSAValue:
        other = b.constant_vector([n] * b.width, element) if is_vector else b.integer(n, element)
        return b.icmp("eq", value, other)

    zero = same(divisor, 0)
    bad = zero
    if signed:
        least = same(number, -(1 << (element.width.data - 1)))
        minus = same(divisor, -1)
        # A lane that is switched off divides by one, and may have poison to divide.
        over = b.both(minus, least) if is_vector else b.binary("and", minus, least)
        bad = b.binary("or", zero, over)
    if is_vector:
        zero, bad = (b.value("llvm.intr.vector.reduce.or", (v,), I1) for v in (zero, bad))
    fails, fine = Block(), Block()
    none, overflow = b.integer(0, I32), b.integer(1, I32)
    b.cond_branch(bad, fails, fine)
    b.enter(fails)
    fail(b, b.select(zero, none, overflow), where)
    b.create("llvm.unreachable")
    b.enter(fine)
    b.create("llvm.return")
    properties = {
        **function_attributes(name, LLVMFunctionType((ty, ty, *place), LLVMVoidType())),
        "linkage": ods.attr_class("llvm.linkage")("internal"),
        "always_inline": UnitAttr(),
    }
    return ods.create("llvm.func", (), (), properties, regions=[region])
