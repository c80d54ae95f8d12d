# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of what stands in a module: globals, aliases, comdats, constructors, flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Operation

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.symbols import lookup as find_symbol
from xgpu.core.ods.type_predicates import is_llvm_compatible
from xgpu.dialects.llvm.symbols import is_llvm_module, llvm_module, lookup, lookup_in_module
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
)
from xgpu.dialects.llvm.verify_memory import supports

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import Verifier
    from xgpu.dialects.llvm.attributes import LinkageAttr
    from xgpu.dialects.llvm.types import LLVMFunctionType


_NO_VALUES = (LLVMVoidType, LLVMTokenType, LLVMMetadataType, LLVMLabelType)
_ALIAS_LINKAGES = (
    *("external", "internal", "private", "weak", "weak_odr", "linkonce", "linkonce_odr"),
    "available_externally",
)


def _linkage(op: Operation) -> str:
    linkage = cast("LinkageAttr | None", op.properties.get("linkage"))
    return linkage.data if linkage is not None else "external"


def verify_comdat(op: llvm.FuncOp | llvm.MlirGlobalOp) -> None:
    """The comdat that `op` names is a selector."""
    reference = op.properties.get("comdat")
    if reference is None:
        return
    selector = lookup(op, reference)
    if selector is None or selector.name != "llvm.comdat_selector":
        raise error(op, "expected comdat symbol")


def _is_zero(value: Attribute) -> bool:
    if isinstance(value, (IntegerAttr, FloatAttr)):
        return value.value.data == 0
    if isinstance(value, ArrayAttr):
        return all(_is_zero(v) for v in value.data)
    if isinstance(value, DenseIntOrFPElementsAttr):
        return not any(value.data.data)  # a splat holds one element
    return False


def _is_value_type(t: Attribute) -> bool:
    return is_llvm_compatible(t) and not isinstance(t, _NO_VALUES)


def _global(op: llvm.MlirGlobalOp) -> None:
    properties = op.properties
    t, value = properties["global_type"], properties.get("value")
    if not _is_value_type(t):
        raise op_error(op, "expects type to be a valid element type for an LLVM global")
    parent = op.parent_op()
    if parent is not None and not is_llvm_module(parent):
        raise op_error(op, "must appear at the module level")
    if isinstance(value, StringAttr) and (
        not isinstance(t, LLVMArrayType)
        or t.element_type != IntegerType(8)
        or t.size != len(value.data.encode("utf-8", "surrogateescape"))
    ):
        raise op_error(
            op,
            "requires an i8 array type of the length equal to that of the string attribute",
        )
    if isinstance(t, LLVMTargetExtType):
        if not supports(t, "global"):
            raise op_error(op, "this target extension type cannot be used in a global")
        if value is not None:
            raise op_error(
                op,
                "global with target extension type can only be initialized with zero-initializer",
            )
    linkage = _linkage(op)
    if linkage == "common" and value is not None and not _is_zero(value):
        raise op_error(op, "expected zero value for 'common' linkage")
    if linkage == "appending" and not isinstance(t, LLVMArrayType):
        raise op_error(op, "expected array type for 'appending' linkage")
    verify_comdat(op)
    alignment = properties.get("alignment")
    if alignment is not None:
        number = alignment.value.data
        if number <= 0 or number & (number - 1):
            raise error(op, "alignment attribute is not a power of 2")


def _has_effects(op: Operation) -> bool:
    from xgpu.core.ir.effects import is_memory_effect_free

    return op.name != "llvm.return" and not is_memory_effect_free(op)


def _global_regions(op: Operation) -> None:
    block = op.regions[0].first_block
    if block is None:
        return
    last = block.last_op
    if last is not None and last.name == "llvm.return":
        t = op.properties["global_type"]
        if not last.operands:
            raise op_error(op, "initializer region cannot return void")
        if last.operands[0].type != t:
            raise op_error(
                op,
                f"initializer region type '{shown(last.operands[0].type)}' does not match global "
                f"type '{shown(t)}'",
            )
    for child in block.ops:
        if _has_effects(child):
            raise error(child, "ops with side effects not allowed in global initializers")
    if "value" in op.properties:
        raise op_error(op, "cannot have both initializer value and region")


def _alias(op: Operation) -> None:
    if not _is_value_type(op.properties["alias_type"]):
        raise op_error(op, "expects type to be a valid element type for an LLVM global alias")
    if _linkage(op) not in _ALIAS_LINKAGES:
        raise op_error(
            op,
            f"'{_linkage(op)}' linkage not supported in aliases, available options: private, "
            "internal, linkonce, weak, linkonce_odr, weak_odr, external or available_externally",
        )


def _alias_regions(op: Operation) -> None:
    block = op.regions[0].first_block
    last = block.last_op if block is not None else None
    if (
        last is None
        or last.name != "llvm.return"
        or not last.operands
        or not isinstance(last.operands[0].type, LLVMPointerType)
    ):
        raise op_error(op, "initializer region must always return a pointer")
    assert block is not None
    for child in block.ops:
        if _has_effects(child):
            raise error(child, "ops with side effects are not allowed in alias initializers")


def _returned(alias: Operation) -> SSAValue | None:
    """The address that an alias stands for."""
    block = alias.regions[0].first_block
    last = block.last_op if block is not None else None
    return last.operands[0] if last is not None and last.operands else None


