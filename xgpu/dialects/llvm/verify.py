# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of the llvm dialect: functions, calls, globals, and the tables for the verifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, Data, Operation, SSAValue

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.symbols import lookup as find_symbol
from xgpu.core.ods.predicates import is_llvm_compatible
from xgpu.dialects import llvm
from xgpu.dialects.interfaces import Verifier, verify_attributes
from xgpu.dialects.llvm import verify_values
from xgpu.dialects.llvm.attributes import LinkageAttr, TailCallKindAttr
from xgpu.dialects.llvm.ops import is_llvm_module, llvm_module, lookup, lookup_in_module
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
)
from xgpu.dialects.llvm.verify_values import supports

# -- Verifiers of calls, returns and exception handling of the llvm dialect.


def _callee_operands(op: Operation) -> list[SSAValue]:
    segments = cast("DenseArrayBase[IntegerType] | None", op.properties.get("operandSegmentSizes"))
    count = int(segments.get_values()[0]) if segments is not None else len(op.operands)
    return list(op.operands[:count])


def _arguments(op: Operation) -> list[SSAValue]:
    return _callee_operands(op)[0 if "callee" in op.properties else 1 :]


def verify_bundles(
    op: llvm.CallOp | llvm.CallIntrinsicOp | llvm.InvokeOp | llvm.IntrAssumeOp,
) -> None:
    """Each operand bundle has a tag, which is a string."""
    sizes = cast("DenseArrayBase[IntegerType] | None", op.properties.get("op_bundle_sizes"))
    tags = op.properties.get("op_bundle_tags")
    names = [] if tags is None else tags.data
    if any(not isinstance(tag, StringAttr) for tag in names):
        raise error(op, "operand bundle tag must be a StringAttr")
    count = 0 if sizes is None else len(sizes.get_values())
    if count != len(names):
        raise error(op, f"expected {count} operand bundle tags, but actually got {len(names)}")


def _variadic_type(op: Operation) -> None:
    kind = op.properties.get("var_callee_type")
    if not isinstance(kind, LLVMFunctionType):
        return
    arguments = _arguments(op)
    if not kind.variadic:
        raise op_error(op, "expected var_callee_type to be a variadic function type")
    if len(kind.arguments) > len(arguments):
        raise op_error(op, f"expected var_callee_type to have at most {len(arguments)} parameters")
    for wanted, argument in zip(kind.arguments, arguments, strict=False):
        if wanted != argument.type:
            raise op_error(
                op,
                f"var_callee_type parameter type mismatch: '{shown(wanted)}' != "
                f"'{shown(argument.type)}'",
            )
    if not op.results:
        if not isinstance(kind.result, LLVMVoidType):
            raise op_error(op, "expected var_callee_type to return void")
    elif op.results[0].type != kind.result:
        raise op_error(
            op,
            f"var_callee_type return type mismatch: '{shown(kind.result)}' != "
            f"'{shown(op.results[0].type)}'",
        )


def _has_subprogram(op: Operation) -> bool:

    location = op.location
    if location.name in ("unknown_loc", "file_line_range"):
        return False
    return "di_subprogram" in shown(location)


def _call(op: llvm.CallOp) -> None:
    verify_bundles(op)
    _variadic_type(op)
    callee = op.properties.get("callee")
    if callee is None:
        if not op.operands:
            raise op_error(op, "must have either a `callee` attribute or at least an operand")
        if not isinstance(op.operands[0].type, LLVMPointerType):
            raise op_error(
                op,
                f"indirect call expects a pointer as callee: '{shown(op.operands[0].type)}'",
            )
        return
    function = lookup(op, callee)
    name = callee.root_reference.data
    if function is None:
        raise op_error(op, f"'{name}' does not reference a symbol in the current scope")
    if function.name == "llvm.func":
        _call_location(op, function)
        kind = function.properties["function_type"]
    elif function.name == "llvm.mlir.ifunc":
        kind = function.properties["i_func_type"]
    elif function.name == "llvm.mlir.alias":
        return
    else:
        raise op_error(op, f"'{name}' does not reference a valid LLVM function or IFunc")
    if not isinstance(kind, LLVMFunctionType):
        raise op_error(op, f"callee does not have a functional type: '{shown(kind)}'")
    _against(op, kind)


