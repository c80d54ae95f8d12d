# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Global variables, aliases, ifuncs, comdats, constructors, and metadata operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.attributes import passthrough
from xgpu.backend.llvm_ir.constants import constant
from xgpu.backend.llvm_ir.context import ModuleContext, linkage
from xgpu.backend.llvm_ir.facts import (
    COMDAT,
    UNNAMED_ADDR,
    VISIBILITY,
    flag,
    number,
    prop,
    text_of,
)
from xgpu.backend.llvm_ir.function import FunctionWriter
from xgpu.backend.llvm_ir.literals import Unsupported
from xgpu.backend.llvm_ir.metadata import string
from xgpu.backend.llvm_ir.parts import Variable
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.core.ir.errors import error
from xgpu.dialects import llvm


def comdat(m: ModuleContext, op: Operation) -> None:
    for selector in op.regions[0].block.ops:
        name = symbol(text_of(prop(selector, "sym_name")))
        text = f"${name} = comdat {COMDAT[number(prop(selector, 'comdat'))]}"
        if any(line.startswith(f"${name} = ") for line in m.comdats):
            raise error(
                selector,
                "comdat selection symbols must be unique even in different comdat regions",
            )
        m.comdats.append(text)


def initializer(m: ModuleContext, op: Operation, what: str) -> str:
    """The constant that the initializer region of `op` returns."""
    w = FunctionWriter(m)
    for inner in op.regions[0].block.ops:
        if inner.name == "llvm.return":
            return w.values[inner.operands[0]]
        emit = m.emitters.get(inner.name)
        if emit is None:
            m.missing(inner)
        else:
            emit(w, inner)
        if w.current:
            raise error(inner, "unemittable constant value")
    raise error(op, f"fail to convert {what} initializer")


def variable(m: ModuleContext, op: Operation) -> None:
    if "mgpu.kernel" in op.attributes:
        from xgpu.backend.llvm_ir.gpu import kernel_global

        m.globals.append(kernel_global(m, op))
        return
    t = prop(op, "global_type")
    assert t is not None
    linked = linkage(op)
    kind = m.types(t)
    value: str | None = None
    attr = prop(op, "value")
    if isinstance(attr, StringAttr):
        raw = attr.data.encode("utf-8", "surrogateescape")
        kind, value = f"[{len(raw)} x i8]", f'c"{quoted(raw)}"'
        if not raw:
            value = "zeroinitializer"
    elif attr is not None:
        try:
            value = constant(attr, t, m.types)
        except Unsupported as reason:
            raise error(op, str(reason)) from None
    elif op.regions and op.regions[0].blocks:
        value = initializer(m, op, "global")
    dropped = linked == "extern_weak " or (linked == "" and value is None)
    if not dropped and value is None:
        value = "undef"
    if linked == "" and dropped:
        linked = "external "
    text = f"@{symbol(text_of(prop(op, 'sym_name')))} = {linked}"
    text += "dso_local " if flag(op, "dso_local") else ""
    text += VISIBILITY[number(prop(op, "visibility_"))]
    text += _thread_local(m, op)
    text += UNNAMED_ADDR[number(prop(op, "unnamed_addr"))]
    space = number(prop(op, "addr_space"))
    text += f"addrspace({space}) " if space else ""
    text += "externally_initialized " if flag(op, "externally_initialized") else ""
    text += ("constant " if flag(op, "constant") else "global ") + kind
    if not dropped:
        text += f" {value}"
    if (section := prop(op, "section")) is not None:
        text += f', section "{quoted(text_of(section))}"'
    if (selector := prop(op, "comdat")) is not None:
        text += f", comdat(${symbol(selector.nested_references.data[-1].data)})"  # pyright: ignore
    if align := number(prop(op, "alignment")):
        text += f", align {align}"
    name = text_of(prop(op, "sym_name"))
    if dropped:
        m.external.append(name)
    elif not (flag(op, "constant") or flag(op, "thread_local_") or space):
        m.variables.append(Variable(f"@{symbol(name)}", kind))
    for expression in _expressions(op):
        text += f", !dbg {m.debug_info.global_expression(expression)}"
    if (attrs := prop(op, "target_specific_attrs")) is not None:
        found = passthrough(op, attrs, "target_specific_attrs")
        text += "".join(f" {a}" for a in found)
    m.globals.append(text)


def _thread_local(m: ModuleContext, op: Operation) -> str:
    if not flag(op, "thread_local_"):
        return ""
    m.uses.features.add("thread_local")
    return "thread_local "


def _expressions(op: Operation) -> Sequence[Attribute]:
    attr = prop(op, "dbg_exprs")
    return attr.data if isinstance(attr, ArrayAttr) else ()


def alias(m: ModuleContext, op: Operation) -> None:
    t = prop(op, "alias_type")
    assert t is not None
    returned = op.regions[0].block.last_op
    assert returned is not None
    text = f"@{symbol(text_of(prop(op, 'sym_name')))} = {linkage(op)}"
    text += "dso_local " if flag(op, "dso_local") else ""
    text += VISIBILITY[number(prop(op, "visibility_"))]
    text += _thread_local(m, op)
    text += UNNAMED_ADDR[number(prop(op, "unnamed_addr"))]
    aliasee = initializer(m, op, "alias")
    text += f"alias {m.types(t)}, "
    # A constant expression stands without its type.
    if "(" in aliasee:
        text += aliasee
    else:
        text += f"{m.types(returned.operands[0].type)} {aliasee}"
    m.aliases.append(text)


