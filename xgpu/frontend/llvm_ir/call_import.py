# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls: of functions, of pointers, of assembly, of intrinsics, invokes, and debug records."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir import Block as IRBlock

from xgpu.core import ods
from xgpu.core.ir.errors import shown
from xgpu.core.ods.operation import segment_sizes
from xgpu.core.ods.spec import ONE, OpSpec
from xgpu.core.ods.table_files import read_intrinsics
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm.attributes import CConvAttr, ConstantRangeAttr, TailCallKindAttr
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType
from xgpu.frontend.llvm_ir import constant_import
from xgpu.frontend.llvm_ir.body import Body, incoming
from xgpu.frontend.llvm_ir.constant_import import argument_attributes, call_properties, fast_math
from xgpu.frontend.llvm_ir.debug_import import expression
from xgpu.frontend.llvm_ir.model import (
    Alias,
    Constant,
    DebugRecord,
    Function,
    GlobalObject,
    InlineAssembly,
    Instruction,
    MetadataConstant,
    MetadataString,
    MetadataValue,
    Node,
    Value,
)
from xgpu.frontend.llvm_ir.type_parser import VOID

# --- bundles -------------------------------------------------------------------------------------
# Operand bundles of calls.


def bundles(b: Body, i: Instruction) -> tuple[dict[str, Attribute], list[SSAValue]]:
    """(the properties of operand bundles, all their operands)"""
    found: list[tuple[str, list[Value]]] = i.extra["bundles"]
    sizes = DenseArrayBase.from_list(i32, [len(values) for _, values in found])
    properties: dict[str, Attribute] = {"op_bundle_sizes": sizes}
    if found:
        properties["op_bundle_tags"] = ArrayAttr([StringAttr(tag) for tag, _ in found])
    return properties, [b.value(value) for _, values in found for value in values]


# --- debug records -------------------------------------------------------------------------------
# Debug records: where a variable is kept, what value it has, where a label stands.
#
# A record may stand where its value does not dominate it, so its operation goes right behind the
# value. What MLIR has no operation for is left out, with a warning for those who want to know.


_OPERATIONS = {"value": "llvm.intr.dbg.value", "declare": "llvm.intr.dbg.declare"}


def of_call(i: Instruction, kind: str) -> DebugRecord:
    """The record that a call of `llvm.dbg.value` or its kin is."""
    operands = [v.metadata if isinstance(v, MetadataValue) else v for v in i.operands]
    return DebugRecord(kind, [*operands, i.metadata.get("dbg")], i.token)


def add_label(b: Body, record: DebugRecord) -> None:
    """`llvm.intr.dbg.label` where the record stands."""
    debug = b.context.debug
    label = debug.translate(record.operands[0])
    if label is None:
        return
    around = b.builder.location
    b.builder.location = debug.location(record.operands[-1])
    b.builder.create("llvm.intr.dbg.label", (), (), {"label": label})
    b.builder.location = around


def add_records(b: Body, function: Operation) -> None:
    """The operations of all records of a function whose values are all there."""
    for record in b.debug:
        _add(b, function, record)


def _add(b: Body, function: Operation, record: DebugRecord) -> None:
    name = _OPERATIONS.get(record.kind)
    place = record.operands[0]
    variable = b.context.debug.translate(record.operands[1])
    if name is None or not isinstance(place, MetadataConstant) or variable is None:
        b.messages.detail("unhandled debug variable record", record)
        return
    value = _value(b, place.value)
    if value is None:
        raise b.messages.error(
            f"failed to convert a debug operand: {b.messages.line(record).strip()}", record
        )
    builder = _behind(value, function)
    if builder is None:
        b.messages.detail("unhandled debug variable record", record)
        return
    builder.location = b.context.debug.location(record.operands[-1])
    properties: dict[str, Attribute] = {"varInfo": variable}
    located = expression(record.operands[2])
    if located is not None:
        properties["locationExpr"] = located
    builder.create(name, (value,), (), properties)


def _value(b: Body, value: Value) -> SSAValue | None:
    found = b.values.get(value)
    if found is not None or not isinstance(value, Constant):
        return found
    return b.constant(value)


