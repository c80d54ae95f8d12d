; RUN: xgpu-translate --import-llvm --mlir-print-debuginfo %s | filecheck %s --match-full-lines

source_filename = "f.ll"

@counter = global i32 0, !dbg !30

define i32 @f(i32 %x, ptr %p) !dbg !5 {
entry:
    #dbg_value(i32 %x, !12, !DIExpression(), !14)
    #dbg_declare(ptr %p, !13, !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 8), !14)
  %a = alloca i32, align 4, !dbg !15
  br label %loop, !dbg !15

loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ], !dbg !16
    #dbg_value(i32 %i, !17, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !16)
    #dbg_label(!19, !16)
  %n = add i32 %i, 1, !dbg !16
  %c = icmp eq i32 %n, %x, !dbg !18
  br i1 %c, label %done, label %loop, !dbg !18

done:
    #dbg_value(i32 7, !17, !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !16)
  ret i32 %n, !dbg !20
}

declare !dbg !40 void @declared()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "compiler", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !31, nameTableKind: None)
!1 = !DIFile(filename: "f.c", directory: "/home")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !1, file: !1, line: 3, type: !6, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !21)
!6 = !DISubroutineType(cc: DW_CC_normal, types: !7)
!7 = !{!8, !8, !9, null}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "node_ptr", baseType: !10, size: 64, dwarfAddressSpace: 1)
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !1, line: 1, size: 192, flags: DIFlagTypePassByValue, elements: !11)
!11 = !{!22, !23, !24}
!12 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !1, line: 3, type: !8)
!13 = !DILocalVariable(name: "p", arg: 2, scope: !5, file: !1, line: 3, type: !9, flags: DIFlagArtificial, align: 64)
!14 = !DILocation(line: 3, column: 5, scope: !5)
!15 = !DILocation(line: 4, column: 1, scope: !5)
!16 = !DILocation(line: 5, column: 2, scope: !25)
!17 = !DILocalVariable(name: "i", scope: !25, file: !1, line: 5, type: !8)
!18 = !DILocation(line: 6, column: 3, scope: !26, inlinedAt: !15)
!19 = !DILabel(scope: !25, name: "again", file: !1, line: 5)
!20 = !DILocation(line: 0, scope: !5)
!21 = !{!12}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !10, file: !1, line: 1, baseType: !8, size: 32)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !10, file: !1, line: 1, baseType: !27, size: 64, offset: 64)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "data", scope: !10, file: !1, line: 1, baseType: !28, size: 64, offset: 128)
!25 = distinct !DILexicalBlock(scope: !5, file: !1, line: 5, column: 2)
!26 = !DILexicalBlockFile(scope: !25, file: !1, discriminator: 2)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 64, elements: !29)
!29 = !{!32, !33}
!30 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!31 = !{!30}
!32 = !DISubrange(count: 2, lowerBound: 0)
!33 = !DISubrange(lowerBound: 1, upperBound: 4, stride: 2)
!34 = distinct !DIGlobalVariable(name: "counter", linkageName: "counter", scope: !35, file: !1, line: 2, type: !36, isLocal: false, isDefinition: true, align: 32)
!35 = !DINamespace(name: "space", scope: !37, exportSymbols: true)
!36 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!37 = !DIModule(scope: !1, name: "module", configMacros: "-DX", includePath: "/include", apinotes: "notes", line: 9, isDecl: true)
!40 = !DISubprogram(name: "declared", scope: !1, file: !1, line: 8, type: !41, spFlags: DISPFlagLocalToUnit, annotations: !42)
!41 = !DISubroutineType(types: !{null})
!42 = !{!43}
!43 = !{!"btf_decl_tag", !"kind"}

