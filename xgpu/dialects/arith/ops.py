# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of arith operations: result names, syntax and verifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.ir.errors import op_error, shown
from xgpu.core.ods.predicates import (
    i1_same_shape,
    is_float,
    is_index,
    is_integer,
    is_scalable_vector,
    is_signless,
)
from xgpu.core.syntax.formats.reading import read_operands
from xgpu.dialects import arith
from xgpu.dialects.interfaces import Verifier, cast_verifier
from xgpu.dialects.syntax_helpers import print_attr_dict, print_operands

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


# -- Names that MLIR suggests for results of arith operations.


def _constant_names(op: Operation) -> list[str | None]:
    """`c5`, `c5_i32`, `true`, `cst`, `f`"""
    value = op.properties.get("value")
    kind = op.results[0].type
    if not isinstance(value, IntegerAttr):
        return ["f" if kind.name == "fun" else "cst"]
    number = value.value.data
    if isinstance(kind, IndexType):
        return [f"c{number}"]
    if isinstance(kind, IntegerType):
        if kind.width.data == 1:
            return ["true" if number else "false"]
        if kind.signedness.data is Signedness.SIGNLESS:  # of any other only refused ones are
            return [f"c{number}_i{kind.width.data}"]
    return [f"c{number}_{shown(kind)}"]


def _muli(op: arith.MuliOp) -> list[str | None]:
    """`c4_vscale` for a multiple of `vector.vscale`."""
    if not isinstance(op.results[0].type, IndexType):
        return [None]
    for base, scale in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
        if getattr(scale.owner, "name", "") != "vector.vscale":
            continue
        if not isinstance(base.owner, Operation) or base.owner.name != "arith.constant":
            continue
        value = base.owner.properties["value"]
        if isinstance(value, IntegerAttr):
            return [f"c{value.value.data}_vscale"]
    return [None]


NAMES = {"arith.constant": _constant_names, "arith.muli": _muli}


# -- The handwritten syntax of `arith.select`.


def parse_select(parser: Parser) -> Operation:
    """`%condition, %true, %false {attributes} : (condition type,)? type`"""
    position = parser.pos
    operands = read_operands(parser)
    if len(operands) != 3:
        parser.raise_error("expected 3 operands", position)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    condition = i1
    kind = parser.parse_type()
    if parser.parse_optional_punctuation(",") is not None:
        condition, kind = kind, parser.parse_type()
    values = parser.resolve_operands(operands, [condition, kind, kind], position)
    return ods.create("arith.select", values, [kind], None, attributes)


def print_select(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    print_operands(printer, op.operands)
    print_attr_dict(printer, op)
    printer.print_string(" : ")
    if op.operands[0].type.name in ("vector", "tensor", "unranked_tensor"):
        printer.print_attribute(op.operands[0].type)
        printer.print_string(", ")
    printer.print_attribute(op.results[0].type)


PARSE = {"arith.select": parse_select}
PRINT = {"arith.select": print_select}


# -- Verifiers of arith operations.


Test = Callable[[Attribute], bool]

_LIKE = frozenset(("vector", "tensor", "unranked_tensor"))
_MEMREFS = frozenset(("memref", "unranked_memref"))


def _element(kind: Attribute, *, memrefs: bool = False) -> Attribute | None:
    """The element type of a vector or tensor, a scalar itself; None of other shaped types."""
    if kind.name in _LIKE or (memrefs and kind.name in _MEMREFS):
        return cast("MemRefType | TensorType | VectorType", kind).element_type
    return None if kind.name in _MEMREFS else kind


def _same_encoding(source: Attribute, target: Attribute) -> bool:
    if source.name != "tensor" or target.name != "tensor":
        return True
    return cast("TensorType", source).encoding == cast("TensorType", target).encoding


def _width(kind: Attribute) -> int:
    return cast("FixedBitwidthType", kind).bitwidth


def _element_cast(
    holds: Callable[[Attribute, Attribute], bool], *, memrefs: bool = False
) -> Verifier:
    """A cast whose element types satisfy `holds`."""

    def compatible(source: Attribute, target: Attribute) -> bool:
        before, after = _element(source, memrefs=memrefs), _element(target, memrefs=memrefs)
        if before is None or after is None or not _same_encoding(source, target):
            return False
        return holds(before, after)

    return cast_verifier(compatible)


def _wider(test: Test) -> Verifier:
    return _element_cast(lambda a, b: test(a) and test(b) and _width(b) > _width(a))


def _narrower(test: Test) -> Verifier:
    return _element_cast(lambda a, b: test(a) and test(b) and _width(b) < _width(a))


def _between(source: Test, target: Test) -> Verifier:
    return _element_cast(lambda a, b: source(a) and target(b))


def _same_width(a: Attribute, b: Attribute) -> bool:
    numbers = (is_integer(a) or is_float(a)) and (is_integer(b) or is_float(b))
    return numbers and _width(a) == _width(b)


def _index_and_integer(a: Attribute, b: Attribute) -> bool:
    return (is_index(a) and is_signless(b)) or (is_signless(a) and is_index(b))


def _constant(op: Operation) -> None:
    kind = op.results[0].type
    value = op.properties["value"]
    if is_integer(kind) and not is_signless(kind):
        raise op_error(op, "integer return type must be signless")
    elements = value.name in ("dense", "builtin.dense_resource_elements", "builtin.sparse",
                              "dense_resource")  # fmt: skip
    if not isinstance(value, IntegerAttr | FloatAttr) and not elements:
        raise op_error(op, "value must be an integer, float, or elements attribute")
    if is_scalable_vector(kind):
        splat = isinstance(value, DenseIntOrFPElementsAttr) and value.is_splat()
        if not splat:
            raise op_error(
                op,
                "intializing scalable vectors with elements attribute is not supported unless "
                "it's a vector splat",
            )


def _select(op: Operation) -> None:
    condition, result = op.operands[0].type, op.results[0].type
    if is_signless(condition, 1):
        return
    if result.name not in _LIKE:
        raise op_error(op, f"expected condition to be a signless i1, but got '{shown(condition)}'")
    expected = i1_same_shape(result)
    if condition != expected:
        raise op_error(
            op,
            "expected condition type to have the same shape as the result type, expected "
            f"'{shown(expected)}', but got '{shown(condition)}'",
        )


VERIFY = {
    "arith.constant": _constant,
    "arith.select": _select,
    "arith.extf": _wider(is_float),
    "arith.extsi": _wider(is_integer),
    "arith.extui": _wider(is_integer),
    "arith.truncf": _narrower(is_float),
    "arith.trunci": _narrower(is_integer),
    "arith.scaling_extf": _wider(is_float),
    "arith.scaling_truncf": _narrower(is_float),
    "arith.sitofp": _between(is_integer, is_float),
    "arith.uitofp": _between(is_integer, is_float),
    "arith.fptosi": _between(is_float, is_integer),
    "arith.fptoui": _between(is_float, is_integer),
    "arith.bitcast": _element_cast(_same_width, memrefs=True),
    "arith.index_cast": _element_cast(_index_and_integer, memrefs=True),
    "arith.index_castui": _element_cast(_index_and_integer, memrefs=True),
}
