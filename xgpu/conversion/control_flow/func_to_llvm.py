# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-func-to-llvm`: functions, calls and returns in the calling convention for memrefs, and
the C interface of functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute

from xgpu.conversion.memref_descriptor import (
    MemRefDescriptor,
    UnrankedDescriptor,
    unranked_size_in_bytes,
)
from xgpu.conversion.to_llvm import INDEX_BITWIDTH
from xgpu.core import ods
from xgpu.core.ir.blocks import take_region
from xgpu.core.ir.errors import Diagnostic
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMStructType, LLVMVoidType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.dialects import func
    from xgpu.dialects.llvm import CallOp


# --- function attributes -------------------------------------------------------------------------
# Which attributes of a function its llvm.func keeps.


#: Attributes of func.func that are said in another way.
_NOT_KEPT = frozenset(("llvm.linkage", "llvm.readnone", "func.varargs"))


def kept_attributes(op: Operation) -> dict[str, Attribute]:
    """The discardable attributes that go along. Those that llvm.func has become its own."""
    return {name: value for name, value in op.attributes.items() if name not in _NOT_KEPT}


# --- promotion -----------------------------------------------------------------------------------
# Operands of calls: a memref's descriptor becomes its members, or its pointer.


def promote_operands(
    rw: Conversion, types: Sequence[Attribute], values: Sequence[SSAValue], *, bare: bool
) -> list[SSAValue]:
    """The arguments of a call for `values`, whose types before the conversion were `types`."""
    result: list[SSAValue] = []
    for ty, value in zip(types, values, strict=True):
        if isinstance(value, tuple):
            result.extend(value)
        elif isinstance(ty, MemRefType):
            descriptor = MemRefDescriptor(rw, value)
            if bare:
                result.append(descriptor.aligned())
            else:
                result.extend(descriptor.unpack())
        elif isinstance(ty, UnrankedMemRefType):
            if bare:
                raise NoMatch("unranked memrefs have no bare pointer")
            result.extend(UnrankedDescriptor(rw, value).unpack())
        else:
            result.append(value)
    return result


# --- unranked ------------------------------------------------------------------------------------
# Memrefs of unknown rank that cross functions: the ranked descriptor travels on the heap.
#
# Returned ones are copied to memory of `malloc`; the caller copies them to its stack and frees
# that. Source: MLIR 22.1 ConvertToLLVMPattern::copyUnrankedDescriptor.


def copy_unranked(
    op: Operation,
    rw: Conversion,
    types: Sequence[Attribute],
    values: Sequence[SSAValue],
    *,
    to_heap: bool,
) -> list[SSAValue]:
    """`values`, whose old types are `types`, with the unranked ones copied to the heap, or from
    there to the stack."""
    return [
        _copy(op, rw, value, to_heap) if isinstance(ty, UnrankedMemRefType) else value
        for ty, value in zip(types, values, strict=True)
    ]


def _copy(op: Operation, rw: Conversion, value: SSAValue, to_heap: bool) -> SSAValue:
    types = cast("LLVMTypeConverter", rw.types)
    table = llvm.symbol_table(op)
    # MLIR declares both, whichever it needs.
    free = llvm.declare(rw, table, "free", (llvm.POINTER,), llvm.VOID)
    malloc = llvm.declare(rw, table, "malloc", (types.index,), llvm.POINTER)
    source = UnrankedDescriptor(rw, value)
    size = unranked_size_in_bytes(rw, types, source, 0)
    if to_heap:
        memory = llvm.call(rw, llvm.reference(malloc), [size], llvm.POINTER).results[0]
    else:
        memory = llvm.alloca(rw, size, llvm.I8)
    pointer = source.pointer()
    llvm.memcpy(rw, memory, pointer, size)
    if not to_heap:
        llvm.call(rw, llvm.reference(free), [pointer], None)
    target = UnrankedDescriptor.poison(rw, value.type)
    target.set_rank(source.rank())
    target.set_pointer(memory)
    return target.value


# --- c interface ---------------------------------------------------------------------------------
# The C interface of a function: `@_mlir_ciface_<name>`, which takes pointers to descriptors.
#
# Of a function with a body it is a wrapper that loads the descriptors and calls the function; of a
# declaration it is what C defines, and the declaration gets a body that calls it. A result that is
# a struct goes through a first argument that points to it. Source: MLIR 22.1 FuncToLLVM.cpp.


