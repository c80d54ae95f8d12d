# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-scf`: vector transfers of a higher rank than the target's become loops, and
so does vector.print.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.vector import scf_transfers
from xgpu.conversion.vector.scf_transfers import vscale_multiple
from xgpu.core import ods
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.greedy import apply_patterns
from xgpu.dialects import vector
from xgpu.dialects.arith.builders import cmpi, index_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.ops import vector_type
from xgpu.transforms.scf.builders import if_else
from xgpu.transforms.vector.transfers import extract

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, Patterns


# --- print to scf --------------------------------------------------------------------------------
# convert-vector-to-scf: `vector.print` of a vector becomes loops that print its elements.
#
# Source: MLIR 22.1 VectorToSCF.cpp.


_INDEX = IndexType()


def _print(rw: GreedyRewriter, punctuation: str, source: SSAValue | None = None) -> Operation:
    mark = ods.enum("vector.punctuation", punctuation)
    return rw.create("vector.print", [] if source is None else [source], (), {"punctuation": mark})


def _with_element(kind: VectorType, element: Attribute) -> VectorType:
    return vector_type(element, kind.get_shape(), scalable_dims(kind))


def _widened(rw: GreedyRewriter, value: SSAValue, element: IntegerType) -> SSAValue:
    """Integers of a width of at least 8 that is a power of two; odd widths do not print well."""
    width = element.width.data
    wide = max(8, 1 << (width - 1).bit_length())
    sign = element.signedness.data
    kind = cast("VectorType", value.type)
    target = _with_element(kind, IntegerType(wide, sign))
    value = rw.value("vector.bitcast", [value], _with_element(kind, IntegerType(width)))
    if wide != width:
        unsigned = width == 1 or sign is Signedness.UNSIGNED
        name = "arith.extui" if unsigned else "arith.extsi"
        value = rw.value(name, [value], _with_element(kind, IntegerType(wide)))
    return rw.value("vector.bitcast", [value], target)


def _lower(op: vector.PrintOp, rw: GreedyRewriter) -> bool:
    if not op.operands or op.operands[0].type.name != "vector":
        return False
    source: SSAValue = op.operands[0]
    kind = cast("VectorType", source.type)
    flags = scalable_dims(kind)
    if len(flags) > 1 and any(flags):
        return False
    value = source
    if isinstance(kind.element_type, IntegerType):
        value = _widened(rw, value, kind.element_type)
    kind = cast("VectorType", value.type)
    shape = tuple(kind.get_shape()) or (1,)
    if len(kind.get_shape()) != 1:
        flat = vector_type(kind.element_type, [prod(shape)], [False])
        value = rw.value("vector.shape_cast", [value], flat)
    ivs: list[SSAValue] = []
    outermost: Operation | None = None
    for dim, size in enumerate(shape):
        lower, upper, step = (index_constant(rw, n) for n in (0, size, 1))
        if flags and flags[dim]:
            upper = vscale_multiple(rw, upper)
        last = rw.value("arith.subi", [upper, step], _INDEX)
        _print(rw, "open")
        block = Block(arg_types=[_INDEX])
        rw.create("scf.for", [lower, upper, step], (), regions=[Region(block)])
        close = _print(rw, "close")
        outermost = outermost or close
        ivs.append(block.args[0])
        rw.at_end(block)
        more = cmpi(rw, "ult", ivs[-1], last)
        first = more.owner
        assert isinstance(first, Operation)

        def comma() -> tuple[SSAValue, ...]:
            _print(rw, "comma")
            return ()

        if_else(rw, more, (), comma)
        rw.create("scf.yield")
        rw.anchor = first
    flat_index: SSAValue | None = None
    stride = 1
    for size, iv in zip(reversed(shape), reversed(ivs), strict=True):
        scaled = rw.value("arith.muli", [index_constant(rw, stride), iv], _INDEX)
        flat_index = (
            scaled if flat_index is None else rw.value("arith.addi", [flat_index, scaled], _INDEX)
        )
        stride *= size
    assert flat_index is not None
    assert outermost is not None
    _print(rw, "no_punctuation", extract(rw, value, flat_index))
    rw.after(outermost)
    rw.create("vector.print", [], (), {"punctuation": op.properties["punctuation"]})
    rw.erase(op)
    return True


PRINT_PATTERNS = {"vector.print": (_lower,)}


# --- vector to scf -------------------------------------------------------------------------------
# `convert-vector-to-scf`: vector transfers of a higher rank than the target's become loops.
#
# Permutation maps are lowered first. Then transfers of n-D vectors become loops over buffers, or
# unrolled; those of 1-D vectors that are not adjacent in memory become loops over elements; and
# `vector.print` of a vector becomes loops too.


class ConvertVectorToSCF(Pass):
    """Lowers transfers and prints of vectors to loops."""

    name = "convert-vector-to-scf"
    summary = "Lower the operations from the vector dialect into the SCF dialect"
    options = (
        Option(
            "full-unroll",
            bool,
            False,
            "Perform full unrolling when converting vector transfers to SCF",
        ),
        Option(
            "target-rank",
            int,
            1,
            "Target vector rank to which transfer ops should be lowered",
        ),
        Option("lower-tensors", bool, False, "Lower transfer ops that operate on tensors"),
        Option(
            "lower-scalable",
            bool,
            False,
            "Add scalable vector specific lowerings (that introduce loops)",
        ),
    )
    full_unroll: bool
    target_rank: int
    lower_tensors: bool
    lower_scalable: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.vector.transfer_lowering import PERMUTATIONS

        apply_patterns(op, PERMUTATIONS)
        apply_patterns(
            op,
            vector_to_scf_patterns(
                full_unroll=self.full_unroll,
                target_rank=self.target_rank,
                lower_tensors=self.lower_tensors,
                lower_scalable=self.lower_scalable,
            ),
        )


def vector_to_scf_patterns(
    *,
    full_unroll: bool = False,
    target_rank: int = 1,
    lower_tensors: bool = False,
    lower_scalable: bool = False,
) -> Patterns:
    """The patterns of MLIR's `populateVectorToSCFConversionPatterns`."""
    options = scf_transfers.Options(target_rank, lower_tensors)
    lowering = scf_transfers.unrolled_patterns if full_unroll else scf_transfers.loop_patterns
    tables: list[Patterns] = [lowering(options)]
    if lower_scalable:
        tables.append(scf_transfers.scalable_patterns(options))
    if target_rank == 1:
        tables.append(scf_transfers.PATTERNS_1D)
    tables.append(PRINT_PATTERNS)
    merged: dict[str, tuple[Pattern, ...]] = {}
    for table in tables:
        for name, found in table.items():
            merged[name] = (*merged.get(name, ()), *found)
    return merged
