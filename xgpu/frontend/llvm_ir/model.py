# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module of LLVM IR in memory, as its text says it: what the parser makes and the importer
reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Attribute

# --- model ---------------------------------------------------------------------------------------
# A module of LLVM IR in memory, as its text says it: what the parser makes and the importer reads.
#
# Types are already those of MLIR, which has one for each of LLVM's. Constants and metadata nodes
# are shared as LLVM shares them, since the order in which they are imported depends on it: one
# object is one constant.


class Value:
    """Anything that has a type and can be an operand."""

    __slots__ = ("type",)
    type: Attribute


class Argument(Value):
    """An argument of a function."""

    __slots__ = ("attributes", "key")

    def __init__(self, type: Attribute, attributes: Attributes, key: str) -> None:
        self.type = type
        self.attributes = attributes
        self.key = key


class Instruction(Value):
    """An instruction. What is peculiar to its kind stands in `extra`.

    `flags` are the keywords behind its name, `token` is where it begins in the text.
    """

    __slots__ = ("block", "debug", "extra", "flags", "metadata", "opcode", "operands", "token")

    def __init__(self) -> None:
        self.opcode = ""
        self.operands: list[Value] = []
        self.flags: list[str] = []
        self.extra: dict[str, Any] = {}
        #: kind -> node
        self.metadata: dict[str, Node] = {}
        #: the debug records that stand before it
        self.debug: list[DebugRecord] = []
        self.block: Block | None = None
        self.token = -1


class Block(Value):
    """A basic block. `number` counts blocks in the order in which LLVM's parser meets them."""

    __slots__ = ("address_taken", "instructions", "key", "number")

    def __init__(self, key: str, number: int) -> None:
        self.key = key
        self.number = number
        self.instructions: list[Instruction] = []
        self.address_taken = False

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> list[Block]:
        if not self.instructions:
            return []
        return self.instructions[-1].extra.get("successors", [])


class InlineAssembly(Value):
    """The callee of a call of assembly."""

    __slots__ = ("constraints", "flags", "text")

    def __init__(self, text: str, constraints: str, flags: list[str]) -> None:
        self.text = text
        self.constraints = constraints
        self.flags = flags


class MetadataValue(Value):
    """Metadata where a call's argument stands."""

    __slots__ = ("metadata",)

    def __init__(self, type: Attribute, metadata: Metadata) -> None:
        self.type = type
        self.metadata = metadata


# --- constants -----------------------------------------------------------------------------------
class Constant(Value):
    """A constant. `kind` is one of

    * "int" (`data` the number), "float" (`data` its bits, or a float), "null", "none", "undef",
      "poison", "zero" (an aggregate or target type without data), "string" (`data` the bytes)
    * "data": an array or vector of plain numbers (`data` the numbers, `operands` empty)
    * "aggregate": an array, vector or struct of any constants
    * "expression": `data` is the opcode, its flags and what it needs besides operands
    * "global": `data` is the global object
    * "blockaddress" (`data` the function's name and the block), "dso_local_equivalent", "no_cfi",
      "ptrauth"
    """

    __slots__ = ("data", "kind", "operands")

    def __init__(
        self, kind: str, type: Attribute, data: Any = None, operands: tuple[Constant, ...] = ()
    ) -> None:
        self.kind = kind
        self.type = type
        self.data = data
        self.operands = operands


class Attributes:
    """A set of attributes, in LLVM's order: known ones by name, then strings."""

    __slots__ = ("groups", "known", "strings")

    def __init__(self) -> None:
        #: name -> True, a number, a type, or text
        self.known: dict[str, object] = {}
        self.strings: dict[str, str] = {}
        self.groups: list[Attributes] = []

    def __bool__(self) -> bool:
        return bool(self.known or self.strings or any(self.groups))

    def merged(self) -> Attributes:
        """The same set with what its groups hold."""
        if not self.groups:
            return self
        whole = Attributes()
        for part in (*(group.merged() for group in self.groups), self):
            whole.known.update(part.known)
            whole.strings.update(part.strings)
        return whole


# --- global objects ------------------------------------------------------------------------------
class GlobalObject:
    """A global variable, function, alias or ifunc. `name` is "" for one that has only a number."""

    __slots__ = (
        "address_space",
        "attributes",
        "comdat",
        "dso_local",
        "key",
        "linkage",
        "metadata",
        "name",
        "properties",
        "thread_local",
        "token",
        "type",
        "unnamed_addr",
        "visibility",
    )

    def __init__(self, key: str, name: str) -> None:
        self.key = key
        self.name = name
        self.token = -1
        self.type: Any = None
        self.linkage = "external"
        self.visibility = ""
        self.dso_local = False
        self.unnamed_addr = ""
        self.thread_local = False
        self.address_space = 0
        self.comdat: str | None = None
        self.attributes = Attributes()
        self.metadata: list[tuple[str, Node]] = []
        #: section, align, gc, personality, ...
        self.properties: dict[str, Any] = {}

    @property
    def is_dso_local(self) -> bool:
        """Whether it is, by its keyword or because its linkage and visibility say so."""
        if self.dso_local or self.linkage in ("internal", "private"):
            return True
        return self.visibility != "" and self.linkage != "extern_weak"


class GlobalVariable(GlobalObject):
    __slots__ = ("externally_initialized", "initializer", "is_constant")

    def __init__(self, key: str, name: str) -> None:
        super().__init__(key, name)
        self.is_constant = False
        self.externally_initialized = False
        self.initializer: Constant | None = None