def _create_interface(
    op: Operation, rw: Conversion, region: Region
) -> tuple[Operation, Attribute | None]:
    """The function `@_mlir_ciface_...`, and the type that it returns through a pointer."""
    types = cast("LLVMTypeConverter", rw.types)
    signature = types.c_signature(cast("FunctionType", op.properties["function_type"]))
    if signature is None:
        raise NoMatch("failed to convert the signature of the C interface")
    ty, returned = signature
    name = op.properties["sym_name"]
    assert isinstance(name, StringAttr)
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(f"_mlir_ciface_{name.data}"),
        "function_type": ty,
        **_attributes_of_values(op, returned is not None),
    }
    visibility = op.properties.get("sym_visibility")
    if visibility is not None:
        properties["sym_visibility"] = visibility
    function = rw.create(
        "llvm.func",
        properties=properties,
        attributes=kept_attributes(op),
        regions=(region,),
    )
    return function, returned


def _attributes_of_values(op: Operation, through_pointer: bool) -> dict[str, Attribute]:
    """Attributes of arguments and results. Those of results that go through memory are lost."""
    result: dict[str, Attribute] = {}
    results = op.properties.get("res_attrs")
    if results is not None and not through_pointer:
        result["res_attrs"] = results
    arguments = op.properties.get("arg_attrs")
    if isinstance(arguments, ArrayAttr):
        first = (DictionaryAttr({}),) if through_pointer else ()
        result["arg_attrs"] = ArrayAttr([*first, *arguments.data])
    return result


def wrap_body(op: Operation, function: Operation, rw: Conversion) -> None:
    """Adds the wrapper of `function`, which took the place of `op`."""
    region = Region(Block())
    wrapper, returned = _create_interface(op, rw, region)
    ty = cast("LLVMFunctionType", wrapper.properties["function_type"])
    block = region.blocks[0]
    for i, argument_type in enumerate(ty.arguments):
        block.insert_arg(argument_type, i, op.location)
    after = cast("func.FuncOp | None", rw.anchor)
    rw.at_end(block)
    old_type = cast("FunctionType", op.properties["function_type"])
    parameters = list(block.args)[1 if returned is not None else 0 :]
    arguments: list[SSAValue] = []
    for argument_type, value in zip(old_type.inputs.data, parameters, strict=True):
        arguments.extend(_loaded(rw, argument_type, value))
    callee_type = cast("LLVMFunctionType", function.properties["function_type"])
    call = cast("CallOp", llvm.call(rw, llvm.reference(function), arguments, callee_type.result))
    results = list(call.results)
    if returned is not None:
        llvm.store(rw, results[0], block.args[0])
        results = []
    rw.create("llvm.return", results)
    assert after is not None
    rw.before(after)


def _loaded(rw: Conversion, ty: Attribute, value: SSAValue) -> list[SSAValue]:
    """The arguments of the function for an argument of the wrapper."""
    if isinstance(ty, MemRefType):
        return MemRefDescriptor(rw, llvm.load(rw, value, rw.convert_type(ty))).unpack()
    if isinstance(ty, UnrankedMemRefType):
        return UnrankedDescriptor(rw, llvm.load(rw, value, rw.convert_type(ty))).unpack()
    return [value]


