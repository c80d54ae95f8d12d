# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole module of LLVM IR as a `builtin.module` in the llvm and nvvm dialects: globals, flags,
data layout, functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatAttr,
    FloatData,
    IntAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region

from xgpu.core import ods
from xgpu.core.ir.floats import from_bits
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm.attributes import (
    UNNAMED_ADDR,
    VISIBILITY,
    CConvAttr,
    ComdatAttr,
    LinkageAttr,
)
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.frontend.llvm_ir.call_import import has_operation
from xgpu.frontend.llvm_ir.constant_import import (
    as_attribute,
    function_properties,
    listed,
    signature_attributes,
)
from xgpu.frontend.llvm_ir.debug_import import attribute, expression
from xgpu.frontend.llvm_ir.instruction_import import function_body, initializer
from xgpu.frontend.llvm_ir.metadata_import import Context, function_metadata
from xgpu.frontend.llvm_ir.model import (
    Alias,
    Constant,
    Function,
    GlobalObject,
    GlobalVariable,
    Metadata,
    MetadataConstant,
    MetadataString,
    Module,
    Node,
)

# --- data layout ---------------------------------------------------------------------------------
# LLVM's data layout as a `#dlti.dl_spec`.
#
# What the text leaves out has LLVM's defaults, as MLIR's importer writes them. Where it says
# something twice, the first counts.


_DEFAULTS = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:32:64-f16:16:16-f64:64:64-f128:128:128"
)
_FLOATS: dict[int, type[Attribute]] = {
    16: Float16Type,
    32: Float32Type,
    64: Float64Type,
    80: Float80Type,
    128: Float128Type,
}
_SPACES = {
    "P": "dlti.program_memory_space",
    "G": "dlti.global_memory_space",
    "A": "dlti.alloca_memory_space",
}
_TOKEN = re.compile(r"([A-Za-z]+)(.*)")


class Unreadable(Exception):
    """A part of a data layout that says nothing we know; `args[0]` is the part."""


def data_layout(text: str, unknown: Callable[[str], None]) -> Attribute:
    """The specification that `text` means; `unknown` is called with parts that are left out.

    Errors: `Unreadable` with the part that is wrong.
    """
    types: dict[Attribute, Attribute] = {}
    keys: dict[str, Attribute] = {}
    parts = [*(text.split("-") if text else ()), *_DEFAULTS.split("-")]
    for part in parts:
        match = _TOKEN.fullmatch(part)
        if match is None:
            raise Unreadable(part)
        try:
            if not _add(match[1], match[2], types, keys):
                unknown(part)
        except ValueError:
            raise Unreadable(part) from None
    cls = ods.attr_class("dlti.dl_spec")
    entries = [*types.items(), *((StringAttr(key), value) for key, value in keys.items())]
    return cls(tuple(entries))


def _add(
    prefix: str, rest: str, types: dict[Attribute, Attribute], keys: dict[str, Attribute]
) -> bool:
    """Adds what one part says; False if it is not known. ValueError for a malformed one."""
    if prefix in ("e", "E"):
        if rest:
            raise ValueError
        keys.setdefault("dlti.endianness", StringAttr("little" if prefix == "e" else "big"))
    elif prefix in _SPACES:
        if space := int(rest):
            unsigned = IntegerType(64, Signedness.UNSIGNED)
            keys.setdefault(_SPACES[prefix], IntegerAttr(space, unsigned))
    elif prefix == "m":
        if not rest.removeprefix(":"):
            raise ValueError
        keys.setdefault("dlti.mangling_mode", StringAttr(rest.removeprefix(":")))
    elif prefix == "S":
        if not int(rest):
            raise ValueError
        keys.setdefault("dlti.stack_alignment", IntegerAttr(int(rest), i64))
    elif prefix == "n":
        widths = DenseArrayBase.from_list(i32, _numbers(rest))
        keys.setdefault("dlti.legal_int_widths", widths)
    elif prefix in ("Fi", "Fn"):
        cls = ods.attr_class("dlti.function_pointer_alignment")
        keys.setdefault("dlti.function_pointer_alignment", cls(int(rest), prefix == "Fn"))
    elif prefix in ("i", "f"):
        width, numbers = _sized(rest)
        t = IntegerType(width) if prefix == "i" else _float(width)
        types.setdefault(t, _alignment(numbers))
    elif prefix == "p":
        space, numbers = _sized(rest) if not rest.startswith(":") else (0, _numbers(rest))
        types.setdefault(LLVMPointerType(space), _pointer(numbers))
    else:
        return False
    return True


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.removeprefix(":").split(":")]


