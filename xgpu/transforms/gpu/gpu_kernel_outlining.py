# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-kernel-outlining` and `gpu-launch-sink-index-computations`: the body of each gpu.launch
becomes a kernel in a gpu.module of its own.
"""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.calls import OWN
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import SymbolTable, symbol_name
from xgpu.core.passes.base import Option, Pass
from xgpu.core.syntax import parse_attribute
from xgpu.dialects import gpu
from xgpu.dialects.gpu.ops import (
    defining_op,
    replace_uses_in_region,
    used_values_defined_above,
    walk_postorder,
)
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, attributions

# --- gpu kernel outlining ------------------------------------------------------------------------
# gpu-kernel-outlining: the body of each gpu.launch becomes a kernel in a gpu.module of its own.
#
#     gpu.launch blocks(..) .. threads(..) .. { body; gpu.terminator }
#     =>
#     gpu.launch_func @f_kernel::@f_kernel blocks in (..) threads in (..) args(used values)
#     gpu.module @f_kernel { gpu.func @f_kernel(used values) kernel { ids and sizes; body;
#     gpu.return } }
#
# Source: MLIR 22.1 KernelOutlining.cpp. Bodies are moved, not copied: the launch goes away anyway.


#: What a kernel says of its workgroup buffers, such as their alignment.
_BUFFER_ATTRIBUTES = "workgroup_attrib_attrs"
_IDS = ("gpu.block_id", "gpu.thread_id", "gpu.grid_dim", "gpu.block_dim")
_CLUSTER_IDS = ("gpu.cluster_id", "gpu.cluster_dim")
_FUNCTIONS = frozenset({"func.func", "llvm.func", "gpu.func", "async.func"})


class GpuKernelOutliningPass(Pass):
    """Outlines gpu.launch bodies to kernel functions."""

    name = "gpu-kernel-outlining"
    summary = "Outline gpu.launch bodies to kernel functions"
    anchor = "builtin.module"
    options = (
        Option("data-layout-str", str, "", "String containing the data layout specification."),
    )

    data_layout_str: str

    def run(self, op: Operation, ctx: Context) -> None:
        layout = self._data_layout(op, ctx)
        table = SymbolTable(op)
        modified = False
        for function in list(table.body.ops):
            if function.name not in _FUNCTIONS:
                continue
            before = function.next_op
            for region in function.regions:
                for launch in walk_postorder(region):
                    if launch.name == "gpu.launch":
                        _outline(
                            cast("gpu.LaunchOp", launch),
                            symbol_name(function) or "",
                            table,
                            before,
                            layout,
                        )
                        modified = True
        if modified:
            op.attributes["gpu.container_module"] = UnitAttr()

    def _data_layout(self, op: Operation, ctx: Context) -> Attribute | None:
        if not self.data_layout_str:
            return None
        layout = parse_attribute(self.data_layout_str)
        if layout.name != "dlti.dl_spec":
            raise error(op, "data-layout-str must be a #dlti.dl_spec attribute")
        return layout


def _outline(
    launch: gpu.LaunchOp,
    function: str,
    table: SymbolTable,
    before: Operation | None,
    layout: Attribute | None,
) -> None:
    operands = used_values_defined_above(launch.regions[0])
    default_name = f"{function}_kernel"
    named = launch.properties.get("function")
    kernel_name = named.root_reference.data if named is not None else default_name
    kernel = outline_kernel_function(launch, kernel_name, operands)

    module_attribute = launch.properties.get("module")
    module_name = (
        module_attribute.root_reference.data if module_attribute is not None else kernel_name
    )
    module = table.lookup(module_name) if module_attribute is not None else None
    if module is None or module.name != "gpu.module":
        module = ods.create(
            "gpu.module",
            properties={"sym_name": StringAttr(module_name)},
            regions=[Region(Block())],
            location=launch.location,
        )
        module_name = table.insert(module, before)
    if layout is not None:
        module.attributes["dlti.dl_spec"] = layout
    inner = SymbolTable(module)
    kernel_name = inner.insert(kernel)
    _clone_callees(kernel, inner, table)
    _replace_by_launch_func(launch, module_name, kernel_name, operands)


def outline_kernel_function(launch: gpu.LaunchOp, name: str, operands: list[SSAValue]) -> Operation:
    """Moves the body of `launch` to a new gpu.func with `operands` as its arguments."""
    body = launch.regions[0]
    entry = body.blocks[0]
    workgroup, private = attributions(launch)
    has_clusters = launch.cluster_size_x is not None
    types = [operand.type for operand in operands]
    properties: dict[str, Attribute] = {"function_type": FunctionType.from_lists(types, [])}
    for key, sizes in (
        ("known_block_size", (launch.block_size_x, launch.block_size_y, launch.block_size_z)),
        ("known_grid_size", (launch.grid_size_x, launch.grid_size_y, launch.grid_size_z)),
    ):
        known = cast("DenseArrayBase[IntegerType] | None", _constant_sizes(sizes))
        if known is not None:
            properties[key] = known

    stated = launch.attributes.get(_BUFFER_ATTRIBUTES)
    if isinstance(stated, ArrayAttr) and len(stated.data) == len(workgroup):
        properties[_BUFFER_ATTRIBUTES] = stated
    start = Block(arg_types=[*types, *(v.type for v in workgroup), *(v.type for v in private)])
    mapping: dict[SSAValue, SSAValue] = dict(zip(operands, start.args, strict=False))
    for old, new in zip((*operands, *workgroup, *private), start.args, strict=True):
        new.location = launch.location
        new.name_hint = old.name_hint
        mapping[old] = new
    index = IndexType()
    position = 0
    for id_name in (*_IDS, *(_CLUSTER_IDS if has_clusters else ())):
        for dimension in "xyz":
            id_op = cast(
                "gpu.BlockDimOp",
                ods.create(
                    id_name,
                    result_types=[index],
                    properties={"dimension": ods.enum("gpu.dim", dimension)},
                    location=launch.location,
                ),
            )
            start.add_op(id_op)
            mapping[entry.args[position]] = id_op.results[0]
            position += 1
    replace_uses_in_region(body, mapping)
    for op in list(entry.ops):
        op.detach()
        start.add_op(op)
    blocks = [block for block in body.blocks if block is not entry]
    for block in blocks:
        body.detach_block(block)
    region = Region([start, *blocks])
    for op in list(region.walk()):
        if op.name == "gpu.terminator":
            new = ods.create("gpu.return", location=op.location)
            block = op.parent
            assert block is not None
            block.insert_op_before(new, op)
            op.detach()
            op.erase()
    own = {OWN: UnitAttr()} if OWN in launch.attributes else {}
    return ods.create(
        "gpu.func",
        properties=properties,
        attributes={
            **own,
            "sym_name": StringAttr(name),
            "gpu.kernel": UnitAttr(),
            WORKGROUP_COUNT: IntegerAttr(len(workgroup), i64),
        },
        regions=[region],
        location=launch.location,
    )


def _constant_sizes(sizes: tuple[SSAValue, ...]) -> Attribute | None:
    """Sizes as three i32, if all are constants that fit."""
    values = [int_of(size) for size in sizes]
    if any(v is None or v < 0 or v > 0xFFFFFFFF for v in values):
        return None
    signed = [v - (1 << 32) if v >= 1 << 31 else v for v in values if v is not None]
    return DenseArrayBase.from_list(i32, signed)


def _clone_callees(kernel: Operation, inner: SymbolTable, outer: SymbolTable) -> None:
    """Copies into the kernel's module what the kernel refers to, and what that refers to."""
    worklist = [kernel]
    while worklist:
        for name in _referenced_symbols(worklist.pop()):
            if inner.lookup(name) is not None:
                continue
            found = outer.lookup(name)
            if found is None:
                continue
            copy = clone_operation(found)
            inner.insert(copy)
            worklist.append(copy)


