# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CPU as the machine that LLVM compiles for.

cpu           its features, optimization and object code
claim_checks  a build for tests, which checks what code claims to LLVM
text          types and operands in LLVM IR text
"""
