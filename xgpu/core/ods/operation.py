# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The class of an operation, made from its definition.

A class costs some 30 us: no decorators, no annotations, and whatever is not needed by every use of
the operation (parser, printer, verifier, traits) is compiled when it is first used.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping, Sequence
from inspect import Signature
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from xdsl.ir import Attribute, Operation, OpTraits
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.construction import build_operation, item_of
from xgpu.core.ir.errors import (
    USER_ERRORS,
    DiagnosticError,
    VerificationError,
    shows_internals,
    told,
)
from xgpu.core.ir.integers import dense_array
from xgpu.core.ir.services import Service, definitions
from xgpu.core.ods.class_names import op_class_name, package, snake_case
from xgpu.core.ods.spec import ONE, OPTIONAL, VARIADIC, Field, OpSpec
from xgpu.core.ods.traits import xdsl_traits

if TYPE_CHECKING:
    from xdsl.ir import Block, LocationAttr, Region, SSAValue
    from xdsl.parser import Parser
    from xdsl.printer import Printer

Check = Callable[["OdsOperation"], None]
#: Fills a new operation from the arguments of its constructor.
Construct = Callable[["OdsOperation", tuple[object, ...], dict[str, object]], None]


class OperationParts(Protocol):
    """What is made of a definition when it is first needed."""

    def docstring(self, spec: OpSpec) -> str: ...
    def signature(self, spec: OpSpec) -> Signature: ...
    def constructor(self, cls: type[OdsOperation]) -> Construct: ...
    def irdl_definition(self, cls: type[OdsOperation]) -> OpDef: ...
    def verify(self, op: OdsOperation, nested: bool) -> None:
        """Raises DiagnosticError."""
        ...

    def checks(self, cls: type[OdsOperation]) -> tuple[Check, ...]: ...
    def parser(self, cls: type[OdsOperation]) -> Callable[[Parser], Operation]: ...
    def printer(self, cls: type[OdsOperation]) -> Callable[[Printer, Operation], None]: ...


class _ComputedDoc:
    """The docstring of a class, written on demand."""

    def __get__(self, op: object, cls: type[OdsOperation]) -> str:
        return cls._parts().docstring(cls.spec)


class _ComputedSignature:
    """The signature of a class's constructor."""

    def __get__(self, op: object, cls: type[OdsOperation]) -> Signature | None:
        return cls._parts().signature(cls.spec) if hasattr(cls, "spec") else None


_DOC, _SIGNATURE = _ComputedDoc(), _ComputedSignature()


