# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python types of what attributes are, and of what constructors take."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence

from xgpu.core.ods.class_names import package
from xgpu.core.ods.constraints import Constraint
from xgpu.core.ods.constructor import takes_numbers
from xgpu.core.ods.docstrings import cases
from xgpu.core.ods.parameters import (
    ATTRIBUTE,
    DISCARDABLE,
    EXTRA,
    OPERAND,
    REGION,
    RESULT,
    ConstructorParameter,
    nested,
)
from xgpu.core.ods.registry import attr_class
from xgpu.core.ods.spec import ONE, OPTIONAL, Parameter

_BUILTIN = "xdsl.dialects.builtin"
_ARGUMENTS = "xgpu.core.ods.parameters"

#: What an attribute of each kind is, of xDSL's builtin classes.
_CLASSES = {
    "affine-map": "AffineMapAttr",
    "bool": "IntegerAttr",
    "dict": "DictionaryAttr",
    "flat-symbol-ref": "SymbolRefAttr",
    "int-enum": "IntegerAttr",
    "integer-set": "AffineSetAttr",
    "string": "StringAttr",
    "symbol-name": "StringAttr",
    "symbol-ref": "SymbolRefAttr",
    "typed-float": "FloatAttr",
    "typed-int": "IntegerAttr",
    "unit": "UnitAttr",
    "unit-prop": "IntegerAttr",
}

#: Python values that constructors take besides.
_VALUES = {
    "bool": "bool",
    "flat-symbol-ref": "str",
    "string": "str | bytes",
    "symbol-name": "str",
    "symbol-ref": "str",
    "typed": "float",
    "typed-float": "float",
    "typed-int": "int",
    "unit": "bool",
    "unit-prop": "bool",
}

#: Parameters of attributes by their C++ type; others are attributes.
_PARAMETERS = {
    "StringRef": "str",
    "bool": "bool",
    "int": "int",
    "int64_t": "int",
    "uint32_t": "int",
    "uint64_t": "int",
    "unsigned": "int",
}


class Imports:
    """The imports of a stub, collected while it is written."""

    def __init__(self, dialect: str) -> None:
        self.package = package(dialect)
        self._names: dict[str, set[str]] = defaultdict(set)
        self._exports: dict[str, set[str]] = defaultdict(set)

    def add(self, module: str, name: str) -> str:
        """Imports `name`, and gives it back."""
        if module != self.package:
            self._names[module].add(name)
        return name

    def add_export(self, module: str, name: str) -> None:
        """Imports `name` as something that the package offers."""
        self._exports[module].add(name)

    def lines(self) -> list[str]:
        found: list[str] = []
        for module in sorted({*self._names, *self._exports}):
            exported = self._exports[module]
            plain = sorted(self._names[module] - exported)
            if plain:
                found.append(f"from {module} import {', '.join(plain)}")
            found.extend(f"from {module} import {name} as {name}" for name in sorted(exported))
        return found


def attribute_type(constraint: Constraint, imports: Imports) -> str:
    """What a property of this constraint is."""
    kind = constraint.kind
    if kind in _CLASSES:
        return imports.add(_BUILTIN, _CLASSES[kind])
    if kind == "dense-array":
        number = type(constraint.element).__name__
        return f"{imports.add(_BUILTIN, 'DenseArrayBase')}[{imports.add(_BUILTIN, number)}]"
    if kind == "array":
        element = constraint.element
        member = (
            imports.add("xdsl.ir", "Attribute")
            if element is None
            else attribute_type(element, imports)
        )
        return f"{imports.add(_BUILTIN, 'ArrayAttr')}[{member}]"
    if kind == "elements" and constraint.expression.startswith("is_dense_int_elements(t)"):
        number = imports.add(_BUILTIN, "IntegerType")
        if "is_signless" not in constraint.expression:
            number += f" | {imports.add(_BUILTIN, 'IndexType')}"
        return f"{imports.add(_BUILTIN, 'DenseIntOrFPElementsAttr')}[{number}]"
    if kind == "type":
        return _value_of_type_attribute(constraint, imports)
    if kind in ("enum", "attrdef") and constraint.attr_name is not None:
        cls = attr_class(constraint.attr_name)
        # A generated class is imported from its package, a handwritten one from its module.
        return imports.add(cls.__module__, cls.__name__)
    return imports.add("xdsl.ir", "Attribute")


