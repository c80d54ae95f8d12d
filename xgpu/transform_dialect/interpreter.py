# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running transform operations.

An implementation is a function `(op, state) -> results`: for each result of the operation a list of
payload operations, payload values or parameters; None stands for no results. `each` makes one of a
function that works on one payload operation at a time. They raise `SilenceableError` or
`DiagnosticError`; what an operation achieved before a silenceable failure stays.

Implementations stand in the `OPS` tables of the modules named in `MODULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, error
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Option, Pass
from xgpu.dialects.transform.ops import consumed_operands, kind_of
from xgpu.transform_dialect.state import SilenceableError, State, definite, silenceable

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import DenseArrayBase


Results = Sequence[Sequence[Any]] | None
Implementation = Callable[[Operation, "State"], Results]

_PACKAGE = "xgpu.transform_dialect"
#: Prefix of operation names -> modules with their implementations; the first that fits.
MODULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("transform.gpu.", ("gpu_ops",)),
    ("transform.nvgpu.", ("nvgpu_ops",)),
    (
        "transform.structured.",
        (
            "match_ops",
            "tile_ops",
            "fuse_ops",
            "linalg_ops",
            "destination_ops",
            "reduction_ops",
            "packing_ops",
        ),
    ),
    ("transform.affine.", ("loop_ops",)),
    ("transform.loop.", ("loop_ops",)),
    ("transform.scf.", ("loop_ops",)),
    ("transform.memref.", ("memory_ops",)),
    ("transform.bufferization.", ("memory_ops",)),
    ("transform.xgpu.", ("memory_ops",)),
    ("transform.match.", ("match_ops",)),
    ("transform.", ("control_ops", "payload_ops", "match_ops")),
)


class PartialResults(SilenceableError):
    """A silenceable failure of an operation that has results all the same."""

    def __init__(self, results: Results, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.results = results


def implementation(name: str) -> Implementation | None:
    """What runs the operation `name`."""
    for prefix, modules in MODULES:
        if name.startswith(prefix):
            for module in modules:
                table = import_module(f"{_PACKAGE}.{module}").OPS
                if name in table:
                    return table[name]
            return None
    return None


def each(
    function: Callable[[Operation, Operation, State], Any], kind: str | None = None
) -> Implementation:
    """Runs `function(op, target, state)` on every payload operation of the first operand.

    It returns one entry for each result (an operation, value, parameter, or a list of them), or
    None. With `kind`, targets must be operations of that name.
    """

    def apply(op: Operation, state: State) -> Results:
        failures: list[Diagnostic] = []
        results = [[] for _ in op.results]
        for target in state.ops(op.operands[0]):
            if kind is not None and target.name != kind:
                failures.append(
                    Diagnostic(
                        "error",
                        "transform applied to the wrong op kind",
                        op.location,
                        [Diagnostic("note", "when applied to this op", target.location)],
                    )
                )
                continue
            try:
                found = function(op, target, state)
            except SilenceableError as failure:
                failures.extend(failure.diagnostics)
                continue
            for items, entry in zip(results, found or [], strict=False):
                items.extend(entry) if isinstance(entry, list) else items.append(entry)
        if failures:
            raise PartialResults(results, *failures)
        return results

    return apply


def apply(op: Operation, state: State) -> None:
    """Runs one transform operation."""
    state.check_operands(op)
    run = implementation(op.name)
    if run is None:
        raise definite(op, f"'{op.name}' is not supported by xgpu's transform interpreter")
    consumed = consumed_operands(op)
    plan = state.plan_invalidation(op, consumed)
    if consumed:
        state.check_repeated(op, consumed)
    failure: SilenceableError | None = None
    try:
        results = run(op, state)
    except SilenceableError as raised:
        failure = raised
        results = raised.results if isinstance(raised, PartialResults) else None
    _report_lost(op, state, consumed)
    if state.checks:
        state.invalidate(plan, op)
    else:
        state.consume_without_checks(op, consumed)
    if results is not None:
        for handle, payload in zip(op.results, results, strict=True):
            state.set(handle, payload)
    else:
        for handle in op.results:
            state.set(handle, ())
    if failure is not None:
        raise failure


def _report_lost(op: Operation, state: State, consumed: Sequence[int]) -> None:
    """Handles that are still needed must not have lost their operations."""
    lost, state.lost = state.lost, []
    dead = {op.operands[i] for i in consumed}
    for handle, why, old in lost:
        if handle in dead or not _used_after(handle, op):
            state.erased(old) if old.parent is None else None
            continue
        raise SilenceableError(
            Diagnostic(
                "error",
                "tracking listener failed to find replacement op during application of this "
                "transform op",
                op.location,
                [
                    Diagnostic("note", f"[0] {why}", old.location),
                ],
            )
        )


def _used_after(handle: SSAValue, op: Operation) -> bool:
    """Whether an operation that runs after `op` uses `handle`."""
    later: set[Operation] = set()
    following = op.next_op
    while following is not None:
        later.add(following)
        following = following.next_op
    for use in handle.uses:
        user: Operation | None = use.operation
        while user is not None and user.parent is not op.parent:
            user = user.parent_op()
        if user in later:
            return True
    return False


def run_block(block: Block, state: State) -> Operation | None:
    """Runs the operations of `block`; returns its terminator, which is not run."""
    for op in list(block.ops):
        if op.name == "transform.yield":
            state.check_operands(op)
            return op
        apply(op, state)
    return None


def run_sequence(
    op: Operation, block: Block, state: State, *, suppress: bool, arity: int
) -> Results:
    """Runs `block` and returns what it yields; with `suppress`, failures of the payload's making
    are dropped and the results are empty."""
    try:
        terminator = run_block(block, state)
    except SilenceableError:
        if suppress:
            return [[] for _ in range(arity)]
        raise
    if terminator is None:
        return [[] for _ in range(arity)]
    return [state.payload(v) for v in terminator.operands]


def suppresses(op: Operation) -> bool:
    """Whether the failure propagation mode of `op` is "suppress"."""
    mode = op.properties.get("failure_propagation_mode")
    return isinstance(mode, IntegerAttr) and mode.value.data == 2


def flag(op: Operation, name: str) -> bool:
    """Whether the unit attribute `name` is set, or the boolean attribute is true."""
    attr = attribute_of(op, name)
    if attr is None:
        return False
    return not (isinstance(attr, IntegerAttr) and attr.value.data == 0)


def integer(op: Operation, name: str, default: int) -> int:
    """The integer attribute `name`."""
    attr = cast("IntegerAttr | None", attribute_of(op, name))
    return default if attr is None else attr.value.data


def run_program(
    entry: Operation,
    state: State,
    extra: Sequence[Sequence[Attribute | Operation | SSAValue]] = (),
) -> None:
    """Runs the named sequence `entry` on the root of the payload."""
    block = entry.regions[0].first_block
    if block is None or not block.args:
        raise DiagnosticError(
            Diagnostic("error", "expected the entry point to have an argument", entry.location)
        )
    if len(block.args) != 1 + len(extra):
        raise DiagnosticError(
            Diagnostic(
                "error",
                f"operation expects {len(block.args) - 1} extra value bindings, but {len(extra)} "
                "were provided to the interpreter",
                entry.location,
            )
        )
    state.set(block.args[0], [state.root])
    for argument, items in zip(block.args[1:], extra, strict=True):
        state.set(argument, items)
    try:
        run_block(block, state)
    except SilenceableError as failure:
        raise failure.as_error() from None


# --- sizes ---------------------------------------------------------------------------------------
# Integers that a transform operation gets: numbers in its text, parameters, or payload operations
# that are constants.


def mixed_integers(
    op: Operation, state: State, static: str, handles: Sequence[SSAValue]
) -> list[int]:
    """The integers of the attribute `static`, with those of `handles` where it leaves room."""
    attr = cast("DenseArrayBase[IntegerType] | None", attribute_of(op, static))
    dynamic = iter(handles)
    found: list[int] = []
    for number in attr.get_values() if attr is not None else ():
        if number == DYNAMIC_INDEX:
            found.extend(_integers(op, state, next(dynamic)))
        else:
            found.append(number)
    return found


def _integers(op: Operation, state: State, handle: SSAValue) -> list[int]:
    payload = state.payload(handle)
    if kind_of(handle.type) == "param":
        if len(payload) != 1:
            raise silenceable(op, "expected a single param")
        return [cast("IntegerAttr[IntegerType]", payload[0]).value.data]
    return [_constant(op, item) for item in payload]


def _constant(op: Operation, producer: Operation) -> int:
    if len(producer.results) != 1 or producer.results[0].type != IndexType():
        text = "requires param or handle to be result of op with 1 index result"
        raise silenceable(op, text)
    number = int_of(producer.results[0])
    if number is None:
        raise silenceable(op, "requires param or handle to be the result of a constant like op")
    return number


# --- transform interpreter -----------------------------------------------------------------------
# transform-interpreter: runs a transform program on the payload around it.


class InterpreterPass(Pass):
    """Runs the named sequence that is the entry point."""

    name = "transform-interpreter"
    summary = "transform dialect interpreter"
    options = (
        Option(
            "debug-payload-root-tag",
            str,
            "",
            "Select the operation with 'transform.target_tag' attribute having the given value as "
            "payload IR root. If empty select the pass anchor operation as the payload IR root.",
        ),
        Option(
            "debug-bind-trailing-args",
            list,
            (),
            "Binds trailing arguments of the entry point to the payload operations with specified "
            "names.",
        ),
        Option(
            "disable-expensive-checks", bool, False, "Disable expensive checks for a faster run."
        ),
        Option("entry-point", str, "__transform_main", "Entry point of the pass pipeline."),
    )

    debug_payload_root_tag: str
    debug_bind_trailing_args: tuple[str, ...]
    disable_expensive_checks: bool
    entry_point: str

    def run(self, op: Operation, ctx: Context) -> None:
        root = self._payload_root(op)
        entry = self._entry(op)
        state = State(root, ctx, checks=not self.disable_expensive_checks)
        run_program(
            entry, state, [self._bound(root, text) for text in self.debug_bind_trailing_args]
        )

    def _payload_root(self, op: Operation) -> Operation:
        tag = self.debug_payload_root_tag
        if not tag:
            return op
        found: list[Operation] = []
        for inner in op.walk():
            attr = inner.attributes.get("transform.target_tag")
            if isinstance(attr, StringAttr) and attr.data == tag:
                found.append(inner)
        if not found:
            raise error(
                op, f'could not find the operation with transform.target_tag="{tag}" attribute'
            )
        if len(found) > 1:
            raise error(
                found[1],
                f'repeated operation with transform.target_tag="{tag}" attribute',
                [(found[0].location, "previously seen operation")],
            )
        return found[0]

    def _entry(self, op: Operation) -> Operation:
        for inner in op.walk():
            if inner.name == "transform.named_sequence" and symbol_name(inner) == self.entry_point:
                return inner
        raise error(op, f"could not find a nested named sequence with name: {self.entry_point}")

    def _bound(self, root: Operation, text: str) -> list[Any]:
        """Operations of a name; results of them for `^name`; parameters for `#1;2`."""
        if text.startswith("#"):
            i64 = IntegerType(64)
            return [IntegerAttr(int(p), i64) for p in text[1:].split(";")]
        if text.startswith("^"):
            return [r for o in root.walk() if o.name == text[1:] for r in o.results]
        return [o for o in root.walk() if o.name == text]
