# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the shape dialect: names, syntax, result types, verifiers.

A shape or a size may hold an error; an extent tensor (`tensor<?xindex>`) and an index may not. So
what is computed of a `!shape.shape` or a `!shape.size` has such a type too.

Source: MLIR 22.1 Shape.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.elements import dense, element_count, pack, values_of
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.symbols import is_symbol_table, lookup
from xgpu.dialects import shape
from xgpu.dialects.interfaces import ParseHook, PrintHook, Verifier, cast_verifier, verify_function
from xgpu.dialects.syntax_helpers import (
    ensure_terminator,
    parse_function,
    parse_operands_in_parens,
    parse_optional_arrow_types,
    print_attr_dict,
    print_function,
    print_list,
    print_operands,
    print_optional_arrow_types,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer

INDEX = IndexType()


# -- Types and constants of shapes.


def is_shape(kind: Attribute) -> bool:
    """Whether a type is `!shape.shape`."""
    return kind.name == "shape.shape"


def is_size(kind: Attribute) -> bool:
    """Whether a type is `!shape.size`."""
    return kind.name == "shape.size"


def is_extent_tensor(kind: Attribute) -> bool:
    """Whether a type is a tensor of rank 1 of indices."""
    return isinstance(kind, TensorType) and len(kind.shape) == 1 and kind.element_type == INDEX


def extent_tensor(rank: int = DYNAMIC_INDEX) -> TensorType[IndexType]:
    """The type of the extents of a shape of `rank` dimensions."""
    return TensorType(INDEX, [rank])


def shape_type() -> Attribute:
    """`!shape.shape`"""
    return ods.attr_class("shape.shape")()


def size_type() -> Attribute:
    """`!shape.size`"""
    return ods.attr_class("shape.size")()


def extents_attribute(extents: Sequence[int]) -> DenseIntOrFPElementsAttr:
    """The constant of a shape with these extents."""
    return dense(extent_tensor(len(extents)), pack(extents, INDEX) if extents else b"")


def extents_of(constant: Attribute | None) -> list[int] | None:
    """The extents that a constant of a shape has; None if it is none."""
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return None
    values = list(values_of(constant))
    count = element_count(constant)
    return values * count if len(values) == 1 else values


def may_be_error(kind: Attribute) -> bool:
    """Whether values of a type may hold an error."""
    return kind.name in ("shape.shape", "shape.size", "shape.value_shape")


# -- Names that MLIR suggests for results.


def _name_size(op: Operation) -> list[str | None]:
    return [f"c{cast('IntegerAttr', op.properties['value']).value.data}"]


NAMES = {"shape.const_size": _name_size}


# -- Syntax.


def _parse_const_shape(parser: Parser) -> Operation:
    """`shape.const_shape {attributes} [2, 3] : type`"""
    attributes = parser.parse_optional_attr_dict()
    position = parser.pos
    given = parser.parse_attribute()
    if not isinstance(given, ArrayAttr):
        parser.raise_error("expected array attribute", position)
    extents: list[int] = []
    for entry in cast("ArrayAttr[Attribute]", given).data:
        if not isinstance(entry, IntegerAttr):
            parser.raise_error("expected integer value for index in attribute list", position)
        extents.append(cast("IntegerAttr", entry).value.data)
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    properties = {"shape": extents_attribute(extents)}
    return ods.create("shape.const_shape", (), [kind], properties, attributes)


def _print_const_shape(op: Operation, printer: Printer) -> None:
    print_attr_dict(printer, op, ("shape",))
    printer.print_string(" [")
    print_list(printer, extents_of(op.properties["shape"]) or (), _print_number(printer))
    printer.print_string("] : ")
    printer.print_attribute(op.results[0].type)


def _print_number(printer: Printer) -> Callable[[int], None]:
    return lambda number: printer.print_string(str(number))


def _parse_assuming(parser: Parser) -> Operation:
    """`shape.assuming %witness (-> types)? {...} {attributes}`"""
    witness = parser.parse_unresolved_operand()
    types = parse_optional_arrow_types(parser)
    region = ensure_terminator(parser.parse_region([]), "shape.assuming_yield")
    attributes = parser.parse_optional_attr_dict()
    operand = parser.resolve_operand(witness, ods.attr_class("shape.witness")())
    return ods.create("shape.assuming", [operand], types, None, attributes, [region])


def _print_assuming(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    if op.results:
        printer.print_string(" -> (")
        print_list(printer, [r.type for r in op.results], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.regions[0], print_entry_block_args=False, print_block_terminators=bool(op.results)
    )
    print_attr_dict(printer, op)


def _parse_reduce(parser: Parser) -> Operation:
    """`shape.reduce(%shape, %init, ..) : type (-> types)? {...} {attributes}`"""
    position = parser.pos
    operands = parse_operands_in_parens(parser)
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    types = parse_optional_arrow_types(parser)
    if not operands:
        parser.raise_error("expected a shape", position)
    values = [parser.resolve_operand(operands[0], kind)]
    values += parser.resolve_operands(operands[1:], types, position)
    region = ensure_terminator(parser.parse_region(), "shape.yield")
    attributes = parser.parse_optional_attr_dict()
    return ods.create("shape.reduce", values, types, None, attributes, [region])


def _print_reduce(op: Operation, printer: Printer) -> None:
    printer.print_string("(")
    print_operands(printer, op.operands)
    printer.print_string(") : ")
    printer.print_attribute(op.operands[0].type)
    print_optional_arrow_types(printer, [result.type for result in op.results])
    printer.print_string(" ")
    printer.print_region(op.regions[0])
    print_attr_dict(printer, op)


def _parse_library(parser: Parser) -> Operation:
    """`shape.function_library @name (attributes {...})? {...} mapping {...}`"""
    properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    given = parser.parse_optional_attr_dict_with_keyword()
    attributes = {} if given is None else dict(given.data)
    region = parser.parse_region()
    parser.parse_keyword("mapping")
    position = parser.pos
    mapping = parser.parse_attribute()
    if not isinstance(mapping, DictionaryAttr):
        parser.raise_error("expected dictionary attribute", position)
    properties["mapping"] = mapping
    return ods.create("shape.function_library", (), (), properties, attributes, [region])


def _print_library(op: shape.FunctionLibraryOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.properties["sym_name"].data)
    print_attr_dict(printer, op, ("sym_name", "mapping"), keyword=True)
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False, print_block_terminators=False)
    printer.print_string(" mapping ")
    printer.print_attribute(op.properties["mapping"])


def _print_function(op: shape.FuncOp, printer: Printer) -> None:
    print_function(printer, op)


PARSE: dict[str, ParseHook] = {
    "shape.assuming": _parse_assuming,
    "shape.const_shape": _parse_const_shape,
    "shape.func": lambda parser: parse_function(parser, "shape.func"),
    "shape.function_library": _parse_library,
    "shape.reduce": _parse_reduce,
}
PRINT: dict[str, PrintHook] = {
    "shape.assuming": _print_assuming,
    "shape.const_shape": _print_const_shape,
    "shape.func": _print_function,
    "shape.function_library": _print_library,
    "shape.reduce": _print_reduce,
}


# -- Result types.

Operands = Sequence[SSAValue]
Infer = Callable[[Operands, Mapping[str, Attribute], object, object], list[Attribute]]


def _size_if(test: Callable[[Attribute], bool]) -> Infer:
    """A size where an operand is of such a type, else an index."""

    def infer(
        operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
    ) -> list[Attribute]:
        return [size_type() if any(test(o.type) for o in operands) else INDEX]

    return infer


def _infer_const_shape(
    operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
) -> list[Attribute]:
    return [extent_tensor(len(extents_of(properties["shape"]) or ()))]


def _infer_second(
    operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
) -> list[Attribute]:
    return [operands[1].type]


def _infer_index(
    operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
) -> list[Attribute]:
    return [INDEX]


def _infer_extreme(
    operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
) -> list[Attribute]:
    left, right = (operand.type for operand in operands)
    return [left if left == right else size_type()]


def _infer_shape_of(
    operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
) -> list[Attribute]:
    kind = operands[0].type
    if kind.name == "shape.value_shape":
        return [shape_type()]
    shaped = isinstance(kind, TensorType | MemRefType) or kind.name == "vector"
    return [extent_tensor(len(cast("TensorType", kind).get_shape()) if shaped else DYNAMIC_INDEX)]


def _infer_meet(
    operands: Operands, properties: Mapping[str, Attribute], regions: object, others: object
) -> list[Attribute]:
    met = operands[0].type
    for operand in operands[1:]:
        met = _meet(met, operand.type, operands)
    return [met]


def _meet(left: Attribute, right: Attribute, operands: Operands) -> Attribute:
    if not is_shape(left) and not is_size(left):
        left, right = right, left
    sizes = is_size(left) or left == INDEX
    if sizes and not (is_size(right) or right == INDEX):
        raise error(_user(operands), "requires all sizes or shapes")
    if sizes:
        return left if is_size(left) else right
    if not (is_shape(right) or is_extent_tensor(right)):
        raise error(_user(operands), "requires all sizes or shapes")
    if is_shape(left):
        return left
    (first,), (second,) = _extents(left), _extents(right)
    if first == DYNAMIC_INDEX:
        return left
    if second != DYNAMIC_INDEX and first != second:
        raise error(_user(operands), "unequal shape cardinality")
    return right if second == DYNAMIC_INDEX else left


def _user(operands: Operands) -> Operation:
    """The operation that has these operands, where it is verified."""
    return next(u.operation for u in operands[0].uses if u.operation.name == "shape.meet")


def _extents(kind: Attribute) -> Sequence[int]:
    return cast("TensorType", kind).get_shape()


def _sizes(inferred: list[Attribute], given: list[Attribute]) -> bool:
    """A size and an index go together."""
    return all(is_size(kind) or kind == INDEX for kind in (*inferred, *given))


def _shapes(inferred: list[Attribute], given: list[Attribute]) -> bool:
    """A shape goes with each other type of one; extent tensors whose lengths may be equal."""
    kinds = (inferred[0], given[0])
    if any(is_shape(kind) for kind in kinds):
        return True
    if not all(is_extent_tensor(kind) for kind in kinds):
        return False
    lengths = [_extents(kind)[0] for kind in kinds]
    return DYNAMIC_INDEX in lengths or lengths[0] == lengths[1]


def _shape_or_same(inferred: list[Attribute], given: list[Attribute]) -> bool:
    return is_shape(inferred[0]) or is_shape(given[0])


def _either(inferred: list[Attribute], given: list[Attribute]) -> bool:
    kinds = (inferred[0], given[0])
    if any(is_size(kind) or kind == INDEX for kind in kinds):
        return any(map(is_size, kinds)) and _sizes(inferred, given)
    return _shapes(inferred, given)


def _alike(inferred: list[Attribute], given: list[Attribute]) -> bool:
    return inferred == given


_BINARY = ("shape.add", "shape.div", "shape.mul")
INFER: dict[str, Infer] = {
    **dict.fromkeys(_BINARY, _size_if(is_size)),
    **dict.fromkeys(("shape.num_elements", "shape.rank"), _size_if(is_shape)),
    **dict.fromkeys(("shape.max", "shape.min"), _infer_extreme),
    "shape.const_shape": _infer_const_shape,
    "shape.dim": _infer_second,
    "shape.get_extent": _infer_index,
    "shape.meet": _infer_meet,
    "shape.shape_of": _infer_shape_of,
}
COMPATIBLE = {
    **dict.fromkeys(_BINARY, _sizes),
    **dict.fromkeys(("shape.num_elements", "shape.rank"), _sizes),
    **dict.fromkeys(("shape.dim", "shape.get_extent"), _sizes),
    **dict.fromkeys(("shape.max", "shape.min"), _alike),
    "shape.const_shape": _shape_or_same,
    "shape.meet": _either,
    "shape.shape_of": _shapes,
}


# -- Verifiers.


def _propagates(op: Operation, kind: str) -> None:
    """A result of a type that cannot hold errors has no operand that can."""
    result = op.results[0].type
    if any(may_be_error(o.type) for o in op.operands) and result.name != f"shape.{kind}":
        raise op_error(
            op,
            "if at least one of the operands can hold error values then the result must be of "
            f"type `{kind}` to propagate them",
        )


def _propagates_size(op: Operation) -> None:
    _propagates(op, "size")


def _propagates_shape(op: Operation) -> None:
    _propagates(op, "shape")


def _verify_assuming_all(op: Operation) -> None:
    if not op.operands:
        raise op_error(op, "no operands specified")


def _verify_broadcastable(op: Operation) -> None:
    if len(op.operands) < 2:
        raise op_error(op, "required at least 2 input shapes")


def _verify_reduce(op: Operation) -> None:
    arguments = op.regions[0].block.args
    wanted = len(op.operands) - 1 + 2
    if len(arguments) != wanted:
        raise op_error(op, f"ReduceOp body is expected to have {wanted} arguments")
    if arguments[0].type != INDEX:
        raise op_error(op, "argument 0 of ReduceOp body is expected to be of IndexType")
    extent = arguments[1].type
    if is_shape(op.operands[0].type):
        if not is_size(extent):
            raise op_error(
                op,
                "argument 1 of ReduceOp body is expected to be of SizeType if the ReduceOp "
                "operates on a ShapeType",
            )
    elif extent != INDEX:
        raise op_error(
            op,
            "argument 1 of ReduceOp body is expected to be of IndexType if the ReduceOp operates "
            "on an extent tensor",
        )
    for at, (initial, argument) in enumerate(zip(op.operands[1:], arguments[2:], strict=True)):
        if initial.type != argument.type:
            where = f"argument {at + 2} of ReduceOp body and initial value {at}"
            raise op_error(op, f"type mismatch between {where}")


def _verify_yield(op: Operation) -> None:
    parent = op.parent_op()
    results = () if parent is None else parent.results
    if len(results) != len(op.operands):
        raise op_error(op, "number of operands does not match number of results of its parent")
    if any(r.type != o.type for r, o in zip(results, op.operands, strict=True)):
        raise op_error(op, "types mismatch between yield op and its parent")


def _castable_size(source: Attribute, target: Attribute) -> bool:
    return (is_size(source) or source == INDEX) and target == INDEX


def _castable_shape(source: Attribute, target: Attribute) -> bool:
    """To a tensor of extents, from one whose length may be equal, or from a shape."""
    if not is_extent_tensor(target):
        return False
    return is_shape(source) or (is_extent_tensor(source) and _shapes([source], [target]))


VERIFY: dict[str, Verifier] = {
    **dict.fromkeys(_BINARY, _propagates_size),
    "shape.assuming_all": _verify_assuming_all,
    "shape.broadcast": _propagates_shape,
    "shape.cstr_broadcastable": _verify_broadcastable,
    "shape.func": verify_function,
    "shape.get_extent": _propagates_size,
    "shape.num_elements": _propagates_size,
    "shape.rank": _propagates_size,
    "shape.reduce": _verify_reduce,
    "shape.shape_of": _propagates_shape,
    "shape.size_to_index": cast_verifier(_castable_size),
    "shape.to_extent_tensor": cast_verifier(_castable_shape),
    "shape.yield": _verify_yield,
}


# -- `shape.lib`: the libraries of shape functions that a symbol table uses.


def _verify_libraries(op: Operation, name: str, value: Attribute) -> None:
    if not is_symbol_table(op):
        raise error(op, "shape.lib attribute may only be on op implementing SymbolTable")
    if isinstance(value, SymbolRefAttr):
        found = _lookup(op, value)
        if found is None:
            raise error(op, f"shape function library {shown(value)} not found")
        if found.name != "shape.function_library":
            raise error(op, f"{shown(value)} required to be shape function library")
        return
    if not isinstance(value, ArrayAttr):
        raise error(
            op, "only SymbolRefAttr or array of SymbolRefAttrs allowed as shape.lib attribute"
        )
    known: set[str] = set()
    for key in _mapped(op, cast("ArrayAttr[Attribute]", value)):
        if key in known:
            raise error(op, f"only one op to shape mapping allowed, found multiple for `{key}`")
        known.add(key)


def _mapped(op: Operation, references: ArrayAttr[Attribute]) -> Iterator[str]:
    """The operations that the libraries have functions for."""
    for reference in references.data:
        if not isinstance(reference, SymbolRefAttr):
            raise error(op, "only SymbolRefAttr allowed in shape.lib attribute array")
        library = _lookup(op, reference)
        if library is None or library.name != "shape.function_library":
            raise error(op, f"{shown(reference)} does not refer to FunctionLibraryOp")
        yield from cast("DictionaryAttr", library.properties["mapping"]).data


def _lookup(op: Operation, reference: SymbolRefAttr) -> Operation | None:
    return lookup(op, reference.root_reference.data)


VERIFY_ATTRIBUTES = {"shape.lib": _verify_libraries}
