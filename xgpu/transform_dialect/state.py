# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What handles stand for while a transform program runs, how its operations fail, and rewriters
that keep handles up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyDriver, GreedyRewriter, Patterns

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import IntegerType, LocationAttr, ModuleOp

    from xgpu.core.rewriting.greedy import Worklist
    from xgpu.dialects import func, linalg


# --- failures ------------------------------------------------------------------------------------
# How a transform operation fails.
#
# A *definite* failure is an error: `DiagnosticError`, the interpreter stops. A *silenceable* one
# says that the payload is not what the operation works on: the interpreter may go on
# without it. A failure that is not silenced becomes an error.


Notes = Sequence[tuple["Attribute | None", str]]


class SilenceableError(Exception):
    """A failure that left the payload as it was, or at least valid."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(d.message for d in diagnostics))
        self.diagnostics = list(diagnostics)

    def note(self, op: Operation, message: str) -> SilenceableError:
        """Adds a note at `op` to the last diagnostic."""
        self.diagnostics[-1].notes.append(Diagnostic("note", message, op.location))
        return self

    def as_error(self) -> DiagnosticError:
        """The definite failure that this one is when it is not silenced."""
        return DiagnosticError(*self.diagnostics)


def silenceable(op: Operation, message: str, notes: Notes = ()) -> SilenceableError:
    """A silenceable failure reported at `op`. Use as `raise silenceable(op, "...")`."""
    return SilenceableError(
        Diagnostic("error", message, op.location, [Diagnostic("note", t, at) for at, t in notes])
    )


def definite(op: Operation, message: str, notes: Notes = ()) -> DiagnosticError:
    """A definite failure reported at `op`."""
    return DiagnosticError(
        Diagnostic("error", message, op.location, [Diagnostic("note", t, at) for at, t in notes])
    )


def silenceable_at(location: LocationAttr, message: str) -> SilenceableError:
    """A silenceable failure reported at a payload operation's location."""
    return SilenceableError(Diagnostic("error", message, location))


# --- state ---------------------------------------------------------------------------------------
# What handles stand for, while a transform program runs.
#
# A handle is an SSA value of the program. It is associated with a list of payload operations, of
# payload values or of parameters (attributes). An operation that consumes a handle invalidates
# every handle to what the consumed operations contain: using one later is an error.
#
# Rewrites that go through `replaced` and `erased` keep the handles up to date.


#: A payload entity: an operation, a value, or a parameter.
Payload = Operation | SSAValue | Attribute


class _Invalidation:
    """Which operation invalidated a handle, and through what."""

    __slots__ = ("ancestor", "by", "nested", "operand", "value")

    def __init__(
        self,
        by: Operation,
        operand: int,
        ancestor: Attribute | None,
        nested: Attribute | None,
        value: SSAValue | None,
    ) -> None:
        self.by = by
        self.operand = operand
        self.ancestor = ancestor
        self.nested = nested
        self.value = value


#: Operations that take a payload operation several times in one handle that they consume.
_ALLOW_REPEATED = frozenset(("transform.structured.fuse_into_containing_op",))


