# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's nodes for `#llvm.di_*` attributes, as a table."""

from __future__ import annotations

#: Attribute -> (LLVM's node, its fields). A field is (name, parameter, kind): "node", "string",
#: "int", "zero" (an int that is left out if 0), "word" (a keyword), "bool", "flags", "list", "raw".
NODES: dict[str, tuple[str, tuple[tuple[str, str, str], ...]]] = {
    "llvm.di_basic_type": (
        "DIBasicType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("size", "size_in_bits", "zero"),
            ("encoding", "encoding", "word"),
        ),
    ),
    "llvm.di_file": (
        "DIFile",
        (("filename", "name", "required"), ("directory", "directory", "required")),
    ),
    "llvm.di_derived_type": (
        "DIDerivedType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("baseType", "base_type", "base"),
            ("size", "size_in_bits", "zero"),
            ("align", "align_in_bits", "zero"),
            ("offset", "offset_in_bits", "zero"),
            ("dwarfAddressSpace", "dwarf_address_space", "int"),
            ("extraData", "extra_data", "node"),
        ),
    ),
    "llvm.di_composite_type": (
        "DICompositeType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("scope", "scope", "node"),
            ("baseType", "base_type", "node"),
            ("size", "size_in_bits", "zero"),
            ("align", "align_in_bits", "zero"),
            ("flags", "flags", "flags"),
            ("elements", "elements", "list"),
            ("dataLocation", "data_location", "expression"),
            ("associated", "associated", "expression"),
            ("allocated", "allocated", "expression"),
            ("rank", "rank", "expression"),
        ),
    ),
    "llvm.di_string_type": (
        "DIStringType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("stringLength", "string_length", "node"),
            ("stringLengthExpression", "string_length_exp", "expression"),
            ("stringLocationExpression", "string_location_exp", "expression"),
            ("size", "size_in_bits", "zero"),
            ("align", "align_in_bits", "zero"),
            ("encoding", "encoding", "word"),
        ),
    ),
    "llvm.di_lexical_block": (
        "DILexicalBlock",
        (
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("column", "column", "zero"),
        ),
    ),
    "llvm.di_lexical_block_file": (
        "DILexicalBlockFile",
        (
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("discriminator", "discriminator", "int"),
        ),
    ),
    "llvm.di_local_variable": (
        "DILocalVariable",
        (
            ("name", "name", "string"),
            ("arg", "arg", "zero"),
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("type", "type", "node"),
            ("flags", "flags", "flags"),
            ("align", "align_in_bits", "zero"),
        ),
    ),
    "llvm.di_global_variable": (
        "DIGlobalVariable",
        (
            ("name", "name", "string"),
            ("linkageName", "linkage_name", "string"),
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("type", "type", "node"),
            ("isLocal", "is_local_to_unit", "bool"),
            ("isDefinition", "is_defined", "said"),
            ("align", "align_in_bits", "zero"),
        ),
    ),
    "llvm.di_label": (
        "DILabel",
        (
            ("scope", "scope", "node"),
            ("name", "name", "required"),
            ("file", "file", "node"),
            ("line", "line", "int"),
        ),
    ),
    "llvm.di_module": (
        "DIModule",
        (
            ("scope", "scope", "null"),
            ("name", "name", "string"),
            ("configMacros", "config_macros", "string"),
            ("includePath", "include_path", "string"),
            ("apinotes", "apinotes", "string"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("isDecl", "is_decl", "true"),
        ),
    ),
    "llvm.di_namespace": (
        "DINamespace",
        (
            ("name", "name", "string"),
            ("scope", "scope", "null"),
            ("exportSymbols", "export_symbols", "true"),
        ),
    ),
    "llvm.di_imported_entity": (
        "DIImportedEntity",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("scope", "scope", "node"),
            ("entity", "entity", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("elements", "elements", "list"),
        ),
    ),
    "llvm.di_annotation": ("", ()),
    "llvm.di_subrange": (
        "DISubrange",
        (
            ("count", "count", "bound"),
            ("lowerBound", "lower_bound", "bound"),
            ("upperBound", "upper_bound", "bound"),
            ("stride", "stride", "bound"),
        ),
    ),
    "llvm.di_generic_subrange": (
        "DIGenericSubrange",
        (
            ("count", "count", "bound"),
            ("lowerBound", "lower_bound", "bound"),
            ("upperBound", "upper_bound", "bound"),
            ("stride", "stride", "bound"),
        ),
    ),
    "llvm.di_common_block": (
        "DICommonBlock",
        (
            ("scope", "scope", "node"),
            ("declaration", "decl", "node"),
            ("name", "name", "string"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
        ),
    ),
    "llvm.di_subroutine_type": (
        "DISubroutineType",
        (("cc", "calling_convention", "word"), ("types", "types", "types")),
    ),
}
DISTINCT = frozenset(
    ("llvm.di_global_variable", "llvm.di_lexical_block", "llvm.di_lexical_block_file")
)
#: Tags of composite types that are not the same as others that look alike.
OWN_TYPES = frozenset(
    f"DW_TAG_{word}_type" for word in ("class", "enumeration", "structure", "union")
)
