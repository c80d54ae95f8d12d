# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers of values while operations are replaced, and functions as their callers see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.calls import callee_name
from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import resolve
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.memref.verify import can_cast
from xgpu.dialects.memref_layout import strides_and_offset
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    Options,
    Tensor,
    is_buffer,
    is_tensor,
    ranked_type,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import (
    Alias,
    Operand,
    Source,
    owner_of,
    tensor_operands,
    uses_of,
)
from xgpu.transforms.memref.result_sizes import size_of, size_of_result

# --- signatures ----------------------------------------------------------------------------------
# Functions as their callers see them: types, attributes of arguments, what is done to those.


ACCESS, LAYOUT, WRITABLE = (
    "bufferization.access",
    "bufferization.buffer_layout",
    "bufferization.writable",
)


def function_type(function: Operation) -> FunctionType:
    kind = function.properties["function_type"]
    assert isinstance(kind, FunctionType)
    return kind


def callee(call: Operation) -> Operation | None:
    """The function that a `func.call` calls."""
    name = callee_name(call)
    path = None if name is None else resolve(call, name)
    return path[-1] if path and path[-1].name == "func.func" else None


def argument_attribute(function: Operation, index: int, name: str) -> Attribute | None:
    """The attribute `name` of an argument."""
    attributes = function.properties.get("arg_attrs")
    if not isinstance(attributes, ArrayAttr):
        return None
    entry = attributes.data[index]
    return entry.data.get(name) if isinstance(entry, DictionaryAttr) else None


def returns_of(function: Operation) -> list[Operation]:
    """The `func.return`s of a function."""
    blocks = function.regions[0].blocks
    return [b.last_op for b in blocks if b.last_op is not None and b.last_op.name == "func.return"]


class Facts:
    """What one function does to its arguments."""

    __slots__ = ("aliases", "equivalent", "read", "written")

    def __init__(self) -> None:
        #: The results that may share each argument's buffer.
        self.aliases: dict[int, list[int]] = defaultdict(list)
        #: The argument whose buffer a result is.
        self.equivalent: dict[int, int] = {}
        self.read: set[int] = set()
        self.written: set[int] = set()


class FunctionFacts:
    """What is known of the functions that have been analyzed."""

    def __init__(self) -> None:
        self._facts: dict[Operation, Facts] = {}

    def of(self, call: Operation) -> Facts | None:
        """The facts of what `call` calls; None if it has not been analyzed."""
        function = callee(call)
        return None if function is None else self._facts.get(function)

    def state(self, function: Operation, facts: Facts) -> None:
        """Says what is known of a function."""
        self._facts[function] = facts


# --- buffers -------------------------------------------------------------------------------------
# Buffers of values while operations are replaced.
#
# An operation that has been replaced leaves a `bufferization.to_tensor` of its buffer for users
# that still want a tensor; a user asks for the buffer and finds it there. Where the operation that
# defines a value comes later, a `bufferization.to_buffer` of the type that the buffer will have
# stands for it, and goes when both are there.


