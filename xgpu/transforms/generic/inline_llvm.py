# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is special about inlining functions of the llvm dialect.

Memory of the callee's frame becomes memory of the caller's: what has a fixed size moves to the
caller's entry and lives from where the call was to where the callee returned; what has not is given
back at the same places. An argument that is passed by value is copied. Source: MLIR 22.1
InlinerInterfaceImpl.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import BlockArgument, Operation

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import resolve
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.llvm.types import DataLayout, LLVMFunctionType, LLVMPointerType

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IndexType, IntegerType, SymbolRefAttr
    from xdsl.ir import Attribute, Block, SSAValue

    from xgpu.dialects.llvm import MemoryEffectsAttr

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
