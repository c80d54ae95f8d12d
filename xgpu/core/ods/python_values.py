# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python values as attributes, as an attribute's definition wants them.

| kind of the attribute | Python values |
|---|---|
| flag | True, False |
| integer, float | int, float; of an attribute of any type, where the result's type is given |
| string, symbol | str: "kernel", "module::kernel" |
| enumeration | the keyword, of one whose cases combine several |
| array | a sequence, of what its members are made from |
| affine map | xDSL's AffineMap |
| dictionary | a mapping of names to attributes |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects import builtin
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError, words_of

if TYPE_CHECKING:
    from xgpu.core.ods.constraints import Constraint


def to_attribute(value: object, constraint: Constraint, name: str) -> Attribute:
    """`value` as an attribute that `constraint` describes; an attribute stays what it is.

    TypeError or ValueError with the argument's `name` where that cannot be done.
    """
    if isinstance(value, Attribute):
        return value
    made = None
    make = _MAKERS.get(constraint.kind)
    try:
        made = None if make is None else make(constraint, value, name)
    except (ValueError, OverflowError, VerifyException) as e:
        message = words_of(e)
        raise ArgumentValueError(
            message if message.startswith(name) else f"{name}: {message}"
        ) from None
    if made is None:
        raise ArgumentTypeError(
            f"{name} must be {accepted(constraint)}, but is {_described(value)}"
        )
    return made


def plain_attribute(value: object, name: str) -> Attribute | None:
    """`value` as an attribute of which nothing is known: an attribute, a str, a bool (a flag, None
    where it is False), an int of 64 bits or a float of 64. TypeError, with `name`, otherwise."""
    if isinstance(value, Attribute):
        return value
    if isinstance(value, bool):
        return builtin.UnitAttr() if value else None
    if isinstance(value, str):
        return builtin.StringAttr(value)
    if isinstance(value, int):
        return builtin.IntegerAttr(value, builtin.i64)
    if isinstance(value, float):
        return builtin.FloatAttr(value, builtin.f64)
    raise ArgumentTypeError(f"{name} must be an attribute, but is {_described(value)}")


def known_attribute(value: object, kind: type, name: str) -> Attribute | None:
    """`value` as an attribute that Python's `kind` of values makes, or an attribute as it is."""
    if not isinstance(value, Attribute) and type(value) is not kind:
        raise ArgumentTypeError(f"{name} must be a {kind.__name__}, but is {_described(value)}")
    return plain_attribute(value, name)


def typed_number(value: float, type: object, name: str, result: str) -> Attribute:
    """A number as an attribute of `type`, which was given for the result that is named.

    TypeError or ValueError with the argument's `name` where there is no such attribute.
    """
    if isinstance(type, builtin.IntegerType | builtin.IndexType) and isinstance(value, int):
        try:
            return builtin.IntegerAttr(int(value), type)
        except VerifyException as e:
            raise ArgumentValueError(f"{name}: {words_of(e)}") from None
    if isinstance(type, builtin.AnyFloat):
        return builtin.FloatAttr(float(value), type)
    raise ArgumentTypeError(
        f"{name} must be an attribute, or a number where '{result}' is given, the type of an "
        f"integer or a float, but is {_described(value)}"
    )


def _described(value: object) -> str:
    return f"{type(value).__name__} {value!r}"


def accepted(constraint: Constraint) -> str:
    """What `to_attribute` takes, in words."""
    summary = constraint.summary or "an attribute"
    python = _ACCEPTED.get(constraint.kind)
    return f"an attribute ({summary})" + (f" or {python}" if python else "")


