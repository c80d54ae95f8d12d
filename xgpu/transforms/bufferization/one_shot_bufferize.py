# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`one-shot-bufferize`: tensors become buffers, with copies only where a read needs them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.calls import has_body
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, error
from xgpu.core.ir.symbols import is_symbol_table, symbol_name
from xgpu.core.passes.base import Option, Pass
from xgpu.transforms.bufferization.one_shot import options as choices
from xgpu.transforms.bufferization.one_shot.analysis import (
    Analysis,
    mark_alias_sets,
    mark_decisions,
    mark_equivalent_arguments,
)
from xgpu.transforms.bufferization.one_shot.buffers import (
    ACCESS,
    LAYOUT,
    WRITABLE,
    Buffers,
    Facts,
    FunctionFacts,
    argument_attribute,
    callee,
    function_type,
    has_effects,
    returns_of,
)
from xgpu.transforms.bufferization.one_shot.options import INFER, is_tensor
from xgpu.transforms.bufferization.one_shot.state import Undecided
from xgpu.transforms.bufferization.one_shot.values import Operand, has_tensors, walk_postorder

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.transforms.bufferization.one_shot.options import Options


# --- copies --------------------------------------------------------------------------------------
# Copies for the operands that do not keep their buffers, as `bufferization.alloc_tensor`s.


def insert_copies(root: Operation, state: Undecided) -> None:
    """Makes the copies that the decisions in `state` need, so that afterwards every operand may
    write where it stands."""
    buffers = Buffers(Undecided(state.options))
    for op in list(walk_postorder(root)):
        model = state.known_model(op)
        if model is not None:
            buffers.start(op)
            model.resolve(op, buffers, state)


# --- bufferize -----------------------------------------------------------------------------------
# Replacing operations on tensors by operations on buffers, from the first to the last.


_PAIR = frozenset({"bufferization.to_buffer", "bufferization.to_tensor"})


def one_shot_bufferize(root: Operation, options: Options) -> None:
    """Analyzes and bufferizes `root` and what it contains.

    Raises DiagnosticError for what cannot be bufferized under the options.
    """
    if not options.copy_before_write:
        state = Analysis(root, options)
        state.analyze(root)
        annotate(root, state)
        if not options.test_analysis_only:
            insert_copies(root, state)
    if not options.test_analysis_only:
        bufferize(root, options)


def annotate(root: Operation, state: Analysis) -> None:
    """States what the analysis found, if the options ask for it."""
    if state.options.test_analysis_only:
        mark_decisions(root, state)
    if state.options.dump_alias_sets:
        mark_alias_sets(root, state)


def bufferize(root: Operation, options: Options) -> None:
    """Replaces the operations in `root`, whose operands may all write where they stand."""
    state = Undecided(options)
    if options.copy_before_write:
        insert_copies(root, state)
    buffers = Buffers(state)
    pending = [op for op in root.walk() if _has_tensors(op, state)]
    at = 0
    while at < len(pending):
        op = pending[at]
        at += 1
        if op in buffers.gone or not _has_tensors(op, state):
            continue
        model = state.known_model(op)
        if model is None:
            continue
        buffers.start(op)
        try:
            model.bufferize(op, buffers)
        except DiagnosticError as problem:
            raise _failure(op, problem) from None
        pending.extend(new for new in buffers.created if new.name not in _PAIR and has_tensors(new))
        buffers.created.clear()
    _fold_pairs(root, buffers)
    if not options.allow_unknown_ops:
        _check(pending, buffers, state)


def _failure(op: Operation, problem: DiagnosticError) -> DiagnosticError:
    """What is wrong, and while what."""
    words = "failed to bufferize op"
    if problem.diagnostics[-1].message == words:
        return problem
    return DiagnosticError(*problem.diagnostics, Diagnostic("error", words, op.location, (), op))


def _has_tensors(op: Operation, state: Undecided) -> bool:
    model = state.known_model(op)
    return has_tensors(op) if model is None else model.has_tensors(op)


def _fold_pairs(root: Operation, buffers: Buffers) -> None:
    for op in list(root.walk()):
        if op.name == "bufferization.to_buffer":
            buffers.fold_pair(op)
    for op in list(walk_postorder(root)):
        if op.name == "bufferization.to_tensor" and op.results[0].first_use is None:
            buffers.erase(op)