def _call_location(op: Operation, function: Operation) -> None:
    if not isinstance(op.location, UnknownLoc) or not function.regions[0].blocks:
        return
    parent = op.parent_op()
    while parent is not None and not parent.name.endswith(".func"):
        parent = parent.parent_op()
    if parent is not None and _has_subprogram(parent) and _has_subprogram(function):
        raise error(
            op,
            "inlinable function call in a function with a DISubprogram location must have a "
            "debug location",
        )


def _against(op: Operation, kind: LLVMFunctionType) -> None:
    """The call agrees with the function's type."""
    operands, wanted = _callee_operands(op), kind.arguments
    if kind.variadic and "var_callee_type" not in op.properties:
        raise op_error(op, "missing var_callee_type attribute for vararg call")
    if not kind.variadic and len(wanted) != len(operands):
        raise op_error(
            op,
            f"incorrect number of operands ({len(operands)}) for callee (expecting: {len(wanted)})",
        )
    if len(wanted) > len(operands):
        raise op_error(
            op,
            f"incorrect number of operands ({len(operands)}) for varargs callee (expecting at "
            f"least: {len(wanted)})",
        )
    for place, (t, operand) in enumerate(zip(wanted, operands, strict=False)):
        if operand.type != t:
            raise op_error(
                op,
                f"operand type mismatch for operand {place}: '{shown(operand.type)}' != "
                f"'{shown(t)}'",
            )
    void = isinstance(kind.result, LLVMVoidType)
    if not op.results and not void:
        raise op_error(op, "expected function call to produce a value")
    if op.results and void:
        raise op_error(op, "calling function with void result must not produce values")
    if len(op.results) > 1:
        raise op_error(op, "expected LLVM function call to produce 0 or 1 result")
    if op.results and op.results[0].type != kind.result:
        raise op_error(
            op,
            f"result type mismatch: '{shown(op.results[0].type)}' != '{shown(kind.result)}'",
        )


def _invoke(op: llvm.InvokeOp) -> None:
    _variadic_type(op)
    unwind = op.successors[1]
    if unwind.first_op is None:
        raise error(op, "must have at least one operation in unwind destination")
    if unwind.first_op.name != "llvm.landingpad":
        raise error(
            op,
            "first operation in unwind destination should be a llvm.landingpad operation",
        )
    verify_bundles(op)


def _defining(value: SSAValue) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) else None


def _landingpad(op: llvm.LandingpadOp) -> None:
    function = op.parent_op()
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is not None and "personality" not in function.properties:
        raise error(op, "llvm.landingpad needs to be in a function with a personality")
    if "cleanup" not in op.properties and not op.operands:
        raise error(op, "landingpad instruction expects at least one clause or cleanup attribute")
    for place, value in enumerate(op.operands):
        if isinstance(value.type, LLVMArrayType):
            continue
        source = _defining(value)
        name = source.name if source is not None else ""
        if source is not None and name == "llvm.bitcast":
            address = _defining(source.operands[0])
            if address is None or address.name != "llvm.mlir.addressof":
                note = "global addresses expected as operand to bitcast used in clauses for "
                raise error(
                    op, "constant clauses expected", [(source.location, note + "landingpad")]
                )
        elif name not in ("llvm.mlir.zero", "llvm.mlir.addressof"):
            raise error(op, f"clause #{place} is not a known constant - null, addressof, bitcast")


def _return(op: Operation) -> None:
    function = op.parent_op()
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is None:
        return
    wanted = cast("LLVMFunctionType", function.properties["function_type"]).result
    note = [(function.location, "when returning from function")]
    if isinstance(wanted, LLVMVoidType):
        if op.operands:
            raise op_error(op, "expected no operands", note)
    elif not op.operands:
        raise op_error(op, "expected 1 operand", note)
    elif op.operands[0].type != wanted:
        raise op_error(op, "mismatching result types", note)


def _call_intrinsic(op: llvm.CallIntrinsicOp) -> None:
    if not op.intrin.data.startswith("llvm."):
        raise op_error(op, "intrinsic name must start with 'llvm.'")
    verify_bundles(op)


def _inline_asm(op: Operation) -> None:
    kind = cast("TailCallKindAttr | None", op.properties.get("tail_call_kind"))
    if kind is not None and kind.data == "musttail":
        raise op_error(op, "tail call kind 'musttail' is not supported by this operation")


