# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of NVVM's intrinsics as the operations of the nvvm dialect that are executed as vectors.

    llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%m, %v, %d, %c)   ->  nvvm.shfl.sync bfly ..
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%zero)  ->  nvvm.barrier0
    llvm.call_intrinsic "llvm.nvvm.atomic.add.gen.i.cta.i32.p0"(%p, %v)
        ->  llvm.atomicrmw add %p, %v syncscope("block") monotonic

Modules that come as LLVM IR have such calls: the import keeps them, as MLIR's does. What is not in
this table stays, and becomes arithmetic or a call of the runtime by its rule (`lane_calls`).

`compute_as_ptx` gives conversions and shifts the results that a GPU has.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core import ods
from xgpu.core.ir.constants import int_of, width_of
from xgpu.core.ir.construction import erase_operation, nested_operations
from xgpu.dialects.arith.builders import like
from xgpu.dialects.llvm.builders import LLVMBuilder, icmp
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.frontend.ptx.convert import splat, to_integer
from xgpu.host_device.abi.structs import TEXTURE_CUBE, TEXTURE_LAYERED
from xgpu.host_device.compiler.code import call_properties
from xgpu.host_device.compiler.types import integer_constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue


# -- Directed rounding: which of libdevice's functions does it, and conversions to narrower floats
# in operations that vectors have too.


#: libdevice's modes by PTX's.
DIRECTIONS = {"rz": "rz", "rm": "rd", "rp": "ru"}


def directed_name(words: Sequence[str]) -> str | None:
    """libdevice's function, without `__nv_`, for an instruction with directed rounding whose words
    are such as add, rz, f; None for another one."""
    mode = next((DIRECTIONS[word] for word in words if word in DIRECTIONS), None)
    if mode is None or words[-1] not in ("f", "d"):
        return None
    name = words[0]
    if name == "fma":
        return f"fmaf_{mode}" if words[-1] == "f" else f"fma_{mode}"
    return f"{words[-1]}{name}_{mode}"


def has_rounded_sum(words: Sequence[str]) -> bool:
    """Whether the exact result of an instruction is a sum of two doubles: sums and products of
    singles, with directed rounding."""
    return (
        words[0] in ("add", "mul", "fma")
        and words[-1] == "f"
        and not DIRECTIONS.keys().isdisjoint(words)
    )


#: libdevice's words for types of conversions.
_SOURCES = {"i2f": "int2float", "ui2f": "uint2float", "ll2f": "ll2float", "ull2f": "ull2float",
            "ll2d": "ll2double", "ull2d": "ull2double"}  # fmt: skip


def directed_conversion(words: Sequence[str]) -> str | None:
    """Likewise for an integer that becomes a float: i2f, rz."""
    mode = DIRECTIONS.get(words[1]) if len(words) == 2 else None
    return None if mode is None or words[0] not in _SOURCES else f"{_SOURCES[words[0]]}_{mode}"


def mode_of(words: list[str]) -> str:
    """The rounding mode among the words of an instruction; to the nearest where there is none."""
    return next((word for word in words if word in ("rn", "rz", "rm", "rp")), "rn")


_NAME = "llvm.nvvm."

#: An operation's name and properties; None where it does something else.
_Raised = tuple[str, dict[str, Attribute]] | None


def raise_intrinsics(function: Operation, *, textures: bool = True) -> None:
    """Changes a function in place; reads of textures stay if `textures` is false."""
    for op in nested_operations(function):
        name = intrinsic_name(op)
        if name is not None and not textures and name.startswith(OF_TEXTURES):
            continue
        found = _raised(op, name) if name is not None else None
        if found is not None:
            _replace(op, *found)


def raise_atomics(function: Operation) -> None:
    """Changes the atomic intrinsics of a function alone: what they become has a form in all code,
    and they have no rule."""
    for op in nested_operations(function):
        name = intrinsic_name(op)
        if name is not None and name.startswith("atomic."):
            found = _raised(op, name)
            if found is not None:
                _replace(op, *found)


def compute_as_ptx(function: Operation) -> None:
    """Gives conversions and shifts of a function the results that they have in PTX where LLVM
    leaves them open: programs for GPUs rely on them, and the host's processor has others."""
    for op in nested_operations(function):
        if op.name in _TO_INTEGER:
            _convert_as_ptx(op)
        elif op.name in _SHIFTS:
            _shift_as_ptx(op)


_TO_INTEGER = frozenset(("llvm.fptosi", "llvm.fptoui"))
_SHIFTS = frozenset(("llvm.shl", "llvm.lshr", "llvm.ashr"))


def _convert_as_ptx(op: Operation) -> None:
    """cvt.rzi saturates. An integer of another size than 16, 32 and 64 bits is a part of the next
    larger one."""
    ty = op.results[0].type
    width = width_of(ty)
    larger = next((size for size in (16, 32, 64) if width <= size), None)
    if width == 1 or larger is None:
        return
    b = LLVMBuilder(op, location=op.location)
    found = to_integer(b, op.operands[0], like(ty, IntegerType(larger)), op.name == "llvm.fptosi")
    _give(op, b.cast("trunc", found, ty))


