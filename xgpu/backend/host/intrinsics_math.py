# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVVM's arithmetic intrinsics on the host.

Approximate instructions are computed exactly, which their documented error bounds allow; so is
`.ftz` arithmetic without flushing. Rounding modes other than to nearest are emulated in the
conversions, where they are exact, and refused in arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.context import FunctionContext, UnsupportedOnHost
from xgpu.backend.host.text import Call

Emitter = Callable[[Call, FunctionContext], list[str]]
PATTERNS: list[tuple[re.Pattern[str], Emitter]] = []

_MANGLED = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16"}


def mangled(type: str) -> str:
    """LLVM's suffix for an intrinsic overloaded on `type`."""
    vector = re.fullmatch(r"<(\d+) x (\w+)>", type)
    if vector:
        return f"v{vector.group(1)}{mangled(vector.group(2))}"
    return _MANGLED.get(type, type)


def intrinsic(
    ctx: FunctionContext, result: str | None, type: str, name: str, *values: str
) -> list[str]:
    """`result = llvm.<name>.<type>(values)`, all of one type."""
    if result is None:
        return []
    callee = ctx.module.declare(type, f"llvm.{name}.{mangled(type)}", *[type] * len(values))
    arguments = ", ".join(f"{type} {v}" for v in values)
    return [f"{result} = call {type} {callee}({arguments})"]


def same(name: str) -> Emitter:
    """The LLVM intrinsic `name` of the same operands."""
    return lambda call, ctx: intrinsic(
        ctx, call.result, call.type, name, *(v for _, v in call.arguments)
    )


def _words(call: Call) -> list[str]:
    assert call.callee is not None
    return call.callee.split(".")[2:]


def _require_nearest(call: Call) -> None:
    for mode in ("rm", "rp", "rz"):
        if mode in _words(call):
            raise UnsupportedOnHost(
                f"'{call.callee}': rounding other than to nearest is not supported on the host "
                "device"
            )


def _finish(call: Call, ctx: FunctionContext, value: str) -> list[str]:
    """Apply .sat and .relu, and give `value` the call's name."""
    assert call.result is not None
    words = _words(call)
    type = call.type
    lines: list[str] = []
    zero = "zeroinitializer" if type.startswith("<") else "0.0"
    if "sat" in words or "relu" in words:
        low = ctx.fresh()
        lines += intrinsic(ctx, low, type, "maxnum", value, zero)
        value = low
    if "sat" in words:
        one = _splat(type, "1.0")
        high = ctx.fresh()
        lines += intrinsic(ctx, high, type, "minnum", value, one)
        value = high
    return [*lines, f"{call.result} = freeze {type} {value}"]


def _splat(type: str, number: str) -> str:
    vector = re.fullmatch(r"<(\d+) x (\w+)>", type)
    return f"splat ({vector.group(2)} {number})" if vector else number


def _fma(call: Call, ctx: FunctionContext) -> list[str]:
    _require_nearest(call)
    if call.result is None:
        return []
    raw = ctx.fresh()
    lines = intrinsic(ctx, raw, call.type, "fma", *(v for _, v in call.arguments))
    return lines + _finish(call, ctx, raw)


def _binary(opcode: str) -> Emitter:
    def emit(call: Call, ctx: FunctionContext) -> list[str]:
        _require_nearest(call)
        if call.result is None:
            return []
        (type, left), (_, right) = call.arguments
        raw = ctx.fresh()
        return [f"{raw} = {opcode} {type} {left}, {right}", *_finish(call, ctx, raw)]

    return emit


def _reciprocal(call: Call, ctx: FunctionContext) -> list[str]:
    _require_nearest(call)
    type, value = call.arguments[0]
    return [f"{call.result} = fdiv {type} 1.0, {value}"] if call.result else []


def _reciprocal_root(call: Call, ctx: FunctionContext) -> list[str]:
    root = ctx.fresh()
    lines = intrinsic(ctx, root, call.type, "sqrt", call.arguments[0][1])
    return [*lines, f"{call.result} = fdiv {call.type} 1.0, {root}"] if call.result else []


