# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks before integer divisions of kernels: one without a result ends the kernel.

LLVM leaves it undefined, and folds it to anything. So before code is optimized, each division whose
divisor is not known to be harmless gets a call of `xgpu_check_<s|u>_<type>`, which is inlined: a
compare, and a branch that is never taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnitAttr, VectorType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu import ods
from xgpu.backend.host.code import ModuleState, call_properties
from xgpu.backend.host.operations import DIVISIONS
from xgpu.backend.host.types import I1, I32
from xgpu.backend.host.vectors.emission import Builder
from xgpu.backend.llvm_ir.facts import integers, number, prop
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from xgpu.ir.construction import insert_before, nested_operations

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute


FAILS = "xgpu_kernel_division"


def check_divisions(module: Operation, state: ModuleState) -> None:
    """Changes a module in place."""
    made: dict[str, Operation] = {}
    for op in nested_operations(module):
        if op.name not in DIVISIONS or op.parent is None or _is_harmless(op.operands[1]):
            continue
        ty = op.operands[0].type
        signed = op.name in ("llvm.sdiv", "llvm.srem")
        name = _name(ty, signed)
        if name not in made:
            made[name] = _check(name, ty, signed)
        given = list(op.operands)
        call = ods.create(
            "llvm.call", given, (), call_properties(name, given), location=op.location
        )
        insert_before(op.parent, call, op)
    if not made:
        return
    block = module.regions[0].blocks[0]
    for function in made.values():
        block.add_op(function)
    state.declared[FAILS] = ((I32,), None)


def _name(ty: Attribute, signed: bool) -> str:
    element = cast("IntegerType", ty.element_type if isinstance(ty, VectorType) else ty)
    count = f"v{ty.get_shape()[0]}" if isinstance(ty, VectorType) else ""
    return f"xgpu_check_{'s' if signed else 'u'}_{count}i{element.width.data}"


def _is_harmless(divisor: SSAValue) -> bool:
    """Whether a divisor is constant and never 0 or -1."""
    owner = divisor.owner
    if isinstance(owner, Block) or owner.name != "llvm.mlir.constant":
        return False
    attr = prop(owner, "value")
    values = [number(attr)] if hasattr(attr, "value") else integers(attr)
    return bool(values) and all(n not in (0, -1) for n in values)


def _check(name: str, ty: Attribute, signed: bool) -> Operation:
    """Divisor zero, and for signed division the smallest number by minus one."""
    from xgpu.conversion.llvm_ops import function_attributes

    region = Region()
    element = cast("IntegerType", ty.element_type if isinstance(ty, VectorType) else ty)
    is_vector = isinstance(ty, VectorType)
    b = Builder(region, ty.get_shape()[0] if isinstance(ty, VectorType) else 1)
    number, divisor = (b.first.insert_arg(ty, at) for at in range(2))

    def same(value: SSAValue, n: int) -> SSAValue:
        other = b.vector([n] * b.width, element) if is_vector else b.integer(n, element)
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
    kind = b.select(zero, none, overflow)
    b.create("llvm.call", (kind,), (), call_properties(FAILS, (kind,)))
    b.create("llvm.unreachable")
    b.enter(fine)
    b.create("llvm.return")
    properties = {
        **function_attributes(name, LLVMFunctionType((ty, ty), LLVMVoidType())),
        "linkage": ods.attr_class("llvm.linkage")("internal"),
        "always_inline": UnitAttr(),
    }
    return ods.create("llvm.func", (), (), properties, regions=[region])
