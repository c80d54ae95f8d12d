# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of kernels, shared memory, barriers, shuffles, subgroup reductions, printf and assert
for NVVM.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    CallSiteLoc,
    DictionaryAttr,
    FunctionType,
    FusedLoc,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NameLoc,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.conversion.launch.kernel_signature import Convention, KernelSignature
from xgpu.conversion.memref_descriptor import MemRefDescriptor
from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.construction import set_arguments
from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.driver import Conversion, NoMatch
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects.gpu.ops import REDUX, why_not_redux
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, attributions, symbol
from xgpu.dialects.llvm.builders import (
    alloca,
    attribute_constant,
    binary,
    branch,
    call,
    cond_branch,
    constant,
    declare,
    extract,
    gep,
    index_constant,
    insert,
    poison,
    store,
    symbol_table,
    zero,
)
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import cf, gpu, llvm


# --- func to llvm --------------------------------------------------------------------------------
# gpu.func, gpu.return and shared memory for NVVM.
#
#     gpu.func @k(%a: T) workgroup(%w : memref<8xf32, #gpu.address_space<workgroup>>) kernel
#     =>
#     llvm.mlir.global internal @__wg_k_0() {addr_space = 3 : i32} : !llvm.array<8 x f32>
#     llvm.func @k(...) attributes {gpu.kernel, nvvm.kernel}
#
# Private buffers become allocas at the function's start. Source: MLIR 22.1 GPUOpsLowering.cpp.


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
    # The size in bytes, which MLIR computes with every allocation; nothing uses it.
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


# --- collectives to nvvm -------------------------------------------------------------------------
# Barriers, shuffles, subgroup reductions, printf and assert for NVVM.
#
# Source: MLIR 22.1 LowerGpuOpsToNVVMOps.cpp, GPUOpsLowering.cpp.


_SHUFFLES = {"xor": "bfly", "up": "up", "down": "down", "idx": "idx"}
_POINTER = LLVMPointerType()


