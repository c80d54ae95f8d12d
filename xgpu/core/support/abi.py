# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions between a lowered host program and a device: MLIR's `mgpu*`, and our extensions.

One table. Lowering and translation take declarations from it, both devices are bound through it,
and a test holds it against MLIR 22.1's 52 names. Handles (module, function, stream, event) are
opaque pointers; a null stream is the device's default stream. `extension` marks what MLIR does not
have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ctypes


class AbiFunction:
    """One function: LLVM types of its parameters and result, and what it does."""

    __slots__ = (
        "extension", "index", "is_operation", "is_release", "name", "parameters", "result",
        "summary",
    )  # fmt: skip

    def __init__(
        self, index: int, name: str, result: str, parameters: tuple[str, ...], kind: str,
        summary: str, extension: bool,
    ) -> None:  # fmt: skip
        self.index = index
        self.name = name
        self.result = result
        self.parameters = parameters
        #: Whether it does something on the device, and takes the location of `mgpuAnnotate`.
        self.is_operation = "o" in kind
        #: Whether it is called after an error, too.
        self.is_release = "r" in kind
        self.summary = summary
        self.extension = extension


# name, result, parameters (p ptr, l i64, i i32, s i16, b i8), kind, summary. A function of kind `o`
# does something on the device, and takes the location that mgpuAnnotate has given. One of kind `r`
# releases something, after an error too.
_MLIR = (
    # modules
    ("mgpuModuleLoad", "p", "p l", "", "load a binary of that many bytes; the module"),
    ("mgpuModuleLoadJIT", "p", "p i", "", "load NUL-terminated PTX, at an optimization level"),
    ("mgpuModuleUnload", "v", "p", "r", "unload a module"),
    ("mgpuModuleGetFunction", "p", "p p", "", "the kernel of that name in a module"),
    # launches
    ("mgpuLaunchKernel", "v", "p l l l l l l i p p p l", "o",
     "launch: grid, block, dynamic shared bytes, stream, parameters, extra, their number"),
    ("mgpuLaunchClusterKernel", "v", "p l l l l l l l l l i p p p", "o",
     "launch in clusters: cluster, grid, block, dynamic shared bytes, stream, parameters, "
     "extra"),
    # streams and events
    ("mgpuStreamCreate", "p", "", "", "create a stream"),
    ("mgpuStreamDestroy", "v", "p", "r", "destroy a stream; what it holds still runs"),
    ("mgpuStreamSynchronize", "v", "p", "", "wait for all that a stream holds"),
    ("mgpuStreamWaitEvent", "v", "p p", "", "let a stream wait for what an event recorded"),
    ("mgpuEventCreate", "p", "", "", "create an event"),
    ("mgpuEventDestroy", "v", "p", "r", "destroy an event"),
    ("mgpuEventSynchronize", "v", "p", "", "wait for what an event recorded"),
    ("mgpuEventRecord", "v", "p p", "", "record in an event what a stream holds now"),
    # memory
    ("mgpuMemAlloc", "p", "l p b", "o", "allocate bytes; the last parameter: shared with the host"),
    ("mgpuMemFree", "v", "p p", "or", "free, in the order of a stream"),
    ("mgpuMemcpy", "v", "p p l p", "o", "copy to, from, bytes, in the order of a stream"),
    ("mgpuMemset32", "v", "p i l p", "o", "fill with a 32-bit value, so many times"),
    ("mgpuMemset16", "v", "p s l p", "o", "fill with a 16-bit value, so many times"),
    ("mgpuMemHostRegisterMemRef", "v", "l p l", "o",
     "make a memref (rank, descriptor, element bytes) accessible to the device"),
    ("mgpuMemHostUnregisterMemRef", "v", "l p l", "o", "undo mgpuMemHostRegisterMemRef"),
    ("mgpuSetDefaultDevice", "v", "i", "", "the device that the program uses from now on"),
    ("mgpuTensorMapEncodeTiledMemref", "p", "l p l l l l l p", "",
     "a tensor map for TMA: rank, descriptor, type, interleave, swizzle, L2 promotion, fill, "
     "box"),
    # cuSPARSE and cuSPARSELt
    ("mgpuCreateCoo", "p", "l l l p p p i i p", "", "sparse matrix, coordinates"),
    ("mgpuCreateCooAoS", "p", "l l l p p i i p", "", "sparse matrix, coordinates in one array"),
    ("mgpuCreateCsr", "p", "l l l p p p i i i p", "", "sparse matrix, compressed rows"),
    ("mgpuCreateCsc", "p", "l l l p p p i i i p", "", "sparse matrix, compressed columns"),
    ("mgpuCreateBsr", "p", "l l l l l p p p i i i p", "", "sparse matrix, blocks"),
    ("mgpuDestroySpMat", "v", "p p", "", "destroy a sparse matrix"),
    ("mgpuCreateDnVec", "p", "l p i p", "", "dense vector"),
    ("mgpuDestroyDnVec", "v", "p p", "", "destroy a dense vector"),
    ("mgpuCreateDnMat", "p", "l l p i p", "", "dense matrix"),
    ("mgpuDestroyDnMat", "v", "p p", "", "destroy a dense matrix"),
    ("mgpuSpMVBufferSize", "l", "i p p p i p", "", "bytes that mgpuSpMV needs"),
    ("mgpuSpMV", "v", "i p p p i p p", "", "sparse matrix times vector"),
    ("mgpuSpMMBufferSize", "l", "i i p p p i p", "", "bytes that mgpuSpMM needs"),
    ("mgpuSpMM", "v", "i i p p p i p p", "", "sparse matrix times dense matrix"),
    ("mgpuSDDMMBufferSize", "l", "i i p p p i p", "", "bytes that mgpuSDDMM needs"),
    ("mgpuSDDMM", "v", "i i p p p i p p", "", "sampled dense-dense product"),
    ("mgpuSpGEMMCreateDescr", "p", "p", "", "descriptor of a sparse-sparse product"),
    ("mgpuSpGEMMDestroyDescr", "v", "p p", "", "destroy that descriptor"),
    ("mgpuSpGEMMWorkEstimation", "l", "p i i p p p i l p p", "", "bytes of work of a product"),
    ("mgpuSpGEMMCompute", "l", "p i i p p p i l p p", "", "compute a product"),
    ("mgpuSpGEMMCopy", "v", "p i i p p p i p", "", "copy a product out"),
    ("mgpuSpMatGetSize", "v", "p p p p p", "", "rows, columns and elements of a sparse matrix"),
    ("mgpuSetCsrPointers", "v", "p p p p p", "", "set the arrays of a sparse matrix"),
    ("mgpuCreateCuSparseLtDnMat", "v", "p l l p i p", "", "dense matrix of cuSPARSELt"),
    ("mgpuDestroyCuSparseLtDnMat", "v", "p p", "", "destroy it"),
    ("mgpuCusparseLtCreate2To4SpMat", "v", "p l l p i p", "", "2:4 sparse matrix"),
    ("mgpuDestroyCuSparseLtSpMat", "v", "p p", "", "destroy it"),
    ("mgpuCuSparseLtSpMMBufferSize", "v", "p i i p p p i i p", "", "bytes for mgpuCuSparseLtSpMM"),
    ("mgpuCuSparseLtSpMM", "v", "p p p p p p p", "", "2:4 sparse times dense"),
)  # fmt: skip

