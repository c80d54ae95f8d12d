# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constraints of operands, results and attributes as table entries, each stated once.

A type constraint becomes `(expression, summary)`, followed by the type that it builds, followed by
the name of the type that its C++ class fixes, as far as there are any; an attribute constraint
becomes `(kind, expression, summary)`. Named ODS records keep their name; anonymous ones are named
after their summary.
"""

from __future__ import annotations

import re

from tools.tables.cpp import UNKNOWN, Translator
from tools.tables.cpp_words import HANDWRITTEN_CLASSES
from tools.tables.predicates import expand
from tools.tables.records import Record, Records, is_a

#: What `builderCall` builds, as MLIR writes the type. `?` stands for a count in the C++ text.
_BUILDERS = (
    (r"getIntegerType\((\d+)\)", r"i\1"),
    (r"getIntegerType\((\d+), /\*isSigned=\*/true\)", r"si\1"),
    (r"getIntegerType\((\d+), /\*isSigned=\*/false\)", r"ui\1"),
    (r"getI(\d+)Type\(\)", r"i\1"),
    (r"getIndexType\(\)", "index"),
    (r"getF(\d+)Type\(\)", r"f\1"),
    (r"getType<BFloat16Type>", "bf16"),
    (r"getType<FloatTF32Type>", "tf32"),
    (r"getType<(?:::mlir::)?(?:Float)(\w+)Type>", r"f\1"),
    (r"NoneType", "none"),
    (r"gpu::AsyncTokenType", "!gpu.async.token"),
    (r"gpu::SparseDnTensorHandleType", "!gpu.sparse.dntensor_handle"),
    (r"gpu::SparseSpMatHandleType", "!gpu.sparse.spmat_handle"),
    (r"gpu::SparseSpGEMMOpHandleType", "!gpu.sparse.spgemmop_handle"),
    (r"LLVM::LLVMTokenType", "!llvm.token"),
    (r"LLVM::LLVMPointerType::get\(\$_builder\.getContext\(\), *0\)", "!llvm.ptr"),
    (r"LLVM::LLVMPointerType::get\(\$_builder\.getContext\(\)\)", "!llvm.ptr"),
    (r"LLVM::LLVMPointerType>\(\)", "!llvm.ptr"),
    (r"LLVM::LLVMPointerType::get\(\$_builder\.getContext\(\), *0\)", "!llvm.ptr"),
    (r"LLVM::LLVMPointerType::get\(\$_builder\.getContext\(\), *(\d+)\)", r"!llvm.ptr<\1>"),
    (r"LLVM::LLVMPointerType>\((\d+)\)", r"!llvm.ptr<\1>"),
)


class Names:
    """Names of C++ classes that ODS defines, over all dialects."""

    def __init__(self) -> None:
        #: C++ class without `mlir::` -> MLIR's name of the attribute or type.
        self.attributes: dict[str, str] = {}
        #: C++ class -> operation name.
        self.operations: dict[str, str] = {}
        #: C++ class of an enumeration that is an IntegerAttr -> what holds for its values.
        self.enums: dict[str, str] = {}

    def read(self, records: Records) -> None:
        for record in [*records.of_class("AttrDef"), *records.of_class("TypeDef")]:
            if not record.get("mnemonic"):
                continue
            dialect = records.get(record["dialect"])
            name = f"{dialect['name']}.{record['mnemonic']}"
            self.attributes[_bare(f"{dialect['cppNamespace']}::{record['cppClassName']}")] = name
            self.attributes[_bare(record["cppType"])] = name
        for record in records.of_class("EnumAttrInfo"):
            if record["genSpecializedAttr"]:
                cls = _bare(f"{record['cppNamespace']}::{record['specializedAttrClassName']}")
                self.enums[cls] = enum_expression(records, record)
        for record in records.of_class("Op"):
            dialect = records.get(record["opDialect"])
            cls = re.sub(r"^[A-Za-z0-9]+_", "", record["!name"])
            name = f"{dialect['name']}.{record['opName']}"
            self.operations[_bare(f"{record['cppNamespace']}::{cls}")] = name
            self.operations[_bare(f"{record['cppNamespace']}::{record['!name']}")] = name


def _bare(cpp: str) -> str:
    return cpp.removeprefix("::").removeprefix("mlir::")


class ConstraintTable:
    """The constraints met so far, each under one name."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.translator = Translator(names.attributes, names.enums)
        self.types: dict[str, tuple[str, ...]] = {}
        self.attributes: dict[str, tuple[str, ...]] = {}
        self.regions: dict[str, tuple[str, ...]] = {}
        #: constraint name -> dialects whose rows use it
        self.users: dict[tuple[str, str], set[str]] = {}

    def type(self, records: Records, record: Record, dialect: str) -> str:
        """The name of a type constraint's entry."""
        expression = self._expression(records, record)
        entry: tuple[str, ...] = (expression, _summary(record))
        builder = self._builder(record)
        cls = _bare(record.get("cppType") or "")
        name = self.names.attributes.get(cls) or HANDWRITTEN_CLASSES.get(cls) or ""
        if name:
            entry += (builder, name)
        elif builder:
            entry += (builder,)
        return self._enter("types", self.types, record, entry, dialect)

    def attribute(self, records: Records, record: Record, dialect: str) -> str:
        """The name of an attribute constraint's entry."""
        if is_a(record, "EnumProp"):
            info = records.get(record["enum"])
            form = f"{record['mnemonic']}<> " if record.get("mnemonic") else ""
            kind = f"int-enum i{info['bitwidth']} {form}{enum_text(records, info)}"
            entry: tuple[str, ...] = (kind, enum_expression(records, info), _summary(info))
        elif is_a(record, "Property"):
            record = {"!name": "UnitProp", "!anonymous": False, "summary": "unit attribute"}
            entry = ("unit-prop", "is_unit(t) or is_bool(t)", "unit attribute")
        else:
            kind = self._kind(records, record, dialect)
            entry = (kind, self._attribute_expression(records, record, kind), _summary(record))
        return self._enter("attributes", self.attributes, record, entry, dialect)

    def region(self, records: Records, record: Record, dialect: str) -> str:
        """The name of a region constraint's entry."""
        text = expand(records, records.get(record["predicate"])) if record["predicate"] else "true"
        entry = (self.translator.translate(text), _summary(record))
        if entry[0] == "True":
            entry = ("True", "any region")
        return self._enter("types", self.types, record, entry, dialect)

    def _enter(
        self,
        group: str,
        table: dict[str, tuple[str, ...]],
        record: Record,
        entry: tuple[str, ...],
        dialect: str,
    ) -> str:
        name = _slug(entry) if record["!anonymous"] else record["!name"]
        base, number = name, 2
        while table.setdefault(name, entry) != entry:
            name = f"{base}_{number}"
            number += 1
        self.users.setdefault((group, name), set()).add(dialect)
        return name

    def _expression(self, records: Records, record: Record) -> str:
        return self.translator.translate(expand(records, records.get(record["predicate"])))

    def _builder(self, record: Record) -> str:
        call = record.get("builderCall") or ""
        if not call:
            return ""
        if match := re.search(r"VectorType::get\(\{([\d ,]+)\}\s*,\s*(.*?)\s*\);?$", call):
            shape = match[1].replace(" ", "").replace(",", "x")
            return f"vector<{shape}x{self._builder({'builderCall': match[2]})}>"
        if match := re.search(r"ComplexType::get\((.*)\)", call):
            return f"complex<{self._builder({'builderCall': match[1]})}>"
        for pattern, written in _BUILDERS:
            if match := re.search(pattern, call):
                return match.expand(written).replace("!llvm.ptr<0>", "!llvm.ptr")
        if match := re.search(r"getType<(?:::)?(?:mlir::)?([\w:]+)>\(\)|([\w:]+)::get\(", call):
            cls = _bare(match[1] or match[2])
            if cls in self.names.attributes:
                return "!" + self.names.attributes[cls]
        UNKNOWN.add(f"builder {call}")
        return ""

    def _attribute_expression(self, records: Records, record: Record, kind: str) -> str:
        words = kind.split()
        if words[0] == "int-enum":
            info = record
            while not is_a(info, "EnumAttrInfo"):
                info = records.get(info["baseAttr"])
            return enum_expression(records, info)
        return self._expression(records, record)

    def _kind(self, records: Records, record: Record, dialect: str) -> str:
        """What the attribute is to readers, printers and builders: a word and its arguments."""
        if is_a(record, "AttrDef") and records.mlir_dialect(record, "dialect") != "builtin":
            name = f"{records.get(record['dialect'])['name']}.{record['mnemonic']}"
            return ("enum " if is_a(record, "EnumAttr") else "attrdef ") + name
        if is_a(record, "EnumAttrInfo"):
            return f"int-enum i{record['bitwidth']} {enum_text(records, record)}"
        if record["!name"] == "SymbolNameAttr":
            return "symbol-name"
        if is_a(record, "TypedArrayAttrBase"):
            element = records.get(record["elementAttr"])
            return "array " + self.attribute(records, _base(records, element), dialect)
        if is_a(record, "DenseArrayAttrBase"):
            return "dense-array " + re.sub(
                r"Dense(\w+?)ArrayAttr", r"\1", _bare(record["storageType"])
            ).lower().replace("bool", "i1")
        base = record.get("baseAttr")
        if base:
            return self._kind(records, records.get(base), dialect)
        return self._kind_by_storage(records, record)

    def _kind_by_storage(self, records: Records, record: Record) -> str:
        storage = _bare((record.get("storageType") or "").strip())
        value_type = records.get(record["valueType"]) if record.get("valueType") else None
        typed = self._builder(value_type) if value_type else ""
        match storage:
            case "IntegerAttr":
                return f"typed-int {typed}".strip()
            case "FloatAttr":
                return f"typed-float {typed}".strip()
            case "BoolAttr":
                return "bool"
            case "UnitAttr":
                return "unit"
            case "StringAttr":
                return "string"
            case "TypeAttr":
                return "type"
            case "FlatSymbolRefAttr":
                return "flat-symbol-ref"
            case "SymbolRefAttr":
                return "symbol-ref"
            case "ArrayAttr":
                return "array"
            case "DictionaryAttr":
                return "dict"
            case "AffineMapAttr":
                return "affine-map"
            case "IntegerSetAttr":
                return "integer-set"
            case "TypedAttr":
                return "typed"
        if "Elements" in storage:
            return "elements"
        if name := self.names.attributes.get(storage):
            return f"attrdef {name}"
        return "any"


