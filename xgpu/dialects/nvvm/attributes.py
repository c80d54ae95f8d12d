# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of the nvvm dialect whose syntax the tables do not cover.

Source: MLIR 22.1 NVVMOps.td.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Data

from xgpu.core.ods.attributes import reading
from xgpu.core.ods.registry import attr_spec
from xgpu.core.syntax.formats.numbers import read_integer

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

DEFAULT_TRIPLE = "nvptx64-nvidia-cuda"
_DEFAULTS: dict[str, object] = {
    "O": 2,
    "triple": DEFAULT_TRIPLE,
    "chip": "sm_50",
    "features": "",
    "flags": None,
    "link": None,
    "verifyTarget": True,
}


_Data = tuple[int, str, str, str, "DictionaryAttr | None", "ArrayAttr[Attribute] | None", bool]


class NVVMTargetAttr(Data[_Data]):
    """`#nvvm.target<O = 2, chip = "sm_80", features = "+ptx70", flags = {fast}, link = [..]>`"""

    name = "nvvm.target"

    def __init__(
        self,
        O: int | _Data = 2,  # noqa: E741 - MLIR's name
        triple: str = DEFAULT_TRIPLE,
        chip: str = "sm_50",
        features: str = "",
        flags: DictionaryAttr | None = None,
        link: ArrayAttr[Attribute] | None = None,
        verify_target: bool = True,
    ) -> None:
        if isinstance(O, tuple):  # what `parse_parameter` gave: xDSL's parser passes it on whole
            super().__init__(O)
        else:
            super().__init__((O, triple, chip, features, flags, link, verify_target))

    @property
    def O(self) -> int:  # noqa: E743 - MLIR's name
        return self.data[0]

    @property
    def triple(self) -> str:
        return self.data[1]

    @property
    def chip(self) -> str:
        return self.data[2]

    @property
    def features(self) -> str:
        return self.data[3]

    @property
    def flags(self) -> DictionaryAttr | None:
        return self.data[4]

    @property
    def link(self) -> ArrayAttr[Attribute] | None:
        return self.data[5]

    @property
    def verify_target(self) -> bool:
        return self.data[6]

    def has_flag(self, flag: str) -> bool:
        return self.flags is not None and flag in self.flags.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> _Data:
        values = dict(_DEFAULTS)
        at = parser.pos
        if parser.parse_optional_punctuation("<") is None:
            return cast("_Data", tuple(values.values()))
        seen: set[str] = set()
        if parser.parse_optional_punctuation(">") is not None:
            return cast("_Data", tuple(values.values()))
        while True:
            key = parser.parse_optional_identifier()
            if key is None:
                parser.raise_error("expected valid keyword")
            parser.parse_punctuation("=")
            if key in seen or key not in values:
                parser.raise_error(f"duplicate or unknown struct parameter name: {key}")
            seen.add(key)
            with reading(attr_spec(cls.name), key, parser):
                values[key] = _parse_value(parser, key)
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        if not 0 <= cast("int", values["O"]) <= 3:
            parser.raise_error("The optimization level must be a number between 0 and 3.", at)
        if not values["triple"]:
            parser.raise_error("The target triple cannot be empty.", at)
        if not values["chip"]:
            parser.raise_error("The target chip cannot be empty.", at)
        link = cast("ArrayAttr[Attribute] | None", values["link"])
        if link is not None and any(not isinstance(item, StringAttr) for item in link.data):
            parser.raise_error("All the elements in the `link` array must be strings.", at)
        return cast("_Data", tuple(values.values()))

    def print_parameter(self, printer: Printer) -> None:
        shown = [
            (key, value)
            for (key, default), value in zip(_DEFAULTS.items(), self.data, strict=True)
            if value != default
        ]
        if not shown:
            return
        printer.print_string("<")
        for i, (key, value) in enumerate(shown):
            printer.print_string(f"{', ' if i else ''}{key} = ")
            if isinstance(value, bool):
                printer.print_string("true" if value else "false")
            elif isinstance(value, int):
                printer.print_string(str(value))
            elif isinstance(value, str):
                printer.print_attribute(StringAttr(value))
            elif value is not None:
                printer.print_attribute(value)
        printer.print_string(">")


def _parse_value(parser: AttrParser, key: str) -> ArrayAttr | DictionaryAttr | int | str | None:
    if key == "O":
        return read_integer(parser, 32)
    if key in ("triple", "chip", "features"):
        return parser.parse_str_literal()
    if key == "verifyTarget":
        return parser.parse_boolean()
    value = parser.parse_attribute()
    if not isinstance(value, DictionaryAttr if key == "flags" else ArrayAttr):
        parser.raise_error("invalid kind of attribute specified")
    return value


ATTRIBUTES: dict[str, type[Attribute]] = {NVVMTargetAttr.name: NVVMTargetAttr}
