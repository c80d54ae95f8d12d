# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of bufferization: syntax, result types, effects and verifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.effects import Effect, effects
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects import bufferization
from xgpu.dialects.syntax_helpers import parse_operands_in_parens, print_attr_dict, print_operands

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook, PrintHook


# -- The handwritten syntax of the bufferization dialect.
#
# bufferization.alloc_tensor(%size) copy(%t) size_hint=%n {memory_space = 1 : i64} : tensor<?xf32>


def _parse_alloc_tensor(parser: Parser) -> Operation:
    """`(sizes) (copy(%t))? (size_hint=%n)? attr-dict : type`"""
    position = parser.pos
    sizes = parse_operands_in_parens(parser)
    copies: list[Operand] = []
    hints: list[Operand] = []
    if parser.parse_optional_keyword("copy") is not None:
        parser.parse_punctuation("(")
        copies.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(")")
    if parser.parse_optional_keyword("size_hint") is not None:
        parser.parse_punctuation("=")
        hints.append(parser.parse_unresolved_operand())
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    index = IndexType()
    groups = [
        parser.resolve_operands(sizes, [index] * len(sizes), position),
        parser.resolve_operands(copies, [kind] * len(copies), position),
        parser.resolve_operands(hints, [index] * len(hints), position),
    ]
    return ods.create("bufferization.alloc_tensor", groups, [kind], None, attributes)


def _print_alloc_tensor(op: bufferization.AllocTensorOp, printer: Printer) -> None:
    printer.print_string("(")
    print_operands(printer, op.dynamic_sizes)
    printer.print_string(")")
    if op.copy is not None:
        printer.print_string(" copy(")
        printer.print_ssa_value(op.copy)
        printer.print_string(")")
    if op.size_hint is not None:
        printer.print_string(" size_hint=")
        printer.print_ssa_value(op.size_hint)
    print_attr_dict(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.result.type)


PARSE: dict[str, ParseHook] = {"bufferization.alloc_tensor": _parse_alloc_tensor}
PRINT: dict[str, PrintHook] = {"bufferization.alloc_tensor": _print_alloc_tensor}


# -- Result types of the bufferization dialect that ODS leaves to C++.


