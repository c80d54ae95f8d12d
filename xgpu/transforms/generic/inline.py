# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`inline`: calls of functions become what the functions do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    CallSiteLoc,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.calls import call_arguments
from xgpu.core.ir.constants import int_of, is_constant_op
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.locations import call_site_loc
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import (
    body_operations,
    is_symbol_table,
    references,
    resolve,
    symbol_name,
    visibility,
)
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.maps import affine_scope, is_top_level, is_valid_dim, is_valid_symbol
from xgpu.dialects.llvm.types import DataLayout, LLVMFunctionType, LLVMPointerType
from xgpu.transforms.generic.symbol_dce import can_discard, is_hidden

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import LocationAttr

    from xgpu.dialects.llvm import MemoryEffectsAttr


# --- inline affine -------------------------------------------------------------------------------
# Which functions may be inlined where affine operations would see other values than before.
#
# What is defined at the top of a function is a symbol there, and nothing in particular inside of a
# loop. Source: MLIR 22.1 AffineInlinerInterface.


#: Operations with one map, whose operands are those after the first so many.
_MAPPED = {
    "affine.apply": 0,
    "affine.load": 1,
    "affine.prefetch": 1,
    "affine.store": 2,
    "affine.vector_load": 1,
    "affine.vector_store": 2,
}
_DIMS = ("memref.dim", "tensor.dim")


def may_inline_into(call: Operation, body: Region, arguments: Sequence[SSAValue]) -> bool:
    """Whether affine operations at the top of `body` stay valid in the place of `call`, which is
    in an affine operation."""
    if len(body.blocks) != 1:
        return False
    scope = affine_scope(call)
    mapping = dict(zip(body.blocks[0].args, arguments, strict=True))
    for op in body.blocks[0].ops:
        if not op.name.startswith("affine."):
            continue
        first = _MAPPED.get(op.name)
        # The use of other values is not known here.
        if first is None or not _stays_valid(op, op.operands[first:], body, scope, mapping):
            return False
    return True


def _stays_valid(
    op: Operation,
    operands: Sequence[SSAValue],
    body: Region,
    scope: Region | None,
    mapping: Mapping[BlockArgument, SSAValue],
) -> bool:
    dims = cast("AffineMapAttr", op.properties["map"]).data.num_dims
    for at, value in enumerate(operands):
        if not is_top_level(value, body):
            continue  # it is what it is for another reason, which comes along
        if isinstance(value, BlockArgument):
            is_valid = is_valid_dim if at < dims else is_valid_symbol
            if not is_valid(mapping[value], scope):
                return False
            continue
        owner = value.owner
        if isinstance(owner, Operation) and not is_constant_op(owner) and owner.name not in _DIMS:
            return False
    return True


# --- inline llvm ---------------------------------------------------------------------------------
# What is special about inlining functions of the llvm dialect.
#
# Memory of the callee's frame becomes memory of the caller's: what has a fixed size moves to the
# caller's entry and lives from where the call was to where the callee returned; what has not is
# given back at the same places. An argument that is passed by value is copied. Source: MLIR 22.1
# InlinerInterfaceImpl.cpp.


#: Function attributes that LLVM has no inlining with.
_REFUSED = frozenset(("noduplicate", "presplitcoroutine", "returns_twice", "strictfp"))
#: Attributes of an access that would have to be made anew for each copy of it.
_SCOPES = frozenset(("alias_scopes", "noalias_scopes"))


def may_inline_function(function: Operation) -> bool:
    """Whether calls of an llvm.func may become what it does."""
    kind = cast("LLVMFunctionType", function.properties["function_type"])
    if kind.variadic or "personality" in function.properties:
        return False
    passed = cast("ArrayAttr[Attribute] | None", function.properties.get("passthrough"))
    for attr in () if passed is None else passed.data:
        if isinstance(attr, StringAttr) and attr.data in _REFUSED:
            return False
    if any("llvm.inalloca" in attrs.data for attrs in _argument_attributes(function)):
        return False
    if _by_value(function) and "dlti.dl_spec" in _module_of(function).attributes:
        return False  # sizes are another layout's
    return not any(not _SCOPES.isdisjoint(op.properties) for op in function.regions[0].walk())


