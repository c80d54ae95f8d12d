# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every use of gpu operations asks: constants, values from above, verifiers and folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects import gpu
from xgpu.dialects.gpu.attributes import MMAMatrixType, is_target
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, attributions, symbol, workgroup_count
from xgpu.dialects.memref_layout import fold_cast_operands, has_unit_last_stride

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Builder
    from xgpu.dialects.interfaces import Folded, Folder


# -- What several gpu passes need: constants, values used from above, symbol tables.


def walk_postorder(region: Region) -> Iterator[Operation]:
    """Operations of a region, each after what it contains: MLIR's default order."""
    for block in region.blocks:
        for op in list(block.ops):
            for nested in op.regions:
                yield from walk_postorder(nested)
            yield op


def is_inside(block: Block | None, region: Region) -> bool:
    while block is not None:
        parent = block.parent
        if parent is region:
            return True
        op = None if parent is None else parent.parent
        block = None if op is None else op.parent
    return False


def used_values_defined_above(region: Region) -> list[SSAValue]:
    """Values from above that operations inside use, in the order of MLIR's walk."""
    found: dict[SSAValue, None] = {}
    inside: dict[Block, bool] = {}
    for op in walk_postorder(region):
        for operand in op.operands:
            if operand in found:
                continue
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if block is None:
                continue
            known = inside.get(block)
            if known is None:
                known = inside[block] = is_inside(block, region)
            if not known:
                found[operand] = None
    return list(found)


def replace_uses_in_region(region: Region, mapping: dict[SSAValue, SSAValue]) -> None:
    """Replaces operands of operations inside `region`."""
    for op in region.walk():
        for i, operand in enumerate(op.operands):
            new = mapping.get(operand)
            if new is not None:
                op.operands[i] = new


def parent_of(op: Operation, *names: str) -> Operation | None:
    """The nearest enclosing operation of one of these names."""
    parent = op.parent_op()
    while parent is not None and parent.name not in names:
        parent = parent.parent_op()
    return parent


def defining_op(value: SSAValue) -> Operation | None:
    return None if isinstance(value, BlockArgument) else value.owner  # pyright: ignore


def is_async_op(op: Operation) -> bool:
    """Whether `op` implements MLIR's gpu::AsyncOpInterface: it takes and gives tokens."""
    return op.name.startswith(("gpu.", "mgpu.")) and "AsyncOpInterface" in traits_of(op.name)


# -- Which reductions of a subgroup are one instruction: nvvm.redux.sync.


REDUX = {
    "add": "add",
    "minsi": "min",
    "minnumf": "min",
    "maxsi": "max",
    "maxnumf": "max",
    "and": "and",
    "or": "or",
    "xor": "xor",
}


def why_not_redux(op: Operation) -> str | None:
    """Why nvvm.redux.sync cannot do a gpu.subgroup_reduce; None if it can."""
    properties = op.properties
    if "cluster_size" in properties:
        return "lowering for clustered reduce not implemented"
    if "uniform" not in properties:
        return "cannot be lowered to redux as the op must be run uniformly (entire subgroup)."
    if op.operands[0].type != i32:
        return "unsupported data type"
    if cast("gpu.AllReduceOpAttr", properties["op"]).data not in REDUX:
        return "unsupported reduction mode for redux"
    return None


# -- What discardable gpu attributes demand of the operation that carries them.
#
# `gpu.container_module` on a module makes every launch in its functions name a kernel that exists
# and fits. Source: GPUDialect::verifyOperationAttribute of MLIR 22.1.


_FUNCTIONS = frozenset({"gpu.func", "func.func", "llvm.func", "async.func"})


def verify_known_size(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, DenseArrayBase) or value.elt_type != IntegerType(32):
        raise op_error(op, f"{name} must be a dense i32 array")
    if len(value) != 3:
        raise op_error(op, f"{name} must contain exactly 3 elements")


def verify_container_module(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, UnitAttr):
        return
    if op.name != "builtin.module":
        raise error(op, f"expected '{name}' attribute to be attached to 'builtin.module'")
    symbols = _symbols(op)
    for function in _operations(op):
        for region in function.regions:
            for block in region.blocks:
                for launch in block.ops:
                    _check_launches(launch, function, symbols)


