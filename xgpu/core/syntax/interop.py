# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations whose classes another project defines, made ours while a pass works on them.

Builtin attributes are xDSL's everywhere and stay as they are, but for what they contain. Those of
a dialect have other classes on each side, so they are converted as text, each value once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar, cast

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.builtin import StringAttr, UnregisteredAttr, UnregisteredOp
from xdsl.ir import Attribute, Data, Dialect, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    VariadicDef,
)
from xdsl.utils.exceptions import ParseError, VerifyException

from xgpu.core.ir.construction import (
    nested_operations,
    operands_of,
    set_type,
    successors_of,
    value_type,
)
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, words_of
from xgpu.core.ods.foreign import meet
from xgpu.core.ods.operation import OdsOperation, default_properties, group_bounds, segment_sizes
from xgpu.core.ods.registry import is_ours, optional_attr_class, optional_op_class

#: Finds the class for a name, of a type or an attribute; None where the other side has none.
FindClass = Callable[[str, bool], "type[Attribute] | None"]
#: Reads a text, of a type or an attribute.
Parse = Callable[[str, bool], Attribute]

#: Builtin classes that never contain anything of a dialect.
_PLAIN: frozenset[type] = frozenset(
    (
        *(builtin.IntegerType, builtin.IndexType, builtin.NoneType, builtin.NoneAttr),
        *(builtin.Float16Type, builtin.Float32Type, builtin.Float64Type, builtin.BFloat16Type),
        *(builtin.IntegerAttr, builtin.FloatAttr, builtin.StringAttr, builtin.IntAttr),
        *(builtin.SymbolRefAttr, builtin.UnitAttr, builtin.BytesAttr, builtin.DenseArrayBase),
        *(builtin.AffineMapAttr, builtin.AffineSetAttr, builtin.StridedLayoutAttr),
        *(builtin.UnknownLoc, builtin.FileLineColLoc),
    )
)


class AttributeConversion:
    """Takes attributes to the classes of one side. What that side cannot read is an error of
    `parse`, or stays as it is (`lenient`)."""

    def __init__(self, find: FindClass, parse: Parse, *, lenient: bool = False) -> None:
        self._find = find
        self._parse = parse
        self._lenient = lenient
        #: Classes of the other side that were met, by name, and whether they are types.
        self.met: dict[tuple[str, bool], type[Attribute]] = {}
        self._known: dict[Attribute, Attribute] = {}
        self._classes: dict[type[Attribute], bool] = {}

    def __call__(self, attribute: Attribute) -> Attribute:
        """The same attribute in this side's classes: itself, if nothing in it has others."""
        if attribute.__class__ in _PLAIN:
            return attribute
        found = self._known.get(attribute)
        if found is None:
            found = self._known[attribute] = self._convert(attribute)
        return found

    def dictionary(self, attributes: dict[str, Attribute]) -> None:
        """Converts the values of a dictionary in place."""
        for name, value in attributes.items():
            if value.__class__ not in _PLAIN:
                attributes[name] = self(value)

    def _convert(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, builtin.ArrayAttr):
            items = [self(item) for item in attribute.data]
            return attribute if _same(items, attribute.data) else builtin.ArrayAttr(items)
        if isinstance(attribute, builtin.DictionaryAttr):
            converted = {name: self(value) for name, value in attribute.data.items()}
            if _same(converted.values(), attribute.data.values()):
                return attribute
            return builtin.DictionaryAttr(converted)
        if self._is_other(attribute.__class__):
            try:
                return self._parse(str(attribute), isinstance(attribute, TypeAttribute))
            except DiagnosticError:
                if not self._lenient:
                    raise
                return attribute
        if isinstance(attribute, ParametrizedAttribute):
            parameters = [self(parameter) for parameter in attribute.parameters]
            if not _same(parameters, attribute.parameters):
                return attribute.new(parameters)
        return attribute

    def _is_other(self, cls: type[Attribute]) -> bool:
        """Whether this side has another class of this name."""
        found = self._classes.get(cls)
        if found is None:
            found = False
            if "." in cls.name and issubclass(cls, ParametrizedAttribute | Data):
                is_type = issubclass(cls, TypeAttribute)
                own = self._find(cls.name, is_type)
                found = own is not None and own is not cls
                if found:
                    self.met[cls.name, is_type] = cls
            self._classes[cls] = found
        return found


