# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The regions of named operations, built from what the table says they compute."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.errors import shown
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import linalg
from xgpu.dialects.linalg.ops import named, scalar_type

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


class BodyError(Exception):
    """The operation is not defined on these types; the text is MLIR's."""


class ArgumentCountError(BodyError):
    """The operation has another number of operands than its region takes."""


_UNARY = {
    "abs": "math.absf",
    "ceil": "math.ceil",
    "erf": "math.erf",
    "exp": "math.exp",
    "floor": "math.floor",
    "log": "math.log",
    "negf": "arith.negf",
    "round": "math.round",
    "rsqrt": "math.rsqrt",
    "sqrt": "math.sqrt",
    "tanh": "math.tanh",
}
#: For complex numbers, floats, i1 and integers; None where there is no such operation.
_BINARY: dict[str, tuple[str | None, str | None, str | None, str | None]] = {
    "add": ("complex.add", "arith.addf", "arith.ori", "arith.addi"),
    "div": ("complex.div", "arith.divf", None, "arith.divsi"),
    "div_unsigned": (None, None, None, "arith.divui"),
    "max_signed": (None, "arith.maximumf", "arith.maxsi", "arith.maxsi"),
    "max_unsigned": (None, None, None, "arith.maxui"),
    "min_signed": (None, "arith.minimumf", "arith.minsi", "arith.minsi"),
    "min_unsigned": (None, None, None, "arith.minui"),
    "mul": ("complex.mul", "arith.mulf", "arith.andi", "arith.muli"),
    "powf": (None, "math.powf", None, None),
    "sub": ("complex.sub", "arith.subf", None, "arith.subi"),
}

#: What stands for a value that no argument has, with a number in parentheses.
_LITERALS = frozenset({"f64", "i64", "index"})
#: Casts to a type that does not depend on the operands.
_FIXED: dict[str, Attribute] = {"tof64": f64, "toi32": i32}


def build_region(
    name: str,
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
    outputs: int,
    location: LocationAttr | None = None,
) -> Region:
    """The region of the named operation `name`."""
    entry = named(name)
    text = entry[2] if entry is not None else _elementwise_body(properties)
    wanted = _argument_count(text)
    if wanted != len(operands):
        raise ArgumentCountError(
            "[parseNamedStructuredOpRegion] ods-gen generated region expects "
            f"{wanted} args, got {len(operands)}"
        )
    block = _block(operands, location)
    cast = properties.get("cast")
    unsigned = getattr(cast, "data", None) == "cast_unsigned"  # it is not verified yet
    builder = _Builder(block, outputs, unsigned, location)
    value = builder.parse(text)
    builder.rw.create("linalg.yield", [value])
    return Region(block)


def copying_region(operands: Sequence[SSAValue], location: LocationAttr | None = None) -> Region:
    """The region of an operation that gives what it takes, somewhere else."""
    block = _block(operands, location)
    Rewriter(block=block, location=location).create("linalg.yield", [block.args[0]])
    return Region(block)


def _block(operands: Sequence[SSAValue], location: LocationAttr | None) -> Block:
    """The block of a body; as in MLIR, that of text that is read has arguments from nowhere."""
    types = [scalar_type(value) for value in operands]
    return Block(arg_types=types) if location is None else block_for(operands, types)


def _argument_count(text: str) -> int:
    """How many operands a body is for; of what it computes without the output, one more."""
    pairs = itertools.pairwise(text)
    used = {int(c) for before, c in pairs if before == "a" and c.isdigit()}
    last = max(used)
    return last + 1 if last and f"(a{last}, " in text else last + 2


def _elementwise_body(properties: Mapping[str, Attribute]) -> str:
    kind = cast("linalg.ElementwiseKindAttr | None", properties.get("kind"))
    if kind is None:
        return "add(a2, mul(castattr(a0), castattr(a1)))"
    if kind.data in _UNARY or kind.data in ("reciprocal", "square"):
        return f"{kind.data}(a0)"
    if kind.data == "select":
        return "select(a0, a1, a2)"
    return f"{kind.data}(a0, a1)"


