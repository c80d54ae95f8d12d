// Functions get debug information, so that a debugger finds their lines.
// RUN: xgpu-opt %s --ensure-debug-info-scope-on-llvm-func --mlir-print-debuginfo | filecheck %s --match-full-lines

module {
  llvm.func @f() {
    llvm.return loc("kernel.cu":2:3)
  } loc("kernel.cu":1:1)
} loc("kernel.cu":1:1)

// CHECK: module {
// CHECK-NEXT:   llvm.func @f() {
// CHECK-NEXT:     llvm.return loc(#loc1)
// CHECK-NEXT:   } loc(#loc2)
// CHECK-NEXT: } loc(#loc)
// CHECK-NEXT: #di_file = #llvm.di_file<"kernel.cu" in "">
// CHECK-NEXT: #di_subroutine_type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
// CHECK-NEXT: #loc = loc("kernel.cu":1:1)
// CHECK-NEXT: #loc1 = loc("kernel.cu":2:3)
// CHECK-NEXT: #di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #di_file, producer = "MLIR", isOptimized = true, emissionKind = LineTablesOnly>
// CHECK-NEXT: #di_subprogram = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "f", linkageName = "f", file = #di_file, line = 1, scopeLine = 1, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
// CHECK-NEXT: #loc2 = loc(fused<#di_subprogram>[#loc])
