# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the llvm dialect with operations on constants: what LLVM's folder makes of them
shows in the text of the translation. Numbers and vectors here, addresses in `address_cases`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from fold_cases import CMPI, FLOAT_WIDTH, WIDTH, floats, integers

#: The lines of a function, and the type of what it returns, `%0`.
Case = tuple[list[str], str]

INTEGERS = ("i1", "i2", "i7", "i8", "i32", "i64", "i65", "i128")
FLOATS = ("f16", "bf16", "f32", "f64", "f80", "f128")
INTEGER_BINARY = (
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem"),
    *("and", "or", "xor", "shl", "lshr", "ashr"),
)
FLOAT_BINARY = ("fadd", "fsub", "fmul", "fdiv", "frem")
CMPF = (
    *("_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "_true"),
)


def constant(name: str, value: str, kind: str) -> str:
    """A scalar constant, undef or poison."""
    if value in ("undef", "poison", "zero"):
        return f"{name} = llvm.mlir.{value} : {kind}"
    return f"{name} = llvm.mlir.constant({value}{'' if kind == 'i1' else f' : {kind}'}) : {kind}"


def dense(name: str, value: str, kind: str) -> str:
    """A vector constant, undef or poison."""
    if value in ("undef", "poison"):
        return f"{name} = llvm.mlir.{value} : {kind}"
    return f"{name} = llvm.mlir.constant(dense<{value}> : {kind}) : {kind}"


def _both(op: str, a: str, b: str, kind: str) -> Case:
    given = [constant("%a", a, kind), constant("%b", b, kind)]
    return [*given, f"%0 = llvm.{op} %a, %b : {kind}"], kind


def _compare(op: str, predicate: str, a: str, b: str, kind: str) -> Case:
    given = [constant("%a", a, kind), constant("%b", b, kind)]
    return [*given, f'%0 = llvm.{op} "{predicate}" %a, %b : {kind}'], "i1"


def _cast(op: str, value: str, source: str, target: str) -> Case:
    return [constant("%a", value, source), f"%0 = llvm.{op} %a : {source} to {target}"], target


def integer_cases() -> Iterator[Case]:
    """Integers with integers, and as other types."""
    for kind in INTEGERS:
        for a, b in itertools.product(integers(kind), repeat=2):
            for op in INTEGER_BINARY:
                yield _both(op, a, b, kind)
        for a, b in itertools.product(integers(kind, few=True), repeat=2):
            for predicate in CMPI:
                yield _compare("icmp", predicate, a, b, kind)
        for target, a in itertools.product(INTEGERS, integers(kind)):
            if WIDTH[kind] < WIDTH[target]:
                yield _cast("sext", a, kind, target)
                yield _cast("zext", a, kind, target)
            elif WIDTH[kind] > WIDTH[target]:
                yield _cast("trunc", a, kind, target)
        for target, a in itertools.product(FLOATS, integers(kind)):
            yield _cast("sitofp", a, kind, target)
            yield _cast("uitofp", a, kind, target)
    for kind in FLOATS:
        for value in ("9007199791611905", "4611686293305294849"):
            yield _cast("sitofp", value, "i64", kind)


def float_cases() -> Iterator[Case]:
    """Floats with floats, and as other types."""
    for kind in FLOATS:
        for a, b in itertools.product(floats(kind), repeat=2):
            for op in FLOAT_BINARY:
                yield _both(op, a, b, kind)
        for a, b in itertools.product(floats(kind, few=True), repeat=2):
            for predicate in CMPF:
                yield _compare("fcmp", predicate, a, b, kind)
        same = f"i{FLOAT_WIDTH[kind]}"
        for a in floats(kind):
            yield [constant("%a", a, kind), f"%0 = llvm.fneg %a : {kind}"], kind
            yield _cast("bitcast", a, kind, same)
            for target in FLOATS:
                if FLOAT_WIDTH[kind] < FLOAT_WIDTH[target]:
                    yield _cast("fpext", a, kind, target)
                elif FLOAT_WIDTH[kind] > FLOAT_WIDTH[target]:
                    yield _cast("fptrunc", a, kind, target)
        for a, target in itertools.product(
            [*floats(kind), "7.9", "-0.9", "127.5", "1.0e10"], INTEGERS
        ):
            yield _cast("fptosi", a, kind, target)
            yield _cast("fptoui", a, kind, target)
        for value in ("0", "1", "-1"):
            yield _cast("bitcast", value, same, kind)


def undefined_cases() -> Iterator[Case]:
    """undef and poison beside constants and beside themselves."""
    kinds = {"i32": ("0", "1", "-1"), "f32": ("0.0", "-0.0", "1.0", "0x7FC00001")}
    for (kind, values), u in itertools.product(kinds.items(), ("undef", "poison")):
        is_int = kind == "i32"
        for op in INTEGER_BINARY if is_int else FLOAT_BINARY:
            for value in values:
                yield _both(op, value, u, kind)
                yield _both(op, u, value, kind)
            yield _both(op, u, u, kind)
            yield [constant("%a", u, kind), f"%0 = llvm.{op} %a, %a : {kind}"], kind
        compared = "icmp" if is_int else "fcmp"
        for predicate in CMPI if is_int else CMPF:
            yield _compare(compared, predicate, values[1], u, kind)
            yield _compare(compared, predicate, u, values[1], kind)
            text = f'%0 = llvm.{compared} "{predicate}" %a, %a : {kind}'
            yield [constant("%a", u, kind), text], "i1"
    casts = (
        *(("sext", "i32", "i64"), ("zext", "i32", "i64"), ("trunc", "i32", "i8")),
        *(("sitofp", "i32", "f32"), ("uitofp", "i32", "f64"), ("bitcast", "i32", "f32")),
        *(("inttoptr", "i32", "!llvm.ptr"), ("fpext", "f32", "f64"), ("fptrunc", "f32", "f16")),
        *(("fptosi", "f32", "i32"), ("fptoui", "f32", "i8"), ("bitcast", "f32", "i32")),
    )
    for (op, source, target), u in itertools.product(casts, ("undef", "poison")):
        yield _cast(op, u, source, target)
    for value in ("undef", "poison", "1"):
        yield [constant("%a", value, "i32"), "%0 = llvm.freeze %a : i32"], "i32"
    yield [constant("%a", "undef", "f32"), "%0 = llvm.fneg %a : f32"], "f32"


def select_cases() -> Iterator[Case]:
    """Choices, of scalars and lane by lane."""
    values = (("1", "2"), ("1", "1"), ("undef", "2"), ("1", "poison"), ("poison", "poison"))
    for condition in ("true", "false", "undef", "poison"):
        for a, b in (*values, ("undef", "poison")):
            given = [constant("%a", a, "i32"), constant("%b", b, "i32")]
            text = "%0 = llvm.select %c, %a, %b : i1, i32"
            yield [constant("%c", condition, "i1"), *given, text], "i32"
    for lanes in ("[true, false]", "true", "undef", "poison"):
        given = [dense("%a", "[1, 2]", "vector<2xi32>"), dense("%b", "[3, 4]", "vector<2xi32>")]
        text = "%0 = llvm.select %c, %a, %b : vector<2xi1>, vector<2xi32>"
        yield [dense("%c", lanes, "vector<2xi1>"), *given, text], "vector<2xi32>"


_INTS = "vector<4xi32>"
_FLOATS = "vector<2xf32>"


def vector_cases() -> Iterator[Case]:
    """Vectors element by element."""
    for a, b in itertools.product(("[1,2,3,4]", "7", "0", "[0,-1,5,6]", "undef"), repeat=2):
        given = [dense("%a", a, _INTS), dense("%b", b, _INTS)]
        for op in INTEGER_BINARY:
            yield [*given, f"%0 = llvm.{op} %a, %b : {_INTS}"], _INTS
        for predicate in ("eq", "slt", "uge"):
            yield [*given, f'%0 = llvm.icmp "{predicate}" %a, %b : {_INTS}'], "vector<4xi1>"
    for a, b in itertools.product(("[1.0,2.0]", "7.0", "0.0", "[-0.0,0x7FC00001]"), repeat=2):
        given = [dense("%a", a, _FLOATS), dense("%b", b, _FLOATS)]
        for op in FLOAT_BINARY:
            yield [*given, f"%0 = llvm.{op} %a, %b : {_FLOATS}"], _FLOATS
        for predicate in ("oeq", "une", "ult"):
            yield [*given, f'%0 = llvm.fcmp "{predicate}" %a, %b : {_FLOATS}'], "vector<2xi1>"
        yield [given[0], f"%0 = llvm.fneg %a : {_FLOATS}"], _FLOATS
        for op, target in (("fpext", "f64"), ("fptrunc", "f16"), ("fptosi", "i8")):
            kind = f"vector<2x{target}>"
            yield [given[0], f"%0 = llvm.{op} %a : {_FLOATS} to {kind}"], kind
    yield from _part_cases()


def _part_cases() -> Iterator[Case]:
    """Elements of vectors, and vectors of vectors' elements."""
    whole = dense("%a", "[1,2,3,4]", _INTS)
    for at, u in itertools.product(("0", "2", "3", "4", "-1", "undef", "poison"), ("undef", "9")):
        position = constant("%i", at, "i32")
        extract = f"%0 = llvm.extractelement %a[%i : i32] : {_INTS}"
        yield [whole, position, extract], "i32"
        yield [dense("%a", "undef", _INTS), position, extract], "i32"
        insert = f"%0 = llvm.insertelement %x, %a[%i : i32] : {_INTS}"
        yield [whole, constant("%x", u, "i32"), position, insert], _INTS
        yield [dense("%a", "poison", _INTS), constant("%x", u, "i32"), position, insert], _INTS
    for mask in ("[0, 5, -1, 2, 7]", "[0, 0, 0, 0, 0]", "[-1, -1, -1, -1, -1]", "[3, 2, 5, 0, 4]"):
        for b in ("[5,6,7,8]", "9", "undef", "poison"):
            text = f"%0 = llvm.shufflevector %a, %b {mask} : {_INTS}"
            yield [whole, dense("%b", b, _INTS), text], "vector<5xi32>"
            yield [dense("%a", "poison", _INTS), dense("%b", b, _INTS), text], "vector<5xi32>"


#: Vectors and scalars of 128, 64 and 8 bits.
_WIDE = (
    *("vector<2xf64>", "vector<2xi64>", "i128", "vector<16xi8>", "vector<8xi16>", "vector<8xf16>"),
    *("vector<4xf32>", "vector<4xi32>", "f128", "vector<1xi128>", "vector<128xi1>"),
)
_NARROW = (
    *("vector<2xi32>", "i64", "f64", "vector<1xf64>", "vector<4xi16>", "vector<8xi8>"),
    *("vector<4xf16>", "vector<1xi64>", "vector<64xi1>", "vector<4xbf16>", "vector<2xf32>"),
)
_CAST_VECTORS = (
    *(("[1,2,3,4]", "vector<4xi32>", _WIDE), ("-1", "vector<4xi32>", _WIDE)),
    *(("0", "vector<4xi32>", _WIDE), ("[1,2]", "vector<2xi64>", _WIDE)),
    *(("undef", "vector<4xi32>", _WIDE), ("poison", "vector<2xi64>", _WIDE)),
    *(("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]", "vector<16xi8>", _WIDE),),
    *(("[1.0,2.0]", "vector<2xf32>", _NARROW), ("[-0.0,0x7FC00001]", "vector<2xf32>", _NARROW)),
    *(("[true,false,true,true,false,false,false,true]", "vector<8xi1>", ("i8", "vector<2xi4>")),),
)


def bitcast_cases() -> Iterator[Case]:
    """The same bits as another type."""
    for value, source, targets in _CAST_VECTORS:
        for target in targets:
            if source != target:
                text = f"%0 = llvm.bitcast %a : {source} to {target}"
                yield [dense("%a", value, source), text], target
    for value, source in (("1", "i64"), ("-1", "i64"), ("0", "i64"), ("1.5", "f64")):
        for target in _NARROW:
            yield _cast("bitcast", value, source, target)
    for u, target in itertools.product(("undef", "poison"), ("vector<2xi64>", "vector<8xi16>")):
        given = [dense("%a", u, _INTS), constant("%x", "1", "i32"), constant("%i", "2", "i32")]
        given.append(f"%b = llvm.insertelement %x, %a[%i : i32] : {_INTS}")
        yield [*given, f"%0 = llvm.bitcast %b : {_INTS} to {target}"], target
        yield [*given, f"%0 = llvm.add %b, %b : {_INTS}"], _INTS


GROUPS = {
    "integers": integer_cases,
    "floats": float_cases,
    "undefined": undefined_cases,
    "selects": select_cases,
    "vectors": vector_cases,
    "bitcasts": bitcast_cases,
}


def function(number: int, case: Case, arguments: str = "") -> str:
    """The text of the function `@f<number>`."""
    lines, kind = case
    body = "\n  ".join([*lines, f"llvm.return %0 : {kind}"])
    return f"llvm.func @f{number}({arguments}) -> {kind} {{\n  {body}\n}}\n"
