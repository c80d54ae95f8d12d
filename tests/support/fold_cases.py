# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions with one operation of constants each: every fold on every type, at the values where
folds go wrong. Many in a module, so that comparing them with another tool takes one process."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

INTEGERS = ("i1", "i2", "i7", "i8", "i32", "i64", "i65", "i128", "index")
FLOATS = (
    *("f16", "bf16", "f32", "f64", "f80", "f128", "tf32", "f8E5M2", "f8E4M3", "f8E4M3FN"),
    *("f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f6E3M2FN", "f6E2M3FN", "f4E2M1FN"),
)
WIDTH = {name: 64 if name == "index" else int(name[1:]) for name in INTEGERS}
FLOAT_WIDTH = {
    name: {"bf16": 16, "tf32": 19}.get(name) or int(name[1:].partition("E")[0]) for name in FLOATS
}


def integers(kind: str, *, few: bool = False) -> list[str]:
    """Signed numbers of a type, as literals."""
    width = WIDTH[kind]
    low, high = -(1 << width - 1), (1 << width - 1) - 1
    numbers = [0, 1, -1, low, high] if few else [0, 1, -1, 2, 3, -3, 7, low, low + 1, high, width]
    found = sorted({n for n in numbers if low <= n <= high})
    if kind == "i1":
        return ["false", "true"]
    return [str(n) for n in found]


def floats(kind: str, *, few: bool = False) -> list[str]:
    """Numbers of a type as literals: bit patterns where they have no decimal ones."""
    width = FLOAT_WIDTH[kind]
    top = 1 << (width - 1)
    # the smallest denormal; the largest exponent with and without fraction, of both signs
    bits = [1, top - 1, top | 1]
    if kind not in ("f6E3M2FN", "f6E2M3FN", "f4E2M1FN"):
        fraction = {"f80": 63, "f128": 112, "f64": 52, "f32": 23, "f16": 10, "bf16": 7}.get(kind)
        if fraction is not None:
            infinity = (top - 1) >> fraction << fraction
            if kind == "f80":
                infinity |= 1 << 63
                bits = [1, infinity | 1 << 62, top | 1]
            bits += [infinity, top | infinity, infinity | 1, top | infinity | 3, infinity - 1]
        else:
            bits.append(top)
    plain = ["0.0", "-0.0", "1.0", "-1.5", "3.0", "0.1"]
    if few:
        plain, bits = plain[:4], bits[-3:]
    return plain + [f"0x{b:0{width // 4}X}" for b in bits]


def _function(number: int, operations: list[str], results: list[tuple[str, str]]) -> str:
    names = ", ".join(name for name, _ in results)
    kinds = ", ".join(kind for _, kind in results)
    body = "\n  ".join([*operations, f"return {names} : {kinds}"])
    return f"func.func @f{number}() -> ({kinds}) {{\n  {body}\n}}\n"


def _constant(name: str, value: str, kind: str) -> str:
    return f"{name} = arith.constant {value}{'' if kind == 'i1' else f' : {kind}'}"


