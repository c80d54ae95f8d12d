# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bufferization knows of MLIR's operations: a file for each dialect, with a table `MODELS`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from xgpu.core.ir.op_info import op_info

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.transforms.bufferization.one_shot.model import Model

_DIALECTS = frozenset(("arith", "bufferization", "cf", "func", "linalg", "scf", "tensor", "vector"))
_tables: dict[str, Mapping[str, Model]] = {}


def model_of(op: Operation) -> Model | None:
    """The model of `op`: what was registered for it, or what is known of MLIR's operations."""
    registered = op_info(op.name).bufferization
    if registered is not None:
        return registered
    dialect = op.name.partition(".")[0]
    if dialect not in _DIALECTS:
        return None
    table = _tables.get(dialect)
    if table is None:
        table = _tables[dialect] = import_module(f"{__name__}.{dialect}").MODELS
    return table.get(op.name)
