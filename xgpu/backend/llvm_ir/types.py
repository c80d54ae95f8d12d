# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR types as LLVM IR text."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerType,
    NoneType,
    VectorType,
)
from xdsl.ir import Attribute

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ods.predicates import is_llvm_pointer
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMVoidType,
)

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import StructAttr

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


def _space_number(t: Attribute) -> int:
    """The address space of a `!ptr.ptr`."""
    if not is_llvm_pointer(t):
        raise DiagnosticError(Diagnostic("error", f"no LLVM IR type corresponds to {t}"))
    space = cast("StructAttr", t).data[0]
    return space.data[0] if isinstance(space.data, tuple) else space.value


def quoted(name: str | bytes) -> str:
    """A string constant's content, as it stands between quotes in LLVM IR."""
    raw = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
    return _ESCAPED.sub(_escape, raw.decode("latin-1"))


def _escape(match: re.Match[str]) -> str:
    return f"\\{ord(match[0]):02X}"


#: The bytes that are written as numbers, in a text that has a character for each byte.
_ESCAPED = re.compile(r'[\x00-\x1f\x7f-\xff"\\]')


def symbol(name: str) -> str:
    """The name of a symbol, quoted where LLVM asks for it."""
    if name and not name[0].isdigit() and _PLAIN_NAME.issuperset(name):
        return name
    return f'"{quoted(name)}"'


#: The widest integer that every target computes with.
_WIDEST = 64
_RARE_FLOATS = frozenset(("x86_fp80", "fp128", "ppc_fp128", "x86_amx"))


class Types:
    """Texts of types; remembers the identified structs that it met, in the order of meeting, and
    in `features` what not every target has."""

    __slots__ = ("cache", "features", "resources", "structs")

    def __init__(self, features: set[str] | None = None) -> None:
        self.features = set[str]() if features is None else features
        self.cache: dict[Attribute, str] = {}
        #: `%name` -> its body's text, "opaque" until a body is seen
        self.structs: dict[str, str] = {}
        #: the blobs of the text's `{-# ... #-}`, which `dense_resource` names
        self.resources: dict[str, dict[str, dict[str, str]]] | None = None

    def __call__(self, t: Attribute) -> str:
        text = self.cache.get(t)
        if text is None:
            text = self.cache[t] = self._make(t)
            if text in _RARE_FLOATS:
                self.features.add(text)
        return text

    def _make(self, t: Attribute) -> str:
        if isinstance(t, IntegerType):
            if t.width.data > _WIDEST:
                self.features.add("wide integer")
            return f"i{t.width.data}"
        if (fixed := _FIXED.get(type(t))) is not None:
            return fixed
        if isinstance(t, LLVMPointerType):
            return f"ptr addrspace({t.data})" if t.data else "ptr"
        if isinstance(t, VectorType):
            shape = t.get_shape()
            if len(shape) == 1:
                scalable = any(s.value.data for s in t.scalable_dims)
                if scalable:
                    self.features.add("vscale")
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
