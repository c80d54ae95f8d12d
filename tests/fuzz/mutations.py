# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes to a text: of tokens, lines, types, numbers, names, nesting and bytes.

Each takes a random generator, a text and the corpus, and gives another text; none knows whether that
is valid. Most are small, so that a reader gets far into what it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from xgpu.tools.reducer import tokens as _tokens

Mutation = Callable[[Random, str, Sequence[str]], str]

_NUMBER = re.compile(r"(?<![\w%#^!@.$-])[0-9]+(?![\w.])|(?<=[<x\[])[0-9]+(?=[x>\]*,])")
_VALUE = re.compile(r"%[\w$.-]+(?:#[0-9]+)?")
_TYPE = re.compile(
    r"(?:memref|tensor|vector|complex|tuple)<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>"
    r"|![\w.]+(?:<[^<>]*>)?|\b(?:[su]?i[0-9]+|b?f[0-9]+\w*|index|none)\b"
)
_ATTRIBUTE = re.compile(
    r"(?<![%\w#$.!^-])(?P<name>[A-Za-z_][\w.]* = )"
    r"(?:[\w#@!.+-]+(?:<(?:[^<>]|<[^<>]*>)*>)?(?: : [\w!.]+(?:<[^<>]*>)?)?|\[[^\[\]]*\]|\"[^\"\n]*\")"
)
_NAMED = re.compile(r"\"[a-z_]+\.[\w.]+\"(?=\()")
_ITEM = re.compile(
    r"(?<=[(\[{<,])\s*(?:[^\s()\[\]{}<>,=]+ = )?[^\s()\[\]{}<>,]+(?: : \w+)?(?=\s*[,)\]}>])"
)

NUMBERS = (
    "0", "1", "2", "-1", "-0", "3", "7", "8", "16", "31", "32", "33", "63", "64", "65", "127", "128",
    "255", "256", "1000000", "2147483647", "2147483648", "4294967295", "4294967296",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105728",
    "0x0", "0xFFFFFFFF", "0x7FC00000", "0xFFFFFFFFFFFFFFFF", "0x1" + "0" * 20, "9" * 5000,
    "1.0", "-0.0", "1.0e400", "1.0e-400", "0.1", "1.", "true", "false", "?", "*", "00", "0x",
)  # fmt: skip
TYPES = (
    "i0", "i1", "i4", "i7", "i8", "i16", "i32", "i33", "i64", "i65", "i128", "i256", "i16777215",
    "i16777216", "si8", "ui32", "index", "none", "f16", "bf16", "f32", "tf32", "f64", "f80", "f128",
    "f8E4M3FN", "f8E5M2", "f4E2M1FN", "complex<f32>", "complex<i8>", "tuple<>", "tuple<i32, f32>",
    "(i32) -> i32", "() -> ()", "vector<4xf32>", "vector<f32>", "vector<[4]xi32>", "vector<2x[4]xi1>",
    "vector<0xf32>", "vector<3x4x5xi8>", "vector<9223372036854775807xi8>", "vector<4xindex>",
    "vector<4x!llvm.ptr>", "tensor<4xf32>", "tensor<?xf32>", "tensor<*xf32>", "tensor<f32>",
    "tensor<0x4xi32>", "tensor<4xf32, 5>", "tensor<?x?xindex>", "memref<4xf32>", "memref<?xf32>",
    "memref<*xf32>", "memref<f32>", "memref<0xf32>", "memref<4x?xi32, 3>",
    "memref<4x4xf32, strided<[4, 1], offset: ?>>", "memref<4x4xf32, strided<[1, 4]>>",
    "memref<4xf32, affine_map<(d0) -> (d0 * 2)>>", "memref<4xf32, #gpu.address_space<workgroup>>",
    "memref<2xmemref<4xf32>>", "memref<4xvector<2xf32>>", "memref<8589934592x8589934592xi8>",
    "!llvm.ptr", "!llvm.ptr<3>", "!llvm.struct<(i32, ptr)>", "!llvm.array<4 x f32>", "!llvm.void",
    "!llvm.func<void (i32)>", "!llvm.struct<\"s\", opaque>", "!llvm.metadata", "!llvm.token",
    "!gpu.async.token", "!gpu.mma_matrix<16x16xf16, \"AOp\">", "!async.token", "!async.value<i32>",
    "!nvgpu.device.async.token", "!un.known<5>", "!transform.any_op",
    "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>",
)  # fmt: skip
ATTRIBUTES = (
    "unit", "true", "5", "5 : i8", "-1 : index", "1.0", "\"s\"", "\"\\FF\\00\"", "@s", "@s::@t", "i32",
    "[]", "[1, 2.0, \"x\"]", "{}", "{a = 1}", "dense<1> : vector<4xi32>", "dense<> : tensor<0xi8>",
    "dense<[1, 2]> : tensor<2xi64>", "dense<\"0x0102\"> : tensor<2xi8>", "array<i32: 1, 2>",
    "array<i64>", "array<i1: true>", "affine_map<(d0)[s0] -> (d0 + s0)>", "affine_map<() -> ()>",
    "affine_map<(d0, d1) -> (d1, d0)>", "affine_map<(d0) -> (0)>", "affine_set<(d0) : (d0 >= 0)>",
    "#gpu.address_space<private>", "#nvvm.target<chip = \"sm_90\">", "loc(\"f\":1:2)", "loc(unknown)",
    "distinct[0]<>", "strided<[1, ?]>", "#un.known", "(i32) -> ()", "sparse<0, 1> : tensor<4xi32>",
    "#arith.fastmath<fast>", "#llvm.cconv<ccc>", "dense_resource<r> : tensor<4xf32>",
)  # fmt: skip
CHARACTERS = (
    "\0", "\t", "\v", "\f", "\r", "\x01", "\x7f", "\x85", "\xa0", "\u2028", "é", "²", "٣", "\U0001f600",
    "\udc80", "\udcff", '"', "\\", "'", "`", "%", "#", "!", "^", "@", "$", ".", "..", "...", "/", "//",
    "/*", "<", ">", "(", ")", "[", "]", "{", "}", "{-#", "#-}", ":", "::", ",", "->", "=", "==", "-",
    "+", "*", "?", "|", ";", "~", "_",
)  # fmt: skip