class State:
    """The associations of all handles, and the root of the payload."""

    def __init__(self, root: Operation, ctx: Context, *, checks: bool = True) -> None:
        self.root = root
        self.ctx = ctx
        self.checks = checks
        self._payload: dict[SSAValue, list[Any]] = {}
        self._handles: dict[Operation | SSAValue, set[SSAValue]] = {}
        self._invalid: dict[SSAValue, _Invalidation] = {}
        #: Replacements that a tracking rewriter could not follow, by handle.
        self.lost: list[tuple[SSAValue, str, Operation]] = []

    # --- associations ------------------------------------------------------------------------
    def payload(self, handle: SSAValue) -> list[Any]:
        """What `handle` is associated with: operations, values or parameters."""
        return list(self._payload.get(handle, ()))

    def ops(self, handle: SSAValue | None) -> list[Operation]:
        """The payload operations of `handle`; none where there is no handle."""
        return [] if handle is None else self.payload(handle)

    def set(self, handle: SSAValue, payload: Iterable[Payload]) -> None:
        """Associates `handle` with `payload`, in place of what it had."""
        self.forget(handle)
        items = list(payload)
        self._check_kind(handle, items)
        self._payload[handle] = items
        for item in items:
            if not isinstance(item, Attribute):
                self._handles.setdefault(item, set()).add(handle)

    def forget(self, handle: SSAValue) -> None:
        """Ends the association of `handle`."""
        for item in self._payload.pop(handle, ()):
            if not isinstance(item, Attribute):
                self._drop(item, handle)
        self._invalid.pop(handle, None)

    def has(self, handle: SSAValue) -> bool:
        return handle in self._payload

    def _drop(self, item: Operation | SSAValue, handle: SSAValue) -> None:
        known = self._handles.get(item)
        if known is not None:
            known.discard(handle)
            if not known:
                del self._handles[item]

    def _check_kind(self, handle: SSAValue, items: list[Any]) -> None:
        ty: Any = handle.type
        if ty.name == "transform.op":
            for item in items:
                if item.name != ty.operation_name:
                    raise DiagnosticError(
                        Diagnostic(
                            "error",
                            f"incompatible payload operation name expected {ty.operation_name} "
                            f"vs {item.name}",
                            handle_location(handle),
                            [Diagnostic("note", "payload operation", item.location)],
                        )
                    )
        elif ty.name == "transform.param":
            for item in items:
                actual = cast("IntegerType | None", getattr(item, "type", None))
                if actual is not None and actual != ty.type:
                    from xgpu.core.syntax.printer import attribute_text

                    raise DiagnosticError(
                        Diagnostic(
                            "error",
                            f"expected the type of the parameter attribute "
                            f"({attribute_text(actual)}) to match the parameter type "
                            f"({attribute_text(ty.type)})",
                            handle_location(handle),
                        )
                    )

    # --- consumption ---------------------------------------------------------------------------
    def check_operands(self, op: Operation) -> None:
        """An error if `op` uses a handle that is not valid any more."""
        for operand in op.operands:
            found = self._invalid.get(operand)
            if found is not None and self.checks:
                raise _use_after_invalidation(op, operand, found)

    def check_repeated(self, op: Operation, consumed: Sequence[int]) -> None:
        """An error if a consumed handle names one payload operation twice."""
        if op.name in _ALLOW_REPEATED:
            return
        for index in consumed:
            seen: set[Operation] = set()
            for item in self._payload.get(op.operands[index], ()):
                if isinstance(item, Attribute):
                    continue
                if item in seen:
                    raise definite(
                        op,
                        "a handle passed as operand #"
                        f"{index} and consumed by this operation points to a payload entity more "
                        "than once",
                        [(_location(item), "repeated target op")],
                    )
                seen.add(item)

    def plan_invalidation(
        self, op: Operation, consumed: Sequence[int]
    ) -> dict[SSAValue, _Invalidation]:
        """The handles that `op` will invalidate; asked before it runs: ancestors are known then."""
        plan: dict[SSAValue, _Invalidation] = {}
        if not self.checks:
            return plan
        for index in consumed:
            handle = op.operands[index]
            roots = [i for i in self._payload.get(handle, ()) if not isinstance(i, Attribute)]
            if not roots:
                continue
            inside = set(roots)
            for other, items in self._payload.items():
                if other is handle or other in plan:
                    continue
                for item in items:
                    if isinstance(item, Attribute):
                        break
                    ancestor = _ancestor_in(item, inside)
                    if ancestor is not None:
                        value = item if isinstance(item, SSAValue) else None
                        plan[other] = _Invalidation(
                            op,
                            index,
                            _location(ancestor),
                            _location(item),
                            value,
                        )
                        break
            plan[handle] = _Invalidation(op, index, None, None, None)
        return plan

    def invalidate(self, plan: dict[SSAValue, _Invalidation], op: Operation) -> None:
        """Ends the associations of consumed handles and marks those that went with them."""
        results = set(op.results)
        for handle, reason in plan.items():
            if handle in results:
                continue
            self._invalid[handle] = reason
            for item in self._payload.pop(handle, ()):
                if not isinstance(item, Attribute):
                    self._drop(item, handle)

    def consume_without_checks(self, op: Operation, consumed: Sequence[int]) -> None:
        for index in consumed:
            self.forget(op.operands[index])

    # --- payload that changes ------------------------------------------------------------------
    def erased(self, op: Operation) -> None:
        """`op`, with what it contains, goes: handles forget it."""
        for inner in op.walk():
            handles = self._handles.pop(inner, None)
            for handle in handles or ():
                items = self._payload[handle]
                self._payload[handle] = [i for i in items if i is not inner]
            for result in inner.results:
                for handle in self._handles.pop(result, None) or ():
                    items = self._payload[handle]
                    self._payload[handle] = [i for i in items if i is not result]

    def replaced(self, old: Operation, new: Sequence[SSAValue]) -> None:
        """The results of `old` are replaced by `new`: handles follow."""
        for was, now in zip(old.results, new, strict=False):
            self.value_replaced(was, now)
        handles = self._handles.get(old)
        if not handles:
            return
        replacement = find_replacement(old, new)
        if isinstance(replacement, str):
            for handle in list(handles):
                if not old.results or all(r.first_use is None for r in old.results):
                    continue
                self.lost.append((handle, replacement, old))
            return
        self.op_replaced(old, replacement)

    def value_replaced(self, old: SSAValue, new: SSAValue) -> None:
        for handle in self._handles.pop(old, None) or ():
            items = self._payload[handle]
            self._payload[handle] = [new if i is old else i for i in items]
            self._handles.setdefault(new, set()).add(handle)

    def op_replaced(self, old: Operation, new: Operation) -> None:
        """Handles to `old` are handles to `new`."""
        if old is new:
            return
        for handle in self._handles.pop(old, None) or ():
            items = self._payload[handle]
            self._payload[handle] = [new if i is old else i for i in items]
            self._handles.setdefault(new, set()).add(handle)


