# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters of attributes that MLIR reads and writes in C++.

Those are the members of a TBAA type, in braces, and DWARF's numbers in debug-info attributes, which
go by LLVM's keywords: here the keyword is the value, `tag = DW_TAG_member` holds "DW_TAG_member".
The names are those of LLVM 22, without their prefix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.syntax.formats.numbers import read_integer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import Attribute
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer as XdslPrinter

    from xgpu.core.syntax.formats.parser_state import ReadState, Slot


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
    from xgpu.core.syntax.formats.attr_syntax import write_stripped

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
