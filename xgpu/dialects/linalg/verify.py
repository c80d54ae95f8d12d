# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of linalg: what all structured operations must satisfy, and each in particular."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    TensorType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.dialects import linalg
from xgpu.dialects.linalg.ops import (
    MATMULS,
    NAMED,
    OPS,
    indexing_maps,
    inputs,
    is_structured,
    iterator_types,
    outputs,
    rank_of,
    scalar_type,
    shape_of,
    verify_contraction_body,
)

# -- The verifier of linalg.contract: what its indexing maps may say.


def _dimensions(map: AffineMap) -> list[int] | None:
    """The dimensions that are a map's results, each once; None if it is no such map."""
    found = [r.position for r in map.results if isinstance(r, AffineDimExpr)]
    if map.num_symbols or len(found) != len(map.results) or len(set(found)) != len(found):
        return None
    return found


def verify_contract(op: linalg.ContractOp) -> None:
    """Each dimension is one of both inputs that is summed up, or one of the output."""
    maps = [item.data for item in op.properties["indexing_maps"].data]
    if len(maps) != len(op.operands):
        return  # which the verifier of structured operations says
    loops = maps[0].num_dims
    used: list[list[int]] = []
    for map, operand in zip(maps, op.operands, strict=True):
        if map.num_dims != loops:
            raise error(op, "iteration spaces of provided affine_maps differ")
        dimensions = _dimensions(map)
        if dimensions is None:
            raise error(op, "provided affine_map is not a projected permutation")
        shaped = isinstance(operand.type, ShapedType)
        if isinstance(operand.type, ShapedType) and len(operand.type.get_shape()) != len(
            dimensions
        ):
            raise error(
                op, "ranks of shaped operand and results of corresponding affine_map differ"
            )
        if not shaped and dimensions:
            raise error(op, "affine_map specifies shaped access while operand has non-shaped type")
        used.append(dimensions)
    *inputs, output = used
    contracts = False
    for dimension in range(loops):
        count, is_output = sum(dimension in one for one in inputs), dimension in output
        if not count and not is_output:
            raise error(
                op, f"iteration space dim at index {dimension} not used to access any operand"
            )
        contracts |= count == 2 and not is_output
        if not is_output and count == 1:
            raise error(
                op,
                f"iteration space dim at index {dimension} is neither a contracting dim nor of "
                "parallel iteration type",
            )
    if not contracts:
        raise error(op, "'indexing_maps' do not specify a contracting dimension")


# -- Verifiers of the indexing maps that matrix products may be given: transposed operands, and
# operands that are broadcast along what their maps leave out. Messages are MLIR's.
#
# The loops are (m, n, k), or (batch, m, n, k).


_Dims = tuple[int, ...]

#: The loops that each map of a product without maps has.
_MATMUL: tuple[_Dims, ...] = ((0, 2), (2, 1), (0, 1))
_BATCH: dict[str, tuple[_Dims, ...]] = {
    "linalg.batch_matmul": ((0, 1, 3), (0, 3, 2), (0, 1, 2)),
    "linalg.batch_reduce_matmul": ((0, 1, 3), (0, 3, 2), (1, 2)),
}
#: What the left and the right operand of a batch may be broadcast to.
_BROADCASTS: tuple[tuple[_Dims, ...], ...] = (((3,), (0, 3), (1, 3)), ((3,), (0, 3), (3, 2)))


def _dims(affine_map: AffineMap) -> _Dims | None:
    """The loops that a map gives, None if it gives anything else."""
    found = [r.position if isinstance(r, AffineDimExpr) else None for r in affine_map.results]
    return None if None in found else tuple(d for d in found if d is not None)


def _given(op: Operation, usual: tuple[_Dims, ...]) -> list[_Dims | None] | None:
    """The loops of the maps that an operation was given, None if they are the usual ones."""
    maps = cast("ArrayAttr[AffineMapAttr] | None", op.properties.get("indexing_maps"))
    if maps is None:
        return None
    found = [_dims(part.data) for part in maps.data]
    return None if tuple(found) == usual else found


def verify_matmul(op: Operation) -> None:
    given = _given(op, _MATMUL)
    for dims, usual in zip(given or (), _MATMUL[:2], strict=False):
        if dims is None or not set(dims) <= set(usual):
            raise op_error(op, "Unexpected dim expression in map result.")
        if len(dims) < len(usual) and dims != (2,):
            raise op_error(op, "Invalid broadcast requested, should be (d2).")
    _expect_permutations(op, given)