def _same(new: Iterable[object], old: Iterable[object]) -> bool:
    return all(one is other for one, other in zip(new, old, strict=True))


# -- One operation of another class becomes one of ours, and back: in place, as the same object.
#
# Both classes define MLIR's operation of one name, and they agree on operands, results and regions,
# but not everywhere on attributes and properties: an attribute of xDSL's class may be a property of
# ours, and what it does not define stays among its attributes. A few operations differ in more
# (`_SPECIAL`).


_SEGMENTS = (
    ("operand", "operandSegmentSizes", AttrSizedOperandSegments),
    ("result", "resultSegmentSizes", AttrSizedResultSegments),
)


class Bridge:
    """Between `theirs`, a class of another dialect definition, and `ours`, of the same name."""

    def __init__(self, theirs: type[Operation], ours: type[OdsOperation]) -> None:
        self.theirs = theirs
        self.ours = ours
        self.definition: OpDef | None = (
            theirs.get_irdl_definition() if issubclass(theirs, IRDLOperation) else None
        )
        self.defaults = ours._defaults if ours._defaults is not None else default_properties(ours)
        self._special = _SPECIAL.get(ours.name)
        #: By kind of values the option that says where sizes of their groups are kept.
        self._kept_sizes = {
            kind: option
            for kind, _, cls in _SEGMENTS
            for option in (() if self.definition is None else self.definition.options)
            if isinstance(option, cls)
        }

    def enter(self, op: Operation) -> None:
        """Makes an operation of theirs one of ours."""
        properties, attributes = op.properties, op.attributes
        if attributes and not self.ours.property_names.isdisjoint(attributes):
            for name in self.ours.property_names:
                if name in attributes:
                    properties.setdefault(name, attributes.pop(name))
        for kind, name, _ in _SEGMENTS:
            is_operand = kind == "operand"
            ours = self.ours.segmented_operands if is_operand else self.ours.segmented_results
            if not ours:
                properties.pop(name, None)
                attributes.pop(name, None)
            elif name not in properties:
                properties[name] = segment_sizes(self._their_sizes(op, kind))
        for name, value in self.defaults.items():
            properties.setdefault(name, value)
        if self._special is not None:
            self._special[0](op)
        op.__class__ = self.ours

    def leave(self, op: Operation) -> None:
        """Makes an operation of ours one of theirs."""
        definition = self.definition
        if definition is not None:
            sizes = {
                kind: self._our_sizes(cast("OdsOperation", op), kind) for kind in self._kept_sizes
            }
            if self._special is not None:
                self._special[1](op)
            self._place_properties(op, definition)
            self._place_segments(op, sizes)
        op.__class__ = self.theirs

    def _place_properties(self, op: Operation, definition: OpDef) -> None:
        properties: dict[str, Attribute] = op.properties
        known = definition.properties
        for name in [name for name in properties if name not in known]:
            value = properties.pop(name)
            # What is as it is without being said need not be said.
            if name in definition.attributes or self.defaults.get(name) != value:
                op.attributes[name] = value
        for name, entry in known.items():
            if name in properties or isinstance(entry, OptionalDef):
                continue
            if entry.default_value is not None:
                properties[name] = entry.default_value

    def _place_segments(self, op: Operation, sizes: dict[str, Sequence[int] | None]) -> None:
        for kind, name, _ in _SEGMENTS:
            op.properties.pop(name, None)
            op.attributes.pop(name, None)
            if (counts := sizes.get(kind)) is not None:
                self._kept_sizes[kind].container(op)[name] = segment_sizes(counts)

    def _our_sizes(self, op: OdsOperation, kind: str) -> Sequence[int] | None:
        fields = op.spec.operands if kind == "operand" else op.spec.results
        bounds = group_bounds(op, fields, kind)
        return [bounds[at + 1] - bounds[at] for at in range(len(fields))]

    def _their_sizes(self, op: Operation, kind: str) -> Sequence[int]:
        """The sizes of groups, of a class of theirs that does not keep them."""
        definition = self.definition
        total = len(operands_of(op)) if kind == "operand" else len(op.results)
        if definition is None:
            return [total]
        entries = definition.operands if kind == "operand" else definition.results
        variadic = [isinstance(entry, VariadicDef) for _, entry in entries]
        several = sum(variadic)
        rest = (total - len(entries) + several) // several if several else 0
        return [rest if is_variadic else 1 for is_variadic in variadic]