def _behind(value: SSAValue, function: Operation) -> Builder | None:
    """A builder right behind a value: behind its block's landing pad if it is an argument, in a
    block that it dominates if a terminator defines it. None if there is no such place."""
    if isinstance(value, BlockArgument):
        builder = Builder(block=value.owner)
        first = value.owner.first_op
        if first is not None and first.name == "llvm.landingpad":
            first = first.next_op
        builder.anchor = first
        return builder
    op = cast("Operation", value.owner)
    if op.next_op is not None:
        builder = Builder(block=cast("Block", op.parent))
        builder.anchor = op.next_op
        return builder
    if not op.successors:
        return None
    from xgpu.core.ir.dominance import Dominators

    dominated = Dominators(function.regions[0]).children().get(cast("Block", op.parent), [])
    if not dominated:
        return None
    builder = Builder(block=dominated[0])
    # Not at its start, where a landing pad may be.
    builder.anchor = dominated[0].last_op
    return builder


# --- intrinsic import ----------------------------------------------------------------------------
# Calls of intrinsics: operations of the llvm and nvvm dialects, or `llvm.call_intrinsic`.
#
# Most are in a table (`ods/tables/intrinsics.txt`); what is peculiar
# to a few stands in `_PECULIAR`. An intrinsic without an operation keeps its name.


#: A type in the name of an overloaded intrinsic.
_TYPE = re.compile(r"(?:i|f|bf|p|v|nxv|a)\d|s_|sl_|f_|t|isVoid|Metadata|ppcf128|x86amx")

#: (operation, places of immediates, their properties)
Row = tuple[str, tuple[int, ...], tuple[str, ...]]


@cache
def _rows() -> dict[str, Row]:
    """intrinsic -> row, of operations that MLIR imports."""
    found: dict[str, Row] = {}
    for operation, intrinsic, positions, properties in read_intrinsics():
        immediates = tuple(map(int, positions.split()))
        found[intrinsic] = (operation, immediates, tuple(properties.split()))
    return found


@cache
def _attributes(operation: str) -> frozenset[str]:
    """The names of an operation's inherent attributes."""
    spec = cast("OpSpec", ods.op_spec(operation))
    return frozenset(a.name for a in spec.attrs)


def base_name(name: str) -> str | None:
    """The intrinsic that has an operation, from a name with types; None if there is none."""
    rows = _rows()
    end = len(name)
    while end > len("llvm"):
        candidate = name[:end]
        if candidate in rows or candidate in _PECULIAR:
            suffix = name[end + 1 :]
            return candidate if not suffix or _TYPE.match(suffix) else None
        end = name.rfind(".", 0, end)
    return None


def has_operation(name: str) -> bool:
    """Whether MLIR imports the intrinsic as an operation of its own."""
    return base_name(name) is not None


def intrinsic(b: Body, i: Instruction, target: Function) -> None:
    """The call `i` of an intrinsic."""
    name = None if b.context.options.prefer_unregistered_intrinsics else base_name(target.name)
    if name is None:
        _by_name(b, i, target)
        return
    peculiar = _PECULIAR.get(name)
    if peculiar is not None:
        peculiar(b, i)
        return
    _by_table(b, i, _rows()[name])


def _check_operands(b: Body, i: Instruction) -> None:
    if any(isinstance(value, MetadataValue) for value in i.operands):
        raise b.messages.unhandled("intrinsic", i)


def _by_name(b: Body, i: Instruction, target: Function) -> None:
    """`llvm.call_intrinsic "llvm.name"(...)`"""
    _check_operands(b, i)
    operands = b.operands(i.operands)
    properties: dict[str, Attribute] = {"intrin": StringAttr(target.name), **fast_math(i.flags)}
    properties.update(argument_attributes(i))
    tags, bundled = bundles(b, i)
    properties.update(tags)
    properties["operandSegmentSizes"] = segment_sizes((len(operands), len(bundled)))
    _finish(b, i, "llvm.call_intrinsic", (*operands, *bundled), properties)


def _by_table(b: Body, i: Instruction, row: Row) -> None:
    operation, places, names = row
    _check_operands(b, i)
    known = _attributes(operation)
    properties: dict[str, Attribute] = {}
    for place, name in zip(places, names, strict=True):
        properties[name] = _immediate(b, i, place)
    operands = [b.value(v) for place, v in enumerate(i.operands) if place not in places]
    if "op_bundle_tags" in known:
        tags, bundled = bundles(b, i)
        properties.update(tags)
        operands += bundled
    if "fastmathFlags" in known:
        properties.update(fast_math(i.flags))
    if "arg_attrs" in known:
        properties.update(argument_attributes(i, places))
    if "range" in known and (bounds := i.extra["result_attributes"].known.get("range")):
        properties["range"] = ConstantRangeAttr(*bounds)
    _finish(b, i, operation, operands, properties)