ARITH_INTEGER = (
    *("addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi"),
    *("remsi", "remui", "andi", "ori", "xori", "shli", "shrsi", "shrui"),
    *("maxsi", "maxui", "minsi", "minui"),
)
ARITH_EXTENDED = ("addui_extended", "mulsi_extended", "mului_extended")
ARITH_FLOAT = (
    *("addf", "subf", "mulf", "divf", "remf"),
    *("maximumf", "minimumf", "maxnumf", "minnumf"),
)
CMPI = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
CMPF = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def arith_integers() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Operations of two integers."""
    for kind in INTEGERS:
        for a, b in itertools.product(integers(kind), repeat=2):
            given = [_constant("%a", a, kind), _constant("%b", b, kind)]
            for op in ARITH_INTEGER:
                yield [*given, f"%0 = arith.{op} %a, %b : {kind}"], [("%0", kind)]
            for op in ARITH_EXTENDED:
                if kind == "index" and op == "addui_extended":
                    continue
                types = f"{kind}, i1" if op == "addui_extended" else kind
                second = "i1" if op == "addui_extended" else kind
                text = f"%0, %1 = arith.{op} %a, %b : {types}"
                yield [*given, text], [("%0", kind), ("%1", second)]
            for predicate in CMPI:
                yield [*given, f"%0 = arith.cmpi {predicate}, %a, %b : {kind}"], [("%0", "i1")]


def arith_floats() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Operations of two floats, and their comparisons."""
    for kind in FLOATS:
        for a, b in itertools.product(floats(kind), repeat=2):
            given = [_constant("%a", a, kind), _constant("%b", b, kind)]
            for op in ARITH_FLOAT:
                yield [*given, f"%0 = arith.{op} %a, %b : {kind}"], [("%0", kind)]
        for a, b in itertools.product(floats(kind, few=True), repeat=2):
            given = [_constant("%a", a, kind), _constant("%b", b, kind)]
            for predicate in CMPF:
                yield [*given, f"%0 = arith.cmpf {predicate}, %a, %b : {kind}"], [("%0", "i1")]
        for a in floats(kind):
            yield [_constant("%a", a, kind), f"%0 = arith.negf %a : {kind}"], [("%0", kind)]


def _cast(dialect: str, op: str, value: str, source: str, target: str):
    given = _constant("%a", value, source)
    return [given, f"%0 = {dialect}.{op} %a : {source} to {target}"], [("%0", target)]


