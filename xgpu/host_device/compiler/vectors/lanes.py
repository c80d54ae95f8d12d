# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What vectors have no instruction for: one lane after the other, in the order of the lanes.

Operands that differ go through memory: the loop reads lane i's, does the operation, and writes its
result. Under a mask the loop goes from set bit to set bit, so that a few lanes cost little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from xgpu.host_device.compiler.types import I1, I8, I32, I64, vector_of
from xgpu.host_device.compiler.vectors.emission import Builder, Emitted, Lanes, Uniform

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Attribute


def each_lane(
    b: Builder,
    mask: SSAValue | None,
    operands: Sequence[Emitted],
    results: Sequence[Attribute],
    body: Callable[[SSAValue, list[SSAValue]], Sequence[SSAValue]],
    *,
    is_short: bool = False,
) -> list[Emitted]:
    """Runs `body(lane, operands of that lane)` for each lane of `mask`; types of `results`.

    At least one lane of the mask must be set. A body that `is_short` is written out for each lane
    where all run.
    """
    if is_short and mask is None and not results:
        vectors = [o if isinstance(o, Uniform) else b.as_lanes(o) for o in operands]
        for lane in range(b.width):
            given = [v.value if isinstance(v, Uniform) else b.extract(v, lane) for v in vectors]
            body(b.integer(lane, I32), given)
        return []
    buffers = [_spilled(b, o) for o in operands]
    outputs = [b.alloca(_stored(ty), b.width) for ty in results]
    loop, done = None, b.new_block()
    if mask is None:
        first: SSAValue = b.integer(0, I32)
        loop = b.new_block([I32])
    else:
        first = b.mask_bits(mask)
        loop = b.new_block([first.type])
    b.branch(loop, [first])
    b.enter(loop)
    state = loop.args[0]
    lane = state if mask is None else _lowest(b, state)
    index = b.cast("zext", lane, I64)
    given = [_read(b, buffer, index) for buffer in buffers]
    for output, value in zip(outputs, body(lane, given), strict=True):
        _write(b, value, output, index)
    if mask is None:
        following = b.add(state, 1)
        more = b.icmp("ult", following, b.width)
    else:
        following = b.binary("and", state, b.binary("sub", state, 1))
        more = b.icmp("ne", following, 0)
    b.cond_branch(more, loop, done, [following], [])
    b.enter(done)
    return [Lanes(_whole(b, o, ty)) for o, ty in zip(outputs, results, strict=True)]


def _lowest(b: Builder, bits: SSAValue) -> SSAValue:
    """The number of the lowest bit that is set, as an i32."""
    from xdsl.dialects.builtin import IntegerAttr

    place = b.value(
        "llvm.intr.cttz", (bits,), bits.type, {"is_zero_poison": IntegerAttr(1, I1)}
    )  # fmt: skip
    width = cast("IntegerType", bits.type).width.data
    if width == 32:
        return place
    return b.cast("zext" if width < 32 else "trunc", place, I32)


def _stored(ty: Attribute) -> Attribute:
    """What a lane of type `ty` is in memory."""
    return I8 if isinstance(ty, IntegerType) and ty.width.data == 1 else ty


def _spilled(b: Builder, value: Emitted) -> Uniform | tuple[SSAValue, Attribute]:
    """A value that differs, in memory; any other as it is."""
    if isinstance(value, Uniform):
        return value
    vector = b.as_lanes(value)
    whole = cast("VectorType", vector.type)
    element = whole.element_type
    if _stored(element) is not element:
        vector = b.value("llvm.zext", (vector,), vector_of(I8, b.width))
    place = b.alloca(_stored(element), b.width)
    b.store(vector, place)
    return place, element


def _read(b: Builder, buffer: Uniform | tuple[SSAValue, Attribute], index: SSAValue) -> SSAValue:
    if isinstance(buffer, Uniform):
        return buffer.value
    place, element = buffer
    stored = _stored(element)
    value = b.load(b.address(place, index, stored), stored)
    return value if stored is element else b.value("llvm.trunc", (value,), element)


def _write(b: Builder, value: SSAValue, place: SSAValue, index: SSAValue) -> None:
    stored = _stored(value.type)
    if stored is not value.type:
        value = b.value("llvm.zext", (value,), stored)
    b.store(value, b.address(place, index, stored))


def _whole(b: Builder, place: SSAValue, ty: Attribute) -> SSAValue:
    stored = _stored(ty)
    vector = b.load(place, vector_of(stored, b.width))
    return vector if stored is ty else b.value("llvm.trunc", (vector,), vector_of(ty, b.width))