def _argument_attributes(function: Operation) -> Sequence[DictionaryAttr]:
    attrs = cast("ArrayAttr[DictionaryAttr] | None", function.properties.get("arg_attrs"))
    return () if attrs is None else attrs.data


def _by_value(function: Operation) -> dict[int, DictionaryAttr]:
    """The attributes of arguments that are passed by value."""
    found = enumerate(_argument_attributes(function))
    return {i: attrs for i, attrs in found if "llvm.byval" in attrs.data}


def _module_of(op: Operation) -> Operation:
    while (parent := op.parent_op()) is not None:
        op = parent
    return op


# --- arguments -----------------------------------------------------------------------------------
def arguments_of(
    call: Operation, function: Operation, values: Sequence[SSAValue]
) -> list[SSAValue]:
    """What stands for the arguments: copies of what is passed by value."""
    found = list(values)
    for i, attrs in _by_value(function).items():
        found[i] = _copied(call, function, found[i], attrs)
    return found


def _copied(
    call: Operation, function: Operation, value: SSAValue, attrs: DictionaryAttr
) -> SSAValue:
    """A copy of the memory behind a pointer, unless the callee does not write there."""
    element = attrs.data["llvm.byval"]
    layout = _layout(function)
    least = layout.align(element)
    asked = cast("IntegerAttr | None", attrs.data.get("llvm.align"))
    align = 1 if asked is None else asked.value.data
    if _only_reads(function) and (align <= least or _is_aligned(value, align)):
        return value
    entry = _entry_around(call)
    # What is copied is where it comes from.
    source = value if isinstance(value, BlockArgument) else cast("Operation", value.owner)
    rw = Rewriter(block=entry, location=source.location)
    rw.at_start(entry)
    one = rw.value("llvm.mlir.constant", (), i64, {"value": IntegerAttr(1, i64)})
    properties: dict[str, Attribute] = {
        "elem_type": element,
        "alignment": IntegerAttr(max(align, least), i64),
    }
    memory = rw.value("llvm.alloca", (one,), value.type, properties)
    rw.before(call)
    size = IntegerAttr(layout.size(element), i64)
    count = rw.value("llvm.mlir.constant", (), i64, {"value": size})
    volatile = {"isVolatile": BoolAttr.from_bool(False)}
    rw.create("llvm.intr.memcpy", (memory, value, count), (), volatile)
    return memory


def _layout(function: Operation) -> DataLayout:
    text = _module_of(function).attributes.get("llvm.data_layout")
    return DataLayout(text.data if isinstance(text, StringAttr) else "")


def _only_reads(function: Operation) -> bool:
    effects = cast("MemoryEffectsAttr | None", function.properties.get("memory_effects"))
    return effects is not None and effects.arg_mem in ("none", "read")


