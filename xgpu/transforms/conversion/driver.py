# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dialect conversion: one walk, a table of rules, and casts only where somebody still needs them.

A rule turns one operation into others:

    def lower_addi(op, operands, rw):        # rw.create(...) inserts before op, with op's location
        return [rw.value("llvm.add", operands, operands[0].type)]

`operands` are the converted values: of the types that the type converter gives, a tuple where one
old value has become several. A rule returns what takes the place of the results (for each a
value, a tuple of values, or None if nobody uses it; an empty list for an operation without
results), None if it changed `op` in place and `op` stays, or raises `NoMatch(reason)` before it
has built anything, after which `op` stays as it is.

The invariants, which make the walk linear:

* The operations that there are at the start are visited once, parents first. What a rule creates
  is visited at once if there is a rule for it.
* An old value keeps its type and its users while the walk goes on; `values` maps it to what
  takes its place. Replaced operations leave their block at once and keep their operands until
  the end, so that constants can still be seen through them.
* A converted operation that uses a value nobody has converted (yet) gets a cast right after that
  value's definition. At the end such a cast gives way if the value was converted after all, and
  old values that unconverted operations still use get a cast the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.errors import Diagnostic, DiagnosticError
from xgpu.ods.construction import (
    build_operation,
    drop_operands,
    erase_operation,
    insert_before,
    nested_operations,
    replace_all_uses,
)
from xgpu.transforms.constants import materialize
from xgpu.transforms.conversion.blocks import set_arguments, unreachable_operations
from xgpu.transforms.folding import fold
from xgpu.transforms.rewriting import Rewriter

if TYPE_CHECKING:
    from xgpu.transforms.conversion.type_converter import TypeConverter

#: What a rule returns for the results of its operation.
Replacements = Sequence["SSAValue | Sequence[SSAValue] | None"]
Rule = Callable[[Operation, Sequence[Any], Any], "Replacements | None"]
#: Names of operations or dialects, or a predicate of an operation.
Selection = Container[str] | Callable[[Operation], bool]


#: An operation that is still changed in place by this many folds is converted as it is.
_MAX_FOLDS = 8


class NoMatch(Exception):
    """A rule does not apply, and why."""


def first_of(*rules: Rule) -> Rule:
    """A rule that is the first of `rules` that applies."""

    def rule(op: Operation, operands: Sequence[Any], rw: Conversion) -> Replacements | None:
        for candidate in rules[:-1]:
            try:
                return candidate(op, operands, rw)
            except NoMatch:
                continue
        return rules[-1](op, operands, rw)

    return rule


def convert(
    root: Operation,
    rules: Mapping[str, Rule],
    types: TypeConverter | None = None,
    *,
    full: bool = False,
    legal: Selection = (),
    illegal: Selection = (),
    fold: bool = True,
    known: Container[str] | None = None,
    state: Any = None,
    root_too: bool = False,
) -> Conversion:
    """Applies `rules` to what `root` contains, and with `root_too` to itself.

    `legal` operations are left alone although there is a rule; `illegal` ones must not remain; with
    `full`, only legal ones may remain. With `fold`, as in MLIR, an operation is folded rather than
    converted where it can be, and so is one without a rule unless its dialect is `known`: by
    default llvm is where there is a type converter, else all are. `state` is for the rules, as
    `rw.state`. Raises `DiagnosticError`
    where an operation must not remain.
    """
    if known is None and types is not None:
        known = ("llvm",)
    conversion = Conversion(root, rules, types, full, legal, illegal, fold, state)
    conversion.known = known
    conversion.run(root_too)
    return conversion


