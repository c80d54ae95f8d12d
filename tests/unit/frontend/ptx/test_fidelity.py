# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near to a GPU instructions are done: the table, and the counts of a kernel."""

from __future__ import annotations

import pytest

from xgpu.frontend.ptx.fidelity import TABLE, Fidelity, fidelity_of, fidelity_of_kernel
from xgpu.frontend.ptx.grammar import instructions
from xgpu.frontend.ptx.instructions import MODULE_OF

EXACT, ROUNDED, APPROXIMATE = Fidelity


def test_each_instruction_has_an_entry():
    """A rule without one, and an entry without a rule, are mistakes."""
    assert set(TABLE) == set(MODULE_OF) | {"bra", "brx"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add.rn.f32 %f1, %f2, %f3;", EXACT),
        ("fma.rn.f16x2 %r1, %r2, %r3, %r4;", EXACT),
        ("div.rn.f32 %f1, %f2, %f3;", EXACT),
        ("div.full.f32 %f1, %f2, %f3;", ROUNDED),
        ("sqrt.rn.f64 %fd1, %fd2;", EXACT),
        ("sqrt.approx.ftz.f32 %f1, %f2;", ROUNDED),
        ("ex2.approx.f32 %f1, %f2;", ROUNDED),
        ("red.global.add.f32 [%rd1], %f1;", ROUNDED),
        ("red.global.add.u32 [%rd1], %r1;", EXACT),
        ("atom.global.max.f32 %f1, [%rd1], %f2;", EXACT),
        ("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
         "[%r1], %r2, [%r3];", EXACT),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2};", ROUNDED),
        ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1}, {%r1}, {%r2}, {%r2};", EXACT),
        ("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];", EXACT),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f2};", ROUNDED),
        ("wgmma.wait_group.sync.aligned 0;", EXACT),
        ("tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;", ROUNDED),
        ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", EXACT),
        ("mov.u32 %r1, %tid.x;", EXACT),
        ("mov.u32 %r1, %clock;", APPROXIMATE),
        ("mov.u32 %r1, %smid;", APPROXIMATE),
        ("activemask.b32 %r1;", APPROXIMATE),
        ("@%p1 bra END;", EXACT),
    ],
)
def test_instructions(text, expected):
    (found,) = instructions(text)
    assert fidelity_of(found) is expected


def test_an_instruction_without_an_entry():
    (found,) = instructions("nothing.u32 %r1;")
    with pytest.raises(KeyError):
        fidelity_of(found)


PTX = """
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 r) inner(.param .b32 x) {
  .reg .f32 %f<3>;
  ld.param.f32 %f1, [x];
  lg2.approx.f32 %f2, %f1;
  st.param.f32 [r], %f2;
  ret;
}
.visible .entry k(.param .u64 a) {
  .reg .f32 %f<4>; .reg .u64 %rd<2>; .reg .u32 %r<2>;
  ld.param.u64 %rd1, [a];
  ld.global.f32 %f1, [%rd1];
  {
    ex2.approx.f32 %f1, %f1;
    ex2.approx.f32 %f1, %f1;
  }
  { .param .b32 p; .param .b32 q;
    st.param.f32 [p], %f1;
    call (q), inner, (p);
    ld.param.f32 %f2, [q];
  }
  mov.u32 %r1, %clock;
  st.global.f32 [%rd1], %f2;
  ret;
}
.visible .entry other() { ret; }
"""


def test_a_kernel_and_what_it_calls():
    found = fidelity_of_kernel(PTX, "k")
    assert found[ROUNDED] == {"ex2.approx.f32": 2, "lg2.approx.f32": 1}
    assert found[APPROXIMATE] == {"mov.u32": 1}
    assert found[EXACT].total() == 10
    assert fidelity_of_kernel(PTX, "other") == {EXACT: {"ret": 1}, ROUNDED: {}, APPROXIMATE: {}}
    with pytest.raises(KeyError):
        fidelity_of_kernel(PTX, "none")
