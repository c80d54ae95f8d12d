# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Named pipelines, as data: what runs, in which order, on what.

`gpu-lower-to-nvvm-pipeline` is MLIR 22.1's (GPUToNVVMPipeline.cpp), in its order. It differs where
MLIR's defaults no longer work or leak: without `cubin-chip` the newest chip is taken that the
backend and an installed assembler know (MLIR's sm_50 is refused by today's ptxas), the PTX version
follows from the chip unless `cubin-features` names one, and tokens become streams by
`gpu-async-to-mgpu`, unless `async-lowering=mlir` asks for MLIR's `gpu-to-llvm` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xgpu.core.passes.base import Option
from xgpu.core.passes.manager import PassManager, Pipeline
from xgpu.core.passes.registry import pass_class, pipeline_class
from xgpu.core.support.gpu_limits import MAX_THREADS
from xgpu.dialects.nvvm.attributes import DEFAULT_TRIPLE

#: An entry: anchor (None is the module itself), pass name, options from the pipeline's options.
Entry = tuple[str | None, str, Callable[[Any], dict[str, Any]]]


def _none(_: Any) -> dict[str, Any]:
    return {}


def _target(p: Any) -> dict[str, Any]:
    return {
        "triple": p.cubin_triple,
        "chip": p.chip(),
        "features": p.cubin_features,
        "O": p.opt_level,
        "ptxas_cmd_options": p.ptxas_cmd_options,
        "fast": p.fast,
        "ftz": p.ftz,
    }


#: Tokens to streams, where the structure of loops and branches can still be seen.
ASYNC_TO_MGPU: tuple[Entry, ...] = (
    (
        None,
        "gpu-async-to-mgpu",
        lambda p: {
            "assign": p.async_assign,
            "max_streams": p.max_streams,
            "mode": p.async_mode,
        },
    ),
)

VERIFY_LIFETIMES: tuple[Entry, ...] = ((None, "mgpu-verify-lifetimes", _none),)

OUTLINE: tuple[Entry, ...] = (
    # What kernels and host share.
    (None, "convert-nvgpu-to-nvvm", _none),
    (None, "gpu-kernel-outlining", _none),
)

GPU_LOWER_TO_NVVM: tuple[Entry, ...] = (
    (None, "convert-vector-to-scf", _none),
    (None, "convert-scf-to-cf", _none),
    (None, "convert-nvvm-to-llvm", _none),
    (None, "convert-func-to-llvm", _none),
    (None, "expand-strided-metadata", _none),
    (None, "nvvm-attach-target", _target),
    (None, "lower-affine", _none),
    (None, "convert-arith-to-llvm", _none),
    (None, "convert-index-to-llvm", lambda p: {"index_bitwidth": p.index_bitwidth}),
    (None, "canonicalize", _none),
    (None, "cse", _none),
    # Kernels.
    (
        "gpu.module",
        "convert-gpu-to-nvvm",
        lambda p: {
            "index_bitwidth": p.index_bitwidth,
            "use_bare_ptr_memref_call_conv": p.kernel_bare_ptr_calling_convention,
        },
    ),
    ("gpu.module", "canonicalize", _none),
    ("gpu.module", "cse", _none),
    ("gpu.module", "reconcile-unrealized-casts", _none),
    # The host, with the kernels embedded.
    (
        None,
        "gpu-to-llvm",
        lambda p: {
            "use_bare_pointers_for_host": p.host_bare_ptr_calling_convention,
            "use_bare_pointers_for_kernels": p.kernel_bare_ptr_calling_convention,
        },
    ),
    (
        None,
        "gpu-module-to-binary",
        lambda p: {
            "format": p.cubin_format,
            "fma_contract": p.fma_contract,
            "line_info": p.line_info,
            "relaxed_float_atomics": p.relaxed_float_atomics,
        },
    ),
    (None, "convert-math-to-llvm", _none),
    (None, "canonicalize", _none),
    (None, "cse", _none),
    (None, "reconcile-unrealized-casts", _none),
)


#: What is left of it for kernels in the llvm and nvvm dialects, without a host.
KERNELS_TO_BINARY = tuple(
    entry for entry in GPU_LOWER_TO_NVVM
    if entry[1] in ("convert-nvvm-to-llvm", "nvvm-attach-target", "gpu-module-to-binary")
)  # fmt: skip


def add_entries(manager: PassManager, entries: tuple[Entry, ...], options: Any) -> None:
    """Adds the passes of `entries` to `manager`, nesting those that have an anchor."""
    for anchor, name, values in entries:
        instance = pass_class(name)(**values(options))
        (manager if anchor is None else manager.nest(anchor)).add(instance)


