# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Global variables, constructors, aliases and ifuncs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Region

from xgpu.core import ods
from xgpu.dialects.llvm.attributes import UNNAMED_ADDR, VISIBILITY, LinkageAttr
from xgpu.frontend.llvm_ir.attribute_import import listed
from xgpu.frontend.llvm_ir.body_import import initializer
from xgpu.frontend.llvm_ir.constant_import import as_attribute
from xgpu.frontend.llvm_ir.context import Context
from xgpu.frontend.llvm_ir.debug_attributes import attribute
from xgpu.frontend.llvm_ir.debug_expressions import expression
from xgpu.frontend.llvm_ir.model import Alias, Function, GlobalObject, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import Attribute, Operation


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
