# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions as operations of the llvm dialect, in `IMPORTERS` by opcode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)

from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.frontend.llvm_ir.attribute_import import fast_math
from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.branch_import import BRANCHES
from xgpu.frontend.llvm_ir.call_import import call, invoke
from xgpu.frontend.llvm_ir.model import Constant, Instruction, Value

if TYPE_CHECKING:
    from xdsl.ir import Attribute

Importer = Callable[[Body, Instruction], None]

UNIT = UnitAttr()
#: LLVM's predicates in MLIR's order.
_ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FCMP = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
_OVERFLOW = {"nsw": 1, "nuw": 2}
#: `inbounds` means `nusw` too.
_NO_WRAP = {"inbounds": 3, "nusw": 2, "nuw": 4}
_ORDERING = {
    "unordered": 1,
    "monotonic": 2,
    "acquire": 4,
    "release": 5,
    "acq_rel": 6,
    "seq_cst": 7,
}
_ATOMIC = (
    *("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"),
    *("fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"),
    *("fmaximum", "fminimum"),
)
#: The index of getelementptr that is an operand.
_DYNAMIC = -(2**31)


def _overflow(i: Instruction) -> dict[str, Attribute]:
    return {"overflowFlags": IntegerAttr(sum(_OVERFLOW[f] for f in i.flags), i32)}


def _exact(i: Instruction) -> dict[str, Attribute]:
    return {"isExact": UNIT} if i.flags else {}


def _disjoint(i: Instruction) -> dict[str, Attribute]:
    return {"isDisjoint": UNIT} if i.flags else {}


def _non_negative(i: Instruction) -> dict[str, Attribute]:
    return {"nonNeg": UNIT} if i.flags else {}


def _fast(i: Instruction) -> dict[str, Attribute]:
    return fast_math(i.flags)


def _nothing(i: Instruction) -> dict[str, Attribute]:
    return {}


def _plain(
    name: str, properties: Callable[[Instruction], dict[str, Attribute]] = _nothing
) -> Importer:
    """An operation of the same operands and result."""

    def convert(b: Body, i: Instruction) -> None:
        op = b.create(name, b.operands(i.operands), (i.type,), properties(i))
        b.values[i] = op.results[0]

    return convert


def _predicate(b: Body, i: Instruction, names: tuple[str, ...]) -> dict[str, Attribute]:
    return {"predicate": IntegerAttr(names.index(i.extra["predicate"]), i64)}


def icmp(b: Body, i: Instruction) -> None:
    op = b.create("llvm.icmp", b.operands(i.operands), (i.type,), _predicate(b, i, _ICMP))
    b.values[i] = op.results[0]


