# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on constants, as LLVM's folder has them.

MLIR's translation goes through an IRBuilder that knows the data layout and creates no instruction
whose operands are all constant if it can help it. So the text shows what LLVM's folder makes of
them. The functions here take constants (see `literals`) and the xDSL types of the operands, and
return a constant, or None where LLVM creates an instruction after all. What has no defined result
is poison; what an undefined operand may be is chosen as LLVM does.

Source: LLVM 22's constant folding (its tests and its language reference), compared by
`tests/parity/test_translated_constants.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute

from xgpu.backend.llvm_ir import addresses
from xgpu.backend.llvm_ir.address_comparisons import compare_vector, truth
from xgpu.backend.llvm_ir.fold_bits import bitcast
from xgpu.backend.llvm_ir.literals import (
    Address,
    Expression,
    as_float,
    as_int,
    elements,
    float_constant,
    format_of,
    int_text,
    is_null,
    null,
    vector,
)
from xgpu.core.ir import float_arithmetic as floats
from xgpu.core.ir.integers import BINARY, division_overflows, signed, unsigned

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext

#: The operand that changes nothing, on either side.
_NEUTRAL = {"add": 0, "or": 0, "xor": 0, "mul": 1, "and": -1}
#: The right operand that changes nothing.
_NEUTRAL_RIGHT = {"sub": 0, "shl": 0, "lshr": 0, "ashr": 0, "sdiv": 1, "udiv": 1}
_DIVISIONS = frozenset(("sdiv", "udiv", "srem", "urem"))
_SHIFTS = frozenset(("shl", "lshr", "ashr"))
_COMMUTATIVE = frozenset(("add", "mul", "and", "or", "xor"))
#: Operations that LLVM has constant expressions for.
_EXPRESSIONS = frozenset(("add", "sub", "xor"))


def binary(m: ModuleContext, opcode: str, a: str, b: str, t: Attribute) -> str | None:
    """`opcode` of two constants of type `t`."""
    if isinstance(t, VectorType):
        return _binary_vector(m, opcode, a, b, t)
    if isinstance(t, IntegerType):
        return _integers(m, opcode, a, b, t)
    return _floats(opcode, a, b, t)


def _binary_vector(m: ModuleContext, opcode: str, a: str, b: str, t: VectorType) -> str | None:
    left, right = elements(a, t, m.types), elements(b, t, m.types)
    if left is None or right is None:
        return None
    found = [binary(m, opcode, x, y, t.element_type) for x, y in zip(left, right, strict=True)]
    return None if None in found else vector([f for f in found if f is not None], t, m.types)


# --- integers ------------------------------------------------------------------------------------
def _integers(m: ModuleContext, opcode: str, a: str, b: str, t: IntegerType) -> str | None:
    width: int = t.width.data
    x, y = as_int(a), as_int(b)
    if (kept := _neutral(opcode, a, b, x, y, width)) is not None:
        return kept
    if "poison" in (a, b):
        return "poison"
    if "undef" in (a, b):
        return _undefined(opcode, a, b, width)
    if y is not None and (known := _by_right(opcode, a, b, y, width)) is not None:
        return known
    if x is not None and y is not None:
        return _both(opcode, x, y, width)
    return _symbolic(m, opcode, a, b, t)


def _neutral(opcode: str, a: str, b: str, x: int | None, y: int | None, width: int) -> str | None:
    """The operand that is left where the other one changes nothing."""
    neutral = _NEUTRAL.get(opcode)
    if neutral is not None:
        if x is not None and signed(x - neutral, width) == 0:
            return b
        return a if y is not None and signed(y - neutral, width) == 0 else None
    right = _NEUTRAL_RIGHT.get(opcode)
    if right is None or y is None or signed(y - right, width) != 0:
        return None
    return a


def _undefined(opcode: str, a: str, b: str, width: int) -> str:
    """An operation where `a` or `b` is undef."""
    if opcode in ("add", "sub"):
        return "undef"
    if opcode == "xor":
        return int_text(0, width) if a == b else "undef"
    if opcode in _DIVISIONS:
        by_zero = b == "undef" or as_int(b) == 0
        return "poison" if by_zero else int_text(0, width)
    if opcode in _SHIFTS:
        return "poison" if b == "undef" else int_text(0, width)
    if a == b:
        return a
    if opcode == "mul":
        known = as_int(a) if b == "undef" else as_int(b)
        return "undef" if known is not None and known & 1 else int_text(0, width)
    return int_text(-1 if opcode == "or" else 0, width)


def _by_right(opcode: str, a: str, b: str, y: int, width: int) -> str | None:
    """What the right operand alone says."""
    y = unsigned(y, width)
    if opcode in ("mul", "and") and y == 0:
        return b
    if opcode in _DIVISIONS and y == 0:
        return "poison"
    if opcode in ("urem", "srem") and y == 1:
        return int_text(0, width)
    if opcode == "or" and y == unsigned(-1, width):
        return b
    return None


def _both(opcode: str, x: int, y: int, width: int) -> str:
    if opcode == "srem" and division_overflows(x, y, width):
        return "poison"
    value = BINARY[opcode](x, y, width)
    return "poison" if value is None else int_text(value, width)


def _symbolic(m: ModuleContext, opcode: str, a: str, b: str, t: IntegerType) -> str | None:
    """An operation on an address as integer, or on an expression of such."""
    if opcode == "and" and (known := addresses.known_and(m, a, b, t)) is not None:
        return known
    if opcode == "sub" and (known := addresses.difference(m, a, b, t)) is not None:
        return known
    if isinstance(a, Expression):
        if opcode in _COMMUTATIVE and a.opcode == opcode and as_int(b) is not None:
            inner, constant = a.operands
            if as_int(constant) is not None:
                total = _integers(m, opcode, constant, b, t)
                return None if total is None else _integers(m, opcode, inner, total, t)
    elif isinstance(b, Expression) and opcode in _COMMUTATIVE:
        return _integers(m, opcode, b, a, t)
    if as_int(a) == 0 and (opcode in _DIVISIONS or opcode in _SHIFTS):
        return a
    if opcode not in _EXPRESSIONS:
        return None
    kind = m.types(t)
    text = Expression(f"{opcode} ({kind} {a}, {kind} {b})")
    text.opcode, text.operands, text.types = opcode, (a, b), (t, t)
    return text


# --- floats --------------------------------------------------------------------------------------
def _floats(opcode: str, a: str, b: str, t: Attribute) -> str | None:
    form = format_of(t)
    if form is None:
        return None
    x, y = as_float(a, form), as_float(b, form)
    if (kept := _neutral_float(opcode, a, b, x, y)) is not None:
        return kept
    if "poison" in (a, b):
        return "poison"
    if "undef" in (a, b):
        if a == b or (opcode == "fsub" and x is not None and floats.same(x, -0.0)):
            return "undef"
        return float_constant(floats.nan(form), form)
    if x is None or y is None:
        return None
    result = floats.BINARY[opcode](x, y, form)
    return None if result is None else float_constant(result, form)


def _neutral_float(opcode: str, a: str, b: str, x: float | None, y: float | None) -> str | None:
    neutral = {"fadd": -0.0, "fmul": 1.0}.get(opcode)
    if neutral is not None and x is not None and floats.same(x, neutral):
        return b
    neutral = {"fdiv": 1.0, "fsub": 0.0}.get(opcode, neutral)
    return a if neutral is not None and y is not None and floats.same(y, neutral) else None


def negate(m: ModuleContext, value: str, t: Attribute) -> str | None:
    """`fneg` of a constant."""
    if value in ("undef", "poison"):
        return value
    if isinstance(t, VectorType):
        parts = elements(value, t, m.types)
        found = [negate(m, part, t.element_type) for part in parts or ()]
        known = [f for f in found if f is not None]
        return vector(known, t, m.types) if parts and len(known) == len(parts) else None
    form = format_of(t)
    number = as_float(value, form) if form is not None else None
    if form is None or number is None:
        return None
    return float_constant(floats.neg(number), form)


# --- comparisons ---------------------------------------------------------------------------------


def fcmp(m: ModuleContext, predicate: str, a: str, b: str, t: Attribute) -> str | None:
    """A comparison of floats."""
    if isinstance(t, VectorType):
        return compare_vector(m, fcmp, predicate, a, b, t)
    if predicate in ("true", "false"):
        return predicate
    if "poison" in (a, b):
        return "poison"
    if "undef" in (a, b):
        # As if it were a NaN.
        return truth(predicate in ("uno", "true") or predicate[0] == "u")
    form = format_of(t)
    if form is None:
        return None
    x, y = as_float(a, form), as_float(b, form)
    return None if x is None or y is None else truth(floats.compare(predicate, x, y))


# --- choice --------------------------------------------------------------------------------------
def select(m: ModuleContext, c: str, a: str, b: str, kind: Attribute, t: Attribute) -> str | None:
    """`a` or `b`, constants of type `t`; `kind` is the condition's type."""
    if c == "poison":
        return "poison"
    if c == "undef":
        return a if a == "undef" else b
    if isinstance(kind, VectorType):
        return _select_lanes(m, c, a, b, kind, t)
    if c in ("true", "false"):
        return a if c == "true" else b
    return _alike(a, b)


def _alike(a: str, b: str) -> str | None:
    """What is chosen whatever the condition."""
    if a == b:
        return a
    if a == "poison":
        return b
    return a if b == "poison" else None


def _select_lanes(
    m: ModuleContext, c: str, a: str, b: str, kind: Attribute, t: Attribute
) -> str | None:
    lanes = elements(c, kind, m.types)
    if lanes is None:
        return None
    left, right = elements(a, t, m.types), elements(b, t, m.types)
    if left is None or right is None:
        return None
    found: list[str] = []
    for lane, x, y in zip(lanes, left, right, strict=True):
        one = "poison" if lane == "poison" else _alike(x, y)
        if one is None and lane == "undef":
            one = x if x == "undef" else y
        if one is None and lane in ("true", "false"):
            one = x if lane == "true" else y
        if one is None:
            return None
        found.append(one)
    return vector(found, t, m.types)


# --- casts ---------------------------------------------------------------------------------------
_TO_NULL = frozenset(("zext", "sext", "uitofp", "sitofp"))


def cast(
    m: ModuleContext, opcode: str, value: str, source: Attribute, target: Attribute
) -> str | None:
    """A cast of a constant."""
    if source == target:
        return value
    if value == "poison":
        return value
    if value == "undef":
        return null(target) if opcode in _TO_NULL else value
    if opcode != "addrspacecast" and is_null(value, source):
        return null(target)
    if opcode == "bitcast":
        found = bitcast(m, value, source, target)
        if found is not None or not isinstance(value, Expression | Address):
            return found
        return addresses.cast_expression(m, opcode, value, source, target)
    if isinstance(source, VectorType) and isinstance(target, VectorType):
        parts = elements(value, source, m.types)
        lanes = [cast(m, opcode, p, source.element_type, target.element_type) for p in parts or ()]
        known = [lane for lane in lanes if lane is not None]
        return vector(known, target, m.types) if parts and len(known) == len(parts) else None
    return _cast_scalar(m, opcode, value, source, target)


def _cast_scalar(
    m: ModuleContext, opcode: str, value: str, source: Attribute, target: Attribute
) -> str | None:
    number = as_int(value)
    if isinstance(source, IntegerType) and number is not None and opcode != "inttoptr":
        width = source.width.data
        exact = unsigned(number, width) if opcode in ("zext", "uitofp") else signed(number, width)
        if isinstance(target, IntegerType):
            return int_text(exact, target.width.data)
        form = format_of(target)
        return None if form is None else float_constant(floats.from_int(exact, form), form)
    form = format_of(source)
    known = as_float(value, form) if form is not None else None
    if known is None:
        return addresses.cast_expression(m, opcode, value, source, target)
    if isinstance(target, IntegerType):
        width = target.width.data
        whole = floats.to_int(known, width, is_signed=opcode == "fptosi")
        return "poison" if whole is None else int_text(whole, width)
    form = format_of(target)
    result = floats.convert(known, form) if form is not None else None
    return None if form is None or result is None else float_constant(result, form)
