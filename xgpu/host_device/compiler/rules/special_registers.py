# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special registers on the host (PTX ISA, special registers)."""

from __future__ import annotations

from xdsl.ir import SSAValue

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.rules.registers import FIELDS
from xgpu.host_device.compiler.types import I64

_FIXED = {"warpsize": 32, "smid": 0, "nsmid": 1, "gridid": 0}
_CLOCKS = ("clock", "clock.hi", "clock64", "globaltimer", "globaltimer.lo", "globaltimer.hi")


def lane(b: Code) -> SSAValue:
    """The number of the thread in its warp."""
    return b.binary("and", b.register("linear"), 31)


@intrinsic(r"read\.ptx\.sreg\..*")
def register(call: Call, b: Code) -> Values:
    name = call.name[len("read.ptx.sreg.") :].replace("_smem_size", ".smem.size")
    if name in _FIXED or name.startswith("envreg") or name.endswith(".w"):
        return [b.integer(_FIXED.get(name, 0), call.type)]
    if name in _CLOCKS:
        return [_clock(call, name, b)]
    if name.startswith("lanemask."):
        return [_lane_mask(name[len("lanemask.") :], b)]
    found = _computed(name, b)
    if found is None and name in FIELDS:
        found = b.register(name)
    if found is None:
        b.refuse(f"special register '{name}' has no meaning on the host device")
    return [found]


def _computed(name: str, b: Code) -> SSAValue | None:
    if name == "laneid":
        return lane(b)
    if name == "warpid":
        return b.binary("lshr", b.register("linear"), 5)
    if name == "nwarpid":
        return b.binary("lshr", b.binary("add", b.register("count"), 31), 5)
    if name in ("total.smem.size", "aggr.smem.size"):
        return b.binary("add", b.register("dynamic.smem.size"), b.state.module.static_bytes)
    if name == "is_explicit_cluster":
        return b.icmp("ugt", b.register("cluster.nctarank"), 1)
    return None


def _lane_mask(kind: str, b: Code) -> SSAValue:
    here = lane(b)
    own = b.binary("shl", 1, here)
    if kind == "eq":
        return own
    if kind in ("lt", "ge"):
        below = b.binary("sub", own, 1)
        return below if kind == "lt" else b.binary("xor", below, -1)
    up_to = b.binary("sub", b.binary("shl", 2, here), 1)
    return up_to if kind == "le" else b.binary("xor", up_to, -1)


def _clock(call: Call, name: str, b: Code) -> SSAValue:
    from xdsl.dialects.builtin import StringAttr

    from xgpu.host_device.compiler.code import call_properties

    properties = call_properties("", ())
    properties.pop("callee")
    properties["intrin"] = StringAttr("llvm.readcyclecounter")
    ticks = b.value("llvm.call_intrinsic", ((), ()), I64, properties)
    if call.type == I64:
        return ticks
    if name.endswith(".hi"):
        ticks = b.binary("lshr", ticks, 32)
    return b.cast("trunc", ticks, call.type)
