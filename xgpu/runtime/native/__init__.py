# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native part of the runtime: what must run without Python.

There is no C compiler on the machines that xgpu is for, so the block scheduler, the warp
collectives and the like are written in a small typed subset of Python (`language`), compiled by
LLVM once a process and never executed as Python. `library` puts them together with the few lines
that only LLVM IR can say (`guard`).
"""
