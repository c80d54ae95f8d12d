# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of a warp in PTX."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, f32
from xdsl.ir import SSAValue

from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.frontend.ptx.grammar import Pair
from xgpu.frontend.ptx.instructions import Built, instruction
from xgpu.frontend.ptx.registers import I1, I32


def _made(found: SSAValue | None) -> SSAValue:
    assert found is not None
    return found


@instruction("shfl")
def shuffle(p: Built) -> None:
    """shfl.sync.<mode>.b32 d[|p], a, b, c, mask; shfl.<mode>.b32 without a mask"""
    sync = p.take("sync") is not None
    mode = p.need("up", "down", "bfly", "idx")
    p.take("b32")
    p.finish()
    p.expect(5 if sync else 4)
    value, by, clamp = (p.integer(at, 32) for at in (1, 2, 3))
    mask = p.integer(4, 32) if sync else _active(p)
    given = (mask, value, by, clamp)
    if not isinstance(p.operand(0), Pair):
        p.write(0, _made(p.b.nvvm(f"shfl.sync.{mode}.i32", given, I32)))
        return
    both = _made(p.b.nvvm(f"shfl.sync.{mode}.i32p", given, LLVMStructType((I32, I1))))
    p.write_pair(p.b.member(both, 0), p.b.member(both, 1))


@instruction("vote")
def vote(p: Built) -> None:
    """vote.sync.{all,any,uni}.pred d, {!}a, mask; vote.sync.ballot.b32; without .sync and mask"""
    sync = p.take("sync") is not None
    kind = p.need("all", "any", "uni", "ballot")
    p.take("pred", "b32")
    p.finish()
    result = I32 if kind == "ballot" else I1
    mask = p.integer(2, 32) if sync else _active(p)
    p.write(0, _made(p.b.nvvm(f"vote.{kind}.sync", (mask, p.predicate(1)), result)))


def _active(p: Built) -> SSAValue:
    """The lanes that run together: the mask of instructions of PTX before 6.0."""
    return _made(p.b.nvvm("activemask", (), I32))


@instruction("match")
def match(p: Built) -> None:
    """match.{any,all}.sync.<type> d[|p], a, mask"""
    kind = p.need("any", "all")
    p.take("sync")
    width = 64 if p.take("b64") else 32
    p.take("b32")
    p.finish()
    given = (p.integer(2, 32), p.integer(1, width))
    if kind == "any":
        p.write(0, _made(p.b.nvvm(f"match.any.sync.i{width}", given, I32)))
        return
    name = f"match.all.sync.i{width}p"
    both = _made(p.b.nvvm(name, given, LLVMStructType((I32, I1))))
    p.write_pair(p.b.member(both, 0), p.b.member(both, 1))


@instruction("redux")
def reduce(p: Built) -> None:
    """redux.sync.<operation>.<type> d, a, mask"""
    p.take("sync")
    kind = p.take_type()
    operation = p.need("add", "min", "max", "and", "or", "xor")
    rest = "".join(f".{word}" for word in ("abs", "NaN") if p.take(word))
    p.finish()
    mask = p.integer(2, 32)
    if kind == "f32":
        p.write(0, _made(p.b.nvvm(f"redux.sync.f{operation}{rest}", (p.float(1, f32), mask), f32)))
        return
    sign = "u" if kind == "u32" and operation in ("min", "max") else ""
    p.write(0, _made(p.b.nvvm(f"redux.sync.{sign}{operation}", (p.integer(1, 32), mask), I32)))


@instruction("elect")
def elect(p: Built) -> None:
    """elect.sync d|p, mask"""
    p.take("sync")
    p.finish()
    mask = p.integer(1, 32)
    chosen = p.b.value("nvvm.elect.sync", (mask,), I1)
    lane = p.b.value("llvm.intr.cttz", (mask,), I32, {"is_zero_poison": IntegerAttr(0, I1)})
    p.write_pair(lane, chosen)


@instruction("activemask")
def active_lanes(p: Built) -> None:
    p.take("b32")
    p.finish()
    p.write(0, _active(p))
