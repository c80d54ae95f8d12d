# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory effects of structured operations: inputs are read, outputs written.

An output whose old elements the body uses is read too. What the body does besides counts as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.effects import Effect, effects
from xgpu.dialects.linalg.named_ops import OPS
from xgpu.dialects.linalg.structure import MATMULS, inputs, outputs

if TYPE_CHECKING:
    from xgpu.dialects import linalg


def _effects(op: linalg.FillOp | linalg.GenericOp | linalg.MatmulOp) -> list[Effect] | None:
    found = [Effect("read", v) for v in inputs(op) if v.type.name == "memref"]
    block = op.regions[0].first_block
    first = len(inputs(op))
    for position, value in enumerate(outputs(op)):
        if value.type.name != "memref":
            continue
        if block is None or block.args[first + position].first_use is not None:
            found.append(Effect("read", value))
        found.append(Effect("write", value))
    for child in block.ops if block is not None else ():
        nested = effects(child)
        if nested is None:
            return None
        found.extend(nested)
    return found


def _softmax(op: linalg.SoftmaxOp) -> list[Effect]:
    """A buffer of results is read as well, since it holds what is between the steps."""
    found = [Effect("read", op.input)] if op.input.type.name == "memref" else []
    if op.output.type.name == "memref":
        found += [Effect("read", op.output), Effect("write", op.output)]
    return found


EFFECTS = {
    **dict.fromkeys(
        (
            *OPS,
            *MATMULS,
            *(
                f"linalg.{n}"
                for n in ("broadcast", "contract", "elementwise", "generic", "map", "reduce")
            ),
            "linalg.transpose",
        ),
        _effects,
    ),
    "linalg.softmax": _softmax,
}
