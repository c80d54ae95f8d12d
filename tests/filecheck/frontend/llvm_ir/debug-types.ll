; RUN: xgpu-translate --import-llvm --mlir-print-debuginfo %s | filecheck %s --match-full-lines

source_filename = "f.ll"

; Types that contain themselves, Fortran's types, imported entities.

define void @f(ptr %p, ptr %q) !dbg !5 {
    #dbg_value(ptr %p, !7, !DIExpression(), !9)
    #dbg_value(ptr %q, !8, !DIExpression(), !9)
  ret void
}

define void @g(ptr %p) !dbg !30 {
    #dbg_declare(ptr %p, !31, !DIExpression(), !32)
  ret void, !dbg !32
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, isOptimized: false, emissionKind: LineTablesOnly, splitDebugFilename: "f.dwo")
!1 = !DIFile(filename: "f.f90", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, spFlags: DISPFlagDefinition | DISPFlagRecursive, unit: !0)
!6 = !DISubroutineType(types: !{null, !10, !15})
!7 = !DILocalVariable(name: "p", scope: !5, file: !1, type: !10)
!8 = !DILocalVariable(name: "q", scope: !5, file: !1, type: !15)
!9 = !DILocation(line: 2, scope: !5)
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "a", file: !1, line: 1, size: 128, elements: !11)
!11 = !{!12, !13}
!12 = !DIDerivedType(tag: DW_TAG_member, name: "self", scope: !10, baseType: !14, size: 64)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "other", scope: !10, baseType: !16, size: 64, offset: 64)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!15 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "b", file: !1, line: 2, size: 64, elements: !17)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!17 = !{!18, !19}
!18 = !DIDerivedType(tag: DW_TAG_member, name: "back", scope: !15, baseType: !14, size: 64)
!19 = !DISubprogram(name: "method", scope: !15, file: !1, line: 4, type: !20, spFlags: DISPFlagVirtual)
!20 = !DISubroutineType(types: !{null, !16})
!30 = distinct !DISubprogram(name: "g", scope: !40, file: !1, line: 9, type: !33, spFlags: DISPFlagDefinition | DISPFlagPure, unit: !0, retainedNodes: !41)
!31 = !DILocalVariable(name: "array", scope: !30, file: !1, line: 10, type: !34)
!32 = !DILocation(line: 10, column: 3, scope: !30)
!33 = !DISubroutineType(types: !{null, !34, !37})
!34 = !DICompositeType(tag: DW_TAG_array_type, baseType: !38, elements: !35, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref), associated: !DIExpression(DW_OP_lit0), rank: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 8, DW_OP_deref))
!35 = !{!36}
!36 = !DIGenericSubrange(lowerBound: !DIExpression(DW_OP_over, DW_OP_constu, 48), upperBound: !DIExpression(DW_OP_over), stride: !DIExpression(DW_OP_constu, 32))
!37 = !DIStringType(name: "character", size: 80, encoding: DW_ATE_ASCII, stringLengthExpression: !DIExpression(DW_OP_deref))
!38 = !DIBasicType(name: "real", size: 32, encoding: DW_ATE_float)
!40 = !DIModule(scope: !0, name: "mod", file: !1, line: 1)
!41 = !{!42, !43}
!42 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !30, entity: !40, file: !1, line: 10)
!43 = !DILocalVariable(name: "kept", scope: !30, file: !1, line: 11, type: !44)
!44 = !DICompositeType(tag: DW_TAG_array_type, baseType: !38, flags: DIFlagVector, elements: !45)
!45 = !{!46}
!46 = !DISubrange(count: !43)

