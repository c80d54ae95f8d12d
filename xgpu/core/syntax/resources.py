# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `{-# ... #-}` section of a text: blobs for `dense_resource`, and data of external tools.

Resources are kept as `{"dialect_resources": {dialect: {key: value}}, "external_resources": ...}`;
a value is a string (a blob: hexadecimal digits after `0x`), a boolean, or text in quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ods.table_parser import has_dialect
from xgpu.core.syntax.builtin_attributes import escape

if TYPE_CHECKING:
    from xgpu.core.syntax.parser_base import ParserBase
    from xgpu.core.syntax.printer_base import PrinterBase


class Blob(str):
    """A string value; its text is what stands between the quotes, unescaped."""

    __slots__ = ()


def read_metadata(parser: ParserBase) -> None:
    """Reads the section; the cursor is on `{-#`."""
    parser._at += 1
    while parser._texts[parser._at] != "#-}":
        position = parser.pos
        name = parser.parse_optional_identifier()
        if name is None:
            parser.fail("expected identifier key in file metadata dictionary")
        parser.parse_punctuation(":", "")
        if name not in ("dialect_resources", "external_resources"):
            raise parser.error_at(position, f"unknown key '{name}' in file metadata dictionary")
        section = parser.resources.setdefault(name, {})
        is_dialect = name == "dialect_resources"
        parser.parse_comma_separated_list(
            parser.Delimiter.BRACES,
            lambda section=section, is_dialect=is_dialect: _read_group(parser, section, is_dialect),
        )
        if parser.parse_optional_punctuation(",") is None:
            break
    if parser._texts[parser._at] != "#-}":
        parser.expected("expected '#-}' to end file metadata dictionary")
    parser._at += 1


def _read_group(
    parser: ParserBase, section: dict[str, dict[str, object]], is_dialect: bool
) -> None:
    position = parser.pos
    name = parser.parse_optional_identifier_or_str_literal()
    if name is None:
        raise parser.fail("expected identifier key for 'resource' entry")
    parser.parse_punctuation(":", "")
    if is_dialect and not parser.ctx.knows_dialect(name):
        raise parser.error_at(position, f"dialect '{name}' is unknown")
    is_blob = is_dialect and name == "builtin"
    # Of the dialects in the tables the builtin one alone has resources; those of plugins may.
    has_none = is_dialect and not is_blob and has_dialect(name)
    entries = section.setdefault(name, {})

    def read_entry() -> None:
        if has_none:
            raise parser.fail(f"unexpected 'resource' section for dialect '{name}'")
        key = parser.parse_optional_identifier_or_str_literal()
        if key is None:
            raise parser.fail("expected identifier key for 'resource' entry")
        parser.parse_punctuation(":", "")
        position = parser.pos
        boolean = parser.parse_optional_boolean()
        if boolean is not None and not is_blob:
            entries[key] = boolean
            return
        text = None if boolean is not None else parser.parse_optional_str_literal()
        if is_blob:
            _check_blob(parser, key, text, position)
        if text is None:
            raise parser.error_at(position, f"expected string value for key '{key}'")
        entries[key] = Blob(text)

    parser.parse_comma_separated_list(parser.Delimiter.BRACES, read_entry)


def _check_blob(parser: ParserBase, key: str, text: str | None, position: int) -> None:
    """A blob is hexadecimal; its first four bytes say how it is aligned."""
    message = f"expected hex string blob for key '{key}'"
    try:
        data = bytes.fromhex(text[2:]) if text is not None and text[:2] == "0x" else None
    except ValueError:
        data = None
    if data is None:
        raise parser.error_at(position, message)
    if len(data) < 4:
        raise parser.error_at(position, message + " to encode alignment in first 4 bytes")


def metadata_text(resources: dict[str, dict[str, dict[str, object]]], printer: PrinterBase) -> str:
    """The section as mlir-opt prints it: of the builtin dialect, what the IR names."""
    from xgpu.core.syntax.attribute_printer import is_bare_identifier

    limit = printer.elide_resources
    is_elided = False
    sections: list[str] = []
    for name, groups in resources.items():
        parts: list[str] = []
        for group, entries in groups.items():
            lines: list[str] = []
            for key, value in entries.items():
                if name == "dialect_resources" and key not in printer.resource_keys:
                    continue
                text = _value_text(value)
                if limit is not None and len(text) > limit:
                    is_elided = True  # mlir-opt prints the section then, even if it is empty
                    continue
                as_text = key if is_bare_identifier(key) else f'"{escape(key)}"'
                lines.append(f"      {as_text}: {text}")
            if lines:
                inner = ",\n".join(lines)
                parts.append(f"    {group}: {{\n{inner}\n    }}")
        if parts:
            sections.append(f"  {name}: {{\n" + ",\n".join(parts) + "\n  }")
    if not sections and not is_elided:
        return ""
    return "\n{-#\n" + ",\n".join(sections) + "\n#-}\n"


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if text.startswith("0x"):
        text = "0x" + text[2:].upper()
    return f'"{escape(text)}"'
