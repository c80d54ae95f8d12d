# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module of PTX as a `gpu.module` in the llvm and nvvm dialects: variables, functions, locations.

What several texts hold is linked: a definition stands for declarations of its name, one that is not
`.weak` for those that are, and what only one text sees gets a name of its own where others have it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Block, Region

from xgpu.core import ods
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.locations import SourceLoc, build, call_site_loc
from xgpu.core.ir.source import Source
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.attributes import CConvAttr, LinkageAttr
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
)
from xgpu.frontend.ptx.calls import libdevice_types
from xgpu.frontend.ptx.declarations import by_value, signature, variable_align, variable_size
from xgpu.frontend.ptx.functions import FunctionImport
from xgpu.frontend.ptx.grammar import Initial, Loc, PtxError, Value, Variable
from xgpu.frontend.ptx.module_reader import Function, Module, read_modules
from xgpu.frontend.ptx.registers import I8, I64, PtxBuilder, type_width, width_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, LocationAttr, Operation, SSAValue

_SPACES = {"global": 1, "shared": 3, "const": 4}
#: Directives of functions as attributes of the nvvm dialect.
_SIZES = {".maxntid": "nvvm.maxntid", ".reqntid": "nvvm.reqntid",
          ".reqnctapercluster": "nvvm.cluster_dim"}  # fmt: skip
_NUMBERS = {".minnctapersm": "nvvm.minctasm", ".maxnreg": "nvvm.maxnreg",
            ".maxclusterrank": "nvvm.cluster_max_blocks"}  # fmt: skip
_FLOAT_WIDTHS = {"f32": 32, "f64": 64}


def import_text(text: str, filename: str) -> Operation:
    """The `builtin.module` that a text of one or more modules of PTX means.

    Raises `DiagnosticError` at the line that is wrong, or not supported.
    """
    source = Source(text, filename)
    try:
        return Linked(read_modules(text), source).run()
    except PtxError as problem:
        location = SourceLoc(source, min(problem.at, len(text)))
        raise DiagnosticError(Diagnostic("error", _message(problem), location)) from None


def _message(problem: PtxError) -> str:
    """What is wrong, with the text that it is about where that says more."""
    shown, why = " ".join(str(problem).split()), problem.why
    if not why:
        return f"this is no PTX: '{shown}'"
    if why.startswith(("expected", "a module")):
        return f"{why}, but found '{shown}'"
    says_it = why.startswith("'") or shown in why or why == "the text ends too early"
    return why if says_it else f"'{shown}': {why}"


class Linked:
    """Several modules of PTX as one `gpu.module`."""

    def __init__(self, modules: Sequence[Module], source: Source) -> None:
        self.source = source
        self.modules = modules
        self.taken: set[str] = set()
        #: Definitions and declarations that every module sees, by name.
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, Variable] = {}
        self.block = Block()
        self.declared: dict[str, LLVMFunctionType] = {}

    def run(self) -> Operation:
        for module in self.modules:
            for function in module.functions:
                if function.linkage:
                    _link(self.functions, function.name, function, _is_function_defined)
            for variable in module.variables:
                if variable.linkage:
                    _link(self.variables, variable.name, variable, _is_variable_defined)
        imports = [ModuleImport(self, module) for module in self.modules]
        for found in imports:
            found.prepare()
        for found in imports:
            found.build()
        for found in imports:
            found.finish()
        return self._wrapped()

    def unique(self, name: str) -> str:
        """A name that no other symbol has."""
        found, number = name, 0
        while found in self.taken:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found

    def _wrapped(self) -> Operation:
        location = SourceLoc(self.source, 0)
        kernels = ods.create(
            "gpu.module", properties={"sym_name": StringAttr(module_name(self.source.filename))},
            regions=(Region(self.block),), location=location,
        )  # fmt: skip
        outer = Block([kernels])
        attributes = {"gpu.container_module": UnitAttr()}
        return ods.create(
            "builtin.module", attributes=attributes, regions=(Region(outer),), location=location
        )


@lru_cache(maxsize=4096)
def _number(value: int) -> IntAttr:
    return IntAttr(value)


@lru_cache(maxsize=64)
def _name(file: str) -> StringAttr:
    return StringAttr(file)


