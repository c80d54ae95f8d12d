# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of calls: a memref's descriptor becomes its members, or its pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, SSAValue

from xgpu.conversion.memref.descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.core.rewriting.driver import NoMatch

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion


def promote_operands(
    rw: Conversion, types: Sequence[Attribute], values: Sequence[SSAValue], *, bare: bool
) -> list[SSAValue]:
    """The arguments of a call for `values`, whose types before the conversion were `types`."""
    result: list[SSAValue] = []
    for ty, value in zip(types, values, strict=True):
        if isinstance(value, tuple):
            result.extend(value)
        elif isinstance(ty, MemRefType):
            descriptor = MemRefDescriptor(rw, value)
            if bare:
                result.append(descriptor.aligned())
            else:
                result.extend(descriptor.unpack())
        elif isinstance(ty, UnrankedMemRefType):
            if bare:
                raise NoMatch("unranked memrefs have no bare pointer")
            result.extend(UnrankedDescriptor(rw, value).unpack())
        else:
            result.append(value)
    return result
