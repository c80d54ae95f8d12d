# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants and metadata, each read once: equal ones are one object."""

from __future__ import annotations

import struct
from collections.abc import Callable, Container, Sequence
from typing import Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType
from xgpu.frontend.llvm_ir.model import (
    ArgumentList,
    Constant,
    Metadata,
    MetadataConstant,
    MetadataString,
    Node,
    Value,
)
from xgpu.frontend.llvm_ir.source import Cursor, decoded, unescaped, unquoted
from xgpu.frontend.llvm_ir.type_parser import (
    POINTER,
    TypeParser,
    elements_of,
    is_float,
    pointer_result,
)

# --- constant order ------------------------------------------------------------------------------
# In which order constants are imported.
#
# The parts of a constant come before it, in the order in which MLIR's importer visits them: the
# last operand first, each once.


def in_order(
    constant: Constant, known: Container[Constant], make: Callable[..., Constant]
) -> list[Constant]:
    """The constants that `constant` needs and that are not `known`, each behind its parts. `make`
    gives LLVM's constants of some content."""
    if not constant.operands and constant.kind != "zero":
        return [constant]
    ordered: dict[Constant, None] = {}
    # A dictionary for its order: constants that wait for their parts.
    waiting: dict[Constant, list[Constant]] = {constant: _parts(constant, make)}
    while waiting:
        current = next(reversed(waiting))
        parts = waiting[current]
        while parts:
            part = parts.pop()
            if part not in known and part not in waiting and part not in ordered:
                waiting[part] = _parts(part, make)
                break
        else:
            ordered[current] = None
            del waiting[current]
    return list(ordered)


def _parts(constant: Constant, make: Callable[..., Constant]) -> list[Constant]:
    """The constants that have to be there before this one: of an aggregate of zeros, its zeros."""
    if constant.kind == "zero":
        return [_zero_of(t, make) for t in elements_of(constant.type)]
    return list(constant.operands)


def _zero_of(t: Attribute, make: Callable[..., Constant]) -> Constant:
    """LLVM's zero of type `t`."""
    if isinstance(t, IntegerType):
        return make("int", t, 0)
    if is_float(t):
        return make("float", t, 0)
    return make("null" if isinstance(t, LLVMPointerType) else "zero", t)


# --- constant parser -----------------------------------------------------------------------------
# Constants, each read once: equal constants are one object.


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
    """Between functions no reference to a block is open."""


class ConstantParser:
    """Reads constants at a cursor whose type has been read."""

    __slots__ = ("_pool", "block_addresses", "cursor", "mentioned", "types")

    def __init__(self, cursor: Cursor, types: TypeParser) -> None:
        self.cursor = cursor
        self.types = types
        self._pool: dict[tuple[object, ...], Constant] = {}
        #: (function's key, block's key) of each `blockaddress`
        self.block_addresses: set[tuple[str, str]] = set()
        #: called with each as it is read
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


# --- metadata parser -----------------------------------------------------------------------------
# Metadata: numbered nodes, nodes inside a line, strings and constants.