def _sized(text: str) -> tuple[int, list[int]]:
    """`32:32:64`: the number before the first colon, and those behind it."""
    first, _, rest = text.partition(":")
    return int(first), _numbers(rest)


def _float(width: int) -> Attribute:
    cls = _FLOATS.get(width)
    if cls is None:
        raise ValueError
    return cls()


def _dense(numbers: list[int]) -> Attribute:
    return DenseIntOrFPElementsAttr.from_list(VectorType(i64, (len(numbers),)), numbers)


def _alignment(numbers: list[int]) -> Attribute:
    """Minimal and preferred alignment; the second is the first if it is not said."""
    if len(numbers) > 2:
        raise ValueError
    return _dense([numbers[0], numbers[-1]])


def _pointer(numbers: list[int]) -> Attribute:
    """Size, minimal and preferred alignment, size of an index."""
    if not 2 <= len(numbers) <= 4:
        raise ValueError
    size, minimal = numbers[:2]
    preferred = numbers[2] if len(numbers) > 2 else minimal
    return _dense([size, minimal, preferred, numbers[3] if len(numbers) > 3 else size])


# --- module flags --------------------------------------------------------------------------------
# Named metadata of a module: its flags, linker options, libraries, identification.


_BEHAVIORS = {
    1: "error",
    2: "warning",
    3: "require",
    4: "override",
    5: "append",
    6: "append_unique",
    7: "max",
    8: "min",
}
_COUNTS = (
    "TotalCount",
    "MaxCount",
    "MaxInternalCount",
    "MaxFunctionCount",
    "NumCounts",
    "NumFunctions",
)
#: Says that something is left out.
Warn = Callable[[str], None]


class _Malformed(Exception):
    """A flag's value is not what its key asks for; `args[0]` says why."""


def module_flags(module: Module, as_text: Callable[[object], str], warn: Warn) -> list[Attribute]:
    """`#llvm.mlir.module_flag` of each flag that MLIR has."""
    found: list[Attribute] = []
    for node in module.named_metadata.get("llvm.module.flags", ()):
        behavior, key = node.integer(0), node.string(1)
        if behavior not in _BEHAVIORS or key is None or len(node.operands) != 3:
            continue
        try:
            value = _value(module, key, node.operands[2], as_text)
        except _Malformed as reason:
            warn(str(reason))
            value = None
        if value is None:
            warn(f"unsupported module flag value for key '{key}' : {as_text(node.operands[2])}")
            continue
        found.append(
            attribute(
                "mlir.module_flag",
                behavior=_BEHAVIORS[behavior],
                key=StringAttr(key),
                value=value,
            )
        )
    return found


def _value(
    module: Module, key: str, value: Metadata | None, as_text: Callable[[object], str]
) -> Attribute | None:
    if isinstance(value, MetadataConstant) and isinstance(value.value, Constant):
        constant = value.value
        return IntegerAttr(constant.data & 0xFFFF_FFFF, i32) if constant.kind == "int" else None
    if isinstance(value, MetadataString):
        return StringAttr(value.text)
    if isinstance(value, Node) and key == "CG Profile":
        return ArrayAttr([_call_edge(module, entry) for entry in value.operands])
    if isinstance(value, Node) and key == "ProfileSummary":
        return _Summary(value, as_text).read()
    return None


def _call_edge(module: Module, entry: Metadata | None) -> Attribute:
    """`!{ptr @from, ptr @to, i64 n}`, of which each function may be null."""
    if not isinstance(entry, Node) or entry.integer(2) is None:
        raise _Malformed("expected a caller, a callee and a count in 'CG Profile'")
    ends: list[SymbolRefAttr | None] = []
    for place in (0, 1):
        function = entry.constant(place)
        if function is None or function.kind != "global":
            ends.append(None)
        else:
            ends.append(SymbolRefAttr(module.symbols[function.data].name))
    return attribute("cgprofile_entry", **{"from": ends[0]}, to=ends[1], count=entry.integer(2))


