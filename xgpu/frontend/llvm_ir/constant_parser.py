# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants, each read once: equal constants are one object."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    VectorType,
)

from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType
from xgpu.frontend.llvm_ir.lexer import Cursor, unquoted
from xgpu.frontend.llvm_ir.model import Constant
from xgpu.frontend.llvm_ir.type_parser import POINTER, TypeParser, is_float, pointer_result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import Attribute

_CASTS = ("trunc", "bitcast", "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast")
_BINARY = ("add", "sub", "mul", "xor", "shl", "and", "or")
_LISTED = ("extractelement", "insertelement", "shufflevector")
_FLAGS = ("nuw", "nsw", "inbounds", "nusw", "exact")
_WORDS = {
    "null": "null",
    "none": "none",
    "undef": "undef",
    "poison": "poison",
    "zeroinitializer": "zero",
}


def _ignore(function: str, block: str) -> None:
    """Between functions nobody waits for blocks."""


class ConstantParser:
    """Reads constants at a cursor whose type has been read."""

    __slots__ = ("_pool", "block_addresses", "cursor", "mentioned", "types")

    def __init__(self, cursor: Cursor, types: TypeParser) -> None:
        self.cursor = cursor
        self.types = types
        self._pool: dict[tuple[object, ...], Constant] = {}
        #: (function's key, block's key) of each `blockaddress`
        self.block_addresses: set[tuple[str, str]] = set()
        #: hears of each as it is read
        self.mentioned: Callable[[str, str], None] = _ignore

    def make(
        self,
        kind: str,
        type: Attribute,
        data: object = None,
        operands: tuple[Constant, ...] = (),
    ) -> Constant:
        """The constant of this content."""
        key = (kind, type, data, tuple(map(id, operands)))
        found = self._pool.get(key)
        if found is None:
            found = self._pool[key] = Constant(kind, type, data, operands)
        return found

    def typed(self) -> Constant:
        """A type and a constant of it."""
        return self.read(self.types.read())

    def read(self, t: Attribute) -> Constant:
        """A constant of type `t`."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        first = token[:1]
        if first == "@":
            cursor.at += 1
            return self.make("global", t, token)
        if first.isdigit() or (first in "-+" and len(token) > 1):
            cursor.at += 1
            return self._number(token, t)
        word = _WORDS.get(token)
        if word is not None:
            cursor.at += 1
            return self.make(word, t)
        if token in ("true", "false"):
            cursor.at += 1
            return self.make("int", t, -int(token == "true"))
        if token[:2] == 'c"':
            cursor.at += 1
            return self.make("string", t, unquoted(token))
        if token in ("[", "<", "{"):
            return self._aggregate(token, t)
        return self._keyword(token, t)

    # --- numbers -----------------------------------------------------------------------------
    def _number(self, token: str, t: Attribute) -> Constant:
        if isinstance(t, IntegerType):
            width = t.width.data
            value = int(token, 0) & (1 << width) - 1
            if value >> width - 1:
                value -= 1 << width
            return self.make("int", t, value)
        if not is_float(t):
            self.cursor.fail("expected a constant of another type", self.cursor.at - 1)
        return self.make("float", t, float_bits(token, t))

    # --- aggregates --------------------------------------------------------------------------
    def _aggregate(self, token: str, t: Attribute) -> Constant:
        cursor = self.cursor
        cursor.at += 1
        packed = token == "<" and cursor.accept("{")
        parts: list[Constant] = []
        close = {"[": "]", "<": ">", "{": "}"}[token] if not packed else "}"
        while not cursor.accept(close):
            parts.append(self.typed())
            cursor.accept(",")
        if packed:
            cursor.expect(">")
        return self.aggregate(t, parts)

    def aggregate(self, t: Attribute, parts: Sequence[Constant]) -> Constant:
        """An array, vector or struct of these parts: as plain numbers where LLVM keeps such."""
        if not isinstance(t, LLVMStructType) and parts and _is_simple(parts[0].type):
            kind = parts[0].kind
            if kind in ("int", "float") and all(part.kind == kind for part in parts):
                return self.make("data", t, tuple(part.data for part in parts))
        return self.make("aggregate", t, None, tuple(parts))

    def _splat(self, t: Attribute) -> Constant:
        """`splat (i32 3)` of a vector type."""
        cursor = self.cursor
        cursor.expect("(")
        element = self.typed()
        cursor.expect(")")
        assert isinstance(t, VectorType)
        if not t.get_num_scalable_dims():
            return self.aggregate(t, [element] * t.get_shape()[0])
        # A scalable vector has no elements to list: LLVM shuffles one of them.
        poison = self.make("poison", t)
        zero = self.make("int", IntegerType(64), 0)
        inserted = self.make("expression", t, ("insertelement", (), None), (poison, element, zero))
        mask = (0,) * t.get_shape()[0]
        return self.make(
            "expression", t, ("shufflevector", (), mask), (inserted, self.make("poison", t))
        )

    # --- the rest ----------------------------------------------------------------------------
    def _keyword(self, token: str, t: Attribute) -> Constant:
        cursor = self.cursor
        if token == "splat":
            cursor.at += 1
            return self._splat(t)
        if token == "blockaddress":
            cursor.at += 1
            cursor.expect("(")
            function = cursor.next()
            cursor.expect(",")
            block = cursor.next()
            cursor.expect(")")
            self.block_addresses.add((function, block))
            self.mentioned(function, block)
            return self.make("blockaddress", t, (function, block))
        if token in ("dso_local_equivalent", "no_cfi"):
            cursor.at += 1
            return self.make(token, t, None, (self.read(POINTER),))
        if token == "ptrauth":
            cursor.at += 1
            return self.make("ptrauth", t, None, self._listed())
        if token == "getelementptr":
            return self._element_pointer()
        if token in _CASTS:
            cursor.at += 1
            cursor.expect("(")
            operand = self.typed()
            cursor.expect("to")
            target = self.types.read()
            cursor.expect(")")
            return self.make("expression", target, (token, (), None), (operand,))
        if token in _BINARY or token in _LISTED:
            cursor.at += 1
            flags = self._flags()
            operands = self._listed()
            if token == "shufflevector":
                return self._shuffle(t, operands)
            return self.make("expression", t, (token, flags, None), operands)
        cursor.fail("expected a constant")

    def _flags(self) -> tuple[str, ...]:
        found: list[str] = []
        while self.cursor.peek() in _FLAGS:
            found.append(self.cursor.next())
        return tuple(found)

    def _listed(self) -> tuple[Constant, ...]:
        """`(i32 1, ptr @x)`"""
        cursor = self.cursor
        cursor.expect("(")
        found: list[Constant] = []
        while not cursor.accept(")"):
            found.append(self.typed())
            cursor.accept(",")
        return tuple(found)

    def _element_pointer(self) -> Constant:
        """`getelementptr inbounds (i8, ptr @x, i64 4)`"""
        cursor = self.cursor
        cursor.at += 1
        flags = self._flags()
        if cursor.accept("inrange"):
            cursor.expect("(")
            while not cursor.accept(")"):
                cursor.next()
        cursor.expect("(")
        source = self.types.read()
        operands: list[Constant] = []
        while cursor.accept(","):
            operands.append(self.typed())
        cursor.expect(")")
        t = pointer_result([operand.type for operand in operands])
        return self.make("expression", t, ("getelementptr", flags, source), tuple(operands))

    def _shuffle(self, t: Attribute, operands: tuple[Constant, ...]) -> Constant:
        first, second, mask = operands
        return self.make(
            "expression", t, ("shufflevector", (), shuffle_mask(mask)), (first, second)
        )


def shuffle_mask(mask: Constant) -> tuple[int, ...]:
    """The numbers of a shuffle's mask; -1 for those that do not matter."""
    t = mask.type
    assert isinstance(t, VectorType)
    count = t.get_shape()[0]
    if mask.kind == "zero":
        return (0,) * count
    if mask.kind in ("undef", "poison"):
        return (-1,) * count
    if mask.kind == "data":
        return mask.data
    return tuple(part.data if part.kind == "int" else -1 for part in mask.operands)


