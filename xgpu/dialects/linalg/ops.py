# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured operations: their parts, what named ones compute, effects and names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, cast

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
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.core.ir.effects import Effect, effects, is_memory_effect_free
from xgpu.core.ir.errors import error, op_error
from xgpu.core.support.files import data_lines, data_text
from xgpu.dialects import linalg

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.builder import Rewriter


# -- What linalg's named operations compute, from `named_ops.txt`.
#
# For each: the iterators (p parallel, r reduction), the indexing maps of the operands, and the
# body. An elementwise operation has neither iterators nor maps. In maps, `S0` is the first stride
# and `D0` the first dilation. In bodies, `a0` is the first argument, `cast` and `castu` convert
# to the element type of the result, signed or not; `castattr` as the attribute `cast` says.
# `index(0)` is the first iterator, `i64(1)` and `f64(1.0)` are constants, and `toi32` and `tof64`
# signed casts.


#: operation -> (iterators, indexing maps of the operands, body)
OPS: dict[str, tuple[str, tuple[str, ...], str]] = {
    name: (iterators, tuple(maps.split("; ")) if maps else (), body)
    for name, iterators, maps, body in data_lines(data_text(__file__, "named_ops.txt"))
}


# -- Structured operations: operands, iterators and indexing maps (MLIR's LinalgOp interface).


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


# -- Bodies that are contractions: a product of both inputs that the output is combined with.


#: What multiplies and what adds up, together.
PAIRS = frozenset(
    {
        ("arith.mulf", "arith.addf"),
        ("arith.muli", "arith.addi"),
        ("complex.mul", "complex.add"),
        ("arith.andi", "arith.ori"),
    }
)

#: Named operations that are contractions, whatever their bodies say.
NAMED = (
    "linalg.batch_matmul", "linalg.batch_matvec", "linalg.batch_mmt4d",
    "linalg.batch_reduce_matmul", "linalg.batch_vecmat", "linalg.contract", "linalg.dot",
    "linalg.matmul", "linalg.matvec", "linalg.mmt4d", "linalg.vecmat",
)  # fmt: skip


def is_contraction_body(block: Block, pairs: Collection[tuple[str, str]] = PAIRS) -> bool:
    """Whether a block of two inputs and an output yields `combine(output, multiply(a, b))`, in
    either order, with conversions between, where `pairs` has both operations."""
    last = block.last_op
    if last is None or len(block.args) != 3 or len(last.operands) != 1:
        return False
    combine = _binary(_source(last.operands[0]))
    if combine is None:
        return False
    left, right = (_source(value) for value in combine.operands)
    output = block.args[2]
    if output not in (left, right):
        return False
    multiply = _binary(right if left is output else left)
    if multiply is None or (multiply.name, combine.name) not in pairs:
        return False
    factors = [_source(value) for value in multiply.operands]
    return factors in ([block.args[0], block.args[1]], [block.args[1], block.args[0]])


def verify_contraction_body(op: Operation) -> None:
    """The body of a named contraction is one, of numbers: its own form does not say the body."""
    if any(isinstance(arg.type, VectorType) for arg in op.regions[0].blocks[0].args):
        raise op_error(op, "multiplies numbers; its elements are vectors")
    if not is_contraction_body(op.regions[0].blocks[0]):
        raise error(op, "expected add/mul op in the body")


def _source(value: SSAValue) -> SSAValue:
    """What operations without effects and with one operand, conversions, have made a value of."""
    while isinstance(op := value.owner, Operation) and len(op.operands) == 1:
        if not is_memory_effect_free(op):
            break
        value = op.operands[0]
    return value


def _binary(value: SSAValue) -> Operation | None:
    op = value.owner
    if isinstance(op, Operation) and len(op.operands) == 2 and len(op.results) == 1:
        return op
    return None


# -- Structured operations on operands of other types.


def with_operands(
    rw: Rewriter, op: Operation, operands: Sequence[SSAValue], kinds: Sequence[Attribute]
) -> Operation:
    """`op` with other operands and result types. It takes the regions of `op`, which has to go."""
    regions = [op.detach_region(0) for _ in op.regions]
    properties, attributes = dict(op.properties), dict(op.attributes)
    return rw.insert(
        ods.create(op.name, operands, kinds, properties, attributes, regions, (), op.location)
    )


# -- Memory effects of structured operations: inputs are read, outputs written.
#
# An output whose old elements the body uses is read too. What the body does besides counts as well.


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


# -- Names that MLIR suggests for results of linalg operations.


def _fixed(name: str) -> Callable[[Operation], list[str | None]]:
    return lambda op: [name]


def _arguments(
    of_output: str,
) -> Callable[
    [linalg.GenericOp | linalg.MapOp | linalg.ReduceOp, Region], list[tuple[SSAValue, str]]
]:
    """Elements of inputs are called `in`, those of outputs `of_output`."""

    def name(
        op: linalg.GenericOp | linalg.MapOp | linalg.ReduceOp, region: Region
    ) -> list[tuple[SSAValue, str]]:
        block = region.first_block
        if block is None:
            return []
        count = len(inputs(op))
        return [(a, "in" if n < count else of_output) for n, a in enumerate(block.args)]

    return name


NAMES = {
    "linalg.broadcast": _fixed("broadcasted"),
    "linalg.map": _fixed("mapped"),
    "linalg.pack": _fixed("pack"),
    "linalg.reduce": _fixed("reduced"),
    "linalg.transpose": _fixed("transposed"),
    "linalg.unpack": _fixed("unpack"),
}

BLOCK_ARGUMENT_NAMES = {
    "linalg.generic": _arguments("out"),
    "linalg.map": _arguments("init"),
    "linalg.reduce": _arguments("init"),
}