class _Builder:
    """Reads an expression and builds its operations at the end of a block."""

    def __init__(
        self, block: Block, outputs: int, unsigned: bool, location: LocationAttr | None
    ) -> None:
        self.block = block
        self.unsigned = unsigned
        self.result = block.args[-outputs].type if outputs else None
        self.rw = Rewriter(block=block, location=location)

    def parse(self, text: str) -> SSAValue:
        value, rest = self._term(text)
        assert not rest
        return value

    def _term(self, text: str) -> tuple[SSAValue, str]:
        end = next((i for i, c in enumerate(text) if c in "(),"), len(text))
        name, rest = text[:end], text[end:]
        if not rest.startswith("("):
            return self.block.args[int(name[1:])], rest
        if name in _LITERALS:
            literal, _, rest = rest[1:].partition(")")
            return self._literal(name, literal), rest
        arguments: list[SSAValue] = []
        while not rest.startswith(")"):
            value, rest = self._term(rest[1:].lstrip() if rest[0] in "(," else rest)
            arguments.append(value)
        return self._apply(name, arguments), rest[1:]

    def _literal(self, name: str, text: str) -> SSAValue:
        """A constant, or the number of an iteration."""
        if name == "index":
            return self.rw.value(
                "linalg.index", (), IndexType(), {"dim": IntegerAttr(int(text), i64)}
            )
        value = IntegerAttr(int(text), i64) if name == "i64" else FloatAttr(float(text), f64)
        return self.rw.value("arith.constant", (), value.type, {"value": value})

    def _apply(self, name: str, arguments: list[SSAValue]) -> SSAValue:
        if name.startswith("cast"):
            assert self.result is not None
            unsigned = self.unsigned if name == "castattr" else name == "castu"
            return convert(self.rw, arguments[0], self.result, unsigned)
        if name in _FIXED:
            return convert(self.rw, arguments[0], _FIXED[name], False)
        if name in ("reciprocal", "square"):
            return self._derived(name, arguments[0])
        if name == "select":
            return self.rw.value("arith.select", arguments, arguments[1].type)
        if len(arguments) == 1:
            if not isinstance(arguments[0].type, AnyFloat):
                raise BodyError("unsupported non numeric type")
            return self.rw.value(_UNARY[name], arguments, arguments[0].type)
        return self._binary(name, arguments)

    def _derived(self, name: str, value: SSAValue) -> SSAValue:
        kind = value.type
        if not isinstance(kind, AnyFloat):
            raise BodyError("unsupported non numeric type")
        if name == "square":
            return self.rw.value("arith.mulf", [value, value], kind)
        one = self.rw.value("arith.constant", (), kind, {"value": FloatAttr(1.0, kind)})
        return self.rw.value("arith.divf", [one, value], kind)

    def _binary(self, name: str, arguments: list[SSAValue]) -> SSAValue:
        kinds = [v.type for v in arguments]
        column = _column(kinds)
        if column is None:
            given = " and ".join(f"'{shown(kind)}'" for kind in kinds)
            raise BodyError(
                "Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or "
                f"allInteger, got {given}"
            )
        found = _BINARY[name][column]
        if found is None:
            if name.endswith("_unsigned"):
                what = name.removesuffix("_unsigned")
                raise BodyError(f"unsupported operation: unsigned {what} not on uint")
            if column == 2:
                raise BodyError(f"unsupported operation: {name} with bools")
            raise BodyError("unsupported non numeric type")
        return self.rw.value(found, arguments, kinds[0])


def _column(kinds: Sequence[Attribute]) -> int | None:
    tests: tuple[Callable[[Attribute], bool], ...] = (
        lambda t: isinstance(t, ComplexType),
        lambda t: isinstance(t, AnyFloat),
        lambda t: t == i1,
        lambda t: isinstance(t, IntegerType),
    )
    for column, test in enumerate(tests):
        if all(test(kind) for kind in kinds):
            return column
    return None


def convert(rw: Rewriter, value: SSAValue, to: Attribute, unsigned: bool) -> SSAValue:
    """`value` as a number of the type `to`."""
    kind = value.type
    if kind == to:
        return value
    if isinstance(to, ComplexType) and isinstance(to.element_type, AnyFloat):
        return _complex(rw, value, to, to.element_type, unsigned)
    name: str | None = None
    if isinstance(to, AnyFloat):
        if isinstance(kind, AnyFloat):
            name = "arith.extf" if to.bitwidth > kind.bitwidth else "arith.truncf"
        elif isinstance(kind, IntegerType):
            name = "arith.uitofp" if unsigned else "arith.sitofp"
    elif isinstance(to, IntegerType):
        if isinstance(kind, AnyFloat):
            name = "arith.fptoui" if unsigned else "arith.fptosi"
        elif isinstance(kind, IndexType):
            name = "arith.index_cast"
        elif isinstance(kind, IntegerType):
            if to.width.data > kind.width.data:
                name = "arith.extui" if unsigned else "arith.extsi"
            elif to.width.data < kind.width.data:
                name = "arith.trunci"
    elif isinstance(to, IndexType) and isinstance(kind, IntegerType):
        name = "arith.index_cast"
    if name is None:
        raise BodyError("unsupported non numeric type")
    return rw.value(name, [value], to)


def _complex(
    rw: Rewriter, value: SSAValue, to: ComplexType, element: AnyFloat, unsigned: bool
) -> SSAValue:
    """`value` as a complex number of the type `to`, whose parts are an `element` each."""
    if isinstance(value.type, ComplexType):
        given = value.type.element_type
        halves = [rw.value(f"complex.{half}", [value], given) for half in ("re", "im")]
        parts = [convert(rw, half, element, unsigned) for half in halves]
    else:
        part = convert(rw, value, element, unsigned)
        zero = rw.value("arith.constant", (), element, {"value": FloatAttr(0.0, element)})
        parts = [part, zero]
    return rw.value("complex.create", parts, to)
