// RUN: xgpu-opt %s | xgpu-opt | filecheck %s

// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"a.mlir" in "/src">
// CHECK-DAG: #[[INT:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
// CHECK-DAG: #[[UNIT:.*]] = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #[[FILE]], isOptimized = true, emissionKind = Full>
// CHECK-DAG: expr = <[DW_OP_deref, DW_OP_plus_uconst(3), DW_OP_LLVM_convert(16, DW_ATE_signed)]>
// CHECK-DAG: #llvm.tbaa_type_desc<id = "char", members = {<#{{.*}}, 0>}>
#file = #llvm.di_file<"a.mlir" in "/src">
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#var = #llvm.di_global_variable<scope = #unit, name = "x", file = #file, line = 3, type = #int, isDefined = true>
#expr = #llvm.di_global_variable_expression<var = #var, expr = <[DW_OP_deref, DW_OP_plus_uconst(3), DW_OP_LLVM_convert(16, DW_ATE_signed)]>>
#root = #llvm.tbaa_root<id = "root">
#char = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #char, access_type = #char, offset = 0>
llvm.mlir.global external @x() {dbg_exprs = [#expr]} : i32
llvm.func @f(%p: !llvm.ptr) -> i8 {
  %0 = llvm.load %p {tbaa = [#tag]} : !llvm.ptr -> i8
  llvm.return %0 : i8
}