def _dealloc(
    operands: Sequence[SSAValue],
    properties: dict[str, DenseArrayBase[IntegerType]],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    """A boolean for each memref that is retained."""
    sizes = properties.get("operandSegmentSizes")  # which may be left out without operands
    return [i1] * (sizes.get_values()[2] if sizes is not None else 0)


INFER = {"bufferization.dealloc": _dealloc}


# -- Effects of the bufferization dialect that ODS leaves to C++.


def _materialize(op: bufferization.MaterializeInDestinationOp) -> list[Effect]:
    """A destination in memory is written; one that is a tensor gives a result."""
    if op.dest.type.name == "tensor":
        return []
    return [Effect("write", op.dest)]


EFFECTS = {"bufferization.materialize_in_destination": _materialize}


# -- What discardable bufferization attributes demand of the operation that carries them.


_ACCESSES = ("none", "read", "write", "read-write")


def verify_writable(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """Whether a function may write into an argument's buffer."""
    if not isinstance(value, IntegerAttr) or value.type != i1:
        raise error(op, f"'{name}' is expected to be a boolean attribute")
    if not op.regions or not op.regions[0].blocks:
        raise error(op, f"'{name}' is invalid on external functions")


def verify_access(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """What a function that is defined elsewhere does to an argument's buffer."""
    if not isinstance(value, StringAttr):
        raise error(op, f"'{name}' is expected to be a string attribute")
    if value.data not in _ACCESSES:
        raise error(op, f"invalid value for '{name}'")


def verify_buffer_layout(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    """The layout of an argument's buffer."""
    if not isinstance(value, AffineMapAttr | StridedLayoutAttr):
        raise error(op, f"'{name}' is expected to be a memref layout attribute")


def refuse_argument(
    op: Operation, name: str, value: Attribute, others: Mapping[str, Attribute]
) -> None:
    raise error(
        op,
        f"attribute '{name}' not supported as a region arg attribute by the bufferization dialect",
    )


def verify_manual_deallocation(op: Operation, name: str, value: Attribute) -> None:
    """The operation allocates or frees something itself; those inside of it do not count."""
    known = None if "RecursiveMemoryEffects" in traits_of(op.name) else effects(op)
    if known is None or not any(effect.kind in ("allocate", "free") for effect in known):
        raise op_error(
            op,
            f"attribute '{name}' can be used only on ops that have an allocation and/or free "
            "side effect",
        )


def refuse(op: Operation, name: str, value: Attribute) -> None:
    raise error(
        op,
        f"attribute '\"{name}\"' not supported as an op attribute by the bufferization dialect",
    )


VERIFY_ATTRIBUTES = {"bufferization.manual_deallocation": verify_manual_deallocation, "*": refuse}
VERIFY_ARGUMENT_ATTRIBUTES = {
    "bufferization.access": verify_access,
    "bufferization.buffer_layout": verify_buffer_layout,
    "bufferization.writable": verify_writable,
    "*": refuse_argument,
}


# -- What MLIR's BufferizationOps.cpp verifies.


def verify_dealloc(op: bufferization.DeallocOp) -> None:
    """A condition for each memref, a result for each retained one."""
    if len(op.memrefs) != len(op.conditions):
        raise op_error(op, "must have the same number of conditions as memrefs to deallocate")
    if len(op.retained) != len(op.results):
        raise op_error(
            op, "must have the same number of updated conditions (results) as retained operands"
        )


def verify_alloc_tensor(op: bufferization.AllocTensorOp) -> None:
    """A size for each open dimension, or a tensor to copy, which has the sizes."""
    result, copy = op.result.type, op.copy
    if copy is not None and len(op.dynamic_sizes):
        raise error(op, "dynamic sizes not needed when copying a tensor")
    if copy is not None and copy.type != result:
        raise error(op, "expected that `copy` and return type match")
    shape = result.get_shape() if isinstance(result, TensorType) else ()
    wanted = sum(size == DYNAMIC_INDEX for size in shape)
    if copy is None and len(op.dynamic_sizes) != wanted:
        raise op_error(
            op,
            f"incorrect number of dynamic sizes, has {len(op.dynamic_sizes)}, expected {wanted}",
        )


def verify_materialize_in_destination(op: bufferization.MaterializeInDestinationOp) -> None:
    """A tensor gives its new value back; a buffer is written, and says so."""
    dest, source = op.dest.type, op.source.type
    is_tensor, results = isinstance(dest, TensorType), len(op.results)
    if not isinstance(dest, TensorType | MemRefType):
        raise op_error(op, "'dest' must be a tensor or a memref")
    if is_tensor and results != 1:
        raise op_error(op, "tensor 'dest' implies exactly one tensor result")
    if not is_tensor and results:
        raise op_error(op, "memref 'dest' implies zero results")
    if is_tensor and "restrict" in op.properties:
        raise op_error(op, "'restrict' is valid only for memref destinations")
    if ("writable" in op.properties) == is_tensor:
        raise op_error(
            op, "'writable' must be specified if and only if the destination is of memref type"
        )
    if results and op.results[0].type != dest:
        raise op_error(op, "result and 'dest' types must match")
    if not isinstance(source, TensorType):
        return  # unranked
    sizes = list(zip(source.get_shape(), dest.get_shape(), strict=False))
    if len(source.get_shape()) != len(dest.get_shape()):
        raise op_error(op, "rank mismatch between source and destination shape")
    if any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in sizes):
        raise op_error(op, "source/destination shapes are incompatible")


VERIFY = {
    "bufferization.alloc_tensor": verify_alloc_tensor,
    "bufferization.dealloc": verify_dealloc,
    "bufferization.materialize_in_destination": verify_materialize_in_destination,
}
