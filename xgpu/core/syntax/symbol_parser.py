# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading aliases, and attributes and types of dialects. A part of the parser."""

from __future__ import annotations

from xdsl.dialects.builtin import NoneType
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.errors import DiagnosticError, shown
from xgpu.core.ods.foreign import is_partial
from xgpu.core.ods.registry import hooks, optional_attr_class
from xgpu.core.syntax.parser_base import ParserBase

#: MLIR's dialects for other GPUs. Their attributes and types, such as the targets of objects in a
#: `gpu.binary`, pass as text.
_FOREIGN_DIALECTS = frozenset(("amdgpu", "rocdl", "spirv", "xevm"))


class SymbolParser(ParserBase):
    """`#name...` and `!name...`; `self` is the parser."""

    # --- dialect attributes and types ------------------------------------------------------
    def _parse_extended_type_or_attribute(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, attr_or_dialect_name: str, is_type: bool
    ) -> Attribute:
        """What follows `#name` or `!name`: an alias, `dialect.mnemonic...` or `dialect<...>`."""
        name = attr_or_dialect_name
        if "." in name:
            return self._parse_dialect_body(name, is_type, self._at - 1)
        if self._texts[self._at] == "<":
            return self._parse_opaque_dialect_symbol(name, is_type)
        alias = ("!" if is_type else "#") + name
        found = self.attribute_aliases.get(alias)
        if found is None:
            self.expected(f"undefined symbol alias id '{name}'")
        return found

    def _parse_opaque_dialect_symbol(self, dialect: str, is_type: bool) -> Attribute:
        """`dialect<...>`: of a known dialect the same as the pretty form; else kept as text."""
        position = self._starts[self._at - 1]
        if self.ctx.knows_dialect(dialect) and not is_partial(dialect):
            self._at += 1
            word = self._text
            if word[:1] == '"':
                # MLIR's opaque form holds the body in quotes.
                self.fail("expected a keyword")
            self._at += 1
            found = self._parse_dialect_body(f"{dialect}.{word}", is_type, self._at - 1)
            self.parse_punctuation(">")
            return found
        body = self._parse_dialect_symbol_body()
        return self._unknown_dialect_symbol(dialect, body, is_type, position)

    def _parse_dialect_body(self, name: str, is_type: bool, word_at: int) -> Attribute:
        """`dialect.mnemonic` was read; read the rest with the class of that name."""
        ctx = self.ctx
        found = ctx.get_optional_type(name) if is_type else ctx.get_optional_attr(name)
        if found is None:
            return self._parse_unknown_dialect_body(name, is_type, word_at)
        op_name, self._op_name = self._op_name, None
        try:
            return self._parse_known_dialect_body(found, name)
        except VerifyException as e:
            if isinstance(e, DiagnosticError):
                raise
            # A class of others, whose verifier knows no place.
            raise self.error_at(self._starts[word_at], str(e)) from None
        finally:
            self._op_name = op_name

    def _parse_known_dialect_body(self, found: type[Attribute], name: str) -> Attribute:
        if issubclass(found, ParametrizedAttribute):
            return found.new(found.parse_parameters(self))
        if issubclass(found, Data):
            parse = getattr(found, "parse", None)
            if parse is not None:
                return parse(self)
            return found.new(found.parse_parameter(self))
        raise TypeError(f"{name} is neither a ParametrizedAttribute nor a Data attribute")

    def _parse_unknown_dialect_body(self, name: str, is_type: bool, word_at: int) -> Attribute:
        dialect, _, mnemonic = name.partition(".")
        position = self._starts[word_at]
        if self.ctx.knows_dialect(dialect) and not is_partial(dialect):
            what = "type" if is_type else "attribute"
            words = hooks(dialect, "types", "UNKNOWN").get(what)
            if words is not None:
                raise self.error_at(position + len(dialect) + 2, words(mnemonic))
            raise self.error_at(
                position + len(dialect) + 2, _unknown_symbol(dialect, mnemonic, is_type)
            )
        body = mnemonic
        if self._texts[self._at] == "<":
            body += f"<{self._parse_dialect_symbol_body()}>"
        if dialect in _FOREIGN_DIALECTS or is_partial(dialect):
            from xgpu.core.syntax.builtin_attributes import DialectAttr, DialectType

            return (DialectType if is_type else DialectAttr)((dialect, body, NoneType()))
        return self._unknown_dialect_symbol(dialect, body, is_type, position + len(dialect) + 2)

    def _unknown_dialect_symbol(
        self, dialect: str, body: str, is_type: bool, position: int
    ) -> Attribute:
        """A type; or an attribute, which may have a type behind it."""
        from xgpu.core.syntax.builtin_attributes import DialectAttr, DialectType

        ty: Attribute = NoneType()
        if not is_type and self.parse_optional_punctuation(":") is not None:
            ty = self.parse_type()
        if not self.ctx.allow_unregistered:
            as_text = f'"{dialect}"<"{body}">'
            as_text = f"`!{as_text}` type" if is_type else f"#{as_text} : '{shown(ty)}' attribute"
            raise self.error_at(
                position,
                f"{as_text} created with unregistered dialect. If this is intended, please "
                "call allowUnregisteredDialects() on the MLIRContext, or use "
                "-allow-unregistered-dialect with the MLIR opt tool used",
            )
        return DialectType((dialect, body, ty)) if is_type else DialectAttr((dialect, body, ty))

    def _parse_dialect_symbol_body(self) -> str:
        """The text between `<` at the cursor and the `>` that closes it."""
        start = self._starts[self._at] + 1
        end = self._raw_scan_balanced(start)
        body = self.source.text[start:end]
        self._seek(end)
        self._at += 1
        return body

    def _raw_scan_balanced(self, pos: int) -> int:
        """The position of the `>` that closes a body beginning at `pos`."""
        text = self.source.text
        nesting: list[str] = []
        length = len(text)
        start = pos
        while pos < length:
            char = text[pos]
            pos += 1
            if char in "<([{":
                nesting.append(_CLOSERS[char])
            elif char == "-" and text[pos : pos + 1] == ">":
                pos += 1
            elif char in ">)]}":
                if not nesting and char == ">":
                    return pos - 1
                if not nesting or nesting[-1] != char:
                    break
                nesting.pop()
            elif char == '"':
                while pos < length and text[pos] != '"':
                    pos += 2 if text[pos] == "\\" else 1
                pos += 1
        missing = nesting[-1] if nesting else ">"
        opener = {v: k for k, v in _CLOSERS.items()}[missing]
        raise self.error_at(start - 1, f"unbalanced '{opener}' character in pretty dialect name")


_CLOSERS = {"<": ">", "(": ")", "[": "]", "{": "}"}


def _unknown_symbol(dialect: str, mnemonic: str, is_type: bool) -> str:
    """What is wrong with a type or attribute that a known dialect has not, in MLIR's words."""
    from xgpu.core.ods.table_parser import dialect_attrs, has_dialect

    what = "type" if is_type else "attribute"
    if has_dialect(dialect):
        classes = [optional_attr_class(f"!{name}" if is_type else name)
                   for name in dialect_attrs(dialect)]  # fmt: skip
        if not any(c is not None and issubclass(c, TypeAttribute) is is_type for c in classes):
            return f"dialect '{dialect}' provides no {what} parsing hook"
    # MLIR writes two spaces behind 'unknown' for a type.
    space = "  " if is_type else " "
    return f"unknown{space}{what} `{mnemonic}` in dialect `{dialect}`"