class Alias(GlobalObject):
    """An alias, or with `is_ifunc` an ifunc; `target` is the aliasee or the resolver."""

    __slots__ = ("is_ifunc", "target")

    def __init__(self, key: str, name: str, is_ifunc: bool) -> None:
        super().__init__(key, name)
        self.is_ifunc = is_ifunc
        self.target: Constant | None = None


class Function(GlobalObject):
    __slots__ = ("arguments", "blocks", "convention", "result_attributes")

    def __init__(self, key: str, name: str) -> None:
        super().__init__(key, name)
        self.convention = "ccc"
        self.result_attributes = Attributes()
        self.arguments: list[Argument] = []
        self.blocks: list[Block] = []

    @property
    def is_intrinsic(self) -> bool:
        return self.name.startswith("llvm.")


# --- metadata ------------------------------------------------------------------------------------
class Metadata:
    __slots__ = ()


class MetadataString(Metadata):
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class MetadataConstant(Metadata):
    """A value where metadata stands."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class ArgumentList(Metadata):
    """`!DIArgList(...)`"""

    __slots__ = ()


class Node(Metadata):
    """`!{...}` with operands, or `!DIKind(...)` with fields. `number` is -1 for one inside a line.

    A field's value is metadata, a number, text, a list of keywords, or a boolean.
    """

    __slots__ = ("distinct", "fields", "kind", "number", "operands", "token")

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self.kind = ""
        self.distinct = False
        self.operands: list[Metadata | None] = []
        self.fields: dict[str, Any] = {}
        self.token = -1

    def string(self, place: int) -> str | None:
        """The string that the operand at `place` is, or None."""
        if place < len(self.operands):
            operand = self.operands[place]
            if isinstance(operand, MetadataString):
                return operand.text
        return None

    def constant(self, place: int) -> Constant | None:
        """The constant that the operand at `place` is, or None."""
        if place < len(self.operands):
            operand = self.operands[place]
            if isinstance(operand, MetadataConstant) and isinstance(operand.value, Constant):
                return operand.value
        return None

    def integer(self, place: int) -> int | None:
        """The number that the operand at `place` is, or None."""
        found = self.constant(place)
        return found.data if found is not None and found.kind == "int" else None


class DebugRecord:
    """`#dbg_value(...)` and its kin."""

    __slots__ = ("kind", "operands", "token")

    def __init__(self, kind: str, operands: Sequence[object], token: int) -> None:
        self.kind = kind
        #: as written: values and metadata, of which the last is the location
        self.operands = operands
        self.token = token


class Module:
    """A whole module. Everything stands in the order of the text."""

    def __init__(self) -> None:
        self.source_filename = ""
        self.data_layout = ""
        self.triple = ""
        self.assembly: list[str] = []
        self.comdats: dict[str, str] = {}
        self.variables: list[GlobalVariable] = []
        self.functions: list[Function] = []
        self.aliases: list[Alias] = []
        self.named_metadata: dict[str, list[Node]] = {}
        #: symbol's name -> object
        self.symbols: dict[str, GlobalObject] = {}
        #: function's key -> its blocks by their keys
        self.blocks: dict[str, dict[str, Block]] = {}
        #: gives the constant of a kind, type, data and operands
        self.make_constant: Callable[..., Constant] = Constant


# --- conventions ---------------------------------------------------------------------------------
# Keywords of LLVM IR that MLIR spells otherwise, and those that MLIR has no words for.


#: LLVM's calling conventions whose name in MLIR is another one.
_RENAMED = {
    "ghccc": "cc_10",
    "cc11": "cc_11",
    "ptx_kernel": "ptx_kernelcc",
    "ptx_device": "ptx_devicecc",
    "spir_func": "spir_funccc",
    "spir_kernel": "spir_kernelcc",
    "cc86": "avr_builtincc",
    "amdgpu_vs": "amdgpu_vscc",
    "amdgpu_gs": "amdgpu_gscc",
    "amdgpu_ps": "amdgpu_pscc",
    "amdgpu_cs": "amdgpu_cscc",
    "amdgpu_kernel": "amdgpu_kernelcc",
    "amdgpu_hs": "amdgpu_hscc",
    "amdgpu_ls": "amdgpu_lscc",
    "amdgpu_es": "amdgpu_escc",
    "amdgpu_gfx": "amdgpu_gfxcc",
    "cc94": "msp430_builtincc",
    "aarch64_vector_pcs": "aarch64_vectorcallcc",
    "aarch64_sve_vector_pcs": "aarch64_sve_vectorcallcc",
    "cc99": "wasm_emscripten_invokecc",
    "cc101": "m68k_intrcc",
}
_CONVENTION = re.compile(
    r"cc\d+|\w+cc|(?:ptx|spir|amdgpu)_(?!kernel$)\w+|\w+_kernel"
    r"|aarch64_\w+|riscv_\w+|arm64ec_\w+|cheriot_\w+"
)

LINKAGES_WORDS = """
private internal available_externally linkonce linkonce_odr weak weak_odr common appending
extern_weak external
"""
LINKAGES = frozenset(LINKAGES_WORDS.split())
VISIBILITIES = frozenset(("default", "hidden", "protected"))
FAST_MATH = frozenset(("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"))
ORDERINGS = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"))


def is_convention(token: str) -> bool:
    """Whether a word where a calling convention may stand is one."""
    return _CONVENTION.fullmatch(token) is not None


def convention(token: str) -> str | None:
    """MLIR's name of a calling convention, None if it has none."""
    from xgpu.dialects.llvm.attributes import CConvAttr

    name = _RENAMED.get(token, token)
    return name if name in CConvAttr.cases else None
