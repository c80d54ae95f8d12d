# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parts of a module's text share: the module's state, and services for emitters.

`ModuleWriter` (module.py) is this with the ways to write the whole; the writers of functions,
globals and debug information know no more of a module than what stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.facts import LINKAGE, number, prop
from xgpu.backend.llvm_ir.metadata import Metadata, string
from xgpu.backend.llvm_ir.types import Types, symbol
from xgpu.core.ir.errors import Diagnostic, error
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.support.abi import declaration
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects import llvm
from xgpu.dialects.llvm.types import DataLayout

if TYPE_CHECKING:
    from xdsl.ir import Attribute, LocationAttr, Operation, SSAValue

    from xgpu.backend.llvm_ir.parts import Uses, Variable

#: What the names of blocks begin with whose address is taken: LLVM's text needs names for them.
TAGGED = "xgpu.block."

#: Writes one operation, given the writer of its function.
Emitter = Callable[[Any, Any], None]
#: Writes one operation that stands directly in a module.
TopLevel = Callable[["ModuleContext", "Operation"], None]


class Literal(NamedTuple):
    """An integer as an argument of a call."""

    bits: int
    value: int


#: Of a call of an intrinsic: an operand, an integer, or the text of both type and value.
Argument = SSAValue | Literal | str


class DebugInformation(Protocol):
    """Places and scopes as metadata: see debug_info.py."""

    def location(self, location: Attribute | None, scope: str | None) -> str | None: ...

    def subprogram_of(self, op: Operation) -> str | None: ...

    def global_expression(self, attr: Attribute) -> str: ...

    def node(self, attr: Attribute | None) -> str: ...

    def expression(self, attr: Attribute | None) -> str: ...

    def finish(self) -> None: ...