def _is_aligned(value: SSAValue, align: int) -> bool:
    """Whether a pointer is aligned so; memory of the frame becomes so."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "llvm.alloca":
        known = cast("IntegerAttr | None", owner.properties.get("alignment"))
        if known is None or known.value.data < align:
            owner.properties["alignment"] = IntegerAttr(align, i64)
        return True
    if isinstance(owner, Operation) and owner.name == "llvm.mlir.addressof":
        path = resolve(owner, cast("SymbolRefAttr", owner.properties["global_name"]))
        known = path[-1].properties.get("alignment") if path else None
        return isinstance(known, IntegerAttr) and known.value.data >= align
    function = None if isinstance(owner, Operation) else owner.parent_op()
    if not isinstance(value, BlockArgument) or function is None or function.name != "llvm.func":
        return False
    attrs = _argument_attributes(function)
    known = attrs[value.index].data.get("llvm.align") if value.index < len(attrs) else None
    return isinstance(known, IntegerAttr) and known.value.data >= align


# --- metadata ------------------------------------------------------------------------------------
def pass_on_metadata(call: Operation, made: Sequence[Operation]) -> None:
    """What is known of the accesses of a call is known of those that it has become."""
    for name, trait in (
        ("access_groups", "AccessGroupOpInterface"),
        ("alias_scopes", "AliasAnalysisOpInterface"),
        ("noalias_scopes", "AliasAnalysisOpInterface"),
    ):
        known = cast("ArrayAttr[Attribute] | None", call.properties.get(name))
        if known is None:
            continue
        for op in (inner for outer in made for inner in outer.walk()):
            if trait in traits_of(op.name):
                own = cast("ArrayAttr[Attribute] | None", op.properties.get(name))
                both = known.data if own is None else (*own.data, *known.data)
                op.properties[name] = ArrayAttr(both)


# --- memory of the frame -------------------------------------------------------------------------
def _entry_around(call: Operation) -> Block:
    """The first block of the region that the frame of the caller belongs to."""
    op = call
    while (parent := op.parent_op()) is not None:
        scopes = ("IsolatedFromAbove", "AutomaticAllocationScope")
        if not traits_of(parent.name).isdisjoint(scopes):
            break
        op = parent
    region = op.parent_region()
    assert region is not None
    return region.blocks[0]


def move_allocations(
    call: Operation,
    entry: Sequence[Operation],
    others: Sequence[Operation],
    ends: Sequence[Operation],
) -> None:
    """Sees to the allocations among what was inlined: the operations of the callee's first block,
    those of its other ones, and what stands where it returned."""
    allocations = [op for op in entry if op.name == "llvm.alloca"]
    fixed = [op for op in allocations if int_of(op.operands[0]) is not None]
    rest = [op for op in others if op.name == "llvm.alloca" and int_of(op.operands[0]) is None]
    is_dynamic = len(fixed) < len(allocations) or bool(rest)
    if not fixed and not is_dynamic:
        return
    stack: SSAValue | None = None
    if is_dynamic:
        rw = Rewriter(entry[0], location=call.location)
        stack = rw.value("llvm.intr.stacksave", (), LLVMPointerType())
    living = [op for op in fixed if int_of(op.operands[0]) != 0 and not _has_lifetime(op)]
    _move(call, fixed, living)
    for end in ends:
        rw = Rewriter(end, location=call.location)
        if stack is not None:
            rw.create("llvm.intr.stackrestore", (stack,))
        for op in living:
            rw.location = op.location
            rw.create("llvm.intr.lifetime.end", (op.results[0],))


def _move(call: Operation, fixed: Sequence[Operation], living: Sequence[Operation]) -> None:
    """Moves allocations to the caller's entry; where they were their life begins."""
    block = _entry_around(call)
    first = block.first_op
    assert first is not None
    for op in fixed:
        if op in living:
            Rewriter(op).create("llvm.intr.lifetime.start", (op.results[0],))
        size = op.operands[0]
        value = IntegerAttr(int_of(size) or 0, cast("IntegerType | IndexType", size.type))
        op.detach()
        rw = Rewriter(block=block, location=op.location)
        rw.anchor = first
        op.operands[0] = rw.value("llvm.mlir.constant", (), size.type, {"value": value})
        rw.insert(op)


def _has_lifetime(allocation: Operation) -> bool:
    """Whether the callee itself says how long the memory lives."""
    pending = [allocation.results[0]]
    while pending:
        for use in pending.pop().uses:
            if use.operation.name.startswith("llvm.intr.lifetime."):
                return True
            if use.operation.name == "llvm.bitcast":
                pending += use.operation.results
    return False


# --- inline --------------------------------------------------------------------------------------
# `inline`: calls of functions become what the functions do.
#
# Callees first: functions are taken in the order of the call graph, each canonicalized before and
# after the calls in it were inlined. A function that calls itself stays, and what came in by
# inlining a function does not inline it again, so recursion ends. A private function that nothing
# refers to any more goes. Source: MLIR 22.1 Inliner.cpp, InlinerPass.cpp, InliningUtils.cpp.


