# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.*: operations that rewrite one structured operation without tiling it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap, AffineSymExpr
from xdsl.utils.exceptions import ParseError

from xgpu.conversion.linalg.linalg_to_loops import loop_sizes, lower
from xgpu.core import ods
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.op_info import attribute_of, traits_of
from xgpu.core.ir.source import Source
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed, substitute
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.transform.ops import kind_of
from xgpu.dialects.vector.canonicalize import PATTERNS as CANONICAL
from xgpu.transform_dialect.interpreter import Results, each, flag, mixed_integers
from xgpu.transform_dialect.patterns import Merged
from xgpu.transform_dialect.state import (
    SilenceableError,
    TrackingRewriter,
    apply_tracked,
    definite,
    silenceable,
    silenceable_at,
)
from xgpu.transform_dialect.tiles import build_tile, extreme, split_mixed
from xgpu.transforms import fold_tensor_subset_ops
from xgpu.transforms.linalg import decompose_aggregates
from xgpu.transforms.linalg.decompose_aggregates import decompose_softmax
from xgpu.transforms.linalg.generalize_named_ops import create_generic, description
from xgpu.transforms.linalg.padding import MATERIALIZE, NONE, PaddingOptions, pad
from xgpu.transforms.linalg.promotion import PromotionOptions, promote, promoted_operands
from xgpu.transforms.linalg.vectorization import transfers
from xgpu.transforms.linalg.vectorization.transfers import COPIES, FORWARDING
from xgpu.transforms.linalg.vectorization.vectorize import (
    Options,
    VectorizationPatterns,
    has_vector_form,
    vectorize,
)
from xgpu.transforms.linalg.vectorization.vectors import size_at
from xgpu.transforms.vector import elements, reduction_to_contract, transfer_lowering
from xgpu.transforms.vector.sink_ops import SinkPatterns
from xgpu.transforms.vector.transfers import READ, WRITE

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.linalg import GenericOp

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import Patterns
    from xgpu.core.syntax.table_context import TableContext
    from xgpu.dialects import transform
    from xgpu.dialects.gpu import MemorySpaceAttr
    from xgpu.transform_dialect.state import State


# --- linalg ops ----------------------------------------------------------------------------------
# transform.structured.generalize, interchange and convert_to_loops.


def _wrong_kind(op: Operation, target: Operation) -> SilenceableError:
    return SilenceableError(
        Diagnostic(
            "error",
            "transform applied to the wrong op kind",
            op.location,
            [Diagnostic("note", "when applied to this op", target.location)],
        )
    )


