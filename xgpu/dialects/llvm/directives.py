# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `custom<...>` directives of the llvm dialect's assembly formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    StringAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.constants import make_dense
from xgpu.core.ir.construction import current_token
from xgpu.core.ir.elements import unpack
from xgpu.core.ir.errors import shown
from xgpu.core.ir.integers import integers_of
from xgpu.core.ods.predicates import is_llvm_compatible
from xgpu.core.syntax.formats.numbers import read_integer
from xgpu.dialects import llvm
from xgpu.dialects.llvm.attributes import (
    DYNAMIC_INDEX,
    LinkageAttr,
    parse_arguments,
    parse_linkage,
    print_arguments,
)
from xgpu.dialects.llvm.call_syntax import (
    parse_bundles_unresolved,
    parse_successor,
    print_bundles,
    print_successor,
)
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType

if TYPE_CHECKING:
    from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState, Slot
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer


# --- getelementptr: [%i, 2, %j] ------------------------------------------------------------------
def parse_gep_indices(
    parser: Parser, state: ReadState, indices: Slot, constants: AttributeSlot
) -> None:
    operands: list[Operand] = []
    numbers: list[int] = []

    def index() -> None:
        number = read_integer(parser, 32, optional=True)
        if number is None:
            operands.append(parser.parse_unresolved_operand())
            number = DYNAMIC_INDEX
        numbers.append(number)

    if current_token(parser).text != "]":
        index()
        while parser.parse_optional_punctuation(",") is not None:
            index()
    indices.set(operands)
    constants.set(DenseArrayBase.from_list(i32, numbers))


def print_gep_indices(
    printer: Printer,
    op: Operation,
    indices: Sequence[SSAValue],
    constants: DenseArrayBase[IntegerType],
) -> None:
    rest = iter(indices)

    def index(number: int) -> None:
        if number == DYNAMIC_INDEX:
            printer.print_ssa_value(next(rest))
        else:
            printer.print_string(str(number))

    printer.print_list([int(n) for n in constants.get_values()], index)


# --- insertvalue, extractvalue: the element's type follows from the container's ------------------
def element_type(container: Any, position: Sequence[int]) -> Attribute | str:
    """The type at `position` inside an aggregate; a string says why there is none."""
    t = container
    for index in position:
        name = t.name  # an isinstance of an abstract class takes longer
        if name == LLVMArrayType.name:
            if not 0 <= index < t.size:
                return f"position out of bounds: {index}"
            t = t.element_type
        elif name == LLVMStructType.name:
            if not 0 <= index < len(t.body):
                return f"position out of bounds: {index}"
            t = t.body[index]
        else:
            return "expected LLVM IR structure/array type"
    return t


def parse_element_type(
    parser: Parser, state: ReadState, result: Slot, container: Slot, position: AttributeSlot
) -> None:
    t = container.get()
    if not is_llvm_compatible(t):
        parser.raise_error(f"expected LLVM IR Dialect type, got '{shown(t)}'")
    found = element_type(t, integers_of(position.get()))
    if isinstance(found, str):
        if found.startswith("expected"):
            found = f"{found}, got: '{shown(t)}'"
        parser.raise_error(found)
    result.set(found)


def print_nothing(printer: Printer, op: Operation, *arguments: object) -> None:
    """The type is not printed."""


# --- shufflevector -------------------------------------------------------------------------------
def parse_shuffle_type(
    parser: Parser, state: ReadState, vector: Slot, result: Slot, mask: AttributeSlot
) -> None:
    t = vector.get()
    if not isinstance(t, VectorType):
        parser.raise_error("expected an LLVM compatible vector type")
    result.set(
        VectorType(
            t.element_type, [len(cast("DenseArrayBase[IntegerType]", mask.get()))], t.scalable_dims
        )
    )


# --- switch --------------------------------------------------------------------------------------
def parse_cases(
    parser: Parser,
    state: ReadState,
    value_type: Slot,
    values: AttributeSlot,
    blocks: Slot,
    operands: Slot,
    types: Slot,
) -> None:
    """`[ 1: ^bb1(%a : i32), -2: ^bb2 ]`"""
    parser.parse_punctuation("[")
    if parser.parse_optional_punctuation("]") is not None:
        _set_groups(state, "case_operand_segments", operands, [], types, [])
        return
    t = value_type.get()
    numbers: list[int] = []
    targets: list[Block] = []
    groups: list[list[Operand]] = []
    kinds: list[list[Attribute]] = []
    while True:
        number = parser.parse_optional_integer(allow_boolean=False)
        if number is None:
            raise parser.raise_error("expected integer value")
        numbers.append(number)
        parser.parse_punctuation(":")
        block, own, own_types = parse_successor(parser)
        targets.append(block)
        groups.append(own)
        kinds.append(own_types)
        if parser.parse_optional_punctuation(",") is None:
            break
    parser.parse_punctuation("]")
    # The verifier checks that the value is an integer.
    kind = t if isinstance(t, IntegerType) and t.signedness.data is Signedness.SIGNLESS else i64
    wrapped = [_signed(n, kind.width.data) for n in numbers]
    values.set(make_dense(VectorType(kind, [len(numbers)]), wrapped))
    blocks.set(targets)
    _set_groups(state, "case_operand_segments", operands, groups, types, kinds)


