# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and poolings of one dimension on vectors: the loop over the filter is unrolled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core import ods
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.builders import zeros
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.linalg.vectorization import maps
from xgpu.transforms.linalg.vectorization.vectors import (
    Space,
    all_in_bounds,
    element_of,
    mask_of,
    masked_by,
    sizes_of,
)
from xgpu.transforms.vector.shapes import extract_slice, insert_slice
from xgpu.transforms.vector.transfers import (
    broadcast,
    create_read,
    create_write,
    extract,
    transpose,
)

# --- convolution shape ---------------------------------------------------------------------------
# Which structured operations are convolutions, and which of these have a form on vectors.
#
# A convolution reads its input at sums of two loops, one of which the output walks along and one
# the filter. Source: MLIR 22.1 LinalgInterfaces.cpp (isConvolutionInterfaceImpl),
# Vectorization.cpp.


#: A dimension and what it is multiplied with.
Term = tuple[int, int]


def _term(expr: AffineExpr) -> Term | None:
    if isinstance(expr, AffineDimExpr):
        return expr.position, 1
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not AffineBinaryOpKind.Mul:
        return None
    if not isinstance(expr.lhs, AffineDimExpr) or not isinstance(expr.rhs, AffineConstantExpr):
        return None
    return expr.lhs.position, expr.rhs.value


def _window(expr: AffineExpr) -> tuple[Term, Term] | None:
    """The two terms of a sum."""
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not AffineBinaryOpKind.Add:
        return None
    left, right = _term(expr.lhs), _term(expr.rhs)
    return None if left is None or right is None else (left, right)


def _input_dims(map_: AffineMap) -> tuple[set[int], set[int]] | None:
    """The dimensions that the input has alone, and those that it has in sums."""
    alone: set[int] = set()
    summed: set[int] = set()
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            if result.position in alone | summed:
                return None
            alone.add(result.position)
            continue
        window = _window(result)
        if window is None or any(dim in alone | summed for dim, _ in window):
            return None
        summed.update(dim for dim, _ in window)
    return alone, summed


def is_convolution(op: Operation) -> bool:
    """Whether each loop is one that a convolution has."""
    indexing = ops.indexing_maps(op)
    if len(ops.inputs(op)) < 2 or len(ops.outputs(op)) != 1:
        return False
    found = _input_dims(indexing[0])
    if found is None or not found[1]:
        return False
    alone, summed = found
    if not all(maps.is_projected_permutation(m) for m in (indexing[1], indexing[-1])):
        return False
    filters, outputs = (set(maps.dim_positions(m)) for m in (indexing[1], indexing[-1]))
    for dim, kind in enumerate(ops.iterator_types(op)):
        if dim in outputs:
            # Batches and places are not the filter's, channels of the output not the input's;
            # what all have is a depth.
            fits = kind == ops.PARALLEL and (dim in alone or (dim in summed) != (dim in filters))
        else:
            fits = kind == ops.REDUCTION and dim in filters and dim in alone | summed
        if not fits:
            return False
    return True


@dataclass(frozen=True)
class Form:
    """A convolution of one dimension that vectors can do."""

    #: "W": only places; "NWC", "NCW": batches, places and channels in this order.
    order: str
    pooling: bool
    depthwise: bool
    stride: int
    dilation: int
    #: What combines an iteration with the output, and what extends the input of a pooling.
    combiner: Operation
    extension: Operation | None


#: Order of the layouts: iterators, then for input, filter and output the loops; w stands for the
#: sum of the output's and the filter's place.
_LAYOUTS: tuple[tuple[str, bool, bool, str, str, str, str, str], ...] = (
    ("W", False, False, "wk", "pr", "w", "k", "w"),
    ("NWC", False, False, "nwfkc", "ppprr", "nwc", "kcf", "nwf"),
    ("NCW", False, False, "nfwck", "ppprr", "ncw", "fck", "nfw"),
    ("NWC", True, False, "nwck", "pppr", "nwc", "k", "nwc"),
    ("NCW", True, False, "ncwk", "pppr", "ncw", "k", "ncw"),
    ("NWC", False, True, "nwck", "pppr", "nwc", "kc", "nwc"),
)


