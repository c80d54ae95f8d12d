# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device: a simulated GPU on the CPU.

abi        what the others agree on: records in memory, codes, addresses
machine    LLVM for this CPU
native     the library that kernels call, written in a typed subset of Python
compiler   kernels become machine code of the CPU: warps as vectors, coroutines where threads
           wait
device     memory, modules, streams and launches, as the runtime's interface asks for them
sanitizer  races, accesses out of bounds and missing waits: instrumentation and reports

Each imports from those above it in this list.
"""