class State(Protocol):
    """What is known of operands and values: what models ask, and answer. `state.Undecided` is what
    holds before an analysis, `decisions.Decisions` what one found."""

    options: Options
    #: What is known of functions, if their boundaries are bufferized.
    functions: FunctionFacts | None

    def reads(self, use: Operand) -> bool: ...
    def writes(self, use: Operand) -> bool: ...
    def aliases(self, use: Operand) -> Sequence[Alias]: ...
    def is_in_place(self, use: Operand) -> bool: ...
    def can_omit_copy(self, use: Operand) -> bool: ...
    def sources(self, value: SSAValue) -> Sequence[Source]: ...
    def defines_contents(self, value: SSAValue) -> bool: ...
    def is_read(self, value: SSAValue) -> bool: ...
    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool: ...
    def sharing(self, value: SSAValue) -> Sequence[SSAValue] | None: ...
    def trace(
        self,
        value: SSAValue,
        found: Callable[[SSAValue], bool],
        *,
        leaves: bool = True,
        equivalent_only: bool = False,
        same_type_only: bool = False,
    ) -> list[SSAValue]: ...
    def type_of(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer: ...


def buffer_type(value: SSAValue) -> Buffer:
    """The type of a value that is a buffer."""
    kind = value.type
    assert isinstance(kind, MemRefType | UnrankedMemRefType)
    return kind


def ranked_buffer_type(value: SSAValue) -> MemRefType[Attribute]:
    """The type of a value that is a buffer of known rank."""
    kind = value.type
    assert isinstance(kind, MemRefType)
    return kind


class Buffers(Rewriter):
    """Replaces operations; keeps a list of what it creates and what is still to be bufferized."""

    __slots__ = ("created", "gone", "options", "state")

    def __init__(self, state: State) -> None:
        super().__init__()
        self.options = state.options
        #: Answers without an analysis: copies have been made for its decisions.
        self.state = state
        #: New operations, in order.
        self.created: list[Operation] = []
        self.gone: set[Operation] = set()

    def inserted(self, op: Operation) -> None:
        self.created.append(op)

    def erased(self, op: Operation) -> None:
        self.gone.add(op)

    def start(self, op: Operation) -> None:
        """From here on, `op` is replaced: insert before it."""
        self.before(op)
        self.location = op.location

    def after_value(self, value: SSAValue) -> None:
        """From here on, insert right after the definition of `value`."""
        owner = value.owner
        if isinstance(owner, Block):
            self.at_start(owner)
        else:
            self.after(owner)

    # --- buffers -------------------------------------------------------------------------------
    def of(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor. The rewriter stays where it is."""
        owner = value.owner
        if isinstance(owner, Operation) and owner.name == "bufferization.to_tensor":
            return owner.operands[0]
        kind = self.type_of(value)
        anchor, block = self.anchor, self.block
        self.after_value(value)
        here = anchor is self.anchor and block is self.block
        with self.located(location_of(value)):
            buffer = self.value("bufferization.to_buffer", (value,), kind)
        if here:
            return buffer  # what follows comes after the buffer
        self.anchor, self.block = anchor, block
        return buffer

    def of_all(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Buffers of those that are tensors, the others as they are."""
        return [self.of(value) if is_tensor(value.type) else value for value in values]

    def type_of(self, value: SSAValue, stack: list[SSAValue] | None = None) -> Buffer:
        """The type that the buffer of a tensor has or will have.

        `stack` has the values whose types wait for this one: loops would ask for ever.
        """
        stack = [] if stack is None else stack
        stack.append(value)
        try:
            return self.state.type_of(value, self, stack)
        finally:
            stack.pop()

    def type_or_buffer(self, value: SSAValue, stack: list[SSAValue]) -> Buffer:
        """`type_of`, of what may have become a buffer already."""
        return buffer_type(value) if is_buffer(value.type) else self.type_of(value, stack)

    def space_of(self, kind: Tensor, op: Operation) -> Attribute:
        """The memory space of a buffer of which nothing else is known.

        Raises DiagnosticError at `op` if it has to follow from something.
        """
        space = self.options.space_of(kind)
        if space is None:
            raise error(op, "could not infer memory space")
        return space

    def unknown_type(self, value: SSAValue) -> Buffer:
        kind = tensor_type(value)
        return self.options.unknown_buffer(kind, self.space_of(kind, owner_of(value)))

    def as_tensor(self, buffer: SSAValue, kind: Attribute) -> SSAValue:
        return self.value("bufferization.to_tensor", (buffer,), kind)

    def replace_by(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Replaces `op` by buffers for its tensors, and its other results by values."""
        replacements: list[SSAValue] = []
        self.after(op)
        for result, value in zip(op.results, values, strict=True):
            same = not is_tensor(result.type)
            replacements.append(value if same else self.as_tensor(value, result.type))
        self.replace(op, replacements)

    # --- memory --------------------------------------------------------------------------------
    def allocate(self, kind: Buffer, sizes: Sequence[SSAValue]) -> SSAValue:
        alignment = self.options.buffer_alignment
        properties = {"alignment": IntegerAttr(alignment, i64)} if alignment else None
        return self.value("memref.alloc", (list(sizes), []), kind, properties)

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        if self.options.copy_op == "memref.copy":
            self.create("memref.copy", (source, target))
            return
        from xgpu.dialects.linalg.bodies import build_region

        region = build_region("linalg.copy", [source, target], {}, 1, self.location)
        self.create("linalg.copy", [[source], [target]], (), regions=[region])

    def dim(self, buffer: SSAValue, at: int) -> SSAValue:
        return as_value(self, size_of(self, buffer, at))

    def dynamic_sizes(self, value: SSAValue) -> list[SSAValue]:
        """The sizes of a buffer or tensor that its type does not state."""
        kind = value.type
        assert hasattr(kind, "get_shape")
        shape: Sequence[int] = kind.get_shape()  # pyright: ignore
        return [self.dim(value, at) for at, size in enumerate(shape) if size == DYNAMIC_INDEX]

    def cast(self, buffer: SSAValue, kind: Buffer) -> SSAValue:
        """`buffer` as a memref of type `kind`, which is known to fit."""
        return buffer if buffer.type == kind else self.value("memref.cast", (buffer,), kind)

    def cast_or_copy(self, buffer: SSAValue, kind: MemRefType[Attribute]) -> SSAValue | None:
        """`buffer` as a memref of type `kind`: cast where that always holds, else a copy; None if
        they differ in more than layouts and what is known of sizes."""
        source = ranked_buffer_type(buffer)
        if source.element_type != kind.element_type:
            return None
        if len(source.get_shape()) != len(kind.get_shape()):
            return None
        with self.located(location_of(buffer)):
            if can_cast(source, kind) and _always_fits(source, kind):
                return self.value("memref.cast", (buffer,), kind)
            unknown = [i for i, n in enumerate(kind.get_shape()) if n == DYNAMIC_INDEX]
            copy = self.allocate(kind, [self.dim(buffer, i) for i in unknown])
            self.copy(buffer, copy)
        return copy

    def allocate_tensor(self, value: SSAValue, *, copy: bool = True) -> SSAValue:
        """A `bufferization.alloc_tensor` of the shape of `value`, with its contents if `copy`."""
        kind = ranked_type(value)
        if copy:
            return self.value("bufferization.alloc_tensor", ([], [value], []), kind)
        sizes: list[SSAValue] = []
        for at, size in enumerate(kind.get_shape()):
            if size == DYNAMIC_INDEX:
                sizes.append(self._size(value, at))
        space = self.type_of(value).memory_space
        properties = None if isinstance(space, NoneAttr) else {"memory_space": space}
        return self.value("bufferization.alloc_tensor", (sizes, [], []), kind, properties)

    def _size(self, value: SSAValue, at: int) -> SSAValue:
        """The size of a dimension, from the operation that made the tensor if that says."""
        if isinstance(value, OpResult):
            known = size_of_result(value, at, self)
            if known is not None:
                return as_value(self, known)
        return as_value(self, size_of(self, value, at))

    def copy_operands(self, op: Operation, state: State) -> None:
        """Copies the operands of `op` that do not keep their buffers, by the decisions in `state`;
        or the result, where that only shares the operand's buffer and may be less of it."""
        operands: list[tuple[int, bool]] = []
        results: list[tuple[SSAValue, bool]] = []
        for use in tensor_operands(op):
            if state.is_in_place(use):
                continue
            if isinstance(use.value.type, UnrankedTensorType):
                raise error(op, "copies of unranked tensors are not supported")
            aliases = state.aliases(use)
            contents = not state.can_omit_copy(use)
            if (
                len(aliases) == 1
                and aliases[0].value.owner is op
                and not state.writes(use)
                and len(state.sources(aliases[0].value)) == 1
                and not isinstance(aliases[0].value.type, UnrankedTensorType)
            ):
                results.append((aliases[0].value, contents))
            else:
                operands.append((use.at, contents))
        for index, contents in operands:
            self.before(op)
            op.operands[index] = self.allocate_tensor(op.operands[index], copy=contents)
        for result, contents in results:
            uses = uses_of(result)
            self.after(op)
            copy = self.allocate_tensor(result, copy=contents)
            for user, index in uses:
                user.operands[index] = copy

    # --- folding -------------------------------------------------------------------------------
    def fold_pair(self, op: Operation) -> bool:
        """Replaces a buffer of a tensor of a buffer by that one, cast or copied if need be."""
        owner = op.operands[0].owner
        if not isinstance(owner, Operation) or owner.name != "bufferization.to_tensor":
            return False
        buffer, kind = owner.operands[0], op.results[0].type
        self.start(op)
        if buffer.type == kind:
            self.replace(op, [buffer])
        elif isinstance(kind, MemRefType):
            if isinstance(buffer.type, UnrankedMemRefType):
                return False
            new = self.cast_or_copy(buffer, kind)
            if new is None:
                return False
            self.replace(op, [new])
        else:
            self.replace(op, [self.value("memref.cast", (buffer,), kind)])
        return True


def _always_fits(source: MemRefType[Attribute], target: MemRefType[Attribute]) -> bool:
    """Whether `target` claims no stride and no offset that `source` does not have."""
    before, after = strides_and_offset(source), strides_and_offset(target)
    if before is None or after is None:
        return False
    pairs = zip([*before[0], before[1]], [*after[0], after[1]], strict=True)
    return all(known is not None or wanted is None for known, wanted in pairs)


def has_effects(op: Operation) -> bool:
    """Whether an operation that nothing uses has to stay."""
    return "IsTerminator" in traits_of(op.name) or effects(op) != []