def _ancestor_in(
    item: func.FuncOp | linalg.GenericOp | ModuleOp, roots: set[Operation]
) -> Operation | None:
    """The nearest of `roots` that is `item` or contains it."""
    if item in roots:
        return item
    if isinstance(item, SSAValue):
        owner = item.owner
        current = owner.parent_op() if isinstance(owner, Block) else owner
    else:
        current = item.parent_op()
    while current is not None:
        if current in roots:
            return current
        current = current.parent_op()
    return None


def handle_location(handle: SSAValue) -> LocationAttr | None:
    owner = handle.owner
    return owner.location if isinstance(owner, Operation) else getattr(handle, "location", None)


def _location(item: Operation | SSAValue) -> Attribute | None:
    if isinstance(item, Operation):
        return item.location
    return handle_location(item)


def _use_after_invalidation(
    op: Operation, operand: SSAValue, found: _Invalidation
) -> DiagnosticError:
    notes: list[tuple[Attribute | None, str]] = [
        (handle_location(operand), "handle to invalidated ops")
    ]
    notes.append(
        (
            found.by.location,
            "invalidated by this transform op that consumes its operand #"
            f"{found.operand} and invalidates all handles to payload IR entities associated with "
            "this operand and entities nested in them",
        )
    )
    if found.ancestor is not None:
        notes.append((found.ancestor, "ancestor payload op"))
        notes.append((found.nested, "nested payload " + ("value" if found.value else "op")))
    return definite(op, "op uses a handle invalidated by a previously executed transform op", notes)


_CASTS = frozenset(
    (
        "memref.cast",
        "tensor.cast",
        "tensor.reshape",
        "tensor.expand_shape",
        "tensor.collapse_shape",
        "builtin.unrealized_conversion_cast",
        "memref.memory_space_cast",
        "arith.index_cast",
    )
)


def find_replacement(old: Operation, values: Sequence[SSAValue]) -> Operation | str:
    """The operation that took the place of `old`, or why it is not known.

    It is the one operation that defines all replacement values, seen through casts, and has the
    name of `old`, or is a constant if `old` was one.
    """
    if not values:
        return "no replacement values"
    current = list(values)
    while True:
        owners: list[Operation] = []
        for value in current:
            owner = value.owner
            if not isinstance(owner, Operation):
                return "replacement values belong to different ops"
            if owner not in owners:
                owners.append(owner)
        if len(owners) > 1:
            return "replacement values belong to different ops"
        owner = owners[0]
        if owner.name == old.name:
            return owner
        if "ConstantLike" in traits_of(old.name) and "ConstantLike" in traits_of(owner.name):
            return owner
        if owner.name in _CASTS and len(owner.operands) == 1:
            current = [owner.operands[0]]
            continue
        return "could not find replacement op"


# --- tracking ------------------------------------------------------------------------------------
# Rewriters that keep the handles of a transform program up to date.


class TrackingRewriter(Rewriter):
    """A rewriter for transform operations that change single operations."""

    __slots__ = ("state",)

    def __init__(self, state: State, anchor: Operation | None = None) -> None:
        super().__init__(anchor)
        self.state = state

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        self.state.replaced(op, values)
        super().replace(op, values)

    def erased(self, op: Operation) -> None:
        self.state.erased(op)


class _TrackingGreedyRewriter(GreedyRewriter):
    __slots__ = ("state",)

    def __init__(self, worklist: Worklist, state: State) -> None:
        super().__init__(worklist)
        self.state = state

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        self.state.replaced(op, values)
        super().replace(op, values)

    def erased(self, op: Operation) -> None:
        super().erased(op)
        self.state.erased(op)


def apply_tracked(
    target: Operation,
    patterns: Patterns,
    state: State,
    *,
    max_iterations: int = -1,
    max_rewrites: int = -1,
) -> bool:
    """Rewrites the regions of `target` greedily; whether it converged."""
    converged = True
    for region in target.regions:
        driver = GreedyDriver(
            patterns,
            top_down=False,
            simplify="aggressive",
            max_iterations=max_iterations,
            max_rewrites=max_rewrites,
        )
        driver.rewriter = _TrackingGreedyRewriter(driver.worklist, state)
        converged = driver.run(region) and converged
    return converged


def rewrite_tracked(targets: Sequence[Operation], patterns: Patterns, state: State) -> None:
    """Rewrites operations, and those that are made thereby, greedily; all others stay."""
    driver = GreedyDriver(patterns)
    driver.rewriter = _TrackingGreedyRewriter(driver.worklist, state)
    driver.run_on(targets)