class _Summary:
    """The entries of a profile's summary, pairs of a key and a value in a fixed order."""

    def __init__(self, node: Node, as_text: Callable[[object], str]) -> None:
        self.node = node
        self.as_text = as_text
        self.at = 0

    def read(self) -> Attribute:
        if len(self.node.operands) < 8:
            raise _Malformed(
                f"expected at 8 entries in 'ProfileSummary': {self.as_text(self.node)}"
            )
        form = self._pair("ProfileFormat").string(1)
        if form not in ("SampleProfile", "InstrProf", "CSInstrProf"):
            raise _Malformed(
                "expected 'SampleProfile', 'InstrProf' or 'CSInstrProf' values, but found: "
                f"{self.as_text(self._pair('ProfileFormat', -1).operands[1])}"
            )
        counts = [self._count(name) for name in _COUNTS]
        partial = self._count("IsPartialProfile") if self._is("IsPartialProfile") else None
        ratio = self._ratio() if self._is("PartialProfileRatio") else None
        return attribute(
            "profile_summary",
            format=form,
            total_count=counts[0],
            max_count=counts[1],
            max_internal_count=counts[2],
            max_function_count=counts[3],
            num_counts=counts[4],
            num_functions=counts[5],
            is_partial_profile=partial,
            partial_profile_ratio=ratio,
            detailed_summary=self._details(),
        )

    def _is(self, key: str) -> bool:
        if self.at >= len(self.node.operands):
            return False
        entry = self.node.operands[self.at]
        return isinstance(entry, Node) and entry.string(0) == key

    def _pair(self, key: str, offset: int = 0) -> Node:
        """The pair of `key`, which is left behind unless `offset` says otherwise."""
        place = self.at + offset
        entry = self.node.operands[place] if place < len(self.node.operands) else None
        if not isinstance(entry, Node) or len(entry.operands) != 2:
            raise _Malformed(f"expected 2-element tuple metadata: {self.as_text(entry)}")
        if entry.string(0) != key:
            raise _Malformed(f"expected '{key}' key, but found: {self.as_text(entry.operands[0])}")
        if not offset:
            self.at += 1
        return entry

    def _count(self, key: str) -> int:
        entry = self._pair(key)
        value = entry.integer(1)
        if value is None:
            raise _Malformed(
                f"expected integer metadata value for key '{key}': {self.as_text(entry)}"
            )
        return value

    def _ratio(self) -> Attribute:
        entry = self._pair("PartialProfileRatio")
        value = entry.constant(1)
        if value is None or value.kind != "float":
            raise _Malformed(
                "expected double metadata value for key 'PartialProfileRatio': "
                f"{self.as_text(entry)}"
            )
        return FloatAttr.new([FloatData(from_bits(value.data, f64)), f64])

    def _details(self) -> tuple[Attribute, ...]:
        listed = self._pair("DetailedSummary").operands[1]
        if not isinstance(listed, Node):
            raise _Malformed(
                f"expected tuple value for 'DetailedSummary' key: {self.as_text(listed)}"
            )
        return tuple(self._detail(entry) for entry in listed.operands)

    def _detail(self, entry: Metadata | None) -> Attribute:
        if not isinstance(entry, Node) or len(entry.operands) != 3:
            raise _Malformed(f"'DetailedSummary' entry expects 3 operands: {self.as_text(entry)}")
        numbers = [entry.integer(place) for place in range(3)]
        if None in numbers:
            raise _Malformed(
                "expected only integer entries in 'DetailedSummary': " + self.as_text(entry)
            )
        return attribute(
            "profile_summary_detailed",
            cut_off=numbers[0],
            min_count=numbers[1],
            num_counts=numbers[2],
        )


