# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folding of constant operands, as LLVM's IRBuilder does while it builds.

MLIR's translation goes through an IRBuilder that never creates an instruction whose operands are
all constant. The functions here take constants (see `constants`) and return one, or None where
LLVM would create an instruction after all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from xgpu.backend.llvm_ir.constants import float_text, float_value, int_text, to_f32

if TYPE_CHECKING:
    from collections.abc import Callable


def as_int(text: str) -> int | None:
    """The integer that a constant stands for."""
    if text == "true":
        return 1
    if text == "false":
        return 0
    if text.isdigit() or (text[:1] == "-" and text[1:].isdigit()):
        return int(text)
    return None


def _truncated(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> width - 1 else value


def _unsigned(value: int, width: int) -> int:
    return value & (1 << width) - 1


_INT: dict[str, Callable[[int, int, int], int | None]] = {
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "shl": lambda a, b, w: a << _unsigned(b, w) if _unsigned(b, w) < w else None,
    "lshr": lambda a, b, w: _unsigned(a, w) >> _unsigned(b, w) if _unsigned(b, w) < w else None,
    "ashr": lambda a, b, w: _signed(a, w) >> _unsigned(b, w) if _unsigned(b, w) < w else None,
    "udiv": lambda a, b, w: _unsigned(a, w) // _unsigned(b, w) if b else None,
    "urem": lambda a, b, w: _unsigned(a, w) % _unsigned(b, w) if b else None,
    "sdiv": lambda a, b, w: _truncated(_signed(a, w), _signed(b, w)) if b else None,
    "srem": lambda a, b, w: (
        _signed(a, w) - _truncated(_signed(a, w), _signed(b, w)) * _signed(b, w) if b else None
    ),
}

_FLOAT: dict[str, Callable[[float, float], float]] = {
    "fadd": lambda a, b: a + b,
    "fsub": lambda a, b: a - b,
    "fmul": lambda a, b: a * b,
    "fdiv": lambda a, b: a / b if b else math.nan if a == 0 or a != a else math.inf * a,
}


def binary(opcode: str, a: str, b: str, t: str) -> str | None:
    """`opcode` of two constants of the scalar type `t`."""
    if opcode in _INT:
        if (x := as_int(a)) is None or (y := as_int(b)) is None or not t.startswith("i"):
            return None
        width = int(t[1:])
        result = _INT[opcode](x, y, width)
        return "poison" if result is None else int_text(result, width)
    if opcode in _FLOAT and t in ("float", "double"):
        x, y = float_value(a), float_value(b)
        if x is None or y is None:
            return None
        try:
            result = _FLOAT[opcode](x, y)
        except OverflowError:
            return None
        return float_text(to_f32(result) if t == "float" else result, t)
    return None


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def icmp(predicate: str, a: str, b: str, t: str) -> str | None:
    if (x := as_int(a)) is None or (y := as_int(b)) is None or not t.startswith("i"):
        return None
    width = int(t[1:])
    convert = _unsigned if predicate[0] == "u" else _signed
    holds = _COMPARE[predicate[-2:]](convert(x, width), convert(y, width))
    return "true" if holds else "false"


def fcmp(predicate: str, a: str, b: str) -> str | None:
    x, y = float_value(a), float_value(b)
    if x is None or y is None:
        return None
    unordered = x != x or y != y
    if predicate == "ord":
        return "false" if unordered else "true"
    if predicate == "uno":
        return "true" if unordered else "false"
    if predicate in ("true", "false"):
        return predicate
    if unordered:
        return "true" if predicate[0] == "u" else "false"
    return "true" if _COMPARE[predicate[1:]](x, y) else "false"  # pyright: ignore


def cast(opcode: str, value: str, source: str, target: str) -> str | None:
    """A cast of a constant; texts of addresses become constant expressions."""
    if value == "poison":
        return value
    number = as_int(value)
    if number is not None and source.startswith("i") and source[1:].isdigit():
        width = int(source[1:])
        if opcode in ("trunc", "sext") and target.startswith("i"):
            return int_text(_signed(number, width), int(target[1:]))
        if opcode == "zext" and target.startswith("i"):
            return int_text(_unsigned(number, width), int(target[1:]))
        if opcode == "sitofp" and target in ("float", "double", "half", "bfloat"):
            return float_text(float(_signed(number, width)), target)
        if opcode == "uitofp" and target in ("float", "double", "half", "bfloat"):
            return float_text(float(_unsigned(number, width)), target)
        if opcode == "inttoptr":
            return "null" if number == 0 else f"inttoptr ({source} {value} to {target})"
    number = float_value(value) if source in ("float", "double") else None
    if number is not None:
        if opcode in ("fpext", "fptrunc"):
            return float_text(number, target)
        if opcode in ("fptosi", "fptoui") and target.startswith("i") and math.isfinite(number):
            width, whole = int(target[1:]), int(number)
            low = -(1 << width - 1) if opcode == "fptosi" else 0
            high = (1 << width - 1 if opcode == "fptosi" else 1 << width) - 1
            return int_text(whole, width) if low <= whole <= high else "poison"
    if opcode == "ptrtoint" and value == "null":
        return int_text(0, int(target[1:])) if target.startswith("i") else None
    if opcode in ("ptrtoint", "addrspacecast", "inttoptr", "trunc") and "@" in value:
        return f"{opcode} ({source} {value} to {target})"
    if opcode == "addrspacecast" and value == "null":
        return f"addrspacecast ({source} null to {target})"
    if opcode == "bitcast":
        if source == target:
            return value
        if value in ("undef", "zeroinitializer"):
            return None
    return None


def negate(value: str, t: str) -> str | None:
    number = float_value(value)
    return None if number is None or t not in ("float", "double") else float_text(-number, t)
