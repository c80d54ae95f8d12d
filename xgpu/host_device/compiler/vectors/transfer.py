# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shape of an operation's result, from those of its operands: integers and addresses.

Everything else is the widest of its operands' levels, affine counting as varying; see
`uniformity` for what reads memory or other lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import IntegerType

from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.dialects.llvm.attributes import ICMP
from xgpu.host_device.compiler.vectors import shapes
from xgpu.host_device.compiler.vectors.shapes import AFFINE, BLOCK, VARYING, WARP, Shape, offsets_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import llvm


Bounds = tuple[int, int] | None

#: llvm operations whose result differs among lanes only if an operand does, and that neither read
#: nor write memory.
_NSW = 1


def bits_of(ty: Attribute) -> int | None:
    """The width of an integer type, or None."""
    return ty.width.data if isinstance(ty, IntegerType) else None


def limits(bits: int) -> tuple[int, int]:
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def of_integers(op: Operation, operands: list[Shape], width: int) -> Shape | None:
    """The shape of an integer operation's result, or None if only the general rule applies."""
    bits = bits_of(op.results[0].type)
    if bits is None or bits > 64:
        return None
    name = op.name[5:]
    rule = _RULES.get(name)
    if rule is None:
        return None
    found = _folded(name, operands, bits, width, op) or rule(
        cast("Never", op), operands, bits, width
    )
    # Sums of truth values are no addresses.
    return shapes.VARIES if bits == 1 and found.level == AFFINE else found


def _folded(name: str, operands: list[Shape], bits: int, width: int, op: Operation) -> Shape | None:
    """The result where the value of each lane of each operand is known."""
    fold = _FOLDS.get(name)
    if fold is None or not all(o.is_known for o in operands):
        return None
    source = bits_of(op.operands[0].type) or 64
    lanes: list[int] = []
    is_uniform = all(o.offsets is None for o in operands)
    for lane in range(1 if is_uniform else width):
        result = fold([o.lane(lane) for o in operands], source)
        if result is None:
            return None
        lanes.append(signed(result, bits))
    return shapes.vector(tuple(lanes * width if is_uniform else lanes))


def _unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def _fold_shift(which: str) -> Callable[[list[int], int], int | None]:
    def fold(values: list[int], bits: int) -> int | None:
        value, by = values
        if not 0 <= by < bits:
            return None
        if which == "shl":
            return value << by
        return (_unsigned(value, bits) if which == "lshr" else value) >> by

    return fold


def _fold_division(which: str) -> Callable[[list[int], int], int | None]:
    def fold(values: list[int], bits: int) -> int | None:
        a, b = values
        if which[0] == "u":
            a, b = _unsigned(a, bits), _unsigned(b, bits)
        overflows = which[0] == "s" and b == -1 and a == -(1 << (bits - 1))
        if b == 0 or overflows:
            return None  # it ends the kernel when it runs
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if which[1:] == "div" else a - quotient * b

    return fold


_FOLDS: dict[str, Callable[[list[int], int], int | None]] = {
    "add": lambda v, _: v[0] + v[1],
    "sub": lambda v, _: v[0] - v[1],
    "mul": lambda v, _: v[0] * v[1],
    "and": lambda v, _: v[0] & v[1],
    "or": lambda v, _: v[0] | v[1],
    "xor": lambda v, _: v[0] ^ v[1],
    "sext": lambda v, _: v[0],
    "zext": lambda v, bits: _unsigned(v[0], bits),
    "trunc": lambda v, _: v[0],
    **{name: _fold_shift(name) for name in ("shl", "lshr", "ashr")},
    **{name: _fold_division(name) for name in ("udiv", "sdiv", "urem", "srem")},
}


def _flags(op: Operation) -> int:
    attr = op.properties.get("overflowFlags")
    return number(attr) if hasattr(attr, "value") else 0


def _bounds(shape: Shape) -> Bounds:
    return None if shape.low is None or shape.high is None else (shape.low, shape.high)


def _fit(bounds: Bounds, bits: int) -> Bounds:
    if bounds is None:
        return None
    low, high = limits(bits)
    return bounds if low <= bounds[0] and bounds[1] <= high else None