def _or(values: list[int]) -> int:
    result = 0
    for value in values:
        result |= value
    return result


def _base(records: Records, record: Record) -> Record:
    """The constraint under OptionalAttr and DefaultValuedAttr."""
    while (
        is_a(record, "OptionalAttr")
        or is_a(record, "DefaultValuedAttr")
        or is_a(record, "DefaultValuedOptionalAttr")
    ):
        record = records.get(record["baseAttr"])
    return record


base_attribute = _base


def enum_expression(records: Records, info: Record) -> str:
    """What holds for an IntegerAttr that states a value of an enumeration."""
    values = [records.get(case)["value"] for case in info["enumerants"]]
    if is_a(info, "BitEnumBase"):
        return f"is_bits(t, {info['bitwidth']}, {_or(values)})"
    listed = ", ".join(map(str, values)) + ("," if len(values) == 1 else "")
    return f"is_one_of(t, {info['bitwidth']}, ({listed}))"


def enum_text(records: Records, info: Record) -> str:
    """An enumeration's cases as `[bits<separator>] keyword=value ...`, `_` for a space."""
    words: list[str] = []
    if is_a(info, "BitEnumBase"):
        words.append("bits" + info["separator"].replace(" ", "_"))
    for case in map(records.get, info["enumerants"]):
        words.append(f"{case['str']}={case['value']}")
    return " ".join(words)


def _summary(record: Record) -> str:
    return " ".join((record.get("summary") or "").split())


def _slug(entry: tuple[str, ...]) -> str:
    text = entry[1] if len(entry) < 3 or (entry[0] in entry[:1] and "(" in entry[0]) else entry[2]
    words = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    if len(words) > 60:
        words = words[:60].rstrip("_")
    return words or "unnamed"
