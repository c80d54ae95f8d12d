# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of memref."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    UnitAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ods.table_parser import constraint
from xgpu.core.syntax.builtin_attributes import SparseElementsAttr
from xgpu.core.syntax.formats.numbers import read_typed_number
from xgpu.dialects.syntax_helpers import (
    ensure_terminator,
    parse_optional_arrow_types,
    parse_typed_attribute,
    print_attr_dict,
    print_list,
    print_operands,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.memref import PrefetchOp, TransposeOp


# -- Names that MLIR suggests for results of memref operations.


def _fixed(name: str) -> Callable[[Operation], list[str | None]]:
    return lambda op: [name]


def _extract_strided_metadata(op: Operation) -> list[str | None]:
    rank = (len(op.results) - 2) // 2
    if not rank:
        return ["base_buffer", "offset"]
    rest: list[str | None] = [None] * (rank - 1)
    return ["base_buffer", "offset", "sizes", *rest, "strides", *rest]


NAMES = {
    "memref.alloc": _fixed("alloc"),
    "memref.alloca": _fixed("alloca"),
    "memref.assume_alignment": _fixed("assume_align"),
    "memref.cast": _fixed("cast"),
    "memref.collapse_shape": _fixed("collapse_shape"),
    "memref.dim": _fixed("dim"),
    "memref.expand_shape": _fixed("expand_shape"),
    "memref.extract_aligned_pointer_as_index": _fixed("intptr"),
    "memref.extract_strided_metadata": _extract_strided_metadata,
    "memref.memory_space_cast": _fixed("memspacecast"),
    "memref.reinterpret_cast": _fixed("reinterpret_cast"),
    "memref.reshape": _fixed("reshape"),
    "memref.subview": _fixed("subview"),
    "memref.transpose": _fixed("transpose"),
    "memref.view": _fixed("view"),
}


# -- What memref and affine say in the same words.


def reduction_kinds() -> dict[str, int]:
    """MLIR's AtomicRMWKind: keyword to value."""
    found = constraint("memref", "attribute_constraints", "AtomicRMWKindAttr")
    return dict(found.cases)


def parse_memref_type(parser: Parser) -> MemRefType:
    """A ranked memref type."""
    position = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, MemRefType):
        parser.raise_error("invalid kind of type specified: expected memref type", position)
    return kind


def parse_prefetch_words(parser: Parser) -> tuple[bool, int, bool]:
    """`read|write, locality<n>, data|instr`"""
    position = parser.pos
    word = parser.parse_identifier()
    if word not in ("read", "write"):
        parser.raise_error("rw specifier has to be 'read' or 'write'", position)
    parser.parse_punctuation(",")
    parser.parse_keyword("locality")
    parser.parse_punctuation("<")
    locality = read_typed_number(parser, i32)
    if locality is None:
        raise parser.expected("expected attribute value")
    hint = locality.value.data
    parser.parse_punctuation(">")
    parser.parse_punctuation(",")
    position = parser.pos
    cache = parser.parse_identifier()
    if cache not in ("data", "instr"):
        parser.raise_error("cache type has to be 'data' or 'instr'", position)
    return word == "write", hint, cache == "data"


def print_prefetch_words(printer: Printer, op: Operation) -> None:
    """What `parse_prefetch_words` reads."""
    properties = cast("dict[str, IntegerAttr]", op.properties)
    write = "write" if properties["isWrite"].value.data else "read"
    cache = "data" if properties["isDataCache"].value.data else "instr"
    hint = properties["localityHint"].value.data
    printer.print_string(f", {write}, locality<{hint}>, {cache}")


# -- global -------------------------------------------------------------------------------------


def tensor_of(memref: MemRefType) -> TensorType:
    """The type of the initial value of a global of type `memref`."""
    return TensorType(memref.element_type, memref.get_shape())


def _parse_global_type_and_value(
    parser: Parser, state: ReadState, kind: AttributeSlot, value: AttributeSlot
) -> None:
    """`type (= uninitialized | = elements)?`"""
    position = parser.pos
    memref = parser.parse_type()
    if not isinstance(memref, MemRefType) or any(size < 0 for size in memref.get_shape()):
        as_text = parser.as_text(memref) if hasattr(parser, "as_text") else str(memref)
        parser.raise_error(f"type should be static shaped memref, but got '{as_text}'", position)
    kind.set(memref)
    if parser.parse_optional_punctuation("=") is None:
        return
    if parser.parse_optional_keyword("uninitialized") is not None:
        value.set(UnitAttr())
        return
    at = parser.pos
    tensor = tensor_of(memref)
    found = parse_typed_attribute(parser, tensor)
    if found.name not in ("dense", "dense_resource", SparseElementsAttr.name):
        parser.raise_error("initial value should be a unit or elements attribute", at)
    value.set(found)


