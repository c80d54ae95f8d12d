# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`linalg-generalize-named-ops`: a structured operation with a name of its own becomes
linalg.generic, with the same region and its maps and iterators spelled out.

    linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    =>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>

Source: MLIR 22.1 Generalization.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute, Operation, Region

from xgpu.core import ods
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.linalg import ops

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir.affine import AffineMap

    from xgpu.core.rewriting.rewriter import Rewriter


def description(maps: Sequence[AffineMap], iterators: Sequence[str]) -> dict[str, ArrayAttr]:
    """The properties of a linalg.generic with these maps and iterators."""
    return {
        "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in maps]),
        "iterator_types": ArrayAttr([ods.enum("linalg.iterator_type", name) for name in iterators]),
    }


def create_generic(
    target: Operation, rw: Rewriter, attributes: Mapping[str, Attribute] | None = None
) -> Operation:
    """A linalg.generic that does what the structured operation `target` does.

    It takes the region of `target`, which the caller has to replace and erase.
    """
    properties = description(ops.indexing_maps(target), ops.iterator_types(target))
    region = Region()
    target.regions[0].move_blocks(region)
    return rw.create(
        "linalg.generic",
        [list(ops.inputs(target)), list(ops.outputs(target))],
        [result.type for result in target.results],
        properties,
        attributes,
        [region],
    )


def _generalize(op: Operation, rw: GreedyRewriter) -> bool:
    rw.replace(op, create_generic(op, rw).results)
    return True


class LinalgGeneralizeNamedOpsPass(Pass):
    """Named structured operations become linalg.generic."""

    name = "linalg-generalize-named-ops"
    summary = "Convert named ops into generic ops"

    def run(self, op: Operation, ctx: Context) -> None:
        patterns: dict[str, tuple[Pattern, ...]] = {}
        for inner in op.walk():
            if ops.is_structured(inner) and inner.name != "linalg.generic":
                patterns[inner.name] = (_generalize,)
        apply_patterns(op, patterns)