class UnregisteredBridge:
    """The way of an operation that xDSL keeps as one of no known class, with its name among its
    attributes: to our class, if we have one, else to one of that name."""

    def __init__(self, theirs: type[Operation], name: str, known: Bridge | None) -> None:
        self.theirs = theirs
        self._name = StringAttr(name)
        self._known = known

    def enter(self, op: Operation) -> None:
        """As `Bridge.enter`."""
        del op.attributes["op_name__"]
        if self._known is not None:
            self._known.enter(op)
            return
        from xgpu.core.syntax.table_context import unregistered_op

        op.__class__ = unregistered_op(self._name.data)

    def leave(self, op: Operation) -> None:
        """As `Bridge.leave`."""
        op.__class__ = self.theirs
        op.attributes["op_name__"] = self._name


def _enter_gpu_func(op: Operation) -> None:
    """xDSL's gpu.func says in a property of its own that it is a kernel."""
    kernel = op.properties.pop("kernel", None)
    if kernel is not None:
        op.attributes["gpu.kernel"] = kernel
    for name in ("known_block_size", "known_grid_size"):
        size = op.attributes.pop(f"gpu.{name}", None)
        if size is not None:
            op.properties[name] = size


def _leave_gpu_func(op: Operation) -> None:
    kernel = op.attributes.pop("gpu.kernel", None)
    if kernel is not None:
        op.properties["kernel"] = kernel
    for name in ("known_block_size", "known_grid_size"):
        size = op.properties.pop(name, None)
        if size is not None:
            op.attributes[f"gpu.{name}"] = size


_SPECIAL: dict[str, tuple[Callable[[Operation], None], Callable[[Operation], None]]] = {
    "gpu.func": (_enter_gpu_func, _leave_gpu_func),
}


# -- IR of other operation classes, made ours while one of our passes works on it, and given back.
#
# A project may define MLIR's operations with classes of its own; xDSL does. Our passes know an
# operation by its name and read it through our class, so that what they need is made ours first:
# every operation whose name we define. The objects stay the same, only their class changes, so that
# who holds one still does afterwards; operations that we do not define are left alone.
#
# Afterwards each goes back to the class that it came from, and what a pass has made goes to the
# class that the context has for its name. Where that class cannot hold it, the error names it: a
# later pass that looks for that class would not see it. A module that is all ours on entry stays
# ours, whatever the context has: that is what `adopt-gpu-ops` is for.


AnyBridge = Bridge | UnregisteredBridge
OperationT = TypeVar("OperationT", bound=Operation)

_BRIDGES: dict[tuple[type[Operation], str], AnyBridge | None] = {}


def _bridge(theirs: type[Operation], name: str) -> AnyBridge | None:
    """The way between `theirs` and our class of `name`; None if we have none, or it is ours."""
    key = (theirs, name)
    if key not in _BRIDGES:
        converts = not issubclass(theirs, OdsOperation) and not name.startswith("builtin.")
        ours = optional_op_class(name) if converts else None
        if converts and ours is None:
            meet(theirs)
        _BRIDGES[key] = None if ours is None else Bridge(theirs, ours)
    return _BRIDGES[key]


def _unregistered_bridge(theirs: type[Operation], name: str) -> AnyBridge:
    """The way of an operation that xDSL's context did not know, of whatever name it has."""
    key = (theirs, name)
    found = _BRIDGES.get(key)
    if found is None:
        ours = optional_op_class(name)
        known = None if ours is None else Bridge(theirs, ours)
        found = _BRIDGES[key] = UnregisteredBridge(theirs, name, known)
    return found


