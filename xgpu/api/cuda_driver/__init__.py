# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver over the host device: `libcuda.so.1`, which programs load instead of NVIDIA's.

shared_object   the bytes of the library
library         where it lies, and how its functions come to be those of this package
table           the functions: C declarations, versions, checks of arguments
state           devices, contexts, threads, handles
contexts, memory, copies, modules, launches, streams, graphs   the functions
"""
