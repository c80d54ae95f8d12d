# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of the llvm dialect whose syntax or content the tables do not carry.

The six enumerations below are attributes of one enum parameter in ODS; here they are enumeration
attributes as any other: `data` is the keyword, `value` MLIR's integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, StringAttr
from xdsl.ir import Data, SpacedOpaqueSyntaxAttribute
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.fields import current_token
from xgpu.core.syntax.formats.numbers import read_wide_integer
from xgpu.dialects.llvm.types import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Never

    from xdsl.ir import Attribute
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer as XdslPrinter

    from xgpu.dialects import llvm


class KeywordAttr(Data[str]):
    """`#llvm.name<keyword>`, or `#llvm.name keyword` without `brackets`."""

    cases: ClassVar[dict[str, int]]
    #: What MLIR calls the keywords.
    words: ClassVar[str]
    brackets: ClassVar[bool] = True

    def __init__(self, keyword: str) -> None:
        if keyword not in self.cases:
            raise VerifyException(f"{self.name} has no case {keyword!r}")
        super().__init__(keyword)

    @property
    def value(self) -> int:
        return self.cases[self.data]

    @classmethod
    def of_value(cls, value: int) -> KeywordAttr:
        return cls(next(k for k, v in cls.cases.items() if v == value))

    @classmethod
    def starts(cls, parser: AttrParser) -> bool:
        text = current_token(parser).text
        return text == "<" if cls.brackets else text in cls.cases

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        if cls.brackets:
            parser.parse_punctuation("<")
        keyword = parser.parse_optional_str_literal() or parser.parse_optional_identifier()
        if keyword is None:
            parser.raise_error(f"expected keyword for {cls.words}")
        if keyword not in cls.cases:
            parser.raise_error(
                f"expected one of [{', '.join(cls.cases)}] for {cls.words}, got: {keyword}"
            )
        if cls.brackets:
            parser.parse_punctuation(">")
        return keyword

    def print_parameter(self, printer: XdslPrinter) -> None:
        text = self.data
        if not self.data.replace("_", "").isalnum():
            text = f'"{text}"'
        printer.print_string(f"<{text}>" if self.brackets else text)


class LinkageAttr(KeywordAttr):
    name = "llvm.linkage"
    words = "LLVM linkage types"
    cases = {
        "external": 0,
        "available_externally": 1,
        "linkonce": 2,
        "linkonce_odr": 3,
        "weak": 4,
        "weak_odr": 5,
        "appending": 6,
        "internal": 7,
        "private": 8,
        "extern_weak": 9,
        "common": 10,
    }


class CConvAttr(KeywordAttr):
    name = "llvm.cconv"
    words = "Calling Conventions"
    cases = {
        "ccc": 0,
        "fastcc": 8,
        "coldcc": 9,
        "cc_10": 10,
        "cc_11": 11,
        "anyregcc": 13,
        "preserve_mostcc": 14,
        "preserve_allcc": 15,
        "swiftcc": 16,
        "cxx_fast_tlscc": 17,
        "tailcc": 18,
        "cfguard_checkcc": 19,
        "swifttailcc": 20,
        "x86_stdcallcc": 64,
        "x86_fastcallcc": 65,
        "arm_apcscc": 66,
        "arm_aapcscc": 67,
        "arm_aapcs_vfpcc": 68,
        "msp430_intrcc": 69,
        "x86_thiscallcc": 70,
        "ptx_kernelcc": 71,
        "ptx_devicecc": 72,
        "spir_funccc": 75,
        "spir_kernelcc": 76,
        "intel_ocl_bicc": 77,
        "x86_64_sysvcc": 78,
        "win64cc": 79,
        "x86_vectorcallcc": 80,
        "hhvmcc": 81,
        "hhvm_ccc": 82,
        "x86_intrcc": 83,
        "avr_intrcc": 84,
        "avr_signalcc": 85,
        "avr_builtincc": 86,
        "amdgpu_vscc": 87,
        "amdgpu_gscc": 88,
        "amdgpu_pscc": 89,
        "amdgpu_cscc": 90,
        "amdgpu_kernelcc": 91,
        "x86_regcallcc": 92,
        "amdgpu_hscc": 93,
        "msp430_builtincc": 94,
        "amdgpu_lscc": 95,
        "amdgpu_escc": 96,
        "aarch64_vectorcallcc": 97,
        "aarch64_sve_vectorcallcc": 98,
        "wasm_emscripten_invokecc": 99,
        "amdgpu_gfxcc": 100,
        "m68k_intrcc": 101,
    }