def _referenced_symbols(root: Operation) -> list[str]:
    names: dict[str, None] = {}
    for op in root.walk():
        for attribute in (*op.properties.values(), *op.attributes.values()):
            _collect_symbols(attribute, names)
    return list(names)


def _collect_symbols(attribute: Attribute, names: dict[str, None]) -> None:
    if isinstance(attribute, SymbolRefAttr):
        if not attribute.nested_references.data:
            names[attribute.root_reference.data] = None
    elif isinstance(attribute, ArrayAttr):
        for item in attribute.data:
            _collect_symbols(item, names)
    elif isinstance(attribute, DictionaryAttr):
        for item in attribute.data.values():
            _collect_symbols(item, names)


def _replace_by_launch_func(
    launch: gpu.LaunchOp, module: str, kernel: str, operands: list[SSAValue]
) -> None:
    new = ods.create(
        "gpu.launch_func",
        [
            list(launch.async_dependencies),
            launch.grid_size_x,
            launch.grid_size_y,
            launch.grid_size_z,
            launch.block_size_x,
            launch.block_size_y,
            launch.block_size_z,
            launch.cluster_size_x,
            launch.cluster_size_y,
            launch.cluster_size_z,
            launch.dynamic_shared_memory_size,
            operands,
            None,
        ],
        [result.type for result in launch.results],
        {"kernel": SymbolRefAttr(module, [kernel])},
        location=launch.location,
    )
    cast("Block", launch.parent).insert_op_before(new, launch)
    for old, result in zip(launch.results, new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    launch.detach()
    launch.erase()


# --- gpu launch sink index computations ----------------------------------------------------------
# gpu-launch-sink-index-computations: cheap computations move into the launch that uses them.
#
# A constant, `memref.dim`, `arith.select` or `arith.cmpi` whose operands are available in the body
# costs less there than as a kernel argument. Source: MLIR 22.1 KernelOutlining.cpp.


_SUNK = frozenset({"memref.dim", "arith.select", "arith.cmpi"})


def is_likely_an_index_computation(op: Operation) -> bool:
    """Constants, undefined ones too, and the few operations above."""
    return op.name in _SUNK or "ConstantLike" in traits_of(op.name)


class GpuLaunchSinkIndexComputationsPass(Pass):
    """Sinks index computations into gpu.launch bodies."""

    name = "gpu-launch-sink-index-computations"
    summary = "Sink index computations into gpu.launch body"

    def run(self, op: Operation, ctx: Context) -> None:
        for launch in list(op.walk()):
            if launch.name == "gpu.launch":
                _sink(launch)


def _sink(launch: Operation) -> None:
    body = launch.regions[0]
    candidates = used_values_defined_above(body)
    known = set(candidates)
    sunk: dict[Operation, None] = {}
    available: set[SSAValue] = set()
    for value in candidates:
        op = defining_op(value)
        if op is not None:
            _collect(op, known, sunk, available)
    entry = body.blocks.first
    assert entry is not None
    first = entry.first_op
    mapping: dict[SSAValue, SSAValue] = {}
    for op in sunk:
        copy = clone_operation(op, mapping)
        if first is None:
            entry.add_op(copy)
        else:
            entry.insert_op_before(copy, first)
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            mapping[old] = new
    if mapping:
        replace_uses_in_region(body, mapping)


def _collect(
    op: Operation, known: set[SSAValue], sunk: dict[Operation, None], available: set[SSAValue]
) -> bool:
    """Adds `op`, after what it needs, if sinking it needs no new kernel argument."""
    if op in sunk:
        return True
    if not is_likely_an_index_computation(op):
        return False
    for operand in op.operands:
        if operand in available:
            continue
        definition = defining_op(operand)
        can_sink = definition is not None and _collect(definition, known, sunk, available)
        if not can_sink and operand not in known:
            return False
    sunk[op] = None
    available.update(op.results)
    return True