def _shift_as_ptx(op: Operation) -> None:
    """shl and shr by the width or more leave nothing but the sign."""
    value, by = op.operands
    ty = op.results[0].type
    width = width_of(ty)
    if _is_below(by, width):
        return
    b = LLVMBuilder(op, location=op.location)
    if op.name == "llvm.ashr":
        most = splat(b, width - 1, ty)
        _give(op, b.binary("ashr", value, b.intrinsic("umin", (by, most))))
        return
    is_short = icmp(b, "ult", by, splat(b, width, ty))
    _give(op, b.select(is_short, b.binary(op.name[5:], value, by), b.zero(ty)))


def _is_below(value: SSAValue, bound: int) -> bool:
    """Whether an unsigned number is known to be less than `bound`."""
    known = int_of(value)
    if known is not None:
        return 0 <= known < bound
    owner = value.owner
    if not isinstance(owner, Operation):
        return False
    if owner.name == "llvm.zext":
        return _is_below(owner.operands[0], bound)
    return owner.name in _BOUNDED and _is_below(owner.operands[1], bound)


#: Operations whose result is at most their second operand.
_BOUNDED = frozenset(("llvm.and", "llvm.intr.umin", "llvm.urem"))


def _give(op: Operation, value: SSAValue) -> None:
    op.results[0].replace_all_uses_with(value)
    erase_operation(op)


def intrinsic_name(op: Operation) -> str | None:
    """The name of the NVVM intrinsic that `op` calls, without `llvm.nvvm.`."""
    if op.name != "llvm.call_intrinsic":
        return None
    name = text_of(op.properties["intrin"])
    return name[len(_NAME) :] if name.startswith(_NAME) else None


def _raised(op: Operation, name: str) -> _Raised:
    for pattern, make in _TABLE:
        match = pattern.fullmatch(name)
        if match is not None:
            return make(op, match)
    return None


def _replace(op: Operation, name: str, properties: dict[str, Attribute]) -> None:
    operands = () if name == "nvvm.barrier0" else op.operands
    types = [r.type for r in op.results]
    new = ods.create(name, operands, types, properties, location=op.location)
    new.attributes.update(op.attributes)
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
    for old, value in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(value)
    erase_operation(op)


def _barrier(op: Operation, match: re.Match[str]) -> _Raised:
    is_first = not op.operands or integer_constant(op.operands[0]) == 0
    return ("nvvm.barrier0", {}) if is_first else None


def _warp_barrier(op: Operation, match: re.Match[str]) -> _Raised:
    return "nvvm.bar.warp.sync", {}


def _shuffle(op: Operation, match: re.Match[str]) -> _Raised:
    properties: dict[str, Attribute] = {"kind": ods.enum("nvvm.shfl_kind", match[1])}
    if match[2]:
        properties["return_value_and_is_valid"] = UnitAttr()
    return "nvvm.shfl.sync", properties


def _vote(op: Operation, match: re.Match[str]) -> _Raised:
    return "nvvm.vote.sync", {"kind": ods.enum("nvvm.vote_sync_kind", match[1])}


def _match(op: Operation, match: re.Match[str]) -> _Raised:
    return "nvvm.match.sync", {"kind": ods.enum("nvvm.match_sync_kind", match[1])}


def _reduction(op: Operation, match: re.Match[str]) -> _Raised:
    return "nvvm.redux.sync", {
        "kind": ods.enum("nvvm.redux_kind", match[1]),
        "abs": IntegerAttr(int(match[2] is not None), i1),
        "nan": IntegerAttr(int(match[3] is not None), i1),
    }


def _fence(op: Operation, match: re.Match[str]) -> _Raised:
    scope = {"gl": "gpu"}.get(match[1], match[1])
    return "nvvm.memory.barrier", {"scope": ods.enum("nvvm.mem_scope", scope)}


def _proxy_fence(op: Operation, match: re.Match[str]) -> _Raised:
    space = "" if match[1] is None else f".{match[1]}"
    return "nvvm.fence.proxy", {"kind": ods.enum("nvvm.proxy_kind", f"async{space}")}


def _cluster_fence(op: Operation, match: re.Match[str]) -> _Raised:
    return "nvvm.fence.sc.cluster", {}


def _mbarrier_fence(op: Operation, match: re.Match[str]) -> _Raised:
    return "nvvm.fence.mbarrier.init", {}


#: Scopes of atomic intrinsics as LLVM calls them.
_SCOPES = {"cta": "block", "sys": ""}
#: Numbers of `llvm.atomicrmw`, of operations on integers; those on floats differ for `add`.
_ATOMIC = {
    "exch": 0, "add": 1, "and": 3, "or": 5, "xor": 6, "max": 7, "min": 8, "inc": 15, "dec": 16,
}  # fmt: skip
_FADD = 11
_MONOTONIC = 2


