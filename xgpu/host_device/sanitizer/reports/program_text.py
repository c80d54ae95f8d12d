# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program's text calls things: operations, buffers, and elements of buffers.

A report knows a location and an address. Lowering leaves neither the operation that was written nor
the names of values. So the text is read once more, but only when there is something to report: runs
without a mistake pay nothing, and nothing has to be carried through the passes.

    memref.store %v, %s[%i, %j] : memref<8x8xf32, 3>    at offset 36 of the buffer
    ->  memref.store, %s[1, 1]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import FunctionType, IndexType, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.analysis.memory import is_view, is_workgroup
from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.locations import SourceLoc, source_location
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.support.literals import literal_of
from xgpu.dialects.llvm.types import DataLayout, LLVMArrayType
from xgpu.dialects.memref_layout import strides_and_offset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Attribute

    from xgpu.dialects.llvm.types import LLVMFunctionType
    from xgpu.host_device.sanitizer.instrument.calls import Site

#: What the names of texts begin with that were given none.
UNNAMED = ("-:", "<text ")
_LAYOUT = DataLayout()
#: Besides views, what makes the address of the same memory from its one operand.
_CONVERSIONS = frozenset({
    "memref.extract_aligned_pointer_as_index", "arith.index_cast", "arith.index_castui",
    "llvm.inttoptr", "llvm.ptrtoint", "llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast",
    "builtin.unrealized_conversion_cast",
})  # fmt: skip
_GLOBALS = {"memref.get_global": "name", "llvm.mlir.addressof": "global_name"}
_VARIABLES = ("llvm.mlir.global", "memref.global")
_MBARRIERS = "nvgpu.mbarrier.group"
_MBARRIER_BYTES = 8