def _letters(map_: AffineMap, names: str) -> str | None:
    """The loops of the results; a sum of w and k counts as w."""
    text = ""
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            text += names[result.position]
            continue
        window = _window(result)
        if window is None or "".join(names[dim] for dim, _ in window) != "wk":
            return None
        text += "w"
    return text


def form_of(op: Operation) -> Form | None:
    """The form that `op` has, or None."""
    combiner = maps.combiner(op, 0)
    kind = maps.kind_of(combiner)
    if combiner is None or kind is None:
        return None
    body = _body_kind(combiner)
    if body is None:
        return None
    pooling, extension = body
    if (pooling and kind not in _POOLINGS) or (not pooling and kind not in ("add", "or")):
        return None
    indexing = ops.indexing_maps(op)
    iterators = "".join(it[0] for it in ops.iterator_types(op))
    for order, is_pool, depthwise, names, kinds, *layout in _LAYOUTS:
        if is_pool != pooling or kinds != iterators:
            continue
        if [_letters(m, names) for m in indexing] != layout:
            continue
        terms = next(w for w in map(_window, indexing[0].results) if w is not None)
        stride, dilation = terms[0][1], terms[1][1]
        if order == "W" and (stride, dilation) != (1, 1):
            return None
        return Form(order, pooling, depthwise, stride, dilation, combiner, extension)
    return None


_POOLINGS = frozenset(
    (
        "add",
        "maximumf",
        "maxnumf",
        "maxsi",
        "maxui",
        "minimumf",
        "minnumf",
        "minsi",
        "minui",
    )
)


