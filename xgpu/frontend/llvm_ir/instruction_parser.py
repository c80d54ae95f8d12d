# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions as LLVM prints them: a parser for each kind, in `READERS` by opcode.

A parser finds the cursor behind the opcode, and leaves it before the metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType, VectorType, i1

from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType
from xgpu.frontend.llvm_ir.call_parser import call, invoke
from xgpu.frontend.llvm_ir.constant_parser import shuffle_mask
from xgpu.frontend.llvm_ir.conventions import FAST_MATH, ORDERINGS
from xgpu.frontend.llvm_ir.function_parser import FunctionParser
from xgpu.frontend.llvm_ir.lexer import decoded
from xgpu.frontend.llvm_ir.model import Block, Constant, Instruction
from xgpu.frontend.llvm_ir.type_parser import LABEL, VOID, pointer_result

if TYPE_CHECKING:
    from xdsl.ir import Attribute

Reader = Callable[[FunctionParser, Instruction], None]

_I32 = IntegerType(32)


def flags(r: FunctionParser, i: Instruction, known: frozenset[str]) -> None:
    """The keywords behind an opcode."""
    cursor = r.cursor
    while (token := cursor.tokens[cursor.at]) in known:
        i.flags.append(token)
        cursor.at += 1


def _flagged(*names: str) -> frozenset[str]:
    return frozenset(names)


_WRAP = _flagged("nuw", "nsw")
_EXACT = _flagged("exact")
_NONE = frozenset[str]()


def _binary(known: frozenset[str]) -> Reader:
    """`add nsw i32 %a, %b`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        t = i.type = r.types.read()
        first = r.value(t)
        r.cursor.expect(",")
        i.operands = [first, r.value(t)]

    return read


def _unary(known: frozenset[str]) -> Reader:
    """`fneg fast float %a`, `freeze i32 %a`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        i.type = r.types.read()
        i.operands = [r.value(i.type)]

    return read


def _cast(known: frozenset[str]) -> Reader:
    """`zext nneg i32 %a to i64`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        i.operands = [r.typed()]
        r.cursor.expect("to")
        i.type = r.types.read()

    return read


def _compare(known: frozenset[str]) -> Reader:
    """`icmp slt i32 %a, %b`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        i.extra["predicate"] = r.cursor.next()
        t = r.types.read()
        first = r.value(t)
        r.cursor.expect(",")
        i.operands = [first, r.value(t)]
        i.type = i1
        if isinstance(t, VectorType):
            i.type = VectorType(i1, t.shape.data, t.scalable_dims)

    return read


def _listed(r: FunctionParser, i: Instruction, count: int) -> None:
    """`T a, T b, ...`"""
    i.operands = [r.typed()]
    for _ in range(count - 1):
        r.cursor.expect(",")
        i.operands.append(r.typed())


def select(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, FAST_MATH)
    _listed(r, i, 3)
    i.type = i.operands[1].type


def phi(r: FunctionParser, i: Instruction) -> None:
    """`phi i32 [ %a, %x ], [ 1, %y ]`: the operands and `extra["blocks"]` go together."""
    flags(r, i, FAST_MATH)
    cursor = r.cursor
    i.type = r.types.read()
    blocks: list[Block] = []
    while True:
        cursor.expect("[")
        i.operands.append(r.value(i.type))
        cursor.expect(",")
        blocks.append(r.block(cursor.next()))
        cursor.expect("]")
        if cursor.tokens[cursor.at + 1] != "[" or not cursor.accept(","):
            break
    i.extra["blocks"] = blocks


def va_arg(r: FunctionParser, i: Instruction) -> None:
    i.operands = [r.typed()]
    r.cursor.expect(",")
    i.type = r.types.read()


# --- vectors and aggregates ----------------------------------------------------------------------
def extract_element(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 2)
    i.type = i.operands[0].type.element_type  # pyright: ignore[reportAttributeAccessIssue]


def insert_element(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 3)
    i.type = i.operands[0].type


