# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an operation is: names, operands, attributes, results, traits, assembly format.

An `OpSpec` is read from a table row (`xgpu/core/ods/tables/`) when the operation's name is first
met. Everything that depends on the shape of an operation (its class, parser, printer, verifier,
accessors) derives from the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.core.ods.constraints import Constraint

ONE, OPTIONAL, VARIADIC, VARIADIC_OF_VARIADIC = "one", "optional", "variadic", "variadic2"


class Field:
    """An operand, result, region or successor: MLIR's name, how many of it, and which types.

    `effects` are the memory effects that ODS ties to an operand or result (`Arg<..., [MemRead]>`),
    of "read", "write", "allocate", "free". `sizes` names the attribute that has the sizes of a
    variadic of variadics.
    """

    __slots__ = ("constraint", "effects", "name", "quantity", "sizes")

    def __init__(
        self,
        name: str,
        quantity: str,
        constraint: Constraint,
        effects: tuple[str, ...] = (),
        sizes: str | None = None,
    ) -> None:
        self.name = name
        self.quantity = quantity
        self.constraint = constraint
        self.effects = effects
        self.sizes = sizes


class AttrField:
    """An inherent attribute (a property). `default` is the text of its default value, or None."""

    __slots__ = ("constraint", "default", "name", "optional")

    def __init__(
        self, name: str, constraint: Constraint, optional: bool, default: str | None
    ) -> None:
        self.name = name
        self.constraint = constraint
        self.optional = optional
        self.default = default


class OpSpec:
    """An operation's definition. Field names are MLIR's (camelCase where MLIR's are)."""

    __slots__ = (
        "attrs",
        "format",
        "hooks",
        "name",
        "operands",
        "regions",
        "results",
        "successors",
        "traits",
    )

    def __init__(
        self,
        name: str,
        operands: tuple[Field, ...] = (),
        attrs: tuple[AttrField, ...] = (),
        results: tuple[Field, ...] = (),
        regions: tuple[Field, ...] = (),
        successors: tuple[Field, ...] = (),
        traits: tuple[str | tuple[str, ...], ...] = (),
        hooks: frozenset[str] = frozenset(),
        format: str | None = None,
    ) -> None:
        self.name = name
        self.operands = operands
        self.attrs = attrs
        self.results = results
        self.regions = regions
        self.successors = successors
        #: MLIR's traits and interfaces by ODS name ("Terminator", "IsolatedFromAbove"); one with
        #: arguments is a tuple of name and arguments, in ODS's order:
        #: ("MemoryEffects", "read", "write"), also for NoMemoryEffect: ("MemoryEffects",);
        #: ("HasParent", "gpu.func"), ("ParentOneOf", "scf.for", ...),
        #: ("SingleBlockImplicitTerminator", "gpu.terminator"), ("AllTypesMatch", "lhs", "result"),
        #: ("TypesMatchWith", summary, lhs, rhs, expression over `t`),
        #: ("PredOpTrait", summary, expression over `op`) for other predicates;
        #: interfaces by their C++ name ("InferTypeOpInterface"). Trait lists are expanded
        #: ("Pure" stays as it is, besides).
        self.traits = traits
        #: Of "verify", "verify_regions", "fold", "canonicalize", "custom_format", "infer",
        #: "result_names".
        self.hooks = hooks
        self.format = format


class EnumSpec:
    """The cases of an enumeration: keyword and value. `bits` says that cases combine."""

    __slots__ = ("bits", "cases", "separator", "summary")

    def __init__(
        self,
        cases: dict[str, int],
        bits: bool = False,
        separator: str = ", ",
        summary: str = "",
    ) -> None:
        self.cases = cases
        self.bits = bits
        self.separator = separator
        self.summary = summary


class Parameter:
    """A parameter of an attribute or type.

    `kind` is the C++ storage type without `::mlir::` and `::llvm::`, as in "Type", "unsigned",
    "int64_t", "bool", "StringRef", "StringAttr", "ArrayRef<int64_t>", "ArrayRef<Type>",
    "LLVM::TailCallKind"; for an enumeration `enum` has its cases. `default` is the text of the
    default value, or None. An optional parameter is None when absent.
    """

    __slots__ = ("default", "enum", "kind", "name", "optional")

    def __init__(
        self,
        name: str,
        kind: str,
        optional: bool = False,
        default: str | None = None,
        enum: EnumSpec | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.optional = optional
        self.default = default
        self.enum = enum


class AttrSpec:
    """The definition of an attribute or type (`is_type`): an AttrDef, TypeDef or EnumAttr.

    An EnumAttr has `enum`, one parameter `value`, and a format, mostly "$value" or
    "`<` $value `>`". `custom_format` says that MLIR reads and prints it with handwritten code:
    the class comes from the dialect's `attributes.py`.
    """

    __slots__ = (
        "alias",
        "custom_format",
        "definition",
        "enum",
        "format",
        "is_type",
        "name",
        "parameters",
        "summary",
        "verify",
    )

    def __init__(
        self,
        name: str,
        is_type: bool = False,
        parameters: tuple[Parameter, ...] = (),
        enum: EnumSpec | None = None,
        format: str | None = None,
        custom_format: bool = False,
        summary: str = "",
    ) -> None:
        self.name = name
        self.is_type = is_type
        self.parameters = parameters
        self.enum = enum
        self.format = format
        self.custom_format = custom_format
        self.summary = summary
        #: Whether MLIR verifies the parameters with handwritten code.
        self.verify = False
        #: What MLIR's ODS calls the definition, as in "GPU_DimensionAttr": messages name it.
        self.definition = ""
        #: Whether MLIR's printer gives the attribute an alias.
        self.alias = False