def _typed_int(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if not isinstance(value, int) or (isinstance(value, bool) and constraint.type != builtin.i1):
        return None
    return builtin.IntegerAttr(int(value), constraint.type or builtin.IntegerType(64))


def _typed_float(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return builtin.FloatAttr(float(value), constraint.type or builtin.Float64Type())


def _bool(constraint: Constraint, value: object, name: str) -> Attribute | None:
    return builtin.BoolAttr.from_bool(value) if isinstance(value, bool) else None


def _unit(constraint: Constraint, value: object, name: str) -> Attribute | None:
    return builtin.UnitAttr() if value is True else None


def _string(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if isinstance(value, bytes):
        return builtin.BytesAttr(value)
    return builtin.StringAttr(value) if isinstance(value, str) else None


def _symbol(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if not isinstance(value, str):
        return None
    root, *nested = [part.removeprefix("@") for part in value.split("::")]
    if nested and constraint.kind == "flat-symbol-ref":
        raise ArgumentValueError(f"{name} must be one symbol, but is {value!r}")
    return builtin.SymbolRefAttr(root, nested)


def _enum(constraint: Constraint, value: object, name: str) -> Attribute | None:
    from xgpu.core.ods.registry import attr_class

    cls = attr_class(cast("str", constraint.attr_name))
    cases = getattr(cls, "cases", None)
    words = _words(value)
    if cases is None or words is None:
        return None
    keywords: Sequence[str] = tuple(getattr(cases, "cases", cases))
    _check_words(words, keywords, name)
    return cls(words if getattr(cases, "bits", False) else words[0])


def _int_enum(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return builtin.IntegerAttr(value, constraint.type)
    words = _words(value)
    if words is None:
        return None
    _check_words(words, tuple(constraint.cases), name)
    number = 0
    for word in words:
        number |= constraint.cases[word]
    return builtin.IntegerAttr(number, constraint.type)


def _words(value: object) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Sequence):
        return None
    words = [word for word in value if isinstance(word, str)]
    return words if len(words) == len(value) else None


def _check_words(words: Sequence[str], keywords: Sequence[str], name: str) -> None:
    for word in words:
        if word not in keywords:
            raise ArgumentValueError(
                f"{name} must be one of {', '.join(keywords)}, but is {word!r}"
            )


def _array(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        return None
    element = constraint.element
    if element is None:
        items = [item for item in value if isinstance(item, Attribute)]
        return builtin.ArrayAttr(items) if len(items) == len(value) else None
    members = [to_attribute(item, element, f"{name}[{at}]") for at, item in enumerate(value)]
    return builtin.ArrayAttr(members)


def _dense_array(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        return None
    numbers = [item for item in value if isinstance(item, int | float)]
    if len(numbers) != len(value):
        return None
    return builtin.DenseArrayBase.from_list(constraint.element, numbers)


def _elements(constraint: Constraint, value: object, name: str) -> Attribute | None:
    """Integers in a row, of the width that the definition has."""
    if not isinstance(value, Sequence):
        return None
    numbers = [item for item in value if isinstance(item, int)]
    if len(numbers) != len(value):
        return None
    for width in (builtin.i64, builtin.i32):
        type = builtin.TensorType(width, [len(numbers)])
        made = builtin.DenseIntOrFPElementsAttr.from_list(type, numbers)
        if constraint.check(made):
            return made
    return None


def _affine_map(constraint: Constraint, value: object, name: str) -> Attribute | None:
    return builtin.AffineMapAttr(value) if isinstance(value, AffineMap) else None


def _dict(constraint: Constraint, value: object, name: str) -> Attribute | None:
    if not isinstance(value, Mapping):
        return None
    return builtin.DictionaryAttr(cast("Mapping[str, Attribute]", value))


_MAKERS: dict[str, Callable[..., Attribute | None]] = {
    "affine-map": _affine_map,
    "array": _array,
    "attrdef": _enum,
    "bool": _bool,
    "dense-array": _dense_array,
    "dict": _dict,
    "elements": _elements,
    "enum": _enum,
    "flat-symbol-ref": _symbol,
    "int-enum": _int_enum,
    "string": _string,
    "symbol-name": _string,
    "symbol-ref": _symbol,
    "typed-float": _typed_float,
    "typed-int": _typed_int,
    "unit": _unit,
    "unit-prop": _bool,
}

_ACCEPTED = {
    "affine-map": "an AffineMap",
    "array": "a sequence",
    "bool": "a bool",
    "dense-array": "a sequence of numbers",
    "dict": "a mapping of names to attributes",
    "elements": "a sequence of ints",
    "enum": "a keyword",
    "flat-symbol-ref": "a symbol's name",
    "int-enum": "a keyword or an int",
    "string": "a str",
    "symbol-name": "a str",
    "symbol-ref": "a symbol's name",
    "typed-float": "a float",
    "typed-int": "an int",
    "unit": "True",
    "unit-prop": "a bool",
}