class ProgramTexts:
    """The texts of what runs, by the names of their files; others are read from disk."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        #: May be changed from outside: a text counts as it is when a report first needs it.
        self.texts: Mapping[str, str] = {} if texts is None else texts
        self._read: dict[str, tuple[str | None, dict[tuple[int, int], Operation]]] = {}

    def operation(self, file: str, line: int, column: int) -> Operation | None:
        """The operation that the text has at a location, None where that is not known."""
        return self._operations(file).get((line, column)) if file else None

    def result(self, location: str | None) -> str:
        """The name of what the operation at `file:line:column` makes, empty if not known."""
        if not location or location.count(":") < 2:
            return ""
        file, line, column = location.rsplit(":", 2)
        op = self.operation(file, int(line), int(column))
        return value_name(op.results[0]) if op is not None and op.results else ""

    def operation_at(self, site: Site) -> Operation | None:
        """The operation at a site."""
        return self.operation(site.file, site.line, site.column)

    def shown(self, location: str | None) -> str:
        """`file:line:column` as reports have it: a text without a name by the Python file in which
        it is a literal."""
        if not location or not location.startswith(UNNAMED):
            return location or ""
        file, line, column = location.rsplit(":", 2)
        text = self.texts.get(file)
        literal = None if text is None else literal_of(text)
        if literal is None:
            return location
        return "{}:{}:{}".format(*literal.place(int(line), int(column)))

    def name(self, site: Site) -> str:
        """What the text calls the operation at a site: what was lowered to instructions of PTX by
        the name of the operation, what was written as instructions by theirs."""
        op = self.operation_at(site)
        if op is None or op.name == "llvm.inline_asm" or op.name.startswith("builtin."):
            return site.name
        return op.name

    def _operations(self, file: str) -> dict[tuple[int, int], Operation]:
        text = self.texts.get(file)
        found = self._read.get(file)
        if found is None or (text is not None and found[0] != text):
            found = self._read[file] = text, _operations_of(file, text)
        return found[1]


def _operations_of(file: str, text: str | None) -> dict[tuple[int, int], Operation]:
    """The operations of a text by line and column; none where it is not ours to read."""
    from xgpu.core.syntax import parse_module

    if text is None:
        try:
            with open(file, encoding="utf-8", errors="surrogateescape") as opened:
                text = opened.read()
        except OSError:
            return {}
    try:
        module = parse_module(text, file, allow_unregistered=True)
    except DiagnosticError:
        return {}
    found: dict[tuple[int, int], Operation] = {}
    for op in module.walk():
        where = source_location(op.location)
        if where is not None and where.file == file:
            found.setdefault((where.line, where.column), op)
    return found


# -- buffers


class Elements(NamedTuple):
    """How the elements of a buffer lie: bytes of one, strides and offset in elements."""

    size: int
    strides: list[int]
    offset: int


class Buffer:
    """Memory that an operation of the text uses. `name` is what the text calls it; `elements` is
    None where the text does not tell how they lie; `argument` is the number of the kernel's
    argument that it is, or None; `symbol` what lowered IR calls it, empty if it has no name there.
    """

    __slots__ = ("argument", "elements", "name", "symbol")

    def __init__(
        self, name: str, elements: Elements | None, argument: int | None = None, symbol: str = ""
    ) -> None:
        self.name = name
        self.elements = elements
        self.argument = argument
        self.symbol = symbol

    @classmethod
    def of(cls, value: SSAValue) -> Buffer:
        """The buffer that a memref or an address belongs to."""
        root, is_whole = _root(value)
        elements = _elements(root) if is_whole else None
        if isinstance(root, BlockArgument):
            argument = _kernel_argument(root) if is_whole else None
            return cls(_argument_name(root), elements, argument, _attribution(root))
        owner = cast("Operation", root.owner)
        if owner.name in _GLOBALS:
            return cls(f"@{_symbol(owner)}", elements, None, _symbol(owner))
        return cls(value_name(root), elements)

    def element(self, offset: int) -> str:
        """The element at `offset` bytes of the buffer: `%s[1, 3]`, or `byte 12 of %p`."""
        if self.elements is None:
            return f"byte {offset} of {self.name}"
        size, strides, first = self.elements
        rest = offset // size - first
        index = [0] * len(strides)
        for at in sorted(range(len(strides)), key=lambda i: -strides[i]):
            index[at], rest = divmod(rest, strides[at])
        return f"{self.name}[{', '.join(map(str, index))}]"


def value_name(value: SSAValue) -> str:
    """A value as the text calls it."""
    if value.name_hint:
        return f"%{value.name_hint}"
    if isinstance(value, BlockArgument):
        return _argument_name(value)
    owner = cast("Operation", value.owner)
    number = _number_before(owner) if len(owner.results) == 1 else ""
    return number or f"the result of {owner.name}"


def _number_before(op: Operation) -> str:
    """The number that the text gives the one result of an operation (`%0 = `): the reader keeps
    names, but no numbers."""
    if not isinstance(op.location, SourceLoc):
        return ""
    source, position = op.location.source, op.location.position
    line = source.text[source.text.rfind("\n", 0, position) + 1 : position]
    name, equals, rest = line.strip().partition("=")
    name = name.strip()
    return name if equals and not rest and name.startswith("%") else ""


def _argument_name(value: BlockArgument) -> str:
    return f"%{value.name_hint}" if value.name_hint else f"argument {value.index}"


def _kernel_argument(value: BlockArgument) -> int | None:
    """The number of a kernel's argument; None for attributions of memory, and all others."""
    parent = value.owner.parent_op()
    kind = parent.properties.get("function_type") if parent is not None else None
    if kind is None or parent is None or parent.name not in ("gpu.func", "llvm.func"):
        return None
    if isinstance(kind, FunctionType):
        count = len(kind.inputs.data)
    else:
        count = len(cast("LLVMFunctionType", kind).arguments)
    return value.index if value.index < count else None


def _attribution(value: BlockArgument) -> str:
    """The variable that lowering makes of an attribution of workgroup memory; empty for others."""
    kernel = value.owner.parent_op()
    if kernel is None or kernel.name != "gpu.func" or not is_workgroup(value.type):
        return ""
    if _kernel_argument(value) is not None:
        return ""
    before = [a for a in value.owner.args if is_workgroup(a.type) and _kernel_argument(a) is None]
    return f"__wg_{symbol_name(kernel)}_{before.index(value)}"


def _symbol(op: Operation) -> str:
    return cast("SymbolRefAttr", op.properties[_GLOBALS[op.name]]).string_value()


def used_buffer(op: Operation, *, writes: bool, mbarrier: bool = False) -> Buffer | None:
    """The memory that an operation reads or writes, or whose mbarrier it uses; None where it uses
    several, or none that the text names."""
    if mbarrier:
        bars = [v for v in op.operands if v.type.name == _MBARRIERS]
        if bars:
            return Buffer.of(bars[0])
    kind = "write" if writes else "read"
    touched = [e.value for e in effects(op) or () if e.kind == kind and e.value is not None]
    used = list(dict.fromkeys(v for v in touched if _is_memory(v)))
    if len(used) != 1:
        used = list(dict.fromkeys(v for v in op.operands if _is_memory(v)))
    return Buffer.of(used[0]) if len(used) == 1 else None


