# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix operations of a warp whose threads run by themselves: wmma (load, store, mma), mma.sync
and ldmatrix.

Registers travel in memory: a lane stores its operands there, the runtime works on the memory of all
lanes (`runtime/native/sources/matrix.py`), and the lane loads its result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from xgpu.backend.host.code import Code
from xgpu.backend.host.lowering import Call, Values, intrinsic
from xgpu.backend.host.structs import WARP_OPERATIONS
from xgpu.backend.host.types import I64, size_of
from xgpu.dialects.llvm.types import LLVMStructType

# As in `native/sources/matrix.py`: number and bytes of an element.
TYPES = {"f16": (0, 2), "bf16": (1, 2), "f32": (2, 4), "tf32": (2, 4), "f64": (3, 8), "s8": (4, 1),
          "u8": (5, 1), "s32": (6, 4)}  # fmt: skip
_HEADER = 64
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_COUNT = re.compile(r"x([124])")


def register_types(ty: Attribute) -> list[Attribute]:
    """Register types of a result: of one register, or of a struct of them."""
    return list(ty.body) if isinstance(ty, LLVMStructType) else [ty]


def bytes_of(types: Sequence[Attribute]) -> int:
    return sum(size_of(t) or 0 for t in types)


def store_registers(b: Code, place: SSAValue, at: int, registers: Sequence[SSAValue]) -> int:
    """Stores values one behind the other, from byte `at` of `place` on; where they end."""
    for value in registers:
        b.store(value, b.address(place, at), 4)
        at += size_of(value.type) or 0
    return at


def load_registers(b: Code, place: SSAValue, at: int, ty: Attribute) -> SSAValue:
    """Loads a value, or a struct of values, from byte `at` of `place` on."""
    found: list[SSAValue] = []
    for kind in register_types(ty):
        found.append(b.load(b.address(place, at), kind, 4))
        at += size_of(kind) or 0
    return b.pack(ty, found) if isinstance(ty, LLVMStructType) else found[0]


def _shape(name: str) -> tuple[int, int, int]:
    match = _SHAPE.search(name)
    assert match is not None
    return int(match[1]), int(match[2]), int(match[3])


def _matrix_sizes(which: str, shape: tuple[int, int, int]) -> tuple[int, int]:
    m, n, k = shape
    return {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[which]


def _stride(call: Call, b: Code, shape: tuple[int, int]) -> SSAValue:
    if "stride" in call.words:
        return call.arguments[-1]
    return b.integer(shape[0] if "col" in call.words else shape[1])


def _element_bytes(call: Call) -> int:
    return TYPES[next(w for w in reversed(call.words) if w in TYPES)][1]


@intrinsic(r"wmma\.m\d+n\d+k\d+\.load\..*")
def load(call: Call, b: Code) -> Values:
    """wmma.<shape>.load.{a,b,c}.{row,col}[.stride].<type>(ptr[, stride])."""
    which = call.words[call.words.index("load") + 1]
    rows, columns = _matrix_sizes(which, _shape(call.name))
    size = _element_bytes(call)
    total = bytes_of(register_types(call.type))
    place = b.memory(total)
    numbers = (rows, columns, int("col" in call.words), size, total // size)
    b.native(
        "wmma_load", None, place, call.arguments[0], _stride(call, b, (rows, columns)),
        *map(b.integer, numbers),
    )  # fmt: skip
    return [load_registers(b, place, 0, call.type)]


@intrinsic(r"wmma\.m\d+n\d+k\d+\.store\..*")
def store(call: Call, b: Code) -> Values:
    """wmma.<shape>.store.d.{row,col}[.stride].<type>(ptr, registers...[, stride])."""
    rows, columns = _matrix_sizes("d", _shape(call.name))
    registers = call.arguments[1 : -1 if "stride" in call.words else None]
    place = b.memory(bytes_of([r.type for r in registers]))
    store_registers(b, place, 0, registers)
    numbers = (rows, columns, int("col" in call.words), _element_bytes(call))
    b.native(
        "wmma_store", None, call.arguments[0], place, _stride(call, b, (rows, columns)),
        *map(b.integer, numbers),
    )  # fmt: skip
    return []


def _kinds(call: Call, b: Code) -> tuple[str, str, str, str]:
    """Types of A, B, C and D, from the end of the name."""
    types = [w for w in call.words if w in TYPES]
    if not types:
        b.refuse(f"matrix type of 'llvm.nvvm.{call.name}'")
    first = types[0]
    if first in ("bf16", "tf32"):
        return first, first, "f32", "f32"
    if first == "f64":
        return "f64", "f64", "f64", "f64"
    if first in ("s8", "u8"):
        return first, types[-1] if len(types) > 1 else first, "s32", "s32"
    if len(types) == 2:  # of f16: D and C
        return "f16", "f16", types[1], types[0]
    return "f16", "f16", first, first


@intrinsic(r"(w?mma)\.m\d+n\d+k\d+\.(mma\.)?(row|col).*")
def multiply(call: Call, b: Code) -> Values:
    """wmma.<shape>.mma... and mma.<shape>...: registers of A, B and C to registers of D."""
    is_sync = "wmma" not in call.words
    m, n, k = _shape(call.name)
    kinds = _kinds(call, b)
    if is_sync and (m, n, k) == (8, 8, 4) and kinds[0] == "f16":
        b.refuse("mma.m8n8k4 of f16")
    elements = (m * k, k * n, m * n, m * n)
    sizes = [count * TYPES[t][1] // 32 for count, t in zip(elements, kinds, strict=True)]
    if not is_sync and kinds[0] == "f16":
        sizes[:2] = [32, 32]  # eight registers, whatever the shape
    place = b.memory(_HEADER + sum(sizes))
    header = [m, n, k, *(TYPES[t][0] for t in kinds), int(is_sync), *sizes[:3]]
    for i, number in enumerate(header):
        b.store(b.integer(number), b.address(place, 4 * i))
    end = store_registers(b, place, _HEADER, call.arguments)
    if end != _HEADER + sum(sizes[:3]):
        b.refuse(f"'llvm.nvvm.{call.name}': its registers are not as expected")
    _collective(b, "MMA", place, 0, 0)
    return [load_registers(b, place, end, call.type)]


def _collective(b: Code, operation: str, place: SSAValue, first: int, second: int) -> None:
    whole = b.value("llvm.ptrtoint", (place,), I64)
    b.wait(
        "warp", b.integer(WARP_OPERATIONS[operation]), b.integer(-1), whole, b.integer(first),
        b.integer(second),
    )  # fmt: skip


@intrinsic(r"ldmatrix\.sync\.aligned\..*")
def load_matrix(call: Call, b: Code) -> Values:
    """ldmatrix.sync.aligned.m8n8.x<n>[.trans].b16: 8x8 matrices of 16-bit elements whose rows'
    addresses the lanes hold, eight lanes a matrix; a lane gets two neighbours of row lane / 4."""
    if "m8n8" not in call.words or "b16" not in call.words:
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device")
    count = next(int(m[1]) for w in call.words if (m := _COUNT.fullmatch(w)))
    place = b.memory(8 + 4 * count)
    b.store(b.generic(call.arguments[0]), place)
    _collective(b, "LDMATRIX", place, count, int("trans" in call.words))
    return [load_registers(b, place, 8, call.type)]


@intrinsic(r"wgmma\.(fence|commit_group)\..*")
def group_starts(call: Call, b: Code) -> Values:
    """Products are done at once."""
    return []


@intrinsic(r"wgmma\.wait_group\..*")
def wait_group(call: Call, b: Code) -> Values:
    b.wait("warpgroup_sync")
    return []
