# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C interface of a function: `@_mlir_ciface_<name>`, which takes pointers to descriptors.

Of a function with a body it is a wrapper that loads the descriptors and calls the function; of a
declaration it is what C defines, and the declaration gets a body that calls it. A result that is a
struct goes through a first argument that points to it. Source: MLIR 22.1 FuncToLLVM.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    MemRefType,
    StringAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.memref.descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FunctionType

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.dialects import func
    from xgpu.dialects.llvm import CallOp
    from xgpu.dialects.llvm.types import LLVMFunctionType


def _create_interface(
    op: Operation, rw: Conversion, region: Region
) -> tuple[Operation, Attribute | None]:
    """The function `@_mlir_ciface_...`, and the type that it returns through a pointer."""
    from xgpu.conversion.control_flow.function_attributes import kept_attributes

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
    from xgpu.core import ods

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
