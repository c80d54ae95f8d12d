# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifier of IR structure, with MLIR's messages: blocks and terminators, successors,
dominance, isolation, symbol tables; and each operation's own checks.

The order is MLIR's: an operation's own checks, then what is in it, then what concerns its regions
as a whole; dominance last, and only for isolated operations, each of which is closed in itself. All
is linear in the number of operations and operands: positions in blocks are counted once, dominators
are computed only for regions of several blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, Region
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.construction import (
    first_operation,
    last_operation,
    next_block,
    next_operation,
    operands_of,
    successors_of,
)
from xgpu.core.ir.errors import (
    Diagnostic,
    DiagnosticError,
    error,
    op_error,
    public_part,
    require_operation,
)
from xgpu.core.ir.op_info import OpFacts, facts_of, known_facts, may_be_terminator
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.ods.region_traits import check_visibility
from xgpu.core.ods.registry import hooks
from xgpu.core.syntax.table_context import dialect_names, near_ops
from xgpu.core.syntax.verify_uses import UseVerifier


@public_part
def verify_module(op: Operation) -> None:
    """Verifies `op` and all that it contains. Raises `DiagnosticError`."""
    require_operation(op)
    verify_op(op)


def verify_op(op: Operation) -> None:
    """Verifies `op` and all that it contains. Raises `DiagnosticError`."""
    try:
        _verify_nested(op)
    except (DiagnosticError, RecursionError):
        raise
    except Exception:
        # A check of one operation may look at another, which it finds by its symbol or further
        # inside, before that one is known to be what its definition says: this is the mistake then.
        verify_definitions(op)
        raise
    facts = facts_of(op.__class__)
    if not facts.isolated and op.regions:
        UseVerifier(None).verify(op)


def verify_definitions(op: Operation) -> None:
    """That `op` and all that it contains have the operands, attributes and so on that their
    definitions ask for; nothing that one operation demands of another."""
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.ods.verifier import definition_checks

    for inner in op.walk():
        if isinstance(inner, OdsOperation):
            for check in definition_checks(type(inner)):
                check(inner)
        elif inner.name.startswith("builtin."):
            check = facts_of(inner.__class__).check
            if check is not None:
                check(inner)


def _verify_nested(op: Operation) -> None:
    """Verifies an operation and its regions; dominance of those in it that are isolated."""
    facts = facts_of(op.__class__)
    _verify_one(op, facts)
    regions = op.regions
    if not regions:
        _verify_region_facts(op, facts)
        return
    for index, region in enumerate(regions):
        first = region.blocks.first
        if first is None:
            continue
        if first.first_use is not None:
            raise DiagnosticError(
                Diagnostic("error", "entry block of region may not have predecessors", op.location)
            )
        if facts.graph and next_block(first) is not None and not facts.unregistered:
            kind = "" if op.name == "builtin.module" else "graph "
            raise op_error(op, f"expects {kind}region #{index} to have 0 or 1 blocks")
        block: Block | None = first
        while block is not None:
            _verify_block(op, block, facts)
            block = next_block(block)
    _verify_region_facts(op, facts)
    if facts.symbol_table:
        _verify_symbol_table(op)
    if facts.isolated:
        try:
            UseVerifier(op).verify(op)
        except DiagnosticError:
            # A use of a value from outside is first of all that.
            _verify_isolation(op)
            raise


def _verify_region_facts(op: Operation, facts: OpFacts) -> None:
    """What an operation's definition says of its regions, once what is in them holds."""
    if facts.unregistered:
        return
    from xgpu.core.ods.verifier import own_region_checks

    for check in own_region_checks(op.__class__):
        check(op)  # pyright: ignore[reportArgumentType]


def _verify_block(parent: Operation, block: Block, facts: OpFacts) -> None:
    op = first_operation(block)
    failures: list[Diagnostic] = []
    while op is not None:
        following = next_operation(op)
        if successors_of(op) and following is not None:
            raise DiagnosticError(
                Diagnostic(
                    "error",
                    "operation with block successors must terminate its parent block",
                    op.location,
                    op=op,
                )
            )
        inner = known_facts.get(op.__class__)
        if inner is None:
            inner = facts_of(op.__class__)
        if inner.terminator and following is not None:
            # What its other traits say comes first where MLIR lists them first.
            op.verify_()
            raise op_error(op, "must be the last operation in the parent block")
        if op.regions:
            if inner.isolated:
                # What is isolated is verified for itself: an error in it does not hide others'.
                try:
                    _verify_nested(op)
                except DiagnosticError as exception:
                    failures.extend(exception.diagnostics)
            else:
                _verify_nested(op)
        else:
            _verify_one(op, inner)
        op = following
    if failures:
        raise DiagnosticError(*failures)
    if facts.no_terminator or facts.unregistered:
        return
    region = block.parent
    assert region is not None
    last = last_operation(block)
    if last is None:
        raise DiagnosticError(
            Diagnostic("error", "empty block: expect at least a terminator", parent.location)
        )
    if not may_be_terminator(last):
        from xgpu.core.syntax.printer import print_op

        text = print_op(last, generic=True, local_scope=True)
        raise DiagnosticError(
            Diagnostic("error", f"block with no terminator, has {text}", last.location, op=last)
        )
    for successor in successors_of(last):
        if successor.parent is not region:
            raise DiagnosticError(
                Diagnostic(
                    "error", "branching to block of a different region", last.location, op=last
                )
            )