def ifunc(m: ModuleContext, op: Operation) -> None:
    kind, resolver = prop(op, "i_func_type"), prop(op, "resolver")
    assert kind is not None
    assert isinstance(resolver, SymbolRefAttr)
    text = f"@{symbol(text_of(prop(op, 'sym_name')))} = {linkage(op)}"
    text += "dso_local " if flag(op, "dso_local") else ""
    text += VISIBILITY[number(prop(op, "visibility_"))]
    space = number(prop(op, "address_space"))
    pointer = f"ptr addrspace({space})" if space else "ptr"
    text += f"ifunc {m.types(kind)}, {pointer} @{symbol(resolver.string_value())}"
    m.aliases.append(text)


def constructors(m: ModuleContext, op: Operation) -> None:
    is_ctor = op.name == "llvm.mlir.global_ctors"
    listed = m.constructors if is_ctor else m.destructors
    names = prop(op, "ctors" if is_ctor else "dtors")
    priorities = prop(op, "priorities")
    assert isinstance(names, ArrayAttr)
    assert isinstance(priorities, ArrayAttr)
    if not names.data:
        m.empty_lists.add("llvm.global_ctors" if is_ctor else "llvm.global_dtors")
    for name, priority in zip(names.data, priorities.data, strict=False):
        listed.append((number(priority), f"@{symbol(name.string_value())}"))


#: The order in which MLIR creates them.
GLOBALS = (
    ("llvm.mlir.global", variable),
    ("llvm.mlir.alias", alias),
    ("llvm.mlir.global_ctors", constructors),
    ("llvm.mlir.global_dtors", constructors),
    ("llvm.mlir.ifunc", ifunc),
)


def linker_options(m: ModuleContext, op: Operation) -> None:
    options = prop(op, "options")
    assert isinstance(options, ArrayAttr)
    node = m.metadata.tuple([string(text_of(o)) for o in options.data])
    m.named.setdefault("llvm.linker.options", []).append(node)


def module_flags(m: ModuleContext, op: Operation) -> None:
    flags = prop(op, "flags")
    assert isinstance(flags, ArrayAttr)
    listed = m.named.setdefault("llvm.module.flags", [])
    for entry in flags.data:
        behavior, key, value = entry.data  # pyright: ignore[reportAttributeAccessIssue]
        text = _flag_value(m, op, value)
        n = number(behavior) if not isinstance(behavior, str) else _BEHAVIOR[behavior]
        listed.append(m.metadata.tuple([f"i32 {n}", string(text_of(key)), text]))


_BEHAVIOR = {
    "error": 1,
    "warning": 2,
    "require": 3,
    "override": 4,
    "append": 5,
    "append_unique": 6,
    "max": 7,
    "min": 8,
}


def _flag_value(m: ModuleContext, op: Operation, value: Attribute) -> str:
    md = m.metadata
    if isinstance(value, IntegerAttr):
        return f"i32 {number(value)}"
    if isinstance(value, StringAttr):
        return string(value.data)
    if isinstance(value, ArrayAttr):
        entries = []
        for entry in value.data:
            source, target, count = entry.data  # pyright: ignore[reportAttributeAccessIssue]
            ends = [
                f"ptr @{symbol(s.string_value())}" if s is not None else "null"
                for s in (source, target)
            ]
            entries.append(md.tuple([*ends, f"i64 {number(count)}"]))
        return md.tuple(entries, distinct=True)
    if value.name == "llvm.profile_summary":
        return _profile_summary(m, cast("llvm.ProfileSummaryAttr", value))
    raise error(op, "expected valid metadata")


def _profile_summary(m: ModuleContext, value: llvm.ProfileSummaryAttr) -> str:
    md = m.metadata
    kind, *numbers = value.data
    total, top, internal, function, counts, functions, partial, ratio, detailed = numbers
    parts = [md.tuple(['!"ProfileFormat"', string(text_of(kind))])]
    for name, n in (
        ("TotalCount", total),
        ("MaxCount", top),
        ("MaxInternalCount", internal),
        ("MaxFunctionCount", function),
        ("NumCounts", counts),
        ("NumFunctions", functions),
    ):
        parts.append(md.tuple([f'!"{name}"', f"i64 {number(n)}"]))
    if partial is not None:
        parts.append(md.tuple(['!"IsPartialProfile"', f"i64 {number(partial)}"]))
    if ratio is not None:
        text = constant(ratio, ratio.type, m.types)
        parts.append(md.tuple(['!"PartialProfileRatio"', f"double {text}"]))
    entries = [md.tuple([f"i64 {number(n)}" for n in d.data]) for d in detailed]
    parts.append(md.tuple(['!"DetailedSummary"', md.tuple(entries)]))
    return md.tuple(parts)


TOP_LEVEL = {
    "llvm.linker_options": linker_options,
    "llvm.module_flags": module_flags,
}
