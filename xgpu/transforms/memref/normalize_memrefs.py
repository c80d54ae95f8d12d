# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`normalize-memrefs`: memrefs without layout maps, across functions.

What a map does to an index happens where memory is accessed. A function in which a memref with a
map has a user that cannot have another one stays as it is, and so do its callers and those that it
calls. Source: MLIR 22.1 NormalizeMemRefs.cpp, Affine/Utils/Utils.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    FunctionType,
    IndexType,
    MemRefType,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import references, resolve
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import binary, index_constant
from xgpu.dialects.memref.layout import has_identity_layout, layout_map
from xgpu.transforms.memref.memref_replacement import can_replace, replace_memref
from xgpu.transforms.memref.normalized_types import normalized_type, size_expression

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

    from xgpu.dialects import memref

    MemRef = MemRefType[Attribute]

_ALLOCATIONS = ("memref.alloc", "memref.alloca")


def _normalized(kind: Attribute) -> Attribute:
    """The type without a layout, where it has one that can be taken in."""
    return normalized_type(kind) if isinstance(kind, MemRefType) else kind


def _has_layout(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType) and not has_identity_layout(value.type)


def _move_users(old: SSAValue, new: SSAValue, symbols: Sequence[SSAValue] = ()) -> bool:
    """Lets the users of a memref use one without its layout; False if they cannot."""
    of = layout_map(old.type)
    if of.num_symbols != len(symbols) or not can_replace(old):
        return False
    replace_memref(old, new, of, symbols)
    return True


# --- what makes memrefs ---------------------------------------------------------------------------
def _sizes_of_tiles(rw: Rewriter, op: memref.AllocOp, old: MemRef, new: MemRef) -> list[SSAValue]:
    """The unknown sizes of a tiled allocation."""
    given = iter(op.dynamic_sizes)
    sizes = [next(given) if size < 0 else index_constant(rw, size) for size in old.get_shape()]
    of = layout_map(old)
    found: list[SSAValue] = []
    for i, size in enumerate(new.get_shape()):
        if size < 0:
            single = AffineMap(of.num_dims, of.num_symbols, (size_expression(of, i),))
            properties = {"map": AffineMapAttr(single)}
            found.append(rw.value("affine.apply", sizes, IndexType(), properties))
    return found


def _normalize_allocation(op: memref.AllocOp) -> None:
    """`alloc : memref<16xf32, tile>` -> `alloc : memref<4x4xf32>`"""
    result = op.results[0]
    old = result.type
    new = normalized_type(old)
    of = layout_map(old)
    if new == old or (of.num_symbols and any(size < 0 for size in new.get_shape())):
        return
    symbols = list(op.symbol_operands)
    if of.num_symbols != len(symbols) or not can_replace(result):
        return
    rw = Rewriter(op)
    sizes: list[SSAValue] = []
    if any(size < 0 for size in new.get_shape()):
        sizes = _sizes_of_tiles(rw, op, old, new)
    alignment = op.properties.get("alignment")
    properties = {} if alignment is None else {"alignment": alignment}
    made = rw.create(op.name, [sizes, []], (new,), properties)
    _move_users(result, made.results[0], symbols)
    rw.replace(op, made.results)


def _normalize_cast(op: memref.ReinterpretCastOp) -> None:
    """The cast to the same elements in a shape without strides."""
    result = op.results[0]
    old = result.type
    new = normalized_type(old)
    of = layout_map(old)
    strides = list(op.strides)
    if new == old or of.num_symbols != len(strides) or not can_replace(result):
        return
    rw = Rewriter(op)
    sizes = _sizes_of_cast(rw, op, old, new)
    rank = len(new.get_shape())
    properties = {
        "static_offsets": DenseArrayBase.from_list(i64, [0] * rank),
        "static_sizes": DenseArrayBase.from_list(i64, list(new.get_shape())),
        "static_strides": DenseArrayBase.from_list(i64, [1] * rank),
    }
    made = rw.create(op.name, [op.source, [], sizes, []], (new,), properties)
    _move_users(result, made.results[0], strides)
    rw.replace(op, made.results)


def _sizes_of_cast(
    rw: Rewriter, op: memref.ReinterpretCastOp, old: MemRef, new: MemRef
) -> list[SSAValue]:
    """The last index of each unknown result, and one."""
    given = iter(op.sizes)
    last: list[SSAValue] = []
    for size in old.get_shape():
        if size < 0:
            one = index_constant(rw, 1)
            last.append(binary(rw, "subi", next(given), one))
        else:
            last.append(index_constant(rw, size - 1))
    of = layout_map(old)
    found: list[SSAValue] = []
    for i, size in enumerate(new.get_shape()):
        if size < 0:
            single = AffineMapAttr(AffineMap(of.num_dims, of.num_symbols, (of.results[i],)))
            operands = [*last, *op.strides]
            found.append(rw.value("affine.apply", operands, IndexType(), {"map": single}))
    return [binary(rw, "addi", value, index_constant(rw, 1)) for value in found]


def _normalize_results(op: Operation) -> None:
    """An operation that can have other memrefs gets results without layouts."""
    types = [_normalized(result.type) for result in op.results]
    if types == [result.type for result in op.results]:
        return
    _with_results(op, types)


