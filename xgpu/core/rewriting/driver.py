# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dialect conversion: one walk, a table of rules, and casts only where they are still needed.

A rule turns one operation into others:

    def lower_addi(op, operands, rw):        # rw.create(...) inserts before op, with op's location
        return [rw.value("llvm.add", operands, operands[0].type)]

`operands` are the converted values: of the types that the type converter gives, a tuple where one
old value has become several. A rule returns what takes the place of the results (for each a
value, a tuple of values, or None if nothing uses it; an empty list for an operation without
results), None if it changed `op` in place and `op` stays, or raises `NoMatch(reason)` before it
has built anything, after which `op` stays as it is.

The invariants, which make the walk linear:

* The operations that there are at the start are visited once, parents first. What a rule creates
  is visited at once if there is a rule for it.
* An old value keeps its type and its users while the walk goes on; `values` maps it to what
  takes its place. Replaced operations leave their block at once and keep their operands until
  the end, so that constants can still be seen through them.
* A converted operation that uses a value which is not converted (yet) gets a cast right after that
  value's definition. At the end such a cast gives way if the value was converted after all, and
  old values that unconverted operations still use get a cast the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.blocks import unreachable_operations
from xgpu.core.ir.construction import nested_operations, operands_of, set_arguments
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.rewriting.converted_values import ConvertedValues, NoMatch, Place
from xgpu.core.rewriting.folding import fold, materialize

if TYPE_CHECKING:
    from xgpu.core.rewriting.type_converter import TypeConverter

#: What a rule returns for the results of its operation.
Replacements = Sequence["SSAValue | Sequence[SSAValue] | None"]
Rule = Callable[..., "Replacements | None"]
#: Names of operations or dialects, or a predicate of an operation.
Selection = Container[str] | Callable[[Operation], bool]


#: An operation that is still changed in place by this many folds is converted as it is.
_MAX_FOLDS = 8


def first_of(*rules: Rule) -> Rule:
    """A rule that is the first of `rules` that applies."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Replacements | None:
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
    state: object = None,
    root_too: bool = False,
) -> Conversion:
    """Applies `rules` to what `root` contains, and with `root_too` to itself.

    `legal` operations are left alone although there is a rule; `illegal` ones must not remain; with
    `full`, only legal ones may remain. With `fold`, as in MLIR, an operation is folded rather than
    converted where it can be, and so is one without a rule unless its dialect is `known`: by
    default llvm and builtin, with casts of the program, are where there is a type converter, else
    all are. `state` is for the rules, as `rw.state`. Raises `DiagnosticError` where an operation
    must not remain.
    """
    if known is None and types is not None:
        known = ("llvm", "builtin")
    conversion = Conversion(root, rules, types, full, legal, illegal, fold, state)
    conversion.known = known
    conversion.run(root_too)
    return conversion


class Conversion(ConvertedValues):
    """The rewriter that rules get. `types` is the type converter, `state` is the pass's own."""

    __slots__ = (
        "_fold",
        "_full",
        "_illegal",
        "_legal",
        "_pending",
        "_removed_ids",
        "_rules",
        "cache",
        "known",
        "root",
        "state",
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
        super().__init__(types)
        self.root = root
        self.state = state
        #: Dialects whose operations may stay as they are; None for all.
        self.known: Container[str] | None = None
        #: For rules: what they found out once and need again, such as symbols.
        self.cache: dict[object, Any] = {}
        self._rules = rules
        self._full = full
        self._legal = _predicate(legal)
        self._illegal = _predicate(illegal)
        self._fold = fold
        #: Operations that the current rule created and that have a rule themselves.
        self._pending: list[Operation] = []
        self._removed_ids: set[int] = set()

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

    def inserted(self, op: Operation) -> None:
        if op.name in self._rules or self._full:
            self._pending.append(op)

    # --- for rules: blocks -------------------------------------------------------------------
    def convert_block_signature(
        self,
        block: Block,
        types: Sequence[Attribute | tuple[Attribute, ...]] | None = None,
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
        if len(new) != 1 or self.types is None:
            self.map_value(old, new)
            return
        # One value of another type, such as a pointer for a memref: the rule makes it whole.
        (value,) = new
        wanted = self.types.convert(old.type)
        if old.first_use is not None and isinstance(wanted, Attribute) and value.type != wanted:
            with Place(self, old.location):
                self.at_start(block)
                built = self.types.to_target(self, wanted, new, old.type)
            value = value if built is None else built
        self.map_value(old, value)

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
                operands = [self.converted(v) for v in operands_of(op)]
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
        message = f"failed to legalize operation '{op.name}'{how}"
        failed = Diagnostic("error", message, op.location, op=op)
        raise DiagnosticError(failed.with_hint(None if reason is None else str(reason)))


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
