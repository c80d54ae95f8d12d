# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifiers of transform operations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.errors import Diagnostic, error, op_error, shown
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import segment_sizes
from xgpu.core.ir.symbols import is_symbol_table, references
from xgpu.core.syntax.diagnostics import emit
from xgpu.core.syntax.table_context import dialect_names
from xgpu.dialects import transform
from xgpu.dialects.interfaces import verify_function
from xgpu.dialects.transform import verify_structured
from xgpu.dialects.transform.ops import (
    consumed_operands,
    consumes_argument,
    is_consumed,
    kind_of,
    resolve,
)
from xgpu.dialects.transform.syntax import parameter_index

# -- Verifiers of transform operations of other dialects' extensions. Messages are MLIR's.


#: Dialects whose operations `convert-to-llvm` converts.
_CONVERTIBLE = frozenset(
    ("arith", "cf", "complex", "func", "index", "math", "memref", "nvvm", "ub", "vector")
)


def verify_simplify(op: transform.AffineSimplifyBoundedAffineOpsOp) -> None:
    """Each value has two bounds."""
    count = len(op.bounded_values)
    for name, bounds in (("lower", op.lower_bounds), ("upper", op.upper_bounds)):
        if len(bounds) != count:
            raise op_error(
                op,
                f"incorrect number of {name} bounds, expected {count} but found {len(bounds)}",
            )


def verify_dialect_to_llvm(op: Operation) -> None:
    name = cast("StringAttr", op.properties["dialect_name"]).data
    if name in _CONVERTIBLE:
        return
    if name not in dialect_names():
        raise op_error(op, f"unknown dialect or dialect not loaded: {name}")
    raise op_error(
        op,
        "dialect does not implement ConvertToLLVMPatternInterface or extension was not loaded: "
        f"{name}",
    )


def verify_cast_and_call(op: transform.FuncCastAndCallOp) -> None:
    """The function has a name or a handle; in the body there are casts."""
    if op.function is None and op.function_name is None:
        raise op_error(op, "expected a function handle or name to call")
    if op.function is not None and op.function_name is not None:
        raise op_error(op, "function handle and name are mutually exclusive")
    body = op.conversions.blocks.first
    for child in body.ops if body is not None else ():
        if "TypeConverterBuilderOpInterface" not in traits_of(child.name):
            raise op_error(
                op,
                "expected children ops to implement TypeConverterBuilderOpInterface",
                [(child.location, "op without interface")],
            )


def verify_tile_using_forall(op: transform.StructuredTileUsingForallOp) -> None:
    """Threads or sizes of tiles, each as a list or as one handle."""
    given = 0
    for name in ("num_threads", "tile_sizes"):
        listed = op.properties.get(f"static_{name}")
        is_listed = listed is not None and len(cast("DenseArrayBase[IntegerType]", listed)) > 0
        is_packed = op.packed_num_threads if name == "num_threads" else op.packed_tile_sizes
        if is_listed and is_packed is not None:
            raise op_error(op, f"{name} and packed_{name} are mutually exclusive")
        given += is_listed or is_packed is not None
    if not given:
        raise op_error(op, "either (packed_)num_threads or (packed_)tile_sizes must be specified")


CALL_VERIFY = {
    "transform.affine.simplify_bounded_affine_ops": verify_simplify,
    "transform.apply_conversion_patterns.dialect_to_llvm": verify_dialect_to_llvm,
    "transform.func.cast_and_call": verify_cast_and_call,
    "transform.structured.tile_using_forall": verify_tile_using_forall,
}


# -- Verifiers of transform.foreach_match and collect_matching: matchers and actions fit together.


def _sequence(op: Operation, symbol: SymbolRefAttr, what: str) -> transform.NamedSequenceOp:
    found = resolve(op, symbol)
    if found is None or found.name != "transform.named_sequence":
        raise error(op, f"unresolved {what} symbol {_as_text(symbol)}")
    return cast("transform.NamedSequenceOp", found)