def lower_barrier(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    rw.create("nvvm.barrier0")
    return []


def lower_shuffle(
    op: gpu.ShuffleOp, operands: Sequence[SSAValue], rw: GreedyRewriter
) -> list[SSAValue | None]:
    """gpu.shuffle as nvvm.shfl.sync: the width becomes a mask of lanes and a clamp.

    mask = -1 >> (32 - width); clamp = width - 1, for `up` 32 - width (PTX ISA, shfl.sync).
    """
    value, offset, width = operands
    mode = op.properties["mode"]
    one = constant(rw, 1, i32)
    minus_one = constant(rw, -1, i32)
    thirty_two = constant(rw, 32, i32)
    inactive = binary(rw, "sub", thirty_two, width)
    mask = binary(rw, "lshr", minus_one, inactive)
    clamp = inactive if mode.data == "up" else binary(rw, "sub", width, one)
    properties: dict[str, Attribute] = {"kind": ods.enum("nvvm.shfl_kind", _SHUFFLES[mode.data])}
    result_type: Attribute = value.type
    uses_valid = op.results[1].first_use is not None
    if uses_valid:
        properties["return_value_and_is_valid"] = UnitAttr()
        result_type = LLVMStructType((value.type, i1))
    shuffled = rw.value("nvvm.shfl.sync", (mask, value, offset, clamp), result_type, properties)
    if not uses_valid:
        return [shuffled, None]
    return [extract(rw, shuffled, 0), extract(rw, shuffled, 1)]


def lower_subgroup_reduce(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """gpu.subgroup_reduce uniform of i32 as nvvm.redux.sync (has-redux)."""
    reason = why_not_redux(op)
    if reason is not None:
        raise NoMatch(reason)
    kind = REDUX[op.properties["op"].data]  # pyright: ignore
    mask = constant(rw, -1, i32)
    return [
        rw.value(
            "nvvm.redux.sync",
            (operands[0], mask),
            i32,
            {
                "kind": ods.enum("nvvm.redux_kind", kind),
                "abs": IntegerAttr(0, i1),
                "nan": IntegerAttr(0, i1),
            },
        )
    ]


# --- strings -----------------------------------------------------------------------------------
def string_constant(
    rw: Conversion, op: Operation, prefix: str, text: StringAttr
) -> tuple[str, Attribute]:
    """The name and type of a NUL-terminated constant of the module, shared where equal."""
    module = symbol_table(op)
    content = text.data + "\0"
    size = len(content.encode())
    ty = LLVMArrayType(size, IntegerType(8))
    value = StringAttr(content)
    body = module.regions[0].block
    for child in body.ops:
        properties = child.properties
        if (
            child.name == "llvm.mlir.global"
            and properties.get("value") == value
            and properties["global_type"] == ty
            and "constant" in properties
            and cast("IntegerAttr", properties["addr_space"]).value.data == 0
            and "alignment" not in properties
        ):
            return cast("StringAttr", properties["sym_name"]).data, ty
    number = 0
    while lookup(module, f"{prefix}{number}") is not None:
        number += 1
    name = f"{prefix}{number}"
    global_op = create_global(name, ty, 0, value=value, is_constant=True, location=op.location)
    body.insert_op_before(global_op, cast("Operation", body.first_op))
    return name, ty


def string_pointer(rw: Conversion, op: Operation, prefix: str, text: StringAttr) -> SSAValue:
    name, ty = string_constant(rw, op, prefix, text)
    address = rw.value("llvm.mlir.addressof", (), _POINTER, {"global_name": SymbolRefAttr(name)})
    return gep(rw, address, ty, [0, 0])


def lower_printf(op: gpu.PrintfOp, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """gpu.printf as CUDA's `vprintf(format, buffer)`; floats are passed as f64."""
    declare(rw, symbol_table(op), "vprintf", [_POINTER, _POINTER], i32)
    text = op.properties["format"]
    start = string_pointer(rw, op, "printfFormat_", text)
    values = [
        rw.value("llvm.fpext", (value,), f64) if isinstance(value.type, AnyFloat) else value
        for value in operands
    ]
    struct = LLVMStructType([value.type for value in values])
    one = attribute_constant(rw, IntegerAttr(1, IndexType()), i64)
    buffer = alloca(rw, one, struct)
    for i, value in enumerate(values):
        store(rw, value, gep(rw, buffer, struct, [0, i]))
    call(rw, "vprintf", [start, buffer], i32)
    return []


def lower_assert(op: cf.AssertOp, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """cf.assert as a branch around `__assertfail(message, file, line, function, 1)`."""
    function = declare(
        rw,
        symbol_table(op),
        "__assertfail",
        [_POINTER, _POINTER, i32, _POINTER, i64],
        LLVMVoidType(),
    )
    function.properties["passthrough"] = ArrayAttr([StringAttr("noreturn")])
    before, failing = split_before(op)
    following = op.next_op
    assert following is not None
    failing, after = split_before(following)
    rw.at_end(before)
    cond_branch(rw, operands[0], after, failing)
    rw.at_end(failing)
    branch(rw, after)
    rw.before(op)
    name, line, function_name = _source_position(op)
    message_text = op.properties["msg"]
    message = string_pointer(rw, op, "assert_message_", message_text)
    file = string_pointer(rw, op, "assert_file_", StringAttr(name))
    inside = string_pointer(rw, op, "assert_func_", StringAttr(function_name))
    line_value = constant(rw, line, i32)
    one = constant(rw, 1, i64)
    call(rw, "__assertfail", [message, file, line_value, inside, one], None)
    return []


def _source_position(op: Operation) -> tuple[str, int, str]:
    """File, line and function of an operation, as far as its location tells."""
    location = op.location
    while isinstance(location, CallSiteLoc):
        location = location.callee
    function = "(unknown)"
    if isinstance(location, NameLoc):
        function = location.desc.data
        location = location.location
    no_file = isinstance(location, CallSiteLoc | FusedLoc | NameLoc)
    found = None if no_file else source_location(location)
    if found is None:
        return "(unknown)", 0, function
    return found.file, found.line, function


REDUX_RULES = {"gpu.subgroup_reduce": lower_subgroup_reduce}


RULES = {
    "gpu.func": lower_func,
    "gpu.return": lower_return,
    "gpu.dynamic_shared_memory": lower_dynamic_shared_memory,
    "gpu.barrier": lower_barrier,
    "gpu.shuffle": lower_shuffle,
    "gpu.printf": lower_printf,
    "cf.assert": lower_assert,
}
