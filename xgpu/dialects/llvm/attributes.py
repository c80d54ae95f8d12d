# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of the llvm dialect whose syntax or content the tables do not carry.

The six enumerations below are attributes of one enum parameter in ODS; here they are enumeration
attributes as any other: `data` is the keyword, `value` MLIR's integer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Never, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, Data, Operation, SpacedOpaqueSyntaxAttribute
from xdsl.utils.exceptions import VerifyException

from xgpu.core import ods
from xgpu.core.ir.construction import current_token
from xgpu.core.ods.attributes import reading
from xgpu.core.ods.registry import attr_spec
from xgpu.core.syntax.formats.attr_syntax import write_stripped
from xgpu.core.syntax.formats.numbers import read_integer, read_wide_integer
from xgpu.dialects import llvm
from xgpu.dialects.llvm.types import TYPES

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer as XdslPrinter

    from xgpu.core.syntax.formats.fields import ReadState, Slot
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


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
        spec = attr_spec(cls.name)
        with reading(spec, spec.parameters[0].name if spec is not None else "", parser):
            keyword = cls._parse_keyword(parser)
        if cls.brackets:
            parser.parse_punctuation(">")
        return keyword

    @classmethod
    def _parse_keyword(cls, parser: AttrParser) -> str:
        at = parser.pos
        keyword = parser.parse_optional_str_literal() or parser.parse_optional_identifier()
        if keyword is None:
            parser.raise_error(f"expected keyword for {cls.words}")
        if keyword not in cls.cases:
            parser.raise_error(
                f"expected one of [{', '.join(cls.cases)}] for {cls.words}, got: {keyword}", at
            )
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


#: Parameters that MLIR 22 asks for and later versions leave out, with what they are then.
OMISSIBLE: dict[tuple[str, str], object] = {("llvm.di_compile_unit", "isOptimized"): False}

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


# -- LLVM IR's words, by the integers that MLIR gives them.


ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FCMP = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
ATOMIC_RMW = (
    *("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"),
    *("fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"),
    *("fmaximum", "fminimum"),
)
#: In `rawConstantIndices` of a getelementptr: the index is an operand.
DYNAMIC_INDEX = -(2**31)


# -- The optional keywords before the name of a function, global, alias or call.


#: Keywords by MLIR's integer; the first stands for saying nothing.
VISIBILITY = ("", "hidden", "protected")
UNNAMED_ADDR = ("", "local_unnamed_addr", "unnamed_addr")


def parse_linkage(parser: Parser) -> LinkageAttr:
    return LinkageAttr(parser.parse_optional_keyword_in(LinkageAttr.cases) or "external")


def parse_convention(parser: Parser) -> CConvAttr:
    return CConvAttr(parser.parse_optional_keyword_in(CConvAttr.cases) or "ccc")


def parse_tail_call_kind(parser: Parser) -> TailCallKindAttr:
    return TailCallKindAttr(parser.parse_optional_keyword_in(TailCallKindAttr.cases) or "none")


def parse_choice(parser: Parser, choices: tuple[str, ...]) -> IntegerAttr:
    """One of `choices` as MLIR's integer; 0 if none of them stands here."""
    keyword = parser.parse_optional_keyword_in(choices[1:])
    return IntegerAttr(choices.index(keyword) if keyword else 0, i64)


def choice(attr: Attribute | None, choices: tuple[str, ...]) -> str:
    """The keyword of an integer attribute with a blank behind, or nothing."""
    if attr is None:
        return ""
    text = choices[attr.value.data]  # pyright: ignore[reportAttributeAccessIssue]
    return f"{text} " if text else ""


def parse_string(parser: Parser) -> str:
    """A string attribute, as MLIR reads one: any other attribute is of an invalid kind."""
    at = parser.pos
    text = parser.parse_optional_str_literal()
    if text is None:
        parser.parse_attribute()
        raise parser.raise_error("invalid kind of attribute specified", at)
    return text


def print_dict(
    printer: Printer, op: Operation, hidden: tuple[str, ...], *, keyword: bool = False
) -> None:
    """` {...}` of all attributes of `op`, sorted by name, without `hidden`."""
    shown = {k: v for k, v in {**op.properties, **op.attributes}.items() if k not in hidden}
    flags = cast("llvm.FastmathAttr | None", shown.get("fastmathFlags"))
    if flags is not None and flags.data in ("none", ""):
        del shown["fastmathFlags"]
    if shown:
        printer.print_op_attributes(dict(sorted(shown.items())), print_keyword=keyword)