#: The classes of types that predicates of constraints say, of xDSL's builtin ones.
_TYPES = {
    "is_base_memref": ("MemRefType", "UnrankedMemRefType"),
    "is_complex": ("ComplexType",),
    "is_fixed_vector": ("VectorType",),
    "is_function": ("FunctionType",),
    "is_llvm_vector": ("VectorType",),
    "is_memref": ("MemRefType",),
    "is_ranked_tensor": ("TensorType",),
    "is_scalable_vector": ("VectorType",),
    "is_tensor": ("TensorType", "UnrankedTensorType"),
    "is_unranked_memref": ("UnrankedMemRefType",),
    "is_unranked_tensor": ("UnrankedTensorType",),
    "is_vector": ("VectorType",),
}


def value_type(constraint: Constraint, imports: Imports) -> str | None:
    """The class of the type of an operand or result of this constraint, where it is one or a few;
    None where it may be any."""
    found = _type_classes(ast.parse(constraint.expression, mode="eval").body)
    if found is None:
        return None
    return " | ".join(_type_class(name, imports) for name in dict.fromkeys(found))


def _value_of_type_attribute(constraint: Constraint, imports: Imports) -> str:
    """The class of the type that an attribute is, where its constraint says one or a few."""
    expression = constraint.expression.replace("value(t)", "t")
    found = _type_classes(ast.parse(expression, mode="eval").body)
    if found is None:
        return imports.add("xdsl.ir", "Attribute")
    return " | ".join(_type_class(name, imports) for name in dict.fromkeys(found))


def _type_class(name: str, imports: Imports) -> str:
    """A builtin class by its own name, or that of a dialect's type `!name`."""
    if not name.startswith("!"):
        return imports.add(_BUILTIN, name)
    cls = attr_class(name)
    return imports.add(cls.__module__, cls.__name__)


def _type_classes(expression: ast.expr) -> list[str] | None:
    """Names of classes, or of types of dialects, one of which holds where `expression` does."""
    match expression:
        case ast.BoolOp(ast.Or(), parts):
            found = [_type_classes(part) for part in parts]
            if None in found:
                return None
            return [name for names in found if names is not None for name in names]
        case ast.BoolOp(ast.And(), parts):
            return next((names for part in parts if (names := _type_classes(part))), None)
        case ast.Call(ast.Name("named"), [ast.Name("t"), ast.Constant(str(name))]):
            return ["!" + name]
        case ast.Call(ast.Name(name), [ast.Name("t"), *_]) if name in _TYPES:
            return list(_TYPES[name])
        case _:
            return None


def keyword_type(keywords: Sequence[str], bits: bool, imports: Imports) -> str:
    """The type of the keyword of an enumeration."""
    if bits:
        imports.add("collections.abc", "Sequence")
        return "str | Sequence[str]"
    imports.add("typing", "Literal")
    return "Literal[" + ", ".join(f'"{keyword}"' for keyword in keywords) + "]"


def parameter_type(p: ConstructorParameter, imports: Imports) -> str:
    """What a constructor takes for a parameter that is given."""
    if p.role == OPERAND:
        return _operand_type(p, imports)
    if p.role == ATTRIBUTE:
        return _attribute_value(p.field.constraint, imports)
    if p.role == RESULT:
        return _result_type(p, imports)
    if p.role == REGION:
        return _region_type(p, imports)
    if p.role == DISCARDABLE:
        return f"{imports.add('xdsl.ir', 'Attribute')} | {p.field.kind.__name__}"
    if p.role == EXTRA:
        if p.name == "location":
            return imports.add("xdsl.ir", "LocationAttr")
        return imports.add(_ARGUMENTS, "Attributes")
    block = imports.add("xdsl.ir", "Block")
    if p.field.quantity in (ONE, OPTIONAL):
        return block
    return f"{imports.add('collections.abc', 'Sequence')}[{block}]"


