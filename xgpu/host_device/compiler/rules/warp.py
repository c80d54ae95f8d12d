# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collective operations of a warp whose threads run by themselves.

Each lane leaves its operand in its record and waits; the last one computes for all
(`host_device/native/sources/warp.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.structs import WARP_OPERATIONS
from xgpu.host_device.compiler.types import I1, I32, I64, bits

if TYPE_CHECKING:
    from xdsl.ir import Attribute


def collective(
    b: Code,
    operation: str,
    mask: SSAValue,
    value: SSAValue | None = None,
    first: SSAValue | None = None,
    second: SSAValue | None = None,
) -> None:
    """Waits until the lanes of `mask` have come here. `value` is an i64, the others are i32."""
    zero = b.integer(0)
    b.wait(
        "warp", b.integer(WARP_OPERATIONS[operation]), mask,
        b.integer(0, I64) if value is None else value,
        zero if first is None else first, zero if second is None else second,
    )  # fmt: skip


def widen(b: Code, value: SSAValue) -> SSAValue:
    """An integer or float in the low bits of an i64."""
    ty: Attribute = value.type
    if ty.name != "integer_type":
        value = b.cast("bitcast", value, I32 if bits(ty) == 32 else I64)
    return b.cast("zext", value, I64)


def _result(b: Code, ty: Attribute, field: str = "result") -> SSAValue:
    """What a collective left in the thread's record, as `ty`."""
    stored = I32 if field == "predicate" else I64
    raw = b.field(stored, b.thread, "Thread", field)
    if ty == I1:
        return b.icmp("ne", raw, 0)
    if ty.name == "integer_type":
        return b.cast("trunc", raw, ty)
    return b.cast("bitcast", b.cast("trunc", raw, I32) if bits(ty) == 32 else raw, ty)


def results(call: Call, b: Code) -> Values:
    """A collective's result: the value, or a pair of the value and the predicate."""
    if call.type is None:
        return []
    if call.type.name != "llvm.struct":
        return [_result(b, call.type)]
    value = _result(b, call.type.body[0])
    return [b.pack(call.type, (value, _result(b, I1, "predicate")))]


@intrinsic(r"shfl\.sync\.(up|down|bfly|idx)\.(i32|f32)p?")
def shuffle(call: Call, b: Code) -> Values:
    mask, value, first, second = call.arguments
    collective(b, f"SHFL_{call.words[2].upper()}", mask, widen(b, value), first, second)
    return results(call, b)


@intrinsic(r"vote\.(all|any|uni|ballot|eq)\.sync")
def vote(call: Call, b: Code) -> Values:
    mask, predicate = call.arguments
    kind = {"eq": "UNI"}.get(call.words[1], call.words[1].upper())
    collective(b, f"VOTE_{kind}", mask, widen(b, predicate))
    return results(call, b)


@intrinsic(r"match\.(any|all)\.sync\.i(32|64)p?")
def match(call: Call, b: Code) -> Values:
    mask, value = call.arguments
    collective(b, f"MATCH_{call.words[1].upper()}", mask, widen(b, value))
    return results(call, b)


@intrinsic(r"redux\.sync\.\w+(\.abs)?(\.NaN)?")
def redux(call: Call, b: Code) -> Values:
    value, mask = call.arguments
    kind = call.words[2].upper()
    for word, suffix in (("abs", "_ABS"), ("NaN", "_NAN")):
        kind += suffix if word in call.words else ""
    collective(b, f"REDUX_{kind}", mask, widen(b, value))
    return results(call, b)


@intrinsic(r"elect\.sync")
def elect(call: Call, b: Code) -> Values:
    mask = call.arguments[0] if call.arguments else b.integer(-1)
    collective(b, "ELECT", mask)
    return results(call, b)


@intrinsic(r"bar\.warp\.sync")
def warp_barrier(call: Call, b: Code) -> Values:
    collective(b, "WARP_SYNC", call.arguments[0])
    return []


@intrinsic(r"activemask")
def active_mask(call: Call, b: Code) -> Values:
    return [b.native("active_mask", I32)]
