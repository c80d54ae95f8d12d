# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a matrix product is: C[b.., m, n] += A[b.., m, k] * B[b.., k, n], in any order of indices.

A structured operation on two inputs is one if its loops are parallel but for one, its maps are
permutations of loops, and its body multiplies and adds. Names do not matter: `linalg.matmul`, batch
and transposed forms and `linalg.generic` are told by maps and body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xgpu.core.ir.errors import error
from xgpu.dialects.linalg import ops

if TYPE_CHECKING:
    from xdsl.ir.affine import AffineMap

Role = Literal["batch", "m", "n", "k"]
#: Changes of a factor's type that a product of this hardware makes by itself.
_WIDENS = frozenset({"arith.extf", "arith.extsi"})
_MULTIPLIES = frozenset({"arith.mulf", "arith.muli"})
_ADDS = frozenset({"arith.addf", "arith.addi"})


@dataclass(frozen=True)
class Operand:
    """A memref of the product, and which loop runs along each of its dimensions."""

    value: SSAValue
    loops: tuple[int, ...]

    @property
    def type(self) -> MemRefType[Attribute]:
        found = self.value.type
        assert isinstance(found, MemRefType)
        return found

    @property
    def element(self) -> Attribute:
        return self.type.element_type


@dataclass(frozen=True)
class Product:
    """A product; `m`, `n`, `k` and `batch` are its loops."""

    op: Operation
    a: Operand
    b: Operand
    c: Operand
    batch: tuple[int, ...]
    m: int
    n: int
    k: int

    @property
    def is_integer(self) -> bool:
        return isinstance(self.a.element, IntegerType)

    def static_size(self, loop: int) -> int | None:
        """How often a loop runs, if a type says so."""
        for operand in (self.a, self.b, self.c):
            if loop in operand.loops:
                size = operand.type.get_shape()[operand.loops.index(loop)]
                if size >= 0:
                    return size
        return None


def product_of(op: Operation) -> Product | None:
    """What `op` multiplies, or None if it is no matrix product on memrefs. Raises a diagnostic for
    one on tensors: they have no place that threads could write."""
    if not ops.is_structured(op):
        return None
    inputs, outputs = ops.inputs(op), ops.outputs(op)
    if (len(inputs), len(outputs)) != (2, 1) or not _multiplies_and_adds(op):
        return None
    kinds = ops.iterator_types(op)
    if kinds.count("reduction") != 1 or kinds.count("parallel") != len(kinds) - 1:
        return None
    loops = [_loops(map) for map in ops.indexing_maps(op)]
    if any(found is None for found in loops):
        return None
    a, b, c = (
        Operand(value, found or ()) for value, found in zip((*inputs, *outputs), loops, strict=True)
    )
    if not ops.is_on_buffers(op):
        raise error(op, "a matrix product on tensors has to be bufferized first")
    return _assigned(op, a, b, c, kinds.index("reduction"), len(kinds))


def _assigned(
    op: Operation, a: Operand, b: Operand, c: Operand, k: int, count: int
) -> Product | None:
    in_a, in_b, in_c = set(a.loops), set(b.loops), set(c.loops)
    if k not in in_a & in_b or k in in_c:
        return None
    only_a, only_b = in_a & in_c - in_b, in_b & in_c - in_a
    shared = in_a & in_b & in_c
    if len(only_a) != 1 or len(only_b) != 1 or len(shared) + 3 != count:
        return None
    return Product(op, a, b, c, tuple(sorted(shared)), only_a.pop(), only_b.pop(), k)


def _loops(map: AffineMap) -> tuple[int, ...] | None:
    """The loop of each result of a map that selects different ones."""
    found = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    if len(found) != len(map.results) or len(set(found)) != len(found):
        return None
    return tuple(found)


def _multiplies_and_adds(op: Operation) -> bool:
    """Whether the body yields its last argument plus the product of the other two."""
    if not op.regions or op.regions[0].first_block is None:
        return False
    block = op.regions[0].block
    last = block.last_op
    if len(block.args) != 3 or last is None or len(last.operands) != 1:
        return False
    total = _maker(last.operands[0], _ADDS)
    if total is None:
        return False
    terms = [value for value in total.operands if value is not block.args[2]]
    factors = _maker(terms[0], _MULTIPLIES) if len(terms) == 1 else None
    return factors is not None and [_origin(v) for v in factors.operands] == list(block.args[:2])


def _maker(value: SSAValue, names: frozenset[str]) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) and owner.name in names else None


def _origin(value: SSAValue) -> SSAValue:
    """The argument of which `value` is a wider form."""
    while not isinstance(value, BlockArgument):
        widening = _maker(value, _WIDENS)
        if widening is None:
            return value
        value = widening.operands[0]
    return value


def elements_before(type: MemRefType[Attribute], position: int) -> Sequence[int] | None:
    """The static strides of the dimensions before `position`; None if one is not known, or if
    neighbours along `position` are not neighbours in memory."""
    strides = type.get_strides()
    offset = type.get_offset()
    if strides is None or strides[position] != 1 or offset is None:
        return None
    known = [stride for stride in (*strides[:position], offset) if stride is not None]
    return known if len(known) == position + 1 else None
