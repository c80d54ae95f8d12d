# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Default values: from the text in an operation's definition to an attribute.

The tables have them in MLIR's words: a keyword, a number, `true`, `[1, 2]`, `"x"`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from xgpu.core.ir.services import definitions

if TYPE_CHECKING:
    from xgpu.core.ods.constraints import Constraint
    from xgpu.core.ods.spec import AttrField


class UnknownDefaultError(NotImplementedError):
    """A default value that this module does not understand: a gap of ours."""


def default_attribute(attr: AttrField) -> Attribute | None:
    """The default value of `attr` as an attribute, or None if it has none."""
    text = attr.default
    if text is None:
        return None
    constraint = attr.constraint
    make = _MAKERS.get(constraint.kind)
    value = None if make is None else make(constraint, text.strip())
    if value is None:
        raise UnknownDefaultError(
            f"default value {text!r} of {attr.name} ({constraint.name}, {constraint.kind})"
        )
    return value


def keyword_of(text: str, keywords: Iterable[str]) -> str | None:
    """The keyword that a C++ enumerator like `::mlir::gpu::Dimension::x` stands for."""
    symbol = text.rpartition("::")[2]
    keywords = list(keywords)
    if symbol in keywords:
        return symbol
    plain = symbol.lower().replace("_", "")
    for keyword in keywords:
        if keyword.lower().replace("_", "").replace(".", "") == plain:
            return keyword
    return None


def _integer(text: str) -> int | None:
    if text in ("true", "false"):
        return int(text == "true")
    if text in ("[]", "{}"):  # C++'s {}: zero
        return 0
    try:
        return int(text.rstrip("uUlL"), 0)
    except ValueError:
        return None


def _typed_int(constraint: Constraint, text: str) -> Attribute | None:
    value = _integer(text)
    return None if value is None else builtin.IntegerAttr(value, constraint.type)


def _bool(constraint: Constraint, text: str) -> Attribute | None:
    value = _integer(text)
    return None if value is None else builtin.IntegerAttr(value, builtin.i1)


def _typed_float(constraint: Constraint, text: str) -> Attribute | None:
    try:
        return builtin.FloatAttr(float(text.rstrip("fF")), constraint.type)
    except ValueError:
        return None


def _int_enum(constraint: Constraint, text: str) -> Attribute | None:
    keyword = keyword_of(text, constraint.cases)
    value = _integer(text) if keyword is None else constraint.cases[keyword]
    return None if value is None else builtin.IntegerAttr(value, constraint.type)


def _enum(constraint: Constraint, text: str) -> Attribute | None:
    """An enumeration; of another attribute with parameters only the one with all defaults."""
    name = constraint.attr_name
    assert name is not None  # constraints of this kind have one
    cls = definitions().attr_class(name)
    cases = getattr(cls, "cases", None)
    if cases is None:
        return cls() if text in ("{}", "[]", "") else None
    cases = getattr(cases, "cases", cases)
    if not text or text == "{}":
        keyword = next((k for k, v in cases.items() if v == 0), None)
    else:
        keyword = keyword_of(text, cases)
    if keyword is None:
        number = _integer(text)
        keyword = next((k for k, v in cases.items() if v == number), None)
    return None if keyword is None else cls(keyword)


def _string(constraint: Constraint, text: str) -> Attribute | None:
    return builtin.StringAttr(text.strip('"'))


def _braced(text: str) -> list[str] | None:
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return None
    return [part.strip() for part in text[1:-1].split(",") if part.strip()]


def _array(constraint: Constraint, text: str) -> Attribute | None:
    items = _braced(text)
    return builtin.ArrayAttr(()) if items == [] else None


def _dense_array(constraint: Constraint, text: str) -> Attribute | None:
    items = _braced(text)
    if items is None:
        return None
    values = [value for item in items if (value := _integer(item)) is not None]
    if len(values) != len(items):
        return None
    return builtin.DenseArrayBase.from_list(constraint.element, values)


def _dict(constraint: Constraint, text: str) -> Attribute | None:
    return builtin.DictionaryAttr({}) if _braced(text) == [] else None


def _unit(constraint: Constraint, text: str) -> Attribute | None:
    return builtin.UnitAttr()


def _any(constraint: Constraint, text: str) -> Attribute | None:
    """An attribute of ours without parameters, `#ub.poison`."""
    find = definitions().optional_attr_class
    cls = find(text[1:]) if text.startswith("#") else None
    return None if cls is None else cls()


_MAKERS = {
    "typed-int": _typed_int,
    "bool": _bool,
    "typed-float": _typed_float,
    "int-enum": _int_enum,
    "enum": _enum,
    "string": _string,
    "symbol-name": _string,
    "array": _array,
    "dense-array": _dense_array,
    "dict": _dict,
    "unit": _unit,
    "any": _any,
    # A flag that is written `false` where it is off.
    "unit-prop": _bool,
    "attrdef": _enum,
}
