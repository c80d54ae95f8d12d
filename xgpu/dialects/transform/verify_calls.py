# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of transform operations of other dialects' extensions. Messages are MLIR's."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr
    from xdsl.ir import Operation

    from xgpu.dialects import transform

#: Dialects whose operations `convert-to-llvm` converts.
_CONVERTIBLE = frozenset(
    ("arith", "cf", "complex", "func", "index", "math", "memref", "nvvm", "ub", "vector")
)


def verify_simplify(op: transform.AffineSimplifyBoundedAffineOpsOp) -> None:
    """Each value has two bounds."""
    count = len(op.bounded_values)
    for name, bounds in (("lower", op.lower_bounds), ("upper", op.upper_bounds)):
        if len(bounds) != count:
            raise op_error(
                op,
                f"incorrect number of {name} bounds, expected {count} but found {len(bounds)}",
            )


def verify_dialect_to_llvm(op: Operation) -> None:
    from xgpu.core.syntax.table_context import dialect_names

    name = cast("StringAttr", op.properties["dialect_name"]).data
    if name in _CONVERTIBLE:
        return
    if name not in dialect_names():
        raise op_error(op, f"unknown dialect or dialect not loaded: {name}")
    raise op_error(
        op,
        "dialect does not implement ConvertToLLVMPatternInterface or extension was not loaded: "
        f"{name}",
    )


def verify_cast_and_call(op: transform.FuncCastAndCallOp) -> None:
    """The function has a name or a handle; in the body there are casts."""
    if op.function is None and op.function_name is None:
        raise op_error(op, "expected a function handle or name to call")
    if op.function is not None and op.function_name is not None:
        raise op_error(op, "function handle and name are mutually exclusive")
    body = op.conversions.blocks.first
    for child in body.ops if body is not None else ():
        if "TypeConverterBuilderOpInterface" not in traits_of(child.name):
            raise op_error(
                op,
                "expected children ops to implement TypeConverterBuilderOpInterface",
                [(child.location, "op without interface")],
            )


def verify_tile_using_forall(op: transform.StructuredTileUsingForallOp) -> None:
    """Threads or sizes of tiles, each as a list or as one handle."""
    given = 0
    for name in ("num_threads", "tile_sizes"):
        listed = op.properties.get(f"static_{name}")
        is_listed = listed is not None and len(cast("DenseArrayBase[IntegerType]", listed)) > 0
        is_packed = op.packed_num_threads if name == "num_threads" else op.packed_tile_sizes
        if is_listed and is_packed is not None:
            raise op_error(op, f"{name} and packed_{name} are mutually exclusive")
        given += is_listed or is_packed is not None
    if not given:
        raise op_error(op, "either (packed_)num_threads or (packed_)tile_sizes must be specified")


CALL_VERIFY = {
    "transform.affine.simplify_bounded_affine_ops": verify_simplify,
    "transform.apply_conversion_patterns.dialect_to_llvm": verify_dialect_to_llvm,
    "transform.func.cast_and_call": verify_cast_and_call,
    "transform.structured.tile_using_forall": verify_tile_using_forall,
}