def arith_casts() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Casts between all pairs of types that take them."""
    scalar = [k for k in INTEGERS if k != "index"]
    for source, target in itertools.product(scalar, repeat=2):
        for value in integers(source):
            if WIDTH[source] < WIDTH[target]:
                yield _cast("arith", "extsi", value, source, target)
                yield _cast("arith", "extui", value, source, target)
            elif WIDTH[source] > WIDTH[target]:
                yield _cast("arith", "trunci", value, source, target)
    for kind in scalar:
        for source, target in ((kind, "index"), ("index", kind)):
            for value in integers(source):
                yield _cast("arith", "index_cast", value, source, target)
                yield _cast("arith", "index_castui", value, source, target)
    for source, target in itertools.product(FLOATS, repeat=2):
        for value in floats(source):
            if FLOAT_WIDTH[source] < FLOAT_WIDTH[target]:
                yield _cast("arith", "extf", value, source, target)
            elif FLOAT_WIDTH[source] > FLOAT_WIDTH[target]:
                yield _cast("arith", "truncf", value, source, target)
    for kind, number in itertools.product(FLOATS, scalar):
        for value in integers(number):
            yield _cast("arith", "sitofp", value, number, kind)
            yield _cast("arith", "uitofp", value, number, kind)
        for value in [*floats(kind), "7.9", "-0.9", "127.5", "1.0e10"]:
            yield _cast("arith", "fptosi", value, kind, number)
            yield _cast("arith", "fptoui", value, kind, number)
    for value in ("9007199791611905", "-9007199791611905", "4611686293305294849"):
        for kind in FLOATS:
            yield _cast("arith", "sitofp", value, "i64", kind)
    same = {kind: FLOAT_WIDTH[kind] for kind in FLOATS} | {k: WIDTH[k] for k in scalar}
    same |= {"i16": 16, "i80": 80, "i19": 19, "i6": 6, "i4": 4}
    for source, target in itertools.product(same, repeat=2):
        if source == target or same[source] != same[target]:
            continue
        values = floats(source) if source in FLOAT_WIDTH else ["1", "-1", "0"]
        for value in values:
            if source != "i1":
                yield _cast("arith", "bitcast", value, source, target)


INDEX_BINARY = (
    *("add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu"),
    *("maxs", "maxu", "mins", "minu", "shl", "shrs", "shru", "and", "or", "xor"),
)


def index_operations() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """The index dialect: only what 32 and 64 bits agree on folds."""
    numbers = (0, 1, -1, 2, 7, -7, 31, 32, 63, 64, 1 << 31, -1 << 31, (1 << 32) - 1, 1 << 32)
    numbers += (1 << 62, -(1 << 63), (1 << 63) - 1)
    for a, b in itertools.product(numbers, repeat=2):
        given = [f"%a = index.constant {a}", f"%b = index.constant {b}"]
        for op in INDEX_BINARY:
            yield [*given, f"%0 = index.{op} %a, %b"], [("%0", "index")]
        for predicate in CMPI:
            yield [*given, f"%0 = index.cmp {predicate}(%a, %b)"], [("%0", "i1")]
    for a, kind in itertools.product(numbers, ("i1", "i8", "i16", "i32", "i33", "i64", "i128")):
        for op in ("casts", "castu"):
            text = f"%0 = index.{op} %a : index to {kind}"
            yield [f"%a = index.constant {a}", text], [("%0", kind)]
    for kind in ("i1", "i8", "i32", "i64", "i65", "i128"):
        for value in integers(kind) if kind in WIDTH else ():
            for op in ("casts", "castu"):
                yield _cast("index", op, value, kind, "index")


MATH_FLOAT = (
    *("absf", "ceil", "floor", "round", "roundeven", "trunc", "sqrt", "rsqrt", "log", "log2"),
    *("log10", "log1p", "exp", "exp2", "expm1", "sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "cbrt"),
)
MATH_TEST = ("isfinite", "isinf", "isnan", "isnormal")


def math_operations() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """The math dialect."""
    for kind in FLOATS:
        more = ["2.5", "-2.5", "0.5", "1.5", "7.5", "-0.5", "0.49999999999999994", "15.5"]
        more += ["4503599627370497.5", "1.0e30"]
        for a in [*floats(kind), *more]:
            given = _constant("%a", a, kind)
            for op in MATH_FLOAT:
                yield [given, f"%0 = math.{op} %a : {kind}"], [("%0", kind)]
            for op in MATH_TEST:
                yield [given, f"%0 = math.{op} %a : {kind}"], [("%0", "i1")]
        for a, b in itertools.product(floats(kind, few=True), repeat=2):
            given = [_constant("%a", a, kind), _constant("%b", b, kind)]
            for op in ("copysign", "powf", "atan2"):
                yield [*given, f"%0 = math.{op} %a, %b : {kind}"], [("%0", kind)]
            text = f"%0 = math.fma %a, %b, %a : {kind}"
            yield [*given, text], [("%0", kind)]
    for kind in INTEGERS:
        for a in integers(kind):
            for op in ("absi", "ctlz", "cttz", "ctpop"):
                text = f"%0 = math.{op} %a : {kind}"
                yield [_constant("%a", a, kind), text], [("%0", kind)]
            for b in integers(kind):
                given = [_constant("%a", a, kind), _constant("%b", b, kind)]
                yield [*given, f"%0 = math.ipowi %a, %b : {kind}"], [("%0", kind)]


def _dense(values: list[str], kind: str) -> str:
    return f"arith.constant dense<[{', '.join(values)}]> : vector<{len(values)}x{kind}>"


def vectors() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Vectors of constants: elements that differ, elements that are all the same, one of each."""
    for kind in INTEGERS:
        values = integers(kind)[:4]
        shape = f"vector<{len(values)}x{kind}>"
        splat = f"%s = arith.constant dense<{values[-1]}> : {shape}"
        given = [f"%a = {_dense(values, kind)}", f"%b = {_dense(values[::-1], kind)}", splat]
        for op in ARITH_INTEGER:
            for x, y in (("%a", "%b"), ("%a", "%s"), ("%s", "%s"), ("%s", "%a")):
                yield [*given, f"%0 = arith.{op} {x}, {y} : {shape}"], [("%0", shape)]
        for predicate in CMPI:
            bits = f"vector<{len(values)}xi1>"
            yield [*given, f"%0 = arith.cmpi {predicate}, %a, %b : {shape}"], [("%0", bits)]
        yield [*given, f"%0 = vector.extract %a[1] : {kind} from {shape}"], [("%0", kind)]
        yield [*given, f"%0 = vector.extract %s[1] : {kind} from {shape}"], [("%0", kind)]
    for kind in FLOATS:
        values = [*floats(kind)[:3], floats(kind)[-1]]
        shape = f"vector<{len(values)}x{kind}>"
        splat = f"%s = arith.constant dense<{values[2]}> : {shape}"
        given = [f"%a = {_dense(values, kind)}", f"%b = {_dense(values[::-1], kind)}", splat]
        for op in ARITH_FLOAT:
            for x, y in (("%a", "%b"), ("%a", "%s"), ("%s", "%s"), ("%s", "%a")):
                yield [*given, f"%0 = arith.{op} {x}, {y} : {shape}"], [("%0", shape)]
        yield [*given, f"%0 = arith.negf %a : {shape}"], [("%0", shape)]
        yield [*given, f"%0 = vector.extract %a[1] : {kind} from {shape}"], [("%0", kind)]
        whole = f"vector<{len(values)}xi8>"
        yield [*given, f"%0 = arith.fptosi %a : {shape} to {whole}"], [("%0", whole)]


