# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An operation's definition as xDSL's `OpDef`, for tools that ask `get_irdl_definition`.

Names are Python's, as xDSL has them; constraints ask ours. What the definition cannot hold, traits
that tie types to one another, is checked by `op.verify()` all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import xdsl.irdl as x
from xdsl.ir import Attribute
from xdsl.irdl import AnyAttr, AttrConstraint
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ods.operation import OdsOperation, accessor_name, default_properties
from xgpu.core.ods.spec import ONE, OPTIONAL, Field

if TYPE_CHECKING:
    from xgpu.core.ods.constraints import Constraint


@dataclass(frozen=True)
class OdsConstraint(AttrConstraint[Attribute]):
    """A constraint of ours in xDSL's terms."""

    constraint: Constraint

    def verify(self, attr: Attribute, constraint_context: object) -> None:
        if not self.constraint.check(attr):
            raise VerifyException(f"{attr} must be {self.constraint.summary}")

    def can_infer(self, var_constraint_names: object) -> bool:
        return self.constraint.is_buildable

    def infer(self, context: object) -> Attribute:
        found = self.constraint.buildable()
        if found is None:
            raise ValueError(f"several types are {self.constraint.summary}")
        return found

    def mapping_type_vars(self, type_var_mapping: Mapping[Any, object]) -> OdsConstraint:
        return self


def _constraint(constraint: Constraint) -> AttrConstraint:
    return AnyAttr() if constraint.expression == "True" else OdsConstraint(constraint)


def irdl_definition(cls: type[OdsOperation]) -> x.OpDef:
    """The definition of an operation as xDSL has it."""
    spec = cls.spec
    found = x.OpDef(spec.name)
    for fields, kinds, target in (
        (spec.operands, (x.OperandDef, x.OptOperandDef, x.VarOperandDef), found.operands),
        (spec.results, (x.ResultDef, x.OptResultDef, x.VarResultDef), found.results),
    ):
        for index, field in enumerate(fields):
            kind = _of_quantity(field, kinds)
            target.append((_name(field, index), kind(_constraint(field.constraint))))
    regions = (x.RegionDef, x.OptRegionDef, x.VarRegionDef)
    for index, field in enumerate(spec.regions):
        found.regions.append((_name(field, index), _of_quantity(field, regions)()))
    successors = (x.SuccessorDef, x.OptSuccessorDef, x.VarSuccessorDef)
    for index, field in enumerate(spec.successors):
        found.successors.append((_name(field, index), _of_quantity(field, successors)()))
    _add_properties(cls, found)
    if cls.segmented_operands:
        found.options.append(x.AttrSizedOperandSegments(as_property=True))
    if cls.segmented_results:
        found.options.append(x.AttrSizedResultSegments(as_property=True))
    found.traits = cls.traits
    return found


def _add_properties(cls: type[OdsOperation], found: x.OpDef) -> None:
    defaults = cls._defaults if cls._defaults is not None else default_properties(cls)
    for attr in cls.spec.attrs:
        default = defaults.get(attr.name)
        # Absent is what one with a default may be, too.
        kind = x.OptPropertyDef if attr.optional or default is not None else x.PropertyDef
        found.properties[attr.name] = kind(_constraint(attr.constraint), default)
        found.accessor_names[accessor_name(attr.name)] = (attr.name, "property")


def _of_quantity(field: Field, kinds: tuple[object, object, object]) -> Any:
    one, optional, several = kinds
    return {ONE: one, OPTIONAL: optional}.get(field.quantity, several)


def _name(field: Field, index: int) -> str:
    return accessor_name(field.name) if field.name else f"_{index}"