class MetadataParser:
    """Reads metadata at a cursor. A node may be mentioned before its definition, and in it."""

    __slots__ = ("constants", "cursor", "nodes", "strings")

    def __init__(self, cursor: Cursor, constants: ConstantParser) -> None:
        self.cursor = cursor
        self.constants = constants
        self.nodes: dict[int, Node] = {}
        self.strings: dict[str, MetadataString] = {}

    def node(self, token: str) -> Node:
        """The node `!n`."""
        number = int(token[1:])
        found = self.nodes.get(number)
        if found is None:
            found = self.nodes[number] = Node(number)
        return found

    def string(self, token: str) -> MetadataString:
        text = decoded(unquoted(token))
        found = self.strings.get(text)
        if found is None:
            found = self.strings[text] = MetadataString(text)
        return found

    def define(self, token: str) -> None:
        """`!n = ...`, of which the cursor stands behind `=`."""
        node = self.node(token)
        node.token = self.cursor.at - 2
        self._content(node)

    def named(self) -> list[Node]:
        """`!{!0, !1}` behind `!name =`."""
        cursor = self.cursor
        cursor.expect("!")
        cursor.expect("{")
        found: list[Node] = []
        while not cursor.accept("}"):
            metadata = self.read()
            if isinstance(metadata, Node):
                found.append(metadata)
            cursor.accept(",")
        return found

    def attachments(self) -> list[tuple[str, Node]]:
        """`!dbg !3`, as many as stand here, with or without commas before them."""
        cursor = self.cursor
        found: list[tuple[str, Node]] = []
        while True:
            at = cursor.at
            cursor.accept(",")
            token = cursor.peek()
            if token[:1] != "!" or len(token) < 2 or cursor.tokens[cursor.at + 1] == "=":
                cursor.at = at
                return found
            cursor.at += 1
            kind = decoded(unescaped(token[1:]))
            node = self.read()
            if not isinstance(node, Node):
                cursor.fail("expected a metadata node", cursor.at - 1)
            found.append((kind, node))

    def read(self, value: Callable[[], Value] | None = None) -> Metadata | None:
        """Metadata; `value` reads a type and a value where metadata may be one."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        if token == "null":
            cursor.at += 1
            return None
        if token[:1] != "!":
            return MetadataConstant((value or self.constants.typed)())
        cursor.at += 1
        if token[1:].isdigit():
            return self.node(token)
        if token[1:2] == '"':
            return self.string(token)
        cursor.at -= 1
        if token == "!DIArgList":
            cursor.at += 1
            self._skip_parentheses()
            return ArgumentList()
        node = Node()
        node.token = cursor.at
        self._content(node)
        return node

    def _skip_parentheses(self) -> None:
        depth = 0
        while True:
            token = self.cursor.next()
            depth += (token == "(") - (token == ")")
            if not depth or not token:
                return

    def _content(self, node: Node) -> None:
        """`distinct !{...}` or `!DIKind(...)`"""
        cursor = self.cursor
        node.distinct = cursor.accept("distinct")
        token = cursor.next()
        if token == "!":
            cursor.expect("{")
            while not cursor.accept("}"):
                node.operands.append(self.read())
                cursor.accept(",")
            return
        if token[:3] != "!DI" and token != "!GenericDINode":
            cursor.fail("expected metadata", cursor.at - 1)
        node.kind = token[1:]
        cursor.expect("(")
        if node.kind == "DIExpression":
            node.fields["elements"] = self._elements()
            return
        while not cursor.accept(")"):
            name = cursor.next()
            if name[-1:] != ":":
                cursor.fail("expected a field", cursor.at - 1)
            node.fields[name[:-1]] = self._field()
            cursor.accept(",")

    def _elements(self) -> list[int | str]:
        """The numbers and keywords of a DWARF expression."""
        cursor = self.cursor
        found: list[int | str] = []
        while not cursor.accept(")"):
            token = cursor.next()
            found.append(int(token) if token.isdigit() else token)
            cursor.accept(",")
        return found

    def _field(self) -> Any:
        """Metadata, a number, a string, `true`, or keywords with bars between them."""
        cursor = self.cursor
        token = cursor.peek()
        if token[:1] == "!" or token == "null":
            return self.read()
        if token[:1] == '"':
            return decoded(cursor.string())
        if token[:1].isdigit() or (token[:1] == "-" and token[1:].isdigit()):
            cursor.at += 1
            return int(token, 0)
        if token in ("true", "false"):
            cursor.at += 1
            return token == "true"
        if token == "{":
            return self._listed()
        if self.constants.types.starts():
            return MetadataConstant(self.constants.typed())
        words = [cursor.next()]
        while cursor.accept("|"):
            words.append(cursor.next())
        return words

    def _listed(self) -> list[Metadata | None]:
        """`{!0, !1}`, the operands of a generic node."""
        cursor = self.cursor
        cursor.expect("{")
        found: list[Metadata | None] = []
        while not cursor.accept("}"):
            found.append(self.read())
            cursor.accept(",")
        return found