def split(
    name: str, given: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """(properties, discardable attributes) of an attribute dictionary of the operation `name`."""
    spec = ods.op_spec(name)
    inherent = {a.name for a in spec.attrs} if spec is not None else set()
    properties = {k: v for k, v in given.items() if k in inherent}
    return properties, {k: v for k, v in given.items() if k not in inherent}


# -- Parameters of attributes that MLIR reads and writes in C++.
#
# Those are the members of a TBAA type, in braces, and DWARF's numbers in debug-info attributes,
# which go by LLVM's keywords: here the keyword is the value, `tag = DW_TAG_member` holds
# "DW_TAG_member". The names are those of LLVM 22, without their prefix.


_TAG = """
null array_type class_type entry_point enumeration_type formal_parameter imported_declaration
label lexical_block member pointer_type reference_type compile_unit string_type structure_type
subroutine_type typedef union_type unspecified_parameters variant common_block common_inclusion
inheritance inlined_subroutine module ptr_to_member_type set_type subrange_type with_stmt
access_declaration base_type catch_block const_type constant enumerator file_type friend namelist
namelist_item packed_type subprogram template_type_parameter template_value_parameter thrown_type
try_block variant_part variable volatile_type dwarf_procedure restrict_type interface_type
namespace imported_module unspecified_type partial_unit imported_unit condition shared_type
type_unit rvalue_reference_type template_alias coarray_type generic_subrange dynamic_type
atomic_type call_site call_site_parameter skeleton_unit immutable_type MIPS_loop format_label
function_template class_template GNU_BINCL GNU_EINCL GNU_template_template_param
GNU_template_parameter_pack GNU_formal_parameter_pack GNU_call_site GNU_call_site_parameter
APPLE_property SUN_function_template SUN_class_template SUN_struct_template SUN_union_template
SUN_indirect_inheritance SUN_codeflags SUN_memop_info SUN_omp_child_func SUN_rtti_descriptor
SUN_dtor_info SUN_dtor SUN_f90_interface SUN_fortran_vax_structure SUN_hi LLVM_ptrauth_type
ALTIUM_circ_type ALTIUM_mwa_circ_type ALTIUM_rev_carry_type ALTIUM_rom LLVM_annotation
GHS_namespace GHS_using_namespace GHS_using_declaration GHS_template_templ_param UPC_shared_type
UPC_strict_type UPC_relaxed PGI_kanji_type PGI_interface_block BORLAND_property
BORLAND_Delphi_string BORLAND_Delphi_dynamic_array BORLAND_Delphi_set BORLAND_Delphi_variant
"""
_ATE = """
address boolean complex_float float signed signed_char unsigned unsigned_char imaginary_float
packed_decimal numeric_string edited signed_fixed unsigned_fixed decimal_float UTF UCS ASCII
HP_complex_float HP_float128 HP_complex_float128 HP_floathpintel HP_imaginary_float90
HP_imaginary_float128
"""
_LANG = """
C89 C Ada83 C_plus_plus Cobol74 Cobol85 Fortran77 Fortran90 Pascal83 Modula2 Java C99 Ada95
Fortran95 PLI ObjC ObjC_plus_plus UPC D Python OpenCL Go Modula3 Haskell C_plus_plus_03
C_plus_plus_11 OCaml Rust C11 Swift Julia Dylan C_plus_plus_14 Fortran03 Fortran08 RenderScript
BLISS Kotlin Zig Crystal C_plus_plus_17 C_plus_plus_20 C17 Fortran18 Ada2005 Ada2012 HIP Assembly
C_sharp Mojo GLSL GLSL_ES HLSL OpenCL_CPP CPP_for_OpenCL SYCL Metal Ruby Move Hylo Mips_Assembler
GOOGLE_RenderScript BORLAND_Delphi
"""
_CC = """
normal program nocall pass_by_reference pass_by_value GNU_renesas_sh GNU_borland_fastcall_i386
BORLAND_safecall BORLAND_stdcall BORLAND_pascal BORLAND_msfastcall BORLAND_msreturn
BORLAND_thiscall BORLAND_fastcall LLVM_vectorcall LLVM_Win64 LLVM_X86_64SysV LLVM_AAPCS
LLVM_AAPCS_VFP LLVM_IntelOclBicc LLVM_SpirFunction LLVM_DeviceKernel LLVM_Swift LLVM_PreserveMost
LLVM_PreserveAll LLVM_X86RegCall LLVM_M68kRTD LLVM_PreserveNone LLVM_RISCVVectorCall
LLVM_SwiftTail LLVM_RISCVVLSCall GDB_IBM_OpenCL
"""
_OP = """
addr deref const1u const1s const2u const2s const4u const4s const8u const8s constu consts dup drop
over pick swap rot xderef abs and div minus mod mul neg not or plus plus_uconst shl shr shra xor
bra eq ge gt le lt ne skip lit0 lit1 lit2 lit3 lit4 lit5 lit6 lit7 lit8 lit9 lit10 lit11 lit12
lit13 lit14 lit15 lit16 lit17 lit18 lit19 lit20 lit21 lit22 lit23 lit24 lit25 lit26 lit27 lit28
lit29 lit30 lit31 reg0 reg1 reg2 reg3 reg4 reg5 reg6 reg7 reg8 reg9 reg10 reg11 reg12 reg13 reg14
reg15 reg16 reg17 reg18 reg19 reg20 reg21 reg22 reg23 reg24 reg25 reg26 reg27 reg28 reg29 reg30
reg31 breg0 breg1 breg2 breg3 breg4 breg5 breg6 breg7 breg8 breg9 breg10 breg11 breg12 breg13
breg14 breg15 breg16 breg17 breg18 breg19 breg20 breg21 breg22 breg23 breg24 breg25 breg26 breg27
breg28 breg29 breg30 breg31 regx fbreg bregx piece deref_size xderef_size nop push_object_address
call2 call4 call_ref form_tls_address call_frame_cfa bit_piece implicit_value stack_value
implicit_pointer addrx constx entry_value const_type regval_type deref_type xderef_type convert
reinterpret GNU_push_tls_address HP_is_value HP_fltconst4 HP_fltconst8 HP_mod_range HP_unmod_range
HP_tls INTEL_bit_piece WASM_location WASM_location_int APPLE_uninit GNU_implicit_pointer
GNU_entry_value PGI_omp_thread_num GNU_addr_index GNU_const_index LLVM_user LLVM_convert
LLVM_fragment LLVM_tag_offset LLVM_entry_value LLVM_implicit_pointer LLVM_arg
LLVM_extract_bits_sext LLVM_extract_bits_zext
"""

#: Parameter name -> (prefix, what MLIR calls it, the names).
_KINDS = {
    "tag": ("DW_TAG_", "tag", _TAG),
    "encoding": ("DW_ATE_", "encoding", _ATE),
    "sourceLanguage": ("DW_LANG_", "language", _LANG),
    "callingConvention": ("DW_CC_", "calling convention", _CC),
    "opcode": ("DW_OP_", "operation encoding", _OP),
}


def _read(name: str, parser: AttrParser) -> str:
    prefix, what, names = _KINDS[name]
    at = parser.pos
    keyword = parser.parse_optional_identifier()
    if keyword is None:
        parser.raise_error("expected valid keyword")
    if not keyword.startswith(prefix) or keyword.removeprefix(prefix) not in names.split():
        parser.raise_error(f"invalid debug info debug info {what} name: {keyword}", at)
    return keyword


def _parameter(name: str) -> tuple[Callable[[AttrParser], str], Callable[[XdslPrinter, str], None]]:
    def read(parser: AttrParser) -> str:
        return _read(name, parser)

    return read, write


def write(printer: XdslPrinter, value: str) -> None:
    """Writes the keyword."""
    printer.print_string(str(value))


# -- members of a TBAA type -----------------------------------------------------------------------
def _read_members(parser: AttrParser) -> tuple[object, ...]:
    from xgpu.core.syntax.formats.attr_parameters import read_kind

    return tuple(
        parser.parse_comma_separated_list(
            parser.Delimiter.BRACES, lambda: read_kind("TBAAMemberAttr", "llvm", parser, False)
        )
    )


def _write_members(printer: XdslPrinter, value: Sequence[Attribute]) -> None:
    printer.print_string("{")
    printer.print_list(value, lambda member: write_stripped(printer, member))
    printer.print_string("}")


# -- the format of a profile summary --------------------------------------------------------------
_PROFILE_FORMATS = ("SampleProfile", "InstrProf", "CSInstrProf")


def _read_profile_format(parser: AttrParser) -> str:
    at = parser.pos
    keyword = parser.parse_optional_str_literal()
    if keyword is None:
        keyword = parser.parse_optional_identifier()
    if keyword is None:
        parser.raise_error("expected keyword for LLVM ProfileSummary format kinds", at)
    if keyword not in _PROFILE_FORMATS:
        parser.raise_error(
            f"expected one of [{', '.join(_PROFILE_FORMATS)}] for LLVM ProfileSummary format "
            f"kinds, got: {keyword}",
            at,
        )
    return keyword


#: (C++ type, parameter name) -> (reader, writer).
PARAMETERS = {
    ("ProfileSummaryFormatKind", "format"): (_read_profile_format, write),
    **{("unsigned", name): _parameter(name) for name in _KINDS},
    ("ArrayRef<TBAAMemberAttr>", "members"): (_read_members, _write_members),
}


# -- the arguments of an operation of a DWARF expression --------------------------------------
def parse_arguments(parser: AttrParser, state: ReadState, opcode: Slot, arguments: Slot) -> None:
    """`16, DW_ATE_signed`: numbers, of a conversion the second an encoding."""
    found: list[int | str] = []
    while True:
        if opcode.get() == "DW_OP_LLVM_convert" and len(found) == 1:
            found.append(_read("encoding", parser))
        else:
            found.append(read_integer(parser, 64, signed=False))
        if parser.parse_optional_punctuation(",") is None:
            break
    arguments.set(tuple(found))


def print_arguments(
    printer: XdslPrinter, attr: Attribute, opcode: str, arguments: Sequence[int | str]
) -> None:
    """The arguments as `parse_arguments` reads them."""
    printer.print_string(", ".join(map(str, arguments)))


# -- How LLVM's loop metadata says what the parts of a `#llvm.loop_annotation` say.


#: Sub-attribute of a loop annotation -> its parameters as (name, LLVM's option, how).
#: "flag" adds the bare option if true, "off" if false, "bool" the value, "i32" a number,
#: "loop" a follow-up loop.
LOOP_PARTS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "vectorize",
        (
            ("disable", "llvm.loop.vectorize.enable", "not"),
            ("predicateEnable", "llvm.loop.vectorize.predicate.enable", "bool"),
            ("scalableEnable", "llvm.loop.vectorize.scalable.enable", "bool"),
            ("width", "llvm.loop.vectorize.width", "i32"),
            ("followupVectorized", "llvm.loop.vectorize.followup_vectorized", "loop"),
            ("followupEpilogue", "llvm.loop.vectorize.followup_epilogue", "loop"),
            ("followupAll", "llvm.loop.vectorize.followup_all", "loop"),
        ),
    ),
    ("interleave", (("count", "llvm.loop.interleave.count", "i32"),)),
    (
        "unroll",
        (
            ("disable", "llvm.loop.unroll.disable|llvm.loop.unroll.enable", "either"),
            ("count", "llvm.loop.unroll.count", "i32"),
            ("runtimeDisable", "llvm.loop.unroll.runtime.disable", "bool"),
            ("full", "llvm.loop.unroll.full", "flag"),
            ("followupUnrolled", "llvm.loop.unroll.followup_unrolled", "loop"),
            ("followupRemainder", "llvm.loop.unroll.followup_remainder", "loop"),
            ("followupAll", "llvm.loop.unroll.followup_all", "loop"),
        ),
    ),
    (
        "unrollAndJam",
        (
            (
                "disable",
                "llvm.loop.unroll_and_jam.disable|llvm.loop.unroll_and_jam.enable",
                "either",
            ),
            ("count", "llvm.loop.unroll_and_jam.count", "i32"),
            ("followupOuter", "llvm.loop.unroll_and_jam.followup_outer", "loop"),
            ("followupInner", "llvm.loop.unroll_and_jam.followup_inner", "loop"),
            (
                "followupRemainderOuter",
                "llvm.loop.unroll_and_jam.followup_remainder_outer",
                "loop",
            ),
            (
                "followupRemainderInner",
                "llvm.loop.unroll_and_jam.followup_remainder_inner",
                "loop",
            ),
            ("followupAll", "llvm.loop.unroll_and_jam.followup_all", "loop"),
        ),
    ),
    (
        "licm",
        (
            ("disable", "llvm.licm.disable", "flag"),
            ("versioningDisable", "llvm.loop.licm_versioning.disable", "flag"),
        ),
    ),
    (
        "distribute",
        (
            ("disable", "llvm.loop.distribute.enable", "not"),
            ("followupCoincident", "llvm.loop.distribute.followup_coincident", "loop"),
            ("followupSequential", "llvm.loop.distribute.followup_sequential", "loop"),
            ("followupFallback", "llvm.loop.distribute.followup_fallback", "loop"),
            ("followupAll", "llvm.loop.distribute.followup_all", "loop"),
        ),
    ),
    (
        "pipeline",
        (
            ("disable", "llvm.loop.pipeline.disable", "bool"),
            ("initiationinterval", "llvm.loop.pipeline.initiationinterval", "i32"),
        ),
    ),
    ("peeled", (("count", "llvm.loop.peeled.count", "i32"),)),
    ("unswitch", (("partialDisable", "llvm.loop.unswitch.partial.disable", "flag"),)),
)