class ModuleContext:
    """What the text of a module is collected in, and what emitters may ask of it."""

    def __init__(
        self,
        op: Operation,
        emitters: Mapping[str, Emitter],
        top_level: Mapping[str, TopLevel],
        debug_info: Callable[[ModuleContext], DebugInformation],
        *,
        data_layout: str | None = None,
        triple: str | None = None,
        nvvm: bool = True,
        uses: Uses,
    ) -> None:
        self.op = op
        #: What the text uses that not every target has.
        self.uses = uses
        #: What gets each operation of a function and what is written for it.
        self.record: Callable[[Operation, str], None] | None = None
        #: Whether instructions have the locations of debug information.
        self.locates = True
        #: Whether instructions say where they come from, debug information or not.
        self.names_places = False
        self.emitters = emitters
        self.top_level = top_level
        self.nvvm = nvvm
        self.types = Types(uses.features)
        root = op
        while (parent := root.parent_op()) is not None:
            root = parent
        self.types.resources = getattr(root, "xgpu_resources", None)
        self.metadata = Metadata()
        self.triple = triple if triple is not None else string_attribute(op, "llvm.target_triple")
        self.data_layout = data_layout
        if data_layout is None:
            from xgpu.backend.llvm_ir.data_layout import data_layout_of

            self.data_layout = data_layout_of(op)
        self.layout = DataLayout(self.data_layout or "")
        #: symbol name -> operation, for what stands directly in the module
        self.symbols: dict[str, Operation] = {}
        self.comdats: list[str] = []
        self.globals: list[str] = []
        #: globals that bodies asked for, which stand behind all others
        self.late_globals: list[str] = []
        self.aliases: list[str] = []
        #: functions with a body, declarations too, in the module's order
        self.functions: list[str] = []
        #: functions of the runtime whose declarations were asked for while translating
        self.declared: dict[str, str] = {}
        #: functions of the runtime that are called here and that the module itself declares
        self.called: set[str] = set()
        #: variables that the module defines and may change
        self.variables: list[Variable] = []
        #: names of variables that another module defines
        self.external: list[str] = []
        #: named metadata -> its operands
        self.named: dict[str, list[str]] = {}
        self.constructors: list[tuple[int, str]] = []
        self.destructors: list[tuple[int, str]] = []
        self.empty_lists: set[str] = set()
        #: the function that is being written
        self.function: str = ""
        self._sizes: dict[str, int | None] = {}
        self._make_debug_info = debug_info
        self._debug_info: DebugInformation | None = None

    # --- services for emitters ---------------------------------------------------------------
    @property
    def debug_info(self) -> DebugInformation:
        if self._debug_info is None:
            self._debug_info = self._make_debug_info(self)
        return self._debug_info

    def location(self, op: Operation, subprogram: str | None) -> str:
        """`, !dbg !n` of an operation in a function with debug information."""
        at = self.debug_info.location(op.location, subprogram)
        return f", !dbg {at}" if at else ""

    def place(self, op: Operation) -> str:
        """`, !xgpu.at !n` of an operation whose file, line and column are known."""
        found = source_location(op.location)
        return f", !xgpu.at {self.metadata.tuple([string(str(found))])}" if found else ""

    def location_node(self, location: LocationAttr, subprogram: str | None) -> str | None:
        return self.debug_info.location(location, subprogram)

    def argument_location(self, argument: SSAValue, subprogram: str | None) -> str:
        if subprogram is None:
            return ""
        at = self.debug_info.location(getattr(argument, "location", None), subprogram)
        return f", !dbg {at}" if at else ""

    def is_intrinsic(self, name: str) -> bool:
        return name.startswith("llvm.")

    def declare_runtime(self, name: str) -> str:
        """Declares a function of the runtime, unless the module does; returns `@name`."""
        if name in self.symbols:
            self.called.add(name)
        elif name not in self.declared:
            self.declared[name] = declaration(name)
            self.functions.append(self.declared[name])
        return f"@{symbol(name)}"

    def dereferenceable(self, text: str) -> int | None:
        """The bytes of the global variable `@name` that can be read for sure; None for what is no
        such variable, or may be absent."""
        if text not in self._sizes:
            size = None
            op = self.symbols.get(text[1:].strip('"')) if text[:1] == "@" else None
            if op is not None and op.name == "llvm.mlir.global":
                kind = prop(op, "global_type")
                if kind is not None and linkage(op) != "extern_weak ":
                    size = self.layout.store_size(kind)
            self._sizes[text] = size
        return self._sizes[text]

    def is_defined(self, op: Operation) -> bool:
        """Whether the global variable `op` gets an initializer here."""
        value = prop(op, "value") is not None or bool(op.regions and op.regions[0].blocks)
        return value or linkage(op) not in ("", "extern_weak ")

    def block_address(self, op: Operation) -> str:
        attr = cast("llvm.BlockaddressAttr", prop(op, "block_addr"))
        function, tag = (
            cast("SymbolRefAttr", attr.function).string_value(),
            number(cast("llvm.BlocktagAttr", attr.tag).id),
        )
        self.uses.features.add("blockaddress")
        return f"blockaddress(@{symbol(function)}, %{TAGGED}{tag})"

    def warn(self, op: Operation, message: str) -> None:
        emit(Diagnostic("warning", message, op.location))

    def missing(self, op: Operation) -> None:
        if op.name == "builtin.unrealized_conversion_cast":
            op = _unconverted(op)
        dialect = op.name.split(".", 1)[0]
        if dialect in ("llvm", "nvvm", "gpu", "builtin"):
            if dialect == "gpu":
                raise error(op, f"unsupported GPU operation: {op.name}")
            raise error(op, f"LLVM Translation failed for operation: {op.name}")
        raise error(
            op,
            "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` "
            f"registration for dialect for op: {op.name}",
        )


def _unconverted(cast: Operation) -> Operation:
    """The operation for whose sake a cast is left: one of no dialect that is translated."""
    used_by = [use.operation for result in cast.results for use in result.uses]
    made_by = [value.owner for value in cast.operands if isinstance(value.owner, Operation)]
    others = [op for op in (*used_by, *made_by) if not op.name.startswith(_TRANSLATED)]
    return others[0] if others else cast


#: Dialects with operations that are translated; casts are ways between them and others.
_TRANSLATED = ("llvm.", "nvvm.", "gpu.", "builtin.")


def string_attribute(op: Operation, name: str) -> str | None:
    attr = attribute_of(op, name)
    return attr.data if isinstance(attr, StringAttr) else None


def linkage(op: Operation) -> str:
    attr = prop(op, "linkage")
    if attr is None:
        return ""
    text = getattr(attr, "data", None)
    if isinstance(text, str):
        return "" if text == "external" else text + " "
    return LINKAGE[number(attr)]
