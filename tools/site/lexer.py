# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pygments' rules for MLIR text, for the documentation site."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_ID = r"[\w$.\-]+"


class MlirLexer(RegexLexer):
    """MLIR: values, symbols, attributes, types, blocks, operations and numbers."""

    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"//.*?$", Comment.Single),
            (r'"(\\.|[^"\\])*"', String),
            (rf"%{_ID}(?:[:#]\d+)?", Name.Variable),
            (rf"@(?:{_ID}|\"[^\"]*\")", Name.Function),
            (rf"\^{_ID}", Name.Label),
            (rf"#{_ID}", Name.Decorator),
            (rf"!{_ID}", Keyword.Type),
            (r"0x[0-9a-fA-F]+\b", Number.Hex),
            (r"-?\d+\.\d*(?:[eE][+-]?\d+)?", Number.Float),
            (r"\b(?:[su]?i\d+|b?f\d+\w*|tf32|index|none)\b", Keyword.Type),
            (r"\b(?:memref|tensor|vector|complex|tuple)\b", Keyword.Type),
            # `4x8xf32` within a type.
            (r"\d+(?=x)", Number.Integer),
            (r"-?\d+\b", Number.Integer),
            (r"\b(?:true|false|unit|dense|loc|affine_map|affine_set|array)\b", Keyword.Constant),
            (r"\b[a-z_]\w*\.[\w.]+\b", Name.Builtin),
            (r"->|==|[=+*]", Operator),
            (r"[-\[\]{}()<>,:?|;]", Punctuation),
            (r"[\w$]+", Name),
            (r".", Text),
        ]
    }
