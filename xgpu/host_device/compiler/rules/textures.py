# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textures and surfaces: what instructions of PTX become (`xgpu.frontend.ptx.texture`), as calls of
`native/sources/textures.py`, each for a thread and a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.raise_intrinsics import texture_function
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _called(call: Call, b: Code) -> Values:
    name, numbers = texture_function(call.name)
    arguments: list[SSAValue] = list(call.arguments)
    for at, number in numbers:
        arguments.insert(at, b.integer(number))
    return [b.call(f"xgpu_nv_{name}", call.type, *arguments)]


@intrinsic(r"ptx\.tex\..*")
def texture(call: Call, b: Code) -> Values:
    """A channel of a texel, or the size of a texture."""
    return _called(call, b)


@intrinsic(r"ptx\.surf\..*")
def surface(call: Call, b: Code) -> Values:
    """The address of bytes of a surface."""
    return _called(call, b)
