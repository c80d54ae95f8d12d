# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of integers before a launch runs: a range, what divides them, and a linear form of
the numbers of blocks and threads and of counters of loops (`instrument.whole_launch`).

All is computed in integers that do not overflow. Ranges of results are to be compared with those of
their types (`limits`): what would leave its type is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from xdsl.dialects.builtin import IntegerType

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from xdsl.ir import SSAValue

    #: Coefficients by symbol; the constant is that of None.
    Form = dict[Hashable, int]


class Known(NamedTuple):
    """A number from `low` to `high`, a multiple of `unit` (0 is one of all), and its form if it has
    one."""

    low: int
    high: int
    unit: int
    form: Form | None

    @property
    def is_constant(self) -> bool:
        return self.low == self.high


def width_of(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else 64


def limits(width: int) -> tuple[int, int]:
    """The least and the greatest number of so many bits; a truth value is 0 or 1."""
    return (0, 1) if width == 1 else (-(1 << width - 1), (1 << width - 1) - 1)


def constant(value: int) -> Known:
    return Known(value, value, abs(value), {None: value})


def plus(a: Form | None, b: Form | None, factor: int = 1) -> Form | None:
    """The sum of a form and another one times a factor."""
    if a is None or b is None:
        return None
    made = dict(a)
    for symbol, step in b.items():
        made[symbol] = made.get(symbol, 0) + factor * step
    return {s: f for s, f in made.items() if f or s is None}


class Divides(Protocol):
    """Divides numbers that are not negative by positive constants."""

    def divided(self, a: Known, by: int) -> tuple[Known, Known]: ...


def remainder(way: Divides, name: str, operands: Sequence[Known | None]) -> Known | None:
    """What `llvm.urem` or `llvm.and` with a mask leaves, also of a number that is not known."""
    a, b = operands[0], cast("Known", operands[1])
    by = b.low + (name == "llvm.and")
    if not b.is_constant or by <= 0 or (name == "llvm.and" and by & (by - 1)):
        return None
    if a is None or a.low < 0:
        # The rest of an unsigned number.
        return Known(0, by - 1, 1, None)
    return way.divided(a, by)[1]


def add(a: Known, b: Known) -> Known:
    return Known(a.low + b.low, a.high + b.high, gcd(a.unit, b.unit), plus(a.form, b.form))


def _subtract(a: Known, b: Known) -> Known:
    return Known(a.low - b.high, a.high - b.low, gcd(a.unit, b.unit), plus(a.form, b.form, -1))


def times(a: Known, factor: int) -> Known:
    ends = a.low * factor, a.high * factor
    form: Form | None = None if a.form is None else {s: f * factor for s, f in a.form.items()}
    if factor == 0:
        form = {None: 0}
    return Known(min(ends), max(ends), a.unit * abs(factor), form)


def _multiply(a: Known, b: Known) -> Known:
    if b.is_constant:
        return times(a, b.low)
    if a.is_constant:
        return times(b, a.low)
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Known(min(ends), max(ends), a.unit * b.unit, None)


def either(values: Iterable[Known | None]) -> Known | None:
    found: Known | None = None
    for value in values:
        if value is None:
            return None
        if found is None:
            found = value
        else:
            form = found.form if found.form == value.form else None
            unit = gcd(found.unit, value.unit)
            found = Known(min(found.low, value.low), max(found.high, value.high), unit, form)
    return found


def _quotient(way: Divides, a: Known, b: Known) -> Known | None:
    if a.low < 0 or not b.is_constant or b.low <= 0:
        return None
    return way.divided(a, b.low)[0]


def _rest(way: Divides, a: Known, b: Known) -> Known | None:
    if a.low < 0 or not b.is_constant or b.low <= 0:
        return None
    return way.divided(a, b.low)[1]


def _left(way: Divides, a: Known, b: Known) -> Known | None:
    return times(a, 1 << b.low) if b.is_constant and 0 <= b.low < 63 else None


def _right(way: Divides, a: Known, b: Known) -> Known | None:
    if a.low < 0 or not b.is_constant or not 0 <= b.low < 63:
        return None
    return way.divided(a, 1 << b.low)[0]


def _or(way: Divides, a: Known, b: Known) -> Known | None:
    if a.low < 0 or b.low < 0:
        return None
    most = (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
    low = max(a.low, b.low)
    # Bits that one has, the other has not: it is their sum.
    unit = a.unit & -a.unit or 1 << 63
    other = b.unit & -b.unit or 1 << 63
    if b.high < unit or a.high < other:
        return add(a, b)
    return Known(low, most, gcd(a.unit & -a.unit, b.unit & -b.unit), None)


def _unsigned(way: Divides, a: Known) -> Known | None:
    return a if a.low >= 0 else None


def _extreme(way: Divides, a: Known, b: Known, choose: object) -> Known:
    pick = cast("type[int]", choose)
    low, high = pick(a.low, b.low), pick(a.high, b.high)  # type: ignore[call-overload]
    form = a.form if (low, high) == (a.low, a.high) and a.form == b.form else None
    return Known(low, high, gcd(a.unit, b.unit), form)


RULES: dict[str, Callable[..., Known | None]] = {
    "llvm.add": lambda way, a, b: add(a, b),
    "llvm.sub": lambda way, a, b: _subtract(a, b),
    "llvm.mul": lambda way, a, b: _multiply(a, b),
    "llvm.shl": _left,
    "llvm.lshr": _right,
    "llvm.ashr": _right,
    "llvm.udiv": _quotient,
    "llvm.sdiv": _quotient,
    "llvm.urem": _rest,
    "llvm.srem": _rest,
    "llvm.and": lambda way, a, b: None,
    "llvm.or": _or,
    "llvm.sext": lambda way, a: a,
    "llvm.zext": _unsigned,
    "llvm.trunc": lambda way, a: a,
    "llvm.freeze": lambda way, a: a,
    "llvm.select": lambda way, *a: None,
    "llvm.intr.smin": lambda way, a, b: _extreme(way, a, b, min),
    "llvm.intr.smax": lambda way, a, b: _extreme(way, a, b, max),
}
