# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bitcasts of constants: the same bits as another type.

Elements lie as in memory, the first in the lowest bits (or the highest, of a big-endian layout).
Where an element that is undefined joins others, LLVM takes it for zero; where it is taken apart,
its parts are undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute

from xgpu.backend.llvm_ir.literals import (
    as_float,
    as_int,
    elements,
    float_constant,
    format_of,
    int_text,
    is_scalable,
    vector,
)
from xgpu.core.ir.float_formats import from_bits, to_bits
from xgpu.core.ir.integers import unsigned

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext


def _scalar_bits(value: str, t: Attribute) -> int | None:
    """The bits of a scalar constant."""
    if isinstance(t, IntegerType):
        number = as_int(value)
        return None if number is None else unsigned(number, t.width.data)
    form = format_of(t)
    known = as_float(value, form) if form is not None else None
    return to_bits(known, form) if form is not None and known is not None else None


def _of_bits(bits: int, t: Attribute) -> str | None:
    """The scalar constant of type `t` with these bits."""
    if isinstance(t, IntegerType):
        return int_text(bits, t.width.data)
    form = format_of(t)
    return None if form is None else float_constant(from_bits(bits, form), form)


def _width(t: Attribute) -> int | None:
    if isinstance(t, IntegerType):
        return t.width.data
    form = format_of(t)
    return None if form is None else form.width


def bitcast(m: ModuleContext, value: str, source: Attribute, target: Attribute) -> str | None:
    """The constant with the bits of `value`, or None where they are not known."""
    if is_scalable(source) or is_scalable(target):
        return None
    inner = source.element_type if isinstance(source, VectorType) else source
    outer = target.element_type if isinstance(target, VectorType) else target
    wide, narrow = _width(inner), _width(outer)
    if wide is None or narrow is None:
        return None
    parts = elements(value, source, m.types) if isinstance(source, VectorType) else [value]
    if parts is None:
        return None
    found = _regroup(m, parts, inner, outer, wide, narrow)
    if found is None:
        return None
    return vector(found, target, m.types) if isinstance(target, VectorType) else found[0]


def _regroup(
    m: ModuleContext, parts: list[str], inner: Attribute, outer: Attribute, wide: int, narrow: int
) -> list[str] | None:
    """Elements of `inner`, `wide` bits each, as such of `outer`, `narrow` bits each."""
    is_big = (m.data_layout or "").startswith("E")
    bits = [None if p in ("undef", "poison") else _scalar_bits(p, inner) for p in parts]
    if any(b is None and p not in ("undef", "poison") for p, b in zip(parts, bits, strict=True)):
        return None
    if wide == narrow:
        return _same_width(parts, bits, outer)
    if wide < narrow:
        return _join(bits, outer, wide, narrow, is_big)
    return _split(bits, outer, wide, narrow, is_big)


def _same_width(parts: list[str], bits: list[int | None], outer: Attribute) -> list[str] | None:
    found: list[str] = []
    for part, number in zip(parts, bits, strict=True):
        text = part if number is None else _of_bits(number, outer)
        if text is None:
            return None
        found.append(text)
    return found


def _join(
    bits: list[int | None], outer: Attribute, wide: int, narrow: int, is_big: bool
) -> list[str] | None:
    ratio, rest = divmod(narrow, wide)
    if rest or len(bits) % ratio:
        return None
    found: list[str] = []
    for at in range(0, len(bits), ratio):
        group = bits[at : at + ratio]
        total = 0
        for number in group if is_big else reversed(group):
            total = total << wide | (number or 0)
        text = _of_bits(total, outer)
        if text is None:
            return None
        found.append(text)
    return found


def _split(
    bits: list[int | None],
    outer: Attribute,
    wide: int,
    narrow: int,
    is_big: bool,
) -> list[str] | None:
    ratio, rest = divmod(wide, narrow)
    if rest:
        return None
    found: list[str] = []
    for number in bits:
        if number is None:
            found += ["undef"] * ratio
            continue
        pieces = [_of_bits(unsigned(number >> narrow * i, narrow), outer) for i in range(ratio)]
        if None in pieces:
            return None
        found += [p for p in (reversed(pieces) if is_big else pieces) if p is not None]
    return found