def wrap_declaration(op: Operation, function: Operation, rw: Conversion) -> None:
    """Declares the C function and gives `function`, a declaration, a body that calls it."""
    types = cast("LLVMTypeConverter", rw.types)
    wrapper, returned = _create_interface(op, rw, Region())
    function.properties["linkage"] = ods.enum("llvm.linkage", "private")
    ty = cast("LLVMFunctionType", function.properties["function_type"])
    block = Block()
    function.regions[0].add_block(block)
    for i, argument_type in enumerate(ty.arguments):
        block.insert_arg(argument_type, i, op.location)
    after = rw.anchor
    rw.at_end(block)
    arguments: list[SSAValue] = []
    if returned is not None:
        arguments.append(_on_stack(rw, returned))
    parameters = list(block.args)
    old_type = cast("FunctionType", op.properties["function_type"])
    for argument_type in old_type.inputs.data:
        if isinstance(argument_type, MemRefType):
            count = 3 + 2 * argument_type.get_num_dims()
            packed = MemRefDescriptor.pack(rw, types, argument_type, parameters[:count]).value
        elif isinstance(argument_type, UnrankedMemRefType):
            count = 2
            packed = UnrankedDescriptor.pack(rw, types, argument_type, parameters[:count]).value
        else:
            group = types.convert(argument_type)
            count = len(group) if isinstance(group, tuple) else 1
            arguments.extend(parameters[:count])
            del parameters[:count]
            continue
        del parameters[:count]
        memory = _on_stack(rw, packed.type)
        llvm.store(rw, packed, memory)
        arguments.append(memory)
    wrapper_type = cast("LLVMFunctionType", wrapper.properties["function_type"])
    call = llvm.call(rw, llvm.reference(wrapper), arguments, wrapper_type.result)
    results = list(call.results)
    if returned is not None:
        results = [llvm.load(rw, arguments[0], returned)]
    rw.create("llvm.return", results)
    assert after is not None
    rw.before(after)


def _on_stack(rw: Conversion, ty: Attribute) -> SSAValue:
    types = cast("LLVMTypeConverter", rw.types)
    return llvm.alloca(rw, llvm.index_constant(rw, 1, types.index), ty)


# --- func to llvm --------------------------------------------------------------------------------
# `convert-func-to-llvm`: functions, calls and returns in the calling convention for memrefs.
#
#     func.func @f(%m: memref<?xf32>) -> (index, f32)
#     =>
#     llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr, %o: i64, %n: i64, %s: i64)
#       -> !llvm.struct<(i64, f32)>
#
# A memref argument comes as the members of its descriptor, or as one pointer (`llvm.bareptr` on the
# function, or the pass's option); several results come as a struct. `llvm.emit_c_interface` adds
# `@_mlir_ciface_f` (see above). Source: MLIR 22.1 FuncToLLVM.cpp.


#: Attributes of an argument that name a type, which is converted too.
_TYPED = ("llvm.byval", "llvm.byref", "llvm.inalloca", "llvm.preallocated", "llvm.sret")