def _pick(rng: Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    matches = list(pattern.finditer(text))
    return rng.choice(matches) if matches else None


def _put(text: str, match: re.Match[str] | None, new: str) -> str:
    return text if match is None else text[: match.start()] + new + text[match.end() :]


def _places(tokens: Sequence[str]) -> list[int]:
    return [n for n, token in enumerate(tokens) if not token.isspace()] or [0]


def drop_token(rng: Random, text: str, texts: Sequence[str]) -> str:
    tokens = _tokens(text)
    if tokens:
        del tokens[rng.choice(_places(tokens))]
    return "".join(tokens)


def repeat_token(rng: Random, text: str, texts: Sequence[str]) -> str:
    tokens = _tokens(text)
    if tokens:
        at = rng.choice(_places(tokens))
        tokens.insert(at, tokens[at] + rng.choice(("", " ", ", ")))
    return "".join(tokens)


def swap_tokens(rng: Random, text: str, texts: Sequence[str]) -> str:
    tokens = _tokens(text)
    places = _places(tokens)
    if len(places) > 1:
        at = rng.randrange(len(places) - 1)
        a, b = places[at], places[at + 1]
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def other_token(rng: Random, text: str, texts: Sequence[str]) -> str:
    tokens = _tokens(text)
    if tokens:
        source = _tokens(rng.choice((text, rng.choice(texts)))) or [""]
        tokens[rng.choice(_places(tokens))] = source[rng.choice(_places(source))]
    return "".join(tokens)


def drop_range(rng: Random, text: str, texts: Sequence[str]) -> str:
    tokens = _tokens(text)
    at = rng.randrange(len(tokens) + 1)
    return "".join(tokens[:at] + tokens[at + rng.randrange(1, 12) :])


def drop_line(rng: Random, text: str, texts: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[rng.randrange(len(lines))]
    return "".join(lines)


def repeat_line(rng: Random, text: str, texts: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = rng.randrange(len(lines))
        lines.insert(at, lines[at])
    return "".join(lines)


def move_line(rng: Random, text: str, texts: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        line = lines.pop(rng.randrange(len(lines)))
        lines.insert(rng.randrange(len(lines) + 1), line)
    return "".join(lines)


def other_line(rng: Random, text: str, texts: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    source = rng.choice(texts).splitlines(keepends=True)
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(source or ["\n"]))
    return "".join(lines)


def other_number(rng: Random, text: str, texts: Sequence[str]) -> str:
    return _put(text, _pick(rng, _NUMBER, text), rng.choice(NUMBERS))


def other_type(rng: Random, text: str, texts: Sequence[str]) -> str:
    match = _pick(rng, _TYPE, text)
    if match is None:
        return text
    new = rng.choice(TYPES)
    if rng.random() < 0.4:  # the same everywhere: a program may stay well typed
        return text.replace(match[0], new)
    return _put(text, match, new)


def other_value(rng: Random, text: str, texts: Sequence[str]) -> str:
    match, source = _pick(rng, _VALUE, text), _pick(rng, _VALUE, text)
    if source is None:
        return text
    return _put(text, match, source[0] + rng.choice(("", "", "", "#1", "#9", "x")))


def other_attribute(rng: Random, text: str, texts: Sequence[str]) -> str:
    match = _pick(rng, _ATTRIBUTE, text)
    return _put(text, match, (match["name"] if match is not None else "") + rng.choice(ATTRIBUTES))


def others_attribute(rng: Random, text: str, texts: Sequence[str]) -> str:
    """The value that an attribute of this name, or of any, has elsewhere."""
    match = _pick(rng, _ATTRIBUTE, text)
    if match is None:
        return text
    found = [m for m in _ATTRIBUTE.finditer(text) if m["name"] == match["name"]]
    found += _ATTRIBUTE.finditer(rng.choice(texts))
    other = rng.choice(found)
    return _put(text, match, match["name"] + other[0].removeprefix(other["name"]))


def other_operation(rng: Random, text: str, texts: Sequence[str]) -> str:
    """Another operation's name, in the generic form."""
    source = _pick(rng, _NAMED, rng.choice((text, text, rng.choice(texts))))
    return text if source is None else _put(text, _pick(rng, _NAMED, text), source[0])


def drop_item(rng: Random, text: str, texts: Sequence[str]) -> str:
    """One thing less in a list of operands, types, numbers or attributes."""
    match = _pick(rng, _ITEM, text)
    if match is None:
        return text
    start, end = match.span()
    if text[end : end + 1] == ",":
        return text[:start] + text[end + 1 :].lstrip(" ")
    return text[:start].rstrip(" ").removesuffix(",") + text[end:]


def repeat_item(rng: Random, text: str, texts: Sequence[str]) -> str:
    """One thing twice in such a list."""
    match = _pick(rng, _ITEM, text)
    return text if match is None else _put(text, match, f"{match[0]},{match[0]}")


def add_attribute(rng: Random, text: str, texts: Sequence[str]) -> str:
    match = _pick(rng, re.compile(r"\{(?=\w+ = )"), text)
    name = rng.choice(
        ("a", "sym_name", "value", "operandSegmentSizes", "llvm.noalias", "gpu.kernel")
    )
    return _put(text, match, f"{{{name} = {rng.choice(ATTRIBUTES)}, ")


def nest(rng: Random, text: str, texts: Sequence[str]) -> str:
    """A type, attribute or region inside of many others."""
    depth = rng.choice((1, 2, 3, 20, 90, 400, 3000))
    kind = rng.randrange(5)
    if kind == 0:
        match = _pick(rng, _TYPE, text)
        inner = "i32" if match is None else match[0]
        return _put(text, match, "tuple<" * depth + inner + ">" * depth)
    if kind == 1:
        match = _pick(rng, _ATTRIBUTE, text)
        inner = "1" if match is None else match[0]
        return _put(text, match, "[" * depth + inner + "]" * depth)
    if kind == 2:
        match = _pick(rng, _ATTRIBUTE, text)
        return _put(text, match, "{a = " * depth + "1" + "}" * depth)
    if kind == 3:
        return 'module {\n"t.r"() ({\n' * depth + text + "}) : () -> ()\n}\n" * depth
    match = _pick(rng, _NUMBER, text)
    return _put(text, match, "(" * depth + "1" + ")" * depth)


def add_character(rng: Random, text: str, texts: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(CHARACTERS) + text[at:]


def other_character(rng: Random, text: str, texts: Sequence[str]) -> str:
    if not text:
        return text
    at = rng.randrange(len(text))
    new = rng.choice((rng.choice(CHARACTERS), chr(rng.randrange(256)), ""))
    return text[:at] + new + text[at + 1 :]


def cut(rng: Random, text: str, texts: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return rng.choice((text[:at], text[at:]))


def join(rng: Random, text: str, texts: Sequence[str]) -> str:
    return text + rng.choice(texts)


#: Each with how often it is chosen.
MUTATIONS: dict[Mutation, int] = {
    drop_token: 3, repeat_token: 2, swap_tokens: 2, other_token: 4, drop_range: 1, drop_line: 3,
    repeat_line: 2, move_line: 3, other_line: 3, other_number: 6, other_type: 6, other_value: 5,
    other_attribute: 5, others_attribute: 4, other_operation: 3, drop_item: 4, repeat_item: 2,
    add_attribute: 2, nest: 1, add_character: 2, other_character: 2, cut: 1,
    join: 1,
}  # fmt: skip


#: Those after which a text can still be read, mostly.
GENTLE = (
    other_number, other_type, other_value, other_attribute, others_attribute, other_operation,
    drop_item, repeat_item, move_line, drop_line, repeat_line,
)  # fmt: skip


def changed(rng: Random, text: str, texts: Sequence[str]) -> str:
    """`text` changed once to four times; half of the time so that it may get past the reader."""
    chosen = list(GENTLE if rng.random() < 0.5 else MUTATIONS)
    often = [MUTATIONS[mutation] for mutation in chosen]
    for _ in range(rng.choice((1, 1, 2, 3, 4))):
        before = text
        for mutation in rng.choices(chosen, often, k=4):  # some find nothing to change
            text = mutation(rng, before, texts)
            if text != before:
                break
    return text