class ComdatAttr(KeywordAttr, SpacedOpaqueSyntaxAttribute):
    name = "llvm.comdat"
    words = "LLVM Comdat Types"
    cases = {"any": 0, "exactmatch": 1, "largest": 2, "nodeduplicate": 3, "samesize": 4}
    brackets = False


class TailCallKindAttr(KeywordAttr):
    name = "llvm.tailcallkind"
    words = "Tail Call Kind"
    cases = {"none": 0, "tail": 1, "musttail": 2, "notail": 3}


class FramePointerKindAttr(KeywordAttr):
    name = "llvm.framePointerKind"
    words = "LLVM FramePointerKind"
    cases = {"none": 0, "non-leaf": 1, "all": 2, "reserved": 3, "non-leaf-no-reserve": 4}


class UWTableKindAttr(KeywordAttr):
    name = "llvm.uwtableKind"
    words = "LLVM Unwind Behavior"
    cases = {"none": 0, "sync": 1, "async": 2}


class ConstantRangeAttr(Data[tuple[int, int, int]]):
    """`#llvm.constant_range<i32, lower, upper>`; data is (width, lower, upper), bounds signed."""

    name = "llvm.constant_range"

    def __init__(
        self, width: int | tuple[int, int, int], lower: int | None = None, upper: int | None = None
    ) -> None:
        if isinstance(width, tuple):
            super().__init__(width)
        else:
            super().__init__((width, _signed(lower, width), _signed(upper, width)))

    @property
    def width(self) -> int:
        return self.data[0]

    @property
    def lower(self) -> int:
        return self.data[1]

    @property
    def upper(self) -> int:
        return self.data[2]

    @classmethod
    def starts(cls, parser: AttrParser) -> bool:
        return current_token(parser).text == "<"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[int, int, int]:
        parser.parse_punctuation("<")
        t = parser.parse_type()
        if not isinstance(t, IntegerType):
            parser.raise_error("expected integer type")
        width = t.width.data
        parser.parse_punctuation(",")
        lower = read_wide_integer(parser)
        parser.parse_punctuation(",")
        upper = read_wide_integer(parser)
        parser.parse_punctuation(">")
        return width, _signed(lower, width), _signed(upper, width)

    def print_parameter(self, printer: XdslPrinter) -> None:
        width, lower, upper = self.data
        printer.print_string(f"<i{width}, {lower}, {upper}>")


def _signed(value: int | None, width: int) -> int:
    bits = (value or 0) & (1 << width) - 1
    return bits - (1 << width) if width and bits >> width - 1 else bits


# -- checks of the parameters --------------------------------------------------------------------
def _module_flag(attr: llvm.MlirModuleFlagAttr) -> None:
    _, key, value = attr.data
    if key.data == "CG Profile":
        if not isinstance(value, ArrayAttr) or any(
            entry.name != "llvm.cgprofile_entry" for entry in value.data
        ):
            raise VerifyException("'CG Profile' key expects an array of '#llvm.cgprofile_entry'")
    elif key.data == "ProfileSummary":
        if value.name != "llvm.profile_summary":
            raise VerifyException(
                "'ProfileSummary' key expects a '#llvm.profile_summary' attribute"
            )
    elif not isinstance(value, (IntegerAttr, StringAttr)):
        raise VerifyException(
            "only integer and string values are currently supported for unknown key "
            f"'\"{key.data}\"'"
        )


def _target_features(attr: llvm.TargetFeaturesAttr) -> None:
    for feature in attr.data[0] or ():
        text = feature.data if isinstance(feature, StringAttr) else ""
        if not text:
            raise VerifyException("target features can not be null or empty")
        if text[0] not in "+-":
            raise VerifyException("target features must start with '+' or '-'")
        if "," in text:
            raise VerifyException("target features can not contain ','")


VERIFY_PARAMETERS: dict[str, Callable[[Never], None]] = {
    "llvm.mlir.module_flag": _module_flag,
    "llvm.target_features": _target_features,
}

ATTRIBUTES: dict[str, type[Attribute]] = {
    **TYPES,
    **{
        cls.name: cls
        for cls in (
            LinkageAttr,
            CConvAttr,
            ComdatAttr,
            TailCallKindAttr,
            FramePointerKindAttr,
            UWTableKindAttr,
            ConstantRangeAttr,
        )
    },
}
