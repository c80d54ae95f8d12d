# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text to tokens, the whole text at once.

One regular expression runs over the text in C and gives two parallel lists: the texts of the tokens
and their positions. A token needs no object and no kind: its first character says what it is, and
the parser compares texts.

Types and attributes that are written in brackets (`memref<4x?xf32, 3>`, `!llvm.ptr<1>`,
`#gpu.address_space<workgroup>`) come out as one *composite* token when they nest at most two deep
and hold no string, comment or arrow. The parser then finds a type that it has seen before by its
text, which is most types. Where the parts are needed, `explode` replaces the composite by
its parts.
"""

from __future__ import annotations

import re
from itertools import accumulate

from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRTokenKind

#: A form feed and a vertical tab are none, as in MLIR.
_BLANK = r"[ \t\n\r\0]*+"
_SPACE = rf"({_BLANK}(?://[^\n]*+{_BLANK})*+)"
_SUFFIX = r"(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
_STRING = r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"'
#: What a composite may hold between its brackets: no brackets, strings, comments, arrows, dashes.
_FLAT = r'[^<>"/\-%@^={}]*'
_BRACKETS = rf"<{_FLAT}(?:<{_FLAT}(?:<{_FLAT}>{_FLAT})*>{_FLAT})*>"
_PARTS = (
    rf"|%{_SUFFIX}"
    r"|[A-Za-z_][A-Za-z0-9_$.]*"
    r"|->|\{-#|#-\}"
    r"|[(),:={}\[\]]"
    rf"|{_STRING}"
    r"|0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?)?"
    rf"|[#!^]{_SUFFIX}"
    rf"|@(?:[A-Za-z_][A-Za-z0-9_$.]*|{_STRING})"
    r"|\.\.\.|[-+*/<>?|]"
    r"|[^ \t\n\r\0]"
)
#: The most frequent tokens, which are tried first; none of them begins another token.
_FREQUENT = rf"%{_SUFFIX}|[(),:=]"
_COMPOSITES = (
    rf"(?:memref|vector|tensor|complex|tuple){_BRACKETS}"
    rf"|[!#][A-Za-z_][A-Za-z0-9_$]*\.[\w$.]*{_BRACKETS}"
)

#: For tests of first characters; the empty text, the end, is none of them.
_DIGITS = tuple("0123456789")

#: What a composite may consist of.
_INNER = (
    r"([ \t\n\r\0]*+)([A-Za-z_][A-Za-z0-9_$.]*|0x[0-9a-fA-F]+"
    r"|[0-9]+(?:\.[0-9]*(?:[eE]\+?[0-9]+)?)?"
    rf"|[#!]{_SUFFIX}|\.\.\.|[^ \t\n\r\0]|$)"
)

_scan = None
_scan_parts = None
_scan_inner = None


def tokenize(text: str) -> tuple[list[str], list[int]]:
    """Texts and positions of the tokens of `text`; the last one is the end: an empty text."""
    global _scan
    if _scan is None:
        _scan = re.compile(f"{_SPACE}({_FREQUENT}|{_COMPOSITES}{_PARTS}|$)", re.ASCII).split
    return _collect(_scan(text), len(text))


def _collect(pieces: list[str], length: int) -> tuple[list[str], list[int]]:
    """The tokens in what splitting a text at tokens gives: for each one what is left between (which
    is nothing), the space before it, and itself."""
    del pieces[0::3]
    texts = pieces[1::2]
    starts = list(accumulate(map(len, pieces)))[0::2]
    # The pattern also matches at the very end of a text whose last token was the end of it.
    while len(texts) > 1 and not texts[-2]:
        texts.pop()
        starts.pop()
    if texts[-1]:
        texts.append("")
        starts.append(length)
    return texts, starts


def is_integer(token: str) -> bool:
    """Whether `token` is an integer literal, decimal or hexadecimal."""
    return token[:1] in _DIGITS and "." not in token


def is_word(token: str) -> bool:
    """Whether `token` is a bare identifier, or a composite that begins with one."""
    first = token[:1]
    return first == "_" or (first.isalpha() and first.isascii())


def is_composite(token: str) -> bool:
    """Whether `token` is a type or attribute in one piece, brackets and all."""
    return len(token) > 2 and token[-1] == ">" and token[0] not in '"-@'


def explode(token: str, start: int) -> tuple[list[str], list[int]]:
    """The parts of a composite token that begins at `start`, without an end token."""
    global _scan_inner
    if _scan_inner is None:
        _scan_inner = re.compile(_INNER, re.ASCII).split
    return _moved(_scan_inner(token), len(token), start)


def explode_from(text: str, start: int, end: int) -> tuple[list[str], list[int]]:
    """The tokens of `text[start:end]`: a piece of a token that a parser wants to read by itself."""
    global _scan_parts
    if _scan_parts is None:
        _scan_parts = re.compile(f"{_SPACE}({_PARTS[1:]}|$)", re.ASCII).split
    return _moved(_scan_parts(text[start:end]), end - start, start)


def _moved(pieces: list[str], length: int, start: int) -> tuple[list[str], list[int]]:
    """The tokens of what begins at `start`, without an end token."""
    texts, starts = _collect(pieces, length)
    texts.pop()
    starts.pop()
    return texts, [start + at for at in starts]


_PREFIX_KINDS = {
    "%": MLIRTokenKind.PERCENT_IDENT,
    "#": MLIRTokenKind.HASH_IDENT,
    "!": MLIRTokenKind.EXCLAMATION_IDENT,
    "^": MLIRTokenKind.CARET_IDENT,
    "@": MLIRTokenKind.AT_IDENT,
    '"': MLIRTokenKind.STRING_LIT,
}


def kind_of(token: str) -> MLIRTokenKind | None:
    """xDSL's kind of a token, for code that is written against xDSL's parser; None: an error."""
    kind = KIND_BY_PUNCTUATION_SPELLING.get(token)
    if kind is not None:
        return kind
    if not token:
        return MLIRTokenKind.EOF
    first = token[0]
    if first.isalpha() or first == "_":
        return MLIRTokenKind.BARE_IDENT if first.isascii() else None
    if first in "0123456789":
        if "." in token:
            return MLIRTokenKind.FLOAT_LIT
        return MLIRTokenKind.INTEGER_LIT
    if len(token) == 1:
        return None
    if first == '"' and "\\" in token:
        try:
            unescape(token).decode()
        except UnicodeDecodeError:
            return MLIRTokenKind.BYTES_LIT
    return _PREFIX_KINDS.get(first)


_ESCAPES = {"n": b"\n", "t": b"\t", "\\": b"\\", '"': b'"'}


def unescape(literal: str) -> bytes:
    """The bytes that a string literal (with its quotes) stands for."""
    body = literal[1:-1]
    if "\\" not in body:
        return body.encode("utf-8", "surrogateescape")
    pieces = body.split("\\")
    out = bytearray(pieces[0].encode("utf-8", "surrogateescape"))
    at = 1
    while at < len(pieces):
        piece = pieces[at]
        if not piece:
            # An escaped backslash leaves an empty piece; what follows is plain text.
            out += b"\\"
            at += 1
            if at < len(pieces):
                out += pieces[at].encode("utf-8", "surrogateescape")
        elif len(piece) >= 2 and _is_hex(piece[0]) and _is_hex(piece[1]):
            out.append(int(piece[:2], 16))
            out += piece[2:].encode("utf-8", "surrogateescape")
        else:
            out += _ESCAPES[piece[0]]
            out += piece[1:].encode("utf-8", "surrogateescape")
        at += 1
    return bytes(out)


def _is_hex(char: str) -> bool:
    return char in "0123456789abcdefABCDEF"