def _check(operations: list[Operation], buffers: Buffers, state: Undecided) -> None:
    for op in operations:
        if op in buffers.gone or op.name in _PAIR or not _has_tensors(op, state):
            continue
        if not buffers.options.is_allowed(op):
            continue
        if all(result.first_use is None for result in op.results) and not has_effects(op):
            continue
        raise error(op, "op was not bufferized")


# --- functions -----------------------------------------------------------------------------------
# Bufferization through the boundaries of functions: callees before callers.
#
# What a function does to its arguments (reads, writes, gives back) is found when it is analyzed,
# and serves for its calls. Of functions that call each other nothing is known. Source of the
# algorithm: MLIR 22.1 OneShotModuleBufferize.cpp.


def learn(function: Operation, state: Analysis) -> Facts:
    """The facts of a function that has just been analyzed."""
    facts = Facts()
    if has_body(function):
        _learn_results(function, facts, state)
    else:
        kind = function_type(function)
        results = [i for i, result in enumerate(kind.outputs.data) if is_tensor(result)]
        for index, argument in enumerate(kind.inputs.data):
            if is_tensor(argument):
                facts.aliases[index] = list(results)
    for index, argument in enumerate(function_type(function).inputs.data):
        if is_tensor(argument):
            _learn_access(function, index, facts, state)
    return facts


def _learn_results(function: Operation, facts: Facts, state: Analysis) -> None:
    first = function.regions[0].blocks[0]
    ends = returns_of(function)
    for argument in first.args:
        if not is_tensor(argument.type):
            continue
        for end in ends:
            for index, value in enumerate(end.operands):
                if (
                    is_tensor(value.type)
                    and state.are_aliases(value, argument)
                    and index not in facts.aliases[argument.index]
                ):
                    facts.aliases[argument.index].append(index)
    for index, kind in enumerate(function_type(function).outputs.data):
        if not is_tensor(kind):
            continue
        found = {_same(end.operands[index], first.args, state) for end in ends}
        same = found.pop() if len(found) == 1 else None
        if same is not None:
            facts.equivalent[index] = same
    if state.options.test_analysis_only:
        for end in ends:
            same = [_same(value, first.args, state) for value in end.operands]
            mark_equivalent_arguments(end, same)


def _same(value: SSAValue, arguments: tuple[SSAValue, ...], state: Analysis) -> int | None:
    if not is_tensor(value.type):
        return None
    for index, argument in enumerate(arguments):
        if is_tensor(argument.type) and state.are_equivalent(value, argument):
            return index
    return None


def _learn_access(function: Operation, index: int, facts: Facts, state: Analysis) -> None:
    stated = argument_attribute(function, index, ACCESS)
    reads = writes = True
    if isinstance(stated, StringAttr):
        reads = stated.data in ("read", "read-write")
        writes = stated.data in ("write", "read-write")
    elif has_body(function):
        argument = function.regions[0].blocks[0].args[index]
        reads, writes = state.is_read(argument), state.is_written(argument)
    if reads:
        facts.read.add(index)
    if writes:
        facts.written.add(index)
    if state.options.test_analysis_only:
        names = {(False, False): "none", (True, False): "read", (False, True): "write"}
        _state(function, index, ACCESS, StringAttr(names.get((reads, writes), "read-write")))


def _state(function: Operation, index: int, name: str, value: Attribute | None) -> None:
    """Gives an argument the attribute `name`, or takes it away."""
    attributes = function.properties.get("arg_attrs")
    count = len(function_type(function).inputs.data)
    entries: list[dict[str, Attribute]] = [{} for _ in range(count)]
    if isinstance(attributes, ArrayAttr):
        entries = [dict(e.data) if isinstance(e, DictionaryAttr) else {} for e in attributes.data]
    if value is None:
        entries[index].pop(name, None)
    else:
        entries[index][name] = value
    if any(entries):
        function.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(e) for e in entries])
    else:
        function.properties.pop("arg_attrs", None)


