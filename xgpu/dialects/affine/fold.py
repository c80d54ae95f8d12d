# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the affine dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.core.ir.constants import int_of, make
from xgpu.core.ir.elements import element_at, element_size, is_dense, is_splat, unpack
from xgpu.dialects import affine, memref
from xgpu.dialects.affine.maps import substitute
from xgpu.dialects.affine.simplify import (
    canonicalize,
    compose,
    constant_results,
    fully_canonical,
    needed_results,
)
from xgpu.dialects.func.ops import lookup_symbol
from xgpu.dialects.interfaces import Constants, Folded, Folder
from xgpu.dialects.memref_layout import fold_cast_operands
from xgpu.dialects.reshapes import Mixed, parts, settle

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter


# -- Bases of affine.delinearize_index and affine.linearize_index: sizes, numbers or values.
#
# Both may leave out the size of the outermost index. A padded basis has one entry for each index,
# None for a size that is left out.


DELINEARIZE, LINEARIZE = "affine.delinearize_index", "affine.linearize_index"
#: A basis with an entry for each index.
Padded = list["int | SSAValue | None"]


def basis_of(op: affine.DelinearizeIndexOp | affine.LinearizeIndexOp) -> Mixed:
    """The sizes that the operation has."""
    values = iter(op.dynamic_basis)
    return [next(values) if n == DYNAMIC_INDEX else n for n in op.static_basis.get_values()]


def padded(basis: Mixed, indices: int) -> Padded:
    return [*([None] * (indices - len(basis))), *basis]


def _known(basis: Sequence[int | SSAValue | None]) -> Mixed:
    """The sizes of a padded basis; only the outermost may be left out."""
    return [size for size in basis if size is not None]


def delinearize(
    rw: Rewriter, index: SSAValue, basis: Sequence[int | SSAValue | None]
) -> list[SSAValue]:
    """The indices of `index` in a padded basis: one for each of its entries."""
    values, static = parts(_known(basis))
    kinds = [IndexType() for _ in basis]
    return list(rw.create(DELINEARIZE, [index, *values], kinds, {"static_basis": static}).results)


def linearize(
    rw: Rewriter,
    indices: Sequence[SSAValue],
    basis: Sequence[int | SSAValue | None],
    *,
    disjoint: bool,
) -> SSAValue:
    """The linear index of `indices` in a basis, padded or not."""
    values, static = parts(_known(basis))
    properties: dict[str, Attribute] = {"static_basis": static}
    if disjoint:
        properties["disjoint"] = UnitAttr()
    return rw.value(LINEARIZE, [list(indices), values], IndexType(), properties)


def is_disjoint(op: Operation) -> bool:
    return isinstance(op.properties.get("disjoint"), UnitAttr)


def linearized(value: SSAValue) -> affine.LinearizeIndexOp | None:
    """The operation that gives `value` as a linear index."""
    owner = cast("affine.LinearizeIndexOp", value.owner)
    return owner if getattr(owner, "name", None) == LINEARIZE else None


def delinearized(value: SSAValue) -> affine.DelinearizeIndexOp | None:
    """The operation of which `value` is an index."""
    owner = cast("affine.DelinearizeIndexOp", value.owner)
    return owner if getattr(owner, "name", None) == DELINEARIZE else None


def set_basis(op: Operation, first: Sequence[SSAValue], basis: Mixed) -> None:
    """Changes the basis in place; `first` are the operands before it."""
    values, static = parts(basis)
    op.operands = [*first, *values]
    op.properties["static_basis"] = static
    sizes = cast("DenseArrayBase[IntegerType] | None", op.properties.get("operandSegmentSizes"))
    if sizes is not None:
        new = [len(first), len(values)]
        op.properties["operandSegmentSizes"] = sizes.from_list(sizes.elt_type, new)


# -- Loads of constant globals.


def constant_loaded(op: affine.LoadOp) -> Attribute | None:
    """What an affine.load of a memref.get_global reads, if it is an element of a constant."""
    made = cast("Operation", op.memref.owner)
    found = lookup_symbol(made, cast("SymbolRefAttr", made.properties["name"]))
    if found is None or found.name != "memref.global":
        return None
    shared = cast("memref.GlobalOp", found)
    elements = shared.initial_value if shared.constant is not None else None
    if not is_dense(elements):
        return None
    kind = op.results[0].type
    size = element_size(kind)
    data: bytes = elements.data.data
    if len(data) and is_splat(data, size):
        return _scalar(kind, data[:size])
    exprs = op.map.data.results
    places = [expr.value for expr in exprs if isinstance(expr, AffineConstantExpr)]
    if len(places) != len(exprs):
        return None
    element = element_at(elements, places)
    return _scalar(kind, element) if element else None


