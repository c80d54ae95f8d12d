# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR types as LLVM IR text, and the data layout that constant folding needs."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IndexType,
    IntegerType,
    NoneType,
    VectorType,
)

from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMVoidType,
)
from xgpu.ir.errors import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from xdsl.ir import Attribute

_PLAIN_NAME = frozenset(string.ascii_letters + string.digits + "-$._")

_FIXED: dict[type, str] = {
    Float16Type: "half",
    BFloat16Type: "bfloat",
    Float32Type: "float",
    Float64Type: "double",
    Float80Type: "x86_fp80",
    Float128Type: "fp128",
    LLVMVoidType: "void",
    NoneType: "void",
}

_BY_NAME = {
    "llvm.token": "token",
    "llvm.label": "label",
    "llvm.metadata": "metadata",
    "llvm.x86_amx": "x86_amx",
    "llvm.ppc_fp128": "ppc_fp128",
}

#: Bytes of each floating-point type.
FLOAT_BYTES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}


def _space_number(t: Any) -> int:
    """The address space of a `!ptr.ptr`."""
    from xgpu.ods.type_predicates import is_llvm_pointer

    if not is_llvm_pointer(t):
        raise DiagnosticError(Diagnostic("error", f"no LLVM IR type corresponds to {t}"))
    space = t.data[0]
    return space.data[0] if isinstance(space.data, tuple) else space.value


def quoted(name: str | bytes) -> str:
    """A string constant's content, as it stands between quotes in LLVM IR."""
    raw = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
    if raw.isascii() and not _SPECIAL.search(raw):
        return raw.decode("ascii")
    return "".join(_ESCAPED[b] for b in raw)


_SPECIAL = re.compile(rb'[\x00-\x1f\x7f"\\]')
_ESCAPED = [chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in range(256)]


def symbol(name: str) -> str:
    """The name of a symbol, quoted where LLVM asks for it."""
    if name and not name[0].isdigit() and _PLAIN_NAME.issuperset(name):
        return name
    return f'"{quoted(name)}"'


class Types:
    """Texts of types; remembers the identified structs that it met, in the order of meeting."""

    __slots__ = ("cache", "resources", "structs")

    def __init__(self) -> None:
        self.cache: dict[Attribute, str] = {}
        #: `%name` -> its body's text, "opaque" until a body is seen
        self.structs: dict[str, str] = {}
        #: the blobs of the text's `{-# ... #-}`, which `dense_resource` names
        self.resources: dict[str, Any] | None = None

    def __call__(self, t: Attribute) -> str:
        text = self.cache.get(t)
        if text is None:
            text = self.cache[t] = self._make(t)
        return text

    def _make(self, t: Attribute) -> str:
        if isinstance(t, IntegerType):
            return f"i{t.width.data}"
        if (fixed := _FIXED.get(type(t))) is not None:
            return fixed
        if isinstance(t, LLVMPointerType):
            return f"ptr addrspace({t.data})" if t.data else "ptr"
        if isinstance(t, VectorType):
            shape = t.get_shape()
            if len(shape) == 1:
                scalable = any(s.value.data for s in t.scalable_dims)
                return f"<{'vscale x ' if scalable else ''}{shape[0]} x {self(t.element_type)}>"
        if isinstance(t, LLVMArrayType):
            return f"[{t.size} x {self(t.element_type)}]"
        if isinstance(t, LLVMStructType):
            return self._struct(t)
        if isinstance(t, LLVMFunctionType):
            arguments = [self(a) for a in t.arguments]
            if t.variadic:
                arguments.append("...")
            return f"{self(t.result)} ({', '.join(arguments)})"
        if isinstance(t, LLVMTargetExtType):
            parts = [f'"{quoted(t.extension)}"', *map(self, t.type_params), *map(str, t.int_params)]
            return f"target({', '.join(parts)})"
        if (fixed := _BY_NAME.get(t.name)) is not None:
            return fixed
        if t.name == "ptr.ptr":
            return self(LLVMPointerType(_space_number(t)))
        raise DiagnosticError(Diagnostic("error", f"no LLVM IR type corresponds to {t}"))

    def _struct(self, t: LLVMStructType) -> str:
        name = None
        if t.struct_name is not None:
            name = f"%{symbol(t.struct_name)}"
            if t.is_opaque:
                self.structs.setdefault(name, "opaque")
                return name
            if self.structs.get(name, "opaque") != "opaque":
                return name
            self.structs[name] = "opaque"
            self.cache[t] = name
        body = ", ".join(map(self, t.body))
        body = f"{{ {body} }}" if body else "{}"
        if t.packed:
            body = f"<{body}>"
        if name is None:
            return body
        self.structs[name] = body
        return name


