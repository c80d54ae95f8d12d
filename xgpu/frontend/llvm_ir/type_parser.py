# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's types, read as MLIR's.

With opaque pointers no type contains itself, so a named struct is read when it is first mentioned,
wherever the text defines it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
)

from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
    LLVMX86AMXType,
)
from xgpu.frontend.llvm_ir.lexer import Cursor, decoded, name_of, unquoted

if TYPE_CHECKING:
    from xdsl.ir import Attribute

POINTER = LLVMPointerType()
VOID = LLVMVoidType()
LABEL = LLVMLabelType()
METADATA = LLVMMetadataType()

_PLAIN: dict[str, type[Attribute]] = {
    "half": Float16Type,
    "bfloat": BFloat16Type,
    "float": Float32Type,
    "double": Float64Type,
    "x86_fp80": Float80Type,
    "fp128": Float128Type,
    "ppc_fp128": LLVMPPCFP128Type,
    "x86_amx": LLVMX86AMXType,
    "token": LLVMTokenType,
}
_SCALABLE = ArrayAttr((IntegerAttr(1, i1),))


class TypeParser:
    """Reads types at a cursor; `literal_structs` forgets the names of structs."""

    __slots__ = (
        "_composites",
        "_known",
        "_named",
        "_places",
        "_unnamed",
        "cursor",
        "literal_structs",
    )

    def __init__(self, cursor: Cursor, *, literal_structs: bool = False) -> None:
        self.cursor = cursor
        self.literal_structs = literal_structs
        self._known: dict[str, Attribute] = {
            "ptr": POINTER,
            "void": VOID,
            "label": LABEL,
            "metadata": METADATA,
        }
        self._named: dict[str, Attribute] = {}
        self._unnamed = 0
        #: what a type is spelled like -> the type
        self._composites: dict[tuple[str, ...], Attribute] = {}
        #: named struct -> the token behind `type` in its definition
        self._places: dict[str, int] = {}

    def define(self, name: str) -> None:
        """`%name = type ...`, of which the cursor stands behind `type`. Skips the body."""
        cursor = self.cursor
        self._places[name] = cursor.at
        if cursor.accept("opaque"):
            return
        depth = 0
        while True:
            token = cursor.next()
            if token in ("{", "[", "<", "("):
                depth += 1
            elif token in ("}", "]", ">", ")"):
                depth -= 1
            elif not token:
                cursor.fail("expected the end of the struct's type", cursor.at - 1)
            if not depth:
                return

    def starts(self) -> bool:
        """Whether a type stands here, and no value or keyword."""
        token = self.cursor.peek()
        return (
            token in self._known
            or token in _PLAIN
            or token in ("{", "[", "<", "target")
            or (token[:1] == "i" and token[1:].isdigit())
            or token in self._places
        )

    def read(self) -> Attribute:
        """A type that is no function type."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        found = self._known.get(token)
        if found is None:
            return self._read(token)
        cursor.at += 1
        if found is POINTER and cursor.tokens[cursor.at] == "addrspace":
            return LLVMPointerType(self.address_space())
        return found

    def address_space(self) -> int:
        """`addrspace(n)`, or 0 if it is not there."""
        cursor = self.cursor
        if not cursor.accept("addrspace"):
            return 0
        cursor.expect("(")
        number = cursor.integer()
        cursor.expect(")")
        return number

    def function(self, result: Attribute) -> LLVMFunctionType:
        """A function type whose result has been read."""
        cursor = self.cursor
        arguments: list[Attribute] = []
        variadic = False
        cursor.expect("(")
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
                continue
            arguments.append(self.read())
            cursor.accept(",")
        return LLVMFunctionType(arguments, result, variadic=variadic)

    def _read(self, token: str) -> Attribute:
        cursor = self.cursor
        plain = _PLAIN.get(token)
        if plain is not None:
            cursor.at += 1
            found = self._known[token] = plain()
            return found
        if token[:1] == "i" and token[1:].isdigit():
            cursor.at += 1
            found = self._known[token] = IntegerType(int(token[1:]))
            return found
        if token in self._places:
            cursor.at += 1
            return self._struct(token)
        if token in _COMPOSITE:
            return self._composite(token)
        if token == "target":
            return self._target()
        cursor.fail("expected a type")

    def _composite(self, token: str) -> Attribute:
        """An array, vector or struct. Types repeat, and making one takes longer than finding it."""
        cursor = self.cursor
        start = cursor.at
        depth = 0
        for end in range(start, len(cursor.tokens)):
            text = cursor.tokens[end]
            if text in ("{", "[", "<"):
                depth += 1
            elif text in ("}", "]", ">"):
                depth -= 1
                if not depth:
                    break
        else:
            cursor.fail("expected the end of a type")
        as_text = tuple(cursor.tokens[start : end + 1])
        found = self._composites.get(as_text)
        if found is None:
            found = self._composites[as_text] = _COMPOSITE[token](self)
        cursor.at = end + 1
        return found

    def _literal(self) -> Attribute:
        return LLVMStructType(self._body())

    def _struct(self, name: str) -> Attribute:
        """The named struct, read at its definition when first mentioned."""
        found = self._named.get(name)
        if found is not None:
            return found
        cursor = self.cursor
        back = cursor.at
        cursor.at = self._places[name]
        if cursor.accept("opaque"):
            found = LLVMStructType(None, struct_name=name_of(name))
            if self.literal_structs:
                found = LLVMStructType(())
        else:
            packed = cursor.accept("<")
            body = self._body()
            found = LLVMStructType(body, struct_name=self._name(name), packed=packed)
        cursor.at = back
        self._named[name] = found
        return found

    def _name(self, name: str) -> str | None:
        """What MLIR calls a named struct. Those that have only a number in LLVM have no name there,
        and get one by their order here."""
        if self.literal_structs:
            return None
        if not name[1:].isdigit():
            return name_of(name)
        self._unnamed += 1
        return "" if self._unnamed == 1 else f".{self._unnamed - 1}"

    def _body(self) -> list[Attribute]:
        cursor = self.cursor
        body: list[Attribute] = []
        cursor.expect("{")
        while not cursor.accept("}"):
            body.append(self.read())
            cursor.accept(",")
        return body

    def _array(self) -> Attribute:
        cursor = self.cursor
        cursor.expect("[")
        size = cursor.integer()
        cursor.expect("x")
        element = self.read()
        cursor.expect("]")
        return LLVMArrayType(size, element)

    def _vector_or_packed(self) -> Attribute:
        cursor = self.cursor
        cursor.expect("<")
        if cursor.peek() == "{":
            body = self._body()
            cursor.expect(">")
            return LLVMStructType(body, packed=True)
        scalable = cursor.accept("vscale")
        if scalable:
            cursor.expect("x")
        size = cursor.integer()
        cursor.expect("x")
        element = self.read()
        cursor.expect(">")
        if scalable:
            return VectorType(element, (size,), _SCALABLE)
        return VectorType(element, (size,))

    def _target(self) -> Attribute:
        cursor = self.cursor
        cursor.expect("target")
        cursor.expect("(")
        name = decoded(unquoted(cursor.next()))
        types: list[Attribute] = []
        numbers: list[int] = []
        while cursor.accept(","):
            if cursor.peek().isdigit():
                numbers.append(cursor.integer())
            else:
                types.append(self.read())
        cursor.expect(")")
        return LLVMTargetExtType(name, types, numbers)


_COMPOSITE: dict[str, Callable[[TypeParser], Attribute]] = {
    "[": TypeParser._array,  # pyright: ignore[reportPrivateUsage]
    "<": TypeParser._vector_or_packed,  # pyright: ignore[reportPrivateUsage]
    "{": TypeParser._literal,  # pyright: ignore[reportPrivateUsage]
}


def is_float(t: Attribute) -> bool:
    """Whether `t` is a floating-point type."""
    return isinstance(
        t,
        Float32Type
        | Float64Type
        | Float16Type
        | BFloat16Type
        | Float80Type
        | Float128Type
        | LLVMPPCFP128Type,
    )


def pointer_result(types: list[Attribute]) -> Attribute:
    """The type of getelementptr of a base and indices: a vector if one of them is."""
    base = types[0]
    if isinstance(base, VectorType):
        return base
    for t in types[1:]:
        if isinstance(t, VectorType):
            return VectorType(base, t.shape.data, t.scalable_dims)
    return base


def elements_of(t: Attribute) -> list[Attribute]:
    """The types of the parts of an aggregate; of an array or vector, of which all are equal, one
    entry (none for no elements)."""
    if isinstance(t, LLVMStructType):
        return list(t.body)
    if isinstance(t, LLVMArrayType):
        return [t.element_type] if t.size else []
    if isinstance(t, VectorType):
        return [t.element_type]
    return []