# --- other named metadata ------------------------------------------------------------------------
def linker_options(module: Module) -> list[Attribute]:
    """The options of each `llvm.linker_options`."""
    return [
        ArrayAttr([StringAttr(node.string(place) or "") for place in range(len(node.operands))])
        for node in module.named_metadata.get("llvm.linker.options", ())
    ]


def module_strings(module: Module) -> dict[str, Attribute]:
    """Attributes of the module that are strings in named metadata."""
    found: dict[str, Attribute] = {}
    libraries = [
        StringAttr(text)
        for node in module.named_metadata.get("llvm.dependent-libraries", ())
        if len(node.operands) == 1 and (text := node.string(0)) is not None
    ]
    if libraries:
        found["llvm.dependent_libraries"] = ArrayAttr(libraries)
    for name in ("llvm.ident", "llvm.commandline"):
        nodes = module.named_metadata.get(name, ())
        if len(nodes) == 1 and len(nodes[0].operands) == 1:
            text = nodes[0].string(0)
            if text is not None:
                found[name] = StringAttr(text)
    return found


# --- global import -------------------------------------------------------------------------------
# Global variables, constructors, aliases and ifuncs.


UNIT = UnitAttr()


class Globals(Protocol):
    """Where globals are put."""

    context: Context

    def comdat(self, name: str) -> SymbolRefAttr:
        """The selector of a comdat."""
        ...

    def add_global(
        self,
        name: str,
        properties: Mapping[str, Attribute],
        region: Region | None = None,
        *,
        moves: bool = True,
    ) -> Operation:
        """Inserts a global's operation behind the last one. If it `moves`, it is the last now."""
        ...


_CONSTRUCTORS = {
    "llvm.global_ctors": ("llvm.mlir.global_ctors", "ctors"),
    "llvm.global_dtors": ("llvm.mlir.global_dtors", "dtors"),
}


def shared_properties(found: GlobalObject) -> dict[str, Attribute]:
    """What all global objects have: linkage, visibility, and the like."""
    properties: dict[str, Attribute] = {
        "linkage": LinkageAttr(found.linkage),
        "visibility_": IntegerAttr(VISIBILITY.index(found.visibility), i64),
    }
    if found.is_dso_local:
        properties["dso_local"] = UNIT
    if found.thread_local:
        properties["thread_local_"] = UNIT
    if found.unnamed_addr:
        place = UNNAMED_ADDR.index(found.unnamed_addr)
        properties["unnamed_addr"] = IntegerAttr(place, i64)
    return properties


def variable(m: Globals, found: GlobalVariable) -> Operation:
    """`llvm.mlir.global`, its value as an attribute where one can say it."""
    if found.name in _CONSTRUCTORS:
        return _constructors(m, found)
    properties = shared_properties(found)
    properties["sym_name"] = StringAttr(m.context.symbol(found.key))
    properties["global_type"] = found.type
    properties["addr_space"] = IntegerAttr(found.address_space, i32)
    if found.is_constant:
        properties["constant"] = UNIT
    if found.externally_initialized:
        properties["externally_initialized"] = UNIT
    value = as_attribute(found.initializer) if found.initializer is not None else None
    if value is not None:
        properties["value"] = value
    if align := found.properties.get("align"):
        properties["alignment"] = IntegerAttr(align, i64)
    if (section := found.properties.get("section")) is not None:
        properties["section"] = StringAttr(section)
    if found.comdat is not None:
        properties["comdat"] = m.comdat(found.comdat)
    if expressions := _expressions(m, found):
        properties["dbg_exprs"] = ArrayAttr(expressions)
    if attributes := listed(found.attributes.merged()):
        properties["target_specific_attrs"] = ArrayAttr(attributes)
    op = m.add_global("llvm.mlir.global", properties, Region())
    if found.initializer is not None and value is None:
        initializer(m.context, found, found.initializer, op)
    return op


def _expressions(m: Globals, found: GlobalVariable) -> list[Attribute]:
    """The debug information of a variable."""
    expressions: list[Attribute] = []
    for kind, node in found.metadata:
        if kind != "dbg":
            continue
        if node.kind == "DIGlobalVariableExpression":
            described, located = node.fields.get("var"), expression(node.fields.get("expr"))
        else:
            described, located = node, None
        variable = m.context.debug.translate(described)
        if variable is not None:
            expressions.append(
                attribute("di_global_variable_expression", var=variable, expr=located)
            )
    return expressions