def module_name(filename: str) -> str:
    """The name of the device module of a file."""
    stem = re.split(r"[/\\]", filename)[-1].partition(".")[0]
    return stem if stem.isidentifier() else "kernels"


def _same_widths(types: Sequence[Attribute], others: Sequence[Attribute]) -> bool:
    return [*map(width_of, types)] == [*map(width_of, others)]


def _is_function_defined(function: Function) -> bool:
    return function.body is not None


def _is_variable_defined(variable: Variable) -> bool:
    return variable.linkage != "extern"


_Item = TypeVar("_Item", Function, Variable)


def _link(
    table: dict[str, _Item], name: str, item: _Item, is_defined: Callable[[_Item], bool]
) -> None:
    """What stands for a name that several modules see."""
    known = table.get(name)
    if known is None or (is_defined(item) and not is_defined(known)):
        table[name] = item
        return
    if not is_defined(item):
        return
    weak = ("weak", "common")
    if item.linkage not in weak and known.linkage not in weak:
        raise PtxError(name, item.at, f"'{name}' is defined twice")
    if known.linkage in weak and item.linkage not in weak:
        table[name] = item


class ModuleImport:
    """One module of those that are linked."""

    def __init__(self, linked: Linked, module: Module) -> None:
        self.linked = linked
        self.module = module
        self._source = linked.source
        #: The names of variables and functions in the linked module, by this module's.
        self._names: dict[str, str] = {}
        self.variables: dict[str, Variable] = {}
        self._functions: dict[str, Function] = {}
        self._imports: dict[str, FunctionImport] = {}
        self._types: dict[str, LLVMFunctionType] = {}
        self._local: dict[Variable, str] = {}

    # -- names

    def prepare(self) -> None:
        """Gives names, and reads the functions' types."""
        linked = self.linked
        for variable in self.module.variables:
            self.variables[variable.name] = variable
            self._name(variable.name, bool(variable.linkage))
        for function in self.module.functions:
            known = self._functions.get(function.name)
            if known is not None and known.body is not None:
                if function.body is not None:
                    raise PtxError(
                        function.name, function.at, f"'{function.name}' is defined twice"
                    )
                continue
            self._functions[function.name] = function
        for name, function in self._functions.items():
            if name in self.variables:
                raise PtxError(name, function.at, f"'{name}' is a variable too")
            self._name(name, bool(function.linkage))
        for name, function in self._functions.items():
            stands = linked.functions.get(name, function) if function.linkage else function
            if function.body is not None and stands is function:
                made = self._imports[name] = FunctionImport(self, function)
                self._types[name] = made.signature()
                if function.linkage:
                    linked.declared[name] = self._types[name]

    def _name(self, name: str, is_shared: bool) -> None:
        if is_shared:
            self.linked.taken.add(name)
            self._names[name] = name
        elif name not in self._names:
            self._names[name] = self.linked.unique(name)

    def function_type(self, name: str) -> LLVMFunctionType | None:
        found = self._types.get(name)
        if found is not None:
            return found
        function = self._functions.get(name)
        if function is None:
            return None
        if function.linkage and name in self.linked.declared:
            return self.linked.declared[name]
        found = signature(function.returns, function.parameters)
        types = libdevice_types(name) if function.body is None else None
        if types is not None and _same_widths(types[0], found.arguments):
            found = LLVMFunctionType(types[0], types[1] or found.result)
        self._types[name] = found
        return found

    def callee_name(self, name: str) -> str:
        return self._names.get(name, name)

    def symbol(self, b: PtxBuilder, name: str) -> SSAValue | None:
        """The address of a variable or function of the module; None for any other name."""
        variable = self.variables.get(name)
        if variable is not None:
            return self._address(b, self._names[name], _SPACES[self._shared(variable).space])
        if name in self._functions:
            return self._address(b, self._names[name], 0)
        return None

    def _shared(self, variable: Variable) -> Variable:
        return self.linked.variables.get(variable.name, variable) if variable.linkage else variable

    def address_of(self, b: PtxBuilder, variable: Variable) -> SSAValue:
        """The address of a variable that a function declares."""
        return self._address(b, self._local[variable], _SPACES[variable.space])

    @staticmethod
    def _address(b: PtxBuilder, name: str, space: int) -> SSAValue:
        ty = LLVMPointerType(space) if space else LLVMPointerType()
        properties = {"global_name": SymbolRefAttr(name)}
        return b.once(("address", name), "llvm.mlir.addressof", ty, properties)

    def add_local_variable(self, function: Function, variable: Variable) -> Variable:
        """Notes a variable that a function declares; it becomes one of the module."""
        if variable.space not in _SPACES:
            raise PtxError(variable.name, variable.at, f"a variable in '.{variable.space}'")
        if all(size is not None for size in variable.sizes):
            name = self.linked.unique(f"{function.name}_{variable.name}")
        else:
            name = self.linked.unique(variable.name)
        self._local[variable] = name
        return variable

    def declare(self, name: str, ty: LLVMFunctionType) -> None:
        """A function that every device has, and the text does not declare."""
        if name not in self.linked.declared and name not in self._functions:
            self.linked.declared[name] = ty
            self._types[name] = ty
            self._names[name] = name
            self.linked.taken.add(name)
            self._add(_function_operation(name, ty, Region(), "external", self.location(0)))

    # -- locations

    def location(self, at: int) -> LocationAttr:
        """The place of a statement in the text."""
        return SourceLoc(self._source, at)

    def source_location(self, loc: Loc) -> LocationAttr | None:
        """The place in the program that the PTX was made from; None where it has none."""
        file = self.module.files.get(loc.file)
        if file is None or loc.line == 0:
            return None
        found: LocationAttr = build(
            FileLineColLoc, filename=_name(file), line=_number(loc.line),
            column=_number(loc.column),
        )  # fmt: skip
        if loc.inlined is not None:
            caller = self.source_location(loc.inlined)
            if caller is not None:
                found = call_site_loc(found, caller)
        return found

    # -- operations

    def _add(self, op: Operation) -> None:
        self.linked.block.add_op(op)

    def build(self) -> None:
        """Builds the variables of the module, and declares functions."""
        for variable in self.module.variables:
            if self._stands(variable):
                self._add(self._global(self._names[variable.name], variable))
        for variable, name in self._local.items():
            self._add(self._global(name, variable))
        for name, function in self._functions.items():
            shared = self.linked.functions.get(name, function) if function.linkage else function
            if shared is function and function.body is None and not function.is_entry:
                ty = self.function_type(name)
                assert ty is not None
                self.linked.declared.setdefault(name, ty)
                self._add(self.function_operation(function, ty, Region()))

    def _stands(self, variable: Variable) -> bool:
        return not variable.linkage or self.linked.variables[variable.name] is variable

    def finish(self) -> None:
        """Builds the functions."""
        for made in self._imports.values():
            self._add(made.build())

    def function_operation(
        self, function: Function, ty: LLVMFunctionType, region: Region
    ) -> Operation:
        linkage = {"weak": "weak_odr", "": "internal"}.get(function.linkage, "external")
        if function.is_entry or function.body is None:
            linkage = "external"
        name = self._names[function.name]
        op = _function_operation(name, ty, region, linkage, self.location(function.at))
        if function.is_entry:
            op.attributes["nvvm.kernel"] = UnitAttr()
        for mark, numbers in function.marks.items():
            if mark in _SIZES:
                op.attributes[_SIZES[mark]] = DenseArrayBase.from_list(i32, numbers)
            elif mark in _NUMBERS:
                op.attributes[_NUMBERS[mark]] = IntegerAttr(numbers[0], i32)
        if any(p.sizes for p in function.parameters):
            op.properties["arg_attrs"] = by_value(
                [p if p.sizes else None for p in function.parameters]
            )
        return op

    # -- variables

    def _global(self, name: str, variable: Variable) -> Operation:
        shared = variable.linkage
        linkage = {"weak": "weak", "common": "common", "": "internal"}.get(shared, "external")
        if variable.space == "shared" and linkage == "internal" and None in variable.sizes:
            linkage = "external"
        initial = None if shared == "extern" else _Initializer(self, variable).build()
        has_value = shared != "extern" and variable.space != "shared"
        ty = initial.type if initial is not None else _type_of(variable)
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "global_type": ty,
            "linkage": LinkageAttr(linkage),
            "addr_space": IntegerAttr(_SPACES[variable.space], i32),
            "alignment": IntegerAttr(variable_align(variable), i64),
            "visibility_": IntegerAttr(0, i64),
        }
        region = Region()
        if initial is not None and initial.value is not None:
            properties["value"] = initial.value
        elif has_value or (
            shared == "" and variable.space == "shared" and None not in variable.sizes
        ):
            region = Region(Block())
            b = Builder(block=region.blocks[0], location=self.location(variable.at))
            if initial is not None:
                value = initial.constant(b)
            else:
                value = llvm.undef(b, ty) if variable.space == "shared" else llvm.zero(b, ty)
            b.create("llvm.return", (value,))
        return ods.create(
            "llvm.mlir.global", properties=properties, regions=(region,),
            location=self.location(variable.at),
        )  # fmt: skip


