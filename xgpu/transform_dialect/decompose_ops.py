# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.decompose: convolutions and poolings of two dimensions, one of which has one
element, become such of one dimension.

    linalg.conv_2d_nhwc_hwcf ins(%x : tensor<4x1x9x2xf32>, %k : tensor<1x3x2x5xf32>) outs(%y : ..)
    =>
    %0 = tensor.extract_slice %x : tensor<4x9x2xf32>, and %1 and %2 of %k and %y
    %3 = linalg.conv_1d_nwc_wcf ins(%0, %1) outs(%2);   tensor.insert_slice %3 into %y

Both the kernel's window and the result must have one element along what is dropped. Source: MLIR
22.1 Linalg/Transforms/Transforms.cpp (DownscaleSizeOneWindowed2DConvolution).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    TensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.ops import clone_with_locations
from xgpu.dialects.linalg import ops
from xgpu.transform_dialect.failures import silenceable
from xgpu.transform_dialect.interpreter import each
from xgpu.transform_dialect.tiling import split
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xgpu.transform_dialect.state import State


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
        dynamic, static = split(sizes)
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


def _numbers(op: Operation, dropped: int) -> dict[str, Attribute]:
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
    clone_with_locations(target).regions[0].move_blocks(body)
    new = rw.insert(
        ods.create(
            form.name,
            [values[:2], values[2:]],
            [result_part.kind],
            _numbers(target, dropped),
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


OPS = {"transform.structured.decompose": each(decompose)}
