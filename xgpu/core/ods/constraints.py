# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an operand, result, attribute or region must be.

A `Constraint` is made from an entry of a table when an operation that uses it is met, and compiled
when it is first asked. Attribute constraints also say what kind of attribute it is, for parsers,
printers and builders:

| kind | more |
|---|---|
| `any`, `typed`, `unit`, `bool`, `string`, `symbol-name`, `type`, `dict`, `elements` | |
| `symbol-ref`, `flat-symbol-ref`, `affine-map`, `integer-set` | |
| `unit-prop` | a flag that MLIR's generic form writes as `false` when it is off |
| `typed-int`, `typed-float` | `type`, or None where any will do |
| `int-enum` | an IntegerAttr: `type`, `cases`, `bits`, `separator`, `mnemonic` (`overflow<nsw>`) |
| `enum`, `attrdef` | `attr_name`: MLIR's name of the attribute (`gpu.dim`) |
| `array` | `element`: the constraint of elements, or None |
| `dense-array` | `element`: the element type |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.services import definitions

if TYPE_CHECKING:
    from xdsl.ir import Attribute


class Constraint:
    """A named fact about types or attributes; `summary` is MLIR's wording of it."""

    __slots__ = (
        "_builder",
        "_find",
        "_kind",
        "_words",
        "attr_name",
        "check",
        "expression",
        "name",
        "summary",
    )

    check: Callable[[Any], object]

    def __init__(
        self,
        name: str,
        expression: str = "True",
        summary: str = "",
        builder: str = "",
        attr_name: str | None = None,
        kind: str = "",
        find: Callable[[str], Constraint] | None = None,
    ) -> None:
        self.name = name
        self.expression = expression
        self.summary = summary
        self._builder = builder
        self._words = kind
        #: The name of the one attribute or type that the constraint's C++ class fixes, or None.
        self.attr_name = attr_name
        if kind.startswith(("enum ", "attrdef ")):
            self.attr_name = kind.partition(" ")[2]
        self._kind: _Kind | None = None
        self._find = find
        self.check = self._first_check

    def _first_check(self, given: Any) -> Any:
        """Compiles the expression, once, and takes its own place."""
        from xgpu.core.ods.predicates import compile_type_predicate

        self.check = compile_type_predicate(self.expression)
        return self.check(given)

    def __repr__(self) -> str:
        return f"Constraint({self.name}: {self.expression})"

    def buildable(self) -> Attribute | None:
        """The only type that satisfies the constraint, where ODS can build it."""
        return parse_builder(self._builder) if self._builder else None

    @property
    def is_buildable(self) -> bool:
        return bool(self._builder)

    # -- what kind of attribute

    @property
    def kind(self) -> str:
        """See the module's table; "" for types and regions."""
        return self._words.partition(" ")[0]

    def _parsed(self) -> _Kind:
        if self._kind is None:
            self._kind = _Kind(self._words, self._find)
        return self._kind

    @property
    def type(self) -> Any:
        return self._parsed().type

    @property
    def element(self) -> Any:
        return self._parsed().element

    @property
    def cases(self) -> Mapping[str, int]:
        return self._parsed().cases

    @property
    def bits(self) -> bool:
        return self._parsed().bits

    @property
    def separator(self) -> str:
        return self._parsed().separator

    @property
    def mnemonic(self) -> str:
        return self._parsed().mnemonic


class _Kind:
    """The arguments of a kind."""

    __slots__ = ("bits", "cases", "element", "mnemonic", "separator", "type")

    def __init__(self, words: str, find: Callable[[str], Constraint] | None) -> None:
        self.type: Attribute | None = None
        self.element: Any = None
        self.cases: dict[str, int] = {}
        self.bits = False
        self.separator = ", "
        self.mnemonic = ""
        kind, *rest = words.split(" ")
        if kind in ("typed-int", "typed-float") and rest:
            self.type = parse_builder(rest[0])
        elif kind == "int-enum":
            self.type = parse_builder(rest[0])
            rest = rest[1:]
            if rest[0].endswith("<>"):
                self.mnemonic = rest[0][:-2]
                rest = rest[1:]
            self.cases, self.bits, self.separator = parse_cases(rest)
        elif kind == "dense-array":
            self.element = parse_builder(rest[0])
        elif kind == "array" and rest and find is not None:
            self.element = find(rest[0])


def parse_cases(words: list[str]) -> tuple[dict[str, int], bool, str]:
    """`[bits<separator>] keyword=value ...` as cases, whether they combine, and the separator."""
    bits, separator = False, ", "
    if words and words[0].startswith("bits") and "=" not in words[0]:
        bits, separator = True, words[0][4:].replace("_", " ")
        words = words[1:]
    cases: dict[str, int] = {}
    for word in words:
        keyword, _, value = word.rpartition("=")
        cases[keyword] = int(value)
    return cases, bits, separator


def parse_builder(text: str) -> Attribute:
    """A type that ODS can build, from MLIR's writing of it."""
    from xdsl.dialects import builtin

    if text == "index":
        return builtin.IndexType()
    if text == "none":
        return builtin.NoneType()
    if text.startswith("!"):
        return _dialect_type(text[1:])
    for prefix, sign in (("si", "SIGNED"), ("ui", "UNSIGNED"), ("i", "SIGNLESS")):
        if text.startswith(prefix) and text[len(prefix) :].isdigit():
            return builtin.IntegerType(int(text[len(prefix) :]), builtin.Signedness[sign])
    if text.startswith("complex<"):
        return builtin.ComplexType(parse_builder(text[8:-1]))  # pyright: ignore[reportArgumentType]
    if text.startswith("vector<"):
        *shape, element = text[7:-1].split("x")
        return builtin.VectorType(parse_builder(element), [int(size) for size in shape])
    for cls in _float_types():
        if cls.name == text:
            return cls()
    raise ValueError(f"a type that the tables cannot build: {text}")


def _float_types() -> tuple[Any, ...]:
    from xdsl.dialects import builtin as b

    return (
        b.Float32Type, b.Float16Type, b.Float64Type, b.BFloat16Type, b.Float80Type, b.Float128Type,
        b.FloatTF32Type, b.Float8E5M2Type, b.Float8E4M3Type, b.Float8E4M3FNType,
        b.Float8E5M2FNUZType, b.Float8E4M3FNUZType, b.Float8E4M3B11FNUZType, b.Float8E3M4Type,
        b.Float8E8M0FNUType, b.Float6E2M3FNType, b.Float6E3M2FNType, b.Float4E2M1FNType,
    )  # fmt: skip


def _dialect_type(name: str) -> Attribute:
    name, _, arguments = name.partition("<")
    cls = definitions().attr_class(name)
    return cls(int(arguments[:-1])) if arguments else cls()
