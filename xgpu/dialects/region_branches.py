# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow between an operation and its regions (MLIR's RegionBranchOpInterface).

An edge says which values go where: from the operation into a region, from a region's end into
another region, or back to the operation as its results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.dialects import async_, memref, scf


class Edge:
    """`source` and `target` in the words of MLIR's messages; the values and what takes them."""

    __slots__ = ("inputs", "operands", "source", "target", "terminator")

    def __init__(
        self,
        source: str,
        target: str,
        operands: Sequence[SSAValue],
        inputs: Sequence[SSAValue],
        terminator: Operation | None = None,
    ) -> None:
        #: The terminator that the edge leaves, None for the operation itself.
        self.terminator = terminator
        self.source = source
        self.target = target
        self.operands = operands
        self.inputs = inputs


def into(
    op: Operation, index: int, operands: Sequence[SSAValue], inputs: Sequence[SSAValue]
) -> Edge:
    """From the operation into its region `index`."""
    return Edge("parent", f"Region #{index}", operands, inputs)


def between(
    terminator: Operation,
    index: int,
    operands: Sequence[SSAValue],
    inputs: Sequence[SSAValue],
) -> Edge:
    """From a terminator into a region."""
    source = f"Operation {terminator.name}"
    return Edge(source, f"Region #{index}", operands, inputs, terminator)


def back(
    terminator: Operation,
    operands: Sequence[SSAValue],
    results: Sequence[SSAValue],
) -> Edge:
    """From a terminator to the results of the operation."""
    return Edge(f"Operation {terminator.name}", "parent", operands, results, terminator)


def verify_edges(
    op: Operation,
    edges: Sequence[Edge],
    compatible: Callable[[Attribute, Attribute], bool] | None = None,
) -> None:
    """Counts and types agree along each edge; `compatible` says which types agree, if not equal."""
    for edge in edges:
        at = op if edge.terminator is None else edge.terminator
        notes = [(at.location, "region branch point")]
        words = f"along control flow edge from {edge.source} to {edge.target}: "
        if len(edge.operands) != len(edge.inputs):
            raise op_error(
                op,
                f"{words}region branch point has {len(edge.operands)} operands, but region "
                f"successor needs {len(edge.inputs)} inputs",
                notes,
            )
        for index, (given, taken) in enumerate(zip(edge.operands, edge.inputs, strict=True)):
            if given.type != taken.type and not (
                compatible is not None and compatible(given.type, taken.type)
            ):
                raise op_error(
                    op,
                    f"{words}successor operand type #{index} '{shown(given.type)}' should match "
                    f"successor input type #{index} '{shown(taken.type)}'",
                    notes,
                )


def yields(
    op: Operation, index: int, name: str
) -> list[async_.YieldOp | scf.YieldOp | memref.AllocaScopeReturnOp]:
    """The terminators `name` of the region `index`, one a block at most."""
    found = []
    for block in op.regions[index].blocks:
        last = block.last_op
        if last is not None and last.name == name:
            found.append(last)
    return found
