# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver over the host device: `libcuda.so.1`, which programs load instead of NVIDIA's.

shared_object   the bytes of a library
native          how its functions come to be those of this package
library_file    where the libraries lie: the folder, and what is written there
library         the driver in this process, its end
nvrtc           NVRTC over clang
nvrtc_options   its options
table           the functions: C declarations, versions, checks of arguments, calls
header          results and structures of cuda.h
settings        what xgpu-cuda asks for; attributes of devices
state           devices, contexts, threads, streams, memory, handles
fast_calls      functions that programs call most, without Python between
images          what programs give as code
graphs          nodes, executable graphs, capture
contexts, memory, virtual_memory, copies, modules, launches, occupancy, streams, graph_functions,
captures        the functions
"""
