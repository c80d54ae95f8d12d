# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured operations: operands, iterators and indexing maps (MLIR's LinalgOp interface)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir import affine
from xgpu.dialects.linalg.named_ops import OPS

if TYPE_CHECKING:
    from xdsl.dialects.builtin import (
        AffineMapAttr,
        ArrayAttr,
        DenseArrayBase,
        DenseIntOrFPElementsAttr,
        IntegerType,
        MemRefType,
        TensorType,
        VectorType,
    )
    from xdsl.ir import Attribute

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects import linalg


#: Operations with a map attribute: iterators and body; the maps are a default.
MATMULS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "linalg.batch_matmul": (
        "pppr",
        (
            "(d0, d1, d2, d3) -> (d0, d1, d3)",
            "(d0, d1, d2, d3) -> (d0, d3, d2)",
            "(d0, d1, d2, d3) -> (d0, d1, d2)",
        ),
        "add(a2, mul(castattr(a0), castattr(a1)))",
    ),
    "linalg.batch_reduce_matmul": (
        "rppr",
        (
            "(d0, d1, d2, d3) -> (d0, d1, d3)",
            "(d0, d1, d2, d3) -> (d0, d3, d2)",
            "(d0, d1, d2, d3) -> (d1, d2)",
        ),
        "add(a2, mul(castattr(a0), castattr(a1)))",
    ),
    "linalg.matmul": (
        "ppr",
        (
            "(d0, d1, d2) -> (d0, d2)",
            "(d0, d1, d2) -> (d2, d1)",
            "(d0, d1, d2) -> (d0, d1)",
        ),
        "add(a2, mul(castattr(a0), castattr(a1)))",
    ),
}

PARALLEL, REDUCTION, WINDOW = "parallel", "reduction", "window"


def named(name: str) -> tuple[str, tuple[str, ...], str] | None:
    """Iterators, maps and body of a named operation."""
    return MATMULS.get(name) or OPS.get(name)


def is_structured(op: Operation) -> bool:
    """Whether `op` is a loop nest around a scalar computation."""
    return op.name in _SHAPED or op.name in MATMULS or op.name in OPS


#: Structured operations that have no table entry.
_SHAPED = frozenset(
    f"linalg.{n}"
    for n in ("broadcast", "contract", "elementwise", "generic", "map", "reduce", "transpose")
)


def inputs(op: Operation) -> Sequence[SSAValue]:
    return cast("OdsOperation", op).operand_group(0)


def outputs(op: Operation) -> Sequence[SSAValue]:
    return cast("OdsOperation", op).operand_group(1)


def shape_of(value: SSAValue) -> tuple[int, ...] | None:
    """The sizes of a shaped value (-1: dynamic); None for a scalar."""
    get = getattr(value.type, "get_shape", None)
    if get is None or value.type.name == "vector":
        return None
    return tuple(get())


def rank_of(value: SSAValue) -> int:
    shape = shape_of(value)
    return 0 if shape is None else len(shape)


def scalar_type(value: SSAValue) -> Attribute:
    """What the body gets of an operand: its elements, or itself."""
    kind = value.type
    if shape_of(value) is None:
        return kind
    return cast("MemRefType | TensorType | VectorType", kind).element_type


def is_on_buffers(op: Operation) -> bool:
    """Whether no operand is a tensor."""
    return not op.results and all(v.type.name != "tensor" for v in op.operands)


# --- maps --------------------------------------------------------------------------------------
def _expression(text: str, constants: dict[str, int]) -> AffineExpr:
    total: AffineExpr | None = None
    for term in text.split(" + "):
        product: AffineExpr | None = None
        for factor in term.split(" * "):
            one: AffineExpr
            if factor in constants:
                one = AffineConstantExpr(constants[factor])
            else:
                one = AffineDimExpr(int(factor[1:]))
            product = one if product is None else affine.mul(product, one)
        assert product is not None
        total = product if total is None else affine.add(total, product)
    assert total is not None
    return total