def _linear(
    op: Operation,
    parts: list[tuple[Shape, int]],
    bits: int,
    width: int,
    bounds: Bounds,
    no_wrap: bool,
) -> Shape:
    """The shape of a sum of shapes times numbers."""
    fitting = _fit(bounds, bits)
    low, high = fitting if fitting is not None else (None, None)
    if any(s.level == VARYING for s, _ in parts):
        return shapes.varying(low, high)
    offsets = _summed([(s.offsets, f) for s, f in parts if s.offsets is not None], width)
    align = min(s.align * (f & -f) if f else 1 << 62 for s, f in parts)
    # What is uniform is its own base; a lane whose offset is zero shows that the base is in range.
    parts_exact = all(s.exact for s, _ in parts if s.level == AFFINE)
    exact = parts_exact and (fitting is not None or no_wrap) and 0 in offsets
    level = max(min(s.level, WARP) for s, _ in parts)
    if any(s.level == AFFINE for s, _ in parts):
        level = WARP
    align = min(align, 1 << 62)
    return shapes.affine(offsets, None, low, high, align, exact, level)


def _summed(parts: Sequence[tuple[tuple[int, ...], int]], width: int) -> tuple[int, ...]:
    """The sum of offsets times numbers, for each lane."""
    if not parts:
        return (0,) * width
    if len(parts) == 1:
        offsets, factor = parts[0]
        return offsets if factor == 1 else tuple([offset * factor for offset in offsets])
    columns = zip(*(offsets for offsets, _ in parts), strict=True)
    factors = [factor for _, factor in parts]
    return tuple([sum(map(mul, column, factors)) for column in columns])