def _print_global_type_and_value(
    printer: Printer,
    op: Operation,
    kind: Attribute,
    value: DenseIntOrFPElementsAttr | UnitAttr | None,
) -> None:
    printer.print_attribute(kind)
    if value is None:
        return
    printer.print_string(" = ")
    if isinstance(value, UnitAttr):
        printer.print_string("uninitialized")
        return
    print_without_type(printer, value)


def print_without_type(printer: Printer, value: DenseIntOrFPElementsAttr) -> None:
    """An elements attribute without the type that follows it."""
    as_text = getattr(printer, "_attribute_text", str)
    printer.print_string(as_text(value).removesuffix(f" : {as_text(value.get_type())}"))


# -- alloca_scope, generic_atomic_rmw -----------------------------------------------------------


def parse_alloca_scope(parser: Parser) -> Operation:
    """`(-> types)? {...} {attributes}`"""
    types = parse_optional_arrow_types(parser)
    region = ensure_terminator(parser.parse_region(), "memref.alloca_scope.return")
    attributes = parser.parse_optional_attr_dict()
    return ods.create("memref.alloca_scope", (), types, None, attributes, [region])


def print_alloca_scope(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    if op.results:
        printer.print_string(" -> (")
        print_list(printer, [result.type for result in op.results], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.regions[0], print_entry_block_args=False, print_block_terminators=bool(op.results)
    )
    print_attr_dict(printer, op)


def parse_generic_atomic_rmw(parser: Parser) -> Operation:
    """`%m[%i, ..] : memref {...} {attributes}`"""

    memref = parser.parse_unresolved_operand()
    indices = _parse_indices(parser)
    parser.parse_punctuation(":")
    kind = parse_memref_type(parser)
    region = ensure_terminator(parser.parse_region(), "memref.atomic_yield")
    attributes = parser.parse_optional_attr_dict()
    operands = [parser.resolve_operand(memref, kind), *_resolve_indices(parser, indices)]
    result = kind.element_type
    name = "memref.generic_atomic_rmw"
    return ods.create(name, operands, [result], None, attributes, [region])


def _parse_indices(parser: Parser) -> list[Operand]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )


def _resolve_indices(parser: Parser, indices: list[Operand]) -> list[SSAValue]:
    index = IndexType()
    return [parser.resolve_operand(operand, index) for operand in indices]