def _map(text: str, constants: dict[str, int]) -> AffineMap:
    dims, _, results = text.partition(" -> ")
    inner = results[1:-1]
    exprs = [_expression(e, constants) for e in inner.split(", ")] if inner else []
    return AffineMap(dims.count("d"), 0, tuple(exprs))


def default_maps(name: str) -> list[AffineMap] | None:
    """The maps that the operation `name` has if its attribute says nothing."""
    entry = MATMULS.get(name)
    return None if entry is None else [_map(text, {}) for text in entry[1]]


def _window(op: Operation) -> dict[str, int]:
    """Strides and dilations of a convolution or pooling."""
    found: dict[str, int] = {}
    for letter, attribute in (("S", "strides"), ("D", "dilations")):
        attr = cast("DenseIntOrFPElementsAttr[IntegerType] | None", op.properties.get(attribute))
        values = list(attr.get_values()) if attr is not None else []
        if len(values) == 1:
            values *= 3
        for index in range(3):
            found[f"{letter}{index}"] = int(values[index]) if index < len(values) else 1
    return found


def select(count: int, dims: Sequence[int]) -> AffineMap:
    """`(d0, ...) -> (d[dims[0]], ...)` of `count` dimensions."""
    return AffineMap(count, 0, tuple(AffineDimExpr(d) for d in dims))


def numbers(op: Operation, name: str) -> list[int]:
    """The integers of the property `name`; none where it is absent."""
    found = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return [] if found is None else list(found.get_values())


def indexing_maps(op: Operation) -> list[AffineMap]:
    """For each operand, which of its elements an iteration sees."""
    attr = cast("ArrayAttr[AffineMapAttr] | None", op.properties.get("indexing_maps"))
    if attr is not None and (attr.data or op.name == "linalg.generic"):
        return [m.data for m in attr.data]
    entry = named(op.name)
    if entry is not None and entry[1]:
        constants = _window(op)
        return [_map(text, constants) for text in entry[1]]
    ins, outs = inputs(op), outputs(op)
    if op.name == "linalg.transpose":
        permutation = numbers(op, "permutation")
        rank = len(permutation)
        return [
            select(rank, [permutation.index(i) for i in range(rank)]),
            select(rank, range(rank)),
        ]
    if op.name == "linalg.broadcast":
        rank = rank_of(outs[0])
        added = set(numbers(op, "dimensions"))
        return [
            select(rank, [d for d in range(rank) if d not in added]),
            select(rank, range(rank)),
        ]
    if op.name == "linalg.reduce":
        rank = rank_of(ins[0])
        dropped = set(numbers(op, "dimensions"))
        kept = [d for d in range(rank) if d not in dropped]
        return [select(rank, range(rank))] * len(ins) + [select(rank, kept)] * len(outs)
    rank = rank_of(outs[0])
    return [select(rank, range(rank if rank_of(v) else 0)) for v in op.operands]


def iterator_types(op: Operation) -> list[str]:
    """Whether iterations of each loop are independent ("parallel") or accumulate ("reduction")."""
    attr = cast("ArrayAttr[linalg.IteratorTypeAttr] | None", op.properties.get("iterator_types"))
    if attr is not None:
        return [item.data for item in attr.data]
    entry = named(op.name)
    if entry is not None and entry[0]:
        return [PARALLEL if letter == "p" else REDUCTION for letter in entry[0]]
    if op.name == "linalg.reduce":
        dropped = set(numbers(op, "dimensions"))
        return [REDUCTION if d in dropped else PARALLEL for d in range(rank_of(inputs(op)[0]))]
    if op.name == "linalg.contract":
        maps = indexing_maps(op)
        kept = set(maps[-1].results)
        return [
            PARALLEL if AffineDimExpr(d) in kept else REDUCTION for d in range(maps[-1].num_dims)
        ]
    return [PARALLEL] * rank_of(outputs(op)[0])