def _type_of(variable: Variable) -> Attribute:
    width = max(type_width(variable.type) or 8, 8)
    element: Attribute = IntegerType(width)
    if not variable.sizes and variable.count == 1:
        return element
    size = variable_size(variable)
    return LLVMArrayType(size // (width // 8), element)


def _function_operation(
    name: str, ty: LLVMFunctionType, region: Region, linkage: str, location: LocationAttr
) -> Operation:
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(name),
        "function_type": ty,
        "linkage": LinkageAttr(linkage),
        "CConv": CConvAttr("ccc"),
        "visibility_": IntegerAttr(0, i64),
    }
    return ods.create("llvm.func", properties=properties, regions=(region,), location=location)


class _Initialized:
    """A variable's value: an attribute where it is numbers alone, else parts of a packed struct."""

    def __init__(self, type: Attribute, value: Attribute | None, parts: list[_Part]) -> None:
        self.type = type
        self.value = value
        self.parts = parts

    def constant(self, b: Builder) -> SSAValue:
        whole = llvm.undef(b, self.type)
        for at, part in enumerate(self.parts):
            value = part.build(b)
            if len(self.parts) == 1 and not isinstance(self.type, LLVMStructType):
                return value
            whole = llvm.insert(b, whole, value, at)
        return whole


