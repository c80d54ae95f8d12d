# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device: a simulated GPU on the CPU.

compiler   kernels become machine code of the CPU: warps as vectors, coroutines where threads
           wait
native     the library that such code calls, written in a typed subset of Python
sanitizer  races, accesses out of bounds and missing waits: instrumentation and reports
device     memory, modules, streams and launches, as the runtime's interface asks for them
"""
