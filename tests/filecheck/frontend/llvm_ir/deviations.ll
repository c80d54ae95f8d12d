; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

; What MLIR's importer loses: the linkage name of a global's debug information, operand bundles of
; calls, debug records in front of a call of an intrinsic.

@counter = global i32 0, !dbg !3

declare void @f(i32)

define void @calls(i32 %x) !dbg !8 {
  call void @f(i32 %x) [ "deopt"(i32 %x, i64 4), "cold"() ], !dbg !10
    #dbg_value(i32 %x, !9, !DIExpression(), !10)
  %1 = call i32 @llvm.smax.i32(i32 %x, i32 0), !dbg !10
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, globals: !5)
!1 = !DIFile(filename: "f.c", directory: "/home")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIGlobalVariableExpression(var: !4, expr: !DIExpression())
!4 = distinct !DIGlobalVariable(name: "counter", linkageName: "_counter", scope: !0, file: !1, line: 2, type: !6, isDefinition: true)
!5 = !{!3}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DISubroutineType(types: !{null, !6})
!8 = distinct !DISubprogram(name: "calls", file: !1, line: 3, type: !7, spFlags: DISPFlagDefinition, unit: !0)
!9 = !DILocalVariable(name: "x", arg: 1, scope: !8, file: !1, line: 3, type: !6)
!10 = !DILocation(line: 4, column: 5, scope: !8)

; CHECK: #di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
; CHECK-NEXT: #di_file = #llvm.di_file<"f.c" in "/home">
; CHECK-NEXT: #di_null_type = #llvm.di_null_type
; CHECK-NEXT: #di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #di_file, isOptimized = false, emissionKind = Full>
; CHECK-NEXT: #di_subroutine_type = #llvm.di_subroutine_type<types = #di_null_type, #di_basic_type>
; CHECK-NEXT: #di_global_variable = #llvm.di_global_variable<scope = #di_compile_unit, name = "counter", linkageName = "_counter", file = #di_file, line = 2, type = #di_basic_type, isDefined = true>
; CHECK-NEXT: #di_subprogram = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #di_compile_unit, name = "calls", file = #di_file, line = 3, subprogramFlags = Definition, type = #di_subroutine_type>
; CHECK-NEXT: #di_global_variable_expression = #llvm.di_global_variable_expression<var = #di_global_variable, expr = <>>
; CHECK-NEXT: #di_local_variable = #llvm.di_local_variable<scope = #di_subprogram, name = "x", file = #di_file, line = 3, arg = 1, type = #di_basic_type>
; CHECK-NEXT: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.mlir.global external @counter(0 : i32) {addr_space = 0 : i32, dbg_exprs = [#di_global_variable_expression]} : i32
; CHECK-NEXT:   llvm.module_flags [#llvm.mlir.module_flag<warning, "Debug Info Version", 3 : i32>]
; CHECK-NEXT:   llvm.func @f(i32)
; CHECK-NEXT:   llvm.func @calls(%arg0: i32) {
; CHECK-NEXT:     llvm.intr.dbg.value #di_local_variable = %arg0 : i32
; CHECK-NEXT:     %0 = llvm.mlir.constant(4 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.constant(0 : i32) : i32
; CHECK-NEXT:     llvm.call @f(%arg0) ["deopt"(%arg0, %0 : i32, i64), "cold"()] : (i32) -> ()
; CHECK-NEXT:     %2 = llvm.intr.smax(%arg0, %1) : (i32, i32) -> i32
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT: }