def llvm_operations() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """The llvm dialect, as functions of func: its folds are few."""
    kinds = [k for k in INTEGERS if k != "index"]
    for kind in kinds:
        for a, b in itertools.product(integers(kind), repeat=2):
            given = [_llvm("%a", a, kind), _llvm("%b", b, kind)]
            for op in ("or", "shl", "add", "and"):
                yield [*given, f"%0 = llvm.{op} %a, %b : {kind}"], [("%0", kind)]
            yield [*given, f'%0 = llvm.icmp "eq" %a, %b : {kind}'], [("%0", "i1")]
        for target in kinds:
            for a in integers(kind):
                if WIDTH[kind] < WIDTH[target]:
                    for op in ("sext", "zext"):
                        text = f"%0 = llvm.{op} %a : {kind} to {target}"
                        yield [_llvm("%a", a, kind), text], [("%0", target)]
                elif WIDTH[kind] > WIDTH[target]:
                    text = f"%0 = llvm.trunc %a : {kind} to {target}"
                    yield [_llvm("%a", a, kind), text], [("%0", target)]
    for value, kind, at, part in LLVM_PARTS:
        text = f"%0 = llvm.extractvalue %a[{at}] : {kind}"
        yield [f"%a = llvm.mlir.constant({value}) : {kind}", text], [("%0", part)]


def _llvm(name: str, value: str, kind: str) -> str:
    return f"{name} = llvm.mlir.constant({value}{'' if kind == 'i1' else f' : {kind}'}) : {kind}"


_SQUARE = "!llvm.array<2 x array<2 x i32>>"
_PAIR = "!llvm.struct<(i32, i32)>"
_PAIRS = f"!llvm.array<2 x {_PAIR[6:]}>"
#: Constants, their types, the place of a part, its type.
LLVM_PARTS = [
    ("dense<[1, 2]> : tensor<2xi32>", "!llvm.array<2 x i32>", "1", "i32"),
    ("dense<[1, 2]> : tensor<2xi65>", "!llvm.array<2 x i65>", "1", "i65"),
    ("dense<3> : tensor<2xi32>", "!llvm.array<2 x i32>", "1", "i32"),
    ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", _SQUARE, "1, 0", "i32"),
    ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", _SQUARE, "1", "!llvm.array<2 x i32>"),
    ("dense<3> : tensor<2x2xi32>", _SQUARE, "1, 0", "i32"),
    ("dense<3> : tensor<2x2xi32>", _SQUARE, "1", "!llvm.array<2 x i32>"),
    ("dense<[3, 4]> : vector<2xi32>", "!llvm.array<2 x i32>", "1", "i32"),
    ("sparse<[1], [3]> : tensor<2xi32>", "!llvm.array<2 x i32>", "1", "i32"),
    ("sparse<[1], [3]> : tensor<2xi32>", "!llvm.array<2 x i32>", "0", "i32"),
    ("sparse<[[1, 0]], [3]> : tensor<2x2xi32>", _SQUARE, "1, 0", "i32"),
    ("dense<[1.0, 0x7FC00001]> : tensor<2xf32>", "!llvm.array<2 x f32>", "1", "f32"),
    ("dense<(0, 1)> : tensor<2xcomplex<i32>>", _PAIRS, "1, 1", "i32"),
    ("dense<(0, 1)> : tensor<2xcomplex<i32>>", _PAIRS, "1", _PAIR),
    (
        "dense<[(0, 1), (2, 3)]> : tensor<2xcomplex<i32>>",
        _PAIRS,
        "1, 0",
        "i32",
    ),
    ("[1 : i32, 2 : i32]", _PAIR, "1", "i32"),
    ("[1.0 : f32, 2 : i32]", "!llvm.struct<(f32, i32)>", "0", "f32"),
    ("[[1 : i32, 2 : i32], [3 : i32, 4 : i32]]", _PAIRS, "1, 0", "i32"),
    ("[[1 : i32, 2 : i32], [3 : i32, 4 : i32]]", _PAIRS, "1", _PAIR),
    ('"ab"', "!llvm.array<2 x i8>", "1", "i8"),
]


