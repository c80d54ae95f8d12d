# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel around one operation of tcgen05: tensor memory is filled, one thread asks for the
operation and commits it, and all of the memory comes back."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.warp_kernel import kernel, run

#: Columns that are filled and come back.
COLUMNS = 128
#: So many at once.
_STEP = 8
#: Bytes of a block's shared memory; an address of tensor memory and an mbarrier are at its end.
SHARED = 1 << 16
STATE_AT = SHARED - 64
_MODES = {16: 0, 128: 2, 64: 4, 32: 6}


def tensor_descriptor(at: int, leading: int, stride: int, swizzle: int) -> int:
    """Of a matrix `at` bytes from the begin of shared memory."""
    fixed = 1 << 46
    return at >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | fixed | _MODES[swizzle] << 61


def tensor_kernel(issue: str, descriptors: dict[str, int], blocks: int = 1) -> str:
    """LLVM IR. `issue` is what the one thread does, where `%ta` is the address of tensor memory
    (i32), `%tm` the same as a pointer, and each of `descriptors` an i64 of its name."""
    meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" if blocks > 1 else ""
    group = f"cta_group::{blocks}"
    begin = (
        "{ .reg .b32 tid; .reg .pred one, first; mov.u32 tid, %tid.x;"
        "setp.lt.u32 first, tid, 32; setp.eq.u32 one, tid, 0;"
        f"@first tcgen05.alloc.{group}.sync.aligned.shared::cta.b32 [$1], 512;"
        "@one mbarrier.init.shared::cta.b64 [$1 + 8], 1;"
        "bar.sync 0; ld.shared.b32 $0, [$1]; }"
    )
    commit = f"tcgen05.commit.{group}.mbarrier::arrive::one.shared::cluster.b64 [$0 + 8];"
    if blocks > 1:
        commit = (
            "{ .reg .b16 both; mov.b16 both, 3; tcgen05.commit.cta_group::2.mbarrier::arrive::one"
            ".shared::cluster.multicast::cluster.b64 [$0 + 8], both; }"
        )
    wait = (
        "{ .reg .pred done;\\0AAGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [$0 + 8], 0;"
        "@!done bra AGAIN; }"
    )
    end = (
        f"{{ .reg .b32 tid; .reg .pred first; bar.sync 0; {meet} mov.u32 tid, %tid.x;"
        "setp.lt.u32 first, tid, 32;"
        f"@first tcgen05.dealloc.{group}.sync.aligned.b32 $0, 512; }}"
    )
    words = range(_STEP)
    group_in = "{" + ", ".join(f"${i + 1}" for i in words) + "}"
    group_out = "{" + ", ".join(f"${i}" for i in words) + "}"
    loaded = "".join(
        f"  %f{i}p = getelementptr i32, ptr %fp, i32 {i}\n  %f{i} = load i32, ptr %f{i}p\n"
        for i in words
    )
    stored = "".join(
        f"  %g{i}p = getelementptr i32, ptr %gp, i32 {i}\n"
        f"  %g{i} = extractvalue {{ {', '.join(['i32'] * _STEP)} }} %g, {i}\n"
        f"  store i32 %g{i}, ptr %g{i}p\n"
        for i in words
    )
    before = f"""
  %state = getelementptr i8, ptr addrspace(3) @s, i32 {STATE_AT}
  %sa = ptrtoint ptr addrspace(3) %state to i32
  %base = ptrtoint ptr addrspace(3) @s to i64
  %low = and i64 %base, 262143
  %unit = lshr i64 %low, 4
{"".join(_added(name, value) for name, value in descriptors.items())}
  %ta = call i32 asm sideeffect "{begin}", "=r,r"(i32 %sa)
  %tm = inttoptr i32 %ta to ptr addrspace(6)
  %first_lane = and i32 %own, -32
  %lane_bits = shl i32 %first_lane, 16
  %row = add i32 %ta, %lane_bits
  %mine = mul i32 %t, {COLUMNS}
  br label %fills
fills:
  %fc = phi i32 [ 0, %0 ], [ %fn, %fills ]
  %fa = add i32 %row, %fc
  %fi = add i32 %mine, %fc
  %fp = getelementptr i32, ptr %in, i32 %fi
{loaded}
  call void asm sideeffect "tcgen05.st.sync.aligned.32x32b.x{_STEP}.b32 [$0], {group_in};",
 "{",".join("r" * (_STEP + 1))}"(i32 %fa, {", ".join(f"i32 %f{i}" for i in words)})
  %fn = add i32 %fc, {_STEP}
  %fd = icmp eq i32 %fn, {COLUMNS}
  br i1 %fd, label %filled, label %fills
filled:
  call void asm sideeffect "tcgen05.wait::st.sync.aligned; bar.sync 0; {meet}", ""()
  %leads = icmp eq i32 %t, 0
  br i1 %leads, label %asks, label %asked
asks:
{issue}
  call void asm sideeffect "{commit}", "r"(i32 %sa)
  br label %asked
asked:
  call void asm sideeffect "{wait}", "r"(i32 %sa)
  br label %gets
gets:
  %gc = phi i32 [ 0, %asked ], [ %gn, %gets ]
  %ga = add i32 %row, %gc
  %gi = add i32 %mine, %gc
  %gp = getelementptr i32, ptr %out, i32 %gi
  %g = call {{ {", ".join(["i32"] * _STEP)} }} asm sideeffect
 "tcgen05.ld.sync.aligned.32x32b.x{_STEP}.b32 {group_out}, [${_STEP}];",
 "{",".join(["=r"] * _STEP)},r"(i32 %ga)
{stored}
  %gn = add i32 %gc, {_STEP}
  %gd = icmp eq i32 %gn, {COLUMNS}
  br i1 %gd, label %got, label %gets
got:
"""
    source = kernel(end, "", "", SHARED, before, "r=i32 %ta")
    declared = {
        line.split("@")[1].split("(")[0]: line
        for line in issue.split("\n")
        if "call void @llvm." in line
    }
    return source + "".join(f"\n{_declaration(line)}" for line in declared.values())


def _declaration(call: str) -> str:
    name, _, arguments = call.partition("@")[2].partition("(")
    types = [argument.strip().rpartition(" ")[0] for argument in arguments.rstrip(")").split(", ")]
    return f"declare void @{name}({', '.join(types)})"


def _added(name: str, value: int) -> str:
    signed = value - (1 << 64) if value >> 63 else value
    return f"  %{name} = add i64 %unit, {signed}\n"


def assembly(text: str, **operands: str) -> str:
    """A call of inline PTX: `@name` in it is an operand (`da="i64 %da"`)."""
    constraints = []
    for at, (name, typed) in enumerate(operands.items()):
        text = text.replace(f"@{name}", f"${at}")
        constraints.append("l" if typed.startswith("i64") else "r")
    return (
        f'  call void asm sideeffect "{text}", "{",".join(constraints)}"'
        f"({', '.join(operands.values())})"
    )


def run_tensor(
    issue: str, descriptors: dict[str, int], cells: np.ndarray[Any, Any],
    image: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]:  # fmt: skip
    """Tensor memory (blocks, 128 lanes, columns) as it is afterwards; `image` is shared memory."""
    blocks = len(cells)
    out = np.zeros_like(cells)
    source = tensor_kernel(issue, descriptors, blocks)
    run(source, np.ascontiguousarray(cells), out, 128, image, blocks=blocks)
    return out
