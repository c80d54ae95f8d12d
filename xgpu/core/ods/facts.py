# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The facts that definitions and dialects state of operations: what `xgpu.core.ir.op_info` asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.op_info import traits_of
from xgpu.core.ods.registry import MET, OUTSIDE, attr_class, hooks, op_spec, optional_attr_class
from xgpu.core.ods.traits import stated_effects, trait_table

__all__ = ["attr_class", "look_up", "optional_attr_class"]

_NO_TRAITS: frozenset[str] = frozenset()
_NO_CONVERSIONS: Mapping[str, object] = {}


def _hook(name: str, module: str, table: str) -> Any:
    """What the dialect of the operation `name` has for it in the `table` of its `module`."""
    dialect, dot, _ = name.partition(".")
    return hooks(dialect, module, table).get(name) if dot else None


def _is_known(name: str) -> bool:
    return op_spec(name) is not None or name in OUTSIDE or name in MET


def _traits(name: str) -> frozenset[str]:
    spec = op_spec(name)
    if spec is not None:
        return frozenset(trait_table(spec))
    return _stated_outside(name, "traits", _NO_TRAITS)


def _stated_effects(name: str) -> object:
    spec = op_spec(name)
    return _stated_outside(name, "stated_effects", None) if spec is None else stated_effects(spec)


def _fold(name: str) -> object:
    if name == "builtin.unrealized_conversion_cast":
        return _fold_unrealized_cast
    return _hook(name, "fold", "FOLD") or _stated_outside(name, "fold", None)


def _fold_unrealized_cast(op: Operation, constants: object) -> list[SSAValue] | None:
    """A cast to the same types, or back to the types that another cast came from."""
    results = [r.type for r in op.results]
    operands = list(op.operands)
    if not operands or not results:
        return None
    if [v.type for v in operands] == results:
        return operands
    before = operands[0].owner
    if not isinstance(before, Operation) or before.name != op.name:
        return None
    if list(before.results) != operands or [v.type for v in before.operands] != results:
        return None
    return list(before.operands)


def _stated_outside(name: str, fact: str, otherwise: object) -> Any:
    """What the class of an operation that others define says in xDSL's terms."""
    cls = OUTSIDE.get(name) or MET.get(name)
    if cls is None:
        return otherwise
    from xgpu.core.ods import foreign_facts

    return getattr(foreign_facts, fact)(cls)


#: A trait whose operations, of any dialect, have patterns of the tensor dialect before their own.
_DESTINATIONS = "DestinationStyleOpInterface"


def _canonicalizations(name: str) -> Sequence[object]:
    own = _hook(name, "canonicalize", "PATTERNS") or _stated_outside(name, "canonicalizations", ())
    if name.startswith("tensor."):
        # What linalg and shape know of tensors that their operations give.
        for dialect in ("linalg", "shape"):
            own = (*own, *hooks(dialect, "canonicalize", "TENSOR_PATTERNS").get(name, ()))
    if _DESTINATIONS not in traits_of(name):
        return own
    return (*hooks("tensor", "casts", "DESTINATION_PATTERNS").get(_DESTINATIONS, ()), *own)


_LOOK_UPS: Mapping[str, Callable[[str], object]] = {
    # What is known of MLIR's operations is with the pass that asks.
    "bufferization": lambda name: None,
    "canonicalizations": _canonicalizations,
    # Those of our own conversions are in their passes.
    "conversions": lambda name: _NO_CONVERSIONS,
    "effects": lambda name: _hook(name, "ops", "EFFECTS"),
    "fold": _fold,
    "fold_uses": lambda name: _hook(name, "fold", "FOLD_USES"),
    "is_known": _is_known,
    "stated_effects": _stated_effects,
    "traits": _traits,
    "value_range": lambda name: None,
    "verify": lambda name: _hook(name, "verify", "VERIFY"),
}


def look_up(name: str, fact: str) -> object:
    """The `fact` of the operation `name`; None, empty or False if nothing states it."""
    return _LOOK_UPS[fact](name)