def _print_access(printer: Printer, memref: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(memref)
    printer.print_string("[")
    print_operands(printer, indices)
    printer.print_string("]")


def print_generic_atomic_rmw(op: Operation, printer: Printer) -> None:
    memref, *indices = op.operands
    printer.print_string(" ")
    _print_access(printer, memref, indices)
    printer.print_string(" : ")
    printer.print_attribute(memref.type)
    printer.print_string(" ")
    printer.print_region(op.regions[0])
    print_attr_dict(printer, op)


# -- prefetch, transpose ------------------------------------------------------------------------


def parse_prefetch(parser: Parser) -> Operation:
    """`%m[%i, ..], read|write, locality<n>, data|instr {attributes} : memref`"""

    memref = parser.parse_unresolved_operand()
    indices = _parse_indices(parser)
    parser.parse_punctuation(",")
    write, hint, data = parse_prefetch_words(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parse_memref_type(parser)
    operands = [parser.resolve_operand(memref, kind), *_resolve_indices(parser, indices)]
    properties = {
        "isWrite": IntegerAttr(int(write), i1),
        "localityHint": IntegerAttr(hint, i32),
        "isDataCache": IntegerAttr(int(data), i1),
    }
    return ods.create("memref.prefetch", operands, (), properties, attributes)


def print_prefetch(op: Operation, printer: Printer) -> None:

    memref, *indices = op.operands
    printer.print_string(" ")
    _print_access(printer, memref, indices)
    print_prefetch_words(printer, cast("PrefetchOp", op))
    print_attr_dict(printer, op, ("isWrite", "localityHint", "isDataCache"))
    printer.print_string(" : ")
    printer.print_attribute(memref.type)


def parse_transpose(parser: Parser) -> Operation:
    """`%m (d0, d1) -> (d1, d0) {attributes} : memref to memref`"""
    source = parser.parse_unresolved_operand()
    permutation = AffineMapAttr(parser.parse_affine_map())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    operand = parser.resolve_operand(source, kind)
    properties = {"permutation": permutation}
    return ods.create("memref.transpose", [operand], [result], properties, attributes)


def print_transpose(op: TransposeOp, printer: Printer) -> None:
    from xgpu.core.syntax.affine_printer import map_text

    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(" " + map_text(op.permutation.data))
    print_attr_dict(printer, op, ("permutation",))
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


# -- dma_start ----------------------------------------------------------------------------------


def parse_dma_start(parser: Parser) -> Operation:
    """`%src[%i], %dst[%j], %n, %tag[%k] (, %stride, %per_stride)? {attributes} : types`"""
    source, source_indices = parser.parse_unresolved_operand(), _parse_indices(parser)
    parser.parse_punctuation(",")
    target, target_indices = parser.parse_unresolved_operand(), _parse_indices(parser)
    parser.parse_punctuation(",")
    count = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    tag, tag_indices = parser.parse_unresolved_operand(), _parse_indices(parser)
    strides: list[Operand] = []
    while parser.parse_optional_punctuation(",") is not None:
        strides.append(parser.parse_unresolved_operand())
    position = parser.pos
    if len(strides) not in (0, 2):
        parser.raise_error("expected two stride related operands", position)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    at = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != 3:
        parser.raise_error("fewer/more types expected", at)
    operands = [
        parser.resolve_operand(source, types[0]),
        *_resolve_indices(parser, source_indices),
        parser.resolve_operand(target, types[1]),
        *_resolve_indices(parser, target_indices),
        *_resolve_indices(parser, [count]),
        parser.resolve_operand(tag, types[2]),
        *_resolve_indices(parser, tag_indices),
        *_resolve_indices(parser, strides),
    ]
    return ods.create("memref.dma_start", operands, (), None, attributes)


def dma_parts(
    op: Operation,
) -> tuple[
    SSAValue,
    list[SSAValue],
    SSAValue,
    list[SSAValue],
    SSAValue,
    SSAValue,
    list[SSAValue],
    list[SSAValue],
]:
    """Source and its indices, target and its indices, count, tag and its indices, strides."""
    rest = list(op.operands)

    def memref() -> tuple[SSAValue, list[SSAValue]]:
        value = rest.pop(0)
        rank = len(cast("MemRefType", value.type).shape)
        indices = rest[:rank]
        del rest[:rank]
        return value, indices

    source, source_indices = memref()
    target, target_indices = memref()
    count = rest.pop(0)
    tag, tag_indices = memref()
    return source, source_indices, target, target_indices, count, tag, tag_indices, rest


def print_dma_start(op: Operation, printer: Printer) -> None:
    source, at_source, target, at_target, count, tag, at_tag, strides = dma_parts(op)
    printer.print_string(" ")
    _print_access(printer, source, at_source)
    printer.print_string(", ")
    _print_access(printer, target, at_target)
    printer.print_string(", ")
    printer.print_ssa_value(count)
    printer.print_string(", ")
    _print_access(printer, tag, at_tag)
    for stride in strides:
        printer.print_string(", ")
        printer.print_ssa_value(stride)
    print_attr_dict(printer, op)
    printer.print_string(" : ")
    print_list(printer, [source.type, target.type, tag.type], printer.print_attribute)


PARSE = {
    "memref.alloca_scope": parse_alloca_scope,
    "memref.generic_atomic_rmw": parse_generic_atomic_rmw,
    "memref.prefetch": parse_prefetch,
    "memref.transpose": parse_transpose,
    "memref.dma_start": parse_dma_start,
}
PRINT = {
    "memref.alloca_scope": print_alloca_scope,
    "memref.generic_atomic_rmw": print_generic_atomic_rmw,
    "memref.prefetch": print_prefetch,
    "memref.transpose": print_transpose,
    "memref.dma_start": print_dma_start,
}
DIRECTIVES = {
    "GlobalMemrefOpTypeAndInitialValue": (
        _parse_global_type_and_value,
        _print_global_type_and_value,
    )
}
