# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`one-shot-bufferize`: tensors become buffers, with copies only where a read needs them.

    %0 = linalg.fill ins(%c : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    =>
    linalg.fill ins(%c : f32) outs(%m : memref<?xf32, strided<[?], offset: ?>>)

Source: MLIR 22.1 Bufferize.cpp. How it works: `one_shot/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.transforms.bufferization.one_shot.options import Options

_LAYOUTS = ("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map")
_HEURISTICS = ("bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer")


class OneShotBufferizePass(Pass):
    """Bufferizes what it knows."""

    name = "one-shot-bufferize"
    summary = "One-Shot Bufferize"
    options = (
        Option("allow-return-allocs-from-loops", bool, False, "let loops yield new buffers"),
        Option("allow-unknown-ops", bool, False, "leave operations alone that are not known"),
        Option("analysis-fuzzer-seed", int, 0, "decide in an order that follows from this seed"),
        Option("analysis-heuristic", str, "bottom-up", "the order of decisions"),
        Option("buffer-alignment", int, 64, "the alignment of new buffers"),
        Option("bufferize-function-boundaries", bool, False, "arguments and results too"),
        Option("check-parallel-regions", bool, True, "buffers that threads share are copied"),
        Option("copy-before-write", bool, False, "analyze nothing, copy before each write"),
        Option("dialect-filter", list, (), "only operations of these dialects"),
        Option("dump-alias-sets", bool, False, "state what may share buffers"),
        Option(
            "function-boundary-type-conversion",
            str,
            "infer-layout-map",
            "layouts of arguments and results",
            _LAYOUTS,
        ),
        Option("must-infer-memory-space", bool, False, "no memory space is the default one"),
        Option("no-analysis-func-filter", list, (), "functions that copy before each write"),
        Option("print-conflicts", bool, False, "state why operands are copied"),
        Option("test-analysis-only", bool, False, "only state what was found"),
        Option(
            "unknown-type-conversion",
            str,
            "fully-dynamic-layout-map",
            "layouts of buffers that come from elsewhere",
            _LAYOUTS,
        ),
        Option("use-encoding-for-memory-space", bool, False, "encodings are memory spaces"),
    )

    allow_return_allocs_from_loops: bool
    allow_unknown_ops: bool
    analysis_fuzzer_seed: int
    analysis_heuristic: str
    buffer_alignment: int
    bufferize_function_boundaries: bool
    check_parallel_regions: bool
    copy_before_write: bool
    dialect_filter: tuple[str, ...]
    dump_alias_sets: bool
    function_boundary_type_conversion: str
    must_infer_memory_space: bool
    no_analysis_func_filter: tuple[str, ...]
    print_conflicts: bool
    test_analysis_only: bool
    unknown_type_conversion: str
    use_encoding_for_memory_space: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.bufferization.one_shot.bufferize import one_shot_bufferize
        from xgpu.transforms.bufferization.one_shot.functions import bufferize_module

        options = self._options(op)
        if options.bufferize_function_boundaries and op.name == "builtin.module":
            bufferize_module(op, options)
        else:
            one_shot_bufferize(op, options)

    def _options(self, op: Operation) -> Options:
        from xgpu.transforms.bufferization.one_shot import options as choices

        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            raise error(
                op,
                "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are "
                f"allowed in {self.name}",
            )
        if self.unknown_type_conversion == choices.INFER:
            raise error(
                op,
                "Invalid option: 'infer-layout-map' is not a valid value for "
                "'unknown-type-conversion'",
            )
        if self.print_conflicts and not self.test_analysis_only:
            raise error(op, "'print-conflicts' requires 'test-analysis-only'")
        if self.analysis_heuristic not in _HEURISTICS:
            raise error(op, f"invalid analysis-heuristic: {self.analysis_heuristic}")
        space = choices.default_space
        if self.must_infer_memory_space:
            space = choices.no_space
        elif self.use_encoding_for_memory_space:
            space = choices.encoded_space
        return choices.Options(
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            allow_unknown_ops=self.allow_unknown_ops,
            analysis_heuristic=self.analysis_heuristic,
            analysis_fuzzer_seed=self.analysis_fuzzer_seed,
            buffer_alignment=self.buffer_alignment,
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            check_parallel_regions=self.check_parallel_regions,
            copy_before_write=self.copy_before_write,
            dialect_filter=tuple(self.dialect_filter),
            dump_alias_sets=self.dump_alias_sets,
            function_boundaries=self.function_boundary_type_conversion,
            no_analysis_functions=tuple(self.no_analysis_func_filter),
            print_conflicts=self.print_conflicts,
            test_analysis_only=self.test_analysis_only,
            unknown_layout=self.unknown_type_conversion,
            space_of=space,
        )