def variable_of(op: Operation, symbol: str) -> Buffer | None:
    """The variable in workgroup memory that has a symbol in lowered IR, as seen from an operation:
    an attribution of the kernel around it, or a variable of a module."""
    kernel: Operation | None = op
    while kernel is not None and kernel.name not in ("gpu.func", "gpu.launch"):
        kernel = kernel.parent_op()
    if kernel is not None:
        for value in kernel.regions[0].blocks[0].args:
            if symbol == _attribution(value):
                return Buffer.of(value)
    found = _variable(op, symbol)
    if found is None:
        return None
    if found.name == "memref.global":
        elements = _elements_of_memref(cast("MemRefType", found.properties["type"]))
    else:
        elements = _elements_of_array(found.properties["global_type"])
    return Buffer(f"@{symbol}", elements, None, symbol)


def uses_memory(op: Operation) -> bool:
    """Whether an operation names memory; one that does not may have some from its lowering."""
    return any(_is_memory(v) or v.type.name.startswith("nvgpu.") for v in op.operands)


def _is_memory(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType) or value.type.name in ("llvm.ptr", "ptr.ptr")


def _root(value: SSAValue) -> tuple[SSAValue, bool]:
    """The value that a memref or an address is made from, and whether that is all of a buffer: a
    choice between several, or one that a loop carries, is not."""
    owner = value.owner
    while isinstance(owner, Operation) and owner.operands:
        if not is_view(owner) and owner.name not in _CONVERSIONS:
            break
        value = owner.operands[0]
        owner = value.owner
    if isinstance(owner, Operation):
        return value, True
    parent = owner.parent_op()
    is_own = parent is not None and (
        parent.name in ("gpu.launch", "gpu.func") or "FunctionOpInterface" in traits_of(parent.name)
    )
    return value, is_own and owner is parent.regions[0].blocks[0]  # type: ignore[union-attr]


def _elements(root: SSAValue) -> Elements | None:
    """How the elements of a buffer lie, if its type or what makes it tells."""
    kind = root.type
    if kind.name == _MBARRIERS:
        return Elements(_MBARRIER_BYTES, [1], 0)
    if isinstance(kind, MemRefType):
        return _elements_of_memref(kind)
    owner = root.owner
    if isinstance(owner, Block):
        return None
    if owner.name == "llvm.alloca":
        size = _bytes_of(owner.properties["elem_type"])
        return Elements(size, [1], 0) if size else None
    if owner.name == "llvm.mlir.addressof":
        variable = _variable(owner, _symbol(owner))
        return None if variable is None else _elements_of_array(variable.properties["global_type"])
    return None


def _elements_of_memref(kind: MemRefType) -> Elements | None:
    size = 8 if isinstance(kind.element_type, IndexType) else _bytes_of(kind.element_type)
    found = strides_and_offset(kind)
    if not size or found is None or found[1] is None:
        return None
    strides = [stride for stride in found[0] if stride is not None and stride > 0]
    return Elements(size, strides, found[1]) if len(strides) == len(found[0]) else None


def _elements_of_array(kind: Attribute) -> Elements | None:
    sizes: list[int] = []
    while isinstance(kind, LLVMArrayType):
        size, kind = kind.data
        sizes.append(size)
    element = _bytes_of(kind)
    strides = [1]
    for count in reversed(sizes[1:]):
        strides.insert(0, strides[0] * count)
    return Elements(element, strides if sizes else [], 0) if element else None


def _bytes_of(kind: Attribute) -> int:
    """The size of a type in memory; 0 where it is not known."""
    try:
        return _LAYOUT.size(kind)
    except DiagnosticError:
        return 0


def _variable(op: Operation, name: str) -> Operation | None:
    """The variable with a symbol, as seen from an operation."""
    above = op.parent_op()
    while above is not None:
        if len(above.regions) == 1 and len(above.regions[0].blocks) == 1:
            for other in above.regions[0].blocks[0].ops:
                if other.name in _VARIABLES and symbol_name(other) == name:
                    return other
        above = above.parent_op()
    return None