# What user programs call by name and MLIR's CUDA runtime exports, and what is ours.
_EXTENSIONS = (
    ("mgpuMemHostRegister", "v", "p l", "o", "make bytes of the host accessible to the device"),
    ("mgpuMemHostUnregister", "v", "p", "o", "undo mgpuMemHostRegister"),
    ("mgpuMemset8", "v", "p b l p", "o", "fill with an 8-bit value, so many times"),
    ("mgpuMemset64", "v", "p l l p", "o", "fill with a 64-bit value, so many times"),
    ("mgpuCreateSparseEnv", "v", "", "", "start cuSPARSE"),
    ("mgpuDestroySparseEnv", "v", "", "", "end cuSPARSE"),
    ("mgpuCreateSparseLtEnv", "v", "", "", "start cuSPARSELt"),
    ("mgpuDestroySparseLtEnv", "v", "", "", "end cuSPARSELt"),
    # stream-ordered memory, and what makes launches start at once and traces readable
    ("mgpuMemAllocAsync", "p", "l p", "o", "allocate bytes in the order of a stream"),
    ("mgpuMemFreeAsync", "v", "p p", "or", "free in the order of a stream"),
    ("mgpuKernelPreload", "v", "p", "", "load a kernel now, so that its first launch need not"),
    ("mgpuAnnotate", "v", "p", "",
     "the location in the source of the next operation of this thread"),
    # between ranks, as NCCL's functions: types and reductions are its numbers, a communicator is
    # MPI's handle of it; what is between start and end is one group
    ("mgpuCommGroupStart", "v", "p", "o", "begin a group of communication in a stream"),
    ("mgpuCommGroupEnd", "v", "p", "o", "end the group: all of it is under way"),
    ("mgpuCommAllReduce", "v", "p p l i i l p", "o",
     "reduce over all ranks: sent, received, elements, type, reduction, communicator, stream"),
    ("mgpuCommReduceScatter", "v", "p p l i i l p", "o",
     "reduce over all ranks, each gets a part: sent, received, elements of a part, type, "
     "reduction, communicator, stream"),
    ("mgpuCommAllGather", "v", "p p l i l p", "o",
     "join what all ranks send: sent, received, elements of a part, type, communicator, "
     "stream"),
    ("mgpuCommAllToAll", "v", "p p l i l p", "o",
     "send each rank a part: sent, received, elements of all, type, communicator, stream"),
    ("mgpuCommBroadcast", "v", "p l i i l p", "o",
     "send the root's to all ranks: buffer, elements, type, root, communicator, stream"),
    ("mgpuCommSend", "v", "p l i i l p", "o",
     "send to a rank: buffer, elements, type, rank, communicator, stream"),
    ("mgpuCommReceive", "v", "p l i i l p", "o",
     "receive from a rank: buffer, elements, type, rank, communicator, stream"),
    # graphs; dependencies: an array of nodes and their number
    ("mgpuGraphCreate", "p", "", "", "create an empty graph"),
    ("mgpuGraphAddKernel", "p", "p p l p l l l l l l i p l l", "o",
     "a kernel node: graph, dependencies, their number, function, grid, block, dynamic "
     "shared bytes, parameters, their number, the bytes that they take together"),
    ("mgpuGraphAddClusterKernel", "p", "p p l p l l l l l l l l l i p l l", "o",
     "a kernel node with clusters: graph, dependencies, their number, function, cluster, "
     "grid, block, dynamic shared bytes, parameters, their number, their bytes"),
    ("mgpuGraphAddMemcpy", "p", "p p l p p l", "o",
     "a copy node: graph, dependencies, their number, to, from, bytes"),
    ("mgpuGraphAddMemset", "p", "p p l p l i l", "o",
     "a fill node: graph, dependencies, their number, to, value, bytes of a value, values"),
    ("mgpuGraphAddEmpty", "p", "p p l", "o",
     "a node that joins: graph, dependencies, their number"),
    ("mgpuGraphAddHost", "p", "p p l p p", "o",
     "a node that calls a function of the host: graph, dependencies, their number, function, "
     "argument"),
    ("mgpuGraphAddAlloc", "p", "p p l l p", "o",
     "an allocating node: graph, dependencies, their number, bytes, where the address goes"),
    ("mgpuGraphAddFree", "p", "p p l p", "o",
     "a freeing node: graph, dependencies, their number, address"),
    ("mgpuGraphInstantiate", "p", "p", "",
     "make a graph executable; it may be launched many times"),
    ("mgpuGraphExecKernelSetParams", "v", "p p p l l l l l l i p l l", "",
     "change a kernel node: executable graph, node, function, grid, block, dynamic shared "
     "bytes, parameters, their number, their bytes"),
    ("mgpuGraphExecMemcpySetParams", "v", "p p p p l", "",
     "change a copy node: executable graph, node, to, from, bytes"),
    ("mgpuGraphExecMemsetSetParams", "v", "p p p l i l", "",
     "change a fill node: executable graph, node, to, value, bytes of a value, values"),
    ("mgpuGraphLaunch", "v", "p p", "o", "launch an executable graph in a stream"),
    ("mgpuGraphExecDestroy", "v", "p", "r", "destroy an executable graph"),
    ("mgpuGraphDestroy", "v", "p", "r", "destroy a graph and its nodes"),
)  # fmt: skip

