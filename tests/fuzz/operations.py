# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What arith, math and index operations give: `PURE`, name -> fn(op, operands) -> results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tests.fuzz import numbers
from tests.fuzz.numbers import UNSURE, Undefined, Unsure, signed

Pure = Callable[[Any, Sequence[Any]], Sequence[Any]]
PURE: dict[str, Pure] = {}


def width_of(kind: Any) -> int:
    """Bits of an integer type."""
    return 64 if kind.name == "index" else kind.width.data


def form_of(kind: Any) -> str:
    return kind.name


def _sure(operation: Callable[..., Any], lazy: bool = False) -> Pure:
    """Unsure operands give unsure results."""

    def compute(op: Any, values: Sequence[Any]) -> Sequence[Any]:
        if any(isinstance(v, Unsure) for v in values):
            return [UNSURE] * len(op.results)
        found = operation(op, *values)
        return found if isinstance(found, tuple) else (found,)

    return compute


def define(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            PURE[name] = _sure(function)
        return function

    return keep


# -- integers -------------------------------------------------------------------------------------
def _flags(op: Any) -> str:
    attr = op.properties.get("overflowFlags")
    return "" if attr is None else str(attr.data)


def _wrapping(exact: Callable[[int, int], int]) -> Callable[..., Any]:
    def compute(op: Any, a: int, b: int) -> Any:
        width = width_of(op.results[0].type)
        flags = _flags(op)
        mask = (1 << width) - 1
        if "nuw" in flags and not 0 <= exact(a, b) <= mask:
            return UNSURE
        if "nsw" in flags:
            found = exact(signed(a, width), signed(b, width))
            if found != signed(found & mask, width):
                return UNSURE
        return exact(a, b) & mask

    return compute


for _dialect, _names in (("arith", ("addi", "subi", "muli")), ("index", ("add", "sub", "mul"))):
    for _name, _exact in zip(
        _names, (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b), strict=True
    ):
        PURE[f"{_dialect}.{_name}"] = _sure(_wrapping(_exact))


def _bitwise(exact: Callable[[int, int], int]) -> Callable[..., Any]:
    return lambda op, a, b: exact(a, b)


for _name, _exact in (
    ("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b),
):  # fmt: skip
    PURE[f"arith.{_name}i"] = PURE[f"index.{_name}"] = _sure(_bitwise(_exact))


def _by_sign(exact: Callable[[int, int], int], is_signed: bool) -> Callable[..., Any]:
    def compute(op: Any, a: int, b: int) -> int:
        width = width_of(op.results[0].type)
        if is_signed:
            a, b = signed(a, width), signed(b, width)
        return exact(a, b) & ((1 << width) - 1)

    return compute


for _name, _exact, _is_signed in (
    ("maxs", max, True), ("maxu", max, False), ("mins", min, True), ("minu", min, False),
):  # fmt: skip
    PURE[f"arith.{_name}i"] = PURE[f"index.{_name}"] = _sure(_by_sign(_exact, _is_signed))


def _division(exact: Callable[[int, int], int], is_signed: bool) -> Pure:
    def compute(op: Any, values: Sequence[Any]) -> Sequence[Any]:
        a, b = values
        if isinstance(b, Unsure):
            raise Undefined("division by poison")
        if not b:
            raise Undefined("division by zero")
        if isinstance(a, Unsure):
            # Of a signed division it may be the least number.
            if is_signed:
                raise Undefined("division of poison")
            return [UNSURE]
        width = width_of(op.results[0].type)
        if is_signed:
            a, b = signed(a, width), signed(b, width)
            if b == -1 and a == -(1 << (width - 1)):
                raise Undefined("the quotient is too large")
        found = exact(a, b)
        if op.properties.get("isExact") is not None and found * b != a:
            return [UNSURE]
        return [found & ((1 << width) - 1)]

    return compute


def _rem(a: int, b: int) -> int:
    return a - b * numbers.truncated_divided(a, b)


for _arith, _index, _exact, _is_signed in (
    ("divsi", "divs", numbers.truncated_divided, True),
    ("divui", "divu", numbers.floor_divided, False),
    ("ceildivsi", "ceildivs", numbers.ceiling_divided, True),
    ("ceildivui", "ceildivu", numbers.ceiling_divided, False),
    ("floordivsi", "floordivs", numbers.floor_divided, True),
    ("remsi", "rems", _rem, True),
    ("remui", "remu", _rem, False),
):
    PURE[f"arith.{_arith}"] = PURE[f"index.{_index}"] = _division(_exact, _is_signed)


def _ceildivs_of_indices(a: int, b: int) -> int:
    """What `convert-index-to-llvm` makes, as MLIR does: the least index has no negative."""
    least = -(1 << 63)
    if a == least and b > 0:
        return -numbers.truncated_divided(least, b)
    return numbers.ceiling_divided(a, b)


PURE["index.ceildivs"] = _division(_ceildivs_of_indices, True)


@define("arith.shli", "index.shl")
def _shl(op: Any, a: int, b: int) -> Any:
    width = width_of(op.results[0].type)
    if b >= width:
        return UNSURE
    found = (a << b) & ((1 << width) - 1)
    if "nuw" in _flags(op) and found >> b != a:
        return UNSURE
    if "nsw" in _flags(op) and signed(found, width) >> b != signed(a, width):
        return UNSURE
    return found


@define("arith.shrui", "index.shru")
def _shrui(op: Any, a: int, b: int) -> Any:
    return UNSURE if b >= width_of(op.results[0].type) else a >> b


@define("arith.shrsi", "index.shrs")
def _shrsi(op: Any, a: int, b: int) -> Any:
    width = width_of(op.results[0].type)
    return UNSURE if b >= width else (signed(a, width) >> b) & ((1 << width) - 1)


_COMPARE = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _compared(how: str, a: Any, b: Any) -> bool:
    return {
        "eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b,
    }[how]  # fmt: skip


@define("arith.cmpi", "index.cmp")
def _cmpi(op: Any, a: int, b: int) -> int:
    how = op.properties["predicate" if op.name == "arith.cmpi" else "pred"]
    word = _COMPARE[how.value.data] if op.name == "arith.cmpi" else str(how.data)
    if word[0] == "s":
        width = width_of(op.operands[0].type)
        a, b = signed(a, width), signed(b, width)
    return int(_compared(word[-2:], a, b))


@define("arith.extui", "arith.index_castui", "index.castu", "arith.trunci")
def _unsigned_cast(op: Any, a: int) -> Any:
    width = width_of(op.results[0].type)
    found = a & ((1 << width) - 1)
    if "nuw" in _flags(op) and found != a:
        return UNSURE
    from_width = width_of(op.operands[0].type)
    if "nsw" in _flags(op) and signed(found, width) != signed(a, from_width):
        return UNSURE
    if op.properties.get("nonNeg") is not None and a >> (from_width - 1):
        return UNSURE
    return found


@define("arith.extsi", "arith.index_cast", "index.casts")
def _signed_cast(op: Any, a: int) -> int:
    width = width_of(op.results[0].type)
    return signed(a, width_of(op.operands[0].type)) & ((1 << width) - 1)


@define("arith.addui_extended")
def _add_extended(op: Any, a: int, b: int) -> Any:
    width = width_of(op.results[0].type)
    return (a + b) & ((1 << width) - 1), (a + b) >> width


@define("arith.mului_extended", "arith.mulsi_extended")
def _mul_extended(op: Any, a: int, b: int) -> Any:
    width = width_of(op.results[0].type)
    if op.name == "arith.mulsi_extended":
        a, b = signed(a, width), signed(b, width)
    mask = (1 << width) - 1
    return (a * b) & mask, ((a * b) >> width) & mask


@define("math.absi")
def _absi(op: Any, a: int) -> int:
    width = width_of(op.results[0].type)
    return abs(signed(a, width)) & ((1 << width) - 1)


@define("math.ctpop")
def _ctpop(op: Any, a: int) -> int:
    return a.bit_count() & ((1 << width_of(op.results[0].type)) - 1)


@define("math.ctlz")
def _ctlz(op: Any, a: int) -> int:
    width = width_of(op.results[0].type)
    return (width - a.bit_length()) & ((1 << width) - 1)


@define("math.cttz")
def _cttz(op: Any, a: int) -> int:
    width = width_of(op.results[0].type)
    return ((a & -a).bit_length() - 1 if a else width) & ((1 << width) - 1)


# -- floats ---------------------------------------------------------------------------------------
def _float(exact: Callable[[float, float], float]) -> Callable[..., Any]:
    def compute(op: Any, a: float, b: float) -> float:
        # A double has more than twice the digits of the others and two more: rounding twice is
        # rounding once.
        return numbers.to_format(exact(a, b), form_of(op.results[0].type))

    return compute


PURE["arith.addf"] = _sure(_float(lambda a, b: a + b))
PURE["arith.subf"] = _sure(_float(lambda a, b: a - b))
PURE["arith.mulf"] = _sure(_float(lambda a, b: a * b))
PURE["arith.remf"] = _sure(_float(numbers.remainder))
PURE["arith.divf"] = _sure(lambda op, a, b: numbers.divided(a, b, form_of(op.results[0].type)))
PURE["math.fma"] = _sure(lambda op, a, b, c: numbers.fused(a, b, c, form_of(op.results[0].type)))
PURE["math.sqrt"] = _sure(lambda op, a: numbers.square_root(a, form_of(op.results[0].type)))
PURE["arith.negf"] = _sure(lambda op, a: -a)
PURE["math.absf"] = _sure(lambda op, a: abs(a))
for _name, _sign, _nan in (
    ("minimumf", 1, True), ("maximumf", -1, True), ("minnumf", 1, False), ("maxnumf", -1, False),
):  # fmt: skip
    PURE[f"arith.{_name}"] = _sure(lambda op, a, b, s=_sign, n=_nan: numbers.minimum(a, b, s, n))


@define("math.copysign")
def _copysign(op: Any, a: float, b: float) -> Any:
    if math.isnan(b):
        return UNSURE
    return math.copysign(a, b)


@define("math.ceil", "math.floor", "math.trunc", "math.round", "math.roundeven")
def _whole(op: Any, a: float) -> float:
    if not math.isfinite(a) or a == 0:
        return a
    word = op.name.partition(".")[2]
    if word == "round":
        found = math.floor(abs(a)) + (abs(a) - math.floor(abs(a)) >= 0.5)
    else:
        way = {"ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "roundeven": round}
        found = abs(way[word](a))
    return math.copysign(numbers.to_format(float(found), form_of(op.results[0].type)), a)


PURE["math.isnan"] = _sure(lambda op, a: int(math.isnan(a)))
PURE["math.isinf"] = _sure(lambda op, a: int(math.isinf(a)))
PURE["math.isfinite"] = _sure(lambda op, a: int(math.isfinite(a)))


@define("math.isnormal")
def _isnormal(op: Any, a: float) -> int:
    least = 2.0 ** numbers.FORMATS[form_of(op.operands[0].type)][1]
    return int(math.isfinite(a) and abs(a) >= least)


_ORDERS = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
)  # fmt: skip


@define("arith.cmpf")
def _cmpf(op: Any, a: float, b: float) -> int:
    word = _ORDERS[op.properties["predicate"].value.data]
    if word in ("true", "false"):
        return int(word == "true")
    unordered = math.isnan(a) or math.isnan(b)
    if word in ("ord", "uno"):
        return int(unordered == (word == "uno"))
    if unordered:
        return int(word[0] == "u")
    return int(_compared(word[1:], a, b))


@define("arith.extf", "arith.truncf")
def _float_cast(op: Any, a: float) -> float:
    return numbers.to_format(a, form_of(op.results[0].type))


@define("arith.sitofp", "arith.uitofp")
def _to_float(op: Any, a: int) -> Any:
    from fractions import Fraction

    width = width_of(op.operands[0].type)
    if op.properties.get("nonNeg") is not None and a >> (width - 1):
        return UNSURE
    value = signed(a, width) if op.name == "arith.sitofp" else a
    return numbers.rounded(Fraction(value), form_of(op.results[0].type))


@define("arith.fptosi", "arith.fptoui")
def _to_integer(op: Any, a: float) -> Any:
    width = width_of(op.results[0].type)
    if not math.isfinite(a):
        return UNSURE
    value = math.trunc(a)
    low, high = (
        (-(1 << (width - 1)), 1 << (width - 1)) if op.name == "arith.fptosi" else (0, 1 << width)
    )
    return value & ((1 << width) - 1) if low <= value < high else UNSURE


#: Functions of math that are right to so many units only.
LOOSE: dict[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "atan2": math.atan2, "sinh": math.sinh, "cosh": math.cosh,
    "tanh": math.tanh, "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh,
    "exp": math.exp, "exp2": math.exp2, "expm1": math.expm1, "log": math.log,
    "log2": math.log2, "log10": math.log10, "log1p": math.log1p, "erf": math.erf,
    "erfc": math.erfc, "cbrt": math.cbrt, "powf": math.pow,
    "rsqrt": lambda a: 1 / math.sqrt(a),
}  # fmt: skip


def _loose(function: Callable[..., float]) -> Callable[..., Any]:
    def compute(op: Any, *values: float) -> Any:
        try:
            found = function(*values)
        except (ValueError, OverflowError, ZeroDivisionError):
            return UNSURE  # where poles and domains end is another test's matter
        return numbers.to_format(found, form_of(op.results[0].type))

    return compute


for _name, _function in LOOSE.items():
    PURE[f"math.{_name}"] = _sure(_loose(_function))


# -- the rest -------------------------------------------------------------------------------------
def _select(op: Any, values: Sequence[Any]) -> Sequence[Any]:
    if isinstance(values[0], Unsure):
        return [UNSURE]
    return [values[1] if values[0] else values[2]]


PURE["arith.select"] = _select


def _constant(op: Any, values: Sequence[Any]) -> Sequence[Any]:
    attr = op.properties["value"]
    data = attr.value.data
    if isinstance(data, float):
        return [data]
    kind = op.results[0].type
    return [data & ((1 << width_of(kind)) - 1)]


PURE["arith.constant"] = PURE["index.constant"] = PURE["index.bool.constant"] = _constant
PURE["index.sizeof"] = lambda op, values: [64]
PURE["ub.poison"] = lambda op, values: [UNSURE]


@define("arith.bitcast")
def _bitcast(op: Any, a: Any) -> Any:
    import struct

    source, target = op.operands[0].type, op.results[0].type
    if isinstance(a, float):
        return UNSURE if math.isnan(a) else _bits(a, form_of(source))
    if target.name not in numbers.FORMATS:
        return a
    size = width_of(source)
    letters = {"f16": "eH", "f32": "fI", "f64": "dQ"}
    if target.name == "bf16":
        return struct.unpack("<f", struct.pack("<I", a << 16))[0]
    to, of = letters[target.name]
    assert size in (16, 32, 64)
    return struct.unpack("<" + to, struct.pack("<" + of, a))[0]


def _bits(value: float, form: str) -> int:
    import struct

    if form == "bf16":
        return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    to, of = {"f16": "eH", "f32": "fI", "f64": "dQ"}[form]
    return struct.unpack("<" + of, struct.pack("<" + to, value))[0]


@define("math.ipowi")
def _ipowi(op: Any, a: int, b: int) -> Any:
    width = width_of(op.results[0].type)
    power = signed(b, width)
    return UNSURE if power < 0 else pow(signed(a, width), power, 1 << width)


@define("math.clampf")
def _clampf(op: Any, a: float, low: float, high: float) -> Any:
    if math.isnan(a) or math.isnan(low) or math.isnan(high) or a == low == 0 or a == high == 0:
        return UNSURE
    return min(max(a, low), high) if low <= high else UNSURE


# -- vectors: elements in a tuple
PURE["vector.from_elements"] = lambda op, values: [tuple(values)]


def _extract(op: Any, values: Sequence[Any]) -> Sequence[Any]:
    (place,) = op.properties["static_position"].get_values()
    return [values[0][int(place)]]


PURE["vector.extract"] = _extract