def _check_launches(op: Operation, function: Operation, symbols: dict[str, Operation]) -> None:
    """Launches directly inside a function, and, as MLIR has it, no deeper ones."""
    if op.name == "gpu.launch_func":
        verify_kernel_reference(cast("gpu.LaunchFuncOp", op), symbols)


def verify_kernel_reference(op: gpu.LaunchFuncOp, symbols: dict[str, Operation]) -> None:
    """Checks that a launch names a kernel with as many arguments, and of the same types."""
    reference = cast("Attribute | None", op.properties.get("kernel"))  # not verified yet
    if not isinstance(reference, SymbolRefAttr):
        return
    shown = "::".join(
        f"@{part.data}" for part in (reference.root_reference, *reference.nested_references.data)
    )
    container_name = reference.root_reference.data
    container = symbols.get(container_name)
    if container is None:
        raise op_error(op, f"kernel container '{container_name}' is undefined")
    if container.name == "gpu.binary":
        return
    if container.name != "gpu.module":
        raise op_error(op, f"kernel module '{container_name}' is undefined")
    nested = reference.nested_references.data
    kernel = _symbols(container).get(nested[0].data) if len(nested) == 1 else None
    if kernel is None:
        raise op_error(op, f"kernel function '{shown}' is undefined")
    if kernel.name not in _FUNCTIONS:
        raise op_error(
            op,
            f"referenced kernel '{shown}' is not a function",
            [(kernel.location, "see the kernel definition here")],
        )
    if "gpu.kernel" not in kernel.attributes:
        raise op_error(op, "kernel function is missing the 'gpu.kernel' attribute")
    if kernel.name != "gpu.func":
        return
    inputs = cast("FunctionType", kernel.properties["function_type"]).inputs.data
    operands = op.kernel_operands
    if len(inputs) != len(operands):
        raise op_error(op, f"got {len(operands)} kernel operands but expected {len(inputs)}")
    for i, (expected, operand) in enumerate(zip(inputs, operands, strict=True)):
        if operand.type != expected:
            raise op_error(op, f"type of function argument {i} does not match")


def _operations(op: Operation) -> list[Operation]:
    return [o for region in op.regions for block in region.blocks for o in block.ops]


def _symbols(op: Operation) -> dict[str, Operation]:
    return {name: o for o in _operations(op) if (name := symbol(o))}


#: Discardable attribute name -> fn(op, name, value).
VERIFY_ATTRIBUTES = {
    "gpu.container_module": verify_container_module,
    "gpu.known_block_size": verify_known_size,
    "gpu.known_grid_size": verify_known_size,
}


# -- What MLIR's verifiers of gpu operations check beyond the tables. Messages are MLIR's.
#
# Source: MLIR 22.1 GPUDialect.cpp.


_FLOAT_KINDS = frozenset({"minnumf", "maxnumf", "minimumf", "maximumf"})
_INTEGER_KINDS = frozenset({"minsi", "minui", "maxsi", "maxui", "and", "or", "xor"})