def _is_argument_or_cast(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or _cast_of_argument(value) is not None


def _cast_of_argument(value: SSAValue) -> Operation | None:
    op = value.owner
    if not isinstance(op, Operation) or "CastOpInterface" not in traits_of(op.name):
        return None
    return op if isinstance(op.operands[0], BlockArgument) else None


def _body_kind(combiner: Operation) -> tuple[bool, Operation | None] | None:
    """Whether the body is a pooling's, and what extends its input; None for other bodies."""
    computed: Sequence[SSAValue] = [
        v for v in combiner.operands if not isinstance(v, BlockArgument)
    ]
    if not computed:
        return True, None
    if len(computed) != 1:
        return None
    extension = _cast_of_argument(computed[0])
    if extension is not None:
        return True, extension
    product = computed[0].owner
    if not isinstance(product, Operation) or product.name not in _PRODUCTS:
        return None
    return (False, None) if all(_is_argument_or_cast(v) for v in product.operands) else None


_PRODUCTS = ("arith.andi", "arith.mulf", "arith.muli")


# --- convolution ---------------------------------------------------------------------------------
# Convolutions and poolings of one dimension on vectors: the loop over the filter is unrolled.
#
#     linalg.conv_1d_nwc_wcf ins(%input, %filter) outs(%out)
#     =>
#     %i = vector.transfer_read %input; %f = vector.transfer_read %filter; %o = ...
#     %r0 = vector.contract (slice 0 of %i) (%f[0]) %o
#     %r1 = vector.contract (slice 1 of %i) (%f[1]) %r0
#     ...
#     vector.transfer_write %r1, %out
#
# Channels last is what is computed on; channels first are transposed. With strides the places are
# unrolled too. A depthwise convolution multiplies and adds each channel for itself, and is the one
# that can have channels of a size that is not known, by masks. Source: MLIR 22.1 Vectorization.cpp.


def is_depthwise(op: Operation) -> bool:
    form = form_of(op)
    return form is not None and form.depthwise


def can_be_dynamic(op: Operation, *, flatten: bool) -> bool:
    """Whether masks can do it: only the channels of a depthwise convolution may have any size."""
    if flatten or not is_depthwise(op):
        return False
    return DYNAMIC not in (ops.shape_of(op.operands[0]) or ())[:-1]


class _Convolution:
    """A convolution on its way to vectors; sizes as in the form with channels last."""

    def __init__(self, space: Space, form: Form) -> None:
        self.op, self.rw, self.form = space.op, space.rw, form
        self.kind = cast("str", maps.kind_of(form.combiner))
        self.places = 0
        self.taps = 0
        self.step = 0
        self.zero = index_constant(self.rw, 0)

    def _set(self, places: int, taps: int) -> None:
        self.places, self.taps = places, taps
        #: Places that are computed together: all, where those of the input lie side by side.
        self.step = places if self.form.stride == 1 else 1

    @property
    def reach(self) -> int:
        """How many places of the input are read."""
        form = self.form
        return (self.places - 1) * form.stride + (self.taps - 1) * form.dilation + 1

    # --- memory ------------------------------------------------------------------------------
    def read(self, operand: int, sizes: Sequence[int], scalable: Sequence[bool] = ()) -> SSAValue:
        value = self.op.operands[operand]
        element, rank = ops.scalar_type(value), len(sizes)
        kind = vector_type(element, sizes, scalable or [False] * rank)
        identity = ops.select(rank, range(rank))
        indices, flags = [self.zero] * rank, [False] * rank
        return create_read(self.rw, kind, value, indices, zeros(self.rw, element), identity, flags)

    def write(self, value: SSAValue) -> Operation:
        rank = len(shape(value.type))
        identity = ops.select(rank, range(rank))
        dest = ops.outputs(self.op)[0]
        return create_write(self.rw, value, dest, [self.zero] * rank, identity, [False] * rank)

    # --- all but depthwise -------------------------------------------------------------------
    def run(self) -> list[SSAValue]:
        form = self.form
        channels_first = form.order == "NCW"
        sizes = [list(ops.shape_of(v) or ()) for v in self.op.operands]
        if form.order == "W":
            self._set(sizes[2][0], sizes[1][0])
            sizes[0] = [self.reach]
        else:
            at = 2 if channels_first else 1
            self._set(sizes[2][at], sizes[1][-1 if channels_first else 0])
            sizes[0][at] = self.reach
        source = self.read(0, sizes[0])
        filter_ = None if form.pooling else self.read(1, sizes[1])
        result = self.read(2, sizes[2])
        if channels_first:
            source = transpose(self.rw, source, [0, 2, 1])
            filter_ = None if filter_ is None else transpose(self.rw, filter_, [2, 1, 0])
            result = transpose(self.rw, result, [0, 2, 1])
        result = self._compute(source, filter_, result)
        if channels_first:
            result = transpose(self.rw, result, [0, 2, 1])
        return list(self.write(result).results)

    def slices(self, value: SSAValue, offsets: Sequence[int]) -> list[SSAValue]:
        """Slices of `step` places, which are the only dimension or the second one."""
        sizes = list(shape(value.type))
        at = 0 if len(sizes) == 1 else 1
        sizes[at] = self.step
        ones = [1] * len(sizes)
        found: list[SSAValue] = []
        for place in offsets:
            start = [place if d == at else 0 for d in range(len(sizes))]
            found.append(extract_slice(self.rw, value, start, sizes, ones))
        return found

    def source_slices(self, source: SSAValue) -> list[SSAValue]:
        form, starts = self.form, range(0, self.places, self.step)
        return self.slices(
            source,
            [w * form.stride + k * form.dilation for k in range(self.taps) for w in starts],
        )

    def result_slices(self, result: SSAValue) -> list[SSAValue]:
        return self.slices(result, range(0, self.places, self.step))

    def join(self, parts: Sequence[SSAValue], result: SSAValue) -> SSAValue:
        for number, part in enumerate(parts):
            place = number * self.step
            offsets = [place] if len(shape(result.type)) == 1 else [0, place, 0]
            result = insert_slice(self.rw, part, result, offsets, [1] * len(offsets))
        return result

    def _compute(self, source: SSAValue, filter_: SSAValue | None, result: SSAValue) -> SSAValue:
        slices = self.source_slices(source)
        taps = [] if filter_ is None else [extract(self.rw, filter_, k) for k in range(self.taps)]
        parts = self.result_slices(result)
        count = len(parts)
        for k in range(self.taps):
            for w in range(count):
                part = slices[k * count + w]
                if self.form.pooling:
                    parts[w] = self._pool(part, parts[w])
                elif self.form.order == "W":
                    parts[w] = self._outer_product(part, taps[k], parts[w])
                else:
                    parts[w] = self._contract(part, taps[k], parts[w])
        return self.join(parts, result)

    def _pool(self, part: SSAValue, acc: SSAValue) -> SSAValue:
        extension = self.form.extension
        if extension is not None:
            part = self.rw.value(extension.name, [part], acc.type)
        return self.rw.value(self.form.combiner.name, [part, acc], acc.type)

    def _outer_product(self, part: SSAValue, tap: SSAValue, acc: SSAValue) -> SSAValue:
        element = element_of(acc.type)
        part, tap = promote(self.rw, part, element), promote(self.rw, tap, element)
        properties = {"kind": ods.enum("vector.kind", "add")}
        return self.rw.value("vector.outerproduct", [part, tap, acc], acc.type, properties)

    def _contract(self, part: SSAValue, tap: SSAValue, acc: SSAValue) -> SSAValue:
        """{n, w, c} with {c, f} to {n, w, f}"""
        element = element_of(acc.type)
        part, tap = promote(self.rw, part, element), promote(self.rw, tap, element)
        indexing = [ops.select(4, dims) for dims in ((0, 1, 3), (3, 2), (0, 1, 2))]
        names = ["parallel"] * 3 + ["reduction"]
        properties: dict[str, Attribute] = {
            "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in indexing]),
            "iterator_types": ArrayAttr([ods.enum("vector.iterator_type", n) for n in names]),
            "kind": ods.enum("vector.kind", self.kind),
        }
        return self.rw.value("vector.contract", [part, tap, acc], acc.type, properties)

    # --- depthwise ---------------------------------------------------------------------------
    def run_depthwise(
        self, sizes: Sequence[int], scalable: Sequence[bool], *, flatten: bool
    ) -> list[SSAValue] | None:
        extents = [list(ops.shape_of(v) or ()) for v in self.op.operands]
        batches, places, _ = extents[2]
        taps, channels = extents[1]
        self._set(places, taps)
        masks, flag = channels == DYNAMIC, False
        if masks:
            if len(sizes) < 3:
                return None
            channels, flag = sizes[2], bool(scalable) and scalable[2]
        shapes = ([batches, self.reach, channels], [taps, channels], [batches, places, channels])
        values: list[SSAValue] = []
        for operand, dims in enumerate(shapes):
            value = self.read(operand, dims, [False] * (len(dims) - 1) + [flag])
            read = self._masked(cast("Operation", value.owner), masks)
            values.append(read.results[0])
        source, filter_, result = values
        slices = self.source_slices(source)
        rows = [extract(self.rw, filter_, k) for k in range(taps)]
        parts = self.result_slices(result)
        count = len(parts)
        for k in range(taps):
            for w in range(count):
                made = self._multiply_add(slices[k * count + w], rows[k], parts[w], flatten)
                if made is None:
                    return None
                parts[w] = made
        write = self.write(self.join(parts, result))
        return list(self._masked(write, masks).results)

    def _masked(self, transfer: Operation, masks: bool) -> Operation:
        if not masks:
            return transfer
        is_read = bool(transfer.name == "vector.transfer_read")
        base = transfer.operands[0 if is_read else 1]
        vector = cast("VectorType", (transfer.results if is_read else transfer.operands)[0].type)
        self.rw.before(transfer)
        mask = mask_of(self.rw, vector, sizes_of(self.rw, base))
        self.rw.after(transfer)
        made = masked_by(self.rw, transfer, mask)
        all_in_bounds(made)
        return made

    def _multiply_add(
        self, part: SSAValue, row: SSAValue, acc: SSAValue, flatten: bool
    ) -> SSAValue | None:
        whole = cast("VectorType", acc.type)
        element = whole.element_type
        if flatten:
            batches, places, channels = shape(whole)
            flat = [batches, places * channels]
            part = self._cast(part, flat)
            acc = self._cast(acc, flat)
        promoted = promote(self.rw, part, element)
        if flatten:
            length = shape(row.type)[0]
            order = list(range(length)) * (shape(acc.type)[1] // length)
            ty = VectorType(element_of(row.type), [len(order)])
            mask = {"mask": DenseArrayBase.from_list(i64, order)}
            row = self.rw.value("vector.shuffle", [row, row], ty, mask)
        kind = cast("VectorType", acc.type)
        flags = [bool(flag.value.data) for flag in kind.scalable_dims.data]
        row = broadcast(self.rw, row, vector_type(element_of(row.type), shape(kind), flags))
        row = promote(self.rw, row, element)
        if isinstance(element, AnyFloat):
            made = self.rw.value("vector.fma", [promoted, row, acc], kind)
        else:
            product = self.rw.value("arith.muli", [promoted, row], kind)
            made = self.rw.value("arith.addi", [product, acc], kind)
        return self._cast(made, shape(whole)) if flatten else made

    def _cast(self, value: SSAValue, sizes: Sequence[int]) -> SSAValue:
        ty = VectorType(element_of(value.type), list(sizes))
        return self.rw.value("vector.shape_cast", [value], ty)


def promote(rw: Rewriter, value: SSAValue, element: Attribute) -> SSAValue:
    """`value` with elements of a type that is at least as wide."""
    old = element_of(value.type)
    if old == element:
        return value
    kind: Attribute = element
    if isinstance(value.type, VectorType):
        flags = [bool(flag.value.data) for flag in value.type.scalable_dims.data]
        kind = vector_type(element, shape(value.type), flags)
    if isinstance(old, IntegerType) and isinstance(element, AnyFloat):
        return rw.value("arith.sitofp", [value], kind)
    name = "arith.extf" if isinstance(old, AnyFloat) else "arith.extsi"
    return rw.value(name, [value], kind)


def can_promote(op: Operation) -> bool:
    """Whether the output's elements can hold those of the others."""
    types = [ops.scalar_type(v) for v in op.operands]
    last = types[-1]
    return all(_fits(ty, last) for ty in types[:-1])


def _fits(ty: Attribute, wider: Attribute) -> bool:
    if ty == wider:
        return True
    if isinstance(wider, AnyFloat):
        if isinstance(ty, AnyFloat):
            return ty.bitwidth < wider.bitwidth
        return isinstance(ty, IntegerType)
    if not isinstance(ty, IntegerType) or not isinstance(wider, IntegerType):
        return False
    return ty.width.data < wider.width.data


def can_vectorize(op: Operation) -> bool:
    return form_of(op) is not None and can_promote(op)


def vectorize_convolution(
    space: Space, sizes: Sequence[int], scalable: Sequence[bool], *, flatten: bool
) -> list[SSAValue] | None:
    """What has been written, or None."""
    form = form_of(space.op)
    if form is None:
        return None
    convolution = _Convolution(space, form)
    if form.depthwise:
        return convolution.run_depthwise(sizes, scalable, flatten=flatten)
    return convolution.run()
