# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization through the boundaries of functions: callees before callers.

What a function does to its arguments (reads, writes, gives back) is found when it is analyzed, and
serves for its calls. Of functions that call each other nothing is known. Source of the algorithm:
MLIR 22.1 OneShotModuleBufferize.cpp.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.calls import has_body
from xgpu.core.ir.symbols import is_symbol_table, symbol_name
from xgpu.transforms.bufferization.one_shot.analysis import Analysis
from xgpu.transforms.bufferization.one_shot.annotations import mark_equivalent_arguments
from xgpu.transforms.bufferization.one_shot.bufferize import annotate, bufferize
from xgpu.transforms.bufferization.one_shot.copies import insert_copies
from xgpu.transforms.bufferization.one_shot.options import INFER, is_tensor
from xgpu.transforms.bufferization.one_shot.signatures import (
    ACCESS,
    LAYOUT,
    WRITABLE,
    Facts,
    FunctionFacts,
    argument_attribute,
    callee,
    function_type,
    returns_of,
)
from xgpu.transforms.bufferization.one_shot.values import Operand

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.options import Options


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
            if target is None or not _has_tensors(target) or function in callers[target]:
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


def _has_tensors(function: Operation) -> bool:
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
    from dataclasses import replace

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
    while isinstance(value.owner, Operation) and value.owner.name == "memref.cast":
        value = value.owner.operands[0]
    return value
