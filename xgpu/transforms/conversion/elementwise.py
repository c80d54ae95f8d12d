# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operations on the llvm dialect's values: n-D vectors, which are arrays of 1-D vectors
there, are taken apart and put together again (MLIR's handleMultidimensionalVectors)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from xgpu import ods
from xgpu.dialects.llvm.types import LLVMArrayType
from xgpu.transforms.conversion import llvm_ops as llvm
from xgpu.transforms.conversion.driver import NoMatch

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.transforms.conversion.driver import Conversion, Rule

#: Builds the result of one piece: operands, and the type that the result has for it.
Build = Callable[[Sequence["SSAValue"], "Attribute"], "SSAValue"]


def _positions(ty: Attribute) -> Iterator[tuple[int, ...]]:
    """The position of each 1-D vector in nested arrays, outermost index slowest."""
    if not isinstance(ty, LLVMArrayType):
        yield ()
        return
    for index in range(ty.size):
        for rest in _positions(ty.element_type):
            yield (index, *rest)


def unroll(
    rw: Conversion, operands: Sequence[SSAValue], result: Attribute, build: Build
) -> SSAValue:
    """Calls `build` once, or for each 1-D vector if the operands are n-D vectors."""
    if not isinstance(operands[0].type, LLVMArrayType):
        return build(operands, result)
    if not isinstance(result, LLVMArrayType):
        raise NoMatch("expected vector result type")
    value = llvm.poison(rw, result)
    for position in _positions(operands[0].type):
        pieces = [llvm.extract(rw, operand, *position) for operand in operands]
        value = llvm.insert(
            rw, value, build(pieces, llvm.element_type(result, position)), *position
        )
    return value


def fast_math(op: Operation) -> dict[str, Attribute]:
    """The `fastmathFlags` of the llvm operation that stands for `op`."""
    flags: Any = op.properties.get("fastmath")
    return {"fastmathFlags": ods.enum("llvm.fastmath", "none" if flags is None else flags.data)}


def plain(op: Operation) -> dict[str, Attribute]:
    return {}


def one_to_one(name: str, properties: Callable[[Operation], dict[str, Attribute]] = plain) -> Rule:
    """A rule that makes `name` of an operation, piece by piece for n-D vectors."""

    def rule(op: Operation, operands: Sequence[Any], rw: Conversion) -> Sequence[SSAValue]:
        result = rw.convert_type(op.results[0].type)
        kept = properties(op)

        def build(pieces: Sequence[SSAValue], ty: Attribute) -> SSAValue:
            new = rw.create(name, pieces, (ty,), kept)
            new.attributes.update(op.attributes)
            return new.results[0]

        return [unroll(rw, operands, result, build)]

    return rule