; CHECK: #di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
; CHECK-NEXT: #di_composite_type = #llvm.di_composite_type<recId = distinct[0]<>, isRecSelf = true>
; CHECK-NEXT: #di_file = #llvm.di_file<"f.c" in "/home">
; CHECK-NEXT: #di_null_type = #llvm.di_null_type
; CHECK-NEXT: #di_subprogram = #llvm.di_subprogram<recId = distinct[1]<>, isRecSelf = true>
; CHECK-NEXT: #loc1 = loc("f.c":3:0)
; CHECK-NEXT: #loc4 = loc("f.c":5:2)
; CHECK-NEXT: #di_compile_unit = #llvm.di_compile_unit<id = distinct[2]<>, sourceLanguage = DW_LANG_C11, file = #di_file, producer = "compiler", isOptimized = true, emissionKind = Full, nameTableKind = None>
; CHECK-NEXT: #di_composite_type1 = #llvm.di_composite_type<tag = DW_TAG_array_type, baseType = #di_basic_type, sizeInBits = 64, elements = #llvm.di_subrange<count = 2 : i64, lowerBound = 0 : i64>, #llvm.di_subrange<lowerBound = 1 : i64, upperBound = 4 : i64, stride = 2 : i64>>
; CHECK-NEXT: #di_derived_type = #llvm.di_derived_type<tag = DW_TAG_const_type, baseType = #di_basic_type>
; CHECK-NEXT: #di_derived_type1 = #llvm.di_derived_type<tag = DW_TAG_member, name = "value", baseType = #di_basic_type, sizeInBits = 32>
; CHECK-NEXT: #di_derived_type2 = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type, sizeInBits = 64>
; CHECK-NEXT: #di_local_variable = #llvm.di_local_variable<scope = #di_subprogram, name = "x", file = #di_file, line = 3, arg = 1, type = #di_basic_type>
; CHECK-NEXT: #di_module = #llvm.di_module<scope = #di_file, name = "module", configMacros = "-DX", includePath = "/include", apinotes = "notes", line = 9, isDecl = true>
; CHECK-NEXT: #di_derived_type3 = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #di_derived_type2, sizeInBits = 64, offsetInBits = 64>
; CHECK-NEXT: #di_derived_type4 = #llvm.di_derived_type<tag = DW_TAG_member, name = "data", baseType = #di_composite_type1, sizeInBits = 64, offsetInBits = 128>
; CHECK-NEXT: #di_namespace = #llvm.di_namespace<name = "space", scope = #di_module, exportSymbols = true>
; CHECK-NEXT: #di_composite_type2 = #llvm.di_composite_type<recId = distinct[0]<>, tag = DW_TAG_structure_type, name = "node", file = #di_file, line = 1, flags = TypePassByValue, sizeInBits = 192, elements = #di_derived_type1, #di_derived_type3, #di_derived_type4>
; CHECK-NEXT: #di_global_variable = #llvm.di_global_variable<scope = #di_namespace, name = "counter", linkageName = "counter", file = #di_file, line = 2, type = #di_derived_type, isDefined = true, alignInBits = 32>
; CHECK-NEXT: #di_derived_type5 = #llvm.di_derived_type<tag = DW_TAG_pointer_type, name = "node_ptr", baseType = #di_composite_type2, sizeInBits = 64, dwarfAddressSpace = 1>
; CHECK-NEXT: #di_global_variable_expression = #llvm.di_global_variable_expression<var = #di_global_variable, expr = <>>
; CHECK-NEXT: #di_subroutine_type1 = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #di_basic_type, #di_basic_type, #di_derived_type5, #di_null_type>
; CHECK-NEXT: #di_subprogram2 = #llvm.di_subprogram<recId = distinct[1]<>, id = distinct[3]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "f", linkageName = "_f", file = #di_file, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type1, retainedNodes = #di_local_variable>
; CHECK-NEXT: #di_lexical_block = #llvm.di_lexical_block<scope = #di_subprogram2, file = #di_file, line = 5, column = 2>
; CHECK-NEXT: #di_local_variable1 = #llvm.di_local_variable<scope = #di_subprogram2, name = "p", file = #di_file, line = 3, arg = 2, alignInBits = 64, type = #di_derived_type5, flags = Artificial>
; CHECK-NEXT: #di_local_variable2 = #llvm.di_local_variable<scope = #di_subprogram2, name = "x", file = #di_file, line = 3, arg = 1, type = #di_basic_type>
; CHECK-NEXT: #loc10 = loc(fused<#di_subprogram2>[#loc1])
; CHECK-NEXT: #di_label = #llvm.di_label<scope = #di_lexical_block, name = "again", file = #di_file, line = 5>
; CHECK-NEXT: #di_local_variable3 = #llvm.di_local_variable<scope = #di_lexical_block, name = "i", file = #di_file, line = 5, type = #di_basic_type>
; CHECK-NEXT: #loc14 = loc(fused<#di_lexical_block>[#loc4])
; CHECK-NEXT: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.mlir.global external @counter(0 : i32) {addr_space = 0 : i32, dbg_exprs = [#di_global_variable_expression]} : i32 loc(#loc)
; CHECK-NEXT:   llvm.module_flags [#llvm.mlir.module_flag<warning, "Debug Info Version", 3 : i32>] loc(#loc)
; CHECK-NEXT:   llvm.func @f(%arg0: i32 loc(fused<#di_subprogram2>[#loc1]), %arg1: !llvm.ptr loc(fused<#di_subprogram2>[#loc1])) -> i32 {
; CHECK-NEXT:     llvm.intr.dbg.declare #di_local_variable1 #llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst(8)]> = %arg1 : !llvm.ptr loc(#loc11)
; CHECK-NEXT:     llvm.intr.dbg.value #di_local_variable2 = %arg0 : i32 loc(#loc11)
; CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32 loc(#loc3)
; CHECK-NEXT:     %1 = llvm.mlir.constant(0 : i32) : i32 loc(#loc3)
; CHECK-NEXT:     %2 = llvm.mlir.constant(7 : i32) : i32 loc(#loc3)
; CHECK-NEXT:     llvm.intr.dbg.value #di_local_variable3 #llvm.di_expression<[DW_OP_LLVM_convert(32, DW_ATE_signed), DW_OP_stack_value]> = %2 : i32 loc(#loc14)
; CHECK-NEXT:     %3 = llvm.alloca %0 x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr loc(#loc12)
; CHECK-NEXT:     llvm.br ^bb1(%1 : i32) loc(#loc12)
; CHECK-NEXT:   ^bb1(%4: i32 loc(fused<#di_lexical_block>[#loc4])):  // 2 preds: ^bb0, ^bb1
; CHECK-NEXT:     llvm.intr.dbg.value #di_local_variable3 #llvm.di_expression<[DW_OP_LLVM_fragment(0, 16)]> = %4 : i32 loc(#loc14)
; CHECK-NEXT:     llvm.intr.dbg.label #di_label loc(#loc14)
; CHECK-NEXT:     %5 = llvm.add %4, %0 : i32 loc(#loc14)
; CHECK-NEXT:     %6 = llvm.icmp "eq" %5, %arg0 : i32 loc(#loc16)
; CHECK-NEXT:     llvm.cond_br %6, ^bb2, ^bb1(%5 : i32) loc(#loc16)
; CHECK-NEXT:   ^bb2:  // pred: ^bb1
; CHECK-NEXT:     llvm.return %5 : i32 loc(#loc13)
; CHECK-NEXT:   } loc(#loc10)
; CHECK-NEXT:   llvm.func @declared() loc(#loc9)
; CHECK-NEXT: } loc(#loc)
; CHECK-NEXT: #loc = loc("f.ll":0:0)
; CHECK-NEXT: #loc2 = loc("f.c":3:5)
; CHECK-NEXT: #loc3 = loc(unknown)
; CHECK-NEXT: #loc5 = loc("f.c":4:1)
; CHECK-NEXT: #loc6 = loc("f.c":6:3)
; CHECK-NEXT: #loc7 = loc("f.c":0:0)
; CHECK-NEXT: #loc8 = loc("f.c":8:0)
; CHECK-NEXT: #di_subroutine_type = #llvm.di_subroutine_type<types = #di_null_type>
; CHECK-NEXT: #di_subprogram1 = #llvm.di_subprogram<scope = #di_file, name = "declared", file = #di_file, line = 8, subprogramFlags = LocalToUnit, type = #di_subroutine_type, annotations = #llvm.di_annotation<name = "btf_decl_tag", value = "kind">>
; CHECK-NEXT: #loc9 = loc(fused<#di_subprogram1>[#loc8])
; CHECK-NEXT: #loc11 = loc(fused<#di_subprogram2>[#loc2])
; CHECK-NEXT: #loc12 = loc(fused<#di_subprogram2>[#loc5])
; CHECK-NEXT: #loc13 = loc(fused<#di_subprogram2>[#loc7])
; CHECK-NEXT: #di_lexical_block_file = #llvm.di_lexical_block_file<scope = #di_lexical_block, file = #di_file, discriminator = 2>
; CHECK-NEXT: #loc15 = loc(fused<#di_lexical_block_file>[#loc6])
; CHECK-NEXT: #loc16 = loc(callsite(#loc15 at #loc12))