def _as_text(symbol: SymbolRefAttr) -> str:
    parts = [symbol.root_reference.data, *(n.data for n in symbol.nested_references.data)]
    return "::".join("@" + part for part in parts)


def _types(sequence: Operation) -> tuple[list[Attribute], list[Attribute]]:
    ty = cast("FunctionType", sequence.properties["function_type"])
    return list(ty.inputs.data), list(ty.outputs.data)


def verify_foreach_match(op: transform.ForeachMatchOp) -> None:
    matchers = op.properties["matchers"].data
    actions = op.properties["actions"].data
    if len(matchers) != len(actions):
        raise op_error(op, "expected the same number of matchers and actions")
    if not matchers:
        raise op_error(op, "expected at least one match/action pair")
    for matcher_name, action_name in zip(matchers, actions, strict=True):
        matcher = _sequence(op, matcher_name, "matcher")
        action = _sequence(op, action_name, "action")
        inputs, matched = _types(matcher)
        if len(inputs) != len(op.operands):
            raise error(
                op,
                f"the number of operands ({len(op.operands)}) doesn't match the number of matcher "
                f"arguments ({len(inputs)}) for {_as_text(matcher_name)}",
            )
        for index, (wanted, operand) in enumerate(zip(inputs, op.operands, strict=True)):
            if is_consumed(matcher, index):
                raise op_error(
                    op, f"does not expect matcher symbol to consume its operand #{index}"
                )
            if kind_of(wanted) != kind_of(operand.type):
                raise error(
                    op,
                    f"mismatching type interfaces for operand and matcher argument #{index} of "
                    f"matcher {_as_text(matcher_name)}",
                )
        arguments, outputs = _types(action)
        if len(matched) != len(arguments):
            raise error(
                op,
                "mismatching number of matcher results and action arguments between "
                f"{_as_text(matcher_name)} ({len(matched)}) and {_as_text(action_name)} "
                f"({len(arguments)})",
            )
        for index, (a, b) in enumerate(zip(matched, arguments, strict=True)):
            if kind_of(a) != kind_of(b):
                raise error(
                    op,
                    f"mismatching type interfaces for matcher result and action argument #{index}"
                    f" of matcher {_as_text(matcher_name)} and action {_as_text(action_name)}",
                )
        extra = op.results[1:]
        if len(outputs) != len(extra):
            raise error(
                op,
                f"the number of action results ({len(outputs)}) for {_as_text(action_name)} "
                f"doesn't match the number of extra op results ({len(extra)})",
            )
        for index, (a, result) in enumerate(zip(outputs, extra, strict=True)):
            if kind_of(a) != kind_of(result.type):
                raise error(
                    op,
                    f"mismatching type interfaces for action result #{index} of action "
                    f"{_as_text(action_name)} and op result",
                )


def verify_collect_matching(op: transform.CollectMatchingOp) -> None:
    matcher = _sequence(op, op.properties["matcher"], "matcher")
    inputs, outputs = _types(matcher)
    if len(inputs) != 1 or kind_of(inputs[0]) != "op":
        raise error(op, "expected the matcher to take one operation handle argument")
    attrs = matcher.properties.get("arg_attrs")
    if attrs is None or "transform.readonly" not in attrs.data[0].data:
        raise error(op, "expected the matcher argument to be marked readonly")
    if len(outputs) != len(op.results):
        raise error(
            op,
            "expected the matcher to yield as many values as op has results "
            f"({len(op.results)}), got {len(outputs)}",
        )
    for a, result in zip(outputs, op.results, strict=True):
        if kind_of(a) != kind_of(result.type):
            raise error(op, "mismatching type interfaces for matcher result and op result")


# -- The verifier of transform.apply_registered_pass: options and parameters fit together.


def _parameters(value: Attribute) -> Iterator[int]:
    if value.name == "transform.param_operand":
        yield parameter_index(value)
    elif isinstance(value, ArrayAttr):
        for item in value.data:
            yield from _parameters(item)