CALL_VERIFY: dict[str, Verifier] = {
    "llvm.call": _call,
    "llvm.invoke": _invoke,
    "llvm.landingpad": _landingpad,
    "llvm.return": _return,
    "llvm.call_intrinsic": _call_intrinsic,
    "llvm.intr.assume": verify_bundles,
    "llvm.inline_asm": _inline_asm,
}


# -- Verifiers of what stands in a module: globals, aliases, comdats, constructors, flags.


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


if TYPE_CHECKING:
    _Op = TypeVar("_Op", bound="Operation")


# -- Functions, and the tables for the verifier.


def _func(op: llvm.FuncOp) -> None:
    properties = op.properties
    kind = properties["function_type"]
    results = () if isinstance(kind.result, LLVMVoidType) else (kind.result,)
    verify_attributes(op, kind.arguments, results)
    entry = op.regions[0].first_block
    linkage = properties["linkage"].data if "linkage" in properties else "external"
    if entry is not None:
        _entry(op, entry, kind)
    if linkage == "common":
        raise op_error(op, "functions cannot have 'common' linkage")
    verify_comdat(op)
    if entry is None:
        if linkage not in ("external", "extern_weak"):
            raise op_error(op, "external functions must have 'external' or 'extern_weak' linkage")
        return
    if "no_inline" in properties and "always_inline" in properties:
        raise error(op, "no_inline and always_inline attributes are incompatible")
    if "optimize_none" in properties and "no_inline" not in properties:
        raise op_error(op, "with optimize_none must also be no_inline")
    _body(op)


def _entry(op: Operation, entry: Block, kind: LLVMFunctionType) -> None:
    if len(entry.args) != len(kind.arguments):
        raise op_error(
            op,
            f"entry block must have {len(kind.arguments)} arguments to match function signature",
        )
    for place, (argument, wanted) in enumerate(zip(entry.args, kind.arguments, strict=True)):
        if argument.type != wanted:
            raise op_error(
                op,
                f"type of entry block argument #{place}('{shown(argument.type)}') must match the "
                f"type of the corresponding argument in function signature('{shown(wanted)}')",
            )


def _body(op: llvm.FuncOp) -> None:
    """One type for all that exceptions carry; block tags that differ."""
    exception, tags = None, set()
    for block in op.regions[0].blocks:
        for child in block.ops:
            name = child.name
            if name == "llvm.landingpad":
                t = child.results[0].type
                words = "'llvm.landingpad' should have a consistent result"
            elif name == "llvm.resume":
                t, words = child.operands[0].type, "'llvm.resume' should have a consistent input"
            elif name == "llvm.blocktag":
                tag = cast("Data[tuple[int]]", child.properties["tag"])
                if tag in tags:
                    raise error(
                        child, f"duplicate block tag '{tag.data[0]}' in the same function: "
                    )
                tags.add(tag)
                continue
            else:
                continue
            if exception is not None and exception != t:
                raise error(op, f"{words} type inside a function")
            exception = t


def _func_regions(op: Operation) -> None:
    entry = op.regions[0].first_block
    if entry is None:
        return
    for place, argument in enumerate(entry.args):
        if not is_llvm_compatible(argument.type):
            raise op_error(op, f"entry block argument #{place} is not of LLVM type")


def _weights(op: Operation) -> None:
    """As many branch weights as successors, not all zero."""
    given = cast("DenseArrayBase[IntegerType] | None", op.properties.get("branch_weights"))
    weights = [] if given is None else list(given.get_values())
    if not weights:
        return
    if len(weights) != len(op.successors):
        raise error(
            op,
            "expects number of branch weights to match number of successors: "
            f"{len(weights)} vs {len(op.successors)}",
        )
    if not any(weights):
        raise error(op, "branch weights cannot all be zero")


def _weighted(check: Callable[[_Op], None]) -> Callable[[_Op], None]:
    def both(op: _Op) -> None:
        _weights(op)
        check(op)

    return both


VERIFY: dict[str, Verifier] = {
    "llvm.func": _func,
    **verify_values.MEMORY_VERIFY,
    **verify_values.VALUE_VERIFY,
    **CALL_VERIFY,
    **GLOBAL_VERIFY,
    "llvm.cond_br": _weights,
    "llvm.switch": _weighted(verify_values.VALUE_VERIFY["llvm.switch"]),
    "llvm.invoke": _weighted(CALL_VERIFY["llvm.invoke"]),
}
VERIFY_REGIONS: dict[str, Verifier] = {
    "llvm.func": _func_regions,
    **GLOBAL_VERIFY_REGIONS,
}
