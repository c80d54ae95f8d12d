; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

define void @aliasing(ptr %p, ptr %q) {
  %1 = load i32, ptr %p, !tbaa !0, !alias.scope !10, !noalias !11
  store i32 %1, ptr %q, !tbaa !4, !llvm.access.group !20
  %2 = load i32, ptr %q, !llvm.access.group !21
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr %q, i64 16, i1 false), !tbaa !0, !noalias !11
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  ret void
}

define void @annotated(i1 %c) {
  br label %a
a:
  br i1 %c, label %a, label %b, !llvm.loop !30
b:
  br i1 %c, label %b, label %d, !llvm.loop !40
d:
  ret void
}

define i32 @relaxed(ptr %p) {
  %1 = load i32, ptr %p, !mmra !50
  fence acquire, !mmra !51
  ret i32 %1
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C TBAA"}
!4 = !{!5, !1, i64 4, i64 1}
!5 = !{!"pair", !1, i64 0, !1, i64 4}
!10 = !{!12}
!11 = !{!13, !14}
!12 = distinct !{!12, !15, !"first"}
!13 = distinct !{!13, !15}
!14 = !{!"named", !15}
!15 = distinct !{!15, !"domain"}
!20 = distinct !{}
!21 = !{!20, !22}
!22 = distinct !{}
!30 = distinct !{!30, !31, !32, !33, !34, !35, !36, !37}
!31 = !{!"llvm.loop.vectorize.enable", i1 true}
!32 = !{!"llvm.loop.vectorize.width", i32 8}
!33 = !{!"llvm.loop.interleave.count", i32 2}
!34 = !{!"llvm.loop.unroll.disable"}
!35 = !{!"llvm.loop.parallel_accesses", !20, !22}
!36 = !{!"llvm.loop.isvectorized", i32 1}
!37 = !{!"llvm.licm.disable"}
!40 = distinct !{!40, !41, !42, !43, !44}
!41 = !{!"llvm.loop.distribute.enable", i1 false}
!42 = !{!"llvm.loop.pipeline.initiationinterval", i32 3}
!43 = !{!"llvm.loop.peeled.count", i32 1}
!44 = !{!"llvm.loop.unroll.followup_unrolled", !45}
!45 = distinct !{!45, !46}
!46 = !{!"llvm.loop.disable_nonforced"}
!50 = !{!"prefix", !"suffix"}
!51 = !{!50, !52}
!52 = !{!"prefix", !"other"}

; CHECK: #access_group = #llvm.access_group<id = distinct[0]<>>
; CHECK-NEXT: #access_group1 = #llvm.access_group<id = distinct[1]<>>
; CHECK-NEXT: #alias_scope_domain = #llvm.alias_scope_domain<id = distinct[2]<>, description = "domain">
; CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<disableNonforced = true>
; CHECK-NEXT: #loop_distribute = #llvm.loop_distribute<disable = true>
; CHECK-NEXT: #loop_interleave = #llvm.loop_interleave<count = 2 : i32>
; CHECK-NEXT: #loop_licm = #llvm.loop_licm<disable = true>
; CHECK-NEXT: #loop_peeled = #llvm.loop_peeled<count = 1 : i32>
; CHECK-NEXT: #loop_pipeline = #llvm.loop_pipeline<initiationinterval = 3 : i32>
; CHECK-NEXT: #loop_unroll = #llvm.loop_unroll<disable = true>
; CHECK-NEXT: #loop_vectorize = #llvm.loop_vectorize<disable = false, width = 8 : i32>
; CHECK-NEXT: #mmra_tag = #llvm.mmra_tag<"prefix":"suffix">
; CHECK-NEXT: #mmra_tag1 = #llvm.mmra_tag<"prefix":"other">
; CHECK-NEXT: #tbaa_root = #llvm.tbaa_root<id = "Simple C TBAA">
; CHECK-NEXT: #alias_scope = #llvm.alias_scope<id = distinct[3]<>, domain = #alias_scope_domain, description = "first">
; CHECK-NEXT: #alias_scope1 = #llvm.alias_scope<id = distinct[4]<>, domain = #alias_scope_domain>
; CHECK-NEXT: #alias_scope2 = #llvm.alias_scope<id = "named", domain = #alias_scope_domain>
; CHECK-NEXT: #loop_annotation1 = #llvm.loop_annotation<vectorize = #loop_vectorize, interleave = #loop_interleave, unroll = #loop_unroll, licm = #loop_licm, isVectorized = true, parallelAccesses = #access_group, #access_group1>
; CHECK-NEXT: #loop_unroll1 = #llvm.loop_unroll<followupUnrolled = #loop_annotation>
; CHECK-NEXT: #loop_annotation2 = #llvm.loop_annotation<unroll = #loop_unroll1, distribute = #loop_distribute, pipeline = #loop_pipeline, peeled = #loop_peeled>
; CHECK-NEXT: #tbaa_type_desc = #llvm.tbaa_type_desc<id = "omnipotent char", members = {<#tbaa_root, 0>}>
; CHECK-NEXT: #tbaa_type_desc1 = #llvm.tbaa_type_desc<id = "int", members = {<#tbaa_type_desc, 0>}>
; CHECK-NEXT: #tbaa_tag = #llvm.tbaa_tag<base_type = #tbaa_type_desc1, access_type = #tbaa_type_desc1, offset = 0>
; CHECK-NEXT: #tbaa_type_desc2 = #llvm.tbaa_type_desc<id = "pair", members = {<#tbaa_type_desc1, 0>, <#tbaa_type_desc1, 4>}>
; CHECK-NEXT: #tbaa_tag1 = #llvm.tbaa_tag<base_type = #tbaa_type_desc2, access_type = #tbaa_type_desc1, offset = 4, constant = true>
; CHECK-NEXT: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func @aliasing(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(16 : i64) : i64
; CHECK-NEXT:     %1 = llvm.load %arg0 {alias_scopes = [#alias_scope], alignment = 4 : i64, noalias_scopes = [#alias_scope1, #alias_scope2], tbaa = [#tbaa_tag]} : !llvm.ptr -> i32
; CHECK-NEXT:     llvm.store %1, %arg1 {access_groups = [#access_group], alignment = 4 : i64, tbaa = [#tbaa_tag1]} : i32, !llvm.ptr
; CHECK-NEXT:     %2 = llvm.load %arg1 {access_groups = [#access_group, #access_group1], alignment = 4 : i64} : !llvm.ptr -> i32
; CHECK-NEXT:     "llvm.intr.memcpy"(%arg0, %arg1, %0) <{arg_attrs = [{llvm.align = 8 : i64}, {}, {}], isVolatile = false, noalias_scopes = [#alias_scope1, #alias_scope2], tbaa = [#tbaa_tag]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
; CHECK-NEXT:     llvm.intr.experimental.noalias.scope.decl #alias_scope
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @annotated(%arg0: i1) {
; CHECK-NEXT:     llvm.br ^bb1
; CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
; CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2 {loop_annotation = #loop_annotation1}
; CHECK-NEXT:   ^bb2:  // 2 preds: ^bb1, ^bb2
; CHECK-NEXT:     llvm.cond_br %arg0, ^bb2, ^bb3 {loop_annotation = #loop_annotation2}
; CHECK-NEXT:   ^bb3:  // pred: ^bb2
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @relaxed(%arg0: !llvm.ptr) -> i32 {
; CHECK-NEXT:     %0 = llvm.load %arg0 {alignment = 4 : i64, llvm.mmra = #mmra_tag} : !llvm.ptr -> i32
; CHECK-NEXT:     llvm.fence acquire {llvm.mmra = [#mmra_tag, #mmra_tag1]}
; CHECK-NEXT:     llvm.return %0 : i32
; CHECK-NEXT:   }
; CHECK-NEXT: }