def _set_groups(
    state: ReadState,
    segments: str,
    operands: Slot,
    groups: Sequence[list[Operand]],
    types: Slot,
    kinds: Sequence[list[Attribute]],
) -> None:
    """Sets operands that come in groups: one list of all, and the size of each group."""
    operands.set([v for group in groups for v in group])
    types.set([t for group in kinds for t in group])
    state.properties[segments] = DenseArrayBase.from_list(i32, [len(g) for g in groups])


def _groups(op: Operation, segments: str, values: Sequence[SSAValue]) -> list[list[SSAValue]]:
    found, at = [], 0
    for size in cast("DenseArrayBase[IntegerType]", op.properties[segments]).get_values():
        found.append(list(values[at : at + int(size)]))
        at += int(size)
    return found


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> width - 1 else value


def print_cases(
    printer: Printer,
    op: Operation,
    value_type: Attribute,
    values: DenseIntOrFPElementsAttr | None,
    blocks: Sequence[Block],
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> None:
    printer.print_string("[")
    numbers = [] if values is None else unpack(values.data.data, values.get_element_type())
    groups = _groups(op, "case_operand_segments", operands)
    for i, (number, block) in enumerate(zip(numbers, blocks, strict=False)):
        printer.print_string(",\n" if i else "\n")
        printer.print_string("  ")
        printer.print_string(f"{number}: ")
        print_successor(printer, block, groups[i])
    printer.print_string("\n]")


# --- indirectbr ----------------------------------------------------------------------------------
def parse_indirect(
    parser: Parser, state: ReadState, address_type: Slot, blocks: Slot, operands: Slot, types: Slot
) -> None:
    """`[ ^bb1(%a : i32), ^bb2 ]`"""
    targets: list[Block] = []
    groups: list[list[Operand]] = []
    kinds: list[list[Attribute]] = []

    def one() -> None:
        block, own, own_types = parse_successor(parser)
        targets.append(block)
        groups.append(own)
        kinds.append(own_types)

    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)
    blocks.set(targets)
    _set_groups(state, "indbr_operand_segments", operands, groups, types, kinds)


def print_indirect(
    printer: Printer,
    op: Operation,
    address_type: Attribute,
    blocks: Sequence[Block],
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> None:
    if not blocks:
        printer.print_string("[]")
        return
    printer.print_string("[")
    groups = _groups(op, "indbr_operand_segments", operands)
    for i, block in enumerate(blocks):
        printer.print_string(",\n" if i else "\n")
        print_successor(printer, block, groups[i])
    printer.print_string("\n]")


# --- ifunc, assume -------------------------------------------------------------------------------
def parse_linkage_directive(parser: Parser, state: ReadState, linkage: AttributeSlot) -> None:
    linkage.set(parse_linkage(parser))


def print_linkage_directive(printer: Printer, op: Operation, linkage: LinkageAttr) -> None:
    printer.print_string(linkage.data)


def parse_op_bundles(
    parser: Parser, state: ReadState, operands: Slot, types: Slot, tags: AttributeSlot
) -> bool:
    found = parse_bundles_unresolved(parser)
    if found is None:
        return False
    values, kinds, names = found
    _set_groups(state, "op_bundle_sizes", operands, values, types, kinds)
    if names:
        tags.set(ArrayAttr([StringAttr(n) for n in names]))
    return True


def print_op_bundles(
    printer: Printer,
    op: llvm.IntrAssumeOp,
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
    tags: ArrayAttr[StringAttr] | None,
) -> None:
    sizes = [int(n) for n in op.op_bundle_sizes.get_values()]
    print_bundles(printer, operands, sizes, tags.data if tags is not None else ())


def parse_expression_argument(
    parser: Parser, state: ReadState, opcode: Slot, arguments: Slot
) -> None:
    parse_arguments(parser, state, opcode, arguments)


def print_expression_argument(
    printer: Printer, attr: Attribute, opcode: str, arguments: Sequence[int | str]
) -> None:
    print_arguments(printer, attr, opcode, arguments)


DIRECTIVES = {
    "ExpressionArg": (parse_expression_argument, print_expression_argument),
    "GEPIndices": (parse_gep_indices, print_gep_indices),
    "InsertExtractValueElementType": (parse_element_type, print_nothing),
    "ShuffleType": (parse_shuffle_type, print_nothing),
    "SwitchOpCases": (parse_cases, print_cases),
    "IndirectBrOpSucessors": (parse_indirect, print_indirect),
    "LLVMLinkage": (parse_linkage_directive, print_linkage_directive),
    "OpBundles": (parse_op_bundles, print_op_bundles),
}