#: Dialects whose operations may move to another function (they have MLIR's inliner interface).
_INLINABLE = frozenset(
    ("affine", "arith", "bufferization", "cf", "complex", "func", "gpu", "index", "linalg",
     "llvm", "math", "memref", "nvvm", "scf", "tensor", "ub", "vector")
)  # fmt: skip


#: Calls, by what they call.
_CALLS = {"func.call": "func.func", "llvm.call": "llvm.func"}
#: Functions in which calls are inlined.
_CALLERS = frozenset((*_CALLS.values(), "gpu.func"))
#: Their dialects do not say that their own regions take what is inlined.
_TAKES_NOTHING = ("gpu.",)
#: They belong to the one function that they are in.
_UNIQUE = frozenset(("llvm.blocktag", "llvm.intr.vastart"))
_RETURNS = ("func.return", "llvm.return")
#: The largest threshold, -1 as MLIR's unsigned number: each callee is inlined.
_NO_THRESHOLD = 0xFFFFFFFF


class Inliner(Pass):
    """Inlines func.call and llvm.call."""

    name = "inline"
    summary = "Inline function calls"
    anchor = "builtin.module"
    options = (
        Option(
            "default-pipeline", str, "canonicalize", "The optimizer pipeline used for callables"
        ),
        Option(
            "op-pipelines",
            str,
            "",
            "The optimizer pipelines of functions of one operation: func.func(cse)",
        ),
        Option(
            "max-iterations",
            int,
            4,
            "How often the calls of functions that call each other are inlined",
        ),
        Option(
            "inlining-threshold",
            int,
            _NO_THRESHOLD,
            "The size of a callee, in percent of its caller's, above which it is not inlined",
            least=0,
            most=_NO_THRESHOLD,
        ),
    )
    default_pipeline: str
    op_pipelines: str
    max_iterations: int
    inlining_threshold: int

    def run(self, op: Operation, ctx: Context) -> None:
        paths = (r for inner in op.walk() for r in references(inner))
        self._named_from_outside = {n.data for r in paths for n in r.nested_references.data}
        self._inline_in(op, op.parent is None, ctx)

    def _inline_in(self, table: Operation, around: bool, ctx: Context) -> None:
        """Inlines in a symbol table and in those within: a call is of a function beside its own.
        `around` is whether nothing outside of what surrounds the table refers to what is in it."""
        hidden = is_hidden(table, around)
        for inner in [op for op in body_operations(table) if is_symbol_table(op)]:
            self._inline_in(inner, hidden, ctx)
        functions = {
            name: f
            for f in body_operations(table)
            if f.name in _CALLERS and f.regions[0].blocks and (name := symbol_name(f)) is not None
        }
        inlined: set[str] = set()
        graph = _call_graph(functions)
        for component in _components(graph):
            for name in component:
                self._optimize(functions[name], ctx)
            for _ in range(self.max_iterations):
                if not self._inline_calls(table, component, functions, graph, inlined):
                    break
                for name in component:
                    self._optimize(functions[name], ctx)
                    # Longer cycles have become shorter ones.
                    graph[name] = [_callee(c) or "" for c in _calls(functions[name], functions)]
        gone = {n for n, f in functions.items() if hidden or visibility(f) == "private"}
        while self._erase_unused(table, functions, gone):
            pass  # what only those called goes, too

    def _erase_unused(
        self, table: Operation, functions: dict[str, Operation], among: set[str]
    ) -> bool:
        """Erases those of `among` that are not public and that nothing refers to. Whether there was
        one."""
        used = {r.root_reference.data for op in table.walk() for r in references(op)}
        if table.parent is not None:
            used |= self._named_from_outside
        erased = [n for n in among - used if n in functions and can_discard(functions[n])]
        for name in erased:
            function = functions.pop(name)
            function.detach()
            function.erase()
        return bool(erased)

    def _inline_calls(
        self,
        table: Operation,
        component: list[str],
        functions: dict[str, Operation],
        graph: dict[str, list[str]],
        inlined: set[str],
    ) -> bool:
        """Inlines the calls in functions, and those that come in with them. Whether any was."""
        # Each call, the function that it is in, and the functions whose inlining brought it there.
        pending = [
            (call, name, frozenset[str]())
            for name in component
            for call in _calls(functions[name], functions)
        ]
        changed = False
        for call, name, history in pending:  # grows while it is walked
            callee = _callee(call) or ""
            if name not in component:
                continue  # it was erased
            if callee in history or callee in graph[callee] or name in graph[callee]:
                continue
            if not _may_inline(call, functions[callee]):
                continue
            if not self._is_worth_it(functions[name], functions[callee]):
                continue
            inlined.add(callee)
            changed = True
            for op in _inline(call, functions[callee]):
                pending += [(c, name, history | {callee}) for c in _calls(op, functions)]
            if visibility(functions[callee]) != "private":
                continue
            if callee in component and self._erase_unused(table, functions, {callee}):
                component.remove(callee)
        return changed

    def _optimize(self, function: Operation, ctx: Context) -> None:
        from xgpu.core.passes.pipeline_text import parse_pipeline

        text = f"{function.name}({self.default_pipeline})" if self.default_pipeline else ""
        if self.op_pipelines.partition("(")[0] == function.name:
            text = self.op_pipelines
        if text:
            parse_pipeline(text).run(function, ctx)

    def _is_worth_it(self, caller: Operation, callee: Operation) -> bool:
        """Whether the callee is not too large for its caller, by the number of operations."""
        if self.inlining_threshold == _NO_THRESHOLD:
            return True
        size, room = (sum(1 for _ in op.walk()) - 1 for op in (callee, caller))
        return self.inlining_threshold > 0 and size * 100 // room <= self.inlining_threshold