class DataLayout:
    """Sizes and alignments in bytes, from LLVM's data layout text.

    Only what the folding of constant addresses needs: LLVM itself does the rest.
    """

    __slots__ = ("floats", "ints", "pointers", "vectors")

    def __init__(self, text: str = "") -> None:
        # LLVM's defaults, in bits: width -> ABI alignment.
        self.ints = {1: 8, 8: 8, 16: 16, 32: 32, 64: 32}
        self.floats = {16: 16, 32: 32, 64: 64, 128: 128}
        self.vectors = {64: 64, 128: 128}
        #: address space -> (size, ABI alignment, index width)
        self.pointers = {0: (64, 64, 64)}
        for item in text.split("-"):
            head, _, rest = item.partition(":")
            numbers = [int(n) for n in rest.split(":") if n.isdigit()]
            if head[:1] in ("i", "f", "v") and head[1:].isdigit() and numbers:
                table = {"i": self.ints, "f": self.floats, "v": self.vectors}[head[0]]
                table[int(head[1:])] = numbers[0]
            elif head[:1] == "p" and (head[1:].isdigit() or len(head) == 1) and len(numbers) >= 1:
                space = int(head[1:] or 0)
                size = numbers[0]
                abi = numbers[1] if len(numbers) > 1 else size
                index = numbers[3] if len(numbers) > 3 else size
                self.pointers[space] = (size, abi, index)

    def index_width(self, space: int) -> int:
        return self.pointers.get(space, self.pointers[0])[2]

    def align(self, t: Attribute) -> int:
        """The ABI alignment of `t`."""
        if isinstance(t, (IntegerType, IndexType)):
            width = t.width.data if isinstance(t, IntegerType) else 64
            at_least = [w for w in self.ints if w >= width]
            return self.ints[min(at_least) if at_least else max(self.ints)] // 8
        if isinstance(t, LLVMPointerType):
            return self.pointers.get(t.data, self.pointers[0])[1] // 8
        if isinstance(t, LLVMArrayType):
            return self.align(t.element_type)
        if isinstance(t, LLVMStructType):
            return 1 if t.packed else max((self.align(e) for e in t.body), default=1)
        if isinstance(t, VectorType):
            bits = self.bits(t)
            if bits in self.vectors:
                return self.vectors[bits] // 8
            size = (bits + 7) // 8
            return 1 << (size - 1).bit_length() if size else 1
        bits = self.bits(t)
        return self.floats.get(bits, bits) // 8

    def bits(self, t: Attribute) -> int:
        """The size of `t` in bits, without the padding behind it."""
        if isinstance(t, IntegerType):
            return t.width.data
        if isinstance(t, LLVMPointerType):
            return self.pointers.get(t.data, self.pointers[0])[0]
        if isinstance(t, LLVMArrayType):
            return 8 * t.size * self.size(t.element_type)
        if isinstance(t, LLVMStructType):
            return 8 * self.offsets(t)[-1]
        if isinstance(t, VectorType):
            count = 1
            for n in t.get_shape():
                count *= n
            return count * self.bits(t.element_type)
        if isinstance(t, Float80Type):
            return 80
        text = _FIXED.get(type(t))
        if text in FLOAT_BYTES:
            return 8 * FLOAT_BYTES[text]
        raise DiagnosticError(Diagnostic("error", f"the size of {t} is not known"))

    def size(self, t: Attribute) -> int:
        """The bytes from one element of an array of `t` to the next."""
        align = self.align(t)
        return ((self.bits(t) + 7) // 8 + align - 1) // align * align

    def offsets(self, t: LLVMStructType) -> list[int]:
        """The offset of each field, and last the size of the whole."""
        at, found = 0, []
        for field in t.body:
            align = 1 if t.packed else self.align(field)
            at = (at + align - 1) // align * align
            found.append(at)
            at += self.size(field)
        align = self.align(t)
        return [*found, (at + align - 1) // align * align]
