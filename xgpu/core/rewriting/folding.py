# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folding one operation: the dialect's `FOLD` hook, and the rules that follow from traits.

MLIR's `Operation::fold`: the results as values or constants; or the operation changed in place; or
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness, i1
from xdsl.ir import Attribute, Dialect, Operation, SSAValue

from xgpu.core.ir.constants import CONSTANT_KIND, constant_of, is_poison
from xgpu.core.ir.construction import operands_of
from xgpu.core.ir.op_info import derived, op_info
from xgpu.core.ods.registry import DIALECTS

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter


# -- MLIR's `materializeConstant` of each dialect: operations for constants


_OUTSIDE: dict[str, Callable[[Rewriter, Attribute, Attribute], SSAValue | None]] = {}


def register_materializer(
    dialect: str, make: Callable[[Rewriter, Attribute, Attribute], SSAValue | None]
) -> None:
    """States how constants of a dialect of another project are made: a function of a rewriter, the
    value and its type. Without one they are those of arith, and poison."""
    _OUTSIDE[dialect] = make


def materialize(rw: Rewriter, attr: Attribute, type_: Attribute, dialect: str) -> SSAValue | None:
    """Creates the operation for the constant `attr` that a fold of `dialect` gave, or None."""
    if is_poison(attr) and dialect != "llvm":
        return rw.value("ub.poison", (), type_, {"value": attr})
    if dialect in _OUTSIDE:
        return _OUTSIDE[dialect](rw, attr, type_)
    if dialect in DIALECTS:
        return _materialize_outside(rw, attr, type_, DIALECTS[dialect])
    if dialect == "index" and isinstance(attr, IntegerAttr):
        if type_ == i1:
            return rw.value("index.bool.constant", (), type_, {"value": attr})
        # The dialect has no constants of other integers.
        if not isinstance(type_, IndexType):
            return None
        return rw.value("index.constant", (), type_, {"value": attr})
    if dialect == "llvm":
        return _materialize_llvm(rw, attr, type_)
    if dialect == "shape":
        return _materialize_shape(rw, attr, type_)
    if dialect in ("complex", "tensor") and attr.name == "array":
        return rw.value("complex.constant", (), type_, {"value": attr})
    if attr.name == "symbol_ref" and dialect != "llvm":
        return rw.value("func.constant", (), type_, {"value": attr})
    return _materialize_arith(rw, attr, type_)


def _materialize_arith(rw: Rewriter, attr: Attribute, type_: Attribute) -> SSAValue | None:
    if getattr(attr, "type", None) != type_:
        return None
    if isinstance(type_, IntegerType) and type_.signedness.data is not Signedness.SIGNLESS:
        return None  # arith has no such constants
    return rw.value("arith.constant", (), type_, {"value": attr})


def _materialize_outside(
    rw: Rewriter, attr: Attribute, type_: Attribute, dialect: Dialect
) -> SSAValue | None:
    """As a dialect of another project says in xDSL's terms, else a constant of arith."""
    from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface

    from xgpu.core.syntax.interop import adopt_operation

    interface = dialect.get_interface(ConstantMaterializationInterface)
    if interface is None:
        return _materialize_arith(rw, attr, type_)
    made = interface.materialize_constant(attr, type_)
    if made is None:
        return None
    if rw.location is not None:
        made.location = rw.location
    rw.insert(made)
    adopt_operation(made)
    return made.results[0]


#: Constants of the shape dialect, and the property that has the value.
_OF_SHAPES = {
    "shape.shape": ("shape.const_shape", "shape"),
    "shape.size": ("shape.const_size", "value"),
    "shape.witness": ("shape.const_witness", "passing"),
    "tensor": ("shape.const_shape", "shape"),
}


def _materialize_shape(rw: Rewriter, attr: Attribute, type_: Attribute) -> SSAValue | None:
    """An extent tensor is a shape, of whichever dialect it is used; an index is arith's."""
    known = _OF_SHAPES.get(type_.name)
    if known is None:
        return _materialize_arith(rw, attr, type_)
    name, place = known
    return rw.value(name, (), type_, {place: attr})


