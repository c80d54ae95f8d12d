# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`inline`: calls become the bodies of what they call.

Functions are visited callees first, and simplified before they are inlined anywhere. Functions
that call each other in a circle are not inlined into one another. Private functions that
nothing refers to any more are erased.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.analysis.calls import CallGraph, call_arguments, has_body, is_call, is_function, is_return
from xgpu.transforms.base import Option, Pass
from xgpu.transforms.folding import traits_of
from xgpu.transforms.rewriting import Rewriter
from xgpu.transforms.symbols import references, resolve, visibility

if TYPE_CHECKING:
    from xdsl.context import Context

#: Dialects all of whose operations may move into another function.
_OPERATIONS = frozenset(
    "affine arith async bufferization builtin cf complex func gpu index linalg llvm math memref "
    "nvvm scf tensor test ub vector".split()
)
#: Dialects into whose regions operations may move.
_REGIONS = frozenset("affine async func linalg llvm scf test".split())


class Inline(Pass):
    """Inlines calls, callees first."""

    name = "inline"
    summary = "Inline function calls"
    options = (
        Option(
            "default-pipeline",
            str,
            "canonicalize",
            "The optimizer pipeline used for callables that do not have a dedicated optimizer "
            "pipeline in opPipelineList",
        ),
        Option(
            "op-pipelines",
            list,
            (),
            "Callable operation specific optimizer pipelines (in the form of "
            "`dialect.op(pipeline)`)",
        ),
        Option(
            "max-iterations",
            int,
            4,
            "Maximum number of iterations when inlining within an SCC",
        ),
        Option(
            "inlining-threshold",
            int,
            -1,
            "If the ratio between the number of the operations in the callee and the number of "
            "the operations in the caller exceeds this value (in percentage), then the callee is "
            "not inlined even if it is legal to inline it",
        ),
    )

    default_pipeline: str
    op_pipelines: list[str]
    max_iterations: int
    inlining_threshold: int

    def run(self, op: Operation, ctx: Context) -> None:
        graph = CallGraph(op)
        for component in _components(op, graph):
            for _ in range(max(self.max_iterations, 1)):
                for function in component:
                    self._simplify(function, ctx)
                changed = [self._inline_calls(f, component) for f in component]
                if not any(changed):
                    break
        _erase_dead(op)

    def _simplify(self, function: Operation, ctx: Context) -> None:
        from xgpu.transforms.pipeline_text import parse_pipeline

        text = f"{function.name}({self.default_pipeline})" if self.default_pipeline else ""
        for one in self.op_pipelines:
            if one.partition("(")[0].strip() == function.name:
                text = one
        if text:
            parse_pipeline(text).run(function, ctx)

    def _inline_calls(self, function: Operation, component: list[Operation]) -> bool:
        """Inlines the calls in `function`; whether there was any to inline."""
        changed = False
        # What was inlined may call again: not the same function once more, or this does not end.
        pending: list[tuple[Operation, frozenset[Operation]]] = [
            (op, frozenset()) for op in function.walk() if is_call(op)
        ]
        pending.reverse()
        while pending:
            call, history = pending.pop()
            callee = _callee(call)
            if callee is None or callee in history:
                continue
            if callee in component or not self._should_inline(call, callee, function):
                continue
            inlined = _inline(call, callee)
            changed = True
            since = history | {callee}
            pending.extend((op, since) for op in reversed(inlined) if is_call(op))
        return changed

    def _should_inline(self, call: Operation, callee: Operation, caller: Operation) -> bool:
        if callee is caller or not has_body(callee) or _is_around(callee, call):
            return False
        if "no_inline" in {**call.properties, **call.attributes}:
            return False
        if "no_inline" in {**callee.properties, **callee.attributes}:
            return False
        if not _may_inline(call, callee):
            return False
        if self.inlining_threshold < 0:
            return True
        count, around = _size(callee), _size(caller)
        return around > 0 and count * 100 // around <= self.inlining_threshold


def _callee(call: Operation) -> Operation | None:
    from xgpu.analysis.calls import callee_name

    name = callee_name(call)
    path = None if name is None else resolve(call, name)
    return path[-1] if path and is_function(path[-1]) else None


