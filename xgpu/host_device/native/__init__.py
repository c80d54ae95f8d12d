# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native part of the runtime: what must run without Python.

There is no C compiler on the machines that xgpu is for, so the block scheduler, the warp
collectives and the like are written in typed Python (`sources/*.py`, `prelude.pyi` says what they
may use) that LLVM compiles (`language`). `library` puts them together with the few lines that only
LLVM IR can say and caches the machine code; `interpret` runs them as Python, for debuggers.
"""