def _immediate(b: Body, i: Instruction, place: int) -> Attribute:
    """The attribute of an argument that has to be a number."""
    value = i.operands[place]
    found = constant_import.scalar(value) if isinstance(value, Constant) else None
    if found is None:
        raise b.messages.unhandled("intrinsic", i)
    return found


def _finish(
    b: Body,
    i: Instruction,
    name: str,
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
) -> None:
    spec = cast("OpSpec", ods.op_spec(name))
    # Where an operation has to have a result, MLIR gives it one of type void.
    needs_result = any(result.quantity == ONE for result in spec.results)
    results = () if i.type is VOID and not needs_result else (i.type,)
    op = b.create(name, operands, results, properties)
    if i.type is not VOID:
        b.values[i] = op.results[0]


# --- peculiar ones -------------------------------------------------------------------------------
def _align(i: Instruction, place: int) -> IntegerAttr:
    """The alignment of an argument; 1 if nothing is said."""
    return IntegerAttr(i.extra["argument_attributes"][place].known.get("align", 1), i32)


def _masked(name: str, pointer: int, *, optional: bool = False) -> Callable[..., None]:
    """A masked access, whose alignment stands on the argument `pointer`."""

    def convert(b: Body, i: Instruction) -> None:
        properties: dict[str, Attribute] = {"alignment": _align(i, pointer)}
        if optional and "nontemporal" in i.metadata:
            properties["nontemporal"] = UnitAttr()
        _finish(b, i, name, b.operands(i.operands), properties)

    return convert


def _matrix(name: str, operands: int, *properties: str) -> Callable[..., None]:
    """Operands first, then numbers."""

    def convert(b: Body, i: Instruction) -> None:
        numbers = {n: _immediate(b, i, operands + at) for at, n in enumerate(properties)}
        # MLIR makes operations of the numbers, too.
        values = b.operands(i.operands)[:operands]
        _finish(b, i, name, values, numbers)

    return convert


#: The words of rounding modes and exception behaviors, in MLIR's order.
_ROUNDING = {
    "round.towardzero": 0,
    "round.tonearest": 1,
    "round.upward": 2,
    "round.downward": 3,
    "round.tonearestaway": 4,
    "round.dynamic": 7,
}
_EXCEPTIONS = {"fpexcept.ignore": 0, "fpexcept.maytrap": 1, "fpexcept.strict": 2}


def _constrained(name: str, *, rounds: bool) -> Callable[..., None]:
    """A conversion of floats whose rounding and exceptions are said by metadata."""

    def convert(b: Body, i: Instruction) -> None:
        properties: dict[str, Attribute] = {}
        if rounds:
            mode = _ROUNDING.get(_word(i, 1), -1)
            if mode < 0:
                raise b.messages.unhandled("intrinsic", i)
            properties["roundingmode"] = IntegerAttr(mode, i64)
        behavior = _EXCEPTIONS.get(_word(i, 1 + rounds), -1)
        if behavior < 0:
            raise b.messages.unhandled("intrinsic", i)
        properties["fpExceptionBehavior"] = IntegerAttr(behavior, i64)
        _finish(b, i, name, b.operands(i.operands[:1]), properties)

    return convert


def _word(i: Instruction, place: int) -> str:
    value = i.operands[place]
    if isinstance(value, MetadataValue) and isinstance(value.metadata, MetadataString):
        return value.metadata.text
    return ""


def _scope_declaration(b: Body, i: Instruction) -> None:
    """Without an access that uses the scope, nothing is left of its declaration."""
    value = i.operands[0]
    assert isinstance(value, MetadataValue)
    assert isinstance(value.metadata, Node)
    scopes = b.context.aliasing.lookup_scopes(value.metadata)
    if scopes is None:
        return
    if len(scopes) != 1:
        raise b.messages.unhandled("intrinsic", i)
    _finish(b, i, "llvm.intr.experimental.noalias.scope.decl", (), {"scope": scopes[0]})


def _debug_variable(kind: str) -> Callable[..., None]:
    """The older form of a debug record."""

    def convert(b: Body, i: Instruction) -> None:
        b.debug.append(of_call(i, kind))

    return convert


