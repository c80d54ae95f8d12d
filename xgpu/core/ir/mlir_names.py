# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR 22.1 has, by name; made by tools/generate_mlir_names.py.

Read only where something is not found: the message tells what is missing from what is
misspelled."""

#: Passes of mlir-opt but those that serve MLIR's own tests; so of the rest.
PASSES = frozenset("""
acc-if-clause-lowering acc-implicit-data acc-implicit-declare acc-implicit-routine
acc-legalize-serial acc-loop-tiling acc-specialize-for-device acc-specialize-for-host
affine-data-copy-generate affine-expand-index-ops affine-expand-index-ops-as-affine
affine-fold-memref-alias-ops affine-loop-coalescing affine-loop-fusion
affine-loop-invariant-code-motion affine-loop-normalize affine-loop-tile affine-loop-unroll
affine-loop-unroll-jam affine-parallelize affine-pipeline-data-transfer affine-raise-from-memref
affine-scalrep affine-simplify-min-max affine-simplify-structures affine-super-vectorize
affine-super-vectorizer-test amdgpu-emulate-atomics amdgpu-fold-memrefs-ops
amdgpu-maskedload-to-load amdgpu-resolve-strided-metadata arith-emulate-unsupported-floats
arith-emulate-wide-int arith-expand arith-int-range-narrowing arith-unsigned-when-equivalent
arm-neon-2d-to-intr arm-sme-outer-product-fusion arm-sme-vector-legalization
arm-sve-legalize-vector-storage async-func-to-async-runtime async-parallel-for
async-runtime-policy-based-ref-counting async-runtime-ref-counting async-runtime-ref-counting-opt
async-to-async-runtime bubble-down-memory-space-casts buffer-deallocation-simplification
buffer-hoisting buffer-loop-hoisting buffer-results-to-out-params
bufferization-lower-deallocations canonicalize composite-fixed-point-pass control-flow-sink
convert-affine-for-to-gpu convert-amdgpu-to-rocdl convert-arith-to-amdgpu convert-arith-to-apfloat
convert-arith-to-arm-sme convert-arith-to-emitc convert-arith-to-llvm convert-arith-to-spirv
convert-arm-sme-to-llvm convert-arm-sme-to-scf convert-async-to-llvm
convert-bufferization-to-memref convert-cf-to-llvm convert-cf-to-spirv convert-complex-to-libm
convert-complex-to-llvm convert-complex-to-rocdl-library-calls convert-complex-to-spirv
convert-complex-to-standard convert-elementwise-to-linalg convert-func-to-emitc
convert-func-to-llvm convert-func-to-spirv convert-gpu-to-llvm-spv convert-gpu-to-nvvm
convert-gpu-to-rocdl convert-gpu-to-spirv convert-index-to-llvm convert-index-to-spirv
convert-linalg-to-affine-loops convert-linalg-to-loops convert-linalg-to-parallel-loops
convert-linalg-to-std convert-math-to-apfloat convert-math-to-emitc convert-math-to-funcs
convert-math-to-libm convert-math-to-llvm convert-math-to-rocdl convert-math-to-spirv
convert-math-to-xevm convert-memref-to-emitc convert-memref-to-spirv convert-nvgpu-to-nvvm
convert-nvvm-to-llvm convert-openacc-to-scf convert-openmp-to-llvm convert-parallel-loops-to-gpu
convert-pdl-to-pdl-interp convert-scf-to-cf convert-scf-to-emitc convert-scf-to-openmp
convert-scf-to-spirv convert-shape-constraints convert-shape-to-std convert-shard-to-mpi
convert-spirv-to-llvm convert-tensor-to-linalg convert-tensor-to-spirv convert-to-emitc
convert-to-llvm convert-ub-to-llvm convert-ub-to-spirv convert-vector-to-amx
convert-vector-to-arm-sme convert-vector-to-gpu convert-vector-to-llvm convert-vector-to-scf
convert-vector-to-spirv convert-vector-to-xegpu convert-xegpu-to-xevm convert-xevm-to-llvm cse
decorate-spirv-composite-type-layout drop-equivalent-buffer-results duplicate-function-elimination
eliminate-empty-tensors empty-tensor-to-alloc-tensor enable-arm-streaming
ensure-debug-info-scope-on-llvm-func expand-realloc expand-strided-metadata
finalize-memref-to-llvm flatten-memref fold-memref-alias-ops fold-tensor-subset-ops
form-expressions generate-runtime-verification gpu-async-region gpu-decompose-memrefs
gpu-eliminate-barriers gpu-kernel-outlining gpu-launch-sink-index-computations
gpu-map-parallel-loops gpu-module-to-binary gpu-to-llvm inline int-range-optimizations
lift-cf-to-scf linalg-block-pack-matmul linalg-detensorize linalg-fold-into-elementwise
linalg-fold-unit-extent-dims linalg-fuse-elementwise-ops linalg-generalize-named-ops
linalg-inline-scalar-operands linalg-morph-ops linalg-specialize-generic-ops llvm-add-comdats
llvm-legalize-for-export llvm-optimize-for-nvvm-target llvm-request-c-wrappers
llvm-target-to-data-layout llvm-target-to-target-features llvm-use-default-visibility
loop-invariant-code-motion loop-invariant-subset-hoisting lower-affine lower-host-to-llvm
lower-quant-ops lower-sparse-foreach-to-scf lower-sparse-iteration-to-scf
lower-sparse-ops-to-foreach lower-vector-mask lower-vector-multi-reduction
lower-vector-to-from-elements-to-shuffle-tree map-memref-spirv-storage-class math-expand-ops
math-extend-to-supported-types math-sincos-fusion math-uplift-to-fma mem2reg
memref-emulate-wide-int memref-expand mlprogram-pipeline-globals normalize-memrefs
normalize-quant-types nvgpu-optimize-shared-memory nvvm-attach-target
offload-livein-value-canonicalization omp-offload-privatization-prepare one-shot-bufferize
openacc-legalize-data-values optimize-allocation-liveness outline-shape-computation
ownership-based-buffer-deallocation pre-sparsification-rewrite print-ir print-op-stats
promote-buffers-to-stack reconcile-unrealized-casts reify-result-shapes remove-dead-values
remove-shape-constraints resolve-ranked-shaped-type-result-dims resolve-shaped-type-result-dims
rocdl-attach-target sccp scf-for-loop-canonicalization scf-for-loop-peeling
scf-for-loop-range-folding scf-for-loop-specialization scf-for-to-while scf-forall-to-for
scf-forall-to-parallel scf-parallel-for-to-nested-fors scf-parallel-loop-fusion
scf-parallel-loop-specialization scf-parallel-loop-tiling set-llvm-module-datalayout
shape-to-shape-lowering shard-partition sharding-propagation simplify-depthwise-conv
slice-analysis-test snapshot-op-locations sparse-assembler sparse-buffer-rewrite
sparse-gpu-codegen sparse-reinterpret-map sparse-space-collapse sparse-storage-specifier-to-llvm
sparse-tensor-codegen sparse-tensor-conversion sparse-vectorization sparsification
sparsification-and-bufferization spirv-attach-target spirv-canonicalize-gl spirv-lower-abi-attrs
spirv-promote-to-replicated-constants spirv-rewrite-inserts spirv-unify-aliased-resource
spirv-update-vce spirv-webgpu-prepare sroa stage-sparse-ops strip-debuginfo strip-func-quant-types
symbol-dce symbol-privatize topological-sort tosa-arith-const-to-tosa-const tosa-attach-target
tosa-convert-integer-type-to-signless tosa-infer-shapes tosa-layerwise-constant-fold
tosa-make-broadcastable tosa-narrow-f64-to-f32 tosa-narrow-i64-to-i32 tosa-optional-decompositions
tosa-reduce-transposes tosa-test-quant-utils tosa-to-arith tosa-to-linalg tosa-to-linalg-named
tosa-to-mlprogram tosa-to-scf tosa-to-tensor tosa-validate transform-dialect-check-uses
transform-infer-effects transform-interpreter transform-preload-library view-op-graph
wrap-emitc-func-in-class xegpu-blocking xegpu-fold-alias-ops xegpu-optimize-block-loads
xegpu-propagate-layout xegpu-subgroup-distribute xegpu-vector-linearize xegpu-wg-to-sg-distribute
xevm-attach-target
""".split())

PIPELINES = frozenset("""
buffer-deallocation-pipeline gpu-lower-to-nvvm-pipeline gpu-lower-to-xevm-pipeline sparsifier
tosa-to-linalg-pipeline
""".split())

DIALECTS = frozenset("""
acc affine amdgpu amx arith arm_neon arm_sme arm_sve async bufferization builtin cf complex dlti
emitc func gpu index irdl linalg llvm math memref ml_program mpi nvgpu nvvm omp pdl pdl_interp ptr
quant rocdl scf shape shard smt sparse_tensor spirv tensor tosa transform ub vector wasmssa
x86vector xegpu xevm
""".split())

#: Options that are no passes, by tool.
OPTIONS = {
    "mlir-opt": frozenset("""