def _scalar(kind: Attribute, data: bytes) -> Attribute | None:
    """A constant of an integer or floating point type."""
    if not isinstance(kind, IntegerType | IndexType | AnyFloat):
        return None
    (value,) = unpack(data, kind)
    return make(kind, value)


# -- The table of folds and what only it needs.


def _map(op: Operation, name: str = "map") -> AffineMap:
    attr = cast("AffineMapAttr", op.properties[name])
    return attr.data


def _index(value: int) -> Attribute:
    return IntegerAttr(value, IndexType())


def _apply(op: Operation, constants: Constants) -> Folded:
    affine_map = _map(op)
    expr = affine_map.results[0]
    if isinstance(expr, AffineDimExpr):
        return [op.operands[expr.position]]
    if isinstance(expr, AffineSymExpr):
        return [op.operands[affine_map.num_dims + expr.position]]
    (value,) = constant_results(affine_map, list(op.operands))
    return None if value is None else [_index(value)]


def partially_folded(affine_map: AffineMap, operands: Sequence[SSAValue]) -> AffineMap:
    """The map with constant operands put into its expressions; it keeps its operands."""
    numbers = [int_of(v) for v in operands]
    dims: list[AffineExpr] = [
        AffineConstantExpr(n) if n is not None else AffineDimExpr(i)
        for i, n in enumerate(numbers[: affine_map.num_dims])
    ]
    symbols: list[AffineExpr] = [
        AffineConstantExpr(n) if n is not None else AffineSymExpr(i)
        for i, n in enumerate(numbers[affine_map.num_dims :])
    ]
    results = tuple(
        folded if isinstance(folded := substitute(e, dims, symbols), AffineConstantExpr) else e
        for e in affine_map.results
    )
    return AffineMap(affine_map.num_dims, affine_map.num_symbols, results)


def _min_max(choose: Callable[[list[int]], int]) -> Folder:
    def fold(op: Operation, constants: Constants) -> Folded:
        affine_map = _map(op)
        values = constant_results(affine_map, list(op.operands))
        known = [v for v in values if v is not None]
        if len(known) == len(values):
            return [_index(choose(known))]
        new = partially_folded(affine_map, list(op.operands))
        if new == affine_map:
            return None
        op.properties["map"] = AffineMapAttr(new)
        return True

    return fold


def deduplicated(affine_map: AffineMap) -> AffineMap:
    """The map with each result once."""
    results = tuple(dict.fromkeys(affine_map.results))
    return AffineMap(affine_map.num_dims, affine_map.num_symbols, results)


