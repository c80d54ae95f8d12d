// RUN: xgpu-opt --mem2reg --mlir-print-local-scope %s | filecheck %s --match-full-lines

#file = #llvm.di_file<"a.c" in "">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
#variable = #llvm.di_local_variable<scope = #program, name = "x", file = #file, line = 2>
#other = #llvm.di_local_variable<scope = #program, name = "p", file = #file, line = 3>
llvm.func @f(%v: i32, %c: i1) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.declare #variable = %a : !llvm.ptr
  llvm.intr.dbg.value #other = %a : !llvm.ptr
  llvm.store %v, %a : i32, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.undef : !llvm.ptr
// CHECK-NEXT:     llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.c" in "">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.c" in "">, name = "f", file = <"a.c" in "">, subprogramFlags = Definition>, name = "p", file = <"a.c" in "">, line = 3> = %1 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.c" in "">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.c" in "">, name = "f", file = <"a.c" in "">, subprogramFlags = Definition>, name = "x", file = <"a.c" in "">, line = 2> = %arg0 : i32
// CHECK-NEXT:     llvm.cond_br %arg1, ^bb1, ^bb2(%arg0 : i32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.c" in "">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.c" in "">, name = "f", file = <"a.c" in "">, subprogramFlags = Definition>, name = "x", file = <"a.c" in "">, line = 2> = %0 : i32
// CHECK-NEXT:     llvm.br ^bb2(%0 : i32)
// CHECK-NEXT:   ^bb2(%2: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a.c" in "">, isOptimized = false, emissionKind = Full>, scope = #llvm.di_file<"a.c" in "">, name = "f", file = <"a.c" in "">, subprogramFlags = Definition>, name = "x", file = <"a.c" in "">, line = 2> = %2 : i32
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
