# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What any GPU launches at most, from compute capability 3.0 on (CUDA C++ Programming Guide,
technical specifications). What differs from one GPU to another is a matter of its device."""

from __future__ import annotations

#: Threads of a block, and its size along x, y and z.
MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
#: Blocks along x, y and z.
MAX_GRID = ((1 << 31) - 1, 65535, 65535)
#: Bytes of static workgroup memory of a kernel, and of all of it without asking for more.
MAX_STATIC_SHARED = 48 * 1024