def _debug_label(b: Body, i: Instruction) -> None:
    add_label(b, of_call(i, "label"))


_SHAPE = ("rows", "columns")
_PECULIAR: dict[str, Callable[[Body, Instruction], None]] = {
    "llvm.masked.load": _masked("llvm.intr.masked.load", 0, optional=True),
    "llvm.masked.store": _masked("llvm.intr.masked.store", 1),
    "llvm.masked.gather": _masked("llvm.intr.masked.gather", 0),
    "llvm.masked.scatter": _masked("llvm.intr.masked.scatter", 1),
    "llvm.matrix.multiply": _matrix(
        "llvm.intr.matrix.multiply", 2, "lhs_rows", "lhs_columns", "rhs_columns"
    ),
    "llvm.matrix.transpose": _matrix("llvm.intr.matrix.transpose", 1, *_SHAPE),
    "llvm.matrix.column.major.load": _matrix(
        "llvm.intr.matrix.column.major.load", 2, "isVolatile", *_SHAPE
    ),
    "llvm.matrix.column.major.store": _matrix(
        "llvm.intr.matrix.column.major.store", 3, "isVolatile", *_SHAPE
    ),
    "llvm.experimental.constrained.fptrunc": _constrained(
        "llvm.intr.experimental.constrained.fptrunc", rounds=True
    ),
    "llvm.experimental.constrained.sitofp": _constrained(
        "llvm.intr.experimental.constrained.sitofp", rounds=True
    ),
    "llvm.experimental.constrained.uitofp": _constrained(
        "llvm.intr.experimental.constrained.uitofp", rounds=True
    ),
    "llvm.experimental.constrained.fpext": _constrained(
        "llvm.intr.experimental.constrained.fpext", rounds=False
    ),
    "llvm.experimental.noalias.scope.decl": _scope_declaration,
    "llvm.dbg.declare": _debug_variable("declare"),
    "llvm.dbg.value": _debug_variable("value"),
    "llvm.dbg.label": _debug_label,
}


# --- call import ---------------------------------------------------------------------------------
# Calls: of functions, of pointers, of assembly, and invokes.


def callee_of(b: Body, i: Instruction) -> GlobalObject | None:
    """The function or ifunc that is called by name, None for a call of a pointer."""
    callee = i.extra["callee"]
    if isinstance(callee, Constant) and callee.kind == "global":
        found = b.context.source.symbols[callee.data]
        if isinstance(found, Function) or (isinstance(found, Alias) and found.is_ifunc):
            return found
    return None


def call(b: Body, i: Instruction) -> None:
    callee = i.extra["callee"]
    if isinstance(callee, InlineAssembly):
        _assembly(b, i, callee)
        return
    target = callee_of(b, i)
    if isinstance(target, Function) and target.is_intrinsic:
        intrinsic(b, i, target)
        return
    operands, properties = _shared(b, i, target)
    properties["TailCallKind"] = tail_call_kind(i)
    properties.update(call_properties(i, target))
    tags, bundled = bundles(b, i)
    properties.update(tags)
    properties["operandSegmentSizes"] = segment_sizes((len(operands), len(bundled)))
    results = () if i.type is VOID else (i.type,)
    op = b.create("llvm.call", (*operands, *bundled), results, properties)
    if results:
        b.values[i] = op.results[0]


def tail_call_kind(i: Instruction) -> TailCallKindAttr:
    return TailCallKindAttr(i.extra.get("tail", "none"))


