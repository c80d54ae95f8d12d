# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-to-llvm`: every dialect that has a conversion to llvm, in one conversion; and
`reconcile-unrealized-casts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core.ir.construction import nested_operations
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context


# --- convert to llvm -----------------------------------------------------------------------------
# `convert-to-llvm`: every dialect that has a conversion to llvm, in one conversion.


class ConvertToLLVMPass(Pass):
    """Lowers whatever can be lowered to the llvm dialect."""

    name = "convert-to-llvm"
    summary = "Convert to LLVM via dialect interfaces found in the input IR"
    options = (
        Option("filter-dialects", list, (), "Convert operations of these dialects only"),
        Option("dynamic", bool, False, "Take the data layout that the IR gives"),
        Option("allow-pattern-rollback", bool, True, "Accepted; nothing is ever rolled back"),
    )

    filter_dialects: tuple[str, ...]
    dynamic: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.gpu.gpu_to_nvvm import (
            device_rules,
            is_illegal_on_device,
            prepare_types,
        )
        from xgpu.conversion.llvm_types import LLVMTypeConverter, index_width
        from xgpu.conversion.to_llvm import dialect_rules
        from xgpu.core.rewriting.driver import convert

        types = LLVMTypeConverter(index_width(op) if self.dynamic else 64)
        if not (self.dynamic and _is_for_nvvm(op)):
            convert(op, dialect_rules(op, self.filter_dialects), types, known=("llvm",))
            return
        prepare_types(types)
        rules = dialect_rules(op, self.filter_dialects, without=("math",))
        rules.update(device_rules())
        convert(op, rules, types, illegal=is_illegal_on_device, known=("llvm",))


def _is_for_nvvm(op: Operation) -> bool:
    """Whether `op` is a gpu.module whose targets bring the conversion to nvvm."""
    targets = op.properties.get("targets") if op.name == "gpu.module" else None
    return any(target.name == "nvvm.target" for target in getattr(targets, "data", ()))


# --- reconcile unrealized casts ------------------------------------------------------------------
# `reconcile-unrealized-casts`: casts that undo each other go, and casts that nothing uses.
#
# Casts may take and give several values. A cast gives way to the inputs of the nearest cast up its
# chain whose input types are its result types. What is left then, with users that are no casts,
# stays: an llvm translation will complain about it.


CAST = "builtin.unrealized_conversion_cast"


def _input_cast(cast: Operation) -> Operation | None:
    """The cast whose results, all of them and in order, are the operands of `cast`."""
    operands = cast.operands
    if not operands:
        return None
    owner = operands[0].owner
    if getattr(owner, "name", None) != CAST or len(owner.results) != len(operands):  # pyright: ignore
        return None
    if all(a is b for a, b in zip(owner.results, operands, strict=True)):  # pyright: ignore
        return owner  # pyright: ignore[reportReturnType]
    return None


def _bypass(cast: Operation) -> None:
    """Lets the users of `cast` use a value from before it that has their type."""
    types = [r.type for r in cast.results]
    seen = {id(cast)}
    source: Operation | None = cast
    while source is not None:
        if [v.type for v in source.operands] == types:
            if any(v.owner is cast for v in source.operands):
                return
            for old, new in zip(cast.results, tuple(source.operands), strict=True):
                old.replace_all_uses_with(new)
            return
        source = _input_cast(source)
        if source is not None and id(source) in seen:
            return
        seen.add(id(source))


def reconcile(root: Operation) -> None:
    """Reconciles the casts in `root`."""
    casts = [op for op in nested_operations(root) if op.name == CAST]
    if not casts:
        return
    for cast in reversed(casts):
        _bypass(cast)
    # Alive: used, possibly through other casts, by something that is no cast.
    alive: set[int] = set()
    pending: list[Operation] = []
    for cast in casts:
        if any(use.operation.name != CAST for r in cast.results for use in r.uses):
            alive.add(id(cast))
            pending.append(cast)
    while pending:
        for value in pending.pop().operands:
            owner = value.owner
            if getattr(owner, "name", None) == CAST and id(owner) not in alive:
                alive.add(id(owner))
                pending.append(owner)  # pyright: ignore[reportArgumentType]
    dead = [cast for cast in casts if id(cast) not in alive]
    for cast in dead:
        cast.detach()
        cast.drop_all_references()
    for cast in dead:
        cast.erase(drop_references=False)


class ReconcileUnrealizedCastsPass(Pass):
    name = "reconcile-unrealized-casts"
    summary = "Simplify and eliminate unrealized conversion casts"

    def run(self, op: Operation, ctx: Context) -> None:
        reconcile(op)