def is_power_of_two(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def _is_float(t: Attribute) -> bool:
    return isinstance(t, AnyFloat)


# --- launches ----------------------------------------------------------------------------------
def create_launch(
    rw: Builder, sizes: Sequence[SSAValue | None], body: Block, buffers: int = 0
) -> gpu.LaunchOp:
    """A launch of `body` with six sizes, of the grid and of a block: neither asynchronous nor with
    clusters or dynamic memory. Behind the twelve ids and sizes, `body` has arguments for `buffers`
    in workgroup memory."""
    return cast(
        "gpu.LaunchOp",
        rw.create(
            "gpu.launch",
            ([], *sizes, None, None, None, None),
            attributes={WORKGROUP_COUNT: IntegerAttr(buffers, 64)},
            regions=[Region(body)],
        ),
    )


def verify_launch(op: gpu.LaunchOp) -> None:
    sizes = (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z)
    if any(size is not None for size in sizes) and any(size is None for size in sizes):
        raise op_error(op, "cluster size must be all present")


def verify_launch_body(op: gpu.LaunchOp) -> None:
    body = op.regions[0]
    entry = body.blocks.first
    if entry is not None:
        indices = 12 if op.cluster_size_x is None else 18
        if len(entry.args) < indices + workgroup_count(op):
            raise op_error(op, "unexpected number of region arguments")
        for number, argument in enumerate(entry.args[:indices]):
            if not isinstance(argument.type, IndexType):  # its own form could not say it
                raise op_error(
                    op,
                    f"expected body region argument #{number} to be of type 'index', "
                    f"got '{shown(argument.type)}'",
                )
    _verify_attributions(op)
    for block in body.blocks:
        last = block.last_op
        if last is None or last.successors:
            continue
        if last.name != "gpu.terminator":
            raise error(
                last,
                "expected 'gpu.terminator' or a terminator with successors",
                [(op.location, "in 'gpu.launch' body region")],
            )


def _verify_attributions(op: Operation) -> None:
    count = op.attributes.get(WORKGROUP_COUNT)
    if count is not None and (not isinstance(count, IntegerAttr) or count.value.data < 0):
        raise op_error(
            op,
            f"attribute '{WORKGROUP_COUNT}' failed to satisfy constraint: integer attribute whose "
            "value is non-negative",
        )
    for space, values in zip(("workgroup", "private"), attributions(op), strict=True):
        for value in values:
            if not isinstance(value.type, MemRefType):
                raise op_error(op, "expected memref type in attribution")

            memory_space = value.type.memory_space
            if memory_space.name != "gpu.address_space":
                continue
            if cast("gpu.AddressSpaceAttr", memory_space).data != space:
                raise op_error(op, f"expected memory space {space} in attribution")


def verify_launch_func(op: gpu.LaunchFuncOp) -> None:
    module = op.parent_op()
    while module is not None and module.name != "builtin.module":
        module = module.parent_op()
    if module is None:
        raise op_error(op, "expected to belong to a module")
    marker = module.attributes.get("gpu.container_module")
    if marker is None or marker.name != "unit":
        raise op_error(
            op,
            "expected the closest surrounding module to have the 'gpu.container_module' attribute",
        )
    sizes = (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z)
    given = {size.type for size in sizes if size is not None}
    if given and None in sizes:
        raise op_error(op, "cluster size must be all present")
    if len(given) > 1:
        raise op_error(op, "expects types of the cluster dimensions must be the same")


# --- functions and modules ---------------------------------------------------------------------
def verify_func(op: Operation) -> None:
    if not isinstance(op.attributes.get("sym_name"), StringAttr):
        raise op_error(op, "requires string attribute 'sym_name'")
    function_type = cast("FunctionType", op.properties["function_type"])
    if "gpu.kernel" in op.attributes and len(function_type.outputs.data) != 0:
        raise op_error(op, "expected void return type for kernel function")
    entry = op.regions[0].blocks.first
    if entry is None:
        raise op_error(op, "expected body with at least one block")
    inputs = function_type.inputs.data
    least = len(inputs) + workgroup_count(op)
    if len(entry.args) < least:
        raise op_error(op, f"expected at least {least} arguments to body region")
    for i, expected in enumerate(inputs):
        if entry.args[i].type != expected:
            raise op_error(
                op,
                f"expected body region argument #{i} to be of type '{shown(expected)}', "
                f"got '{shown(entry.args[i].type)}'",
            )
    _verify_attributions(op)


def verify_return(op: Operation) -> None:
    function = op.parent_op()
    while function is not None and function.name != "gpu.func":
        function = function.parent_op()
    if function is None:
        return
    function_type = cast("FunctionType", function.properties["function_type"])
    results = function_type.outputs.data
    if len(results) != len(op.operands):
        raise op_error(
            op,
            f"expected {len(results)} result operands",
            [(function.location, "return type declared here")],
        )
    for i, (expected, operand) in enumerate(zip(results, op.operands, strict=True)):
        if expected != operand.type:
            raise op_error(op, f"unexpected type `'{shown(operand.type)}'' for operand #{i}")


def verify_module(op: gpu.ModuleOp) -> None:
    targets = op.properties.get("targets")
    if targets is None:
        return
    if not targets.data or not all(is_target(target) for target in targets.data):
        raise op_error(
            op,
            "attribute 'targets' failed to satisfy constraint: array of GPU target attributes "
            "with at least 1 elements",
        )
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr
    from xgpu.dialects.nvvm.verify import verify_target

    for target in targets.data:
        if isinstance(target, NVVMTargetAttr) and target.verify_target:
            verify_target(op, target)


# --- collectives -------------------------------------------------------------------------------
def _verify_kind(op: Operation, kind: str, element: Attribute, shown: Attribute) -> None:
    fits = (kind not in _FLOAT_KINDS or _is_float(element)) and (
        kind not in _INTEGER_KINDS or isinstance(element, IntegerType)
    )
    if not fits:
        raise error(op, f"`{kind}` reduction operation is not compatible with type '{shown}'")


def verify_all_reduce(op: gpu.AllReduceOp) -> None:
    result_type = op.results[0].type
    kind = op.properties.get("op")
    blocks = op.regions[0].blocks
    if (not blocks) != (kind is not None):
        raise error(op, "expected either an op attribute or a non-empty body")
    if kind is not None:
        _verify_kind(op, kind.data, result_type, result_type)
        return
    arguments = op.regions[0].blocks[0].args
    if len(arguments) != 2:
        raise error(op, "expected two region arguments")
    if any(argument.type != result_type for argument in arguments):
        raise error(op, "incorrect region argument type")
    ends = [block.last_op for block in blocks]
    yields = [end for end in ends if end is not None and end.name == "gpu.yield"]
    for last in yields:
        if len(last.operands) != 1:
            raise error(op, "expected one gpu.yield operand")
        if last.operands[0].type != result_type:
            raise error(op, "incorrect gpu.yield type")
    if not yields:
        raise error(op, "expected gpu.yield op in region")


def verify_subgroup_reduce(op: gpu.SubgroupReduceOp) -> None:
    result_type = op.results[0].type
    element = result_type
    if isinstance(result_type, VectorType):
        rank = result_type.get_num_dims()
        if any(result_type.scalable_dims.data[i].value.data for i in range(rank)):
            raise op_error(op, "is not compatible with scalable vector types")
        element = result_type.element_type
    _verify_kind(op, op.op.data, element, result_type)
    size = op.properties.get("cluster_size")
    if size is not None and not is_power_of_two(size.value.data):
        raise op_error(op, f"cluster size {size.value.data} is not a power of two")
    stride_attribute = cast("IntegerAttr | None", op.properties.get("cluster_stride"))
    stride = 1 if stride_attribute is None else stride_attribute.value.data
    if stride != 1 and size is None:
        raise op_error(op, "cluster stride can only be specified if cluster size is specified")
    if not is_power_of_two(stride):
        raise op_error(op, f"cluster stride {stride} is not a power of two")


def verify_rotate(op: gpu.RotateOp) -> None:
    width = op.width.value.data
    if op.offset.value.data >= width:
        raise op_error(op, f"offset must be in the range [0, {width})")


def verify_subgroup_broadcast(op: gpu.SubgroupBroadcastOp) -> None:
    kind = op.broadcast_type.data
    if kind == "first_active_lane" and op.lane is not None:
        raise op_error(op, "lane can only be specified for `specific_lane` broadcast")
    if kind == "specific_lane" and op.lane is None:
        raise op_error(op, "lane must be specified for `specific_lane` broadcast")


# --- memory ------------------------------------------------------------------------------------
def verify_alloc(op: gpu.AllocOp) -> None:
    memref = op.memref.type
    dynamic = sum(1 for extent in memref.get_shape() if extent < 0)
    if len(op.dynamic_sizes) != dynamic:
        raise op_error(
            op,
            f"incorrect number of dynamic sizes, has {len(op.dynamic_sizes)}, expected {dynamic}",
        )
    if len(op.symbol_operands) != layout_symbols(memref):
        raise op_error(op, "symbol operand count does not equal memref symbol count")


def layout_symbols(memref: MemRefType) -> int:
    """How many symbols the layout map of a memref has."""
    layout = memref.layout
    if isinstance(layout, AffineMapAttr):
        return 0 if _is_identity(layout) else layout.data.num_symbols
    if isinstance(layout, StridedLayoutAttr):
        return sum(isinstance(s, NoneAttr) for s in (*layout.strides.data, layout.offset))
    return 0


def _is_identity(layout: AffineMapAttr) -> bool:
    return layout.data == AffineMap.identity(layout.data.num_dims)


def _element_and_shape(t: Attribute) -> tuple[Attribute, tuple[int, ...] | None]:
    shape = t.get_shape() if isinstance(t, MemRefType) else None
    return getattr(t, "element_type", t), None if shape is None else tuple(shape)


def verify_memcpy(op: gpu.MemcpyOp) -> None:
    dst_element, dst_shape = _element_and_shape(op.dst.type)
    src_element, src_shape = _element_and_shape(op.src.type)
    if dst_element != src_element:
        raise op_error(op, "arguments have incompatible element type")
    if dst_shape is None or src_shape is None:
        return
    fits = len(dst_shape) == len(src_shape) and all(
        a == b or a < 0 or b < 0 for a, b in zip(dst_shape, src_shape, strict=True)
    )
    if not fits:
        raise op_error(op, "arguments have incompatible shape")


def verify_dynamic_shared_memory(op: gpu.DynamicSharedMemoryOp) -> None:
    memref = op.results[0].type
    space = memref.memory_space
    if space.name != "gpu.address_space" or cast("gpu.AddressSpaceAttr", space).data != "workgroup":
        raise op_error(op, "address space must be address_space<workgroup>")
    if all(extent >= 0 for extent in memref.get_shape()):
        raise op_error(op, "result memref type must be memref<?xi8, #gpu.address_space<workgroup>>")


# --- matrices of a subgroup --------------------------------------------------------------------
def verify_mma_load(op: gpu.SubgroupMmaLoadMatrixOp) -> None:
    if not has_unit_last_stride(op.src_memref.type):
        raise error(op, "expected source memref most minor dim must have unit stride")
    if op.res.type.operand not in ("AOp", "BOp", "COp"):
        raise error(op, "only AOp, BOp and COp can be loaded")


def verify_mma_store(op: gpu.SubgroupMmaStoreMatrixOp) -> None:
    if not has_unit_last_stride(op.dst_memref.type):
        raise error(op, "expected destination memref most minor dim must have unit stride")
    if op.src.type.operand != "COp":
        raise error(op, "expected the operand matrix being stored to have 'COp' operand type")


def verify_mma_compute(op: gpu.SubgroupMmaComputeOp) -> None:
    a, b, c = (cast("MMAMatrixType", operand.type) for operand in op.operands)
    if (a.operand, b.operand, c.operand) != ("AOp", "BOp", "COp"):
        raise error(op, "operands must be in the order AOp, BOp, COp")
    if a.shape[1] != b.shape[0] or a.shape[0] != c.shape[0] or b.shape[1] != c.shape[1]:
        raise error(op, "operand shapes do not satisfy matmul constraints")


# --- gpu.warp_execute_on_lane_0 ----------------------------------------------------------------
def verify_warp_execute_on_lane_0(op: gpu.WarpExecuteOnLane0Op) -> None:
    arguments = op.operands[1:]
    block = op.regions[0].block
    if len(arguments) != len(block.args):
        raise op_error(op, "expected same number op arguments and block arguments.")
    last = cast("gpu.YieldOp | None", block.last_op)
    if last is None or last.name != "gpu.yield":
        raise op_error(op, "expects regions to end with 'gpu.yield'")
    if len(last.operands) != len(op.results):
        raise op_error(op, "expected same number of yield operands and return values.")
    size = op.properties["warp_size"].value.data
    for inner, outer in zip(block.args, arguments, strict=True):
        _verify_distributed(op, inner.type, outer.type, size)
    for inner, outer in zip(last.operands, op.results, strict=True):
        _verify_distributed(op, inner.type, outer.type, size)


def _verify_distributed(
    op: Operation, expanded: Attribute, distributed: Attribute, warp_size: int
) -> None:
    """A vector inside is spread over the lanes outside: the scales multiply to the warp's size."""
    if expanded == distributed:
        return
    if not isinstance(expanded, VectorType) or not isinstance(distributed, VectorType):
        raise op_error(op, "expected vector type for distributed operands.")
    outer, inner = distributed.get_shape(), expanded.get_shape()
    if len(outer) != len(inner) or expanded.element_type != distributed.element_type:
        raise op_error(op, "expected distributed vectors to have same rank and element type.")
    product = 1
    for i, (e, d) in enumerate(zip(inner, outer, strict=True)):
        if e % d:
            raise op_error(
                op,
                f"expected expanded vector dimension #{i} ({e}) to be a multipler of the "
                f"distributed vector dimension ({d})",
            )
        product *= e // d
    if product != warp_size:
        raise op_error(
            op,
            f"incompatible distribution dimensions from '{expanded}' to '{distributed}' "
            f"with warp size = {warp_size}",
        )


def verify_binary(op: gpu.BinaryOp) -> None:
    if op.offloading_handler is None:  # its own form could not say it
        raise op_error(op, "requires attribute 'offloadingHandler'")


VERIFY = {
    "gpu.binary": verify_binary,
    "gpu.launch": verify_launch,
    "gpu.launch_func": verify_launch_func,
    "gpu.func": verify_func,
    "gpu.return": verify_return,
    "gpu.module": verify_module,
    "gpu.subgroup_reduce": verify_subgroup_reduce,
    "gpu.rotate": verify_rotate,
    "gpu.subgroup_broadcast": verify_subgroup_broadcast,
    "gpu.alloc": verify_alloc,
    "gpu.memcpy": verify_memcpy,
    "gpu.dynamic_shared_memory": verify_dynamic_shared_memory,
    "gpu.subgroup_mma_load_matrix": verify_mma_load,
    "gpu.subgroup_mma_store_matrix": verify_mma_store,
    "gpu.subgroup_mma_compute": verify_mma_compute,
    "gpu.warp_execute_on_lane_0": verify_warp_execute_on_lane_0,
}

#: Words for `!gpu.x` that names nothing.
UNKNOWN = {"type": "unknown gpu type: {}".format}

#: After what is in the regions.
VERIFY_REGIONS = {
    "gpu.all_reduce": verify_all_reduce,
    "gpu.launch": verify_launch_body,
}


# -- Folds of the gpu dialect.


def _make_uniform(op: Operation, constants: list[Attribute | None]) -> bool | None:
    """Directly in the body of a gpu.launch all threads take part."""
    parent = op.parent_op()
    if parent is None or parent.name != "gpu.launch" or op.properties.get("uniform") is not None:
        return None
    if op.parent is not parent.regions[0].first_block:
        return None
    op.properties["uniform"] = UnitAttr()
    return True


def _subgroup_reduce(op: Operation, constants: list[Attribute | None]) -> Folded:
    size = cast("IntegerAttr | None", op.properties.get("cluster_size"))
    if size is not None and size.value.data == 1:
        return [op.operands[0]]
    return _make_uniform(op, constants)


def _subgroup_broadcast(op: Operation, constants: list[Attribute | None]) -> list[SSAValue] | None:
    """What all lanes have already stays what it is."""
    owner = op.operands[0].owner
    is_broadcast = isinstance(owner, Operation) and owner.name == "gpu.subgroup_broadcast"
    return [op.operands[0]] if is_broadcast else None


FOLD: dict[str, Folder] = {
    "gpu.all_reduce": _make_uniform,
    "gpu.memcpy": fold_cast_operands("dst", "src"),
    "gpu.memset": fold_cast_operands("dst"),
    "gpu.subgroup_broadcast": _subgroup_broadcast,
    "gpu.subgroup_reduce": _subgroup_reduce,
}