def _root(call: Call, ctx: FunctionContext) -> list[str]:
    _require_nearest(call)
    return intrinsic(ctx, call.result, call.type, "sqrt", call.arguments[0][1])


def _extremum(call: Call, ctx: FunctionContext) -> list[str]:
    """fmin/fmax with .nan (NaN wins) and .xorsign.abs (sign is the xor of the operands' signs)."""
    words = _words(call)
    base = "minimum" if words[0] == "fmin" else "maximum"
    name = base if "nan" in words else {"minimum": "minnum", "maximum": "maxnum"}[base]
    if call.result is None:
        return []
    (type, left), (_, right) = call.arguments
    if "xorsign" not in words:
        return intrinsic(ctx, call.result, type, name, left, right)
    a, b, value, negated, sign = (ctx.fresh() for _ in range(5))
    lines = intrinsic(ctx, a, type, "fabs", left) + intrinsic(ctx, b, type, "fabs", right)
    lines += intrinsic(ctx, value, type, name, a, b)
    # copysign(left, 1) * right has the xor of both signs; copysign keeps only the sign.
    lines += intrinsic(ctx, negated, type, "copysign", _splat(type, "1.0"), left)
    other = ctx.fresh()
    lines += intrinsic(ctx, other, type, "copysign", _splat(type, "1.0"), right)
    lines.append(f"{sign} = fmul {type} {negated}, {other}")
    return lines + intrinsic(ctx, call.result, type, "copysign", value, sign)


_ROUNDING = {"rn": "roundeven", "rz": "trunc", "rm": "floor", "rp": "ceil"}
_INTEGERS = {"i": ("si", "i32"), "ui": ("ui", "i32"), "ll": ("si", "i64"), "ull": ("ui", "i64")}


def _float_to_integer(call: Call, ctx: FunctionContext) -> list[str]:
    """{f,d}2{i,ui,ll,ull}.<mode>: round, then convert with saturation, as PTX's cvt does."""
    if call.result is None:
        return []
    words = _words(call)
    sign, type = _INTEGERS[words[0].split("2")[1]]
    source, value = call.arguments[0]
    rounded = ctx.fresh()
    lines = intrinsic(ctx, rounded, source, _ROUNDING[words[1]], value)
    name = f"llvm.fpto{sign}.sat.{type}.{mangled(source)}"
    callee = ctx.module.declare(type, name, source)
    return [*lines, f"{call.result} = call {type} {callee}({source} {rounded})"]


def _integer_to_float(call: Call, ctx: FunctionContext) -> list[str]:
    """{i,ui,ll,ull}2{f,d}.<mode>; other modes than rn are exact for what a double holds."""
    words = _words(call)
    sign, type = _INTEGERS[words[0].split("2")[0]]
    if words[0] not in ("i2d", "ui2d"):
        _require_nearest(call)
    if call.result is None:
        return []
    return [f"{call.result} = {sign}tofp {type} {call.arguments[0][1]} to {call.type}"]


def _d2f(call: Call, ctx: FunctionContext) -> list[str]:
    _require_nearest(call)
    return (
        [f"{call.result} = fptrunc double {call.arguments[0][1]} to float"] if call.result else []
    )


def _high_product(call: Call, ctx: FunctionContext) -> list[str]:
    """mulhi.{i,ui,s,us,ll,ull}: the upper half of the double-width product."""
    if call.result is None:
        return []
    kind = _words(call)[1]
    type = call.type
    bits = int(type[1:])
    extend = "zext" if kind.startswith("u") else "sext"
    a, b, product, high = (ctx.fresh() for _ in range(4))
    (_, left), (_, right) = call.arguments
    wide = f"i{2 * bits}"
    return [
        f"{a} = {extend} {type} {left} to {wide}",
        f"{b} = {extend} {type} {right} to {wide}",
        f"{product} = mul {wide} {a}, {b}",
        f"{high} = lshr {wide} {product}, {bits}",
        f"{call.result} = trunc {wide} {high} to {type}",
    ]


