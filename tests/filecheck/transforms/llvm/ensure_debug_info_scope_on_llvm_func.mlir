// RUN: xgpu-opt %s --ensure-debug-info-scope-on-llvm-func --mlir-print-debuginfo --split-input-file | filecheck %s
// RUN: xgpu-opt %s --ensure-debug-info-scope-on-llvm-func=emission-kind=DebugDirectivesOnly --mlir-print-debuginfo --split-input-file | filecheck %s --check-prefix=KIND

// A function gets a subprogram of its file and line; what comes from another file says so, and
// stays inlined where it was.
// CHECK-LABEL: llvm.func @defined
// CHECK: llvm.call @declared() : () -> () loc(#[[CALL:.*]])
// CHECK: llvm.return loc(#[[RETURN:.*]])
// CHECK: #di_file = #llvm.di_file<"module.mlir" in "/src">
// CHECK: #di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #di_file, producer = "MLIR", isOptimized = true, emissionKind = LineTablesOnly>
// CHECK: #di_subprogram = #llvm.di_subprogram<scope = #di_file, name = "declared", linkageName = "declared", file = #di_file, line = 1, scopeLine = 1, subprogramFlags = Optimized, type = #di_subroutine_type>
// CHECK: #di_subprogram1 = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #di_compile_unit, scope = #di_file1, name = "defined", linkageName = "defined", file = #di_file1, line = 4, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
// CHECK: #di_lexical_block_file = #llvm.di_lexical_block_file<scope = #di_subprogram1, file = #{{.*}}, discriminator = 0>
// KIND: emissionKind = DebugDirectivesOnly
module {
  llvm.func @declared() loc(unknown)
  llvm.func @defined() {
    llvm.call @declared() : () -> () loc(callsite("b.py":7:3 at "a.py":5:1))
    llvm.return loc("c.py":9:1)
  } loc("a.py":4:1)
} loc("/src/module.mlir":1:1)

// -----

// Functions in a gpu.module have the same compile unit; what is there stays.
// CHECK-LABEL: llvm.func @kept
// CHECK: name = "kept"{{.*}}line = 42
#file = #llvm.di_file<"<unknown>" in "">
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, producer = "me", isOptimized = true, emissionKind = Full>
#kept = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "kept", file = #file, line = 42, subprogramFlags = Definition, type = #type>
gpu.module @kernels {
  llvm.func @kept() {
    llvm.return
  } loc(fused<#kept>["a.py":1:1])
}
