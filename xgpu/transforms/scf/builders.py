# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building loops and conditionals whose bodies are Python functions.

The rewriter stands in the body while the function runs, and is where it was afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.blocks import block_for, block_with

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Builder

#: Builds the body; gives what it yields.
LoopBody = Callable[[SSAValue, list[SSAValue]], Sequence[SSAValue]]
Branch = Callable[[], Sequence[SSAValue]]


def for_loop(
    rw: Builder,
    lower: SSAValue,
    upper: SSAValue,
    step: SSAValue,
    inits: Sequence[SSAValue],
    body: LoopBody,
) -> Operation:
    """Creates an `scf.for`; `body` gets the induction variable and the carried values."""
    types = [value.type for value in inits]
    block = block_with([IndexType(), *types], rw.location)
    _fill(rw, block, lambda: body(block.args[0], list(block.args[1:])))
    return rw.create("scf.for", [lower, upper, step, *inits], types, regions=[Region(block)])


def if_else(
    rw: Builder,
    condition: SSAValue,
    types: Sequence[Attribute],
    then: Branch,
    otherwise: Branch | None = None,
) -> Operation:
    """Creates an `scf.if`, with a second branch if `otherwise` is given."""
    block = Block()
    _fill(rw, block, then)
    regions = [Region(block), Region()]
    if otherwise is not None:
        block = Block()
        regions[1].add_block(block)
        _fill(rw, block, otherwise)
    return rw.create("scf.if", [condition], types, regions=regions)


def while_loop(
    rw: Builder,
    inits: Sequence[SSAValue],
    condition: Callable[[list[SSAValue]], SSAValue],
    body: Callable[[list[SSAValue]], Sequence[SSAValue]],
) -> Operation:
    """Creates an `scf.while`; `condition` and `body` get the carried values."""
    types = [value.type for value in inits]
    before, after = block_for(inits, types), block_for(inits, types)
    with rw.inside(before):
        goes_on = condition(list(before.args))
        rw.at_end(before)
        rw.create("scf.condition", [goes_on, *before.args])
    _fill(rw, after, lambda: body(list(after.args)))
    return rw.create("scf.while", inits, types, regions=[Region(before), Region(after)])


def _fill(rw: Builder, block: Block, build: Branch) -> None:
    """Builds in a block that has no place yet: MLIR too creates what is inside first."""
    with rw.inside(block):
        values = build()
        rw.at_end(block)
        rw.create("scf.yield", values)


def forall(
    rw: Builder,
    sizes: Sequence[int],
    body: Callable[[list[SSAValue]], object],
    mapping: Sequence[Attribute] = (),
) -> Operation:
    """Creates an `scf.forall` without results that counts to `sizes`; `body` gets its variables."""
    rank = len(sizes)
    block = block_with([IndexType()] * rank, rw.location)
    with rw.inside(block):
        body(list(block.args))
        rw.at_end(block)
        rw.create("scf.forall.in_parallel", regions=[Region(Block())])
    properties: dict[str, Attribute] = {
        "staticLowerBound": DenseArrayBase.from_list(i64, [0] * rank),
        "staticUpperBound": DenseArrayBase.from_list(i64, sizes),
        "staticStep": DenseArrayBase.from_list(i64, [1] * rank),
    }
    if mapping:
        properties["mapping"] = ArrayAttr(mapping)
    return rw.create("scf.forall", ([], [], [], []), (), properties, regions=[Region(block)])