def constant_trip_count(op: affine.ForOp) -> int | None:
    """How often an affine.for with constant bounds runs."""
    lower, upper = _map(op, "lowerBoundMap"), _map(op, "upperBoundMap")
    if len(lower.results) != 1 or len(upper.results) != 1:
        return None
    a, b = lower.results[0], upper.results[0]
    if not isinstance(a, AffineConstantExpr) or not isinstance(b, AffineConstantExpr):
        return None
    step = op.step.value.data
    return max(0, -(-(b.value - a.value) // step))


def set_bounds(
    op: affine.ForOp,
    lower: tuple[AffineMap, list[SSAValue]],
    upper: tuple[AffineMap, list[SSAValue]],
) -> None:
    """Changes the bounds of an affine.for in place."""
    inits = list(op.inits)
    op.properties["lowerBoundMap"] = AffineMapAttr(lower[0])
    op.properties["upperBoundMap"] = AffineMapAttr(upper[0])
    sizes = [len(lower[1]), len(upper[1]), len(inits)]
    op.operands = [*lower[1], *upper[1], *inits]
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def _bound(
    affine_map: AffineMap, operands: list[SSAValue], choose: Callable[[list[int]], int]
) -> tuple[AffineMap, list[SSAValue]]:
    """A loop's bound in canonical form: a constant if all of its results are."""
    values = constant_results(affine_map, operands)
    known = [v for v in values if v is not None]
    if len(known) == len(values):
        return AffineMap(0, 0, (AffineConstantExpr(choose(known)),)), []
    canonical, kept = fully_canonical(affine_map, operands)
    return deduplicated(needed_results(canonical, kept, largest=choose is max)), kept


def _for(op: affine.ForOp, constants: Constants) -> Folded:
    lower = _map(op, "lowerBoundMap"), list(op.lower_bound_operands)
    upper = _map(op, "upperBoundMap"), list(op.upper_bound_operands)
    new_lower, new_upper = _bound(*lower, max), _bound(*upper, min)
    changed = new_lower != lower or new_upper != upper
    if changed:
        set_bounds(op, new_lower, new_upper)
    if op.results and constant_trip_count(op) == 0:
        return list(op.inits)
    return changed or None


def _parallel(op: Operation, constants: Constants) -> Folded:
    lower, upper = _map(op, "lowerBoundsMap"), _map(op, "upperBoundsMap")
    count = lower.num_dims + lower.num_symbols
    operands = list(op.operands)
    new_lower = fully_canonical(partially_folded(lower, operands[:count]), operands[:count])
    new_upper = fully_canonical(partially_folded(upper, operands[count:]), operands[count:])
    if (new_lower, new_upper) == ((lower, operands[:count]), (upper, operands[count:])):
        return None
    op.properties["lowerBoundsMap"] = AffineMapAttr(new_lower[0])
    op.properties["upperBoundsMap"] = AffineMapAttr(new_upper[0])
    op.operands = [*new_lower[1], *new_upper[1]]
    return True


def _if(op: affine.IfOp, constants: Constants) -> Folded:
    attr = op.properties["condition"]
    shape, operands = canonicalize(*compose(attr.data, list(op.operands)))
    if shape == attr.data and operands == list(op.operands):
        return None
    op.properties["condition"] = AffineSetAttr(shape)
    op.operands = operands
    return True


def _constant_sizes(
    op: affine.DelinearizeIndexOp | affine.LinearizeIndexOp,
    first: Sequence[SSAValue],
    may_be: Callable[[int], bool],
) -> bool:
    """Sizes that are constants become numbers, where such a number may stand."""
    before = basis_of(op)
    basis = settle(before, may_be)
    if basis == before:
        return False
    set_basis(op, first, basis)
    return True


def _is_size(number: int) -> bool:
    return number > 0


def _is_number(number: int) -> bool:
    return number != DYNAMIC_INDEX


def _delinearize(op: affine.DelinearizeIndexOp, constants: Constants) -> Folded:
    if _constant_sizes(op, [op.linear_index], _is_size):
        return True
    if len(op.results) == 1:
        return [op.linear_index]
    basis = list(op.static_basis.get_values())
    value = int_of(op.operands[0])
    if op.dynamic_basis or value is None:
        return None
    has_outer = len(basis) == len(op.results)
    found: list[int] = []
    for size in reversed(basis[1:] if has_outer else basis):
        found.append(value % size)
        value //= size
    found.append(value)
    return [_index(v) for v in reversed(found)]


def _linearize(op: affine.LinearizeIndexOp, constants: Constants) -> Folded:
    if _constant_sizes(op, list(op.multi_index), _is_number):
        return True
    basis = list(op.static_basis.get_values())
    indices = [int_of(v) for v in op.multi_index]
    if not indices:
        return [_index(0)]
    if len(indices) == 1:
        return [op.multi_index[0]]
    if op.dynamic_basis or any(i is None for i in indices):
        return None
    inner = basis[1:] if len(basis) == len(indices) else basis
    stride, total = 1, 0
    for i, size in zip(reversed(indices), [*reversed(inner), 1], strict=True):
        total += (i or 0) * stride
        stride *= size
    return [_index(total)]


_fold_casts = fold_cast_operands("memref")


def _load(op: affine.LoadOp, constants: Constants) -> Folded:
    folded = _fold_casts(op, constants)
    if folded is not None or getattr(op.memref.owner, "name", None) != "memref.get_global":
        return folded

    loaded = constant_loaded(op)
    return None if loaded is None else [loaded]


FOLD: dict[str, Folder] = {
    "affine.apply": _apply,
    "affine.delinearize_index": _delinearize,
    "affine.for": _for,
    "affine.if": _if,
    "affine.linearize_index": _linearize,
    "affine.load": _load,
    "affine.max": _min_max(max),
    "affine.min": _min_max(min),
    "affine.parallel": _parallel,
    "affine.prefetch": fold_cast_operands("memref"),
    "affine.store": fold_cast_operands("memref"),
}