def _is_simple(t: Attribute) -> bool:
    """Whether LLVM keeps arrays and vectors of `t` as plain numbers."""
    if isinstance(t, IntegerType):
        return t.width.data in (8, 16, 32, 64)
    return isinstance(t, Float16Type | BFloat16Type | Float32Type | Float64Type)


def float_bits(token: str, t: Attribute) -> int:
    """The bits of a floating-point literal in its own format."""
    if token[:2] != "0x":
        return _packed_bits(float(token), t)
    kind = token[2]
    if kind in "HR":
        return int(token[3:], 16)
    if kind == "K":
        return int(token[3:], 16)
    if kind in "LM":
        # The low word comes first.
        digits = token[3:].rjust(32, "0")
        return int(digits[16:] + digits[:16], 16)
    bits = int(token, 16)
    if isinstance(t, Float64Type):
        return bits
    exponent = bits >> 52 & 0x7FF
    if exponent == 0x7FF:
        # Infinities, and NaNs, whose payload goes through no conversion.
        return bits >> 63 << 31 | 0xFF << 23 | (bits >> 29 & 0x7FFFFF)
    return _packed_bits(struct.unpack("<d", struct.pack("<Q", bits))[0], t)


def _packed_bits(value: float, t: Attribute) -> int:
    if isinstance(t, Float32Type):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if isinstance(t, Float16Type):
        return struct.unpack("<H", struct.pack("<e", value))[0]
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def is_zero_sized(t: Attribute) -> bool:
    """Whether `t` is an array or struct without parts."""
    if isinstance(t, LLVMArrayType):
        return t.size == 0
    return isinstance(t, LLVMStructType) and not t.body
