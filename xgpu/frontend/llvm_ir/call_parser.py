# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls and invokes, of functions and of assembly."""

from __future__ import annotations

from xgpu.dialects.llvm.types import LLVMFunctionType
from xgpu.frontend.llvm_ir.conventions import FAST_MATH, convention, is_convention
from xgpu.frontend.llvm_ir.function_parser import FunctionParser
from xgpu.frontend.llvm_ir.lexer import Cursor, SyntaxFault, decoded
from xgpu.frontend.llvm_ir.model import Attributes, Block, InlineAssembly, Instruction, Value
from xgpu.frontend.llvm_ir.type_parser import POINTER

_ASSEMBLY_FLAGS = ("sideeffect", "alignstack", "inteldialect", "unwind")


def read_convention(cursor: Cursor) -> str:
    """MLIR's name of the calling convention that may stand here."""
    token = cursor.peek()
    if not is_convention(token):
        return "ccc"
    found = convention(token)
    if found is None:
        raise SyntaxFault(f"unsupported calling convention '{token}'", cursor.at)
    cursor.at += 1
    if token.startswith("riscv_") and cursor.accept("("):
        cursor.next()
        cursor.expect(")")
    return found


def call(r: FunctionParser, i: Instruction) -> None:
    """`tail call fast fastcc zeroext i32 @f(i32 1) #2 [ "tag"(i32 1) ]`"""
    if i.opcode != "call":
        i.extra["tail"] = i.opcode
        i.opcode = "call"
        r.cursor.expect("call")
    cursor = r.cursor
    while (token := cursor.tokens[cursor.at]) in FAST_MATH:
        i.flags.append(token)
        cursor.at += 1
    _call(r, i)


def invoke(r: FunctionParser, i: Instruction) -> None:
    """`invoke void @f() to label %a unwind label %b`"""
    _call(r, i)
    r.cursor.expect("to")
    normal = r.label()
    r.cursor.expect("unwind")
    successors: list[Block] = [normal, r.label()]
    i.extra["successors"] = successors


def _call(r: FunctionParser, i: Instruction) -> None:
    """What calls and invokes share. The operands are the arguments; `extra` holds the callee, the
    function's type, the attributes and the bundles."""
    cursor, extra = r.cursor, i.extra
    extra["convention"] = read_convention(cursor)
    extra["result_attributes"] = r.attributes.read()
    space = r.types.address_space()
    result = r.types.read()
    variadic = r.types.function(result) if cursor.peek() == "(" else None
    extra["callee"] = _callee(r, space)
    arguments: list[Value] = []
    attributes: list[Attributes] = []
    cursor.expect("(")
    while not cursor.accept(")"):
        t = r.types.read()
        attributes.append(r.attributes.read())
        arguments.append(r.value(t))
        cursor.accept(",")
    i.operands = arguments
    i.type = result
    extra["argument_attributes"] = attributes
    extra["type"] = variadic or LLVMFunctionType([a.type for a in arguments], result)
    extra["attributes"] = r.attributes.read()
    extra["bundles"] = _bundles(r) if cursor.peek() == "[" else []


def _callee(r: FunctionParser, space: int) -> Value:
    from xgpu.dialects.llvm.types import LLVMPointerType

    cursor = r.cursor
    if not cursor.accept("asm"):
        return r.value(LLVMPointerType(space) if space else POINTER)
    found: list[str] = []
    while cursor.peek() in _ASSEMBLY_FLAGS:
        found.append(cursor.next())
    text = decoded(cursor.string())
    cursor.expect(",")
    return InlineAssembly(text, decoded(cursor.string()), found)


def _bundles(r: FunctionParser) -> list[tuple[str, list[Value]]]:
    """`[ "tag"(i32 1, ptr %x), ... ]`"""
    cursor = r.cursor
    found: list[tuple[str, list[Value]]] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        tag = decoded(cursor.string())
        values: list[Value] = []
        cursor.expect("(")
        while not cursor.accept(")"):
            values.append(r.typed())
            cursor.accept(",")
        found.append((tag, values))
        cursor.accept(",")
    return found
