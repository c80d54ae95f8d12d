# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`linalg-decompose-aggregates`: linalg.softmax, linalg.pack and linalg.unpack in terms of
linalg.generic and linalg.fill, of which kernels can be made.

linalg.softmax becomes what MLIR's `transform.structured.decompose_interface` makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.transforms.linalg.decompose_packs import decompose_pack, decompose_unpack
from xgpu.transforms.linalg.decompose_softmax import decompose_softmax

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class LinalgDecomposeAggregatesPass(Pass):
    """Operations that stand for several become these."""

    name = "linalg-decompose-aggregates"
    summary = "Softmax, pack and unpack become linalg.generic"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(op.walk()):
            rw = Rewriter(inner)
            match inner.name:
                case "linalg.softmax":
                    values = decompose_softmax(rw, inner)
                    if values is None:
                        raise error(inner, "linalg.softmax of buffers is not decomposed")
                case "linalg.pack":
                    values = decompose_pack(rw, inner)
                case "linalg.unpack":
                    values = decompose_unpack(rw, inner)
                case _:
                    continue
            rw.replace(inner, values)