def shuffle_vector(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 2)
    r.cursor.expect(",")
    mask = r.constants.typed()
    first, kind = i.operands[0].type, mask.type
    assert isinstance(first, VectorType)
    assert isinstance(kind, VectorType)
    i.extra["mask"] = shuffle_mask(mask)
    i.type = VectorType(first.element_type, kind.shape.data, kind.scalable_dims)


def _indices(r: FunctionParser, i: Instruction) -> list[int]:
    """`, 1, 2`, of which metadata may follow."""
    cursor = r.cursor
    found: list[int] = []
    while cursor.tokens[cursor.at + 1].isdigit() and cursor.accept(","):
        found.append(cursor.integer())
    i.extra["position"] = found
    return found


def extract_value(r: FunctionParser, i: Instruction) -> None:
    i.operands = [r.typed()]
    t: Attribute = i.operands[0].type
    for index in _indices(r, i):
        t = t.body[index] if isinstance(t, LLVMStructType) else t.element_type  # pyright: ignore
    i.type = t


def insert_value(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 2)
    _indices(r, i)
    i.type = i.operands[0].type


# --- memory --------------------------------------------------------------------------------------
def _alignment(r: FunctionParser, i: Instruction) -> None:
    """`, align 8`"""
    cursor = r.cursor
    if cursor.tokens[cursor.at + 1] == "align" and cursor.accept(","):
        cursor.at += 1
        i.extra["align"] = cursor.integer()


def _scope(r: FunctionParser, i: Instruction) -> None:
    """`syncscope("agent") acquire`"""
    cursor = r.cursor
    if cursor.accept("syncscope"):
        cursor.expect("(")
        i.extra["syncscope"] = decoded(cursor.string())
        cursor.expect(")")
    if cursor.peek() in ORDERINGS:
        i.extra["ordering"] = cursor.next()


def alloca(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("inalloca", "swifterror"))
    cursor = r.cursor
    i.extra["element"] = r.types.read()
    i.operands = [r.constants.make("int", _I32, 1)]
    if cursor.tokens[cursor.at + 1] not in ("align", "addrspace") and cursor.peek() == ",":
        at = cursor.at
        cursor.at += 1
        if r.types.starts():
            i.operands = [r.typed()]
        else:
            cursor.at = at
    _alignment(r, i)
    space = 0
    if cursor.tokens[cursor.at + 1] == "addrspace" and cursor.accept(","):
        space = r.types.address_space()
    i.type = LLVMPointerType(space)


def load(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("atomic", "volatile"))
    i.type = r.types.read()
    r.cursor.expect(",")
    i.operands = [r.typed()]
    _scope(r, i)
    _alignment(r, i)


def store(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("atomic", "volatile"))
    _listed(r, i, 2)
    _scope(r, i)
    _alignment(r, i)


def compare_exchange(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("weak", "volatile"))
    _listed(r, i, 3)
    _scope(r, i)
    i.extra["failure"] = r.cursor.next()
    _alignment(r, i)
    i.type = LLVMStructType((i.operands[1].type, i1))


def atomic_rmw(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("volatile"))
    i.extra["operation"] = r.cursor.next()
    _listed(r, i, 2)
    _scope(r, i)
    _alignment(r, i)
    i.type = i.operands[1].type


def fence(r: FunctionParser, i: Instruction) -> None:
    _scope(r, i)


def get_element_pointer(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("inbounds", "nusw", "nuw"))
    cursor = r.cursor
    i.extra["source"] = r.types.read()
    while cursor.tokens[cursor.at + 1][:1] != "!" and cursor.accept(","):
        i.operands.append(r.typed())
    i.type = pointer_result([operand.type for operand in i.operands])


# --- terminators ---------------------------------------------------------------------------------
def ret(r: FunctionParser, i: Instruction) -> None:
    t = r.types.read()
    if t is not VOID:
        i.operands = [r.value(t)]


