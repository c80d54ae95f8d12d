# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the matrix products of nvvm are read and printed, which ODS leaves to C++.

All four name their operand groups: `A[%a0, %a1] B[%b0] C[%c0, %c1] ... {...} : (a, b, c) -> d`. The
types are those of one register of each group; the PTX types of A and B are left out where they
follow from the registers' types. Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    UnitAttr,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.dialects.nvvm.checks import keyword
from xgpu.dialects.syntax_helpers import (
    parse_arrow_types,
    print_attr_dict,
    print_list,
    print_operands,
    print_optional_arrow_types,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook, PrintHook


_MULTIPLICANDS = ("multiplicandAPtxType", "multiplicandBPtxType")
_SPARSE = ("sparseMetadata", "selector")
_SCALES = ("scaleA", "scaleB")


def ptx_type(t: Attribute, is_accumulator: bool) -> str | None:
    """The PTX type of a register's type, where it follows from that."""
    if isinstance(t, Float64Type):
        return "f64"
    if isinstance(t, Float16Type):
        return "f16"
    if isinstance(t, VectorType):
        is_f16x2 = isinstance(t.element_type, Float16Type) and tuple(t.get_shape()) == (2,)
        return "f16" if is_f16x2 else None
    if isinstance(t, Float32Type):
        return "f32" if is_accumulator else "tf32"
    if isinstance(t, IntegerType):
        return "s32" if is_accumulator else None
    if isinstance(t, LLVMStructType):
        body = t.body
        return ptx_type(body[0], is_accumulator) if body else None
    return None


# --- reading -----------------------------------------------------------------------------------
def _parse_group(parser: Parser, name: str) -> list[Operand]:
    """`name [%a, %b]`, or without brackets."""
    parser.parse_keyword(name)
    found = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    if found is not None:
        return found
    operands: list[Operand] = []
    first = parser.parse_optional_unresolved_operand()
    while first is not None:
        operands.append(first)
        if parser.parse_optional_punctuation(",") is None:
            break
        first = parser.parse_unresolved_operand()
    return operands


def _reader(name: str, *, sparse: bool, scaled: bool) -> ParseHook:
    groups = (*(_SPARSE if sparse else ()), *(_SCALES if scaled else ()))

    def parse(parser: Parser) -> Operation:
        at = parser.pos
        registers = [_parse_group(parser, group) for group in "ABC"]
        others = [_parse_group(parser, group) for group in groups]
        given = dict(parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        if len(types) != 3:
            message = (
                "expected exactly 3 types"
                if scaled
                else f"expected one type for each operand segment but got {len(types)} types"
            )
            parser.raise_error(message, at)
        results = parse_arrow_types(parser)
        operands: list[SSAValue | list[SSAValue]] = [
            list(parser.resolve_operands(names, [t] * len(names), at))
            for names, t in zip(registers, types, strict=True)
        ]
        for group, names in zip(groups, others, strict=True):
            expected = (i32, IntegerType(16), IntegerType(16)) if group in _SCALES else (i32,)
            if len(names) != len(expected):
                parser.raise_error(
                    "number of operands and types do not match: "
                    f"got {len(names)} operands and {len(expected)} types",
                    at,
                )
            operands += parser.resolve_operands(names, expected, at)
        _infer_multiplicands(parser, at, name, given, types, required=not scaled)
        if sparse and scaled:
            given.setdefault("orderedMetadata", UnitAttr())
        return _build(name, operands, results, given)

    return parse


def _infer_multiplicands(
    parser: Parser,
    at: int,
    name: str,
    given: dict[str, Attribute],
    types: Sequence[Attribute],
    *,
    required: bool,
) -> None:
    # MLIR reads the registers of nvvm.mma.sync's A and B as if they were accumulators.
    as_accumulator = name == "nvvm.mma.sync"
    for attribute, t in zip(_MULTIPLICANDS, types, strict=False):
        if attribute in given:
            continue
        inferred = ptx_type(t, as_accumulator)
        if inferred is not None:
            given[attribute] = ods.enum("nvvm.mma_type", inferred)
        elif required:
            parser.raise_error(
                f"attribute {attribute} is not provided explicitly and cannot be inferred", at
            )


def _build(
    name: str,
    operands: list[SSAValue | list[SSAValue]],
    results: list[Attribute],
    given: dict[str, Attribute],
) -> Operation:
    spec = ods.op_spec(name)
    assert spec is not None
    inherent = {field.name for field in spec.attrs}
    return ods.create(
        name,
        operands,
        results,
        {k: v for k, v in given.items() if k in inherent},
        {k: v for k, v in given.items() if k not in inherent},
    )


# --- printing ----------------------------------------------------------------------------------
def _printer(*, sparse: bool, scaled: bool) -> PrintHook:
    is_plain = not sparse and not scaled

    def print_op(op: Any, printer: Printer) -> None:
        groups = [("A", op.operand_a), ("B", op.operand_b), ("C", op.operand_c)]
        firsts = [values[0].type for _, values in groups]
        if sparse:
            groups += [
                ("sparseMetadata", [op.sparse_metadata]),
                ("selector", [op.sparsity_selector]),
            ]
        if scaled:
            groups += [
                ("scaleA", [op.scale_a_data, op.byte_id_a, op.thread_id_a]),
                ("scaleB", [op.scale_b_data, op.byte_id_b, op.thread_id_b]),
            ]
        for name, values in groups:
            printer.print_string(f" {name}[")
            print_operands(printer, values)
            printer.print_string("] " if is_plain else "]")
        # nvvm.mma.sync decides for both from A.
        deciding = (firsts[0], firsts[0] if is_plain else firsts[1])
        elided = [
            attribute
            for attribute, t in zip(_MULTIPLICANDS, deciding, strict=True)
            if (known := ptx_type(t, False)) is not None and keyword(op, attribute, known) == known
        ]
        print_attr_dict(printer, op, elided)
        printer.print_string(" : (")
        print_list(printer, firsts, printer.print_attribute)
        printer.print_string(")")
        print_optional_arrow_types(printer, [op.results[0].type])

    return print_op


_FORMS = {
    "nvvm.mma.sync": (False, False),
    "nvvm.mma.sp.sync": (True, False),
    "nvvm.mma.block_scale": (False, True),
    "nvvm.mma.sp.block_scale": (True, True),
}
PARSE = {name: _reader(name, sparse=sp, scaled=sc) for name, (sp, sc) in _FORMS.items()}
PRINT = {name: _printer(sparse=sp, scaled=sc) for name, (sp, sc) in _FORMS.items()}
