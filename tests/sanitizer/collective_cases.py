# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exchanges between lanes of a warp, whose mask is not the lanes that execute them, or that read
from a lane that is not there."""

from __future__ import annotations

from planted import Planted

_HALF = """
      %c31i = arith.constant 31 : i32
      %half = arith.constant 0xFFFF : i32
      %quarter = arith.constant 0xFF : i32
      %eight = arith.constant 8 : i32
      %sixteen = arith.constant 16 : i32
      %true = arith.constant true
      %lo = arith.cmpi ult, %t, %c16 : index
      %v = memref.load %in[%t] : memref<256xf32>
      %tt = arith.index_cast %t : index to i32
"""
#: The others go to a barrier of the block.
_REST = """
      gpu.barrier
      memref.store %v, %in[%t] : memref<256xf32>
"""


def _in_half(name: str, mask: str, operation: str, rest: str = _REST) -> Planted:
    """An operation of the lower half of a warp, of lanes `mask` by mistake."""
    return Planted(
        name,
        "sync",
        f"""{_HALF}
      %mm = arith.constant {mask} : i32 // BAD
      %mm = arith.constant 0xFFFF : i32 // GOOD
      scf.if %lo {{
        {operation} // SIDE
      }}
{rest}""",
        threads=32,
    )


COLLECTIVES = [
    Planted(
        "shuffle_of_two_places",
        "sync",
        f"""{_HALF}
      %mm = arith.constant 0xFFFFFFFF : i32 // BAD
      %mm = arith.constant 0xFFFF : i32 // GOOD
      %q = scf.if %lo -> f32 {{
        %w = nvvm.shfl.sync bfly %mm, %v, %i1, %c31i : f32 -> f32 // SIDE
        scf.yield %w : f32
      }} else {{
        scf.yield %v : f32
      }}
      %w2 = nvvm.shfl.sync bfly %all, %q, %i1, %c31i : f32 -> f32 // BAD SIDE
      %w2 = nvvm.shfl.sync bfly %all, %q, %i1, %c31i : f32 -> f32 // GOOD
      memref.store %w2, %out[%t] : memref<256xf32>
""",
        threads=32,
    ),
    Planted(
        "shuffle_from_a_lane_that_the_mask_does_not_name",
        "sync",
        f"""{_HALF}
      %q = scf.if %lo -> f32 {{
        %w = nvvm.shfl.sync bfly %half, %v, %sixteen, %c31i : f32 -> f32 // BAD SIDE
        %w = nvvm.shfl.sync bfly %half, %v, %eight, %c31i : f32 -> f32 // GOOD
        scf.yield %w : f32
      }} else {{
        scf.yield %v : f32
      }}
      memref.store %q, %out[%t] : memref<256xf32>
""",
        threads=32,
    ),
    Planted(
        "shuffle_from_a_lane_that_has_exited",
        "sync",
        f"""{_HALF}
      cf.cond_br %lo, ^some, ^end
    ^some:
      %w = nvvm.shfl.sync idx %all, %v, %sixteen, %c31i : f32 -> f32 // BAD SIDE
      %w = nvvm.shfl.sync idx %all, %v, %eight, %c31i : f32 -> f32 // GOOD
      memref.store %w, %out[%t] : memref<256xf32>
      cf.br ^end
    ^end:
""",
        threads=32,
    ),
    Planted(
        "shuffle_of_a_narrow_width",
        "sync",
        f"""{_HALF}
      %width = arith.constant 16 : i32 // BAD
      %width = arith.constant 32 : i32 // GOOD
      %w, %ok = gpu.shuffle xor %v, %i1, %width : f32 // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
""",
        threads=32,
    ),
    _in_half(
        "vote_of_lanes_elsewhere", "0xFFFFFFFF", "%w = nvvm.vote.sync ballot %mm, %true -> i32"
    ),
    _in_half("redux_of_too_few", "0xFF", "%w = nvvm.redux.sync add %tt, %mm : i32 -> i32"),
    _in_half("match_of_too_few", "0xFF", "%w = nvvm.match.sync any %mm, %tt : i32 -> i32"),
    _in_half("election_of_lanes_elsewhere", "0xFFFFFFFF", "%w = nvvm.elect.sync %mm -> i1"),
    _in_half("warp_barrier_of_too_few", "0xFF", "nvvm.bar.warp.sync %mm : i32"),
    _in_half("warp_barrier_of_lanes_elsewhere", "0xFFFFFFFF", "nvvm.bar.warp.sync %mm : i32"),
    _in_half(
        "shuffle_in_ptx_of_lanes_elsewhere", "0xFFFFFFFF",
        'llvm.inline_asm has_side_effects "{.reg .b32 x; shfl.sync.bfly.b32 x, $0, 1, 31, $1;}", '
        '"r,r" %tt, %mm : (i32, i32) -> ()',
    ),
    _in_half(
        "vote_in_ptx_of_too_few", "0xFF",
        '%w = llvm.inline_asm has_side_effects "match.any.sync.b32 $0, $1, $2;", "=r,r,r" %tt, '
        "%mm : (i32, i32) -> i32",
    ),
]  # fmt: skip


def _correct(name: str, body: str, threads: int = 32) -> Planted:
    return Planted(name, "sync", f"{_HALF}\n{body}", threads=threads)


#: What is no mistake: programs that give no report.
CORRECT = [
    # A reduction by halves: what lanes at the end get is used by none.
    _correct("reduction_by_halves_of_some_lanes", """
      scf.if %lo {
        %w8 = nvvm.shfl.sync down %half, %v, %eight, %c31i : f32 -> f32
        %s8 = arith.addf %v, %w8 : f32
        %w1 = nvvm.shfl.sync down %half, %s8, %i1, %c31i : f32 -> f32
        %s1 = arith.addf %s8, %w1 : f32
        memref.store %s1, %out[%t] : memref<256xf32>
      }
"""),
    # The last warp has 16 threads, and the mask names all lanes.
    _correct("full_mask_in_a_warp_of_few_threads", """
      %w = nvvm.shfl.sync bfly %all, %v, %eight, %c31i : f32 -> f32
      %x = nvvm.vote.sync ballot %all, %true -> i32
      %y = arith.sitofp %x : i32 to f32
      %z = arith.addf %w, %y : f32
      memref.store %z, %out[%t] : memref<256xf32>
""", threads=48),
    # Lanes that have exited need not come.
    _correct("full_mask_behind_an_early_return", """
      cf.cond_br %lo, ^some, ^end
    ^some:
      %x = nvvm.vote.sync ballot %all, %true -> i32
      %y = arith.sitofp %x : i32 to f32
      memref.store %y, %out[%t] : memref<256xf32>
      cf.br ^end
    ^end:
"""),
    # `bar.warp.sync` is the same from either side of a branch.
    _correct("warp_barrier_on_both_sides", """
      scf.if %lo {
        memref.store %v, %out[%t] : memref<256xf32>
        nvvm.bar.warp.sync %all : i32
      } else {
        nvvm.bar.warp.sync %all : i32
        memref.store %f1, %in[%t] : memref<256xf32>
      }
"""),
]  # fmt: skip
