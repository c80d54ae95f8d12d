# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of gpu operations check beyond the tables. Messages are MLIR's.

Source: MLIR 22.1 GPUDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    BuiltinAttribute,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.gpu.launch_syntax import WORKGROUP_COUNT, attributions, workgroup_count

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FunctionType

    from xgpu.dialects import gpu
    from xgpu.dialects.gpu.attributes import MMAMatrixType


_FLOAT_KINDS = frozenset({"minnumf", "maxnumf", "minimumf", "maximumf"})
_INTEGER_KINDS = frozenset({"minsi", "minui", "maxsi", "maxui", "and", "or", "xor"})


def is_power_of_two(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def _is_float(t: Attribute) -> bool:
    from xdsl.dialects.builtin import AnyFloat

    return isinstance(t, AnyFloat)


# --- launches ----------------------------------------------------------------------------------
def verify_launch(op: gpu.LaunchOp) -> None:
    sizes = (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z)
    if any(size is not None for size in sizes) and any(size is None for size in sizes):
        raise op_error(op, "cluster size must be all present")
    body = op.regions[0]
    entry = body.blocks.first
    if entry is not None:
        indices = 12 if sizes[0] is None else 18
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
    if not targets.data or any(isinstance(t, BuiltinAttribute) for t in targets.data):
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
    from xdsl.ir.affine import AffineMap

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
def has_unit_last_stride(memref: MemRefType) -> bool:
    layout = memref.layout
    if isinstance(layout, AffineMapAttr):
        from xdsl.ir.affine import AffineDimExpr

        # A map to several results is a permutation; the last must be the last dimension.
        results = layout.data.results
        if len(results) > 1:
            return results[-1] == AffineDimExpr(layout.data.num_dims - 1)
    from xgpu.dialects.memref.strides import strided_form

    form = strided_form(memref)
    return form is not None and (not form[0] or form[0][-1] == 1)


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
    "gpu.all_reduce": verify_all_reduce,
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
