# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel's parameters, as cuLaunchKernel passes them: an array of pointers to values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from xgpu.host_device.compiler.structs import offset
from xgpu.host_device.compiler.types import POINTER

if TYPE_CHECKING:
    from xgpu.host_device.compiler.code import Code
    from xgpu.host_device.compiler.vectors.emission import Builder


#: How a kernel gets a parameter: IN_MEMORY, where it lies; BOUNDS and more, that word of the bounds
#: of the launch's arrays, to which a pointer lies behind all others (two words for each parameter:
#: where its array begins, its bytes plus one).
IN_MEMORY, BOUNDS = 1, 2


def load_parameters(
    b: Code | Builder, block: SSAValue, types: Sequence[Attribute], ways: Sequence[int]
) -> list[SSAValue]:
    """Reads the parameters of the launch of `block`; `b` is a `Code` or a `Builder`."""

    def field(base: SSAValue, record: str, name: str) -> SSAValue:
        return b.load(b.address(base, offset(record, name)), POINTER)

    params = field(field(block, "Block", "launch"), "Launch", "params")
    found: list[SSAValue] = []
    bounds: SSAValue | None = None
    for at, (ty, way) in enumerate(zip(types, ways, strict=True)):
        if way >= BOUNDS:
            if bounds is None:
                bounds = b.load(b.address(params, 8 * at), POINTER)
            found.append(b.load(b.address(bounds, 8 * (way - BOUNDS)), ty))
            continue
        place = b.load(b.address(params, 8 * at), POINTER)
        found.append(place if way == IN_MEMORY else b.load(place, ty))
    return found
