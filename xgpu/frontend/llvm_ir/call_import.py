# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls: of functions, of pointers, of assembly, and invokes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Block as IRBlock

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ods.operation import segment_sizes
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm.attributes import CConvAttr, TailCallKindAttr
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType
from xgpu.frontend.llvm_ir.attribute_import import argument_attributes, call_properties
from xgpu.frontend.llvm_ir.body import Body, incoming
from xgpu.frontend.llvm_ir.bundles import bundles
from xgpu.frontend.llvm_ir.intrinsic_import import intrinsic
from xgpu.frontend.llvm_ir.model import (
    Alias,
    Constant,
    Function,
    GlobalObject,
    InlineAssembly,
    Instruction,
)
from xgpu.frontend.llvm_ir.type_parser import VOID

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue


def callee_of(b: Body, i: Instruction) -> GlobalObject | None:
    """The function or ifunc that is called by name, None for a call of a pointer."""
    callee = i.extra["callee"]
    if isinstance(callee, Constant) and callee.kind == "global":
        found = b.context.source.symbols[callee.data]
        if isinstance(found, Function) or (isinstance(found, Alias) and found.is_ifunc):
            return found
    return None


def call(b: Body, i: Instruction) -> None:
    callee = i.extra["callee"]
    if isinstance(callee, InlineAssembly):
        _assembly(b, i, callee)
        return
    target = callee_of(b, i)
    if isinstance(target, Function) and target.is_intrinsic:
        intrinsic(b, i, target)
        return
    operands, properties = _shared(b, i, target)
    properties["TailCallKind"] = tail_call_kind(i)
    properties.update(call_properties(i, target))
    tags, bundled = bundles(b, i)
    properties.update(tags)
    properties["operandSegmentSizes"] = segment_sizes((len(operands), len(bundled)))
    results = () if i.type is VOID else (i.type,)
    op = b.create("llvm.call", (*operands, *bundled), results, properties)
    if results:
        b.values[i] = op.results[0]


def tail_call_kind(i: Instruction) -> TailCallKindAttr:
    return TailCallKindAttr(i.extra.get("tail", "none"))


def _shared(
    b: Body, i: Instruction, target: GlobalObject | None
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """(what a call or invoke calls and its arguments, the properties of both)"""
    properties: dict[str, Attribute] = {"CConv": CConvAttr(i.extra["convention"])}
    operands: list[SSAValue] = []
    if target is None:
        operands.append(b.value(i.extra["callee"]))
    operands += b.operands(i.operands)
    kind: LLVMFunctionType = i.extra["type"]
    fits = True
    if target is not None:
        fits = _fits(kind, target.type)
        if fits:
            kind = target.type
            properties["callee"] = SymbolRefAttr(b.context.symbol(target.key))
        else:
            b.messages.warn(
                f"incompatible call and callee types: {_as_text(kind)} and {_as_text(target.type)}",
                i,
            )
            operands.insert(0, _address(b, target))
    if kind.variadic:
        properties["var_callee_type"] = kind
    if fits:
        properties.update(argument_attributes(i))
    return operands, properties


def _as_text(t: LLVMFunctionType) -> str:
    return f"'{shown(t)}'"


def _address(b: Body, target: GlobalObject) -> SSAValue:
    symbol = SymbolRefAttr(b.context.symbol(target.key))
    op = b.builder.create("llvm.mlir.addressof", (), (LLVMPointerType(),), {"global_name": symbol})
    return op.results[0]


def _fits(called: LLVMFunctionType, callee: LLVMFunctionType) -> bool:
    """Whether a call of type `called` can name a function of type `callee`."""
    if called.result != callee.result:
        return False
    count = len(callee.arguments)
    if len(called.arguments) < count or (not callee.variadic and len(called.arguments) > count):
        return False
    return called.arguments[:count] == callee.arguments


# --- assembly ------------------------------------------------------------------------------------
def _assembly(b: Body, i: Instruction, callee: InlineAssembly) -> None:
    properties: dict[str, Attribute] = {
        "asm_string": StringAttr(callee.text),
        "constraints": StringAttr(callee.constraints),
        "tail_call_kind": tail_call_kind(i),
        "asm_dialect": IntegerAttr(int("inteldialect" in callee.flags), i64),
    }
    if "sideeffect" in callee.flags:
        properties["has_side_effects"] = UnitAttr()
    if "alignstack" in callee.flags:
        properties["is_align_stack"] = UnitAttr()
    if (attrs := _operand_attributes(i, callee)) is not None:
        properties["operand_attrs"] = attrs
    # MLIR gives it a result of type void, too.
    op = b.create("llvm.inline_asm", b.operands(i.operands), (i.type,), properties)
    if i.type is not VOID:
        b.values[i] = op.results[0]


def _operand_attributes(i: Instruction, callee: InlineAssembly) -> ArrayAttr | None:
    """The types behind the pointers that indirect constraints take; None if there are none."""
    found: list[DictionaryAttr] = []
    indirect = False
    for place, constraint in enumerate(_argument_constraints(callee.constraints)):
        if "*" not in constraint:
            found.append(DictionaryAttr({}))
            continue
        attributes = i.extra["argument_attributes"]
        element = attributes[place].known.get("elementtype") if place < len(attributes) else None
        if element is not None:
            found.append(DictionaryAttr({"elementtype": element}))
            indirect = True
    return ArrayAttr(found) if indirect else None


def _argument_constraints(constraints: str) -> list[str]:
    """The constraints that take an argument: inputs, and outputs through memory."""
    found: list[str] = []
    for constraint in constraints.split(","):
        if constraint[:1] in ("~", "!", ""):
            continue
        if constraint[0] == "=" and "*" not in constraint:
            continue
        found.append(constraint)
    return found


# --- invoke --------------------------------------------------------------------------------------
def invoke(b: Body, i: Instruction) -> None:
    """An invoke may hand its own result on to a phi; in MLIR a block in between does so."""
    callee = i.extra["callee"]
    if isinstance(callee, InlineAssembly):
        raise b.messages.error("invoke of inline assembly is not supported", i)
    target = callee_of(b, i)
    normal, unwind = i.extra["successors"]
    hands_itself_on = any(
        incoming(phi, i.block) is i for phi in normal.instructions if phi.opcode == "phi"
    )
    operands, properties = _shared(b, i, target)
    unwind_operands = b.edge(i, unwind)
    normal_operands = [] if hands_itself_on else b.edge(i, normal)
    tags, bundled = bundles(b, i)
    properties.update(tags)
    properties["operandSegmentSizes"] = segment_sizes(
        (len(operands), len(normal_operands), len(unwind_operands), len(bundled))
    )
    direct = b.blocks[normal]
    if hands_itself_on:
        direct = IRBlock()
        b.region.insert_block_before(direct, b.blocks[normal])
    results = () if i.type is VOID else (i.type,)
    op = b.create(
        "llvm.invoke",
        (*operands, *normal_operands, *unwind_operands, *bundled),
        results,
        properties,
        successors=[direct, b.blocks[unwind]],
    )
    if results:
        b.values[i] = op.results[0]
    if hands_itself_on:
        between = Builder(block=direct, location=b.builder.location)
        between.create("llvm.br", b.edge(i, normal), successors=[b.blocks[normal]])