def verify_batch(op: Operation) -> None:
    given = _given(op, _BATCH[op.name])
    if given is None:
        return
    if len(given) != 3:
        raise op_error(op, "Indexing_map attribute must have 3 affine maps.")
    *usual, output = _BATCH[op.name]
    for dims, wanted, broadcasts in zip(given, usual, _BROADCASTS, strict=False):
        if dims is None or not set(dims) <= set(wanted):
            raise op_error(
                op,
                "Unexpected result dim expression (outside the set of default result dims).",
            )
        if len(dims) > 3:
            raise op_error(op, "no. of result dim expressions exceeds 3.")
        if len(dims) < 3:
            if dims not in broadcasts:
                raise op_error(op, "Invalid broadcast requested.")
        elif dims[0] != 0:
            raise op_error(op, "Invalid batch dimension expression.")
    _verify_output(op, given[2], output)
    _expect_permutations(op, given)


def _verify_output(op: Operation, given: _Dims | None, output: _Dims) -> None:
    maps = cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
    count = len(maps.data[2].data.results)
    if count != len(output):
        raise op_error(op, f"expects {len(output)} dims, but got ({count}).")
    if given != output:
        raise op_error(op, "Invalid output map result dimension.")


def _expect_permutations(op: Operation, given: list[_Dims | None] | None) -> None:
    for dims in given or ():
        if dims is not None and len(set(dims)) != len(dims):
            raise error(op, "expected indexing maps to be projected permutations")


MATMUL_VERIFY = {"linalg.matmul": verify_matmul, **dict.fromkeys(_BATCH, verify_batch)}


# -- The verifiers of linalg.pack, unpack and softmax.


def _is_open(size: int) -> bool:
    return size == DYNAMIC_INDEX or size < -1