def lower_func(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    function_type = cast("FunctionType", op.properties["function_type"])
    variadic = is_variadic(op)
    bare = uses_bare_pointers(op, rw)
    signature = types.signature(function_type, variadic=variadic, bare=bare)
    if signature is None:
        raise NoMatch(f"failed to convert function signature type for: {function_type}")
    emits_c_interface = "llvm.emit_c_interface" in op.attributes
    if variadic and emits_c_interface:
        # As in MLIR, the function stays and the pass goes on.
        emit(
            Diagnostic(
                "error", "C interface for variadic functions is not supported yet.", op.location
            )
        )
        raise NoMatch("no C interface for variadic functions")
    groups, llvm_type = signature
    properties = function_properties(op, rw, groups, llvm_type)
    entry = op.regions[0].first_block
    if entry is not None:
        rw.convert_block_signature(entry, groups)
    function = rw.create(
        "llvm.func",
        properties=properties,
        attributes=kept_attributes(op),
        regions=(take_region(op, 0),),
    )
    if emits_c_interface and not bare:
        if entry is None:
            wrap_declaration(op, function, rw)
        else:
            wrap_body(op, function, rw)
    return ()


def is_variadic(op: Operation) -> bool:
    flag = op.attributes.get("func.varargs")
    return isinstance(flag, IntegerAttr) and bool(flag.value.data)


def uses_bare_pointers(op: Operation, rw: Conversion) -> bool:
    """Whether memrefs cross the function `op` as one pointer each."""
    types = cast("LLVMTypeConverter", rw.types)
    return types.bare_pointers or "llvm.bareptr" in op.attributes


def function_properties(
    op: Operation,
    rw: Conversion,
    groups: Sequence[Attribute | tuple[Attribute, ...]],
    llvm_type: LLVMFunctionType,
) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {
        "sym_name": op.properties["sym_name"],
        "function_type": llvm_type,
    }
    visibility = op.properties.get("sym_visibility")
    if visibility is not None:
        properties["sym_visibility"] = visibility
    linkage = op.attributes.get("llvm.linkage")
    if linkage is not None:
        if linkage.name != "llvm.linkage":
            message = "Contains llvm.linkage attribute not of type LLVM::LinkageAttr"
            emit(Diagnostic("error", message, op.location))
            raise NoMatch(message)
        properties["linkage"] = linkage
    if "llvm.readnone" in op.attributes:
        none = ods.attr_class("llvm.memory_effects")
        properties["memory_effects"] = none(*("none",) * 6)
    arguments = argument_attributes(op, rw, groups)
    if arguments is not None:
        properties["arg_attrs"] = arguments
    results = op.properties.get("res_attrs")
    if isinstance(results, ArrayAttr) and len(results.data) == 1:
        properties["res_attrs"] = ArrayAttr([_convert_types(rw, results.data[0])])
    return properties


def argument_attributes(
    op: Operation,
    rw: Conversion,
    groups: Sequence[Attribute | tuple[Attribute, ...]],
) -> ArrayAttr[Attribute] | None:
    """The attributes of the new arguments. One that became several loses its own."""
    old = op.properties.get("arg_attrs")
    if not isinstance(old, ArrayAttr):
        return None
    new: list[Attribute] = []
    for attributes, group in zip(old.data, groups, strict=True):
        if isinstance(group, tuple) and len(group) != 1:
            new.extend(DictionaryAttr({}) for _ in group)
        else:
            new.append(_convert_types(rw, attributes))
    return ArrayAttr(new)


def _convert_types(rw: Conversion, attributes: Attribute) -> Attribute:
    """Converts the types that attributes of an argument or result name, as in `llvm.byval`."""
    assert isinstance(attributes, DictionaryAttr)
    if not any(name in attributes.data for name in _TYPED):
        return attributes
    return DictionaryAttr(
        {
            name: rw.convert_type(value)
            if name in _TYPED and isinstance(value, TypeAttribute)
            else value
            for name, value in attributes.data.items()
        }
    )


def _callee_is_bare(op: Operation, rw: Conversion) -> bool:
    """Whether the called function has `llvm.bareptr`. Functions are looked at once."""
    types = cast("LLVMTypeConverter", rw.types)
    if types.bare_pointers:
        return True
    names: set[str] | None = rw.cache.get("bare pointer functions")
    if names is None:
        names = set()
        for candidate in rw.root.walk():
            name = cast("StringAttr | None", candidate.properties.get("sym_name"))
            if "llvm.bareptr" in candidate.attributes and isinstance(name, StringAttr):
                names.add(name.data)
        rw.cache["bare pointer functions"] = names
    callee = op.properties.get("callee")
    return isinstance(callee, SymbolRefAttr) and callee.string_value() in names


def lower_call(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue | tuple[SSAValue, ...]]:
    return _lower_call(op, list(op.operands), operands, rw, _callee_is_bare(op, rw))


def lower_call_indirect(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue | tuple[SSAValue, ...]]:
    types = cast("LLVMTypeConverter", rw.types)
    return _lower_call(op, list(op.operands), operands, rw, types.bare_pointers)


def _lower_call(
    op: Operation, old: list[SSAValue], operands: Sequence[SSAValue], rw: Conversion, bare: bool
) -> Sequence[SSAValue | tuple[SSAValue, ...]]:
    types = cast("LLVMTypeConverter", rw.types)
    result_types = [result.type for result in op.results]
    packed = cast(
        "AnyFloat | LLVMPointerType | LLVMStructType | LLVMVoidType | None",
        types.packed_results(result_types, bare=bare),
    )
    if packed is None:
        raise NoMatch("failed to convert the results of the call")
    arguments = promote_operands(rw, [v.type for v in old], operands, bare=bare)
    properties: dict[str, Attribute] = {}
    if "no_inline" in op.properties:
        properties["no_inline"] = op.properties["no_inline"]
    for name, count in (("arg_attrs", len(arguments)), ("res_attrs", 1)):
        value = op.properties.get(name)
        if isinstance(value, ArrayAttr) and len(value.data) == count:
            properties[name] = value
    callee = cast("SymbolRefAttr", op.properties.get("callee"))
    call = cast("CallOp", llvm.call(rw, callee, arguments, packed, properties, op.attributes))
    groups = [types.call_type(ty, bare=bare) for ty in result_types]
    if any(isinstance(group, tuple) for group in groups):
        return _grouped_results(rw, groups, call)
    results = list(call.results)
    if len(result_types) > 1:
        results = [llvm.extract(rw, call.results[0], i) for i in range(len(result_types))]
    if bare:
        return [_from_bare(rw, ty, v) for ty, v in zip(result_types, results, strict=True)]
    return copy_unranked(op, rw, result_types, results, to_heap=False)


def _grouped_results(
    rw: Conversion, groups: Sequence[object], call: Operation
) -> Sequence[SSAValue | tuple[SSAValue, ...]]:
    """The results of a call where some stand for one value together."""
    count = sum(len(group) if isinstance(group, tuple) else 1 for group in groups)
    values = (
        list(call.results)
        if count == 1
        else [llvm.extract(rw, call.results[0], i) for i in range(count)]
    )
    found: list[SSAValue | tuple[SSAValue, ...]] = []
    at = 0
    for group in groups:
        size = len(group) if isinstance(group, tuple) else 1
        found.append(tuple(values[at : at + size]) if isinstance(group, tuple) else values[at])
        at += size
    return found


def _from_bare(rw: Conversion, ty: Attribute, value: SSAValue) -> SSAValue:
    types = cast("LLVMTypeConverter", rw.types)
    if not isinstance(ty, MemRefType):
        return value
    return MemRefDescriptor.from_static_shape(rw, types, ty, value).value


def _pieces(value: SSAValue | tuple[SSAValue, SSAValue]) -> tuple[SSAValue, ...]:
    """The values that a converted operand consists of."""
    return value if isinstance(value, tuple) else (value,)


def lower_return(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    function = op.parent_op()
    old_types = [v.type for v, new in zip(op.operands, operands, strict=True) for _ in _pieces(new)]
    values = [piece for new in operands for piece in _pieces(new)]
    bare = types.bare_pointers or (function is not None and "llvm.bareptr" in function.attributes)
    if bare and any(isinstance(ty, UnrankedMemRefType) for ty in old_types):
        raise NoMatch("unranked memrefs have no bare pointer")
    struct = None
    if len(values) > 1:
        struct = types.packed_results([v.type for v in op.operands], bare=bare)
        if struct is None:
            raise NoMatch("could not convert result types")
    if bare:
        values = [
            MemRefDescriptor(rw, v).allocated() if types.can_be_bare(ty) else v
            for ty, v in zip(old_types, values, strict=True)
        ]
    else:
        values = copy_unranked(op, rw, old_types, values, to_heap=True)
    if struct is not None:
        packed = llvm.poison(rw, struct)
        for i, value in enumerate(values):
            packed = llvm.insert(rw, packed, value, i)
        values = [packed]
    rw.create("llvm.return", values, attributes=op.attributes)
    return ()


def lower_constant(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = rw.convert_type(op.results[0].type)
    name = {"global_name": op.properties["value"]}
    return [rw.value("llvm.mlir.addressof", (), ty, name, op.attributes)]


RULES: dict[str, Rule] = {
    "func.call": lower_call,
    "func.call_indirect": lower_call_indirect,
    "func.constant": lower_constant,
    "func.func": lower_func,
    "func.return": lower_return,
}


class ConvertFuncToLLVMPass(Pass):
    """Lowers functions, calls and returns to the llvm dialect."""

    name = "convert-func-to-llvm"
    summary = "Convert from the Func dialect to the LLVM dialect"
    anchor = "builtin.module"
    options = (
        Option(
            "use-bare-ptr-memref-call-conv",
            bool,
            False,
            "Replace FuncOp's MemRef arguments with bare pointers to the MemRef element types",
        ),
        INDEX_BITWIDTH,
    )

    use_bare_ptr_memref_call_conv: bool
    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter, index_width

        types = LLVMTypeConverter(
            self.index_bitwidth or index_width(op),
            bare_pointers=self.use_bare_ptr_memref_call_conv,
        )
        convert(op, RULES, types)