aarch64-neon-syntax aarch64-use-aa abort-on-max-devirt-iterations-reached
allow-ginsert-as-artifact allow-unregistered-dialect amdgpu-atomic-optimizer-strategy
amdgpu-bypass-slow-div amdgpu-disable-loop-alignment amdgpu-dpp-combine amdgpu-dump-hsa-metadata
amdgpu-enable-merge-m0 amdgpu-indirect-call-specialization-threshold amdgpu-kernarg-preload
amdgpu-kernarg-preload-count amdgpu-module-splitting-max-depth
amdgpu-promote-alloca-to-vector-limit amdgpu-promote-alloca-to-vector-max-regs
amdgpu-promote-alloca-to-vector-vgpr-ratio amdgpu-sdwa-peephole amdgpu-use-aa-in-codegen
amdgpu-verify-hsa-metadata amdgpu-vgpr-index-mode arc-contract-use-objc-claim-rv argext-abi-check
arm-add-build-attributes arm-implicit-it asm-show-inst atomic-counter-update-promoted
atomic-first-counter basic-block-section-match-infer bounds-checking-single-trap bpf-stack-size
cfg-hide-cold-paths cfg-hide-deoptimize-paths cfg-hide-unreachable-paths check-functions-filter
color conditional-counter-update cost-kind crel cs-profile-generate cs-profile-path
ctx-prof-include-empty ctx-profile-force-is-specialized debug-only debugify-atoms
debugify-func-limit debugify-level debugify-quiet devirtualize-speculatively
disable-auto-upgrade-debug-info disable-i2p-p2i-opt disable-promote-alloca-to-lds
disable-promote-alloca-to-vector disable-qfp-opt disable-qfp-opt-mul do-counter-promotion
dot-cfg-mssa dump-pass-pipeline dwarf-version dwarf64 elide-all-zero-branch-weights
elide-resource-data-from-bytecode emit-bb-hash emit-bytecode emit-bytecode-version
emit-compact-unwind-non-canonical emit-dwarf-unwind emit-gnuas-syntax-on-zos
emscripten-cxx-exceptions-allowed enable-cse-in-irtranslator enable-cse-in-legalizer
enable-devirtualize-speculatively enable-emscripten-cxx-exceptions enable-emscripten-sjlj
enable-gvn-hoist enable-gvn-memdep enable-gvn-memoryssa enable-gvn-sink
enable-jump-table-to-switch enable-load-in-loop-pre enable-load-pre
enable-loop-simplifycfg-term-folding enable-name-compression enable-poison-reuse-guard
enable-split-backedge-in-load-pre enable-split-loopiv-heuristic enable-vtable-profile-use
enable-vtable-value-profiling expand-variadics-override experimental-debug-variable-locations
fatal-warnings fdpic force-tail-folding-style fs-profile-debug-bw-threshold
fs-profile-debug-prob-diff-threshold generate-merged-base-profiles gpsize gsframe
hash-based-counter-split help help-hidden help-list help-list-hidden hexagon-add-build-attributes
hexagon-rdf-limit hot-cold-split hwasan-percentile-cutoff-hot hwasan-random-rate implicit-mapsyms
import-all-index incremental-linker-compatible instcombine-code-sinking
instcombine-guard-widening-window instcombine-max-num-phis instcombine-max-sink-users
instcombine-maxarray-size instcombine-negator-enabled instcombine-negator-max-depth
instrprof-atomic-counter-update-all internalize-public-api-file internalize-public-api-list
intrinsic-cost-strategy ir2vec-arg-weight ir2vec-kind ir2vec-opc-weight ir2vec-type-weight
ir2vec-vocab-path irdl-file iterative-counter-promotion list-passes load-dialect-plugin
load-pass-plugin log-actions-to log-mlir-actions-filter loongarch-use-aa
lower-allow-check-percentile-cutoff-hot lower-allow-check-random-rate lto-aix-system-assembler
lto-embed-bitcode lto-pass-remarks-filter lto-pass-remarks-format lto-pass-remarks-output
matrix-default-layout matrix-print-after-transpose-opt max-counter-promotions
max-counter-promotions-per-loop mc-relax-all mcabac merror-missing-parenthesis
merror-noncontigious-register mhvx mips-compact-branches mips16-constant-islands mips16-hard-float
mir-strip-debugify-only mir2vec-common-operand-weight mir2vec-kind mir2vec-opc-weight
mir2vec-reg-operand-weight mir2vec-vocab-path misexpect-tolerance mlir-debug-counter
mlir-diagnostic-verbosity-level mlir-disable-diagnostic-notes mlir-disable-threading
mlir-elide-elementsattrs-if-larger mlir-elide-resource-strings-if-larger mlir-enable-debugger-hook
mlir-generate-reproducer mlir-output-format mlir-pass-pipeline-crash-reproducer
mlir-pass-pipeline-local-reproducer mlir-pass-statistics mlir-pass-statistics-display
mlir-pretty-debuginfo mlir-print-debug-counter mlir-print-debuginfo
mlir-print-elementsattrs-with-hex-if-larger mlir-print-ir-after mlir-print-ir-after-all
mlir-print-ir-after-change mlir-print-ir-after-failure mlir-print-ir-before
mlir-print-ir-before-all mlir-print-ir-module-scope mlir-print-ir-tree-dir mlir-print-local-scope
mlir-print-op-on-diagnostic mlir-print-skip-regions mlir-print-stacktrace-on-diagnostic
mlir-print-unique-ssa-ids mlir-print-value-users mlir-timing mlir-timing-display
mlir-use-nameloc-as-prefix mlir-very-unsafe-disable-verifier-on-parsing mno-compound mno-fixup
mno-ldc1-sdc1 mno-pairing ms-secure-hotpatch-functions-file ms-secure-hotpatch-functions-list
mwarn-missing-parenthesis mwarn-noncontigious-register mwarn-sign-mismatch no-deprecated-warn
no-discriminators no-implicit-module no-type-check no-warn nvptx-approx-log2f32 nvptx-sched4reg o
object-size-offset-visitor-max-visit-instructions output-split-marker pass-pipeline
pgo-block-coverage pgo-temporal-instrumentation pgo-view-block-coverage-graph polly
polly-2nd-level-tiling polly-annotate-metadata-vectorize polly-ast-print-accesses polly-context
polly-dce-precise-steps polly-delicm-max-ops polly-detect-full-functions polly-dump-after
polly-dump-after-file polly-dump-before polly-dump-before-file polly-enable-simplify
polly-ignore-func polly-isl-arg polly-matmul-opt polly-on-isl-error-abort polly-only-func
polly-only-region polly-only-scop-detection polly-optimized-scops polly-parallel
polly-parallel-force polly-pattern-matching-based-opts polly-postopts polly-pragma-based-opts
polly-pragma-ignore-depcheck polly-print-ast polly-print-delicm polly-print-deps
polly-print-detect polly-print-flatten-schedule polly-print-import-jscop polly-print-mse
polly-print-opt-isl polly-print-optree polly-print-scops polly-print-simplify
polly-process-unprofitable polly-register-tiling polly-report polly-reschedule polly-show
polly-show-only polly-stmt-granularity polly-tc-opt polly-tiling polly-vectorizer print-options
print-pipeline-passes profcheck-annotate-select profcheck-default-function-entry-count
profcheck-default-select-false-weight profcheck-default-select-true-weight
profcheck-weights-for-test profile-actions-to profile-correlate
promote-alloca-vector-loop-user-weight propeller-infer-threshold r600-ir-structurize remark-format
remark-policy remarks-filter remarks-filter-analyse remarks-filter-failed remarks-filter-missed
remarks-filter-passed remarks-output-file riscv-add-build-attributes riscv-use-aa run-reproducer
runtime-counter-relocation safepoint-ir-verifier-print-only sample-profile-check-record-coverage
sample-profile-check-sample-coverage sample-profile-max-propagate-iterations
sampled-instr-burst-duration sampled-instr-period sampled-instrumentation save-temp-labels
show-dialects skip-ret-exit-block speculative-counter-promotion-max-exiting
speculative-counter-promotion-to-loop spirv-emit-op-names spirv-ext split-input-file
spv-allow-unknown-intrinsics spv-dump-deps spv-emit-nonsemantic-debug-info summary-file
sve-tail-folding tail-predication target-abi thinlto-assume-merged threads
translator-compatibility-mode use-undef verify-diagnostics verify-each verify-region-info
verify-roundtrip version vp-counters-per-site vp-static-alloc wasm-enable-eh wasm-enable-sjlj
wasm-use-legacy-eh x86-align-branch x86-align-branch-boundary x86-branches-within-32B-boundaries
x86-enable-apx-for-relocation x86-pad-max-prefix-size x86-relax-relocations x86-sse2avx
""".split()),
    "mlir-translate": frozenset("""
convert-debug-rec-to-intrinsics declare-variables-at-top deserialize-spirv
drop-di-composite-type-elements emit-expensive-warnings error-diagnostics-only export-smtlib
file-id import-llvm import-structs-as-literals import-wasm irdl-to-cpp mlir-to-cpp mlir-to-llvmir
prefer-unregistered-intrinsics serialize-spirv smtlibexport-inline-single-use-values
spirv-save-validation-files-with-prefix spirv-structurize-control-flow
""".split()),  # and mlir-opt's
    "mlir-runner": frozenset("""
O0 O1 O2 O3 dump-object-file e entry-point-result link-nested-modules march mattr object-filename
shared-libs
""".split()),  # and mlir-opt's
    "mlir-reduce": frozenset("""

""".split()),  # and mlir-opt's
}