_SHAPES = ("i1", "i8", "i65", "i128", "index", "f16", "f32", "f80", "f128", "f8E4M3FN", "f4E2M1FN")


def shapes() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Constant vectors and tensors in other shapes, and parts of them."""
    for kind in _SHAPES:
        values = integers(kind) if kind in WIDTH else floats(kind)
        values = (values * 6)[:6]
        rows = f"[[{', '.join(values[:3])}], [{', '.join(values[3:])}]]"
        for literal in (rows, values[1]):
            for one in _vector_shapes(literal, kind):
                yield one
            for one in _tensor_shapes(literal, kind):
                yield one


def _vector_shapes(literal: str, kind: str) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    source = f"vector<2x3x{kind}>"
    given = [f"%a = arith.constant dense<{literal}> : {source}"]

    def one(text: str, result: str, *more: str) -> tuple[list[str], list[tuple[str, str]]]:
        return [*given, *more, f"%0 = {text}"], [("%0", result)]

    yield one(f"vector.extract %a[1, 2] : {kind} from {source}", kind)
    yield one(f"vector.extract %a[1] : vector<3x{kind}> from {source}", f"vector<3x{kind}>")
    at = "%i = arith.constant 1 : index"
    yield one(f"vector.extract %a[%i, 0] : {kind} from {source}", kind, at)
    out = "%i = arith.constant 7 : index"
    yield one(f"vector.extract %a[%i, 0] : {kind} from {source}", kind, out)
    yield one(
        f"vector.transpose %a, [1, 0] : {source} to vector<3x2x{kind}>", f"vector<3x2x{kind}>"
    )
    for shape in ("6", "3x2", "1x2x3", "2x1x3"):
        yield one(
            f"vector.shape_cast %a : {source} to vector<{shape}x{kind}>", f"vector<{shape}x{kind}>"
        )
    yield one(f"vector.broadcast %a : {source} to vector<4x2x3x{kind}>", f"vector<4x2x3x{kind}>")
    offsets = "{offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}"
    yield one(
        f"vector.extract_strided_slice %a {offsets} : {source} to vector<2x2x{kind}>",
        f"vector<2x2x{kind}>",
    )
    slice_ = f"%b = arith.constant dense<{_first(literal)}> : vector<2x{kind}>"
    places = "{offsets = [1, 1], strides = [1]}"
    yield one(
        f"vector.insert_strided_slice %b, %a {places} : vector<2x{kind}> into {source}",
        source,
        slice_,
    )
    scalar = _constant("%b", _first(literal), kind)
    yield one(f"vector.insert %b, %a[1, 2] : {kind} into {source}", source, scalar)
    yield one(f"vector.insert %b, %a[%i, 2] : {kind} into {source}", source, scalar, at)
    yield one(f"vector.broadcast %b : {kind} to {source}", source, scalar)
    yield one(f"vector.from_elements %b, %b : vector<2x{kind}>", f"vector<2x{kind}>", scalar)
    row = f"%b = arith.constant dense<{_first(literal)}> : vector<3x{kind}>"
    yield one(f"vector.insert %b, %a[1] : vector<3x{kind}> into {source}", source, row)
    turned = ", ".join(f"[{row}]" for row in literal.strip("[]").split("], [")[::-1])
    other = f"%b = arith.constant dense<[{turned}]> : {source}"
    same = other if literal[0] == "[" else given[0].replace("%a", "%b", 1)
    condition = (
        "%c = arith.constant dense<[[true, false, true], [false, true, true]]> : vector<2x3xi1>"
    )
    choice = f"arith.select %c, %a, %b : vector<2x3xi1>, {source}"
    yield one(choice, source, same, condition)
    for truth in ("true", "false"):
        yield one(choice, source, same, f"%c = arith.constant dense<{truth}> : vector<2x3xi1>")
        scalar_choice = f"arith.select %c, %a, %b : {source}"
        yield one(scalar_choice, source, same, f"%c = arith.constant {truth}")


def _first(literal: str) -> str:
    return literal.strip("[").partition(",")[0].rstrip("]")


def _tensor_shapes(literal: str, kind: str) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    source = f"tensor<2x3x{kind}>"
    given = [f"%a = arith.constant dense<{literal}> : {source}"]
    indices = ["%i = arith.constant 1 : index", "%j = arith.constant 2 : index"]
    text = f"%0 = tensor.extract %a[%i, %j] : {source}"
    yield [*given, *indices, text], [("%0", kind)]
    yield (
        [*given, f"%0 = tensor.cast %a : {source} to tensor<?x3x{kind}>"],
        [("%0", f"tensor<?x3x{kind}>")],
    )
    scalar = _constant("%b", _first(literal), kind)
    yield [scalar, f"%0 = tensor.splat %b : {source}"], [("%0", source)]
    yield (
        [scalar, f"%0 = tensor.from_elements %b, %b : tensor<2x{kind}>"],
        [("%0", f"tensor<2x{kind}>")],
    )
    sliced = f"%0 = tensor.extract_slice %a[0, 1] [2, 2] [1, 1] : {source} to tensor<2x2x{kind}>"
    yield [*given, sliced], [("%0", f"tensor<2x2x{kind}>")]
    flat = f"%0 = tensor.collapse_shape %a [[0, 1]] : {source} into tensor<6x{kind}>"
    yield [*given, flat], [("%0", f"tensor<6x{kind}>")]


def complexes() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Complex numbers."""
    binary = ("add", "sub", "mul", "div", "pow", "atan2")
    unary = ("neg", "conj", "exp", "log", "sqrt", "sin", "cos", "tanh", "sign", "expm1", "log1p")
    for kind in ("f16", "f32", "f64", "f80"):
        number = f"complex<{kind}>"
        parts = ("0.0", "-0.0", "1.0", "-1.5")
        texts = [f"[{a} : {kind}, {b} : {kind}]" for a in parts for b in parts[:3]]
        for a in texts:
            given = [f"%a = complex.constant {a} : {number}"]
            for op in ("re", "im", "abs", "angle"):
                yield [*given, f"%0 = complex.{op} %a : {number}"], [("%0", kind)]
            for op in unary:
                yield [*given, f"%0 = complex.{op} %a : {number}"], [("%0", number)]
            for b, op in itertools.product(texts[::3], binary):
                second = f"%b = complex.constant {b} : {number}"
                yield [*given, second, f"%0 = complex.{op} %a, %b : {number}"], [("%0", number)]
            for op in ("eq", "neq"):
                yield [*given, f"%0 = complex.{op} %a, %a : {number}"], [("%0", "i1")]
            split = [f"%r = complex.re %a : {number}", f"%i = complex.im %a : {number}"]
            yield [*given, *split, f"%0 = complex.create %r, %i : {number}"], [("%0", number)]


GROUPS = {
    "shapes": shapes,
    "complex": complexes,
    "llvm": llvm_operations,
    "arith_integers": arith_integers,
    "arith_floats": arith_floats,
    "arith_casts": arith_casts,
    "index": index_operations,
    "math": math_operations,
    "vectors": vectors,
}


def functions(group: str) -> list[str]:
    """The texts of the functions of a group, `@f0`, `@f1`, ..."""
    return [_function(i, *case) for i, case in enumerate(GROUPS[group]())]