def _materialize_llvm(rw: Rewriter, attr: Attribute, type_: Attribute) -> SSAValue | None:
    for name, kind in CONSTANT_KIND.items():
        if attr.name == kind:
            return rw.value(name, (), type_)
    if attr.name == "symbol_ref":
        return rw.value("llvm.mlir.addressof", (), type_, {"global_name": attr})
    if isinstance(attr, IntegerAttr) and not isinstance(type_, IntegerType | IndexType):
        return None
    return rw.value("llvm.mlir.constant", (), type_, {"value": attr})


class _Rules:
    """What `fold` asks of an operation's name."""

    __slots__ = ("any", "commutative", "folder", "idempotent", "involution", "unary", "uses")

    def __init__(self, name: str) -> None:
        info = op_info(name)
        traits = info.traits
        self.folder = info.fold
        self.commutative = "Commutative" in traits
        self.idempotent = "Idempotent" in traits
        self.involution = "Involution" in traits
        #: Whether a rule follows from traits besides the order of constants.
        self.unary = self.idempotent or self.involution
        self.uses = info.fold_uses
        self.any = (
            self.folder is not None or self.commutative or self.unary or self.uses is not None
        )


_RULES: dict[str, _Rules] = derived()


def fold(op: Operation) -> list[SSAValue | Attribute] | bool:
    """The replacements of the results of `op`; True if it was changed in place; False if it stays.

    A list is never empty.
    """
    rules = _RULES.get(op.name)
    if rules is None:
        rules = _RULES[op.name] = _Rules(op.name)
    if not rules.any:
        return False
    if rules.uses is not None and rules.uses(op):
        return True
    constants = [constant_of(v) for v in operands_of(op)]
    result = rules.folder(op, constants) if rules.folder is not None else None
    if result.__class__ is list and result and result != list(op.results):
        return result
    if result is True:  # its operands may be others now
        return True
    if rules.commutative and len(constants) > 1 and _constants_last(op, constants):
        return True
    if rules.unary:
        by_trait = _fold_unary(op, rules)
        if by_trait is not False:
            return by_trait
    return False


def folded(
    rw: Rewriter,
    name: str,
    operands: Sequence[SSAValue],
    result_type: Attribute,
    properties: Mapping[str, Attribute] | None = None,
) -> SSAValue:
    """The one result of an operation, or what it folds to: MLIR's `createOrFold`."""
    op = rw.create(name, operands, (result_type,), properties)
    results = fold(op)
    if isinstance(results, bool):
        return op.results[0]
    value = results[0]
    if not isinstance(value, SSAValue):
        made = materialize(rw, value, result_type, name.partition(".")[0])
        if made is None:
            return op.results[0]
        value = made
    rw.erase(op)
    return value


def _fold_unary(op: Operation, rules: _Rules) -> list[SSAValue | Attribute] | bool:
    """f(x, x) -> x, f(f(x)) -> f(x), or for an involution f(f(x)) -> x."""
    operands = op.operands
    if len(op.results) != 1:
        return False
    if rules.idempotent:
        if len(operands) == 2 and operands[0] is operands[1]:
            return [operands[0]]
        if len(operands) == 1 and _same_op(op, operands[0]):
            return [operands[0]]
    if rules.involution and len(operands) == 1 and _same_op(op, operands[0]):
        inner = cast("Operation", operands[0].owner)
        if inner.operands[0].type == op.results[0].type:
            return [inner.operands[0]]
    return False


def _same_op(op: Operation, value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == op.name


def _constants_last(op: Operation, constants: Sequence[Attribute | None]) -> bool:
    """Moves constant operands behind the others, keeping the order of each; whether it did."""
    seen = False
    for constant in constants:
        if constant is not None:
            seen = True
        elif seen:
            break
    else:
        return False
    operands = op.operands
    order = sorted(range(len(constants)), key=lambda i: constants[i] is not None)
    op.operands = [operands[i] for i in order]
    return True