def _mul24(call: Call, ctx: FunctionContext) -> list[str]:
    shift = "lshr" if _words(call)[1] == "ui" else "ashr"
    parts: list[str] = []
    lines: list[str] = []
    for _, value in call.arguments:
        up, down = ctx.fresh(), ctx.fresh()
        lines += [f"{up} = shl i32 {value}, 8", f"{down} = {shift} i32 {up}, 8"]
        parts.append(down)
    return [*lines, f"{call.result} = mul i32 {parts[0]}, {parts[1]}"] if call.result else []


def _dot(call: Call, ctx: FunctionContext) -> list[str]:
    """idp4a.<a>.<b>(a, b, c): four 8-bit products and c; signedness of each operand in the name."""
    if call.result is None:
        return []
    words = _words(call)
    extend = ["sext" if w == "s" else "zext" for w in words[1:3]]
    (_, a), (_, b), (_, total) = call.arguments
    lines: list[str] = []
    for lane in range(4):
        products: list[str] = []
        for value, how in ((a, extend[0]), (b, extend[1])):
            moved, low, wide = ctx.fresh(), ctx.fresh(), ctx.fresh()
            lines += [
                f"{moved} = lshr i32 {value}, {8 * lane}",
                f"{low} = trunc i32 {moved} to i8",
                f"{wide} = {how} i8 {low} to i32",
            ]
            products.append(wide)
        product, following = ctx.fresh(), ctx.fresh()
        lines += [
            f"{product} = mul i32 {products[0]}, {products[1]}",
            f"{following} = add i32 {total}, {product}",
        ]
        total = following
    return [*lines, f"{call.result} = add i32 {total}, 0"]


def _prmt(call: Call, ctx: FunctionContext) -> list[str]:
    """prmt(a, b, selector): byte permute, default mode; bit 3 of a selector replicates the sign."""
    if call.result is None:
        return []
    (_, a), (_, b), (_, selector) = call.arguments
    low, high, up, pair = (ctx.fresh() for _ in range(4))
    lines = [
        f"{low} = zext i32 {a} to i64",
        f"{high} = zext i32 {b} to i64",
        f"{up} = shl i64 {high}, 32",
        f"{pair} = or i64 {up}, {low}",
    ]
    total = "0"
    for lane in range(4):
        s, index, shift, wide, moved, byte, sign, fill, signed, chosen, placed, out = (
            ctx.fresh() for _ in range(12)
        )
        lines += [
            f"{s} = lshr i32 {selector}, {4 * lane}",
            f"{index} = and i32 {s}, 7",
            f"{shift} = mul i32 {index}, 8",
            f"{wide} = zext i32 {shift} to i64",
            f"{moved} = lshr i64 {pair}, {wide}",
            f"{byte} = trunc i64 {moved} to i8",
            f"{sign} = and i32 {s}, 8",
            f"{signed} = icmp ne i32 {sign}, 0",
            f"{fill} = ashr i8 {byte}, 7",
            f"{chosen} = select i1 {signed}, i8 {fill}, i8 {byte}",
            f"{placed} = zext i8 {chosen} to i32",
        ]
        positioned = ctx.fresh()
        lines += [
            f"{positioned} = shl i32 {placed}, {8 * lane}",
            f"{out} = or i32 {total}, {positioned}",
        ]
        total = out
    return [*lines, f"{call.result} = add i32 {total}, 0"]


def _approximate(call: Call, ctx: FunctionContext) -> list[str]:
    name = {"ex2": "exp2", "lg2": "log2"}.get(_words(call)[0], _words(call)[0])
    return intrinsic(ctx, call.result, call.type, name, call.arguments[0][1])


def _rounding(call: Call, ctx: FunctionContext) -> list[str]:
    name = {"round": "roundeven"}.get(_words(call)[0], _words(call)[0])
    return intrinsic(ctx, call.result, call.type, name, call.arguments[0][1])


def _saturate(call: Call, ctx: FunctionContext) -> list[str]:
    low = ctx.fresh()
    lines = intrinsic(ctx, low, call.type, "maxnum", call.arguments[0][1], "0.0")
    return lines + intrinsic(ctx, call.result, call.type, "minnum", low, "1.0")


