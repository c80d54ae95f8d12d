# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How LLVM's loop metadata says what the parts of a `#llvm.loop_annotation` say."""

from __future__ import annotations

#: Sub-attribute of a loop annotation -> its parameters as (name, LLVM's option, how).
#: "flag" adds the bare option if true, "off" if false, "bool" the value, "i32" a number,
#: "loop" a follow-up loop.
LOOP_PARTS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "vectorize",
        (
            ("disable", "llvm.loop.vectorize.enable", "not"),
            ("predicateEnable", "llvm.loop.vectorize.predicate.enable", "bool"),
            ("scalableEnable", "llvm.loop.vectorize.scalable.enable", "bool"),
            ("width", "llvm.loop.vectorize.width", "i32"),
            ("followupVectorized", "llvm.loop.vectorize.followup_vectorized", "loop"),
            ("followupEpilogue", "llvm.loop.vectorize.followup_epilogue", "loop"),
            ("followupAll", "llvm.loop.vectorize.followup_all", "loop"),
        ),
    ),
    ("interleave", (("count", "llvm.loop.interleave.count", "i32"),)),
    (
        "unroll",
        (
            ("disable", "llvm.loop.unroll.disable|llvm.loop.unroll.enable", "either"),
            ("count", "llvm.loop.unroll.count", "i32"),
            ("runtimeDisable", "llvm.loop.unroll.runtime.disable", "bool"),
            ("full", "llvm.loop.unroll.full", "flag"),
            ("followupUnrolled", "llvm.loop.unroll.followup_unrolled", "loop"),
            ("followupRemainder", "llvm.loop.unroll.followup_remainder", "loop"),
            ("followupAll", "llvm.loop.unroll.followup_all", "loop"),
        ),
    ),
    (
        "unrollAndJam",
        (
            (
                "disable",
                "llvm.loop.unroll_and_jam.disable|llvm.loop.unroll_and_jam.enable",
                "either",
            ),
            ("count", "llvm.loop.unroll_and_jam.count", "i32"),
            ("followupOuter", "llvm.loop.unroll_and_jam.followup_outer", "loop"),
            ("followupInner", "llvm.loop.unroll_and_jam.followup_inner", "loop"),
            (
                "followupRemainderOuter",
                "llvm.loop.unroll_and_jam.followup_remainder_outer",
                "loop",
            ),
            (
                "followupRemainderInner",
                "llvm.loop.unroll_and_jam.followup_remainder_inner",
                "loop",
            ),
            ("followupAll", "llvm.loop.unroll_and_jam.followup_all", "loop"),
        ),
    ),
    (
        "licm",
        (
            ("disable", "llvm.licm.disable", "flag"),
            ("versioningDisable", "llvm.loop.licm_versioning.disable", "flag"),
        ),
    ),
    (
        "distribute",
        (
            ("disable", "llvm.loop.distribute.enable", "not"),
            ("followupCoincident", "llvm.loop.distribute.followup_coincident", "loop"),
            ("followupSequential", "llvm.loop.distribute.followup_sequential", "loop"),
            ("followupFallback", "llvm.loop.distribute.followup_fallback", "loop"),
            ("followupAll", "llvm.loop.distribute.followup_all", "loop"),
        ),
    ),
    (
        "pipeline",
        (
            ("disable", "llvm.loop.pipeline.disable", "bool"),
            ("initiationinterval", "llvm.loop.pipeline.initiationinterval", "i32"),
        ),
    ),
    ("peeled", (("count", "llvm.loop.peeled.count", "i32"),)),
    ("unswitch", (("partialDisable", "llvm.loop.unswitch.partial.disable", "flag"),)),
)