def _operand_type(p: ConstructorParameter, imports: Imports) -> str:
    numbers = p.static is not None or takes_numbers(p.field)
    if p.field.quantity in (ONE, OPTIONAL):
        return imports.add(_ARGUMENTS, "SizeLike" if numbers else "ValueLike")
    if nested(p.field):
        sequence = imports.add("collections.abc", "Sequence")
        return f"{sequence}[{imports.add(_ARGUMENTS, 'ValuesLike')}]"
    return imports.add(_ARGUMENTS, "SizesLike" if numbers else "ValuesLike")


def _result_type(p: ConstructorParameter, imports: Imports) -> str:
    attribute = imports.add("xdsl.ir", "Attribute")
    if p.field.quantity == ONE:
        return attribute
    if p.field.quantity == OPTIONAL:
        return f"{attribute} | bool" if p.field.constraint.is_buildable else attribute
    return f"{imports.add('collections.abc', 'Sequence')}[{attribute}]"


def _region_type(p: ConstructorParameter, imports: Imports) -> str:
    one = imports.add(_ARGUMENTS, "RegionLike")
    if p.field.quantity in (ONE, OPTIONAL):
        return one
    return f"{one} | {imports.add('collections.abc', 'Sequence')}[{one}]"


def _attribute_value(constraint: Constraint, imports: Imports) -> str:
    """What a constructor takes for an attribute: the attribute, or a Python value."""
    attribute = imports.add("xdsl.ir", "Attribute")
    kind = constraint.kind
    if kind in _VALUES:
        return f"{attribute} | {_VALUES[kind]}"
    if kind in ("enum", "attrdef", "int-enum"):
        keywords = cases(constraint)
        if not keywords:
            return attribute
        bits = constraint.bits if kind == "int-enum" else _combines(constraint)
        words = keyword_type(keywords, bits, imports)
        return f"{attribute} | {words}" + (" | int" if kind == "int-enum" else "")
    sequence = "Sequence"
    if kind == "array":
        imports.add("collections.abc", sequence)
        element = constraint.element
        member = attribute if element is None else _attribute_value(element, imports)
        return f"{attribute} | {sequence}[{member}]"
    if kind in ("dense-array", "elements"):
        imports.add("collections.abc", sequence)
        return f"{attribute} | {sequence}[int]"
    if kind == "dict":
        return f"{attribute} | {imports.add('collections.abc', 'Mapping')}[str, {attribute}]"
    if kind == "affine-map":
        return f"{attribute} | {imports.add('xdsl.ir.affine', 'AffineMap')}"
    return attribute


def _combines(constraint: Constraint) -> bool:
    assert constraint.attr_name is not None
    found = getattr(attr_class(constraint.attr_name), "cases", None)
    return bool(getattr(found, "bits", False))


def struct_parameter_type(parameter: Parameter, imports: Imports) -> str:
    """What a parameter of an attribute is."""
    if parameter.enum is not None:
        type = "str"
    elif parameter.kind.startswith("ArrayRef<"):
        element = _PARAMETERS.get(parameter.kind[9:-1].removesuffix(" int"))
        type = f"tuple[{element or imports.add('xdsl.ir', 'Attribute')}, ...]"
    elif parameter.kind.startswith(("optional<", "APInt", "APFloat", "AffineMap", "DataLayout")):
        type = imports.add("typing", "Any")
    else:
        type = _PARAMETERS.get(parameter.kind) or imports.add("xdsl.ir", "Attribute")
    return f"{type} | None" if parameter.optional and type != "Any" else type