def _float_to_half_bits(call: Call, ctx: FunctionContext) -> list[str]:
    value = ctx.fresh()
    return (
        [
            f"{value} = fptrunc float {call.arguments[0][1]} to half",
            f"{call.result} = bitcast half {value} to i16",
        ]
        if call.result
        else []
    )


def _pack_pair(element: str) -> Emitter:
    """ff2{f16,bf16}x2.rn(a, b): a in the upper half."""

    def emit(call: Call, ctx: FunctionContext) -> list[str]:
        _require_nearest(call)
        if call.result is None:
            return []
        (_, a), (_, b) = call.arguments
        high, low, first, raw = (ctx.fresh() for _ in range(4))
        vector = f"<2 x {element}>"
        lines = [
            f"{high} = fptrunc float {a} to {element}",
            f"{low} = fptrunc float {b} to {element}",
            f"{first} = insertelement {vector} poison, {element} {low}, i32 0",
            f"{raw} = insertelement {vector} {first}, {element} {high}, i32 1",
        ]
        return lines + _finish(call, ctx, raw)

    return emit


def _narrow(call: Call, ctx: FunctionContext) -> list[str]:
    """f2{f16,bf16}.rn[.relu]."""
    _require_nearest(call)
    if call.result is None:
        return []
    raw = ctx.fresh()
    lines = [f"{raw} = fptrunc float {call.arguments[0][1]} to {call.type}"]
    return lines + _finish(call, ctx, raw)


PATTERNS.extend([
    (re.compile(r"fma\.r\w(\.ftz)?(\.relu)?(\.sat)?\.\w+"), _fma),
    (re.compile(r"add\.r\w(\.ftz)?(\.sat)?\.\w"), _binary("fadd")),
    (re.compile(r"mul\.r\w(\.ftz)?\.\w"), _binary("fmul")),
    (re.compile(r"div\.(r\w|approx|full)(\.ftz)?(\.\w)?"), _binary("fdiv")),
    (re.compile(r"rcp\.(r\w|approx)(\.ftz)?\.\w"), _reciprocal),
    (re.compile(r"rsqrt\.approx(\.ftz)?\.\w"), _reciprocal_root),
    (re.compile(r"sqrt(\.r\w|\.approx)?(\.ftz)?\.\w"), _root),
    (re.compile(r"f(min|max)\..*"), _extremum),
    (re.compile(r"[fd]2u?(i|ll)\.r\w(\.ftz)?"), _float_to_integer),
    (re.compile(r"u?(i|ll)2[fd]\.r\w"), _integer_to_float),
    (re.compile(r"d2f\.r\w(\.ftz)?"), _d2f),
    (re.compile(r"mulhi\.\w+"), _high_product),
    (re.compile(r"mul24\.\w+"), _mul24),
    (re.compile(r"idp4a\.[su]\.[su]"), _dot),
    (re.compile(r"prmt"), _prmt),
    (re.compile(r"(ex2|lg2|sin|cos|tanh)\.approx.*"), _approximate),
    (re.compile(r"(ceil|floor|trunc|round)(\.ftz)?\.\w"), _rounding),
    (re.compile(r"saturate(\.ftz)?\.\w"), _saturate),
    (re.compile(r"fabs(\.ftz)?(\.\w+)?"), same("fabs")),
    (re.compile(r"f2h\.rn(\.ftz)?"), _float_to_half_bits),
    (re.compile(r"ff2f16x2\..*"), _pack_pair("half")),
    (re.compile(r"ff2bf16x2\..*"), _pack_pair("bfloat")),
    (re.compile(r"f2b?f16\..*"), _narrow),
    (re.compile(r"reflect"), lambda call, ctx: [f"{call.result} = add i32 0, 0"]),
    (re.compile(r"move\.\w+"),
     lambda call, ctx: [f"{call.result} = freeze {call.type} {call.arguments[0][1]}"]),
])  # fmt: skip
