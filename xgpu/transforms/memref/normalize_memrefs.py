# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`normalize-memrefs`: memrefs without layout maps, across functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    FunctionType,
    IndexType,
    MemRefType,
    NoneAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.analysis.linear import Form, LinearSystem, combine, constant_bound, of_variable
from xgpu.core.ir.affine import FLOORDIV, MOD, ceildiv
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import references, resolve
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import memref
from xgpu.dialects.affine.maps import affine_scope, is_valid_dim
from xgpu.dialects.affine.simplify import fully_canonical
from xgpu.dialects.arith.builders import binary, index_constant
from xgpu.dialects.memref_layout import has_identity_layout, layout_map

if TYPE_CHECKING:
    from xdsl.context import Context


# --- normalized types ----------------------------------------------------------------------------
# The type that a memref with a layout map has when the map is taken into its shape.
#
#     memref<16x14xf32, affine_map<(i, j) -> (i, j floordiv 4, j mod 4)>>  ->  memref<16x4x4xf32>
#
# Sizes are the largest index of each result and one. Where a size is not known only tiles can be
# taken in: a quotient and a remainder by one number. Source: MLIR 22.1 Affine/Utils/Utils.cpp.


if TYPE_CHECKING:
    MemRef = MemRefType[Attribute]


def tiles(of: AffineMap) -> dict[int, int]:
    """By result that is a quotient, the result that is its remainder; none if one lacks it, or what
    is divided is used in another way."""
    found: dict[int, int] = {}
    for place, expr in enumerate(of.results):
        quotient = _by_number(expr, FLOORDIV)
        if quotient is None:
            continue
        for other, result in enumerate(of.results):
            uses = sum(part == quotient.lhs for part in result.dfs()) if other != place else 0
            if not uses:
                continue
            rest = _by_number(result, MOD)
            if rest is None or (rest.lhs, rest.rhs) != (quotient.lhs, quotient.rhs):
                return {}
            if uses > 1 or place in found:
                return {}
            found[place] = other
    return found


def _by_number(expr: AffineExpr, kind: AffineBinaryOpKind) -> AffineBinaryOpExpr | None:
    """The expression, if it is of that kind and its right side is a number."""
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not kind:
        return None
    return expr if isinstance(expr.rhs, AffineConstantExpr) else None


def size_expression(of: AffineMap, result: int) -> AffineExpr:
    """The size of a result in terms of the sizes of the dimensions: for quotients rounded up, for
    remainders the divisor."""
    expr = of.results[result]
    pairs = tiles(of)
    if result in pairs and isinstance(expr, AffineBinaryOpExpr):
        return ceildiv(expr.lhs, expr.rhs)
    if result in pairs.values() and isinstance(expr, AffineBinaryOpExpr):
        return expr.rhs
    return expr


def normalized_type(kind: MemRef) -> MemRef:
    """The type without a layout; the same one if it has none, or it cannot be taken in."""
    shape = kind.get_shape()
    if not shape or has_identity_layout(kind):
        return kind
    of = layout_map(kind)
    if any(size < 0 for size in shape) and not tiles(of):
        return kind
    sizes = _sizes(of, shape)
    if sizes is None:
        return kind
    return MemRefType(kind.element_type, sizes, NoneAttr(), kind.memory_space)


def _sizes(of: AffineMap, shape: Collection[int]) -> list[int] | None:
    """The sizes of the results; None if one has no bound, or is below zero."""
    system = LinearSystem()
    dims: list[Form] = [of_variable(("dimension", i)) for i in range(of.num_dims)]
    symbols: list[Form] = [of_variable(("symbol", i)) for i in range(of.num_symbols)]
    unknown: set[int] = set()
    for i, size in enumerate(shape):
        if size <= 0:
            unknown.add(i)
            continue
        system.at_least(dims[i], {None: 0})
        system.at_least({None: size - 1}, dims[i])
    forms = [system.expression(expr, dims, symbols) for expr in of.results]
    sizes: list[int] = []
    for expr, form in zip(of.results, forms, strict=True):
        if form is None:
            return None
        if any(isinstance(e, AffineDimExpr) and e.position in unknown for e in expr.dfs()):
            sizes.append(DYNAMIC_INDEX)
            continue
        result = ("result", len(sizes))
        row = combine(form, of_variable(result), times=-1)
        last = constant_bound([*system.rows, row], result, upper=True)
        if last is None or last < 0:
            return None
        sizes.append(last + 1)
    return sizes


# --- memref replacement --------------------------------------------------------------------------
# Putting a memref in the place of another one that has its elements elsewhere.
#
# Accesses get new indices: a map of the old ones. Source: MLIR 22.1 Affine/Utils/Utils.cpp
# (replaceAllMemRefUsesWith).