def branch(r: FunctionParser, i: Instruction) -> None:
    t = r.types.read()
    if t is LABEL:
        i.extra["successors"] = [r.block(r.cursor.next())]
        return
    i.operands = [r.value(t)]
    r.cursor.expect(",")
    first = r.label()
    r.cursor.expect(",")
    i.extra["successors"] = [first, r.label()]


def switch(r: FunctionParser, i: Instruction) -> None:
    """The successors are the default and the cases' blocks, `extra["cases"]` their values."""
    cursor = r.cursor
    i.operands = [r.typed()]
    cursor.expect(",")
    successors = [r.label()]
    cases: list[Constant] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        cases.append(r.constants.typed())
        cursor.expect(",")
        successors.append(r.label())
    i.extra["successors"] = successors
    i.extra["cases"] = cases


def indirect_branch(r: FunctionParser, i: Instruction) -> None:
    cursor = r.cursor
    i.operands = [r.typed()]
    cursor.expect(",")
    successors: list[Block] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        successors.append(r.label())
        cursor.accept(",")
    i.extra["successors"] = successors


def unreachable(r: FunctionParser, i: Instruction) -> None:
    """It has no operands."""


def resume(r: FunctionParser, i: Instruction) -> None:
    i.operands = [r.typed()]


def landing_pad(r: FunctionParser, i: Instruction) -> None:
    cursor = r.cursor
    i.type = r.types.read()
    if cursor.accept("cleanup"):
        i.flags.append("cleanup")
    while cursor.peek() in ("catch", "filter"):
        cursor.at += 1
        i.operands.append(r.typed())


def unsupported(r: FunctionParser, i: Instruction) -> None:
    """Exception handling by funclets and its kin, which the llvm dialect has no operations for."""
    from xgpu.frontend.llvm_ir.lexer import SyntaxFault

    raise SyntaxFault("unhandled instruction", i.token)


READERS: dict[str, Reader] = {
    **{name: _binary(_WRAP) for name in ("add", "sub", "mul", "shl")},
    **{name: _binary(_EXACT) for name in ("udiv", "sdiv", "lshr", "ashr")},
    **{name: _binary(_NONE) for name in ("urem", "srem", "and", "xor")},
    "or": _binary(_flagged("disjoint")),
    **{name: _binary(FAST_MATH) for name in ("fadd", "fsub", "fmul", "fdiv", "frem")},
    "fneg": _unary(FAST_MATH),
    "freeze": _unary(_NONE),
    **{
        name: _cast(_NONE)
        for name in (
            *("sext", "fptosi", "fptoui", "sitofp", "ptrtoint", "ptrtoaddr", "inttoptr"),
            *("bitcast", "addrspacecast"),
        )
    },
    "trunc": _cast(_WRAP),
    "zext": _cast(_flagged("nneg")),
    "uitofp": _cast(_flagged("nneg")),
    "fptrunc": _cast(FAST_MATH),
    "fpext": _cast(FAST_MATH),
    "icmp": _compare(_flagged("samesign")),
    "fcmp": _compare(FAST_MATH),
    "select": select,
    "phi": phi,
    "va_arg": va_arg,
    "extractelement": extract_element,
    "insertelement": insert_element,
    "shufflevector": shuffle_vector,
    "extractvalue": extract_value,
    "insertvalue": insert_value,
    "alloca": alloca,
    "load": load,
    "store": store,
    "cmpxchg": compare_exchange,
    "atomicrmw": atomic_rmw,
    "fence": fence,
    "getelementptr": get_element_pointer,
    "call": call,
    "tail": call,
    "musttail": call,
    "notail": call,
    "invoke": invoke,
    "ret": ret,
    "br": branch,
    "switch": switch,
    "indirectbr": indirect_branch,
    "unreachable": unreachable,
    "resume": resume,
    "landingpad": landing_pad,
    **dict.fromkeys(
        (*("callbr", "cleanuppad", "catchpad", "catchswitch", "catchret", "cleanupret"),),
        unsupported,
    ),
}