class GPULowerToNVVMPipeline(Pipeline):
    """Lowers host and kernels, and compiles the kernels for NVIDIA GPUs."""

    name = "gpu-lower-to-nvvm-pipeline"
    summary = (
        "The default pipeline lowers main dialects (arith, memref, scf, vector, gpu, and nvgpu) "
        "to NVVM. It starts by lowering GPU code to the specified compilation target (default is "
        "fatbin) then lowers the host code."
    )
    options = (
        Option("index-bitwidth", int, 64, "Bitwidth of the index type for the host"),
        Option("cubin-triple", str, DEFAULT_TRIPLE, "Triple to use to serialize to cubin."),
        Option("cubin-chip", str, "", "Chip to use to serialize to cubin (default: the newest)."),
        Option("cubin-features", str, "", "Features to use to serialize to cubin."),
        Option("cubin-format", str, "fatbin", "Compilation format of the kernels."),
        Option("opt-level", int, 2, "Optimization level for NVVM compilation"),
        Option("ptxas-cmd-options", str, "", "Command line options for the assembler."),
        Option(
            "fma-contract",
            bool,
            False,
            "Let a product and a sum become one fma, as nvcc does by default.",
        ),
        Option("line-info", bool, False, "Lines of the source in the kernels' code."),
        Option("fast", bool, False, "Fast math in kernels, as nvcc's -use_fast_math."),
        Option("ftz", bool, False, "Flush denormal f32 to zero in kernels."),
        Option(
            "relaxed-float-atomics",
            bool,
            False,
            "Let kernels on the host device do atomic additions of floats in any order, where "
            "their results are not read.",
        ),
        Option(
            "kernel-bare-ptr-calling-convention",
            bool,
            False,
            "Whether to use the bareptr calling convention on the kernel",
        ),
        Option(
            "host-bare-ptr-calling-convention",
            bool,
            False,
            "Whether to use the bareptr calling convention on the host",
        ),
        Option(
            "async-lowering",
            str,
            "mgpu",
            "Tokens by gpu-async-to-mgpu, or by MLIR's gpu-to-llvm alone.",
            ("mgpu", "mlir"),
        ),
        Option(
            "async-assign",
            str,
            "min-streams",
            "What gpu-async-to-mgpu is to have few of; exact: nothing orders work but tokens.",
            ("min-streams", "min-events", "exact"),
        ),
        Option(
            "max-streams", int, 0, "At most so many streams a function; 0 for no limit.", least=0
        ),
        Option(
            "async-mode",
            str,
            "streams",
            "Whether gpu-async-to-mgpu may launch several operations as a graph.",
            ("streams", "graph"),
        ),
        Option(
            "kernels-alone",
            bool,
            False,
            "The program is kernels in the llvm and nvvm dialects: they are compiled as they are.",
        ),
        Option(
            "allow-pattern-rollback",
            bool,
            True,
            "Accepted for MLIR's sake: the conversion driver has nothing to roll back.",
        ),
    )

    cubin_chip: str
    async_assign: str
    async_lowering: str
    kernels_alone: bool

    def chip(self) -> str:
        """The chip that was asked for, or the newest that can be compiled for here."""
        if self.cubin_chip:
            return self.cubin_chip
        from xgpu.backend.nvptx.compiler import default_chip

        return default_chip()

    def build(self, manager: PassManager) -> None:
        if self.kernels_alone:
            add_entries(manager, KERNELS_TO_BINARY, self)
            return
        add_entries(manager, OUTLINE, self)
        if self.async_lowering == "mgpu":
            add_entries(manager, ASYNC_TO_MGPU, self)
            if self.async_assign != "exact":
                # There events live as long as the program.
                add_entries(manager, VERIFY_LIFETIMES, self)
        add_entries(manager, GPU_LOWER_TO_NVVM, self)


def _boundaries(p: Any) -> dict[str, Any]:
    return {
        "bufferize_function_boundaries": True,
        "function_boundary_type_conversion": p.function_layouts,
        "allow_return_allocs_from_loops": True,
    }