def verify_apply_registered_pass(op: transform.ApplyRegisteredPassOp) -> None:
    options = cast("DictionaryAttr | None", op.properties.get("options"))
    count = len(op.operands) - 1
    seen: set[int] = set()
    for value in options.data.values() if options is not None else ():
        for index in _parameters(value):
            if not 0 <= index < count:
                raise op_error(
                    op,
                    f"dynamic option index {index} is out of bounds for the number of dynamic "
                    f"options: {count}",
                )
            if index in seen:
                raise op_error(op, f"dynamic option index {index} is already used in options")
            seen.add(index)
    if len(seen) != count:
        raise op_error(
            op,
            "a param operand does not have a corresponding param_operand attr in the options dict",
        )


# -- What discardable transform attributes demand of the operation that carries them.


def verify_with_named_sequence(op: Operation, name: str, value: Attribute) -> None:
    if value.name != "unit":
        raise error(op, f"'{name}' attribute must be a UnitAttr")
    if not is_symbol_table(op):
        raise error(op, f'"{name}" attribute can only be attached to operations with symbol tables')


def verify_target_tag(op: Operation, name: str, value: Attribute) -> None:
    if value.name != "string":
        raise error(op, f'"{name}" attribute must be a string')


VERIFY_ATTRIBUTES = {
    "transform.target_tag": verify_target_tag,
    "transform.with_named_sequence": verify_with_named_sequence,
}


# -- The other verifiers, and the table.


def _is_transform(op: Operation) -> bool:
    traits = traits_of(op.name)
    return "TransformOpInterface" in traits or "MatchOpInterface" in traits


def _top_level(op: Operation) -> bool:
    """Whether no operation around `op` could be a program itself."""
    parent = op.parent_op()
    while parent is not None:
        if "PossibleTopLevelTransformOpTrait" in traits_of(parent.name):
            return False
        parent = parent.parent_op()
    return True


def _verify_program(op: Operation) -> None:
    """What sequences and alternatives have in common."""
    for region in op.regions:
        block = region.first_block
        if block is None or not block.args:
            raise op_error(op, "expects the entry block to have at least one argument")
        if kind_of(block.args[0].type) != "op":
            raise op_error(
                op,
                "expects the first entry block argument to be of type implementing "
                "TransformHandleTypeInterface",
            )
        if any(not kind_of(a.type) for a in block.args[1:]):
            raise op_error(
                op,
                "expects trailing entry block arguments to be of type implementing "
                "TransformHandleTypeInterface, TransformValueHandleTypeInterface or "
                "TransformParamTypeInterface",
            )
        if op.operands and len(op.operands) != len(block.args):
            raise op_error(
                op,
                "expects the same number of operands as the entry block has arguments",
            )
        for argument, operand in zip(block.args, op.operands, strict=False):
            if argument.type != operand.type:
                raise op_error(
                    op, "expects the type of the block argument to match the type of the operand"
                )
    if not op.operands and not _top_level(op):
        raise op_error(op, "expects operands to be provided for a nested op")


def _verify_consumers(op: Operation, values: Sequence[SSAValue], what: str) -> None:
    """No handle is consumed twice in one block."""
    for number, value in enumerate(values):
        consumers = [use for use in value.uses if use.index in consumed_operands(use.operation)]
        blocks = [use.operation.parent for use in consumers]
        if any(blocks.count(block) > 1 for block in blocks):
            raise op_error(
                op,
                f"{what} #{number} has more than one potential consumer",
                [
                    (use.operation.location, "used here as operand #" + str(use.index))
                    for use in consumers
                ],
            )


def verify_sequence(op: Operation) -> None:
    _verify_program(op)
    root, others = segment_sizes(op)
    if others and not root:
        raise op_error(op, "does not expect extra operands when used as top-level")
    block = op.regions[0].block
    _verify_consumers(op, block.args, "block argument")
    for child in block.ops:
        if child.name != "transform.yield" and not _is_transform(child):
            raise op_error(
                op,
                "expected children ops to implement TransformOpInterface",
                [(child.location, "op without interface")],
            )
    last = block.last_op
    if last is None or last.name != "transform.yield":
        raise op_error(op, "expects to have a terminator in the body")
    if [v.type for v in last.operands] != [r.type for r in op.results]:
        raise op_error(
            op,
            "expects the types of the terminator operands to match the types of the result",
            [(last.location, "terminator")],
        )


