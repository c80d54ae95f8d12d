# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What has taken the place of values during a conversion, and the casts between old and new ones.

See `driver.py` for the invariants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xgpu.core.ir.construction import (
    build_operation,
    drop_operands,
    erase_operation,
    hint_of,
    insert_before,
    operands_of,
    replace_all_uses,
    set_hint,
    successors_of,
    value_type,
)
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.rewriting.builder import Rewriter

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.core.rewriting.type_converter import TypeConverter


class NoMatch(Exception):
    """A rule does not apply, and why."""


class ConvertedValues(Rewriter):
    """Old values and what takes their place. `types` is the type converter."""

    __slots__ = ("_casts", "_made", "_removed", "_sources", "_values", "types")

    def __init__(self, types: TypeConverter | None) -> None:
        super().__init__()
        self.types = types
        self._values: dict[SSAValue, tuple[SSAValue, ...]] = {}
        #: Casts (or what the type converter built) from an old value to a type.
        self._casts: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        #: Values of the old type that were already built for an old value.
        self._sources: dict[SSAValue, SSAValue] = {}
        #: All casts that were built here; others belong to the program.
        self._made: list[Operation] = []
        self._removed: list[Operation] = []

    # --- for rules: values -------------------------------------------------------------------
    def converted(self, value: SSAValue) -> Any:
        """What a rule gets for the operand `value`: a value of its converted type, or a tuple.

        Raises `NoMatch` if the type of `value` has no conversion.
        """
        values = self._lookup(value)
        if self.types is None:
            return value if values is None else values[0] if len(values) == 1 else values
        ty = value_type(value)
        wanted = self.types.convert(ty)
        if wanted.__class__ is tuple:
            if values is not None and tuple(v.type for v in values) == wanted:
                return values
            return self._cast_to_many(value, wanted, values)
        if wanted is None:
            raise NoMatch(f"unable to convert type for operand, type was {ty}")
        if values is None:
            if ty is wanted or ty == wanted:
                return value
        elif len(values) == 1 and ((now := value_type(values[0])) is wanted or now == wanted):
            return values[0]
        cast = self._casts.get((value, wanted))
        if cast is None:
            cast = self._cast_to(value, wanted, values)
            self._casts[value, wanted] = cast
            if values is not None and len(values) > 1:  # one stands for the parts from here on
                self._values[value] = (cast,)
        return cast

    def converted_all(self, values: Sequence[SSAValue]) -> list[Any]:
        return [self.converted(v) for v in values]

    def convert_type(self, ty: Attribute) -> Any:
        """The converted type; raises `NoMatch` if there is none."""
        new = ty if self.types is None else self.types.convert(ty)
        if new is None:
            raise NoMatch(f"type {ty} has no conversion")
        return new

    def map_value(self, old: SSAValue, new: SSAValue | Sequence[SSAValue]) -> None:
        """From here on `new` takes the place of `old`."""
        if new.__class__ is OpResult or isinstance(new, SSAValue):
            values: tuple[SSAValue, ...] = (new,)  # pyright: ignore[reportAssignmentType]
        else:
            values = tuple(new)  # pyright: ignore[reportArgumentType]
        if len(values) == 1:
            if values[0] is old:
                return
            if hint_of(values[0]) is None:
                set_hint(values[0], hint_of(old))
        self._values[old] = values

    # --- casts -------------------------------------------------------------------------------
    def _lookup(self, value: SSAValue) -> tuple[SSAValue, ...] | None:
        """What has taken the place of `value`, followed to the end; None if it is still there."""
        values = self._values.get(value)
        if values is None:
            return None
        while len(values) == 1 and (further := self._values.get(values[0])) is not None:
            values = further
        return values

    def _cast_to(
        self, value: SSAValue, wanted: Attribute, values: tuple[SSAValue, ...] | None
    ) -> SSAValue:
        """Builds a value of type `wanted` right after the definition of what `value` is now, with
        the location of the operation that asks for it first."""
        now = (value,) if values is None else values
        with Place(self, None):
            self._after_definition(now)
            if self.types is not None:
                built = self.types.to_target(self, wanted, now, value.type)
                if built is not None:
                    return built
            return self._cast(now, (wanted,)).results[0]

    def _cast_to_many(
        self, value: SSAValue, wanted: tuple[Attribute, ...], values: tuple[SSAValue, ...] | None
    ) -> tuple[SSAValue, ...]:
        now = (value,) if values is None else values
        with Place(self, None):
            self._after_definition(now)
            new = tuple(self._cast(now, wanted).results)
        self._values[value] = new
        return new

    def _build_source(self, old: SSAValue, values: tuple[SSAValue, ...]) -> SSAValue:
        if self.types is not None:
            built = self.types.to_source(self, old.type, values)
            if built is not None:
                return built
        return self._cast(values, (old.type,)).results[0]

    def _cast(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> Operation:
        cast: Operation = build_operation(
            UnrealizedConversionCastOp, tuple(values), tuple(types), {}, {}, self.location
        )
        anchor = self.anchor
        insert_before(self.block if anchor is None else anchor.parent, cast, anchor)
        self._made.append(cast)
        return cast

    def _after_definition(self, values: Sequence[SSAValue]) -> None:
        last: SSAValue | None = None
        for value in values:
            if last is None or _is_later(value, last):
                last = value
        if last is None:
            return
        owner = last.owner
        if isinstance(owner, Block):
            self.at_start(owner)
        else:
            self.after(owner)

    # --- the end -----------------------------------------------------------------------------
    def _finish(self) -> None:
        for op in self._removed:
            if op.regions or successors_of(op):
                op.drop_all_references()
            else:
                op.parent = None
                drop_operands(op)
        # A value that stands for another of the same type: no cast. Backwards, because the new
        # value may itself have been replaced earlier in the walk.
        for old, new in reversed(self._values.items()):
            if old.first_use is not None and len(new) == 1 and new[0].type == old.type:
                replace_all_uses(old, new[0])
        self._give_way()
        for old in self._values:
            if old.first_use is not None:
                replace_all_uses(old, self._source(old))
        self._look_through_casts()
        self._drop_unused()
        for op in self._removed:
            for result in op.results:
                if result.first_use is not None:
                    raise DiagnosticError(
                        Diagnostic(
                            "error",
                            f"failed to legalize operation '{op.name}': a result without "
                            "replacement is still in use",
                            op.location,
                        )
                    )

    def _give_way(self) -> None:
        """Takes away casts from values that were converted after all."""
        for (value, wanted), cast in self._casts.items():
            if cast.first_use is None:
                continue
            values = self._lookup(value)
            if values is not None and len(values) == 1 and values[0].type == wanted:
                replace_all_uses(cast, values[0])

    def _look_through_casts(self) -> None:
        """Takes what casts of the program, or other new ones, were made of in the place of new
        casts back to its types, as MLIR does:

            %1 = builtin.unrealized_conversion_cast %0 : i64 to index     // the program's: stays
            %2 = builtin.unrealized_conversion_cast %1 : index to i64     // %0
        """
        for cast in self._made:
            if cast.parent is None or all(r.first_use is None for r in cast.results):
                continue
            wanted = [value_type(result) for result in cast.results]
            inner = _cast_before(cast)
            while inner is not None:
                inputs = operands_of(inner)
                if [value_type(value) for value in inputs] == wanted:
                    for result, value in zip(cast.results, inputs, strict=True):
                        replace_all_uses(result, value)
                    break
                inner = _cast_before(inner)

    def _source(self, old: SSAValue) -> SSAValue:
        """A value of the type of `old` for those who still use it."""
        built = self._sources.get(old)
        if built is not None:
            return built
        values = self._lookup(old)
        assert values is not None
        if len(values) == 1:
            if values[0].type == old.type:
                return values[0]
            # The new value may be a cast of a value of the type that is asked for.
            owner = values[0].owner
            if isinstance(owner, UnrealizedConversionCastOp) and (
                len(owner.operands) == 1 and owner.operands[0].type == old.type
            ):
                return owner.operands[0]
        defined = old if isinstance(old, BlockArgument) else old.owner
        assert not isinstance(defined, Block)
        with Place(self, defined.location):
            self._after_definition(values)
            built = self._build_source(old, values)
        self._sources[old] = built
        return built

    def _drop_unused(self) -> None:
        """Erases casts, and what type converters built, where nothing uses them after all."""
        made = set(self._made)
        worklist = [*self._casts.values(), *self._sources.values()]
        for values in self._values.values():
            worklist.extend(values)
        while worklist:
            owner: Any = worklist.pop().owner
            if owner.__class__ is not UnrealizedConversionCastOp or owner.parent is None:
                continue
            if any(r.first_use is not None for r in owner.results):  # pyright: ignore
                continue
            inputs = operands_of(owner)
            erase_operation(owner)
            worklist.extend(value for value in inputs if value.owner in made)


class Place:
    """Keeps a rewriter's place and location for a `with` statement."""

    __slots__ = ("_location", "_rw", "_saved")

    def __init__(self, rw: Rewriter, location: LocationAttr | None) -> None:
        self._rw = rw
        self._location = location

    def __enter__(self) -> None:
        rw = self._rw
        self._saved = (rw.anchor, rw.block, rw.location)
        if self._location is not None:
            rw.location = self._location

    def __exit__(self, *_: object) -> None:
        self._rw.anchor, self._rw.block, self._rw.location = self._saved


def _cast_before(cast: Operation) -> Operation | None:
    """The cast whose results are the operands of `cast`, in order."""
    inputs = operands_of(cast)
    owner = inputs[0].owner if inputs else None
    if not isinstance(owner, Operation) or owner.name != UnrealizedConversionCastOp.name:
        return None
    return owner if tuple(owner.results) == tuple(inputs) else None


def _is_later(value: SSAValue, other: SSAValue) -> bool:
    """Whether `value` is defined after `other`, as far as their block tells."""
    a, b = value.owner, other.owner
    if isinstance(a, Block):
        return False
    if isinstance(b, Block) or a.parent is not b.parent:
        return True
    return b is not a and b.is_before_in_block(a)