def in_order(module: Operation) -> tuple[list[Operation], list[Operation]]:
    """Functions, callees first; and those that cannot be ordered."""
    functions = [op for region in module.regions for op in region.ops if op.name == "func.func"]
    callers: dict[Operation, dict[Operation, None]] = defaultdict(dict)
    counts: Counter[Operation] = Counter()
    for function in functions:
        for call in function.walk():
            target = callee(call) if call.name == "func.call" else None
            if target is None or not _type_has_tensors(target) or function in callers[target]:
                continue
            callers[target][function] = None
            counts[function] += 1
    pending = [function for function in functions if not counts[function]]
    ordered: list[Operation] = []
    while pending:
        function = pending.pop(0)
        ordered.append(function)
        for caller in callers[function]:
            counts[caller] -= 1
            if not counts[caller]:
                pending.append(caller)
    done = set(ordered)
    return ordered, [function for function in functions if function not in done]


def _type_has_tensors(function: Operation) -> bool:
    kind = function_type(function)
    return any(map(is_tensor, [*kind.inputs.data, *kind.outputs.data]))


def bufferize_module(module: Operation, options: Options) -> None:
    """Analyzes and bufferizes a module with its functions.

    Raises DiagnosticError for what cannot be bufferized under the options.
    """
    ordered, others = in_order(module)
    if not options.copy_before_write:
        state = analyze_module(module, ordered, others, options)
        if options.test_analysis_only:
            return
        for op in [op for region in module.regions for op in region.ops]:
            if not is_symbol_table(op):
                insert_copies(op, state)
    if options.test_analysis_only:
        return
    for function in [*ordered, *others]:
        copying = symbol_name(function) in options.no_analysis_functions
        mine = replace(options, copy_before_write=options.copy_before_write or copying)
        bufferize(function, replace(mine, no_analysis_functions=()))
        if options.function_boundaries == INFER and function in ordered:
            _fold_casts(function)
    for op in [op for region in module.regions for op in region.ops]:
        if op.name != "func.func" and not is_symbol_table(op):
            bufferize(op, options)
    for function in [op for region in module.regions for op in region.ops]:
        if function.name == "func.func":
            for index in range(len(function_type(function).inputs.data)):
                for name in (ACCESS, LAYOUT, WRITABLE):
                    _state(function, index, name, None)


def analyze_module(
    module: Operation, ordered: list[Operation], others: list[Operation], options: Options
) -> Analysis:
    """The decisions for a module with its functions."""
    state = Analysis(module, options)
    facts = state.functions = FunctionFacts()
    for function in ordered:
        if not state.options.is_allowed(function) or not options.is_analyzed(function):
            continue
        _join_calls(function, facts, state)
        state.analyze(function)
        annotate(function, state)
        facts.state(function, learn(function, state))
    for function in others:
        if state.options.is_allowed(function) and options.is_analyzed(function):
            _join_calls(function, facts, state)
            state.analyze(function)
            annotate(function, state)
    return state


def _join_calls(function: Operation, facts: FunctionFacts, state: Analysis) -> None:
    """A call's result that is the callee's argument is the call's operand."""
    for call in function.walk():
        known = facts.of(call) if call.name == "func.call" else None
        for result, argument in ({} if known is None else known.equivalent).items():
            if state.is_in_place(Operand(call, argument)):
                state.equivalent_sets.join(call.results[result], call.operands[argument])


def _fold_casts(function: Operation) -> None:
    """Results get the layouts that they have, where all returns agree."""
    if not has_body(function):
        return
    ends = returns_of(function)
    kind = function_type(function)
    outputs = list(kind.outputs.data)
    for index in range(len(outputs)):
        values = [_uncast(end.operands[index]) for end in ends]
        if len({value.type for value in values}) != 1:
            continue
        for end, value in zip(ends, values, strict=True):
            end.operands[index] = value
        outputs[index] = values[0].type
    function.properties["function_type"] = FunctionType.from_lists(kind.inputs.data, outputs)


def _uncast(value: SSAValue) -> SSAValue:
    # One cast: what is below it is a cast of the program's own, which may hide sizes.
    if isinstance(value.owner, Operation) and value.owner.name == "memref.cast":
        return value.owner.operands[0]
    return value


# --- one shot bufferize --------------------------------------------------------------------------
# `one-shot-bufferize`: tensors become buffers, with copies only where a read needs them.
#
#     %0 = linalg.fill ins(%c : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
#     =>
#     linalg.fill ins(%c : f32) outs(%m : memref<?xf32, strided<[?], offset: ?>>)
#
# Source: MLIR 22.1 Bufferize.cpp. How it works: `one_shot/`.