def verify_alternatives(op: Operation) -> None:
    if not op.regions:
        raise op_error(op, "expects at least one region")
    _verify_program(op)
    for region in op.regions:
        last = region.block.last_op
        if last is not None and [v.type for v in last.operands] != [r.type for r in op.results]:
            raise op_error(
                op,
                "expects terminator operands to have the same type as results of the operation",
                [(last.location, "terminator")],
            )


def verify_foreach(op: Operation) -> None:
    block = op.regions[0].block
    if len(block.args) != len(op.operands):
        raise op_error(op, "expects the same number of targets as the body has block arguments")
    for argument, operand in zip(block.args, op.operands, strict=True):
        if kind_of(argument.type) != kind_of(operand.type):
            raise op_error(
                op,
                "expects co-indexed targets and the body's block arguments to have the same "
                "op/value/param type",
            )
    last = block.last_op
    yielded = list(last.operands) if last is not None else []
    if len(yielded) != len(op.results):
        raise op_error(
            op, "expects the same number of results as the yield terminator has operands"
        )
    for result, value in zip(op.results, yielded, strict=True):
        if kind_of(result.type) != kind_of(value.type):
            raise op_error(
                op,
                "expects co-indexed results and yield operands to have the same op/value/param "
                "type",
            )


# --- named sequences ---------------------------------------------------------------------------
def verify_named_sequence(op: transform.NamedSequenceOp) -> None:
    table = op.parent_op()
    if table is not None:
        if not is_symbol_table(table):
            raise op_error(op, "symbol's parent must have the SymbolTable trait")
        if "transform.with_named_sequence" not in table.attributes:
            raise op_error(
                op,
                "expects the parent symbol table to have the 'transform.with_named_sequence' "
                "attribute",
                [(table.location, "symbol table operation")],
            )
    verify_function(op)
    body = op.regions[0].first_block
    function_type = op.properties["function_type"]
    _verify_argument_effects(op, body, len(function_type.inputs.data))
    if body is None:
        return
    _verify_consumers(op, body.args, "block argument")
    last = body.last_op
    if last is None:
        raise op_error(op, "expected a non-empty body block")
    if last.name != "transform.yield":
        raise error(op, "expected 'transform.yield' as terminator", [(last.location, "terminator")])
    outputs = function_type.outputs.data
    if len(outputs) != len(last.operands):
        raise error(
            last, "expected terminator to have as many operands as the parent op has results"
        )
    for index, (value, wanted) in enumerate(zip(last.operands, outputs, strict=True)):
        if value.type != wanted:
            raise error(
                last,
                f"the type of the terminator operand #{index} must match the type of the "
                f"corresponding parent op result ('{shown(value.type)}' vs '{shown(wanted)}')",
            )


def _verify_argument_effects(op: transform.NamedSequenceOp, body: Block | None, count: int) -> None:
    attrs = cast("ArrayAttr | None", op.properties.get("arg_attrs"))
    for index in range(count):
        names = cast("DictionaryAttr", attrs.data[index]).data if attrs is not None else {}
        consumed, readonly = "transform.consumed" in names, "transform.readonly" in names
        if consumed and readonly:
            raise op_error(op, f"argument #{index} cannot be both readonly and consumed")
        if not consumed and not readonly and (body is None or _is_called(op)):
            raise error(
                op, "must provide consumed/readonly status for arguments of external or called ops"
            )
        if body is None:
            continue
        if consumes_argument(body, index):
            if readonly:
                raise error(
                    op, f"argument #{index} is consumed in the body but is not marked as such"
                )
        elif consumed:
            text = f"op argument #{index} is not consumed in the body but is marked as consumed"
            emit(Diagnostic("warning", text, op.location))


def _is_called(op: transform.NamedSequenceOp) -> bool:
    """Whether anything in the symbol table refers to the sequence: transform.include does, and what
    matches with it."""
    table, name = op.parent_op(), op.sym_name.data
    return table is not None and any(
        reference.root_reference.data == name
        for inner in table.walk()
        for reference in references(inner)
    )