; CHECK: #di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "real", sizeInBits = 32, encoding = DW_ATE_float>
; CHECK-NEXT: #di_composite_type = #llvm.di_composite_type<recId = distinct[0]<>, isRecSelf = true>
; CHECK-NEXT: #di_composite_type1 = #llvm.di_composite_type<recId = distinct[1]<>, isRecSelf = true>
; CHECK-NEXT: #di_composite_type2 = #llvm.di_composite_type<recId = distinct[2]<>, isRecSelf = true>
; CHECK-NEXT: #di_file = #llvm.di_file<"f.f90" in "">
; CHECK-NEXT: #di_null_type = #llvm.di_null_type
; CHECK-NEXT: #di_string_type = #llvm.di_string_type<tag = DW_TAG_string_type, name = "character", sizeInBits = 80, stringLengthExp = <[DW_OP_deref]>, encoding = DW_ATE_ASCII>
; CHECK-NEXT: #di_subprogram = #llvm.di_subprogram<recId = distinct[3]<>, isRecSelf = true>
; CHECK-NEXT: #loc1 = loc("f.f90":1:0)
; CHECK-NEXT: #loc4 = loc("f.f90":9:0)
; CHECK-NEXT: #di_compile_unit = #llvm.di_compile_unit<id = distinct[4]<>, sourceLanguage = DW_LANG_Fortran95, file = #di_file, isOptimized = false, emissionKind = LineTablesOnly, splitDebugFilename = "f.dwo">
; CHECK-NEXT: #di_composite_type3 = #llvm.di_composite_type<tag = DW_TAG_array_type, baseType = #di_basic_type, dataLocation = <[DW_OP_push_object_address, DW_OP_deref]>, rank = <[DW_OP_push_object_address, DW_OP_plus_uconst(8), DW_OP_deref]>, associated = <[DW_OP_lit0]>, elements = #llvm.di_generic_subrange<lowerBound = #llvm.di_expression<[DW_OP_over, DW_OP_constu(48)]>, upperBound = #llvm.di_expression<[DW_OP_over]>, stride = #llvm.di_expression<[DW_OP_constu(32)]>>>
; CHECK-NEXT: #di_derived_type = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type, sizeInBits = 64>
; CHECK-NEXT: #di_derived_type1 = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type1, sizeInBits = 64>
; CHECK-NEXT: #di_local_variable = #llvm.di_local_variable<scope = #di_subprogram, name = "kept", file = #di_file, line = 11, type = #di_composite_type2>
; CHECK-NEXT: #di_derived_type2 = #llvm.di_derived_type<tag = DW_TAG_member, name = "self", baseType = #di_derived_type, sizeInBits = 64>
; CHECK-NEXT: #di_derived_type3 = #llvm.di_derived_type<tag = DW_TAG_member, name = "back", baseType = #di_derived_type, sizeInBits = 64>
; CHECK-NEXT: #di_module = #llvm.di_module<file = #di_file, scope = #di_compile_unit, name = "mod", line = 1>
; CHECK-NEXT: #di_subroutine_type = #llvm.di_subroutine_type<types = #di_null_type, #di_derived_type1>
; CHECK-NEXT: #di_subroutine_type1 = #llvm.di_subroutine_type<types = #di_null_type, #di_composite_type3, #di_string_type>
; CHECK-NEXT: #di_composite_type4 = #llvm.di_composite_type<recId = distinct[2]<>, tag = DW_TAG_array_type, baseType = #di_basic_type, flags = Vector, elements = #llvm.di_subrange<count = #di_local_variable>>
; CHECK-NEXT: #di_imported_entity = #llvm.di_imported_entity<tag = DW_TAG_imported_module, scope = #di_subprogram, entity = #di_module, file = #di_file, line = 10>
; CHECK-NEXT: #di_subprogram1 = #llvm.di_subprogram<scope = #di_composite_type1, name = "method", file = #di_file, line = 4, subprogramFlags = Virtual, type = #di_subroutine_type>
; CHECK-NEXT: #di_composite_type5 = #llvm.di_composite_type<recId = distinct[1]<>, tag = DW_TAG_class_type, name = "b", file = #di_file, line = 2, sizeInBits = 64, elements = #di_derived_type3, #di_subprogram1>
; CHECK-NEXT: #di_local_variable1 = #llvm.di_local_variable<scope = #di_subprogram, name = "kept", file = #di_file, line = 11, type = #di_composite_type4>
; CHECK-NEXT: #di_derived_type4 = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type5, sizeInBits = 64>
; CHECK-NEXT: #di_subprogram2 = #llvm.di_subprogram<recId = distinct[3]<>, id = distinct[5]<>, compileUnit = #di_compile_unit, scope = #di_module, name = "g", file = #di_file, line = 9, subprogramFlags = "Definition|Pure", type = #di_subroutine_type1, retainedNodes = #di_imported_entity, #di_local_variable1>
; CHECK-NEXT: #di_derived_type5 = #llvm.di_derived_type<tag = DW_TAG_member, name = "other", baseType = #di_derived_type4, sizeInBits = 64, offsetInBits = 64>
; CHECK-NEXT: #di_local_variable2 = #llvm.di_local_variable<scope = #di_subprogram2, name = "array", file = #di_file, line = 10, type = #di_composite_type3>
; CHECK-NEXT: #loc6 = loc(fused<#di_subprogram2>[#loc4])
; CHECK-NEXT: #di_composite_type6 = #llvm.di_composite_type<recId = distinct[0]<>, tag = DW_TAG_structure_type, name = "a", file = #di_file, line = 1, sizeInBits = 128, elements = #di_derived_type2, #di_derived_type5>
; CHECK-NEXT: #di_derived_type6 = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type6, sizeInBits = 64>
; CHECK-NEXT: #di_derived_type7 = #llvm.di_derived_type<tag = DW_TAG_member, name = "back", baseType = #di_derived_type6, sizeInBits = 64>
; CHECK-NEXT: #di_composite_type7 = #llvm.di_composite_type<recId = distinct[1]<>, tag = DW_TAG_class_type, name = "b", file = #di_file, line = 2, sizeInBits = 64, elements = #di_derived_type7, #di_subprogram1>
; CHECK-NEXT: #di_subroutine_type2 = #llvm.di_subroutine_type<types = #di_null_type, #di_composite_type6, #di_composite_type7>
; CHECK-NEXT: #di_subprogram3 = #llvm.di_subprogram<id = distinct[6]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "f", file = #di_file, line = 1, subprogramFlags = "Definition|Recursive", type = #di_subroutine_type2>
; CHECK-NEXT: #di_local_variable3 = #llvm.di_local_variable<scope = #di_subprogram3, name = "q", file = #di_file, type = #di_composite_type7>
; CHECK-NEXT: #di_local_variable4 = #llvm.di_local_variable<scope = #di_subprogram3, name = "p", file = #di_file, type = #di_composite_type6>
; CHECK-NEXT: #loc8 = loc(fused<#di_subprogram3>[#loc1])
; CHECK-NEXT: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.module_flags [#llvm.mlir.module_flag<warning, "Debug Info Version", 3 : i32>] loc(#loc)
; CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr loc(fused<#di_subprogram3>[#loc1]), %arg1: !llvm.ptr loc(fused<#di_subprogram3>[#loc1])) {
; CHECK-NEXT:     llvm.intr.dbg.value #di_local_variable3 = %arg1 : !llvm.ptr loc(#loc9)
; CHECK-NEXT:     llvm.intr.dbg.value #di_local_variable4 = %arg0 : !llvm.ptr loc(#loc9)
; CHECK-NEXT:     llvm.return loc(#loc3)
; CHECK-NEXT:   } loc(#loc8)
; CHECK-NEXT:   llvm.func @g(%arg0: !llvm.ptr loc(fused<#di_subprogram2>[#loc4])) {
; CHECK-NEXT:     llvm.intr.dbg.declare #di_local_variable2 = %arg0 : !llvm.ptr loc(#loc7)
; CHECK-NEXT:     llvm.return loc(#loc7)
; CHECK-NEXT:   } loc(#loc6)
; CHECK-NEXT: } loc(#loc)
; CHECK-NEXT: #loc = loc("f.ll":0:0)
; CHECK-NEXT: #loc2 = loc("f.f90":2:0)
; CHECK-NEXT: #loc3 = loc(unknown)
; CHECK-NEXT: #loc5 = loc("f.f90":10:3)
; CHECK-NEXT: #loc7 = loc(fused<#di_subprogram2>[#loc5])
; CHECK-NEXT: #loc9 = loc(fused<#di_subprogram3>[#loc2])
