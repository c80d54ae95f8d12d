# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations, attributes and types as rows of text; `xgpu/core/ods/table_parser.py` reads them."""

from __future__ import annotations

import re

from tools.tables.constraints import ConstraintTable, base_attribute, enum_text
from tools.tables.cpp import UNKNOWN
from tools.tables.predicates import expand
from tools.tables.records import Record, Records, is_a

_EFFECTS = {
    "MemoryEffects::Read": "read",
    "MemoryEffects::Write": "write",
    "MemoryEffects::Allocate": "allocate",
    "MemoryEffects::Free": "free",
}
#: Attributes that stand for an enumeration which ODS writes in C++: the keyword of their default.
_HANDWRITTEN_ENUMS = {"CConv": "ccc", "Linkage": "external", "TailCallKind": "none"}


class Rows:
    """Writes the rows of one dialect."""

    def __init__(self, dialect: str, table: ConstraintTable) -> None:
        self.dialect = dialect
        self.table = table
        self.enums: dict[str, str] = {}

    # -- operations ---------------------------------------------------------------------------

    def operation(self, records: Records, op: Record) -> str:
        """The row of an operation: a line a group."""
        operands, attrs = self._arguments(records, op)
        lines = [
            ("operands", ", ".join(operands)),
            ("attrs", ", ".join(attrs)),
            ("results", ", ".join(self._value(records, *arg) for arg in op["results"]["args"])),
            ("regions", ", ".join(self._region(records, *arg) for arg in op["regions"]["args"])),
            (
                "successors",
                ", ".join(self._successor(records, *arg) for arg in op["successors"]["args"]),
            ),
        ]
        simple, complex_ = self._traits(records, op)
        lines.append(("traits", ", ".join(simple)))
        lines += [("trait", trait) for trait in complex_]
        lines.append(("hooks", " ".join(self._hooks(records, op))))
        if op.get("assemblyFormat"):
            lines.append(("format", " ".join(op["assemblyFormat"].split())))
        return "\n".join(f"{key} {text}" for key, text in lines if text)

    def _arguments(self, records: Records, op: Record) -> tuple[list[str], list[str]]:
        operands: list[str] = []
        attrs: list[str] = []
        for argument, name in op["arguments"]["args"]:
            record = records.get(argument)
            inner = records.get(record["constraint"]) if is_a(record, "OpVariable") else record
            if is_a(inner, "TypeConstraint"):
                operands.append(self._value(records, argument, name))
            else:
                attrs.append(self._attr(records, inner, name))
        return operands, attrs

    def _value(self, records: Records, reference: object, name: str | None) -> str:
        record = records.get(reference)
        effects = ""
        if is_a(record, "OpVariable"):
            words = [self._effect(records.get(d)) for d in record["decorators"]]
            effects = f" [{' '.join(w for w in words if w)}]" if any(words) else ""
            record = records.get(record["constraint"])
        mark = ""
        if is_a(record, "VariadicOfVariadic"):
            mark = f"**{record['segmentAttrName']}"
        elif is_a(record, "Variadic"):
            mark = "*"
        elif is_a(record, "Optional"):
            mark = "?"
        if mark:
            record = records.get(record["baseType"])
        constraint = self.table.type(records, record, self.dialect)
        return f"{name or ''}{mark}:{constraint}{effects}"

    def _effect(self, record: Record) -> str:
        return _EFFECTS.get(_bare(str(record.get("effect", ""))), "")

    def _attr(self, records: Records, record: Record, name: str) -> str:
        optional = "?" if record.get("isOptional") else ""
        default = record.get("defaultValue")
        base = base_attribute(records, record)
        text = f"{name}{optional}:{self.table.attribute(records, base, self.dialect)}"
        if default and base["!name"] != "UnitAttr" and default != "unit":
            text += f"={self._default(records, base, default)}"
        return text

    def _default(self, records: Records, base: Record, text: str) -> str:
        """A default value in MLIR's words: a keyword, number, string or list."""
        enum = None
        if is_a(base, "EnumAttr") or is_a(base, "EnumProp"):
            enum = records.get(base["enum"])
        elif is_a(base, "EnumInfo"):
            enum = base
        if enum is not None:
            for case in map(records.get, enum["enumerants"]):
                symbol = text.rsplit("::", 1)[-1]
                if symbol == case["symbol"] or (text == "{}" and case["value"] == 0):
                    return case["str"]
        if base["!name"] in _HANDWRITTEN_ENUMS:
            return _HANDWRITTEN_ENUMS[base["!name"]]
        if base["!name"] == "PoisonAttrInterface":
            return "#ub.poison"
        if text.startswith("{"):
            return "[" + ", ".join(re.findall(r"-?\d+", re.sub(r"int\d+_t", "", text))) + "]"
        if match := re.fullmatch(r"static_cast<\w+>\((-?\d+)\)", text):
            return match[1]
        if re.fullmatch(r"-?\d+|true|false|\"[^\"]*\"", text):
            return text
        if re.fullmatch(r"0x[0-9a-f]+", text):
            return str(int(text, 16))
        if "getDefaultIndexingMaps" in text:
            return "default_indexing_maps"
        if match := re.fullmatch(r"(?:::mlir::)?([\w:]+)::getOperationName\(\)", text):
            return f'"{self.table.names.operations[match[1]]}"'
        UNKNOWN.add(f"default {text} of {base['!name']}")
        return text

    def _region(self, records: Records, reference: object, name: str | None) -> str:
        record = records.get(reference)
        mark = "*" if is_a(record, "VariadicRegion") else ""
        return f"{name or ''}{mark}:{self.table.region(records, record, self.dialect)}"

    def _successor(self, records: Records, reference: object, name: str) -> str:
        return name + ("*" if is_a(records.get(reference), "VariadicSuccessor") else "")

    def _hooks(self, records: Records, op: Record) -> list[str]:
        hooks = []
        if op["hasVerifier"]:
            hooks.append("verify")
        if op["hasRegionVerifier"]:
            hooks.append("verify_regions")
        if op["hasFolder"]:
            hooks.append("fold")
        if op["hasCanonicalizer"] or op["hasCanonicalizeMethod"]:
            hooks.append("canonicalize")
        if op["hasCustomAssemblyFormat"] and not op.get("assemblyFormat"):
            hooks.append("custom_format")
        methods = self._interface_methods(records, op)
        if any(name in methods for name in ("InferTypeOpInterface", "InferTypeOpAdaptor")):
            hooks.append("infer")
        if "getAsmResultNames" in methods.get("OpAsmOpInterface", ()):
            hooks.append("result_names")
        return hooks

    def _interface_methods(self, records: Records, op: Record) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for trait in self._flat_traits(records, op["traits"]):
            if is_a(trait, "Interface"):
                found.setdefault(trait["cppInterfaceName"], []).extend(
                    trait.get("alwaysOverriddenMethods") or ()
                )
        return found

    def _flat_traits(self, records: Records, references: list[object]) -> list[Record]:
        flat: list[Record] = []
        for trait in map(records.get, references):
            if is_a(trait, "TraitList"):
                flat += self._flat_traits(records, trait["traits"])
            else:
                flat.append(trait)
        return flat

    def _traits(self, records: Records, op: Record) -> tuple[list[str], list[str]]:
        simple: dict[str, None] = {}
        complex_: dict[str, None] = {}
        for reference in op["traits"]:
            trait = records.get(reference)
            if trait["!name"] in ("Pure", "ElementwiseMappable"):
                simple[trait["!name"]] = None
                continue
            for one in self._flat_traits(records, [reference]):
                text = self._trait(records, one)
                (complex_ if "<" in text else simple)[text] = None
        code = (op.get("extraClassDeclaration") or "") + (op.get("extraClassDefinition") or "")
        # The interface is what asks for it: transform.foreach has the method alone.
        default = re.search(r'getDefaultDialect\(\) *\{\s*return "(\w*)"', code)
        if "OpAsmOpInterface" in simple and (match := default):
            complex_[f"DefaultDialect<{match[1]}>"] = None
        if "Pure" in simple:
            simple.pop("NoMemoryEffect", None)
        if "ElementwiseMappable" in simple:
            for name in ("Elementwise", "Scalarizable", "Vectorizable", "Tensorizable"):
                simple.pop(name, None)
        return list(simple), list(complex_)

    def _trait(self, records: Records, trait: Record) -> str:
        if is_a(trait, "MemoryEffects"):
            words = [self._effect(records.get(effect)) for effect in trait["effects"]]
            return f"MemoryEffects<{', '.join(words)}>" if words else "NoMemoryEffect"
        if is_a(trait, "PredTrait"):
            return self._predicate_trait(records, trait)
        if is_a(trait, "Interface"):
            return trait["cppInterfaceName"]
        if is_a(trait, "SingleBlockImplicitTerminatorImpl"):
            return f"SingleBlockImplicitTerminator<{self._operation_names(_params(trait))}>"
        if is_a(trait, "HasParent") or is_a(trait, "ParentOneOf"):
            return f"HasParent<{self._operation_names(_params(trait))}>"
        if is_a(trait, "ParamNativeTrait"):
            return f"{trait['trait'].split('<')[0]}<{_params(trait)}>"
        if trait["!anonymous"]:
            return str(trait.get("trait")).replace("::Impl", "")
        return trait["!name"]

    def _operation_names(self, params: str) -> str:
        names = []
        for param in params.split(","):
            cls = _bare(param.strip())
            for candidate in (cls, f"{self.dialect}::{cls}", f"NVVM::{cls}", f"LLVM::{cls}"):
                if candidate in self.table.names.operations:
                    names.append(self.table.names.operations[candidate])
                    break
            else:
                UNKNOWN.add(f"operation class {cls}")
        return ", ".join(names)

    def _predicate_trait(self, records: Records, trait: Record) -> str:
        for cls in ("AllTypesMatch", "AllElementTypesMatch", "AllRanksMatch", "AllShapesMatch"):
            if is_a(trait, cls):
                return f"{cls}<{', '.join(trait['values'])}>"
        summary = " ".join(trait["summary"].split())
        translate = self.table.translator.translate
        if is_a(trait, "ShapedTypeMatchesElementCountAndTypes"):
            types = "repeat(element_type(t), element_count(t))"
            names = f"{trait['shaped']}, {trait['elements']}"
            return f"RangedTypesMatchWith<{names}, {types}; {summary}>"
        if is_a(trait, "TypesMatchWith"):
            kind = "TypesMatchWith"
            if is_a(trait, "OptionalTypesMatchWith"):
                kind = "OptionalTypesMatchWith"
            elif "llvm::equal" in expand(records, records.get(trait["predicate"])):
                kind = "RangedTypesMatchWith"
            if "builder.setShape" in trait["transformer"]:
                transform = "double_last_dimension(t)"
            elif "builder.setDim" in trait["transformer"]:
                transform = "halve_last_dimension(t)"
            elif trait["transformer"].startswith("SmallVector"):
                transform = "repeat(element_type(t), element_count(t))"
            else:
                transform = translate(trait["transformer"])
            return f"{kind}<{trait['lhs']}, {trait['rhs']}, {transform}; {summary}>"
        text = expand(records, records.get(trait["predicate"]))
        if "srcVec.getDimSize(srcVec.getRank() - 1) % 2 == 0" in text:
            expression = "last_dimension_is_even(op.source.type)"
        else:
            expression = translate(text)
        return f"Pred<{expression}; {summary}>"

    # -- attributes and types -------------------------------------------------------------------

    def attribute(self, records: Records, record: Record, is_type: bool) -> str:
        """The row of an attribute or type definition."""
        lines = ["type"] if is_type else []
        lines.append("def " + record["!name"])
        if is_a(record, "EnumAttr"):
            info = records.get(record["enum"])
            lines.append(f"enum {info['cppType']} {enum_text(records, info)}")
        else:
            for reference, name in record["parameters"]["args"]:
                lines.append("param " + self._parameter(records, reference, name))
        if record["hasCustomAssemblyFormat"] and not record.get("assemblyFormat"):
            lines.append("custom")
        if record.get("assemblyFormat") is not None:
            lines.append("format " + " ".join(record["assemblyFormat"].split()))
        if summary := " ".join((record.get("summary") or "").split()):
            lines.append("summary " + summary)
        if record.get("genVerifyDecl"):
            lines.append("verify")
        if record.get("genMnemonicAlias"):
            lines.append("alias")
        return "\n".join(lines)

    def _parameter(self, records: Records, reference: object, name: str) -> str:
        if isinstance(reference, str):
            record: Record = {"!superclasses": (), "cppType": reference, "defaultValue": ""}
        else:
            record = records.get(reference)
        kind = _kind(record["cppType"])
        optional = "?" if is_a(record, "OptionalParameter") else ""
        default = record["defaultValue"] if not optional else ""
        if enum := self._find_enum(records, record["cppType"]):
            self.enums[kind] = f"{enum['cppType']} {enum_text(records, enum)}"
            kind = f"enum {kind}"
            default = self._default(records, enum, default) if default else ""
        if is_a(record, "AttributeSelfTypeParameter"):
            kind = f"self {kind}"
        text = f"{name}{optional}:{kind}"
        return f"{text}={default}" if default else text

    def _find_enum(self, records: Records, cpp_type: str) -> Record | None:
        wanted = _bare(cpp_type)
        for info in records.of_class("EnumInfo"):
            full = "::" + _bare(info["cppType"])
            if full.endswith("::" + wanted) or full.endswith(f"::{wanted}::{wanted}"):
                return info
        return None


def _params(trait: Record) -> str:
    """The C++ template arguments of a parametric trait (`HasParent<FuncOp>::Impl`)."""
    text = trait["trait"]
    return text[text.index("<") + 1 : text.rindex(">")]


def _bare(cpp: str) -> str:
    return cpp.removeprefix("::").removeprefix("mlir::")


def _kind(cpp: str) -> str:
    """A C++ parameter type without namespaces that add nothing."""
    return re.sub(r"(::)?\b(mlir|llvm|std)::", "", cpp).strip().removeprefix("::")