def _add(op: llvm.AddOp, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    x, y = _bounds(a), _bounds(b)
    bounds = None if x is None or y is None else (x[0] + y[0], x[1] + y[1])
    return _linear(op, [(a, 1), (b, 1)], bits, width, bounds, bool(_flags(op) & _NSW))


def _sub(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    x, y = _bounds(a), _bounds(b)
    bounds = None if x is None or y is None else (x[0] - y[1], x[1] - y[0])
    return _linear(op, [(a, 1), (b, -1)], bits, width, bounds, bool(_flags(op) & _NSW))


def _mul(op: llvm.MulOp, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    if a.constant is not None:
        a, b = b, a
    x, y = _bounds(a), _bounds(b)
    bounds: Bounds = None
    if x is not None and y is not None:
        corners = [p * q for p in x for q in y]
        bounds = (min(corners), max(corners))
    if b.constant is not None:
        return _linear(op, [(a, b.constant)], bits, width, bounds, bool(_flags(op) & _NSW))
    fitting = _fit(bounds, bits)
    low, high = fitting if fitting is not None else (None, None)
    if a.is_uniform and b.is_uniform:
        align = min(a.align * b.align, 1 << 62)
        return Shape(max(a.level, b.level), None, None, low, high, align, fitting is not None)
    return shapes.varying(low, high)


def _shl(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    by = b.constant
    if by is None or not 0 <= by < bits:
        return _general(operands)
    x = _bounds(a)
    bounds = None if x is None else (x[0] << by, x[1] << by)
    return _linear(op, [(a, 1 << by)], bits, width, bounds, bool(_flags(op) & _NSW))


def _general(operands: list[Shape], bounds: Bounds = None) -> Shape:
    """The rule for everything else."""
    level = max((o.level for o in operands), default=BLOCK)
    low, high = bounds if bounds is not None else (None, None)
    if level <= WARP:
        return Shape(level, None, None, low, high) if bounds is not None else shapes.uniform(level)
    return shapes.varying(low, high)


def _or(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    if is_sum(op, operands):
        x, y = _bounds(a), _bounds(b)
        bounds = None if x is None or y is None else (x[0] + y[0], x[1] + y[1])
        return _linear(op, [(a, 1), (b, 1)], bits, width, bounds, True)
    if a.level == AFFINE:
        a, b = b, a
    step = min(_step(a, bits), _step(b, bits))
    if a.level <= WARP and b.level == AFFINE and _is_below(b, step):
        return shapes.affine(offsets_of(b, width), align=step, exact=True)
    return _general(operands)


def is_sum(op: Operation, operands: list[Shape]) -> bool:
    """Whether the parts of an `or` have no common bits, so that it is their sum. Where it is none
    and yet affine, the lanes differ in bits alone that are zero in both bases."""
    a, b = operands
    is_disjoint = op.properties.get("isDisjoint") is not None
    return is_disjoint or _are_disjoint(a, b) or _are_disjoint(b, a)


def _step(shape: Shape, bits: int) -> int:
    """A power of two that divides the base, as a number of so many bits that may have wrapped."""
    return min(shape.align & -shape.align, 1 << (bits - 1))


def _is_below(shape: Shape, step: int) -> bool:
    """Whether the lanes lie between a base that `step` divides and the next such number: no lane
    wraps then, signed or not."""
    offsets = shape.offsets
    return offsets is not None and min(offsets) >= 0 and max(offsets) < step


def _are_disjoint(a: Shape, b: Shape) -> bool:
    """Whether all of `b` lies in bits that are zero in `a`."""
    if b.low is None or b.high is None or b.low < 0 or a.level > WARP:
        return False
    return b.high < a.align


def _quotient_by_power(a: Shape, by: int, width: int, is_signed: bool) -> Shape | None:
    """a / 2^by for a base that 2^by divides: each part by itself; and for lanes of which none gets
    to a multiple of 2^by behind that of the base."""
    if a.low is None or a.high is None or a.low < 0 or not a.exact:
        return None
    divisor = 1 << by
    offsets = offsets_of(a, width)
    low, high = a.low >> by, a.high >> by
    if _stays_within(a, offsets, divisor):
        return shapes.ranged(WARP if a.level == AFFINE else a.level, low, high)
    if a.align % divisor or min(offsets) < 0:
        return None
    return shapes.affine(
        tuple(o >> by for o in offsets), None, low, high, a.align >> by, True, min(a.level, WARP)
    )


def _stays_within(a: Shape, offsets: tuple[int, ...], divisor: int) -> bool:
    """Whether base and base + offset have the same quotient: the base lies at a multiple of a power
    of two that the offsets do not reach, and that divides the divisor."""
    step = a.align & -a.align
    return a.level == AFFINE and step <= divisor and min(offsets) == 0 and max(offsets) < step


def _rest_by_power(a: Shape, by: int, width: int) -> Shape | None:
    """a % 2^by for a base that 2^by divides: a vector of known numbers. For lanes that stay between
    two multiples of 2^by, base % 2^by with the same offsets."""
    if a.level > AFFINE:
        return None
    divisor = 1 << by
    offsets = offsets_of(a, width)
    if a.align % divisor == 0:
        return shapes.vector(tuple(o & (divisor - 1) for o in offsets))
    if a.low is None or a.low < 0 or not a.exact or not _stays_within(a, offsets, divisor):
        return None
    step = a.align & -a.align
    return shapes.affine(offsets, None, 0, divisor - 1, step, True)


def _power(shape: Shape) -> int | None:
    value = shape.constant
    if value is None or value <= 0 or value & (value - 1):
        return None
    return value.bit_length() - 1


def _division(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    divisor, x = b.constant, _bounds(a)
    bounds = None
    if divisor is not None and divisor > 0 and x is not None and x[0] >= 0:
        bounds = (x[0] // divisor, x[1] // divisor)
        by = _power(b)
        if by is not None:
            found = _quotient_by_power(a, by, width, op.name[5] == "s")
            if found is not None:
                return found
    return _general(operands, bounds)


def _rest(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    divisor, x = b.constant, _bounds(a)
    unsigned = op.name == "llvm.urem"
    nonnegative = x is not None and x[0] >= 0
    bounds = None
    if divisor is not None and divisor > 0 and (unsigned or nonnegative):
        bounds = (0, divisor - 1)
        by = _power(b)
        if by is not None:
            found = _rest_by_power(a, by, width)
            if found is not None:
                return found
        if x is not None and nonnegative and x[1] < divisor:
            return a
    return _general(operands, bounds)


def _and(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    if a.constant is not None:
        a, b = b, a
    mask = b.constant
    if mask is None or mask < 0:
        return _general(operands)
    if mask & (mask + 1) == 0:
        found = _rest_by_power(a, mask.bit_length(), width)
        if found is not None:
            return found
    return _general(operands, (0, mask))


def _lshr(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    by, x = b.constant, _bounds(a)
    if by is None or not 0 <= by < bits:
        return _general(operands, (0, x[1]) if x is not None and x[0] >= 0 else None)
    found = _quotient_by_power(a, by, width, op.name == "llvm.ashr")
    if found is not None:
        return found
    if x is not None and (x[0] >= 0 or op.name == "llvm.ashr"):
        return _general(operands, (x[0] >> by, x[1] >> by))
    return _general(operands)


def _extend(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    (a,) = operands
    is_signed = op.name == "llvm.sext"
    nonnegative = a.low is not None and a.low >= 0
    if is_signed or nonnegative:
        if a.level == AFFINE and not a.exact:
            return shapes.varying(a.low, a.high)
        align = a.align if nonnegative or is_signed else 1
        return Shape(a.level, a.offsets, a.base, a.low, a.high, align, a.exact)
    source = bits_of(op.operands[0].type)
    assert source is not None
    return _general(operands, (0, (1 << source) - 1) if source < bits else None)


def _trunc(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    (a,) = operands
    fitting = _fit(_bounds(a), bits)
    if a.level == VARYING:
        return shapes.varying(*(fitting or (None, None)))
    low, high = fitting if fitting is not None else (None, None)
    exact = a.exact and fitting is not None
    align = min(a.align, 1 << (bits - 1))
    return Shape(a.level, a.offsets, a.base if exact else None, low, high, align, exact)


def _select(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    condition, a, b = operands
    joined = shapes.join(a, b)
    if condition.is_uniform:
        return shapes.at_least(joined, condition.level)
    return joined if a.is_known and a == b else shapes.varying(joined.low, joined.high)


def _extremum(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    a, b = operands
    x, y = _bounds(a), _bounds(b)
    if x is None or y is None:
        return _general(operands)
    pick = min if op.name.endswith("min") else max
    if op.name[-4] == "u" and (x[0] < 0 or y[0] < 0):
        return _general(operands)
    return _general(operands, (pick(x[0], y[0]), pick(x[1], y[1])))


#: Comparisons with the operands the other way round.
_TURNED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def _compare(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    """A vector that a multiple of some number does not divide is on one side of it: `tid < 32`."""
    predicate = ICMP[number(prop(op, "predicate"))]
    a, b = operands
    order = predicate[-2:]
    if b.level == AFFINE:
        a, b, order = b, a, _TURNED.get(order, order)
    general = _general(operands)
    source = bits_of(op.operands[0].type)
    if source is None or a.level != AFFINE or b.level > WARP or order not in _TURNED:
        return general
    bound = _step(b, source)
    if order in ("le", "gt"):  # as < or >= of the next number
        bound = 1 if b.constant is None else _step(shapes.number(b.constant + 1), source)
    if min(offsets_of(a, width)) == 0 and _is_below(a, min(_step(a, source), bound)):
        return Shape(WARP)
    return general


def _same(op: Operation, operands: list[Shape], bits: int, width: int) -> Shape:
    return operands[0]


_RULES: dict[str, Callable[[Never, list[Shape], int, int], Shape]] = {
    "add": _add, "sub": _sub, "mul": _mul, "shl": _shl, "or": _or, "and": _and, "xor":
    lambda op, operands, bits, width: _general(operands),
    "udiv": _division, "sdiv": _division, "urem": _rest, "srem": _rest,
    "lshr": _lshr, "ashr": _lshr, "sext": _extend, "zext": _extend, "trunc": _trunc,
    "select": _select, "freeze": _same, "icmp": _compare,
    "intr.smin": _extremum, "intr.smax": _extremum, "intr.umin": _extremum,
    "intr.umax": _extremum,
}  # fmt: skip


def of_address(op: Operation, base: Shape, indices: list[tuple[Shape, int]], width: int) -> Shape:
    """The shape of base + sum of index * bytes."""
    if base.level == VARYING:
        return shapes.VARIES
    parts = [(base, 1), *indices]
    for shape, _ in indices:
        if shape.level == VARYING:
            return shapes.VARIES
    shape = _linear(op, parts, 64, width, None, False)
    return Shape(shape.level, shape.offsets, None, None, None, shape.align, False)


general = _general
