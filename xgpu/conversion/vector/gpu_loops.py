# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-gpu: loops carry matrices besides the vectors, which nothing needs then."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from xgpu.core.rewriting.rewriter import Rewriter


class NoMatrix(Exception):
    """A vector that is needed as a matrix was not converted to one."""


class Matrices(dict[SSAValue, SSAValue]):
    """The matrix, or the fragment of one, for each vector."""

    def __missing__(self, vector: SSAValue) -> SSAValue:
        raise NoMatrix


def convert_for(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    """Replaces a loop by one that carries the matrices as well; its yield follows later."""
    inits = list(op.operands[3:])
    mapped = [at for at, value in enumerate(inits) if value in matrices]
    extra = [matrices[inits[at]] for at in mapped]
    body = op.detach_region(op.regions[0])
    types = [value.type for value in (*inits, *extra)]
    loop = rw.create(
        "scf.for", [*op.operands, *extra], types, dict(op.properties), dict(op.attributes), [body]
    )
    block = body.blocks[0]
    for value in extra:
        block.insert_arg(value.type, len(block.args))
    count = len(inits)
    for place, at in enumerate(mapped):
        matrices[loop.results[at]] = loop.results[count + place]
        matrices[block.args[1 + at]] = block.args[1 + count + place]
    rw.replace(op, loop.results[:count])


def convert_yield(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    """Yields the matrices; instead of their vectors, those that came in, so that they are dead."""
    loop = op.parent_op()
    assert loop is not None
    values = list(op.operands)
    extra: list[SSAValue] = []
    for at, value in enumerate(op.operands):
        if value in matrices:
            values[at] = loop.operands[3 + at]
            extra.append(matrices[value])
    rw.create("scf.yield", [*values, *extra])
    rw.erase(op)