#: From structured operations on tensors to structured operations on buffers, and to kernels.
BUFFERS_FROM_LINALG: tuple[Entry, ...] = (
    # Arguments of functions are the caller's business: what functions here hand each other is ours.
    (None, "inline", _none),
    (None, "linalg-decompose-aggregates", _none),
    # One operation, one kernel: fewer are better.
    (None, "convert-elementwise-to-linalg", _none),
    (None, "linalg-generalize-named-ops", _none),
    (None, "linalg-fuse-elementwise-ops", _none),
    # New outputs have the sizes of others' results; as sizes of arguments they let those be fused.
    (None, "resolve-shaped-type-result-dims", _none),
    (None, "linalg-fuse-elementwise-ops", _none),
    (None, "canonicalize", _none),
    (None, "cse", _none),
    # Tensors to buffers, in place where that is right.
    (None, "eliminate-empty-tensors", _none),
    (None, "empty-tensor-to-alloc-tensor", _none),
    (None, "one-shot-bufferize", _boundaries),
    (None, "drop-equivalent-buffer-results", _none),
    (None, "canonicalize", _none),
    (None, "cse", _none),
)


def _warps(threads: int) -> int:
    """The number of threads in whole warps, which reductions need."""
    return min(-(-threads // 32) * 32, MAX_THREADS)


MAP_LINALG: tuple[Entry, ...] = (
    (None, "convert-bufferization-to-memref", _none),
    # Blocks and threads.
    (
        "func.func",
        "convert-linalg-contractions-to-gpu",
        lambda p: {"tile_sizes": p.tile_sizes, "threads": p.threads},
    ),
    (
        "func.func",
        "convert-linalg-reductions-to-gpu",
        lambda p: {"threads": _warps(p.threads[0] * p.threads[1])},
    ),
    (
        "func.func",
        "convert-linalg-to-gpu",
        lambda p: {"threads": p.threads[0] * p.threads[1]},
    ),
    ("func.func", "gpu-device-buffers", _none),
    ("func.func", "gpu-communicate", _none),
    # Copies to workgroup memory.
    (None, "canonicalize", _none),
    ("func.func", "gpu-vectorize-copies", lambda p: {"bytes": p.copy_bytes}),
    ("func.func", "gpu-map-foralls-to-threads", _none),
    (None, "canonicalize", _none),
    (None, "cse", _none),
)


def add_kernels_from_linalg(manager: PassManager, options: Any) -> None:
    """Adds the passes from structured operations on tensors to `gpu.launch`."""
    add_entries(manager, BUFFERS_FROM_LINALG, options)
    pipeline_class("buffer-deallocation-pipeline")().build(manager)
    add_entries(manager, MAP_LINALG, options)


_KERNEL_OPTIONS = (
    Option(
        "tile-sizes",
        list,
        (64, 64, 16),
        "Rows, columns and steps of the tiles of products.",
        element=int,
    ),
    Option("threads", list, (32, 8), "Threads of a block, in x and y.", element=int, least=1),
    Option(
        "copy-bytes",
        int,
        16,
        "Bytes that a thread copies at a time, at most; 0: an element.",
        least=0,
    ),
    Option(
        "function-layouts",
        str,
        "identity-layout-map",
        "Layouts of functions' arguments and results.",
        ("identity-layout-map", "fully-dynamic-layout-map", "infer-layout-map"),
    ),
)


class GPUKernelsFromLinalgPipeline(Pipeline):
    """Makes kernels of structured operations on tensors, up to `gpu.launch`."""

    name = "gpu-kernels-from-linalg-pipeline"
    summary = "Fuses and bufferizes structured operations on tensors, and makes kernels of them."
    options = _KERNEL_OPTIONS

    def build(self, manager: PassManager) -> None:
        add_kernels_from_linalg(manager, self)


class GPUFromLinalgPipeline(Pipeline):
    """`gpu-kernels-from-linalg-pipeline`, then `gpu-lower-to-nvvm-pipeline`."""

    name = "gpu-from-linalg-pipeline"
    summary = "Compiles structured operations on tensors for NVIDIA GPUs."
    options = (
        *_KERNEL_OPTIONS,
        Option("chip", str, "", "Chip to compile for (default: the newest)."),
        Option("format", str, "fatbin", "Compilation format of the kernels."),
        Option("opt-level", int, 2, "Optimization level for NVVM compilation"),
        Option(
            "fma-contract",
            bool,
            False,
            "Let a product and a sum become one fma, as nvcc does by default.",
        ),
    )

    chip: str
    format: str
    opt_level: int
    fma_contract: bool

    def build(self, manager: PassManager) -> None:
        add_kernels_from_linalg(manager, self)
        GPULowerToNVVMPipeline(
            cubin_chip=self.chip,
            cubin_format=self.format,
            opt_level=self.opt_level,
            fma_contract=self.fma_contract,
        ).build(manager)