def _is_around(outer: Operation, op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and parent is not outer:
        parent = parent.parent_op()
    return parent is outer


def _size(function: Operation) -> int:
    return sum(1 for region in function.regions for _ in region.walk())


def _may_inline(call: Operation, callee: Operation) -> bool:
    parent = call.parent_op()
    if parent is None or parent.name.partition(".")[0] not in _REGIONS:
        return False
    if not is_call(call) or call.name not in ("func.call", "llvm.call"):
        return False
    region = callee.regions[0]
    if len(region.blocks) > 1 and "SingleBlock" in traits_of(parent.name):
        return False
    block = region.blocks[0]
    arguments = list(call_arguments(call))
    if [a.type for a in arguments] != [a.type for a in block.args]:
        return False
    return all(op.name.partition(".")[0] in _OPERATIONS for op in region.walk())


def _inline(call: Operation, callee: Operation) -> list[Operation]:
    """Replaces `call` by a copy of the body of `callee`; the operations that are new."""
    region = callee.regions[0]
    values: dict[SSAValue, SSAValue] = {}
    entry = region.blocks[0]
    values.update(zip(entry.args, call_arguments(call), strict=True))
    made: list[Operation] = []
    if len(region.blocks) == 1:
        results = _copy_block(entry, values, call, made)
        Rewriter(call).replace(call, results)
        return made
    home = call.parent
    assert home is not None
    parent = home.parent
    assert isinstance(parent, Region)
    after = _split(home, call)
    for result in call.results:
        result.replace_all_uses_with(after.insert_arg(result.type, len(after.args)))
    blocks: dict[Block, Block] = {entry: home}
    copies: list[Block] = []
    for block in region.blocks[1:]:
        copy = Block(arg_types=[a.type for a in block.args])
        values.update(zip(block.args, copy.args, strict=True))
        blocks[block] = copy
        copies.append(copy)
    parent.insert_block(copies, _position(after))
    location = call.location
    call.detach()
    call.erase()
    for block in region.blocks:
        for op in block.ops:
            target = blocks[block]
            if is_return(op):
                rw = Rewriter(block=target, location=_at(op, location))
                name = "llvm.br" if op.name.startswith("llvm.") else "cf.br"
                rw.create(name, [values.get(v, v) for v in op.operands], successors=[after])
                continue
            copy_op = op.clone(value_mapper=values, block_mapper=dict(blocks))
            target.add_op(copy_op)
            _relocate(op, copy_op, location)
            made.extend(copy_op.walk())
    return made


def _copy_block(
    block: Block, values: dict[SSAValue, SSAValue], call: Operation, made: list[Operation]
) -> list[SSAValue]:
    rw = Rewriter(call)
    for op in block.ops:
        if is_return(op):
            return [values.get(v, v) for v in op.operands]
        copy = op.clone(value_mapper=values)
        rw.insert(copy)
        _relocate(op, copy, call.location)
        made.extend(copy.walk())
    return []


def _split(block: Block, before: Operation) -> Block:
    """Moves what comes after `before` into a new block."""
    after = Block()
    region = block.parent
    assert isinstance(region, Region)
    region.insert_block([after], _position(block) + 1)
    op = before.next_op
    while op is not None:
        following = op.next_op
        op.detach()
        after.add_op(op)
        op = following
    return after


def _position(block: Block) -> int:
    region = block.parent
    assert isinstance(region, Region)
    return next(i for i, other in enumerate(region.blocks) if other is block)


def _relocate(source: Operation, copy: Operation, call: Any) -> None:
    for old, new in zip(source.walk(), copy.walk(), strict=True):
        new.location = _at(old, call)


def _at(op: Operation, call: Any) -> Any:
    """The location of a copy: where it came from, and where that was called."""
    from xgpu.text.locations import call_site_loc

    return call_site_loc(op.location, call)


# --- the call graph ----------------------------------------------------------------------------
def _components(top: Operation, graph: CallGraph) -> list[list[Operation]]:
    """Functions that call each other in a circle, callees before callers (Tarjan's algorithm)."""
    functions = [op for op in top.walk() if is_function(op) and has_body(op)]
    index: dict[Operation, int] = {}
    low: dict[Operation, int] = {}
    stack: list[Operation] = []
    found: list[list[Operation]] = []

    def callees(function: Operation) -> list[Operation]:
        called = (graph.callee(op) for op in function.walk() if is_call(op))
        return [f for f in called if f is not None and has_body(f)]

    for root in functions:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        path = [(root, iter(callees(root)))]
        while path:
            function, rest = path[-1]
            for callee in rest:
                if callee not in index:
                    index[callee] = low[callee] = len(index)
                    stack.append(callee)
                    path.append((callee, iter(callees(callee))))
                    break
                if callee in stack:
                    low[function] = min(low[function], index[callee])
            else:
                path.pop()
                if path:
                    caller = path[-1][0]
                    low[caller] = min(low[caller], low[function])
                if low[function] == index[function]:
                    at = stack.index(function)
                    found.append(stack[at:])
                    del stack[at:]
    return found


def _erase_dead(top: Operation) -> None:
    """Erases private functions that nothing refers to."""
    while True:
        used: set[Operation] = set()
        private: list[Operation] = []
        for op in top.walk():
            if is_function(op) and op is not top and visibility(op) == "private":
                private.append(op)
            for reference in references(op):
                used.update(resolve(op, reference) or ())
        dead = [f for f in private if f not in used and has_body(f)]
        if not dead:
            return
        for function in dead:
            function.detach()
            function.erase(safe_erase=False)