def _ifunc(op: llvm.MlirIfuncOp) -> None:
    linkage = _linkage(op)
    if linkage not in _ALIAS_LINKAGES[:-1]:
        raise op_error(
            op,
            f"'{linkage}' linkage not supported in ifuncs, available options: private, internal, "
            "linkonce, weak, linkonce_odr, weak_odr, or external linkage",
        )
    resolver = lookup_in_module(op, op.resolver)
    while resolver is not None and resolver.name == "llvm.mlir.alias":
        value = _returned(resolver)
        source = value.owner if value is not None else None
        if not isinstance(source, Operation) or source.name != "llvm.mlir.addressof":
            return
        resolver = lookup_in_module(op, cast("SymbolRefAttr", source.properties["global_name"]))
    if resolver is None or resolver.name != "llvm.func":
        raise op_error(op, "must have a function resolver")
    if not resolver.regions[0].blocks or _linkage(resolver) == "available_externally":
        raise op_error(op, "resolver must be a definition")
    if not isinstance(
        cast("LLVMFunctionType", resolver.properties["function_type"]).result, LLVMPointerType
    ):
        raise op_error(op, "resolver must return a pointer")
    t = op.resolver_type
    space = cast("IntegerAttr | None", op.properties.get("address_space"))
    if not isinstance(t, LLVMPointerType) or t.address_space != (
        space.value.data if space is not None else 0
    ):
        raise op_error(op, "resolver has incorrect type")


def _addressof(op: llvm.MlirAddressofOp) -> None:
    if llvm_module(op) is None:
        return
    symbol = lookup_in_module(op, op.global_name)
    name = symbol.name if symbol is not None else ""
    if name not in ("llvm.mlir.global", "llvm.mlir.alias", "llvm.func", "llvm.mlir.ifunc"):
        raise op_error(
            op,
            "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or "
            "'llvm.func' or 'llvm.mlir.ifunc'",
        )
    space = op.results[0].type.address_space
    assert symbol is not None  # it has one of these names
    if name == "llvm.mlir.global":
        held = cast("IntegerAttr | None", symbol.properties.get("addr_space"))
        own = held.value.data if held is not None else 0
    elif name == "llvm.mlir.alias":
        value = _returned(symbol)
        own = getattr(value.type, "address_space", 0) if value is not None else 0
    else:
        return
    if own != space:
        raise op_error(
            op,
            "pointer address space must match address space of the referenced global or alias",
        )


def _dso_local_equivalent(op: llvm.DsoLocalEquivalentOp) -> None:
    symbol = lookup_in_module(op, op.function_name)
    if symbol is None or symbol.name not in ("llvm.func", "llvm.mlir.alias"):
        raise op_error(op, "must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'")
    if symbol.name == "llvm.mlir.alias":
        for child in symbol.walk():
            if child.name == "llvm.mlir.addressof":
                target = lookup_in_module(
                    child, cast("SymbolRefAttr", child.properties["global_name"])
                )
                if target is not None and target.name == "llvm.mlir.global":
                    raise op_error(op, "must reference an alias to a function")
    if _linkage(symbol) == "extern_weak":
        raise op_error(op, "target function with 'extern_weak' linkage not allowed")


def _structors(key: str) -> Verifier:
    def check(op: Operation) -> None:
        properties = cast("dict[str, ArrayAttr[Attribute]]", op.properties)
        data = properties["data"].data
        for element in data:
            if element.name != "llvm.zero" and not (
                isinstance(element, SymbolRefAttr) and not element.nested_references.data
            ):
                raise error(op, "data element must be symbol or #llvm.zero")
        functions = cast("ArrayAttr[SymbolRefAttr]", properties[key]).data
        if not len(functions) == len(properties["priorities"].data) == len(data):
            raise error(op, f"{key}, priorities, and data must have the same number of elements")
        for reference in functions:
            name = reference.root_reference.data
            function = lookup(op, reference)
            if function is None or function.name != "llvm.func":
                raise op_error(op, f"'{name}' does not reference a valid LLVM function")
            if not function.regions[0].blocks:
                raise op_error(op, f"'{name}' does not have a definition")

    return check


def _comdat_regions(op: Operation) -> None:
    for block in op.regions[0].blocks:
        for child in block.ops:
            if child.name != "llvm.comdat_selector":
                raise error(child, "only comdat selector symbols can appear in a comdat region")


def _at_module_level(op: Operation) -> None:
    parent = op.parent_op()
    if parent is not None and not is_llvm_module(parent):
        raise op_error(op, "must appear at the module level")


def _module_flags(op: llvm.ModuleFlagsOp) -> None:
    _at_module_level(op)
    for flag in op.flags.data:
        if flag.name != "llvm.mlir.module_flag":
            raise op_error(op, "expected a module flag attribute")


def _block_address(op: llvm.BlockaddressOp) -> None:
    address = op.properties["block_addr"]
    reference, tag = address.data[0], address.data[1]
    module = llvm_module(op)
    function = None
    if module is not None:
        function = find_symbol(module, reference.root_reference.data)
    if function is not None and function.name == "llvm.func":
        for child in function.walk():
            if child.name == "llvm.blocktag" and child.properties["tag"] == tag:
                return
    raise op_error(op, "expects an existing block label target in the referenced function")


GLOBAL_VERIFY: dict[str, Verifier] = {
    "llvm.mlir.global": _global,
    "llvm.mlir.alias": _alias,
    "llvm.mlir.ifunc": _ifunc,
    "llvm.mlir.addressof": _addressof,
    "llvm.dso_local_equivalent": _dso_local_equivalent,
    "llvm.mlir.global_ctors": _structors("ctors"),
    "llvm.mlir.global_dtors": _structors("dtors"),
    "llvm.linker_options": _at_module_level,
    "llvm.module_flags": _module_flags,
    "llvm.blockaddress": _block_address,
}
GLOBAL_VERIFY_REGIONS: dict[str, Verifier] = {
    "llvm.mlir.global": _global_regions,
    "llvm.mlir.alias": _alias_regions,
    "llvm.comdat": _comdat_regions,
}
