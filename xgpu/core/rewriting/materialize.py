# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations for constants: MLIR's `materializeConstant` of each dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness, i1
from xdsl.ir import Attribute, Dialect, SSAValue

from xgpu.core.ir.constants import CONSTANT_KIND, is_poison
from xgpu.core.ods.registry import DIALECTS

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter


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