def _compatible(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two shapes may be the same one."""
    return len(first) == len(second) and all(
        a == b or _is_open(a) or _is_open(b) for a, b in zip(first, second, strict=True)
    )


def _values(op: Operation, name: str) -> list[int]:

    found = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return [] if found is None else [int(n) for n in found.get_values()]


def _is_choice(places: Sequence[int], rank: int) -> bool:
    """Whether these are different dimensions of so many."""
    return len(set(places)) == len(places) and all(0 <= p < rank for p in places)


def packed_shape(
    unpacked: Sequence[int], tiles: Sequence[int], places: Sequence[int], order: Sequence[int]
) -> list[int]:
    """How many tiles there are in each dimension, in their order, and then the tiles' sizes."""
    outer = list(unpacked)
    for place, tile in zip(places, tiles, strict=True):
        if not _is_open(outer[place]):
            outer[place] = DYNAMIC_INDEX if _is_open(tile) else -(-outer[place] // tile)
    if order:
        outer = [outer[n] for n in order]
    return [*outer, *(DYNAMIC_INDEX if _is_open(tile) else tile for tile in tiles)]


def _verify_tiles(
    op: linalg.PackOp | linalg.UnpackOp,
    unpacked: TensorType | MemRefType,
    packed: TensorType | MemRefType,
) -> None:
    """What pack and unpack have in common."""
    tiles = _values(op, "static_inner_tiles")
    places, order = _values(op, "inner_dims_pos"), _values(op, "outer_dims_perm")
    rank = len(unpacked.get_shape())
    if 0 in tiles:
        raise error(op, "invalid zero tile factor")
    if not _is_choice(places, rank):
        raise error(op, "invalid inner_dims_pos vector")
    if not _is_choice(order, rank):
        raise error(op, "invalid outer_dims_perm vector")
    if order and len(order) != rank:
        raise error(op, "outer_dims_perm must be a permutation or empty")
    if len(tiles) > rank:
        raise error(
            op,
            "tiling factors must be less than or equal to the input rank for pack or output rank "
            "for unpack",
        )
    if len(tiles) != len(places):
        raise error(op, "tiling factors must equal the number of dimensions to tile")
    shape = packed.get_shape()
    if len(shape) != rank + len(tiles):
        raise error(
            op,
            f"packed rank != (unpacked rank + num tiling factors), got {len(shape)} != "
            f"{rank + len(tiles)}",
        )
    for size, tile in zip(shape[rank:], tiles, strict=True):
        if _is_open(size) != _is_open(tile) or (not _is_open(tile) and size != tile):
            raise error(
                op,
                "mismatch in inner tile sizes specified and shaped of tiled dimension in the "
                "packed type",
            )
    expected = packed_shape(unpacked.get_shape(), tiles, places, order)
    if not _compatible(expected, shape):
        kind = type(packed)(packed.element_type, expected)
        raise error(
            op,
            f"expected '{shown(kind)}' for the packed domain value, got '{shown(packed)}'",
        )


def verify_pack(op: linalg.PackOp) -> None:
    source, dest = op.source.type, op.dest.type
    _verify_tiles(op, source, dest)
    padding = op.padding_value
    if padding is not None and padding.type != source.element_type:
        raise op_error(
            op,
            f"expected padding_value has '{shown(source.element_type)}' but got: "
            f"'{shown(padding.type)}'",
        )
    if padding is None and needs_padding(op, source.get_shape(), dest.get_shape()):
        raise op_error(
            op,
            "invalid tile factor or output size provided. Only full tiles are supported when "
            "padding_value is not set",
        )


def needs_padding(op: Operation, sizes: Sequence[int], packed: Sequence[int]) -> bool:
    """Whether some dimension ends inside of a tile, as far as that is known."""
    order = _values(op, "outer_dims_perm") or list(range(len(sizes)))
    counts = {dimension: packed[place] for place, dimension in enumerate(order)}
    for place, tile in zip(
        _values(op, "inner_dims_pos"), _values(op, "static_inner_tiles"), strict=True
    ):
        by = counts[place] if _is_open(tile) else tile
        if not _is_open(sizes[place]) and not _is_open(by) and by and sizes[place] % by:
            return True
    return False


def verify_unpack(op: linalg.UnpackOp) -> None:
    _verify_tiles(op, op.dest.type, op.source.type)


def verify_softmax(op: linalg.SoftmaxOp) -> None:

    given = cast("ShapedType", op.input.type).get_shape()
    result = cast("ShapedType", op.output.type).get_shape()
    if not _compatible(given, result):
        raise op_error(op, "incompatible output shape")
    if not 0 <= op.properties["dimension"].value.data < len(given):
        raise op_error(op, "incorrect dimension specified")


# -- Verifiers of linalg.map, reduce, transpose and broadcast.


def _shape(value: SSAValue) -> tuple[int, ...]:
    return shape_of(value) or ()


def _as_text(sizes: Sequence[int]) -> str:
    return ", ".join("-9223372036854775808" if s < 0 else str(s) for s in sizes)


def verify_map(op: linalg.MapOp) -> None:
    arguments = op.regions[0].blocks[0].args
    operands = op.operands
    if len(arguments) != len(operands):
        raise op_error(
            op,
            "expects number of operands to match the arity of mapper, but got: "
            f"{len(operands)} and {len(arguments)}",
        )
    for argument, value in zip(arguments, operands, strict=True):
        if argument.type != scalar_type(value):
            raise op_error(
                op,
                f"expected element type of input '{shown(scalar_type(value))}' to match bbArg type "
                f"'{shown(argument.type)}'",
            )
    wanted = _shape(outputs(op)[0])
    for value in inputs(op):
        if _shape(value) != wanted:
            raise op_error(
                op,
                f"expected shape of input ({_as_text(_shape(value))}) to match shape of output "
                f"({_as_text(wanted)})",
            )


def verify_reduce(op: linalg.ReduceOp) -> None:
    ins, outs = inputs(op), outputs(op)
    for words, values in (("input", ins), ("output", outs)):
        for index, value in enumerate(values):
            if _shape(value) != _shape(values[0]):
                raise op_error(
                    op,
                    f"expects all {words}s to have the same shapes. Shape at {words}-index {index} "
                    f"is not equal to the shape at {words}-index 0.",
                )
    shape, result = _shape(ins[0]), _shape(outs[0])
    dimensions = set(op.dimensions.get_values())
    for dimension in dimensions:
        if not 0 <= dimension < len(shape):
            raise op_error(
                op, f"dimensions for reduction should be in the range [0, {len(shape) - 1}]."
            )
    kept = tuple(s for i, s in enumerate(shape) if i not in dimensions)
    if len(kept) != len(result):
        raise op_error(
            op,
            f"number of dimensions after reduction {len(kept)} doesn't match the init rank "
            f"{len(result)}",
        )
    if kept != result:
        raise op_error(
            op,
            f"init dimensions [{_as_text(result)}] doesn't match input dimensions after reduction "
            f"[{_as_text(kept)}]",
        )
    arguments = op.regions[0].blocks[0].args
    if len(arguments) != len(op.operands):
        raise op_error(op, "mismatching number of operands and block arguments")
    for position, (value, argument) in enumerate(zip(op.operands, arguments, strict=True)):
        if scalar_type(value) != argument.type:
            words = "input" if position < len(ins) else "output"
            raise op_error(
                op,
                f"{words} element type '{shown(scalar_type(value))}' does not match corresponding "
                f"block argument type '{shown(argument.type)}'",
            )


def verify_transpose(op: linalg.TransposeOp) -> None:
    permutation = list(op.permutation.get_values())
    if sorted(permutation) != list(range(len(permutation))):
        raise op_error(op, "permutation is not valid")
    shape, result = _shape(op.operands[0]), _shape(op.operands[1])
    if len(shape) != len(result):
        raise op_error(op, f"input rank {len(shape)} does not match init rank {len(result)}")
    if len(permutation) != len(shape):
        raise op_error(
            op,
            f"size of permutation {len(permutation)} does not match the argument rank {len(shape)}",
        )
    for index, source in enumerate(permutation):
        if result[index] != shape[source]:
            raise op_error(
                op,
                f"dim(result, {index}) = {_as_text([result[index]])} doesn't match dim(input, "
                f"permutation[{index}]) = {_as_text([shape[source]])}",
            )


def verify_broadcast(op: linalg.BroadcastOp) -> None:
    dimensions = list(op.properties["dimensions"].get_values())
    shape, result = _shape(op.operands[0]), _shape(op.operands[1])
    if len(shape) + len(dimensions) != len(result):
        raise op_error(
            op,
            "input rank plus added dimensions does not match init rank. input rank: "
            f"{len(shape)}, dimensions size: {len(dimensions)}, init rank: {len(result)}",
        )
    for index, dimension in enumerate(dimensions):
        if not 0 <= dimension < len(result):
            raise op_error(
                op,
                f"dimension {index} is out of range. expected range: [0, {len(result) - 1}], got: "
                f"{dimension}",
            )
    kept = [d for d in range(len(result)) if d not in dimensions]
    for index, dimension in enumerate(kept):
        if shape[index] != result[dimension]:
            raise op_error(
                op,
                f"input dim {index} should match init dim {dimension}. input: "
                f"{_as_text([shape[index]])}, init: {_as_text([result[dimension]])}",
            )


# -- Verifiers of Winograd's transforms: F(m, r) makes tiles of m outputs from filters of r
# elements, of which each takes m + r - 1 inputs. Messages are MLIR's.
#
# A filter has the dimensions (F, H, W, C), an image (N, H, W, C), tiles (alpha of H, alpha of W,
# tiles along H, tiles along W, N, C). One direction may be left as it is: alpha is one there.


_Shape = tuple[int, ...]

#: `F_2_3`, `F_4_3`, `F_2_5`.
_FORMS = ((2, 3), (4, 3), (2, 5))


def _static_shape(value: SSAValue) -> _Shape:
    return cast("ShapedType", value.type).get_shape()


def _sizes(op: Operation) -> tuple[int, int]:
    """m and r."""
    return _FORMS[cast("IntegerAttr", op.properties["fmr"]).value.data]


def _expect_output(op: Operation, expected: Sequence[int]) -> None:
    found = _static_shape(op.operands[1])
    for want, have in zip(expected, found, strict=True):
        if DYNAMIC_INDEX not in (want, have) and want != have:
            raise op_error(op, "the output shape is not expected")


def verify_filter(op: Operation) -> None:
    m, r = _sizes(op)
    filters, height, width, channels = _static_shape(op.operands[0])
    for name, size in (("height", height), ("width", width)):
        if size not in (r, 1):
            raise op_error(op, f"expect filter {name} either equals to r or 1")
    if height == 1 and width == 1:
        raise op_error(op, "expect either filter height or width equals to r")
    tiles = [m + r - 1 if size == r else 1 for size in (height, width)]
    _expect_output(op, (*tiles, channels, filters))


def verify_input(op: Operation) -> None:
    m, r = _sizes(op)
    images, *sizes, channels = _static_shape(op.operands[0])
    alphas: list[int] = []
    tiles: list[int] = []
    for size, alpha in zip(sizes, _static_shape(op.operands[1])[:2], strict=True):
        if size == DYNAMIC_INDEX:
            alphas.append(m + r - 1)
            tiles.append(DYNAMIC_INDEX)
        elif alpha == 1:
            alphas.append(1)
            tiles.append(size)
        else:
            alphas.append(m + r - 1)
            tiles.append(int((size - (r - 1)) / m))
    _expect_output(op, (*alphas, *tiles, images, channels))


def verify_output(op: Operation) -> None:
    m, r = _sizes(op)
    *parts, images, filters = _static_shape(op.operands[0])
    sizes: list[int] = []
    for name, alpha, tiles in zip(("height", "width"), parts[:2], parts[2:], strict=True):
        if DYNAMIC_INDEX in (alpha, tiles):
            sizes.append(DYNAMIC_INDEX)
            continue
        if alpha not in (m + r - 1, 1):
            raise op_error(op, f"expect input {name} equals to input tile size")
        sizes.append(tiles if alpha == 1 else m * tiles)
    _expect_output(op, (images, *sizes, filters))


# -- What all structured operations must satisfy, and the tables.


def _structured(op: linalg.ExpOp | linalg.FillOp | linalg.GenericOp | linalg.MatmulOp) -> None:
    """Maps, iterators, shapes and region of a structured operation agree."""
    if {"tensor", "memref"} <= {value.type.name for value in op.operands}:
        raise op_error(op, "expected to have pure tensor or buffer semantics")
    regions = op.regions
    if len(regions) != 1 or len(regions[0].blocks) != 1:
        raise op_error(op, "expects to have 1 region with 1 block")
    maps, iterators = indexing_maps(op), iterator_types(op)
    if len(maps) != len(op.operands):
        raise op_error(
            op,
            f"expected the number of indexing_map ({len(maps)}) to be equal to the number of "
            f"input/output operands ({len(op.operands)})",
        )
    for index, (operand, map_) in enumerate(zip(op.operands, maps, strict=True)):
        if map_.num_symbols:
            raise op_error(op, f"unexpected symbols in indexing_map #{index}")
        if len(map_.results) != rank_of(operand):
            raise op_error(
                op,
                f"expected operand #{index} rank ({rank_of(operand)}) to match the result rank of "
                f"indexing_map ({len(map_.results)})",
            )
    _verify_shapes(op, maps, max((map_.num_dims for map_ in maps), default=0))
    for index, map_ in enumerate(maps):
        if map_.num_dims != len(iterators):
            raise op_error(
                op,
                f"expected indexing_map #{index} to have {len(iterators)} dim(s) to match the "
                "number of loops",
            )
    _verify_region(op)


def _quoted(value: SSAValue) -> str:
    return f"'{shown(value.type)}'"


def _evaluate(expr: AffineExpr, dims: Sequence[int]) -> int:
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineConstantExpr):
        return expr.value
    assert isinstance(expr, AffineBinaryOpExpr)
    a, b = _evaluate(expr.lhs, dims), _evaluate(expr.rhs, dims)
    if expr.kind is AffineBinaryOpKind.Add:
        return a + b
    if expr.kind is AffineBinaryOpKind.Mul:
        return a * b
    if b == 0:
        return 0
    if expr.kind is AffineBinaryOpKind.FloorDiv:
        return a // b
    return -(-a // b) if expr.kind is AffineBinaryOpKind.CeilDiv else a % b


def _verify_shapes(op: Operation, maps: Sequence[AffineMap], loops: int) -> None:
    sizes: dict[int, int] = {}
    for operand, map_ in zip(op.operands, maps, strict=True):
        for size, result in zip(shape_of(operand) or (), map_.results, strict=True):
            if isinstance(result, AffineDimExpr):
                sizes.setdefault(result.position, size)
    if len(sizes) != loops:
        from xgpu.core.syntax.affine_printer import map_text

        joined = AffineMap(loops, 0, tuple(r for m in maps for r in m.results))
        raise op_error(op, f"invalid indexing maps are non-invertible: ({map_text(joined)})")
    if any(size < 0 for size in sizes.values()):
        return
    last = [max(sizes[i] - 1, 0) for i in range(loops)]
    first = [0] * loops
    for index, (operand, map_) in enumerate(zip(op.operands, maps, strict=True)):
        for dim, (found, result) in enumerate(
            zip(shape_of(operand) or (), map_.results, strict=True)
        ):
            # As the reference: an extent that is not known, or empty, is not looked at.
            if found <= 0 or 0 in sizes.values():
                continue
            low, high = _evaluate(result, first), _evaluate(result, last)
            if min(low, high) < 0:
                names = ", ".join(f"d{i}" for i in range(loops))
                listed = ", ".join(str(r) for r in map_.results)
                raise op_error(
                    op,
                    f"unexpected result less than 0 at expression #{dim} in ({names}) -> "
                    f"({listed})",
                )
            wanted = max(low, high) + 1
            where = f"inferred input/output operand #{index} has shape's dimension #{dim} to be "
            if isinstance(result, AffineDimExpr):
                if wanted != found:
                    raise op_error(op, f"{where}{wanted}, but found {found}")
            elif wanted > found:
                raise op_error(op, f"{where}greater than or equal to {wanted}, but found {found}")


def _verify_region(op: Operation) -> None:
    block = op.regions[0].blocks[0]
    if len(block.args) != len(op.operands):
        raise op_error(
            op,
            "expected as many non-induction variable region arguments as the number of "
            "input/output operands",
        )
    for index, (operand, argument) in enumerate(zip(op.operands, block.args, strict=True)):
        if scalar_type(operand) != argument.type:
            raise op_error(
                op,
                f"expected type of bb argument #{index} ({_quoted(argument)}) to match element or "
                f"self type of the corresponding operand ('{shown(scalar_type(operand))}')",
            )


def _fill(op: linalg.FillOp) -> None:
    if (len(inputs(op)), len(outputs(op))) != (1, 1):
        return  # which is wrong for any structured operation
    value, output = op.operands
    if value.type.name in ("memref", "tensor"):
        raise error(op, "expected op with scalar input")
    if scalar_type(value) != scalar_type(output):
        raise op_error(
            op,
            f"expected fill value type ({_quoted(value)}) to match output element type "
            f"('{shown(scalar_type(output))}')",
        )


def _yield(op: linalg.YieldOp) -> None:
    parent = op.parent_op()
    if parent is None or not is_structured(parent):
        if parent is not None and parent.name.startswith("linalg."):
            return
        raise op_error(op, "expected parent op with LinalgOp interface")
    outs = outputs(parent)
    if len(op.operands) != len(outs):
        raise op_error(
            op,
            f"expected number of yield values ({len(op.operands)}) to match the number of inits / "
            f"outs operands of the enclosing LinalgOp ({len(outs)})",
        )
    for index, (value, output) in enumerate(zip(op.operands, outs, strict=True)):
        if value.type != scalar_type(output):
            raise op_error(
                op,
                f"type of yield operand {index + 1} ({_quoted(value)}) doesn't match the element "
                f"type of the enclosing {parent.name} op ('{shown(scalar_type(output))}')",
            )


def _index(op: linalg.IndexOp) -> None:
    parent = cast("linalg.GenericOp | None", op.parent_op())
    if parent is None or not is_structured(parent):
        raise op_error(op, "expected parent op with LinalgOp interface")
    dim, loops = op.dim.value.data, len(iterator_types(parent))
    if dim >= loops:
        raise op_error(
            op,
            f"expected dim ({dim}) to be lower than the number of loops ({loops}) of the "
            "enclosing LinalgOp",
        )


def _contraction(op: linalg.MatmulOp) -> None:
    _structured(op)
    verify_contraction_body(op)


VERIFY = {
    "linalg.broadcast": verify_broadcast,
    "linalg.contract": verify_contract,
    "linalg.fill": _fill,
    "linalg.index": _index,
    "linalg.map": verify_map,
    "linalg.pack": verify_pack,
    "linalg.reduce": verify_reduce,
    "linalg.softmax": verify_softmax,
    "linalg.transpose": verify_transpose,
    "linalg.unpack": verify_unpack,
    "linalg.winograd_filter_transform": verify_filter,
    "linalg.winograd_input_transform": verify_input,
    "linalg.winograd_output_transform": verify_output,
    "linalg.yield": _yield,
    **MATMUL_VERIFY,
}
VERIFY_REGIONS = {
    **dict.fromkeys((*OPS, *MATMULS, "linalg.contract", "linalg.elementwise"), _structured),
    "linalg.generic": _structured,
    **dict.fromkeys(NAMED, _contraction),
}