class ClassConversion:
    """A module's operations and attributes as instances of our classes, until they are converted
    back."""

    def __init__(self, module: Operation) -> None:
        self.module = module
        self._bridges: dict[Operation, AnyBridge] = {}
        self._ours: set[Operation] = set()
        #: What operations without regions looked like when they had come.
        self._came: dict[Operation, tuple[object, ...]] = {}
        self._enter()

    @property
    def was_ours(self) -> bool:
        """Whether nothing had to change: then nothing will."""
        return not self._bridges

    # --- in --------------------------------------------------------------------------------
    def _enter(self) -> None:
        attributes = AttributeConversion(_our_class, _parse_ours)
        self._met = attributes.met
        for op in self._operations():
            cls = op.__class__
            if isinstance(op, OdsOperation):
                self._ours.add(op)
                continue
            if isinstance(op, UnregisteredOp):
                bridge = _unregistered_bridge(cls, op.op_name.data)
            else:
                bridge = _bridge(cls, cls.name)
            if bridge is not None:
                bridge.enter(op)
                self._bridges[op] = bridge
        for op in self._operations():
            _convert_values(op, attributes)
        attributes.dictionary(self.module.attributes)
        for op in self._bridges:
            if not op.regions:
                self._came[op] = _looks(op)

    def _operations(self) -> Iterator[Operation]:
        if not self.module.name.startswith("builtin."):
            yield self.module
        yield from nested_operations(self.module)

    # --- back ------------------------------------------------------------------------------
    def leave(self, context: Context, by: str) -> None:
        """Gives everything back. `by` is what worked on it, for the error.

        Raises `DiagnosticError` where the context's class cannot hold what was made; the operation
        stays ours, and all else has gone back.
        """
        if self.was_ours:
            return
        changed: list[tuple[Operation, AnyBridge]] = []
        for op in self._operations():
            bridge = self._way_back(op, context)
            if bridge is not None:
                came = self._came.get(op)
                if came is None or came != _looks(op):
                    changed.append((op, bridge))
                bridge.leave(op)
        back = MetContext(context, self._met)
        attributes = AttributeConversion(_their_class(back), _parse_theirs(back))
        for op in self._operations():
            _convert_values(op, attributes)
        attributes.dictionary(self.module.attributes)
        refused = _refusals(changed)
        if refused:
            raise DiagnosticError(*(_not_back(op, bridge, why, by) for op, bridge, why in refused))

    @contextmanager
    def returning_to(self, context: Context, by: str) -> Generator[None]:
        """Gives everything back when the block is left. An error of the block's is what counts."""
        try:
            yield
        except BaseException:
            with suppress(DiagnosticError):
                self.leave(context, by)
            raise
        self.leave(context, by)

    def _way_back(self, op: Operation, context: Context) -> AnyBridge | None:
        came = self._bridges.get(op)
        if came is not None:
            return came
        if not isinstance(op, OdsOperation) or op in self._ours:
            return None
        cls = context.get_optional_op(op.name)
        if cls is None or issubclass(cls, UnregisteredOp):
            return None
        return _bridge(cls, op.name)


def _looks(op: Operation) -> tuple[object, ...]:
    """What a class without regions can ask of its operation: what goes back as it came was held
    by its class before, and need not be verified."""
    return (
        op.parent,
        op.next_op is None,
        *map(value_type, operands_of(op)),
        *map(value_type, op.results),
        *op.properties.items(),
        *op.attributes.items(),
        *successors_of(op),
    )


def _convert_values(op: Operation, attributes: AttributeConversion) -> None:
    """Converts the attributes of an operation, and the types that it defines."""
    if op.properties:
        attributes.dictionary(op.properties)
    if op.attributes:
        attributes.dictionary(op.attributes)
    for result in op.results:
        set_type(result, attributes(result.type))
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                set_type(argument, attributes(argument.type))


def _refusals(gone: list[tuple[Operation, AnyBridge]]) -> list[tuple[Operation, AnyBridge, str]]:
    """Which operations the class that they are in cannot hold, and why; they are ours again.

    Inner ones first: a class may ask what is inside of its operation.
    """
    refused: list[tuple[Operation, AnyBridge, str]] = []
    for op, bridge in reversed(gone):
        try:
            op.verify_()
        except (VerifyException, ValueError) as e:
            lines = [line.strip() for line in words_of(e).splitlines() if line.strip()]
            bridge.enter(op)
            refused.append((op, bridge, lines[-1] if lines else type(e).__name__))
    return refused