def verify_include(op: transform.IncludeOp) -> None:
    callee = resolve(op, op.properties["target"])
    if callee is None or callee.name != "transform.named_sequence":
        raise op_error(op, "does not reference a named transform sequence")
    ty = cast("FunctionType", callee.properties["function_type"])
    if len(ty.inputs.data) != len(op.operands):
        raise error(op, "incorrect number of operands for callee")
    for index, (operand, wanted) in enumerate(zip(op.operands, ty.inputs.data, strict=True)):
        if operand.type != wanted:
            raise op_error(
                op,
                f"operand type mismatch: expected operand type '{shown(wanted)}', but provided "
                f"'{shown(operand.type)}' for operand number {index}",
            )
    if len(ty.outputs.data) != len(op.results):
        raise error(op, "incorrect number of results for callee")
    for index, (result, wanted) in enumerate(zip(op.results, ty.outputs.data, strict=True)):
        if kind_of(result.type) != kind_of(wanted):
            raise error(
                op,
                f"type of result #{index} must implement the same transform dialect interface as "
                "the corresponding callee result",
            )
    _verify_recursion(op)


def _verify_recursion(op: Operation) -> None:
    pending, seen = [op], set[Operation]()
    while pending:
        current = cast("transform.IncludeOp", pending.pop())
        callee = resolve(current, current.properties["target"])
        if callee is None or callee in seen:
            continue
        seen.add(callee)
        for inner in callee.walk():
            if inner is op:
                raise error(op, "recursion not allowed in named sequences")
            if inner.name == "transform.include":
                pending.append(inner)


# --- patterns ----------------------------------------------------------------------------------
def verify_apply_patterns(op: Operation) -> None:
    block = op.regions[0].first_block
    for child in block.ops if block is not None else ():
        if "PatternDescriptorOpInterface" not in traits_of(child.name):
            raise op_error(
                op,
                "expected children ops to implement PatternDescriptorOpInterface",
                [(child.location, "op without interface")],
            )


def verify_apply_conversion_patterns(op: Operation) -> None:
    block = op.regions[0].first_block
    for child in block.ops if block is not None else ():
        if "ConversionPatternDescriptorOpInterface" not in traits_of(child.name):
            raise op_error(
                op,
                "expected pattern children ops to implement ConversionPatternDescriptorOpInterface",
                [(child.location, "op without interface")],
            )
    converters = op.regions[1:]
    for region in converters:
        block = region.first_block
        builders = list(block.ops) if block is not None else []
        if len(builders) != 1:
            raise op_error(
                op,
                "expected exactly one op in default type converter region",
            )
        if "TypeConverterBuilderOpInterface" not in traits_of(builders[0].name):
            raise op_error(
                op,
                "expected default converter child op to implement TypeConverterBuilderOpInterface",
                [(builders[0].location, "op without interface")],
            )


def verify_map_forall_to_blocks(op: Operation) -> None:
    dims = cast("DenseArrayBase[IntegerType] | None", op.properties.get("grid_dims"))
    if dims is not None and len(dims) not in (0, 3):
        raise op_error(op, "transform requires empty or size-3 grid_dims")


VERIFY = {
    **CALL_VERIFY,
    **verify_structured.SIZE_VERIFY,
    **verify_structured.STRUCTURED_VERIFY,
    "transform.alternatives": verify_alternatives,
    "transform.apply_conversion_patterns": verify_apply_conversion_patterns,
    "transform.apply_patterns": verify_apply_patterns,
    "transform.apply_registered_pass": verify_apply_registered_pass,
    "transform.collect_matching": verify_collect_matching,
    "transform.foreach": verify_foreach,
    "transform.foreach_match": verify_foreach_match,
    "transform.gpu.map_forall_to_blocks": verify_map_forall_to_blocks,
    "transform.include": verify_include,
    "transform.named_sequence": verify_named_sequence,
    "transform.sequence": verify_sequence,
}
