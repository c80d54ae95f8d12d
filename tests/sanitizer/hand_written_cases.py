# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Double and circular buffers written by hand, whole: a tensor copied in boxes of 32 numbers.

`story_cases` has each mistake by itself, on the fewest lines. Here the two kernels are as one
writes them, with prologue, main loop and epilogue, and the mistakes stand where they were made. A
line that ends with `//+D2` is there only in the kernel with that mistake, one with `//-D2` in all
others, and `//@D2` marks a side of the report on it.
"""

from __future__ import annotations

import re

from planted import Planted

_MEMORY = """llvm.mlir.global external @boxes() {{addr_space = 3 : i32, alignment = 128 : i64}} : !llvm.array<{floats} x f32>
    llvm.mlir.global external @bars() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<{stages} x i64>
    llvm.mlir.global external @tokens() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<{stages} x i64>"""  # noqa: E501

_STAGE = """
        %s = arith.remsi {at}, %stages : index
        %sn = arith.index_cast %s : index to i64
        %bar = llvm.getelementptr %bars[%sn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %token = llvm.getelementptr %tokens[%sn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %s32 = arith.muli %s, %c32 : index
        %o = arith.index_cast %s32 : index to i64
        %box = llvm.getelementptr %boxes[%o] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
"""

_FILL = (
    """
      scf.if %first {
"""
    + _STAGE
    + """
        %g32 = arith.muli {at}, %c32 : index
        %gn = arith.index_cast %g32 : index to i64
        %src = llvm.getelementptr %from[%gn] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %cta = llvm.addrspacecast %box : !llvm.ptr<3> to !llvm.ptr<7>
        nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32 //-D1
        nvvm.mbarrier.expect_tx %bar, %bytes : !llvm.ptr<3>, i32 //+D1
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bar, %bytes {copy}
            : !llvm.ptr<7>, !llvm.ptr<1>
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 //+D1
        llvm.store %state, %token : i64, !llvm.ptr<3> //+D1 {token}
      }
"""
)

_USE = (
    """
      scf.execute_region {
"""
    + _STAGE
    + """
        %turn = arith.divsi {at}, %stages : index
        %h = arith.index_cast %turn : index to i32
        %parity = arith.andi %h, %i1 : i32
        nvvm.mbarrier.try_wait.parity %bar, %parity, %ticks : !llvm.ptr<3>, i32, i32 //-D1 {wait}
        %given = llvm.load %token : !llvm.ptr<3> -> i64 //+D1 {token}
        scf.while : () -> () { //+D1
          %over = nvvm.mbarrier.test.wait %bar, %given : !llvm.ptr<3>, i64 -> i1 //+D1
          %again = arith.xori %over, %true : i1 //+D1
          scf.condition(%again) //+D1
        } do { //+D1
          scf.yield //+D1
        } //+D1
        %own = llvm.getelementptr %box[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
        %v = llvm.load %own : !llvm.ptr<3> -> f32
        %b32 = arith.muli {at}, %c32 : index
        %k = arith.addi %b32, %t : index
        memref.store %v, %out[%k] : memref<256xf32>
        scf.yield
      }
"""
)

_KERNEL = """
      %true = arith.constant true
      %n1 = arith.constant 1 : i32
      %ticks = arith.constant 1000 : i32
      %bytes = arith.constant 128 : i32
      %stages = arith.constant {stages} : index
      %ahead = arith.constant {ahead} : index
      %boxes_n = arith.constant {count} : index
      %first = arith.cmpi eq, %t, %c0 : index
      %tn = arith.index_cast %t : index to i64
      %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %tokens = llvm.mlir.addressof @tokens : !llvm.ptr<3>
      %boxes = llvm.mlir.addressof @boxes : !llvm.ptr<3>
      %pi = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %pn = arith.index_cast %pi : index to i64
      %from = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      scf.if %first {{
        scf.for %i = %c0 to %stages step %c1 {{
          %in_ = arith.index_cast %i : index to i64
          %bar = llvm.getelementptr %bars[%in_] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32 //@D7
        }}
        nvvm.fence.mbarrier.init //-D7
      }}
      gpu.barrier
      %early = arith.minsi %ahead, %boxes_n : index
      scf.for %i = %c0 to %early step %c1 {{
{prologue}
      }}
      %span = arith.subi %boxes_n, %ahead : index
      %split = arith.maxsi %span, %c0 : index
      scf.for %i = %c0 to %split step %c1 {{
        %next = arith.addi %i, %ahead : index
{fill}
{use}
        gpu.barrier //-D2
      }}
      %tail = arith.addi %split, %c0 : index //-D4 //-D5
      %tail = arith.subi %split, %c1 : index //+D4
      %tail = arith.addi %span, %c0 : index //+D5
      scf.for %i = %tail to %boxes_n step %c1 {{
{last}
      }}
      gpu.barrier //-D6
      scf.if %first {{
        %some = arith.constant {some} : index
        scf.for %i = %c0 to %some step %c1 {{
          %in_ = arith.index_cast %i : index to i64
          %bar = llvm.getelementptr %bars[%in_] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.inval %bar : !llvm.ptr<3> //@D6
        }}
      }}
"""


def _part(text: str, at: str, **sides: str) -> str:
    """A part for the iteration `at`; `sides` says which of its lines are places of which report."""
    text = text.replace("{at}", at)
    return re.sub(r"\{(copy|token|wait)\}", lambda m: sides.get(m[1], ""), text)


def _body(stages: int, count: int, defect: str) -> str:
    text = _KERNEL.format(
        stages=stages,
        ahead=stages - 1,
        count=count,
        some=2 if defect == "D6" else stages,
        prologue=_part(_FILL, "%i", copy="//@D7", token="//@D1"),
        fill=_part(_FILL, "%next"),
        use=_part(_USE, "%i", wait="//@D2", token="//@D1"),
        last=_part(_USE, "%i", wait="//@D4 //@D5 //@D6"),
    )
    lines: list[str] = []
    for line in text.split("\n"):
        there, marks = line, re.findall(r"//([-+@])(D\d)", line)
        there = re.sub(r" *//[-+@]D\d", "", there)
        if any(kind == "+" and name != defect for kind, name in marks):
            continue
        end = ""
        if ("+", defect) in marks:
            end = " // BAD"
        if ("-", defect) in marks:
            end = " // GOOD"
        if ("@", defect) in marks:
            end = " // BAD SIDE" if "BAD" in end else " // SIDE"
        lines.append(there + end)
    return "\n".join(lines)


def _case(
    name: str, kind: str, stages: int, defect: str, count: int = 5, **more: object
) -> Planted:
    memory = _MEMORY.format(floats=32 * stages, stages=stages)
    return Planted(
        f"{name}_{stages}", kind, _body(stages, count, defect), device=memory, threads=32, **more
    )  # type: ignore[arg-type]


HAND_WRITTEN = [
    case
    for stages in (2, 3)
    for case in (
        _case("hand_written_token", "race", stages, "D1", also=("sync",)),
        # The thread that asks runs ahead of the others by more than a phase.
        _case("hand_written_refill", "sync", stages, "D2", also=("race",)),
        _case("hand_written_epilogue", "sync", stages, "D4"),
        _case("hand_written_end", "race", stages, "D6"),
        _case("hand_written_fence", "race", stages, "D7"),
    )
]
#: With one box only: the epilogue begins at 1 - 2, at a barrier that there is not.
HAND_WRITTEN.append(_case("hand_written_one_box", "init", 3, "D5", 1, also=("sync", "memory")))
