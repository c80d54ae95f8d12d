# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Regions: the checks of traits (isolation, symbol tables, symbols), and terminators that a text
omits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr, UnknownLoc
from xdsl.ir import Block, Operation, Region
from xdsl.traits import IsolatedFromAbove, IsTerminator, SymbolTable

from xgpu.core.ir.construction import operands_of
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.ods.registry import create, op_class
from xgpu.core.ods.spec import ONE, OpSpec

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr, SSAValue


Check = Callable[["Operation"], None]


def check_isolated(op: Operation) -> None:
    regions = list(op.regions)
    inside = set(map(id, regions))
    while regions:
        region = regions.pop()
        for block in region.blocks:
            for child in block.ops:
                for operand in operands_of(child):
                    owner_region = _region_of(operand)
                    if id(owner_region) not in inside and not _within(owner_region, op):
                        raise op_error(
                            child,
                            "using value defined outside the region",
                            [(op.location, "required by region isolation constraints")],
                        )
                if child.regions and not _is_isolated(child):
                    regions.extend(child.regions)
                    inside.update(map(id, child.regions))


def _region_of(value: SSAValue) -> Region | None:
    owner = value.owner
    parent = getattr(owner, "parent", None)
    # An operation's parent is its block, a block's is its region.
    if isinstance(owner, Block):
        return parent
    return parent.parent if parent is not None else None


def _within(region: Region | None, op: Operation) -> bool:
    while region is not None:
        holder = region.parent
        if holder is op:
            return True
        region = None if holder is None else holder.parent_region()
    return False


def _is_isolated(op: Operation) -> bool:
    return op.has_trait(IsolatedFromAbove, value_if_unregistered=False)


def check_symbol_table(op: Operation) -> None:
    if len(op.regions) != 1:
        raise op_error(op, "Operations with a 'SymbolTable' must have exactly one region")
    region = op.regions[0]
    if region.first_block is None or region.first_block is not region.last_block:
        raise op_error(op, "Operations with a 'SymbolTable' must have exactly one block")
    seen: dict[str, Operation] = {}
    for child in region.first_block.ops:
        name = attribute_of(child, "sym_name")
        if not isinstance(name, StringAttr):
            continue
        first = seen.setdefault(name.data, child)
        if first is not child:
            raise error(
                child,
                f"redefinition of symbol named '{name.data}'",
                [(first.location, "see existing symbol definition here")],
            )


def check_visibility(op: Operation, visibility: StringAttr) -> None:
    """A symbol is visible everywhere, in its table, or to what nests around it."""
    if visibility.data not in ("public", "private", "nested"):
        raise op_error(
            op,
            'visibility expected to be one of ["public", "private", "nested"], '
            f"but got {shown(visibility)}",
        )


def symbol_checks(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    optional = any(a.name == "sym_name" and a.optional for a in spec.attrs)

    def check(op: Operation) -> None:
        name = attribute_of(op, "sym_name")
        if name is None and optional:
            return
        if not isinstance(name, StringAttr):
            raise op_error(op, "requires string attribute 'sym_name'")
        visibility = attribute_of(op, "sym_visibility")
        if visibility is not None:
            if not isinstance(visibility, StringAttr):
                raise op_error(
                    op,
                    "requires visibility attribute 'sym_visibility' to be a string attribute, "
                    f"but got {visibility}",
                )
            check_visibility(op, visibility)
        parent = op.parent_op()
        if parent is not None and not _holds_symbols(parent):
            raise op_error(op, "symbol's parent must have the SymbolTable trait")

    return (check,)


#: Functions whose declarations say that they are such (MLIR's `isDeclaration`).
_DECLARABLE = frozenset({"async.func", "func.func"})


def function_symbol_checks(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    """A function is a symbol; one without a body is not for others to see."""
    checks = symbol_checks(spec, uses)
    return (*checks, check_declaration) if spec.name in _DECLARABLE else checks


def check_declaration(op: Operation) -> None:
    """A declaration of a function cannot be public."""
    if op.regions[0].first_block is not None:
        return
    visibility = op.properties.get("sym_visibility")
    if visibility is None or cast("StringAttr", visibility).data == "public":
        raise op_error(op, "symbol declaration cannot have public visibility")


def _holds_symbols(op: Operation) -> bool:
    return op.has_trait(SymbolTable, value_if_unregistered=True)


# -- what the text of a region may leave out


#: The location of an implicit terminator, until the operation around it has its place, which is
#: the terminator's then: known by identity.
IMPLICIT = UnknownLoc()


def place_terminators(op: Operation) -> None:
    """Gives the terminators that were left out in the regions of `op` its place."""
    for region in op.regions:
        block = region.last_block
        last = None if block is None else block.last_op
        if last is not None and last.location is IMPLICIT:
            last.location = op.location


def ensure_terminator(region: Region, name: str, location: LocationAttr | None = None) -> None:
    """Ends the last block of `region` with the terminator `name`, unless it has one.

    An empty region gets a block. MLIR's `ensureTerminator` of SingleBlockImplicitTerminator.
    """
    if region.first_block is None:
        region.add_block(Block())
    block = region.last_block
    assert block is not None
    last = block.last_op
    # An unknown one is taken for none.
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        block.add_op(make_terminator(name, IMPLICIT if location is None else location))


def make_terminator(name: str, location: LocationAttr | None = None) -> Operation:
    """The terminator `name` as its default builder makes it: regions have an empty block."""
    regions = [Region(Block()) for field in op_class(name).spec.regions if field.quantity == ONE]
    return create(name, regions=regions, location=location)