class OdsOperation(IRDLOperation):
    """An operation that is defined by an `OpSpec`.

    Operands, results, regions, successors and properties are attributes by MLIR's name in snake
    case: a value; None for an absent optional one; a list for a variadic one. A property that has a
    default value gives that when it is absent.
    """

    spec: ClassVar[OpSpec]
    _parts: ClassVar[Service[OperationParts]]
    segmented_operands: ClassVar[bool] = False
    segmented_results: ClassVar[bool] = False
    #: Which operands and results of the definition are not one value each.
    variable_operands: ClassVar[Sequence[int]] = ()
    variable_results: ClassVar[Sequence[int]] = ()
    #: Names of the properties: of the inherent attributes, and the segment sizes.
    property_names: ClassVar[frozenset[str]] = frozenset()
    #: Values of properties that were not given; None until `default_properties` computed them.
    _defaults: ClassVar[Mapping[str, Attribute] | None] = None
    #: Properties that are `true` in the generic form's words, too, where they are there.
    _flags: ClassVar[tuple[str, ...]] = ()
    #: Optional flags with a default value, of which a reader sets none and a builder all.
    built_flags: ClassVar[tuple[str, ...]] = ()
    _checks: ClassVar[tuple[Check, ...] | None] = None
    _reader: ClassVar[Callable[[Parser], Operation] | None] = None
    _printer: ClassVar[Callable[[Printer, Operation], None] | None] = None

    _constructor: ClassVar[Any] = None
    _definition: ClassVar[OpDef | None] = None

    def __init__(self, *args: object, **kwargs: object) -> None:
        """See the docstring of the class: arguments have MLIR's names in snake case."""
        constructor = self._constructor
        if constructor is None:
            constructor = self._parts().constructor(type(self))
        try:
            constructor(self, args, kwargs)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            raise told(problem) from None

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        """The definition as xDSL writes it."""
        definition = cls._definition
        if definition is None:
            definition = cls._definition = cls._parts().irdl_definition(cls)
        assert definition is not None
        return definition

    def __reduce_ex__(self, protocol: object) -> tuple[object, ...]:
        # By name, so that operations of dialects without a package of ours are found too.
        return (_unpickled, (self.name,), self.__dict__)

    @classmethod
    def create(  # pyright: ignore[reportIncompatibleMethodOverride]
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = {},
        attributes: Mapping[str, Attribute] = {},
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Operation:
        """As `Operation.create`. Inherent attributes among `attributes` become properties, and
        properties that are not given get their default values, both as in MLIR."""
        if attributes and not cls.property_names.isdisjoint(attributes):
            names = cls.property_names
            properties = {**{k: v for k, v in attributes.items() if k in names}, **properties}
            attributes = {k: v for k, v in attributes.items() if k not in names}
        defaults = cls._defaults
        if defaults is None:
            defaults = default_properties(cls)
        return build_operation(
            cls,
            tuple(operands),
            tuple(result_types),
            {**defaults, **properties},
            dict(attributes),
            location,
            successors,
            regions,
        )

    def verify(self, verify_nested_ops: bool = True) -> None:
        """Raises `VerificationError`, xDSL's VerifyException with our diagnostics."""
        try:
            self._parts().verify(self, verify_nested_ops)
        except DiagnosticError as e:
            if isinstance(e, VerifyException):
                raise
            raise VerificationError(*e.diagnostics) from None

    def verify_(self) -> None:
        checks = self._checks
        if checks is None:
            checks = self._parts().checks(type(self))
            type(self)._checks = checks
        for check in checks:
            check(self)

    def operand_group(self, index: int) -> Sequence[SSAValue]:
        """The values of the operand `index` of the definition, however many they are."""
        bounds = group_bounds(self, self.spec.operands, "operand")
        return self._operands[bounds[index] : bounds[index + 1]]

    def result_group(self, index: int) -> Sequence[SSAValue]:
        """The values of the result `index` of the definition, however many they are."""
        bounds = group_bounds(self, self.spec.results, "result")
        return self.results[bounds[index] : bounds[index + 1]]


class FormattedOperation(OdsOperation):
    """An operation that has a syntax of its own, besides the generic one."""

    @classmethod
    def parse(cls, parser: Parser) -> Operation:  # pyright: ignore[reportIncompatibleMethodOverride]
        reader = cls._reader
        if reader is None:
            # A plain function in a class would become a method.
            reader = cls._parts().parser(cls)
            cls._reader = staticmethod(reader)
        return reader(parser)

    def print(self, printer: Printer) -> None:
        write: Any = self._printer
        if write is None:
            write = self._parts().printer(type(self))
            type(self)._printer = staticmethod(write)
        write(printer, self)


def _unpickled(name: str) -> Operation:
    """An operation of which pickle or copy sets the fields."""
    return object.__new__(definitions().op_class(name))


def make_op_class(spec: OpSpec, parts: Service[OperationParts]) -> type[OdsOperation]:
    """The class of the operation that `spec` defines."""
    namespace: dict[str, object] = {
        "name": spec.name,
        "spec": spec,
        "_parts": parts,
        "traits": OpTraits(lambda: _traits(spec)),
        "__doc__": _DOC,
        "__signature__": _SIGNATURE,
        "__module__": package(spec.name.partition(".")[0]),
    }
    names = [attr.name for attr in spec.attrs]
    if "AttrSizedOperandSegments" in spec.traits:
        namespace["segmented_operands"] = True
        names.append("operandSegmentSizes")
    if "AttrSizedResultSegments" in spec.traits:
        namespace["segmented_results"] = True
        names.append("resultSegmentSizes")
    namespace["property_names"] = frozenset(names)
    flags = tuple(attr.name for attr in spec.attrs if attr.constraint.kind == "unit-prop")
    if flags:
        namespace["_flags"] = flags
    if not any(attr.default is not None for attr in spec.attrs):
        namespace["_defaults"] = _empty_groups(spec)
    elif built := tuple(a.name for a in spec.attrs if a.optional and a.default == "false"):
        namespace["built_flags"] = built
    for attr in spec.attrs:
        namespace[accessor_name(attr.name)] = _property_accessor(attr.name)
    _add_group_accessors(namespace, spec.operands, "operand")
    _add_group_accessors(namespace, spec.results, "result")
    _add_part_accessors(namespace, spec.regions, "regions")
    _add_part_accessors(namespace, spec.successors, "successors")
    if len(spec.results) == 1 and spec.results[0].quantity == ONE:
        namespace.setdefault("result", _ONLY_RESULT)  # MLIR's getResult
    for known in KNOWN_ATTRIBUTES.get(spec.name, ()):
        namespace[known.parameter] = _attribute_accessor(known.name)
    for word in ("in", "from", "is"):
        # Reachable by getattr, which the tables' predicates use.
        if word + "_" in namespace:
            namespace[word] = namespace[word + "_"]
    base = FormattedOperation if _has_syntax(spec) else OdsOperation
    return type(op_class_name(spec.name), (base,), namespace)  # pyright: ignore[reportReturnType]


class KnownAttribute:
    """A discardable attribute that an operation's syntax and verifier know: its `name`, the
    `parameter` of the constructor that gives it, and the `kind` of Python's values for it."""

    __slots__ = ("kind", "name", "parameter")

    def __init__(self, parameter: str, name: str, kind: type) -> None:
        self.parameter = parameter
        self.name = name
        self.kind = kind


KNOWN_ATTRIBUTES = {
    "gpu.func": (
        KnownAttribute("sym_name", "sym_name", str),
        KnownAttribute("sym_visibility", "sym_visibility", str),
        KnownAttribute("kernel", "gpu.kernel", bool),
        KnownAttribute("workgroup_attributions", "workgroup_attributions", int),
    ),
}


def _has_syntax(spec: OpSpec) -> bool:
    """Whether the operation has a format, or handwritten syntax that exists."""
    if spec.format is not None:
        return True
    if "custom_format" not in spec.hooks:
        return False
    return spec.name in definitions().hooks(spec.name.partition(".")[0], "syntax", "PRINT")


def _traits(spec: OpSpec) -> tuple[Any, ...]:
    return xdsl_traits(spec)


def default_properties(cls: type[OdsOperation]) -> Mapping[str, Attribute]:
    """The default values of the properties of `cls` that have one (MLIR sets them on creation)."""
    from xgpu.core.ods.defaults import default_attribute

    values: dict[str, Attribute] = {}
    for attr in cls.spec.attrs:
        # A DefaultValuedOptionalAttr stays absent.
        if attr.default is not None and not attr.optional:
            value = default_attribute(attr)
            if value is not None:
                values[attr.name] = value
    values.update(_empty_groups(cls.spec))
    cls._defaults = values
    return values


def _empty_groups(spec: OpSpec) -> dict[str, Attribute]:
    """The sizes of groups of values that are not given: zeros, as in MLIR's properties."""
    values: dict[str, Attribute] = {}
    if "AttrSizedOperandSegments" in spec.traits:
        values["operandSegmentSizes"] = segment_sizes([0] * len(spec.operands))
    if "AttrSizedResultSegments" in spec.traits:
        values["resultSegmentSizes"] = segment_sizes([0] * len(spec.results))
    return values


def segment_sizes(sizes: Sequence[int]) -> Attribute:
    """The value of `operandSegmentSizes` and `resultSegmentSizes`."""
    return dense_array(32, tuple(sizes))


# --- accessors -------------------------------------------------------------------------------

_TAKEN = frozenset(dir(OdsOperation)) | {
    "attributes",
    "location",
    "name",
    "parent",
    "properties",
    "regions",
    "results",
    "spec",
    "traits",
}


_accessor_names: dict[str, str] = {}


def accessor_name(name: str) -> str:
    """The Python name of a field: snake case, with an underscore where the name is taken."""
    known = _accessor_names.get(name)
    if known is None:
        known = snake_case(name)
        if known in _TAKEN or keyword.iskeyword(known):
            known += "_"
        _accessor_names[name] = known
    return known


def field_name(field: Field, role: str, index: int, count: int) -> str:
    """Python's name of a part, of one without a name in the definition its role and number."""
    if field.name:
        return accessor_name(field.name)
    several = field.quantity != ONE
    name = role + ("s" if several else "") + ("" if count == 1 else str(index))
    return accessor_name(name)


def _only_result(self: OdsOperation) -> SSAValue:
    return self.results[0]


_ONLY_RESULT = property(_only_result)


def _attribute_accessor(name: str) -> property:
    def get(self: OdsOperation) -> Attribute | None:
        return self.attributes.get(name)

    def set_(self: OdsOperation, value: Attribute | None) -> None:
        if value is None:
            self.attributes.pop(name, None)
        else:
            self.attributes[name] = value

    return property(get, set_)


def _property_accessor(name: str) -> property:
    def get(self: OdsOperation) -> Attribute | None:
        return self.properties.get(name)

    def set_(self: OdsOperation, value: Attribute | None) -> None:
        if value is None:
            self.properties.pop(name, None)
        else:
            self.properties[name] = value

    return property(get, set_)


def group_bounds(op: OdsOperation, fields: Sequence[Field], kind: str) -> Sequence[int]:
    """Where each operand (`kind` "operand") or result of the definition begins and ends."""
    is_operand = kind == "operand"
    total = len(op._operands) if is_operand else len(op.results)
    if op.segmented_operands if is_operand else op.segmented_results:
        sizes: Any = op.properties.get(kind + "SegmentSizes")
        counts: Sequence[int] = (0,) * len(fields) if sizes is None else sizes.get_values()
    else:
        variable = op.variable_operands if is_operand else op.variable_results
        several = len(variable)
        if not several:
            return range(len(fields) + 1)
        extra = total - len(fields)
        if several == 1:
            at = variable[0] + 1
            return [*range(at), *range(at + extra, total + 1)]
        counts = [1] * len(fields)
        for at in variable:
            counts[at] = (extra + several) // several
    bounds = [0]
    for count in counts:
        bounds.append(bounds[-1] + count)
    return bounds


def group_slicer(
    fields: Sequence[Field], index: int, kind: str, segmented: bool
) -> Callable[[Operation], Any]:
    """What gives the values of one operand (`kind` "operand") or result of the definition: where at
    most one of them has a variable size, places count from an end."""
    variable = [at for at, field in enumerate(fields) if field.quantity != ONE]
    if segmented or len(variable) > 1:
        name = f"{kind}_group"
        return lambda op: getattr(op, name)(index)
    start: int | None = index
    stop: int | None = index + 1
    if variable and index >= variable[0]:
        stop = index + 1 - len(fields) or None
        if index > variable[0]:
            start = index - len(fields)
    part = slice(start, stop)
    if kind == "operand":
        return lambda op: item_of(op._operands, part)
    return lambda op: item_of(op.results, part)


def _add_group_accessors(namespace: dict[str, object], fields: Sequence[Field], kind: str) -> None:
    variable = [index for index, field in enumerate(fields) if field.quantity != ONE]
    if variable:
        namespace[f"variable_{kind}s"] = tuple(variable)
    segmented = namespace.get(f"segmented_{kind}s", False)
    for index, field in enumerate(fields):
        name = field_name(field, kind, index, len(fields))
        if not field.name and name in namespace:
            continue  # another part has the name
        if segmented or len(variable) > 1:
            getter = _segment_getter(index, field, kind)
        else:
            before = not variable or index < variable[0]
            getter = _fixed_getter(index, len(fields), before, field.quantity, kind)
        namespace[name] = property(getter)


def _segment_getter(index: int, field: Field, kind: str) -> Callable[[OdsOperation], object]:
    quantity = field.quantity
    name = "operand_group" if kind == "operand" else "result_group"

    def get(self: OdsOperation) -> Any:
        return _present(getattr(self, name)(index), quantity)

    return get


class ValueList(list[Any]):
    """The values of a variadic operand or result. As xDSL's, it knows their types."""

    __slots__ = ()

    @property
    def types(self) -> tuple[Attribute, ...]:
        return tuple([value.type for value in self])


def _present(values: Sequence[SSAValue], quantity: str) -> SSAValue | list[SSAValue] | None:
    """A group as the accessor gives it: a value, a value or None, or a list."""
    if quantity == ONE:
        return values[0]
    if quantity == OPTIONAL:
        return values[0] if values else None
    return ValueList(values)


def _fixed_getter(
    index: int, count: int, before: bool, quantity: str, kind: str
) -> Callable[[OdsOperation], object]:
    """A getter where at most one group has a variable size, so that places count from an end."""
    source = "_operands" if kind == "operand" else "results"
    from_end = index - count
    if quantity == ONE:
        place = index if before else from_end

        def get(self: OdsOperation) -> Any:
            return getattr(self, source)[place]

    elif quantity == OPTIONAL:

        def get(self: OdsOperation) -> Any:
            values = getattr(self, source)
            return values[index] if len(values) == count else None

    else:

        def get(self: OdsOperation) -> Any:
            values = getattr(self, source)
            return ValueList(values[index : len(values) + from_end + 1])

    return get


def _add_part_accessors(namespace: dict[str, object], fields: Sequence[Field], source: str) -> None:
    for index, field in enumerate(fields):
        name = field_name(field, source[:-1], index, len(fields))
        if field.name or name not in namespace:
            getter = _part_getter(index, field.quantity in (VARIADIC, "variadic2"), source)
            namespace[name] = property(getter)


def _part_getter(index: int, variadic: bool, source: str) -> Callable[[OdsOperation], object]:
    if variadic:

        def get(self: OdsOperation) -> Any:
            return list(getattr(self, source)[index:])

    else:

        def get(self: OdsOperation) -> Any:
            parts = getattr(self, source)
            return parts[index] if index < len(parts) else None

    return get
