# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk copies and TMA on the host: `cp.async.bulk[.tensor].*`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.ir import SSAValue

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.constants import integer_constant
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.types import I1, I32

_TILE = re.compile(r"\.tile\.(\d)d")


def corner(b: Code, coordinates: Sequence[SSAValue]) -> SSAValue:
    """The corner of a box, in memory."""
    place = b.memory(20, 4)
    for at, value in enumerate(coordinates):
        b.store(value, b.address(place, 4 * at))
    return place


def _dimensions(call: Call, b: Code) -> int:
    match = _TILE.search(call.name)
    if match is None:
        b.refuse(f"'llvm.nvvm.{call.name}': only tile mode")
    return int(match[1])


@intrinsic(r"cp\.async\.bulk\.tensor\.g2s\..*")
def tensor_load(call: Call, b: Code) -> Values:
    """g2s[.cta].tile.<n>d(dst, mbarrier, map, coordinates..., [multicast mask,] cache hint,
    flags...).
    """
    rank = _dimensions(call, b)
    target, bar, tensor, *rest = call.arguments
    given = (target, bar, tensor, corner(b, rest[:rank]))
    rest = rest[rank:]
    flags = [value for value in rest if value.type == I1]
    if ".g2s.cta." not in call.name and flags and integer_constant(flags[0]) not in (0, None):
        b.native("tma_multicast", None, *given, b.cast("zext", rest[0], I32))
    else:
        b.native("tma_load", None, *given)
    return []


@intrinsic(r"cp\.async\.bulk\.tensor\.s2g\..*")
def tensor_store(call: Call, b: Code) -> Values:
    """s2g.tile.<n>d(src, map, coordinates..., cache hint, flag)."""
    rank = _dimensions(call, b)
    source, tensor, *rest = call.arguments
    b.native("tma_store", None, source, tensor, corner(b, rest[:rank]))
    return []


@intrinsic(r"cp\.async\.bulk\.global\.to\.shared\.(cluster|cta)")
def bulk_load(call: Call, b: Code) -> Values:
    """(dst, mbarrier, src, size, [multicast mask,] cache hint, flags...)"""
    flags = [value for value in call.arguments[4:] if value.type == I1]
    if len(flags) > 1 and integer_constant(flags[0]) not in (0, None):
        mask = b.cast("zext", call.arguments[4], I32)
        b.native("bulk_multicast", None, *call.arguments[:4], mask)
    else:
        b.native("bulk_load", None, *call.arguments[:4])
    return []


@intrinsic(r"cp\.async\.bulk\.shared\.cta\.to\.cluster")
def bulk_between_blocks(call: Call, b: Code) -> Values:
    """(dst, mbarrier, src, size), the first two of any block of the cluster"""
    b.native("bulk_load", None, *call.arguments[:4])
    return []


@intrinsic(r"cp\.async\.bulk\.shared\.cta\.to\.global")
def bulk_store(call: Call, b: Code) -> Values:
    """(dst, src, size, ...)"""
    b.native("bulk_store", None, *call.arguments[:3])
    return []


@intrinsic(
    r"cp\.async\.bulk\.(commit\.group|wait\.group.*)", r"cp\.async\.bulk\.(tensor\.)?prefetch\..*"
)
def nothing(call: Call, b: Code) -> Values:
    return []
