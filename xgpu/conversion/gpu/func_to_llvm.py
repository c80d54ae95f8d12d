# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu.func, gpu.return and shared memory for NVVM.

    gpu.func @k(%a: T) workgroup(%w : memref<8xf32, #gpu.address_space<workgroup>>) kernel
    =>
    llvm.mlir.global internal @__wg_k_0() {addr_space = 3 : i32} : !llvm.array<8 x f32>
    llvm.func @k(...) attributes {gpu.kernel, nvvm.kernel}

Private buffers become allocas at the function's start. Source: MLIR 22.1 GPUOpsLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.conversion.launch.kernel_signature import Convention, KernelSignature
from xgpu.conversion.memref.descriptor import MemRefDescriptor
from xgpu.core import ods
from xgpu.core.ir.fields import set_arguments
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, attributions, symbol
from xgpu.dialects.llvm.builders import alloca, constant, gep, insert, poison, symbol_table
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMFunctionType, LLVMPointerType

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FunctionType, MemRefType
    from xdsl.ir import LocationAttr

    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.dialects import llvm


WORKGROUP_SPACE = 3
#: Copied to every member that an argument becomes.
_ANY_MEMBER = ("llvm.returned", "llvm.noundef", "llvm.inreg")
#: Copied to the pointers among them.
_POINTERS = (
    "llvm.noalias",
    "llvm.nocapture",
    "llvm.nofree",
    "llvm.align",
    "llvm.readonly",
    "llvm.writeonly",
    "llvm.readnone",
    "llvm.nonnull",
    "llvm.dereferenceable",
    "llvm.dereferenceable_or_null",
    "llvm.mlir.workgroup_attribution",
)
_KNOWN_SIZES = {
    "known_block_size": "nvvm.maxntid",
    "known_grid_size": None,
    "known_cluster_size": "nvvm.cluster_dim",
}


def lower_func(op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion) -> list[SSAValue]:
    """See the module's docstring."""
    function_type = cast("FunctionType", op.properties["function_type"])
    inputs = function_type.inputs.data
    result = rw.types.packed_results(function_type.outputs.data)
    if result is None or not all(map(rw.types.argument_types, inputs)):
        raise NoMatch(f"failed to convert function signature type for: {function_type}")
    signature = KernelSignature.of(rw.types, inputs, Convention(rw.types.bare_pointers))
    groups = [parameter.group for parameter in signature.parameters]
    llvm_type = LLVMFunctionType(signature.types, result)
    name = symbol(op)
    workgroup, private = attributions(op)
    buffers = [
        _workgroup_buffer(op, rw, f"__wg_{name}_{i}", value, _alignment(op, "workgroup", i))
        for i, value in enumerate(workgroup)
    ]

    region = op.regions[0]
    entry = region.blocks[0]
    first_op = entry.first_op
    old_arguments = entry.args
    count = len(function_type.inputs.data)
    set_arguments(entry, list(old_arguments[:count]))
    rw.convert_block_signature(entry, groups)
    rw.before(cast("Operation", first_op))
    for value, (global_name, array) in zip(workgroup, buffers, strict=True):
        pointer = LLVMPointerType(WORKGROUP_SPACE)
        address = rw.value(
            "llvm.mlir.addressof", (), pointer, {"global_name": _reference(global_name)}
        )
        memory = gep(rw, address, array, [0, 0])
        descriptor = MemRefDescriptor.from_static_shape(
            rw, rw.types, cast("MemRefType", value.type), memory
        )
        rw.map_value(value, descriptor.value)
    for i, value in enumerate(private):
        memref = cast("MemRefType", value.type)  # as the verifier of gpu.func has seen to
        element = rw.convert_type(memref.element_type)
        size = constant(rw, memref.element_count(), i64)
        allocated = alloca(rw, size, element, 0, _alignment(op, "private", i))
        descriptor = MemRefDescriptor.from_static_shape(rw, rw.types, memref, allocated)
        rw.map_value(value, descriptor.value)

    body = Region()
    for block in list(region.blocks):
        region.detach_block(block)
        body.add_block(block)
        if block is not entry:
            rw.convert_block_signature(block)
    rw.before(op)
    function = ods.create(
        "llvm.func",
        properties=_properties(op, name, llvm_type, groups),
        attributes=_attributes(op),
        regions=[body],
        location=op.location,
    )
    rw.insert(function)
    return []


def _reference(name: str) -> Attribute:
    from xdsl.dialects.builtin import SymbolRefAttr

    return SymbolRefAttr(name)


def _alignment(op: Operation, kind: str, position: int) -> int:
    attributes = op.properties.get(f"{kind}_attrib_attrs")
    if not isinstance(attributes, ArrayAttr) or position >= len(attributes.data):
        return 0
    entry = attributes.data[position]
    align = entry.data.get("llvm.align")
    return align.value.data if isinstance(align, IntegerAttr) else 0


def _workgroup_buffer(
    op: Operation, rw: Conversion, name: str, value: SSAValue, alignment: int
) -> tuple[str, Attribute]:
    array = LLVMArrayType(
        cast("MemRefType", value.type).element_count(),
        rw.convert_type(cast("MemRefType", value.type).element_type),
    )
    global_op = create_global(name, array, WORKGROUP_SPACE, alignment, location=op.location)
    rw.before(op)
    rw.insert(global_op)
    return name, array


def create_global(
    name: str,
    ty: Attribute,
    space: int,
    alignment: int = 0,
    value: Attribute | None = None,
    *,
    is_constant: bool = False,
    location: LocationAttr | None = None,
) -> Operation:
    """An internal `llvm.mlir.global`, detached."""
    properties: dict[str, Attribute] = {
        "addr_space": IntegerAttr(space, i32),
        "global_type": ty,
        "linkage": ods.enum("llvm.linkage", "internal"),
        "sym_name": StringAttr(name),
        "visibility_": IntegerAttr(0, i64),
    }
    if alignment:
        properties["alignment"] = IntegerAttr(alignment, i64)
    if is_constant:
        properties["constant"] = UnitAttr()
    if value is not None:
        properties["value"] = value
    return ods.create(
        "llvm.mlir.global", properties=properties, regions=[Region()], location=location
    )


def _properties(
    op: Operation, name: str, llvm_type: Attribute, groups: list[Attribute | tuple[Attribute, ...]]
) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {
        "CConv": ods.enum("llvm.cconv", "ccc"),
        "function_type": llvm_type,
        "linkage": ods.enum("llvm.linkage", "external"),
        "sym_name": StringAttr(name),
        "visibility_": IntegerAttr(0, i64),
    }
    arg_attrs = op.properties.get("arg_attrs")
    if isinstance(arg_attrs, ArrayAttr):
        converted = _argument_attributes(op, arg_attrs, groups)
        if any(entry.data for entry in converted):
            properties["arg_attrs"] = ArrayAttr(converted)
    if "res_attrs" in op.properties:
        properties["res_attrs"] = op.properties["res_attrs"]
    return properties


def _argument_attributes(
    op: Operation,
    arg_attrs: ArrayAttr[DictionaryAttr],
    groups: list[Attribute | tuple[Attribute, ...]],
) -> list[DictionaryAttr]:
    """The attributes of each member; what cannot be said of members is dropped, as in MLIR."""
    result: list[DictionaryAttr] = []
    for entry, group in zip(arg_attrs.data, groups, strict=True):
        members = group if isinstance(group, tuple) else (group,)
        pointers = [isinstance(m, LLVMPointerType) for m in members]
        attributes: list[dict[str, Attribute]] = [{} for _ in members]
        for key, value in entry.data.items():
            if key in _ANY_MEMBER:
                for member in attributes:
                    member[key] = value
            elif key in _POINTERS and any(pointers):
                if key == "llvm.noalias" and len(members) > 1:
                    _warn_noalias(op)
                    continue
                for member, is_pointer in zip(attributes, pointers, strict=True):
                    if is_pointer:
                        member[key] = value
        result.extend(DictionaryAttr(member) for member in attributes)
    return result


def _warn_noalias(op: Operation) -> None:
    from xgpu.core.ir.errors import Diagnostic
    from xgpu.core.syntax.diagnostics import emit

    emit(Diagnostic("warning", "Cannot copy noalias with non-bare pointers.\n", op.location))


def _attributes(op: Operation) -> dict[str, Attribute]:
    attributes = {
        key: value
        for key, value in op.attributes.items()
        if key not in ("sym_name", WORKGROUP_COUNT)
    }
    is_kernel = "gpu.kernel" in attributes
    for key, nvvm in _KNOWN_SIZES.items():
        size = op.properties.get(key)
        if size is None:
            continue
        attributes[f"gpu.{key}"] = size
        if is_kernel and nvvm is not None:
            attributes[nvvm] = size
    if is_kernel:
        attributes["nvvm.kernel"] = UnitAttr()
    return dict(sorted(attributes.items()))


def lower_return(op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion) -> list[SSAValue]:
    """gpu.return as llvm.return: several values in a struct, bare memrefs as pointers."""
    values = list(operands)
    if rw.types.bare_pointers:
        values = [
            MemRefDescriptor(rw, value).allocated() if rw.types.can_be_bare(old.type) else value
            for old, value in zip(op.operands, operands, strict=True)
        ]
    if len(values) <= 1:
        rw.create("llvm.return", values)
        return []
    packed = rw.types.packed_results([operand.type for operand in op.operands])
    if packed is None:
        raise NoMatch("could not convert result types")
    result = poison(rw, packed)
    for i, value in enumerate(values):
        result = insert(rw, result, value, i)
    rw.create("llvm.return", [result])
    return []


def lower_dynamic_shared_memory(
    op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    """The dynamic shared memory of a module is one array without extent, 16 bytes aligned."""
    from xgpu.dialects.llvm.builders import index_constant, zero

    result_type = cast("MemRefType", op.results[0].type)
    element = rw.convert_type(result_type.element_type)
    space = rw.types.address_space(result_type)
    if space is None:
        raise NoMatch("conversion of memref memory space to integer address space failed")
    name = _dynamic_buffer(op, rw, element, space)
    pointer = LLVMPointerType(space)
    address = rw.value("llvm.mlir.addressof", (), pointer, {"global_name": _reference(name)})
    memory = gep(rw, address, element, [0])
    size, stride = (index_constant(rw, n, rw.types.index) for n in (0, 1))
    # The size in bytes, which MLIR computes with every allocation; nobody uses it.
    end = gep(rw, zero(rw, LLVMPointerType()), element, [size])
    rw.value("llvm.ptrtoint", (end,), rw.types.index)
    descriptor = MemRefDescriptor.from_parts(
        rw, rw.types, result_type, memory, memory, [size], [stride]
    )
    return [descriptor.value]


_DYNAMIC_ALIGNMENT = 16


def _dynamic_buffer(op: Operation, rw: Conversion, element: Attribute, space: int) -> str:
    module = symbol_table(op)
    names: set[str] = set()
    body = module.regions[0].block
    for child in body.ops:
        if child.name != "llvm.mlir.global":
            continue
        properties = cast("llvm.MlirGlobalOp", child).properties
        names.add(properties["sym_name"].data)
        ty = properties["global_type"]
        alignment = properties.get("alignment")
        if (
            isinstance(ty, LLVMArrayType)
            and ty.size == 0
            and properties["addr_space"].value.data == space
            and (0 if alignment is None else alignment.value.data) == _DYNAMIC_ALIGNMENT
        ):
            return properties["sym_name"].data
    number = 0
    while f"__dynamic_shmem__{number}" in names:
        number += 1
    name = f"__dynamic_shmem__{number}"
    global_op = create_global(
        name, LLVMArrayType(0, element), space, _DYNAMIC_ALIGNMENT, location=op.location
    )
    body.insert_op_before(global_op, cast("Operation", body.first_op))
    return name


RULES = {
    "gpu.func": lower_func,
    "gpu.return": lower_return,
    "gpu.dynamic_shared_memory": lower_dynamic_shared_memory,
}