def _shared(
    b: Body, i: Instruction, target: GlobalObject | None
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """(what a call or invoke calls and its arguments, the properties of both)"""
    properties: dict[str, Attribute] = {"CConv": CConvAttr(i.extra["convention"])}
    operands: list[SSAValue] = []
    if target is None:
        operands.append(b.value(i.extra["callee"]))
    operands += b.operands(i.operands)
    kind: LLVMFunctionType = i.extra["type"]
    fits = True
    if target is not None:
        fits = _fits(kind, target.type)
        if fits:
            kind = target.type
            properties["callee"] = SymbolRefAttr(b.context.symbol(target.key))
        else:
            b.messages.warn(
                f"incompatible call and callee types: {_as_text(kind)} and {_as_text(target.type)}",
                i,
            )
            operands.insert(0, _address(b, target))
    if kind.variadic:
        properties["var_callee_type"] = kind
    if fits:
        properties.update(argument_attributes(i))
    return operands, properties


def _as_text(t: LLVMFunctionType) -> str:
    return f"'{shown(t)}'"


def _address(b: Body, target: GlobalObject) -> SSAValue:
    symbol = SymbolRefAttr(b.context.symbol(target.key))
    op = b.builder.create("llvm.mlir.addressof", (), (LLVMPointerType(),), {"global_name": symbol})
    return op.results[0]


def _fits(called: LLVMFunctionType, callee: LLVMFunctionType) -> bool:
    """Whether a call of type `called` can name a function of type `callee`."""
    if called.result != callee.result:
        return False
    count = len(callee.arguments)
    if len(called.arguments) < count or (not callee.variadic and len(called.arguments) > count):
        return False
    return called.arguments[:count] == callee.arguments


# --- assembly ------------------------------------------------------------------------------------
def _assembly(b: Body, i: Instruction, callee: InlineAssembly) -> None:
    properties: dict[str, Attribute] = {
        "asm_string": StringAttr(callee.text),
        "constraints": StringAttr(callee.constraints),
        "tail_call_kind": tail_call_kind(i),
        "asm_dialect": IntegerAttr(int("inteldialect" in callee.flags), i64),
    }
    if "sideeffect" in callee.flags:
        properties["has_side_effects"] = UnitAttr()
    if "alignstack" in callee.flags:
        properties["is_align_stack"] = UnitAttr()
    if (attrs := _operand_attributes(i, callee)) is not None:
        properties["operand_attrs"] = attrs
    # MLIR gives it a result of type void, too.
    op = b.create("llvm.inline_asm", b.operands(i.operands), (i.type,), properties)
    if i.type is not VOID:
        b.values[i] = op.results[0]


def _operand_attributes(i: Instruction, callee: InlineAssembly) -> ArrayAttr | None:
    """The types behind the pointers that indirect constraints take; None if there are none."""
    found: list[DictionaryAttr] = []
    indirect = False
    for place, constraint in enumerate(_argument_constraints(callee.constraints)):
        if "*" not in constraint:
            found.append(DictionaryAttr({}))
            continue
        attributes = i.extra["argument_attributes"]
        element = attributes[place].known.get("elementtype") if place < len(attributes) else None
        if element is not None:
            found.append(DictionaryAttr({"elementtype": element}))
            indirect = True
    return ArrayAttr(found) if indirect else None


def _argument_constraints(constraints: str) -> list[str]:
    """The constraints that take an argument: inputs, and outputs through memory."""
    found: list[str] = []
    for constraint in constraints.split(","):
        if constraint[:1] in ("~", "!", ""):
            continue
        if constraint[0] == "=" and "*" not in constraint:
            continue
        found.append(constraint)
    return found


# --- invoke --------------------------------------------------------------------------------------
def invoke(b: Body, i: Instruction) -> None:
    """An invoke may hand its own result on to a phi; in MLIR a block in between does so."""
    callee = i.extra["callee"]
    if isinstance(callee, InlineAssembly):
        raise b.messages.error("invoke of inline assembly is not supported", i)
    target = callee_of(b, i)
    normal, unwind = i.extra["successors"]
    hands_itself_on = any(
        incoming(phi, i.block) is i for phi in normal.instructions if phi.opcode == "phi"
    )
    operands, properties = _shared(b, i, target)
    unwind_operands = b.edge(i, unwind)
    normal_operands = [] if hands_itself_on else b.edge(i, normal)
    tags, bundled = bundles(b, i)
    properties.update(tags)
    properties["operandSegmentSizes"] = segment_sizes(
        (len(operands), len(normal_operands), len(unwind_operands), len(bundled))
    )
    direct = b.blocks[normal]
    if hands_itself_on:
        direct = IRBlock()
        b.region.insert_block_before(direct, b.blocks[normal])
    results = () if i.type is VOID else (i.type,)
    op = b.create(
        "llvm.invoke",
        (*operands, *normal_operands, *unwind_operands, *bundled),
        results,
        properties,
        successors=[direct, b.blocks[unwind]],
    )
    if results:
        b.values[i] = op.results[0]
    if hands_itself_on:
        between = Builder(block=direct, location=b.builder.location)
        between.create("llvm.br", b.edge(i, normal), successors=[b.blocks[normal]])