def _with_results(op: Operation, types: Sequence[Attribute]) -> Operation | None:
    """The operation with results of other types in its place; None if users cannot have them."""
    changed = [r for r, ty in zip(op.results, types, strict=True) if r.type != ty]
    if not all(layout_map(r.type).num_symbols == 0 and can_replace(r) for r in changed):
        return None
    rw = Rewriter(op)
    regions = list(op.regions)
    for region in regions:
        op.detach_region(region)
    operands, properties = list(op.operands), dict(op.properties)
    made = rw.create(op.name, operands, types, properties, dict(op.attributes), regions)
    for old, new in zip(op.results, made.results, strict=True):
        if old in changed:
            _move_users(old, new)
    rw.replace(op, made.results)
    return made


# --- functions ------------------------------------------------------------------------------------
def _type_of(function: Operation) -> FunctionType:
    return cast("FunctionType", function.properties["function_type"])


def _is_declaration(function: Operation) -> bool:
    return function.regions[0].first_block is None


def _is_normalizable(function: Operation) -> bool:
    """Whether all memrefs with a layout have users that can have another one."""
    if _is_declaration(function):
        return True
    values: list[OpResult | BlockArgument] = list(function.regions[0].blocks[0].args)
    for op in function.walk():
        if op.name in _ALLOCATIONS or op.name == "func.call":
            values += op.results
    return all(_has_normalizable_users(value) for value in values if _has_layout(value))


def _has_normalizable_users(value: SSAValue) -> bool:
    return all("MemRefsNormalizable" in traits_of(use.operation.name) for use in value.uses)


class _Program:
    """The functions of a module, and who refers to them."""

    def __init__(self, module: Operation) -> None:
        self.functions = [op for op in module.walk() if op.name == "func.func"]
        self._users: dict[Operation, list[Operation]] = {f: [] for f in self.functions}
        for op in module.walk():
            for reference in references(op):
                path = resolve(op, reference)
                if path and path[-1] in self._users:
                    self._users[path[-1]].append(op)

    def users(self, function: Operation) -> list[Operation]:
        return list(self._users[function])

    def replaced(self, function: Operation, old: Operation, new: Operation) -> None:
        """Says that a call has become another one."""
        users = self._users[function]
        users[users.index(old)] = new

    def normalizable(self) -> list[Operation]:
        """All functions but those that are tied to one that is not."""
        excluded: set[Operation] = set()
        for function in self.functions:
            if function not in excluded and not _is_normalizable(function):
                self._exclude(function, excluded)
        return [function for function in self.functions if function not in excluded]

    def _exclude(self, function: Operation, excluded: set[Operation]) -> None:
        pending = [function]
        while pending:
            current = pending.pop()
            if current in excluded:
                continue
            excluded.add(current)
            pending += [f for f in map(enclosing, self._users[current]) if f is not None]
            pending += self._callees(current)

    def _callees(self, function: Operation) -> Iterable[Operation]:
        for op in function.walk():
            if op.name == "func.call":
                path = resolve(op, cast("SymbolRefAttr", op.properties["callee"]))
                if path and path[-1] in self._users:
                    yield path[-1]


def enclosing(op: Operation) -> Operation | None:
    """The func.func around an operation."""
    parent = op.parent_op()
    while parent is not None and parent.name != "func.func":
        parent = parent.parent_op()
    return parent


def _normalize_function(function: Operation, program: _Program) -> None:
    for op in [op for op in function.walk() if op.name in _ALLOCATIONS]:
        _normalize_allocation(cast("memref.AllocOp", op))
    for op in [op for op in function.walk() if op.name == "memref.reinterpret_cast"]:
        _normalize_cast(cast("memref.ReinterpretCastOp", op))
    kind = _type_of(function)
    if _is_declaration(function):
        inputs = [_normalized(ty) for ty in kind.inputs.data]
        outputs = [_normalized(ty) for ty in kind.outputs.data]
        function.properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    else:
        _normalize_arguments(function)
        for op in list(function.walk()):
            if op.name != "func.call" and "MemRefsNormalizable" in traits_of(op.name):
                _normalize_results(op)
    _update_signature(function, program)


def _normalize_arguments(function: Operation) -> None:
    block = function.regions[0].blocks[0]
    for index in range(len(block.args)):
        old = block.args[index]
        new_type = _normalized(old.type)
        if new_type == old.type:
            continue
        new = block.insert_arg(new_type, index, old.location)
        new.name_hint = old.name_hint
        if _move_users(old, new):
            block.erase_arg(old)
        else:
            block.erase_arg(new)


def _update_signature(function: Operation, program: _Program) -> None:
    """Gives a function the type of its arguments and of what it returns, its calls that of its
    results, and callers whose returns have changed thereby theirs."""
    pending = [function]
    while pending:
        current = pending.pop()
        results = _result_types(current)
        if not _is_declaration(current):
            arguments = [argument.type for argument in current.regions[0].blocks[0].args]
            current.properties["function_type"] = FunctionType.from_lists(arguments, results)
        for call in program.users(current):
            if call.name != "func.call" or [r.type for r in call.results] == results:
                continue
            made = _with_results(call, results)
            if made is None:
                continue
            program.replaced(current, call, made)
            caller = enclosing(made)
            if caller is not None and caller not in pending:
                pending.append(caller)


def _result_types(function: Operation) -> list[Attribute]:
    types = list(_type_of(function).outputs.data)
    for op in function.walk():
        if op.name != "func.return":
            continue
        for i, operand in enumerate(op.operands):
            if isinstance(operand.type, MemRefType) and not _has_layout(operand):
                types[i] = operand.type
    return types


class NormalizeMemRefs(Pass):
    """Takes layout maps of memrefs into their shapes."""

    name = "normalize-memrefs"
    summary = "Normalize memrefs"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        program = _Program(op)
        for function in program.normalizable():
            _normalize_function(function, program)
