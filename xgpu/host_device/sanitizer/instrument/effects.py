# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations and intrinsics do to memory and to the order of accesses, as far as the sanitizer
watches it: one table.

`INTRINSICS` has an entry for each rule of the host device for intrinsics, by its pattern
(`compiler.rules`), and `OPERATIONS` for each operation of the nvvm dialect. PTX is in the table by
what its instructions become: both inline PTX and whole modules are operations and intrinsics before
they are instrumented. An operation or intrinsic

* does `NOTHING` to memory and order but compute its results;
* is `WATCHED`: it becomes an operation that has a rule, or has a rule itself (`instrument.nvvm`);
* is `HINT`: it says something about memory, or orders what the sanitizer does not watch, such as
  tensor maps that a kernel changes, or launches that overlap;
* is `REFUSED`: a kernel with it is not run under the sanitizer, with an error at its place.

What is not in the table is refused as well. A test compares it with the rules.
"""

from __future__ import annotations

NOTHING, WATCHED, HINT, REFUSED = "nothing", "watched", "hint", "refused"

INTRINSICS: dict[str, str] = {
    **dict.fromkeys((
        # Arithmetic and conversions.
        r"fma\.r\w(\.ftz)?(\.relu)?(\.sat)?\.\w+", r"add\.r\w(\.ftz)?(\.sat)?\.\w",
        r"mul\.r\w(\.ftz)?\.\w", r"div\.(r\w|approx|full)(\.ftz)?(\.\w)?",
        r"rcp\.(r\w|approx)(\.ftz)?\.\w", r"rsqrt\.approx(\.ftz)?\.\w",
        r"sqrt(\.r\w|\.approx)?(\.ftz)?\.\w", r"f(min|max)\..*", r"[fd]2u?(i|ll)\.r\w(\.ftz)?",
        r"u?(i|ll)2[fd]\.r\w", r"d2f\.r\w(\.ftz)?", r"f2b?f16\..*", r"mulhi\.\w+", r"mul24\.\w+",
        r"d2i\.(lo|hi)", r"lohi\.i2d", r"flo\.[su]\.i(32|64)", r"bmsk\.(wrap|clamp)", "fns",
        r"[sz]ext\.(wrap|clamp)", r"fsh[lr]\.clamp\.i32",
        r"sad\.\w+", r"idp4a\.[su]\.[su]", r"idp2a\.[su]\.[su]", "prmt",
        r"prmt\.(f4e|b4e|rc8|ecl|ecr|rc16)", r"(ex2|lg2|sin|cos|tanh)\.approx.*",
        r"(ceil|floor|trunc|round)(\.ftz)?\.\w", r"fabs(\.ftz)?(\.\w+)?", r"saturate(\.ftz)?\.\w",
        r"neg\.bf16(x2)?",
        r"b?f2h\.rn(\.ftz)?", r"ff2f16x2\.r[nz].*", r"ff2bf16x2\.r[nz].*", "reflect", r"move\.\w+",
        r"(ff|f16x2|bf16x2)\.to\.e\dm\dx2\.rn(\.relu)?(\.satfinite)?",
        r"e\dm\dx2\.to\.f16x2\.rn(\.relu)?", r"f2tf32\.(rna|rn|rz)(\.relu)?(\.satfinite)?",
        r"ff\.to\.ue8m0x2\.(rz|rp)(\.satfinite)?", r"bf16x2\.to\.ue8m0x2\.(rz|rp)(\.satfinite)?",
        r"ue8m0x2\.to\.bf16x2", r"ff2b?f16x2\.rs(\.relu)?(\.satfinite)?",
        r"f32x4\.to\.e\dm\dx4\.rs(\.relu)?\.satfinite",
        # Registers of a thread, addresses, the end of a thread.
        r"read\.ptx\.sreg\..*", "is_explicit_cluster", "activemask",
        r"isspacep\.shared(\.cluster)?", r"isspacep\.global",
        r"ptr\..*\.to\..*", r"internal\.addrspace\.wrap.*", "cvta.*",
        r"mapa(\.shared\.cluster)?", r"ptx\.shared\.pointer", r"ptx\.getctarank", "exit",
        r"mbarrier\.pending\.count", r"ptx\.surf\..*",
        r"clusterlaunchcontrol\.query_cancel\.is_canceled",
        r"clusterlaunchcontrol\.query_cancel\.get_first_ctaid\.[xyz]",
        # Products and transposition of matrices in registers.
        r"ptx\.movmatrix\.sync\.aligned\.m8n8\.trans\.b16",
        r"wmma\.m\d+n\d+k\d+\.((xor|and)\.popc\.)?mma\..*", r"wmma\.m\d+n\d+k\d+\.mma\..*",
        r"(ptx\.)?mma\..*",
    ), NOTHING),
    **dict.fromkeys((
        r"setmaxnreg\..*", r"griddepcontrol\..*", r"pm\.event.*", "prefetch.*",
        "applypriority.*", "discard.*", r"ptx\.tex\..*",
        r"cp\.async\.bulk\.(tensor\.)?prefetch\..*",
    ), HINT),
    **dict.fromkeys((
        # Exchanges of a warp.
        r"shfl\.sync\.(up|down|bfly|idx)\.(i32|f32)p?", r"vote\.(all|any|uni|ballot|eq)\.sync",
        r"match\.(any|all)\.sync\.i(32|64)p?", r"redux\.sync\.\w+(\.abs)?(\.NaN)?",
        r"elect\.sync", r"bar\.warp\.sync",
        # Barriers.
        "barrier0", r"barrier(\.cta)?\.sync(\.aligned)?(\.all|\.count)?", r"barrier\.n", "barrier",
        r"bar\.sync", r"barrier0\.(popc|and|or)",
        r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.(all|count)",
        r"barrier\.cta\.arrive(\.aligned)?\.(all|count)",
        r"barrier\.cluster\.arrive(\.relaxed)?(\.aligned)?", r"barrier\.cluster\.wait(\.aligned)?",
        "nanosleep",
        # Fences.
        r"membar\..*", r"fence\..*",
        # mbarriers.
        r"mbarrier\.inval(\.shared)?", r"mbarrier\.init(\.shared)?", r"mbarrier\.arrive(\..*)?",
        r"cp\.async\.mbarrier\.arrive\.noinc(\.shared)?",
        r"cp\.async\.mbarrier\.arrive(\.shared)?", r"mbarrier\.(expect|complete)\.tx\..*",
        r"mbarrier\.(test|try)\.wait(\..*)?",
        # Groups of asynchronous operations.
        r"cp\.async\.(commit\.group|wait\.(all|group))",
        r"cp\.async\.bulk\.(commit\.group|wait\.group.*)",
        r"wgmma\.(fence|commit_group)\..*", r"wgmma\.wait_group\..*",
        # Matrices in memory, and tensor memory.
        r"ptx\.wgmma\.mma_async\..*", r"ldmatrix\.sync\.aligned\..*",
        r"stmatrix\.sync\.aligned\..*", r"tcgen05\.(wait|fence|relinq)\..*",
        r"tcgen05\.alloc\..*", r"tcgen05\.dealloc\..*", r"tcgen05\.ld\..*", r"tcgen05\.st\..*",
        r"tcgen05\.cp\..*", r"tcgen05\.shift\.down\..*", r"tcgen05\.commit\..*",
        r"tcgen05\.mma\..*", r"ptx\.tcgen05\.mma\..*",
    ), WATCHED),
    **dict.fromkeys((
        r"cp\.async\.bulk\.tensor\.g2s\..*", r"cp\.async\.bulk\.tensor\.s2g\..*",
        r"cp\.async\.bulk\.tensor\.reduce\..*",
        r"clusterlaunchcontrol\.try_cancel\.async(\.multicast)?(\.shared)?",
        r"cp\.async\.bulk\.global\.to\.shared\.(cluster|cta)",
        r"cp\.async\.bulk\.shared\.cta\.to\.cluster", r"cp\.async\.bulk\.shared\.cta\.to\.global",
        r"cp\.async\.c[ag]\.shared\.global\.\d+(\.s)?", r"ld[gu]\.global\..*",
        r"wmma\.m\d+n\d+k\d+\.load\..*", r"wmma\.m\d+n\d+k\d+\.store\..*",
    ), REFUSED),
}  # fmt: skip

#: Operations without a rule of the sanitizer's own; those of `nvvm.read.ptx.sreg.` do nothing, and
#: what begins with `nvvm.tcgen05.` is watched.
OPERATIONS: dict[str, str] = {
    **dict.fromkeys((
        "nvvm.breakpoint", "nvvm.clusterlaunchcontrol.query.cancel",
        "nvvm.convert.bf16x2.to.f8x2", "nvvm.convert.f16x2.to.f8x2",
        "nvvm.convert.f32x2.to.bf16x2", "nvvm.convert.f32x2.to.f16x2",
        "nvvm.convert.f32x2.to.f4x2", "nvvm.convert.f32x2.to.f6x2", "nvvm.convert.f32x2.to.f8x2",
        "nvvm.convert.f32x4.to.f4x4", "nvvm.convert.f32x4.to.f6x4", "nvvm.convert.f32x4.to.f8x4",
        "nvvm.convert.f4x2.to.f16x2", "nvvm.convert.f6x2.to.f16x2", "nvvm.convert.f8x2.to.bf16x2",
        "nvvm.convert.f8x2.to.f16x2", "nvvm.convert.float.to.tf32", "nvvm.dot.accumulate.2way",
        "nvvm.dot.accumulate.4way", "nvvm.exit", "nvvm.mma.block_scale", "nvvm.mma.sp.block_scale",
        "nvvm.mma.sp.sync", "nvvm.mma.sync", "nvvm.prmt", "nvvm.rcp.approx.ftz.f", "nvvm.wmma.mma",
    ), NOTHING),
    **dict.fromkeys((
        "nvvm.cp.async.bulk.prefetch", "nvvm.cp.async.bulk.tensor.prefetch", "nvvm.prefetch",
        "nvvm.fence.proxy.acquire", "nvvm.fence.proxy.release", "nvvm.fence.proxy.sync_restrict",
        "nvvm.fence.sync_restrict", "nvvm.griddepcontrol", "nvvm.pmevent", "nvvm.setmaxregister",
    ), HINT),
    # Become inline PTX, and that intrinsics.
    **dict.fromkeys(("nvvm.inline_ptx", "nvvm.wgmma.mma_async"), WATCHED),
    **dict.fromkeys((
        "nvvm.st.bulk",
    ), REFUSED),
}  # fmt: skip

_SILENT = (NOTHING, HINT)


def is_silent_operation(name: str) -> bool:
    """Whether an operation of the nvvm dialect does nothing that the sanitizer watches."""
    return name.startswith("nvvm.read.ptx.sreg.") or OPERATIONS.get(name) in _SILENT


def is_hint(name: str, intrinsic: str | None) -> bool:
    """Whether an operation, or the intrinsic that it calls, is a `HINT`."""
    if intrinsic is None:
        return OPERATIONS.get(name) == HINT
    from xgpu.host_device.compiler.rules.lowering import intrinsic_pattern

    pattern = intrinsic_pattern(intrinsic)
    return pattern is not None and INTRINSICS.get(pattern) == HINT


def is_silent_intrinsic(name: str) -> bool:
    """Likewise for an intrinsic, by its name without `llvm.nvvm.`. One that the host device does
    not have is refused by its compiler."""
    from xgpu.host_device.compiler.rules.lowering import intrinsic_pattern

    pattern = intrinsic_pattern(name)
    return pattern is None or INTRINSICS.get(pattern) in _SILENT