class _Part:
    """Bytes, or the address of a symbol."""

    def __init__(
        self, data: bytes, symbol: tuple[str, int] | None = None, offset: int = 0,
        generic: bool = False,
    ) -> None:  # fmt: skip
        self.data = data
        self.symbol = symbol
        self.offset = offset
        self.generic = generic

    @property
    def type(self) -> Attribute:
        return I64 if self.symbol is not None else LLVMArrayType(len(self.data), I8)

    def build(self, b: Builder) -> SSAValue:
        if self.symbol is None:
            ty = TensorType(I8, (len(self.data),))
            signed = [byte - 256 if byte > 127 else byte for byte in self.data]
            value = DenseIntOrFPElementsAttr.from_list(ty, signed)
            return llvm.attribute_constant(b, value, self.type)
        name, space = self.symbol
        ty = LLVMPointerType(space) if space else LLVMPointerType()
        found = b.value("llvm.mlir.addressof", (), ty, {"global_name": SymbolRefAttr(name)})
        if self.generic and space:
            found = b.value("llvm.addrspacecast", (found,), LLVMPointerType())
        if self.offset:
            found = llvm.gep(b, found, I8, [self.offset])
        return b.value("llvm.ptrtoint", (found,), I64)


class _Initializer:
    """Lays out the initializer of a variable as bytes and addresses."""

    def __init__(self, module: ModuleImport, variable: Variable) -> None:
        self._module = module
        self._variable = variable
        self._width = max(type_width(variable.type) or 8, 8)
        self._data = bytearray()
        #: Addresses by where they begin.
        self._symbols: dict[int, Value] = {}

    def build(self) -> _Initialized | None:
        """None for a variable without an initializer."""
        variable = self._variable
        if variable.initial is None:
            return None
        if None in variable.sizes:
            given = variable.initial if isinstance(variable.initial, list) else [variable.initial]
            variable.sizes = [len(given), *variable.sizes[1:]]
        size = variable_size(variable)
        if size > 1 << 30:
            raise PtxError(variable.name, variable.at, "the variable is too large")
        self._data = bytearray(size)
        sizes = [int(n or 0) for n in variable.sizes]
        if variable.count > 1:
            sizes.append(variable.count)
        self._put(variable.initial, sizes, 0)
        return self._parts() if self._symbols else self._dense()

    def _put(self, initial: Initial, sizes: Sequence[int], at: int) -> None:
        step = self._width // 8
        for size in sizes[1:]:
            step *= size
        if isinstance(initial, Value):
            self._put_value(initial, at)
            return
        if not sizes:
            if len(initial) != 1:
                raise PtxError(self._variable.name, self._variable.at, "too many values")
            self._put(initial[0], sizes, at)
            return
        if len(initial) > sizes[0]:
            flat = len(sizes) > 1 and all(isinstance(part, Value) for part in initial)
            if not flat:
                raise PtxError(self._variable.name, self._variable.at, "too many values")
            sizes, step = (len(self._data) * 8 // self._width,), self._width // 8
        for number, part in enumerate(initial):
            if at + (number + 1) * self._width // 8 > len(self._data) and number >= sizes[0]:
                raise PtxError(self._variable.name, self._variable.at, "too many values")
            self._put(part, sizes[1:], at + number * step)

    def _put_value(self, value: Value, at: int) -> None:
        size = self._width // 8
        if at + size > len(self._data):
            raise PtxError(self._variable.name, value.at, "too many values")
        if value.symbol:
            self._symbols[at] = value
            return
        number = value.number
        is_float = self._variable.type in ("f32", "f64")
        if value.width or is_float:
            number = _float_bits(value, self._variable.type)
        self._data[at : at + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "little")

    def _dense(self) -> _Initialized:
        ty = _type_of(self._variable)
        step = self._width // 8
        numbers = [
            int.from_bytes(self._data[at : at + step], "little", signed=True)
            for at in range(0, len(self._data), step)
        ]
        element = IntegerType(self._width)
        if not isinstance(ty, LLVMArrayType):
            return _Initialized(ty, IntegerAttr(numbers[0], element), [])
        if not numbers:
            return _Initialized(ty, None, [])
        shape = TensorType(element, (len(numbers),))
        return _Initialized(ty, DenseIntOrFPElementsAttr.from_list(shape, numbers), [])

    def _parts(self) -> _Initialized:
        """Addresses have 64 bits: of a mask's bytes all eight must follow each other."""
        parts: list[_Part] = []
        at = 0
        data = self._data
        while at < len(data):
            value = self._symbols.get(at)
            if value is None:
                end = min((s for s in self._symbols if s > at), default=len(data))
                parts.append(_Part(bytes(data[at:end])))
                at = end
                continue
            self._check_whole(value, at)
            parts.append(self._address(value))
            at += 8
        if len(parts) == 1:
            return _Initialized(parts[0].type, None, parts)
        return _Initialized(LLVMStructType([part.type for part in parts], packed=True), None, parts)

    def _check_whole(self, value: Value, at: int) -> None:
        if self._width == 64 and not value.mask:
            return
        size = self._width // 8
        for number in range(8 // size):
            part = self._symbols.get(at + number * size)
            mask = ((1 << self._width) - 1) << number * self._width
            if (
                part is None
                or part.symbol != value.symbol
                or part.mask not in (mask, 0xFF << 8 * number)
            ):
                raise PtxError(value.symbol, value.at, "a part of an address")

    def _address(self, value: Value) -> _Part:
        module = self._module
        variable = module.variables.get(value.symbol)
        if variable is not None:
            space = _SPACES[variable.space]
        elif module.function_type(value.symbol) is not None:
            space = 0
        else:
            raise PtxError(value.symbol, value.at, f"'{value.symbol}' is not declared")
        name = module.callee_name(value.symbol)
        return _Part(b"", (name, space), value.number, value.generic)


def _float_bits(value: Value, ty: str) -> int:
    number = value.number
    if value.width == 0 and ty in _FLOAT_WIDTHS:
        value = Value(struct.unpack("<Q", struct.pack("<d", float(number)))[0], 64)
        number = value.number
    if value.width == 64 and ty != "f64" and ty.startswith("f"):
        real = struct.unpack("<d", struct.pack("<Q", number))[0]
        return struct.unpack("<I", struct.pack("<f", real))[0] if ty == "f32" else number
    return number