def _class_text(bridge: AnyBridge) -> str:
    return f"{bridge.theirs.__module__}.{bridge.theirs.__qualname__}"


def _not_back(op: Operation, bridge: AnyBridge, why: str, by: str) -> Diagnostic:
    # xDSL's tools show no notes of ours, so the remedy is in the message.
    return Diagnostic(
        "error",
        f"'{op.name}' op cannot be given back to {_class_text(bridge)} after {by}: {why} "
        "(run adopt-gpu-ops first to go on with xgpu's classes)",
        op.location,
        op=op,
    )


def lend(root: Operation, context: Context, by: str) -> list[Diagnostic]:
    """Makes operations of ours those that `context` has for their names, in place, for `by`.

    What a class of theirs cannot hold stays ours; warnings say so, one for each name.
    """
    gone: list[tuple[Operation, AnyBridge]] = []
    operations = [op for op in (root, *nested_operations(root)) if isinstance(op, OdsOperation)]
    for op in operations:
        cls = context.get_optional_op(op.name)
        if cls is None or issubclass(cls, UnregisteredOp):
            continue
        bridge = _bridge(cls, op.name)
        if bridge is not None:
            bridge.leave(op)
            gone.append((op, bridge))
    attributes = AttributeConversion(_their_class(context), _parse_theirs(context), lenient=True)
    for op in (root, *nested_operations(root)):
        _convert_values(op, attributes)
    found: dict[str, Diagnostic] = {}
    for op, bridge, why in _refusals(gone):
        found[op.name] = Diagnostic(
            "warning",
            f"{by} does not see this '{op.name}': {_class_text(bridge)} cannot hold it: {why}",
            op.location,
        )
    return list(found.values())


# --- finding and reading attributes ----------------------------------------------------------


class MetContext(Context):
    """A context in which attributes go back to the classes that they had: those that were met
    before those of `context`."""

    def __init__(self, context: Context, met: Mapping[tuple[str, bool], type[Attribute]]) -> None:
        super().__init__(context.allow_unregistered)
        self._context = context
        self._met = met

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        met = cast("type[TypeAttribute] | None", self._met.get((name, True)))
        return met or self._context.get_optional_type(name)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        return self._met.get((name, False)) or self._context.get_optional_attr(name)

    def get_optional_dialect(self, name: str) -> Dialect | None:
        return self._context.get_optional_dialect(name)


def _our_class(name: str, is_type: bool) -> type[Attribute] | None:
    return optional_attr_class(f"!{name}" if is_type else name)


def _parse_ours(text: str, is_type: bool) -> Attribute:
    from xgpu.core.syntax.parser import parse_alone

    return parse_alone(text, "<type>" if is_type else "<attribute>", is_type=is_type)


def _their_class(context: Context) -> Callable[[str, bool], type[Attribute] | None]:
    def find(name: str, is_type: bool) -> type[Attribute] | None:
        found = context.get_optional_type(name) if is_type else context.get_optional_attr(name)
        return None if found is None or issubclass(found, UnregisteredAttr) else found

    return find


def _parse_theirs(context: Context) -> Callable[[str, bool], Attribute]:
    def parse(text: str, is_type: bool) -> Attribute:
        from xdsl.parser import Parser

        parser = Parser(context, text)
        try:
            return parser.parse_type() if is_type else parser.parse_attribute()
        except (ParseError, VerifyException) as e:
            lines = [line.strip() for line in words_of(e).splitlines() if line.strip()]
            raise DiagnosticError(
                Diagnostic("error", f"'{text}' cannot be given back: {lines[-1]}")
            ) from None

    return parse


def adopted(op: OperationT) -> OperationT:
    """`op` itself where it is ours, else a copy of it in our classes."""
    if is_ours(op):
        return op
    copy = op.clone()
    ClassConversion(copy)
    return copy


def adopt_operation(op: Operation) -> None:
    """Makes an operation, and what is in it, ours, as far as we have it: the same objects."""
    ClassConversion(op)