def _constructors(m: Globals, found: GlobalVariable) -> Operation:
    """`llvm.mlir.global_ctors`, from an array of priorities, functions and data."""
    name, field = _CONSTRUCTORS[found.name]
    value = found.initializer
    listed_ = value is not None and found.linkage == "appending"
    if not listed_ or value is None or value.kind not in ("aggregate", "zero"):
        raise m.context.messages.unhandled("global variable", found)
    if value.kind == "zero" and found.type.size:
        raise m.context.messages.unhandled("global variable", found)
    functions: list[Attribute] = []
    priorities: list[Attribute] = []
    data: list[Attribute] = []
    for entry in value.operands:
        parts = entry.operands
        if len(parts) != 3 or parts[0].kind != "int" or parts[1].kind != "global":
            raise m.context.messages.unhandled("global variable", found)
        if not isinstance(m.context.source.symbols[parts[1].data], Function):
            raise m.context.messages.unhandled("global variable", found)
        priorities.append(IntegerAttr(parts[0].data, i32))
        functions.append(SymbolRefAttr(m.context.symbol(parts[1].data)))
        if parts[2].kind == "global":
            data.append(SymbolRefAttr(m.context.symbol(parts[2].data)))
        elif parts[2].kind == "null":
            data.append(ods.attr_class("llvm.zero")())  # pyright: ignore[reportCallIssue]
        else:
            raise m.context.messages.unhandled("global variable", found)
    properties = {
        field: ArrayAttr(functions),
        "priorities": ArrayAttr(priorities),
        "data": ArrayAttr(data),
    }
    return m.add_global(name, properties)


def alias(m: Globals, found: Alias) -> Operation:
    """`llvm.mlir.alias`, whose region gives the aliasee."""
    properties = shared_properties(found)
    properties["sym_name"] = StringAttr(m.context.symbol(found.key))
    properties["alias_type"] = found.type
    op = m.add_global("llvm.mlir.alias", properties, Region())
    assert found.target is not None
    initializer(m.context, found, found.target, op)
    return op


def ifunc(m: Globals, found: Alias) -> Operation:
    """`llvm.mlir.ifunc`"""
    target = found.target
    if target is None or target.kind != "global":
        raise m.context.messages.unhandled("global ifunc", found)
    properties = shared_properties(found)
    properties.pop("thread_local_", None)
    properties["sym_name"] = StringAttr(m.context.symbol(found.key))
    properties["i_func_type"] = found.type
    properties["resolver"] = SymbolRefAttr(m.context.symbol(target.data))
    properties["resolver_type"] = target.type
    properties["address_space"] = IntegerAttr(found.address_space, i32)
    return m.add_global("llvm.mlir.ifunc", properties, moves=False)


# --- importer ------------------------------------------------------------------------------------
# A whole module of LLVM IR as a `builtin.module` in the llvm and nvvm dialects.
#
# In the module stand the comdats, the globals, aliases and ifuncs, what the module's metadata says,
# and the functions, each in the order of the text; that is where MLIR's importer puts them.


_COMDATS = "__llvm_global_comdat"