def _callee(op: Operation) -> str | None:
    callee = op.properties.get("callee") if op.name in _CALLS else None
    if not isinstance(callee, SymbolRefAttr) or callee.nested_references.data:
        return None
    return callee.root_reference.data


def _calls(root: Operation, functions: dict[str, Operation]) -> list[Operation]:
    """The calls of `functions` in `root`, those of later blocks before those of earlier ones."""
    found = [root] if _callee(root) in functions else []
    pending = [block for region in root.regions for block in region.blocks]
    while pending:
        for op in pending.pop().ops:
            if _callee(op) in functions:
                found.append(op)
            pending += [block for region in op.regions for block in region.blocks]
    return found


def _call_graph(functions: dict[str, Operation]) -> dict[str, list[str]]:
    return {
        name: [_callee(op) or "" for op in _calls(function, functions)]
        for name, function in functions.items()
    }


def _components(graph: dict[str, list[str]]) -> list[list[str]]:
    """The strongly connected components of the call graph, callees first (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    result: list[list[str]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    at = stack.index(name)
                    result.append(stack[at:])
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(graph[following])))
            elif following in on_stack:
                low[name] = min(low[name], index[following])
    return result


def _may_inline(call: Operation, function: Operation) -> bool:
    around = call.parent_op()
    assert around is not None
    if "no_inline" in call.properties or "no_inline" in function.properties:
        return False
    if _CALLS[call.name] != function.name:
        return False
    if function.name == "llvm.func" and not may_inline_function(function):
        return False
    if around.name.partition(".")[0] not in _INLINABLE or around.name.startswith(_TAKES_NOTHING):
        return False
    region: Region = function.regions[0]
    if around.name.startswith("affine.") and not may_inline_into(
        call, region, call_arguments(call)
    ):
        return False
    if not _is_one_block(region) and "SingleBlock" in "".join(traits_of(around.name)):
        return False
    return all(
        op.name.partition(".")[0] in _INLINABLE and op.name not in _UNIQUE for op in region.walk()
    )


def _is_one_block(region: Region) -> bool:
    """Whether the body is one block that returns."""
    last = region.blocks[0].last_op
    return len(region.blocks) == 1 and last is not None and last.name in _RETURNS


def _inline(call: Operation, function: Operation) -> list[Operation]:
    """Puts the body of `function` in the place of `call`; returns the operations that it is."""
    region = function.regions[0]
    arguments: Sequence[SSAValue] = call_arguments(call)
    if function.name == "llvm.func":
        arguments = arguments_of(call, function, arguments)
    if _is_one_block(region):
        return _inline_block(call, region.blocks[0], arguments)
    return _inline_blocks(call, function, arguments)


class _InlinedPlaces:
    """Locations of what is inlined: those of the callee, called from `caller`.

    "f":2:3                         callsite("f":2:3 at "g":7:8)
    callsite("e":1:2 at "f":2:4)    callsite("e":1:2 at callsite("f":2:4 at "g":7:8))
    """

    __slots__ = ("_caller", "_moved")

    def __init__(self, caller: LocationAttr) -> None:
        self._caller = caller
        #: By identity, which is cheaper than comparing them; the first of each pair keeps it alive.
        self._moved: dict[int, tuple[LocationAttr, LocationAttr]] = {}

    def move(self, op: Operation) -> None:
        """Changes the locations of an operation and of what is inside."""
        op.location = self._of(op.location)
        for region in op.regions:
            self.move_blocks(region.blocks)

    def move_blocks(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            for argument in block.args:
                argument.location = self._of(argument.location)
            for op in block.ops:
                self.move(op)

    def _of(self, location: LocationAttr) -> LocationAttr:
        found = self._moved.get(id(location))
        if found is None:
            callees: list[Attribute] = []
            outermost: Attribute = location
            while isinstance(outermost, CallSiteLoc):
                callees.append(outermost.callee)
                outermost = outermost.caller
            moved = call_site_loc(outermost, self._caller)
            for callee in reversed(callees):
                moved = call_site_loc(callee, moved)
            found = self._moved[id(location)] = (location, moved)
        return found[1]


def _inline_block(call: Operation, body: Block, arguments: Sequence[SSAValue]) -> list[Operation]:
    """Inlines a function of one block."""
    mapping: dict[SSAValue, SSAValue] = dict(zip(body.args, arguments, strict=True))
    block = call.parent
    assert block is not None
    results: list[SSAValue] = []
    made: list[Operation] = []
    places = _InlinedPlaces(call.location)
    for op in body.ops:
        if op.name in _RETURNS:
            results = [mapping.get(v, v) for v in op.operands]
        else:
            made.append(clone_operation(op, mapping))
            places.move(made[-1])
            block.insert_op_before(made[-1], call)
    if made:
        move_allocations(call, made, (), (call,))
        pass_on_metadata(call, made)
    Rewriter(call).replace(call, results)
    return made


def _inline_blocks(
    call: Operation, function: Operation, arguments: Sequence[SSAValue]
) -> list[Operation]:
    """Inlines a function of several blocks: what follows the call becomes a block."""
    head, tail = split_before(call)
    results = [tail.insert_arg(r.type, i) for i, r in enumerate(call.results)]
    for result in results:
        result.location = call.location
    copy = clone_operation(function)
    blocks = list(copy.regions[0].blocks)
    _InlinedPlaces(call.location).move_blocks(blocks)
    made = [op for block in blocks for op in block.ops if op.name not in _RETURNS]
    ends: list[Operation] = []
    for block in blocks:
        last = block.last_op
        if last is not None and last.name in _RETURNS:
            branch = ods.create(
                "llvm.br" if last.name == "llvm.return" else "cf.br",
                list(last.operands),
                successors=(tail,),
                location=last.location,
            )
            block.insert_op_before(branch, last)
            ends.append(branch)
            last.detach()
            last.erase()
    entry = blocks[0]
    first = [op for op in made if op.parent is entry]
    others = [op for op in made if op.parent is not entry]
    for argument, operand in zip(entry.args, arguments, strict=True):
        argument.replace_all_uses_with(operand)
    copy.regions[0].move_blocks_before(tail)
    for op in list(entry.ops):
        op.detach()
        head.add_op(op)
    parent = entry.parent
    assert parent is not None
    parent.detach_block(entry)
    if first:
        move_allocations(call, first, others, ends)
    pass_on_metadata(call, made)
    Rewriter(call).replace(call, results)
    return made
