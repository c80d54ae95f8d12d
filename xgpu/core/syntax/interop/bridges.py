# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How an operation of another class becomes one of ours, and back: in place, as the same object.

Both classes define MLIR's operation of one name, and they agree on operands, results and regions,
but not everywhere on where an attribute is kept: what xDSL's class has as an attribute may be a
property of ours, and what it does not know at all waits among its attributes. A few operations
differ in more (`_SPECIAL`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    VariadicDef,
)

from xgpu.core.ir.fields import operands_of
from xgpu.core.ods.operation import OdsOperation, default_properties, group_bounds, segment_sizes

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