_LAYOUTS = ("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map")
_HEURISTICS = ("bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer")


class OneShotBufferizePass(Pass):
    """Bufferizes what it knows."""

    name = "one-shot-bufferize"
    summary = "One-Shot Bufferize"
    options = (
        Option("allow-return-allocs-from-loops", bool, False, "let loops yield new buffers"),
        Option("allow-unknown-ops", bool, False, "leave operations alone that are not known"),
        Option("analysis-fuzzer-seed", int, 0, "decide in an order that follows from this seed"),
        Option("analysis-heuristic", str, "bottom-up", "the order of decisions"),
        Option("buffer-alignment", int, 64, "the alignment of new buffers"),
        Option("bufferize-function-boundaries", bool, False, "arguments and results too"),
        Option("check-parallel-regions", bool, True, "buffers that threads share are copied"),
        Option("copy-before-write", bool, False, "analyze nothing, copy before each write"),
        Option("dialect-filter", list, (), "only operations of these dialects"),
        Option("dump-alias-sets", bool, False, "state what may share buffers"),
        Option(
            "function-boundary-type-conversion",
            str,
            "infer-layout-map",
            "layouts of arguments and results",
            _LAYOUTS,
        ),
        Option("must-infer-memory-space", bool, False, "no memory space is the default one"),
        Option("no-analysis-func-filter", list, (), "functions that copy before each write"),
        Option("print-conflicts", bool, False, "state why operands are copied"),
        Option("test-analysis-only", bool, False, "only state what was found"),
        Option(
            "unknown-type-conversion",
            str,
            "fully-dynamic-layout-map",
            "layouts of buffers that come from elsewhere",
            _LAYOUTS,
        ),
        Option("use-encoding-for-memory-space", bool, False, "encodings are memory spaces"),
    )

    allow_return_allocs_from_loops: bool
    allow_unknown_ops: bool
    analysis_fuzzer_seed: int
    analysis_heuristic: str
    buffer_alignment: int
    bufferize_function_boundaries: bool
    check_parallel_regions: bool
    copy_before_write: bool
    dialect_filter: tuple[str, ...]
    dump_alias_sets: bool
    function_boundary_type_conversion: str
    must_infer_memory_space: bool
    no_analysis_func_filter: tuple[str, ...]
    print_conflicts: bool
    test_analysis_only: bool
    unknown_type_conversion: str
    use_encoding_for_memory_space: bool

    def run(self, op: Operation, ctx: Context) -> None:
        options = self._options(op)
        if options.bufferize_function_boundaries and op.name == "builtin.module":
            bufferize_module(op, options)
        else:
            one_shot_bufferize(op, options)

    def _options(self, op: Operation) -> Options:
        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            raise error(
                op,
                "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are "
                f"allowed in {self.name}",
            )
        if self.unknown_type_conversion == choices.INFER:
            raise error(
                op,
                "Invalid option: 'infer-layout-map' is not a valid value for "
                "'unknown-type-conversion'",
            )
        if self.print_conflicts and not self.test_analysis_only:
            raise error(op, "'print-conflicts' requires 'test-analysis-only'")
        if self.analysis_heuristic not in _HEURISTICS:
            raise error(op, f"invalid analysis-heuristic: {self.analysis_heuristic}")
        space = choices.default_space
        if self.must_infer_memory_space:
            space = choices.no_space
        elif self.use_encoding_for_memory_space:
            space = choices.encoded_space
        return choices.Options(
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            allow_unknown_ops=self.allow_unknown_ops,
            analysis_heuristic=self.analysis_heuristic,
            analysis_fuzzer_seed=self.analysis_fuzzer_seed,
            buffer_alignment=self.buffer_alignment,
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            check_parallel_regions=self.check_parallel_regions,
            copy_before_write=self.copy_before_write,
            dialect_filter=tuple(self.dialect_filter),
            dump_alias_sets=self.dump_alias_sets,
            function_boundaries=self.function_boundary_type_conversion,
            no_analysis_functions=tuple(self.no_analysis_func_filter),
            print_conflicts=self.print_conflicts,
            test_analysis_only=self.test_analysis_only,
            unknown_layout=self.unknown_type_conversion,
            space_of=space,
        )