class Conversion(Rewriter):
    """The rewriter that rules get. `types` is the type converter, `state` is the pass's own."""

    __slots__ = (
        "_casts",
        "_fold",
        "_full",
        "_illegal",
        "_legal",
        "_pending",
        "_removed",
        "_removed_ids",
        "_rules",
        "_sources",
        "_values",
        "cache",
        "known",
        "root",
        "state",
        "types",
    )

    def __init__(
        self,
        root: Operation,
        rules: Mapping[str, Rule],
        types: TypeConverter | None,
        full: bool,
        legal: Selection,
        illegal: Selection,
        fold: bool,
        state: Any,
    ) -> None:
        super().__init__()
        self.root = root
        self.types = types
        self.state = state
        #: Dialects whose operations may stay as they are; None for all.
        self.known: Container[str] | None = None
        #: For rules: what they found out once and need again, such as symbols.
        self.cache: dict[Any, Any] = {}
        self._rules = rules
        self._full = full
        self._legal = _predicate(legal)
        self._illegal = _predicate(illegal)
        self._fold = fold
        #: Operations that the current rule created and that have a rule themselves.
        self._pending: list[Operation] = []
        self._values: dict[SSAValue, tuple[SSAValue, ...]] = {}
        #: Casts (or what the type converter built) from an old value to a type.
        self._casts: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        #: Values of the old type that were already built for an old value.
        self._sources: dict[SSAValue, SSAValue] = {}
        self._removed: list[Operation] = []
        self._removed_ids: set[int] = set()

    # --- for rules: values -------------------------------------------------------------------
    def converted(self, value: SSAValue) -> Any:
        """What a rule gets for the operand `value`: a value of its converted type, or a tuple.

        Raises `NoMatch` if the type of `value` has no conversion.
        """
        values = self._lookup(value)
        if self.types is None:
            return value if values is None else values[0] if len(values) == 1 else values
        ty = value._type
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
        elif len(values) == 1 and ((now := values[0]._type) is wanted or now == wanted):
            return values[0]
        cast = self._casts.get((value, wanted))
        if cast is None:
            cast = self._cast_to(value, wanted, values)
            self._casts[value, wanted] = cast
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
            if values[0]._name is None:
                values[0]._name = old._name
        self._values[old] = values

    # --- for rules: operations ---------------------------------------------------------------
    def replace(self, op: Operation, values: Replacements) -> None:
        """Lets `values` take the place of the results of `op`, and removes `op`."""
        if len(values) != len(op.results):
            raise ValueError(f"{op.name}: {len(op.results)} results, {len(values)} values")
        for old, new in zip(op.results, values, strict=True):
            if new is not None:
                self.map_value(old, new)
        self.erase(op)

    def erase(self, op: Operation) -> None:
        """Removes `op` and what it still contains. Its operands stay readable until the end."""
        if id(op) in self._removed_ids:
            return
        if op is self.anchor:
            self.anchor = op.next_op
        op.detach()
        self._removed.append(op)
        self._removed_ids.add(id(op))
        if op.regions:
            self._removed_ids.update(map(id, op.walk()))

    def has_rule(self, name: str) -> bool:
        """Whether there is a rule for operations of that name."""
        return name in self._rules

    def is_removed(self, op: Operation) -> bool:
        return id(op) in self._removed_ids

    def inserted(self, op: Operation) -> None:
        if op.name in self._rules or self._full:
            self._pending.append(op)

    # --- for rules: blocks -------------------------------------------------------------------
    def convert_block_signature(
        self, block: Block, types: Sequence[Any] | None = None
    ) -> tuple[BlockArgument, ...]:
        """Gives `block` converted arguments: `types[i]` (a type or a tuple of types) for the i-th
        argument, by default what the type converter says. Returns the new arguments."""
        old_args = block.args
        if types is None:
            types = [self.convert_type(arg.type) for arg in old_args]
        groups = [ty if isinstance(ty, tuple) else (ty,) for ty in types]
        if all(len(g) == 1 and g[0] == a.type for g, a in zip(groups, old_args, strict=True)):
            return old_args
        new_args: list[BlockArgument] = []
        pieces: list[tuple[BlockArgument, ...]] = []
        for old, group in zip(old_args, groups, strict=True):
            if len(group) == 1 and group[0] == old.type:
                pieces.append((old,))
            else:
                pieces.append(tuple(BlockArgument(ty, block, 0, old.location) for ty in group))
            new_args.extend(pieces[-1])
        set_arguments(block, new_args)
        for old, piece in zip(old_args, pieces, strict=True):
            if piece != (old,):
                self._replace_argument(block, old, piece)
        return tuple(new_args)

    def convert_region_types(self, region: Region) -> None:
        """Gives every block of `region` converted arguments."""
        for block in region.blocks:
            self.convert_block_signature(block)

    def _replace_argument(
        self, block: Block, old: BlockArgument, new: tuple[BlockArgument, ...]
    ) -> None:
        if len(new) == 1:
            self.map_value(old, new)
        if old.first_use is None:
            self._values[old] = new
            return
        values: tuple[SSAValue, ...] = new
        with _Place(self, old.location):
            self.at_start(block)
            wanted = self.types.convert(old.type) if self.types is not None else None
            if (
                self.types is not None
                and isinstance(wanted, Attribute)
                and tuple(v.type for v in new) != (wanted,)
            ):
                built = self.types.to_target(self, wanted, new, old.type)
                if built is not None:
                    values = (built,)
            self._values[old] = values
            if len(values) != 1 or values[0].type != old.type:
                self._sources[old] = self._build_source(old, values)

    # --- the walk ----------------------------------------------------------------------------
    def run(self, root_too: bool = False) -> None:
        root = self.root
        operations = nested_operations(root)
        skipped = unreachable_operations([root, *operations])
        if root_too:
            operations.insert(0, root)
        for op in operations:
            if id(op) not in self._removed_ids and id(op) not in skipped:
                self._legalize(op)
        self._finish()

    def _legalize(self, op: Operation) -> None:
        rule = self._rules.get(op.name)
        if self._legal(op) or (rule is None and self._is_known(op)):
            self._check_may_stay(op, None)
            return
        location = self.location
        self.location = op.location
        self.anchor, self.block = op, op.parent
        pending = self._pending
        self._pending = []
        try:
            values = self._folded(op) if self._fold else None
            if values is None and rule is None:
                self._check_may_stay(op, None)
            elif values is None:
                operands = [self.converted(v) for v in op._operands]
                self.anchor, self.block = op, op.parent
                values = rule(op, operands, self)  # pyright: ignore[reportOptionalCall]
            if values is not None:
                self.replace(op, values)
        except NoMatch as reason:
            self._check_may_stay(op, reason)
        created = self._pending
        self._pending = pending
        self.location = location
        for new in created:
            if id(new) not in self._removed_ids:
                self._legalize(new)

    def _folded(self, op: Operation) -> list[SSAValue] | None:
        """What `op` folds to; constants are made of their dialect's operation, and converted."""
        for _ in range(_MAX_FOLDS):
            folded = fold(op)
            if isinstance(folded, bool):
                if folded:  # changed in place: fold again
                    continue
                return None
            values: list[SSAValue] = []
            dialect = op.name.partition(".")[0]
            for value, result in zip(folded, op.results, strict=True):
                is_value = value.__class__ is OpResult or isinstance(value, SSAValue)
                made: Any = value
                if not is_value:
                    made = self._constant(made, result, dialect)
                if made is None or made.type != result.type:
                    return None
                values.append(made)
            return values
        return None

    def _constant(self, value: Attribute, result: SSAValue, dialect: str) -> SSAValue | None:
        """The constant `value`, if the operation that makes it can be converted or may stay."""
        made = materialize(self, value, result.type, dialect)
        if made is None:
            return None
        op = made.owner
        assert isinstance(op, Operation)
        if op.name in self._rules or self._is_known(op) or self._legal(op):
            return made
        op.detach()
        op.erase()
        return None

    def _is_known(self, op: Operation) -> bool:
        return self.known is None or op.name.partition(".")[0] in self.known

    def _check_may_stay(self, op: Operation, reason: NoMatch | None) -> None:
        if self._illegal(op):
            how = " that was explicitly marked illegal"
        elif self._full and not self._legal(op):
            how = ""
        else:
            return
        notes = [] if reason is None else [Diagnostic("note", str(reason), op.location)]
        raise DiagnosticError(
            Diagnostic(
                "error", f"failed to legalize operation '{op.name}'{how}", op.location, notes
            )
        )

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
        """Builds a value of type `wanted` right after the definition of what `value` is now."""
        now = (value,) if values is None else values
        with _Place(self, None):
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
        with _Place(self, None):
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
            self.location = last.location if isinstance(last, BlockArgument) else self.location
        else:
            self.after(owner)
            self.location = owner.location

    # --- the end -----------------------------------------------------------------------------
    def _finish(self) -> None:
        for op in self._removed:
            if op.regions or op._successors:
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
        with _Place(self, None):
            self._after_definition(values)
            built = self._build_source(old, values)
        self._sources[old] = built
        return built

    def _drop_unused(self) -> None:
        """Erases casts, and what type converters built, where nobody uses them after all."""
        worklist = [*self._casts.values(), *self._sources.values()]
        for values in self._values.values():
            worklist.extend(values)
        while worklist:
            owner: Any = worklist.pop().owner
            if owner.__class__ is not UnrealizedConversionCastOp or owner.parent is None:
                continue
            if any(r.first_use is not None for r in owner.results):  # pyright: ignore
                continue
            inputs = owner._operands
            erase_operation(owner)
            worklist.extend(inputs)


class _Place:
    """Keeps a rewriter's place and location for a `with` statement."""

    __slots__ = ("_location", "_rw", "_saved")

    def __init__(self, rw: Rewriter, location: Any) -> None:
        self._rw = rw
        self._location = location

    def __enter__(self) -> None:
        rw = self._rw
        self._saved = (rw.anchor, rw.block, rw.location)
        if self._location is not None:
            rw.location = self._location

    def __exit__(self, *_: object) -> None:
        self._rw.anchor, self._rw.block, self._rw.location = self._saved


def _is_later(value: SSAValue, other: SSAValue) -> bool:
    """Whether `value` is defined after `other`, as far as their block tells."""
    a, b = value.owner, other.owner
    if isinstance(a, Block):
        return False
    if isinstance(b, Block) or a.parent is not b.parent:
        return True
    return b is not a and b.is_before_in_block(a)


def _predicate(selection: Selection) -> Callable[[Operation], bool]:
    if callable(selection):
        return selection
    if not selection:
        return _never

    def selected(op: Operation) -> bool:
        name = op.name
        return name in selection or name.partition(".")[0] in selection

    return selected


def _never(op: Operation) -> bool:
    return False