def generalize(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The named operation as linalg.generic."""
    if not ops.is_structured(target):
        raise _wrong_kind(op, target)
    if target.name == "linalg.generic":
        return [target]
    rw = TrackingRewriter(state, target)
    new = create_generic(target, rw, target.attributes)
    for old, result in zip(target.results, new.results, strict=True):
        state.value_replaced(old, result)
        old.replace_all_uses_with(result)
    state.op_replaced(target, new)
    rw.erase(target)
    return [new]


def interchange(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The loops of a linalg.generic in another order."""
    if target.name != "linalg.generic":
        raise _wrong_kind(op, target)
    attr = cast("DenseArrayBase[IntegerType] | None", op.properties.get("iterator_interchange"))
    order = list(attr.get_values()) if attr is not None else []
    if not order:
        return [target]
    iterators = ops.iterator_types(target)
    if len(order) != len(iterators):
        raise silenceable(
            op,
            f'"iterator_interchange" has length ({len(order)}) different from the number of loops '
            f"in the target operation ({len(iterators)})",
        )
    dims = [AffineDimExpr(order.index(i)) for i in range(len(order))]
    maps = [
        AffineMap(m.num_dims, 0, tuple(substitute(r, dims, ()) for r in m.results))
        for m in ops.indexing_maps(target)
    ]
    target.properties.update(description(maps, [iterators[i] for i in order]))
    for inner in target.walk():
        if inner.name == "linalg.index":
            dim = cast("IntegerAttr", inner.properties["dim"])
            inner.properties["dim"] = IntegerAttr(order.index(dim.value.data), dim.type)
    return [target]


def convert_to_loops(op: Operation, target: Operation, state: State) -> list[list[Operation]]:
    """A nest of scf.for, outermost first, for an operation on buffers."""
    if not ops.is_structured(target):
        raise _wrong_kind(op, target)
    before = target.prev_op
    block = target.parent
    assert block is not None
    if not ops.is_on_buffers(target) or not lower(target, TrackingRewriter(state, target), "for"):
        raise silenceable(op, "failed to apply", [(target.location, "attempted to apply to")])
    loops: list[Operation] = []
    current = before.next_op if before is not None else block.first_op
    while current is not None:
        if current.name == "scf.for":
            loops.append(current)
            current = current.regions[0].block.first_op
        else:
            current = current.next_op
    count = len(ops.iterator_types(target))
    return [loops[:count]]


def decompose_interface(op: Operation, target: Operation, state: State) -> list[list[Operation]]:
    """The operations that linalg.softmax stands for; the last is the result."""
    rw = TrackingRewriter(state, target)
    values = decompose_softmax(rw, target) if target.name == "linalg.softmax" else None
    if values is None:
        raise silenceable(op, "failed to apply", [(target.location, "attempted to apply to")])
    rw.replace(target, values)
    return [[value.owner for value in values if isinstance(value.owner, Operation)]]


# --- decompose ops -------------------------------------------------------------------------------
# transform.structured.decompose: convolutions and poolings of two dimensions, one of which has one
# element, become such of one dimension.
#
#     linalg.conv_2d_nhwc_hwcf ins(%x : tensor<4x1x9x2xf32>, %k : tensor<1x3x2x5xf32>) outs(%y : ..)
#     =>
#     %0 = tensor.extract_slice %x : tensor<4x9x2xf32>, and %1 and %2 of %k and %y
#     %3 = linalg.conv_1d_nwc_wcf ins(%0, %1) outs(%2);   tensor.insert_slice %3 into %y
#
# Both the kernel's window and the result must have one element along what is dropped. Source: MLIR
# 22.1 Linalg/Transforms/Transforms.cpp (DownscaleSizeOneWindowed2DConvolution).


class _Form(NamedTuple):
    """The operation of one dimension, and where height and width are."""

    name: str
    kernel: tuple[int, int]
    image: tuple[int, int]


_FORMS = {
    "linalg.conv_2d": _Form("linalg.conv_1d", (0, 1), (0, 1)),
    "linalg.conv_2d_nchw_fchw": _Form("linalg.conv_1d_ncw_fcw", (2, 3), (2, 3)),
    "linalg.conv_2d_nhwc_hwcf": _Form("linalg.conv_1d_nwc_wcf", (0, 1), (1, 2)),
    "linalg.depthwise_conv_2d_nhwc_hwc": _Form("linalg.depthwise_conv_1d_nwc_wc", (0, 1), (1, 2)),
    **{
        f"linalg.pooling_nhwc_{kind}": _Form(f"linalg.pooling_nwc_{kind}", (0, 1), (1, 2))
        for kind in ("sum", "max", "max_unsigned", "min", "min_unsigned")
    },
    **{
        f"linalg.pooling_nchw_{kind}": _Form(f"linalg.pooling_ncw_{kind}", (0, 1), (2, 3))
        for kind in ("sum", "max")
    },
}


def _kind(value: SSAValue) -> TensorType[Attribute]:
    return cast("TensorType[Attribute]", value.type)


def _dropped(op: Operation) -> int | None:
    """Which of height (0) and width (1) has one element everywhere; None if none has."""
    form = _FORMS.get(op.name)
    if form is None or not all(isinstance(value.type, TensorType) for value in op.operands):
        return None
    image, kernel, result = (_kind(value).get_shape() for value in op.operands)
    for axis in (0, 1):
        sizes = kernel[form.kernel[axis]], result[form.image[axis]], image[form.image[axis]]
        if sizes == (1, 1, 1):
            return axis
    return None


class _Part:
    """A tensor without one of its dimensions."""

    def __init__(self, rw: TrackingRewriter, value: SSAValue, dropped: int) -> None:
        self.rw, self.value = rw, value
        whole = _kind(value)
        shape = list(whole.get_shape())
        sizes: list[Mixed] = [
            size if size != DYNAMIC_INDEX else self._size(dim) for dim, size in enumerate(shape)
        ]
        dynamic, static = split_mixed(sizes)
        rank = len(shape)
        self.dynamic = dynamic
        self.properties: dict[str, Attribute] = {
            "static_offsets": DenseArrayBase.from_list(i64, [0] * rank),
            "static_sizes": static,
            "static_strides": DenseArrayBase.from_list(i64, [1] * rank),
        }
        left = [size for dim, size in enumerate(shape) if dim != dropped]
        self.kind = TensorType(whole.element_type, left, whole.encoding)

    def _size(self, dim: int) -> SSAValue:
        at = index_constant(self.rw, dim)
        return self.rw.value("tensor.dim", [self.value, at], IndexType())

    def extract(self) -> SSAValue:
        groups = [[self.value], [], self.dynamic, []]
        return self.rw.value("tensor.extract_slice", groups, self.kind, self.properties)

    def insert(self, part: SSAValue) -> SSAValue:
        groups = [[part], [self.value], [], self.dynamic, []]
        return self.rw.value("tensor.insert_slice", groups, self.value.type, self.properties)


def _kept_numbers(op: Operation, dropped: int) -> dict[str, Attribute]:
    """Strides and dilations of the dimension that stays."""
    found: dict[str, Attribute] = {}
    for name in ("strides", "dilations"):
        given = op.properties.get(name)
        if isinstance(given, DenseIntOrFPElementsAttr):
            number = cast("Sequence[int]", given.get_values())[1 - dropped]
            found[name] = DenseIntOrFPElementsAttr.from_list(VectorType(i64, [1]), [number])
    return found


def decompose(op: Operation, target: Operation, state: State) -> list[Operation]:
    if not ops.is_structured(target):
        note = (target.location, "when applied to this op")
        raise silenceable(op, "transform applied to the wrong op kind", [note])
    dropped = _dropped(target)
    if dropped is None:
        note = (target.location, "when applied to this op")
        raise silenceable(op, f"{op.name} failed to apply", [note])
    form = _FORMS[target.name]
    rw = TrackingRewriter(state, target)
    image, kernel, output = target.operands
    places = (form.image[dropped], form.kernel[dropped], form.image[dropped])
    values = [
        _Part(rw, value, place).extract()
        for value, place in zip((image, kernel), places, strict=False)
    ]
    result_part = _Part(rw, output, places[2])
    values.append(result_part.extract())
    body = Region()
    clone_operation(target).regions[0].move_blocks(body)
    new = rw.insert(
        ods.create(
            form.name,
            [values[:2], values[2:]],
            [result_part.kind],
            _kept_numbers(target, dropped),
            None,
            [body],
            (),
            target.location,
        )
    )
    whole = result_part.insert(new.results[0])
    result = target.results[0]
    state.value_replaced(result, whole)
    result.replace_all_uses_with(whole)
    rw.erase(target)
    return [new]


# --- split ops -----------------------------------------------------------------------------------
# transform.structured.split: a structured operation as two, before and behind a point of a loop.
#
#     %r = linalg.generic .. ins(%a) outs(%b) -> tensor<100xf32>      after 42 { dimension = 0 }
#     =>
#     %0 = linalg.generic ins(%a[0..42]) outs(%b[0..42]);   %1 = tensor.insert_slice %0 into %b[0]
#     %2 = linalg.generic ins(%a[42..]) outs(%1[42..]);     %r = tensor.insert_slice %2 into %1[42]
#
# A point behind the end leaves the operation as it is. With `multiway` one operation is split at
# several points, each counted from the one before. Source: MLIR 22.1 Linalg/Transforms/Split.cpp.


_INDEX = IndexType()
_DIFFERENCE = AffineSymExpr(0) - AffineSymExpr(1)


class _Splitting:
    """One operation before and behind a point of the loop `dimension`."""

    def __init__(self, target: Operation, dimension: int, state: State) -> None:
        self.target, self.dimension, self.state = target, dimension, state
        self.rw = TrackingRewriter(state, target)
        ends = loop_sizes(cast("GenericOp", target), self.rw)
        assert ends is not None  # each loop walks along some operand
        self.ends: list[Mixed] = list(ends)

    def run(self, point: Mixed) -> tuple[Operation, Operation | None]:
        """The two parts, or the target where nothing would be left for the second."""
        number = point if isinstance(point, int) else int_of(point)
        point = point if number is None else number
        end = self.ends[self.dimension]
        inside = extreme(self.rw, "affine.min", [AffineSymExpr(0), AffineSymExpr(1)], [point, end])
        left = index_math.apply(self.rw, _DIFFERENCE, [end, inside])
        if left == 0:
            return self.target, None
        outputs = list(ops.outputs(self.target))
        first, outputs = self._part(outputs, 0, inside)
        second, outputs = self._part(outputs, inside, left)
        tensors = [value for value in outputs if value.type.name == "tensor"]
        for result, value in zip(self.target.results, tensors, strict=True):
            self.state.value_replaced(result, value)
            result.replace_all_uses_with(value)
        self.rw.erase(self.target)
        return first, second

    def _part(
        self, outputs: Sequence[SSAValue], offset: Mixed, size: Mixed
    ) -> tuple[Operation, list[SSAValue]]:
        """A part, and the outputs with what it computes."""
        offsets: list[Mixed] = [0] * len(self.ends)
        sizes = list(self.ends)
        offsets[self.dimension], sizes[self.dimension] = offset, size
        tile = build_tile(self.rw, self.target, outputs, offsets, sizes)
        results = iter(tile.op.results)
        found: list[SSAValue] = []
        for value, part in zip(outputs, tile.slices, strict=True):
            if value.type.name != "tensor":
                found.append(value)
                continue
            result = next(results)
            if part is not None:
                result = part.insert(self.rw, result, value, parallel=False).results[0]
            found.append(result)
        return tile.op, found


def _points(op: transform.StructuredSplitOp, state: State, count: int) -> list[Mixed]:
    """The points to split at, one for each of `count` targets unless there is one target only."""
    handle = op.dynamic_chunk_sizes
    if handle is None:
        return [op.static_chunk_sizes.value.data] * count
    points: list[Mixed] = []
    if kind_of(handle.type) == "param":
        points.extend(
            cast("IntegerAttr", parameter).value.data for parameter in state.payload(handle)
        )
    else:
        for producer in state.ops(handle):
            if len(producer.results) != 1 or producer.results[0].type != _INDEX:
                text = (
                    "expected dynamic split point handle to point to a single-result index-typed op"
                )
                raise silenceable(op, text, [(producer.location, "dynamic split point")])
            points.append(producer.results[0])
    if op.multiway is None and len(points) != count:
        raise definite(
            op,
            "expected the dynamic split point handle to point to as many operations "
            f"({len(points)}) as the target handle ({count})",
        )
    return points


def _check(op: transform.StructuredSplitOp, target: Operation) -> None:
    note = [(target.location, "target op")]
    if not ops.is_structured(target):
        raise silenceable(op, "only applies to structured ops", note)
    dimension = op.dimension.value.data
    if not 0 <= dimension < len(ops.iterator_types(target)):
        raise silenceable(op, f"dimension {dimension} does not exist in target op", note)


def split(op: transform.StructuredSplitOp, state: State) -> Results:
    targets = state.ops(op.target)
    if op.multiway is not None and len(targets) != 1:
        raise silenceable(
            op,
            f"requires exactly one target when multiway split is enabled (got {len(targets)})",
        )
    points = _points(op, state, len(targets))
    if op.multiway is not None:
        return [_split_at_all(op, targets[0], points, state)]
    first: list[Operation] = []
    second: list[Operation] = []
    whole: Operation | None = None
    for target, point in zip(targets, points, strict=True):
        _check(op, target)
        head, tail = _Splitting(target, op.dimension.value.data, state).run(point)
        first.append(head)
        if tail is None:
            whole = target
        else:
            second.append(tail)
    if second and whole is not None:
        raise silenceable(
            op,
            "splitting does not produce the second part for a subset of targets",
            [
                (
                    None,
                    "expected splitting to produce the second part of all or none of the targets",
                ),
                (whole.location, "first target with no second part"),
            ],
        )
    return [[*first, *second]]


def _split_at_all(
    op: transform.StructuredSplitOp, target: Operation, points: Sequence[Mixed], state: State
) -> list[Operation]:
    _check(op, target)
    parts: list[Operation] = []
    rest: Operation | None = target
    for point in points:
        if rest is None:
            break
        head, rest = _Splitting(rest, op.dimension.value.data, state).run(point)
        parts.append(head)
    return parts if rest is None else [*parts, rest]


# --- pad ops -------------------------------------------------------------------------------------
# transform.structured.pad: structured operations on padded operands.


def _items(op: Operation, name: str) -> list[Attribute]:
    attr = cast("ArrayAttr[Attribute] | None", attribute_of(op, name))
    return [] if attr is None else list(attr.data)


def _integers(op: Operation, name: str) -> list[int]:
    return [cast("IntegerAttr[IntegerType]", item).value.data for item in _items(op, name)]


def padding_values(op: Operation, target: Operation, ctx: Context) -> list[Attribute]:
    """The padding values, of the types of the operands' elements."""
    from xgpu.core.syntax.printer import attribute_text

    found: list[Attribute] = []
    for attr, operand in zip(_items(op, "padding_values"), target.operands, strict=False):
        element = ops.scalar_type(operand)
        note = [(target.location, "when applied to this op")]
        if isinstance(attr, StringAttr):
            parsed = _parsed(ctx, attr.data, element)
            if parsed is None:
                text = f"expects a padding that parses to '{attribute_text(element)}', got "
                text += attribute_text(attr)
                raise definite(op, f"'{op.name}' op {text}", note)
            found.append(parsed)
            continue
        if not isinstance(attr, IntegerAttr | FloatAttr):
            raise definite(op, f"'{op.name}' op expects padding values to be typed attributes")
        if attr.type != element:
            text = f"expects a padding value of type '{attribute_text(element)}', got "
            text += attribute_text(attr)
            raise definite(op, f"'{op.name}' op {text}", note)
        found.append(attr)
    return found


def _parsed(ctx: Context, text: str, element: Attribute) -> Attribute | None:
    """The attribute that `text` is as a value of the type `element`."""
    from xgpu.core.syntax.parser import Parser

    try:
        attr = Parser(cast("TableContext", ctx), Source(text, "padding")).parse_attribute(element)
    except (DiagnosticError, ParseError):
        return None
    ty = getattr(attr, "type", None)
    return attr if ty == element or attr.name == "array" else None


def pad_targets(op: Operation, state: State) -> Results:
    padded: list[Operation] = []
    pads: list[Operation] = []
    copies: list[Operation] = []
    for target in state.ops(op.operands[0]):
        note = [(target.location, "target op")]
        if not ops.is_structured(target):
            raise silenceable(op, "expected LinalgOp target", note)
        rw = TrackingRewriter(state, target)
        options = _padding_options(op, target, state, rw)
        made = pad(rw, target, options)
        if made is None:
            failure = silenceable(op, "failed to pad op", note)
            raise failure.as_error() if options.prescribed else failure
        rw.replace(target, made.values)
        padded.append(made.op)
        pads += made.pads
        if options.copy_back != NONE:
            copies += dict.fromkeys(cast("Operation", value.owner) for value in made.values)
    return [padded, pads, copies]


def _padding_options(
    op: Operation, target: Operation, state: State, rw: TrackingRewriter
) -> PaddingOptions:
    back = cast("StringAttr | None", attribute_of(op, "copy_back_op"))
    options = PaddingOptions(
        padding_values(op, target, state.ctx),
        _integers(op, "padding_dimensions"),
        nofold=[bool(number) for number in _integers(op, "nofold_flags")],
        copy_back=MATERIALIZE if back is None else back.data,
    )
    handles = cast("OdsOperation", op).operand_group(1)
    multiples = mixed_integers(op, state, "static_pad_to_multiple_of", handles)
    if min(multiples, default=1) < 1:
        note = [(target.location, "when applied to this op")]
        raise definite(op, f"'{op.name}' op expects multiples of at least 1", note)
    options.multiples = multiples or [1] * len(options.dimensions)
    transposed = cast("list[ArrayAttr[Attribute]]", _items(op, "transpose_paddings"))
    if any(item.data for item in transposed):
        raise definite(op, "transposed paddings are not supported by xgpu")
    on_tensors = all(v.type.name != "memref" for v in target.operands)
    if flag(op, "use_prescribed_tensor_shapes") and on_tensors:
        for number, operand in enumerate(target.operands):
            for dim, size in enumerate(ops.shape_of(operand) or ()):
                if size == DYNAMIC:
                    with rw.located(location_of(operand)):
                        options.prescribed[number, dim] = size_at(rw, operand, dim)
    return options


# --- promote ops ---------------------------------------------------------------------------------
# transform.structured.promote: subviews of structured operations as buffers of their own.


def _numbers(op: Operation, name: str) -> list[int]:
    attr = cast("ArrayAttr[IntegerAttr[IntegerType]] | None", attribute_of(op, name))
    return [] if attr is None else [item.value.data for item in attr.data]


def _failed(op: Operation, target: Operation) -> DiagnosticError:
    note = [(target.location, "attempted to apply to")]
    return definite(op, f"'{op.name}' op failed to apply", note)


def _promotion_options(op: Operation, target: Operation) -> PromotionOptions:
    options = PromotionOptions(
        full_by_default=flag(op, "use_full_tiles_by_default"),
        original_size=flag(op, "use_original_subview_size"),
        alloca=flag(op, "use_alloca"),
        memory_space=attribute_of(op, "memory_space"),
        full_tiles=[bool(number) for number in _numbers(op, "use_full_tile_buffers")],
    )
    options.operands = set(_numbers(op, "operands_to_promote")) or None
    alignment = cast("IntegerAttr[IntegerType] | None", attribute_of(op, "alignment"))
    if alignment is not None:
        options.alignment = alignment.value.data
    mapping = cast("ArrayAttr[MemorySpaceAttr] | None", attribute_of(op, "mapping"))
    if mapping is None:
        return options
    space = mapping.data[0].data if len(mapping.data) == 1 else ""
    if space not in ("workgroup", "private"):
        raise _failed(op, target)
    options.gpu_space = space
    options.full_tiles = [False, False]
    return options


def promote_target(op: Operation, target: Operation, state: State) -> list[Operation]:
    options = _promotion_options(op, target)
    fits = ops.is_structured(target) and ops.is_on_buffers(target)
    if not fits or not promoted_operands(target, options):
        raise _failed(op, target)
    if not promote(TrackingRewriter(state, target), target, options):
        raise _failed(op, target)
    return [target]


# --- vectorize ops -------------------------------------------------------------------------------
# transform.structured.vectorize and vectorize_children_and_apply_patterns.


def vectorize_targets(op: Operation, state: State) -> Results:
    targets = state.ops(op.operands[0])
    if not targets:
        return []
    handles = cast("OdsOperation", op).operand_group(1)
    sizes = mixed_integers(op, state, "static_vector_sizes", handles)
    scalable = cast("DenseArrayBase[IntegerType] | None", attribute_of(op, "scalable_sizes"))
    options = Options(
        sizes,
        [bool(f) for f in scalable.get_values()] if scalable is not None else [False] * len(sizes),
        extract_nd=flag(op, "vectorize_nd_extract"),
        sizes_match=flag(op, "assume_dynamic_dims_match_vec_sizes"),
        contract=flag(op, "create_named_contraction"),
    )
    for target in targets:
        if not has_vector_form(target):
            raise silenceable_at(target.location, "Unsupported Op, cannot vectorize")
        rw = TrackingRewriter(state, target)
        values = vectorize(rw, target, options)
        if values is None:
            raise silenceable_at(target.location, "Attempted to vectorize, but failed")
        rw.replace(target, values)
    return []


def vectorize_children(op: Operation, target: Operation, state: State) -> list[Operation]:
    """Everything in the target that can be, and patterns that make vectors of it simpler."""
    if "IsolatedFromAbove" not in traits_of(target.name):
        note = [(target.location, "non-isolated target")]
        raise definite(op, f"'{op.name}' op requires isolated-from-above targets", note)
    if not apply_tracked(target, _patterns(op), state):
        raise definite(op, "failed to apply", [(target.location, "attempted to apply to")])
    return [target]


def _patterns(op: Operation) -> Patterns:
    merged = Merged()
    options = Options(
        extract_nd=flag(op, "vectorize_nd_extract"),
        flatten_depthwise=flag(op, "flatten_1d_depthwise_conv"),
    )
    merged.add(FORWARDING)
    if flag(op, "vectorize_padding"):
        merged.add(transfers.PAD_PATTERNS)
    merged.add(VectorizationPatterns(options))
    if not flag(op, "disable_transfer_permutation_map_lowering_patterns"):
        merged.add(transfer_lowering.PERMUTATIONS)
    if not flag(op, "disable_multi_reduction_to_contract_patterns"):
        merged.add(reduction_to_contract.PATTERNS)
    merged.add(SinkPatterns())
    merged.add({name: CANONICAL[name] for name in (READ, WRITE) if name in CANONICAL})
    merged.add(fold_tensor_subset_ops.TO_TRANSFERS)
    merged.add(COPIES)
    if flag(op, "fold_type_extensions_into_contract"):
        merged.add(reduction_to_contract.EXTENSIONS)
    if flag(op, "vectorize_padding"):
        merged.add(decompose_aggregates.PAD_PATTERNS)
    merged.add({"vector.step": elements.ELEMENT_PATTERNS["vector.step"]})
    return merged


OPS = {
    "transform.structured.convert_to_loops": each(convert_to_loops),
    "transform.structured.decompose_interface": each(decompose_interface),
    "transform.structured.generalize": each(generalize),
    "transform.structured.interchange": each(interchange),
    "transform.structured.decompose": each(decompose),
    "transform.structured.split": split,
    "transform.structured.pad": pad_targets,
    "transform.structured.promote": each(promote_target),
    "transform.structured.vectorize_children_and_apply_patterns": each(vectorize_children),
    "transform.structured.vectorize": vectorize_targets,
}