def _atomic(op: Operation, match: re.Match[str]) -> _Raised:
    """Relaxed, as PTX's `atom` without an order is."""
    number = _FADD if match[2] == "f" else _ATOMIC[match[1]]
    return "llvm.atomicrmw", {
        "bin_op": IntegerAttr(number, i64),
        "ordering": IntegerAttr(_MONOTONIC, i64),
        **_scoped(match[3]),
    }


def _scoped(scope: str) -> dict[str, Attribute]:
    name = _SCOPES[scope]
    return {"syncscope": StringAttr(name)} if name else {}


def _compare_and_swap(op: Operation, match: re.Match[str]) -> _Raised:
    """The pair that `llvm.cmpxchg` gives stands before the call, whose result is its first part."""
    block = op.parent
    assert block is not None
    ordering = IntegerAttr(_MONOTONIC, i64)
    properties = {"success_ordering": ordering, "failure_ordering": ordering, **_scoped(match[1])}
    pair = ods.create(
        "llvm.cmpxchg", list(op.operands), [LLVMStructType((op.operands[1].type, i1))], properties,
        location=op.location,
    )  # fmt: skip
    block.insert_op_before(pair, op)
    op.operands = [pair.results[0]]
    return "llvm.extractvalue", {"position": DenseArrayBase.from_list(i64, [0])}


def _rounded(op: Operation, match: re.Match[str]) -> _Raised:
    """Directed rounding is libdevice's function, which a vector calls for each lane, but for what
    its rule makes arithmetic of."""
    words = match[0].split(".")
    if has_rounded_sum(words):
        return None
    name = directed_name(words) or directed_conversion(words)
    if name is None:
        return None
    return "llvm.call", call_properties(f"__nv_{name}", list(op.operands))


#: What says where a texture has layers, and how many coordinates, by PTX's words.
_SHAPES = {
    "1d": 1, "2d": 2, "3d": 3, "a1d": 1 | TEXTURE_LAYERED, "a2d": 2 | TEXTURE_LAYERED,
    "cube": 3 | TEXTURE_CUBE, "acube": 3 | TEXTURE_CUBE | TEXTURE_LAYERED,
}  # fmt: skip
#: Beginning of the names of reads of textures.
OF_TEXTURES = "ptx.tex."
_AXES = {"width": 0, "height": 1, "depth": 2}
_OUTSIDE = {"zero": 0, "clamp": 1, "trap": 2}


def texture_function(name: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The function for an intrinsic `ptx.tex` or `ptx.surf` (`native/sources/textures.py`) without
    its prefix, and arguments that are numbers: where to put each, one after the other."""
    words = name.split(".")[1:]
    if words[0] == "surf":
        numbers = ((1, _SHAPES[words[1]]), (6, int(words[2])), (7, _OUTSIDE[words[3]]))
        return "surf_place", numbers
    if words[1] == "size":
        return "tex_size", ((1, _AXES[words[2]]),)
    return f"tex_{words[1]}", ((1, _SHAPES[words[2]]),)


def _texture(op: Operation, match: re.Match[str]) -> _Raised:
    """A function of numbers, which a vector calls for each lane."""
    name, numbers = texture_function(match[0])
    b = LLVMBuilder(op, location=op.location)
    arguments = list(op.operands)
    for at, number in numbers:
        arguments.insert(at, b.integer(number))
    op.operands = arguments
    return "llvm.call", call_properties(f"__nv_{name}", arguments)


_TABLE: list[tuple[re.Pattern[str], Callable[[Operation, re.Match[str]], _Raised]]] = [
    (re.compile(r"barrier0|barrier\.cta\.sync\.aligned\.all|bar\.sync"), _barrier),
    (re.compile(r"bar\.warp\.sync"), _warp_barrier),
    (re.compile(r"membar\.(cta|gl|sys)"), _fence),
    (re.compile(r"fence\.sc\.cluster"), _cluster_fence),
    (re.compile(r"fence\.proxy\.async(?:\.(global|shared).*)?"), _proxy_fence),
    (re.compile(r"fence\.mbarrier\.init\..*|fence\.mbarrier_init\..*"), _mbarrier_fence),
    (re.compile(r"shfl\.sync\.(up|down|bfly|idx)\.(?:i32|f32)(p?)"), _shuffle),
    (re.compile(r"vote\.(any|all|uni|ballot)\.sync"), _vote),
    (re.compile(r"match\.(any|all)\.sync\.i(?:32|64)p?"), _match),
    (
        re.compile(r"(?:add|mul|div|rcp|sqrt|fma)\.r[zmp](?:\.ftz)?\.[fd]|u?(?:i|ll)2[fd]\.r[zmp]"),
        _rounded,
    ),
    (
        re.compile(r"atomic\.(add|exch|max|min|inc|dec|and|or|xor)\.gen\.([if])\.(cta|sys)\..*"),
        _atomic,
    ),
    (re.compile(r"atomic\.cas\.gen\.i\.(cta|sys)\..*"), _compare_and_swap),
    (re.compile(r"ptx\.(tex|surf)\..*"), _texture),
    (re.compile(r"redux\.sync\.(\w+?)(\.abs)?(\.NaN)?"), _reduction),
]