class ModuleImport:
    """Translates one module."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.source = context.source
        self.messages = context.messages
        self.body = Block()
        # LLVM calls what it got from us by a name of ours.
        name = self.source.source_filename
        file = self.messages.locations.file() if name == "<string>" else _file(name)
        self.op = ods.create("builtin.module", regions=[Region(self.body)], location=file)
        self.builder = Builder(block=self.body, location=file)
        #: what globals come behind
        self._last_global: Operation | None = None
        self._comdats: dict[str, SymbolRefAttr] = {}

    def run(self) -> Operation:
        """The module's operation."""
        attributes = self.op.attributes
        attributes["dlti.dl_spec"] = self._data_layout()
        self._add_comdats()
        self.context.aliasing.translate(self.source)
        self._add_metadata()
        for found in self.source.variables:
            variable(self, found)
        for function in self.source.functions:
            self._function(function)
        for found in self.source.aliases:
            if not found.is_ifunc:
                alias(self, found)
        for found in self.source.aliases:
            if found.is_ifunc:
                ifunc(self, found)
        attributes["llvm.target_triple"] = StringAttr(self.source.triple)
        lines = [StringAttr(line) for line in self.source.assembly if line]
        attributes["llvm.module_asm"] = ArrayAttr(lines)
        self.op.attributes = dict(sorted(attributes.items()))
        return self.op

    def comdat(self, name: str) -> SymbolRefAttr:
        return self._comdats[name]

    # --- the module's parts ------------------------------------------------------------------
    def _data_layout(self) -> Attribute:
        try:
            return data_layout(
                self.source.data_layout,
                lambda part: self.messages.warn(f"unhandled data layout token: {part}"),
            )
        except Unreadable as reason:
            raise self.messages.error(f"cannot translate data layout: {reason.args[0]}") from None

    def _add_comdats(self) -> None:
        """One operation with a selector for each comdat that something is in."""
        used = [
            found.comdat
            for found in (*self.source.variables, *self.source.functions)
            if found.comdat is not None
        ]
        if not used:
            return
        block = Block()
        self._last_global = self.builder.create(
            "llvm.comdat", (), (), {"sym_name": StringAttr(_COMDATS)}, regions=[Region(block)]
        )
        inside = Builder(block=block, location=self.builder.location)
        for name in dict.fromkeys(used):
            kind = IntegerAttr(ComdatAttr.cases[self.source.comdats[name]], i64)
            inside.create(
                "llvm.comdat_selector", (), (), {"sym_name": StringAttr(name), "comdat": kind}
            )
            self._comdats[name] = SymbolRefAttr(_COMDATS, [name])

    def _add_metadata(self) -> None:
        for options in linker_options(self.source):
            self.builder.create("llvm.linker_options", (), (), {"options": options})
        flags = module_flags(self.source, self.messages.as_text, self.messages.warn)
        if flags:
            self.builder.create("llvm.module_flags", (), (), {"flags": ArrayAttr(flags)})
        self.op.attributes.update(module_strings(self.source))

    def add_global(
        self,
        name: str,
        properties: Mapping[str, Attribute],
        region: Region | None = None,
        *,
        moves: bool = True,
    ) -> Operation:
        """Inserts a global's operation behind the last one. If it `moves`, it is the last now."""
        last = self._last_global
        self.builder.anchor = self.body.first_op if last is None else last.next_op
        regions = () if region is None else (region,)
        op = self.builder.create(name, (), (), properties, regions=regions)
        self.builder.anchor = None
        if moves:
            self._last_global = op
        return op

    def _function(self, function: Function) -> None:
        if function.is_intrinsic and has_operation(function.name):
            return
        properties = shared_properties(function)
        properties["sym_name"] = StringAttr(self.context.symbol(function.key))
        properties["function_type"] = function.type
        properties["CConv"] = CConvAttr(function.convention)
        properties.update(signature_attributes(function))
        properties.update(function_properties(function))
        properties.update(self._function_properties(function))
        location = self.context.debug.function_location(function)
        builder = Builder(block=self.body, location=location)
        op = builder.create("llvm.func", (), (), properties, regions=[Region()])
        function_metadata(self.messages, function, op)
        if function.blocks:
            function_body(self.context, function, op)

    def _function_properties(self, function: Function) -> dict[str, Attribute]:
        given = function.properties
        found: dict[str, Attribute] = {}
        personality = given.get("personality")
        if personality is not None:
            if personality.kind == "global":
                found["personality"] = SymbolRefAttr(self.context.symbol(personality.data))
            else:
                self.messages.warn("could not deduce personality, skipping it", function)
        if (collector := given.get("gc")) is not None:
            found["garbageCollector"] = StringAttr(collector)
        if (section := given.get("section")) is not None:
            found["section"] = StringAttr(section)
        if (align := given.get("align")) is not None:
            found["alignment"] = IntegerAttr(align, i64)
        if function.comdat is not None:
            found["comdat"] = self.comdat(function.comdat)
        return found


def _file(name: str) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(name), IntAttr(0), IntAttr(0))