#: Dialects that may have operations that no table knows.
_OPEN_DIALECTS = ("llvm", "nvvm", "rocdl", "shape")

_ATTRIBUTE_VERIFIERS: dict[str, Callable[..., None] | None] = {}


def _attribute_verifier(name: str) -> Callable[..., None] | None:
    """What an attribute's dialect demands of the operation that carries it, or None
    (MLIR's `verifyOperationAttribute`)."""
    if name not in _ATTRIBUTE_VERIFIERS:
        dialect = name.partition(".")[0]
        known = "." in name and dialect in dialect_names()
        table = hooks(dialect, "verify", "VERIFY_ATTRIBUTES") if known else {}
        _ATTRIBUTE_VERIFIERS[name] = table.get(name, table.get("*"))
    return _ATTRIBUTE_VERIFIERS[name]


def _verify_one(op: Operation, facts: OpFacts) -> None:
    """The checks of the operation itself; first those of its discardable attributes."""
    if op.attributes:
        for name, value in op.attributes.items():
            verify = _attribute_verifier(name)
            if verify is not None:
                verify(op, name, value)
    if facts.unregistered:
        dialect = op.name.partition(".")[0]
        known = "." in op.name and dialect in dialect_names()
        if known and dialect not in _OPEN_DIALECTS:
            raise error(
                op,
                f"unregistered operation '{op.name}' found in dialect ('{dialect}') that does not "
                "allow unknown operations",
                hint=near_ops(op.name),
            )
        return
    if op.name == "builtin.module":
        _verify_module(op)
    if "arg_attrs" in op.properties:
        _verify_argument_attributes(op)
    check = facts.check
    if check is None:
        return
    try:
        check(op)
    except DiagnosticError:
        raise
    except VerifyException as exception:  # xDSL's own
        raise op_error(op, str(exception).split("\n")[0]) from exception


def _verify_module(op: Operation) -> None:
    """A module may be a symbol. Its class is xDSL's, which does not look."""
    # Not `or`: an integer attribute of zero is false.
    given = {**op.attributes, **op.properties}
    name, visibility = given.get("sym_name"), given.get("sym_visibility")
    for key, value in (("sym_name", name), ("sym_visibility", visibility)):
        if value is not None and not isinstance(value, StringAttr):
            raise op_error(op, f"attribute '{key}' failed to satisfy constraint: string attribute")
    if name is not None and visibility is not None:
        check_visibility(op, cast("StringAttr", visibility))


def _verify_argument_attributes(op: Operation) -> None:
    """What dialects say of the attributes of a function's arguments
    (VERIFY_ARGUMENT_ATTRIBUTES: name, or "*" for others, to fn(op, name, value, all of the
    argument's))."""
    for dictionary in getattr(op.properties["arg_attrs"], "data", ()):
        attributes = getattr(dictionary, "data", {})
        for name, value in attributes.items():
            dialect = name.partition(".")[0]
            if "." in name and dialect in dialect_names():
                table = hooks(dialect, "verify", "VERIFY_ARGUMENT_ATTRIBUTES")
                check = table.get(name, table.get("*"))
                if check is not None:
                    check(op, name, value, attributes)


# --- isolation -----------------------------------------------------------------------------


def _verify_isolation(op: Operation) -> None:
    """No operation in the regions of an isolated operation uses a value from outside."""
    inside: set[int] = set()
    pending: list[Region] = list(op.regions)
    while pending:
        region = pending.pop()
        inside.add(id(region))
        block = region.blocks.first
        while block is not None:
            nested = first_operation(block)
            while nested is not None:
                for operand in operands_of(nested):
                    owner = operand.owner
                    home = owner.parent if isinstance(owner, Block) else owner.parent_region()
                    if id(home) not in inside and not _is_inside(home, op):
                        raise op_error(
                            nested,
                            "using value defined outside the region",
                            [(op.location, "required by region isolation constraints")],
                        )
                # What is isolated itself was checked for itself.
                if nested.regions and not facts_of(nested.__class__).isolated:
                    pending.extend(nested.regions)
                nested = next_operation(nested)
            block = next_block(block)


def _is_inside(region: Region | None, op: Operation) -> bool:
    while region is not None:
        parent = region.parent
        if parent is op:
            return True
        region = parent.parent_region() if parent is not None else None
    return False


# --- symbols -------------------------------------------------------------------------------


def _verify_symbol_table(op: Operation) -> None:
    if len(op.regions) != 1:
        raise op_error(op, "Operations with a 'SymbolTable' must have exactly one region")
    region = op.regions[0]
    first = region.blocks.first
    if first is None or next_block(first) is not None:
        raise op_error(op, "Operations with a 'SymbolTable' must have exactly one block")
    seen: dict[str, Operation] = {}
    nested = first_operation(first)
    while nested is not None:
        name = symbol_name(nested)
        if name is not None:
            other = seen.setdefault(name, nested)
            if other is not nested:
                raise error(
                    nested,
                    f"redefinition of symbol named '{name}'",
                    [(other.location, "see existing symbol definition here")],
                )
        nested = next_operation(nested)
