# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel's parameters, as cuLaunchKernel passes them: an array of pointers to values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from xgpu.backend.host.structs import offset
from xgpu.backend.host.types import POINTER

if TYPE_CHECKING:
    from xgpu.backend.host.code import Code
    from xgpu.backend.host.vectors.emission import Builder


def load_parameters(
    b: Code | Builder, block: SSAValue, types: Sequence[Attribute], by_value: Sequence[bool]
) -> list[SSAValue]:
    """Reads the parameters of the launch of `block`; of one by value, where it lies. `b` is a
    `Code` or a `Builder`."""

    def field(base: SSAValue, record: str, name: str) -> SSAValue:
        return b.load(b.address(base, offset(record, name)), POINTER)

    params = field(field(block, "Block", "launch"), "Launch", "params")
    found: list[SSAValue] = []
    for at, (ty, in_memory) in enumerate(zip(types, by_value, strict=True)):
        place = b.load(b.address(params, 8 * at), POINTER)
        found.append(place if in_memory else b.load(place, ty))
    return found