_LETTERS = {"p": "ptr", "l": "i64", "i": "i32", "s": "i16", "b": "i8", "v": "void"}


def _build() -> dict[str, AbiFunction]:
    table: dict[str, AbiFunction] = {}
    for index, (name, result, parameters, kind, summary) in enumerate((*_MLIR, *_EXTENSIONS)):
        types = tuple(_LETTERS[letter] for letter in parameters.split())
        table[name] = AbiFunction(
            index, name, _LETTERS[result], types, kind, summary, index >= len(_MLIR)
        )
    return table


FUNCTIONS: dict[str, AbiFunction] = _build()


def declaration(name: str) -> str:
    """The LLVM IR declaration of a function of the table."""
    function = FUNCTIONS[name]
    return f"declare {function.result} @{name}({', '.join(function.parameters)})"


def prototype(function: AbiFunction) -> type[ctypes._CFunctionType]:
    """The function as a ctypes prototype; pointers are integers, null is 0."""
    import ctypes

    kinds: dict[str, Any] = {
        "ptr": ctypes.c_uint64, "i64": ctypes.c_int64, "i32": ctypes.c_int32,
        "i16": ctypes.c_int16, "i8": ctypes.c_int8, "void": None,
    }  # fmt: skip
    return ctypes.CFUNCTYPE(kinds[function.result], *(kinds[p] for p in function.parameters))
