// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s

// `isOptimized` is a parameter that later versions of MLIR leave out.

#file = #llvm.di_file<"a.py" in "tests">

module attributes {test.unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #file, emissionKind = Full>} {
}

// CHECK: #di_file = #llvm.di_file<"a.py" in "tests">
// CHECK-NEXT: #di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #di_file, isOptimized = false, emissionKind = Full>
// CHECK-NEXT: module attributes {test.unit = #di_compile_unit} {
// CHECK-NEXT: }
