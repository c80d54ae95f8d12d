# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory effects from definitions."""

from xdsl.dialects.builtin import IndexType, MemRefType, f32, i1, i32
from xdsl.dialects.test import TestOp
from xdsl.ir import Block, Region

from xgpu.core import ods
from xgpu.core.ir.effects import (
    effects,
    is_memory_effect_free,
    is_pure,
    is_trivially_dead,
    only_reads,
)


def values(*types):
    return TestOp(result_types=types).results


def test_pure():
    a, b = values(i32, i32)
    add = ods.create("arith.addi", (a, b), (i32,))
    assert is_pure(add)
    assert is_trivially_dead(add)
    assert effects(add) == []
    ods.create("arith.addi", (add.results[0], b), (i32,))
    assert not is_trivially_dead(add)


def test_reads_and_writes():
    m, i, x = values(MemRefType(f32, [4]), IndexType(), f32)
    load = ods.create("memref.load", (m, i), (f32,))
    assert [(e.kind, e.value) for e in effects(load)] == [("read", m)]
    assert only_reads(load)
    assert is_trivially_dead(load)
    store = ods.create("memref.store", (x, m, i))
    assert [(e.kind, e.value) for e in effects(store)] == [("write", m)]
    assert not is_trivially_dead(store)


def test_allocation_may_go():
    alloc = ods.create("memref.alloc", ((), ()), (MemRefType(f32, [4]),))
    assert [e.kind for e in effects(alloc)] == ["allocate"]
    assert is_trivially_dead(alloc)
    assert not is_memory_effect_free(alloc)


def test_unknown_is_conservative():
    barrier = ods.create("gpu.barrier")
    assert effects(barrier) is None
    assert not is_trivially_dead(barrier)
    assert effects(TestOp()) is None


def test_nested():
    (condition,) = values(i1)
    a, b = values(i32, i32)
    add = ods.create("arith.addi", (a, b), (i32,))
    bodies = [Region(Block([add, ods.create("scf.yield")])), Region()]
    branch = ods.create("scf.if", (condition,), (), regions=bodies)
    assert is_memory_effect_free(branch)
    assert is_trivially_dead(branch)