def fcmp(b: Body, i: Instruction) -> None:
    properties = {**_predicate(b, i, _FCMP), **fast_math(i.flags)}
    op = b.create("llvm.fcmp", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


# --- vectors and aggregates ----------------------------------------------------------------------
def _positioned(name: str) -> Importer:
    """extractvalue and insertvalue"""

    def convert(b: Body, i: Instruction) -> None:
        properties = {"position": b.position(i.extra["position"])}
        op = b.create(name, b.operands(i.operands), (i.type,), properties)
        b.values[i] = op.results[0]

    return convert


def shuffle_vector(b: Body, i: Instruction) -> None:
    properties = {"mask": DenseArrayBase.from_list(i32, list(i.extra["mask"]))}
    op = b.create("llvm.shufflevector", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


# --- memory --------------------------------------------------------------------------------------
def _access(i: Instruction) -> dict[str, Attribute]:
    """Alignment, volatility and scope of an access of memory."""
    found: dict[str, Attribute] = {}
    if (align := i.extra.get("align")) is not None:
        found["alignment"] = IntegerAttr(align, i64)
    if "volatile" in i.flags:
        found["volatile_"] = UNIT
    if (scope := i.extra.get("syncscope")) is not None:
        found["syncscope"] = StringAttr(scope)
    return found


def ordering(name: str | None) -> IntegerAttr:
    return IntegerAttr(_ORDERING[name] if name else 0, i64)


def _memory(b: Body, i: Instruction, name: str, kinds: dict[str, str]) -> None:
    """load and store: `kinds` are metadata that MLIR has flags for."""
    properties = _access(i)
    if (order := i.extra.get("ordering")) is not None:
        properties["ordering"] = ordering(order)
    if i.metadata:
        properties.update({flag: UNIT for kind, flag in kinds.items() if kind in i.metadata})
    results = (i.type,) if name == "llvm.load" else ()
    op = b.create(name, b.operands(i.operands), results, properties)
    if results:
        b.values[i] = op.results[0]


_STORE_FLAGS = {"nontemporal": "nontemporal", "invariant.group": "invariantGroup"}
_LOAD_FLAGS = {**_STORE_FLAGS, "invariant.load": "invariant"}


def load(b: Body, i: Instruction) -> None:
    _memory(b, i, "llvm.load", _LOAD_FLAGS)


def store(b: Body, i: Instruction) -> None:
    _memory(b, i, "llvm.store", _STORE_FLAGS)


def compare_exchange(b: Body, i: Instruction) -> None:
    properties = _access(i)
    properties["success_ordering"] = ordering(i.extra["ordering"])
    properties["failure_ordering"] = ordering(i.extra["failure"])
    if "weak" in i.flags:
        properties["weak"] = UNIT
    op = b.create("llvm.cmpxchg", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


def atomic_rmw(b: Body, i: Instruction) -> None:
    operation = i.extra["operation"]
    if operation not in _ATOMIC:
        raise b.messages.unhandled("instruction", i)
    properties = _access(i)
    properties["bin_op"] = IntegerAttr(_ATOMIC.index(operation), i64)
    properties["ordering"] = ordering(i.extra["ordering"])
    op = b.create("llvm.atomicrmw", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


def fence(b: Body, i: Instruction) -> None:
    properties = _access(i)
    properties["ordering"] = ordering(i.extra["ordering"])
    b.create("llvm.fence", (), (), properties)


def alloca(b: Body, i: Instruction) -> None:
    properties: dict[str, Attribute] = {"elem_type": i.extra["element"]}
    if (align := i.extra.get("align")) is not None:
        properties["alignment"] = IntegerAttr(align, i64)
    if "inalloca" in i.flags:
        properties["inalloca"] = UNIT
    op = b.create("llvm.alloca", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


def get_element_pointer(b: Body, i: Instruction) -> None:
    """Indices into structs are numbers in MLIR, all others operands."""
    base, *indices = i.operands
    operands = [b.value(base)]
    numbers: list[int] = []
    inside: Attribute | None = None
    for place, index in enumerate(indices):
        value = b.value(index)
        number = None
        if place and isinstance(inside, LLVMStructType):
            number = _number(index)
            inside = inside.body[number] if number is not None else None
        elif place and inside is not None:
            inside = getattr(inside, "element_type", None)
        else:
            inside = i.extra["source"]
        if number is None:
            operands.append(value)
            number = _DYNAMIC
        numbers.append(number)
    bits = 0
    for flag in i.flags:
        bits |= _NO_WRAP[flag]
    properties = {
        "rawConstantIndices": DenseArrayBase.from_list(i32, numbers),
        "elem_type": i.extra["source"],
        "noWrapFlags": IntegerAttr(bits, i32),
    }
    op = b.create("llvm.getelementptr", operands, (i.type,), properties)
    b.values[i] = op.results[0]


def _number(index: Value) -> int | None:
    """The number of an index, or that all elements of a vector of indices are."""
    if not isinstance(index, Constant):
        return None
    if index.kind == "int":
        return index.data
    if index.kind == "zero":
        return 0
    if index.kind == "data" and len(set(index.data)) == 1:
        return index.data[0]
    return None


IMPORTERS: dict[str, Importer] = {
    **{n: _plain(f"llvm.{n}", _overflow) for n in ("add", "sub", "mul", "shl", "trunc")},
    **{n: _plain(f"llvm.{n}", _exact) for n in ("udiv", "sdiv", "lshr", "ashr")},
    **{n: _plain(f"llvm.{n}") for n in ("urem", "srem", "and", "xor")},
    "or": _plain("llvm.or", _disjoint),
    **{
        n: _plain(f"llvm.{n}", _fast)
        for n in ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "select")
    },
    **{
        n: _plain(f"llvm.{n}")
        for n in (
            *("sext", "fptosi", "fptoui", "sitofp", "ptrtoint", "inttoptr", "bitcast"),
            *("addrspacecast", "fptrunc", "fpext", "freeze", "va_arg"),
            *("extractelement", "insertelement"),
        )
    },
    **{n: _plain(f"llvm.{n}", _non_negative) for n in ("zext", "uitofp")},
    "icmp": icmp,
    "fcmp": fcmp,
    "extractvalue": _positioned("llvm.extractvalue"),
    "insertvalue": _positioned("llvm.insertvalue"),
    "shufflevector": shuffle_vector,
    "load": load,
    "store": store,
    "cmpxchg": compare_exchange,
    "atomicrmw": atomic_rmw,
    "fence": fence,
    "alloca": alloca,
    "getelementptr": get_element_pointer,
    "call": call,
    "invoke": invoke,
    **BRANCHES,
}


def instruction(b: Body, i: Instruction) -> None:
    """The operation of an instruction; `b.values` has its result afterwards."""
    convert = IMPORTERS.get(i.opcode)
    if convert is None:
        raise b.messages.unhandled("instruction", i)
    convert(b, i)
