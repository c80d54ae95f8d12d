// RUN: xgpu-opt %s --mlir-print-local-scope | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt --mlir-print-local-scope | filecheck %s --match-full-lines

#file = #llvm.di_file<"a.mlir" in "/">
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#function = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 1, scopeLine = 1, subprogramFlags = Definition, type = #llvm.di_subroutine_type<types = #int>>
#variable = #llvm.di_local_variable<scope = #function, name = "x", file = #file, line = 2, type = #int>
#label = #llvm.di_label<scope = #function, name = "here", file = #file, line = 3>

// CHECK: module {
// CHECK-NEXT:   llvm.func @debug(%arg0: !llvm.ptr, %arg1: i32) {
// CHECK-NEXT:     llvm.intr.dbg.declare #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.mlir" in "/">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.mlir" in "/">, name = "f", file = <"a.mlir" in "/">, line = 1, scopeLine = 1, subprogramFlags = Definition, type = <types = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>>>, name = "x", file = <"a.mlir" in "/">, line = 2, type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>> = %arg0 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.dbg.declare #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.mlir" in "/">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.mlir" in "/">, name = "f", file = <"a.mlir" in "/">, line = 1, scopeLine = 1, subprogramFlags = Definition, type = <types = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>>>, name = "x", file = <"a.mlir" in "/">, line = 2, type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>> #llvm.di_expression<[DW_OP_deref]> = %arg0 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.mlir" in "/">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.mlir" in "/">, name = "f", file = <"a.mlir" in "/">, line = 1, scopeLine = 1, subprogramFlags = Definition, type = <types = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>>>, name = "x", file = <"a.mlir" in "/">, line = 2, type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>> = %arg1 : i32
// CHECK-NEXT:     llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.mlir" in "/">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.mlir" in "/">, name = "f", file = <"a.mlir" in "/">, line = 1, scopeLine = 1, subprogramFlags = Definition, type = <types = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>>>, name = "x", file = <"a.mlir" in "/">, line = 2, type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>> #llvm.di_expression<[DW_OP_LLVM_fragment(0, 16)]> = %arg1 : i32
// CHECK-NEXT:     llvm.intr.dbg.label <scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.mlir" in "/">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.mlir" in "/">, name = "f", file = <"a.mlir" in "/">, line = 1, scopeLine = 1, subprogramFlags = Definition, type = <types = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>>>, name = "here", file = <"a.mlir" in "/">, line = 3>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @debug(%p: !llvm.ptr, %i: i32) {
  llvm.intr.dbg.declare #variable = %p : !llvm.ptr
  llvm.intr.dbg.declare #variable #llvm.di_expression<[DW_OP_deref]> = %p : !llvm.ptr
  llvm.intr.dbg.value #variable = %i : i32
  llvm.intr.dbg.value #variable #llvm.di_expression<[DW_OP_LLVM_fragment(0, 16)]> = %i : i32
  llvm.intr.dbg.label #label
  llvm.return
}