#: Accesses: the place of the memref among the operands; its indices are behind it.
_AFFINE = {
    "affine.load": 0,
    "affine.prefetch": 0,
    "affine.store": 1,
    "affine.vector_load": 0,
    "affine.vector_store": 1,
}
_PLAIN = {"memref.load": 0, "memref.store": 1}


def can_replace(old: SSAValue) -> bool:
    """Whether all users of a memref can have another one in its place."""
    return all(_can_change(use.operation, use.index) for use in old.uses)


def _can_change(user: Operation, place: int) -> bool:
    if user.name in _AFFINE:
        return place == _AFFINE[user.name]
    if user.name in _PLAIN:
        indices = user.operands[_PLAIN[user.name] + 1 :]
        scope = affine_scope(user)
        return place == _PLAIN[user.name] and all(is_valid_dim(i, scope) for i in indices)
    if user.name.startswith("affine.dma_"):
        return False
    return "MemRefsNormalizable" in traits_of(user.name)


def replace_memref(
    old: SSAValue, new: SSAValue, remap: AffineMap, symbols: Sequence[SSAValue] = ()
) -> None:
    """Lets the users of `old`, which `can_replace`, use `new`, whose element at `remap` of an index
    is the one that `old` has there."""
    for user in dict.fromkeys(use.operation for use in old.uses):
        if user.name in _AFFINE:
            _change_affine(user, new, remap, symbols)
        elif user.name in _PLAIN:
            _change_plain(user, new, remap, symbols)
        else:
            user.operands = [new if value is old else value for value in user.operands]


def _apply(rw: Rewriter, of: AffineMap, values: Sequence[SSAValue]) -> list[SSAValue]:
    """An affine.apply for each result."""
    made: list[SSAValue] = []
    for expr in of.results:
        single = AffineMapAttr(AffineMap(of.num_dims, of.num_symbols, (expr,)))
        made.append(rw.value("affine.apply", values, IndexType(), {"map": single}))
    return made


def _remapped(
    rw: Rewriter, steps: Sequence[tuple[AffineMap, Sequence[SSAValue]]], values: list[SSAValue]
) -> tuple[AffineMap, list[SSAValue]]:
    """One map of what maps after each other, the later ones with more operands, make of values."""
    made: list[SSAValue] = []
    for of, more in steps:
        values = _apply(rw, of, [*values, *more])
        made += values
    identity = AffineMap(len(values), 0, tuple(AffineDimExpr(i) for i in range(len(values))))
    result, operands = fully_canonical(identity, values)
    for value in made:  # those that the next ones use stay, as in MLIR
        if value.first_use is None and isinstance(value.owner, Operation):
            rw.erase(value.owner)
    return result, operands


def _change_affine(
    user: Operation, new: SSAValue, remap: AffineMap, symbols: Sequence[SSAValue]
) -> None:
    at = _AFFINE[user.name]
    own = cast("AffineMapAttr", user.properties["map"]).data
    count = own.num_dims + own.num_symbols
    operands = list(user.operands)
    indices = operands[at + 1 : at + 1 + count]
    is_identity = own == AffineMap.identity(own.num_dims) and not own.num_symbols
    first = [] if is_identity else [(own, ())]
    result, values = _remapped(Rewriter(user), [*first, (remap, symbols)], indices)
    user.properties["map"] = AffineMapAttr(result)
    user.operands = [*operands[:at], new, *values, *operands[at + 1 + count :]]


def _change_plain(
    user: Operation, new: SSAValue, remap: AffineMap, symbols: Sequence[SSAValue]
) -> None:
    at = _PLAIN[user.name]
    operands = list(user.operands)
    rw = Rewriter(user)
    result, values = _remapped(rw, [(remap, symbols)], operands[at + 1 :])
    user.operands = [*operands[:at], new, *_apply(rw, result, values)]


# --- normalize memrefs ---------------------------------------------------------------------------
# `normalize-memrefs`: memrefs without layout maps, across functions.
#
# What a map does to an index happens where memory is accessed. A function in which a memref with a
# map has a user that cannot have another one stays as it is, and so do its callers and those that
# it calls. Source: MLIR 22.1 NormalizeMemRefs.cpp, Affine/Utils/Utils.cpp.


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


class NormalizeMemRefsPass(Pass):
    """Takes layout maps of memrefs into their shapes."""

    name = "normalize-memrefs"
    summary = "Normalize memrefs"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        program = _Program(op)
        for function in program.normalizable():
            _normalize_function(function, program)
