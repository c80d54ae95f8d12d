; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

define ptx_kernel void @kernel(ptr noalias readonly captures(none) align 16 %a, ptr addrspace(1) nonnull writeonly dereferenceable(64) %b, i32 noundef range(i32 0, 1024) %n) #0 {
  ret void
}

declare zeroext i8 @extended(i16 signext, i8 zeroext)
declare noundef nonnull align 8 ptr @result()
declare void @by_value(ptr byval([4 x i32]) align 4, ptr sret({ i32 }))
declare void @variadic(i32, ...)
define hidden void @hidden() unnamed_addr #1 section "text" align 32 gc "statepoint" {
  ret void
}

define weak_odr spir_func float @scaled() #2 {
  ret float 1.0
}

define void @hints() !work_group_size_hint !0 !reqd_work_group_size !1 !intel_reqd_sub_group_size !2 !vec_type_hint !3 !prof !4 {
  ret void
}

declare void @streaming() #3

attributes #0 = { convergent nounwind memory(argmem: readwrite) "nvvm.maxntid"="128" "target-cpu"="sm_90" "target-features"="+ptx80,-a" "no-nans-fp-math"="true" }
attributes #1 = { alwaysinline optsize uwtable(sync) "frame-pointer"="non-leaf" "tune-cpu"="generic" }
attributes #2 = { noinline optnone willreturn vscale_range(2,4) "fp-contract"="fast" "denormal-fp-math"="preserve-sign,positive-zero" }
attributes #3 = { "aarch64_pstate_sm_enabled" "aarch64_new_za" memory(none) }

!0 = !{i32 1, i32 2, i32 3}
!1 = !{i32 32, i32 1, i32 1}
!2 = !{i32 16}
!3 = !{<4 x float> undef, i32 0}
!4 = !{!"function_entry_count", i64 1000}

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func ptx_kernelcc @kernel(%arg0: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.dereferenceable = 64 : i64, llvm.nonnull, llvm.writeonly}, %arg2: i32 {llvm.noundef, llvm.range = #llvm.constant_range<i32, 0, 1024>}) attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_nans_fp_math = true, no_unwind, passthrough = {{\[\[}}"nvvm.maxntid", "128"], ["target-cpu", "sm_90"]], target_cpu = "sm_90", target_features = #llvm.target_features<["+ptx80", "-a"]>} {
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @extended(i16 {llvm.signext}, i8 {llvm.zeroext}) -> (i8 {llvm.zeroext})
; CHECK-NEXT:   llvm.func @result() -> (!llvm.ptr {llvm.align = 8 : i64, llvm.nonnull, llvm.noundef})
; CHECK-NEXT:   llvm.func @by_value(!llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.array<4 x i32>}, !llvm.ptr {llvm.sret = !llvm.struct<(i32)>})
; CHECK-NEXT:   llvm.func @variadic(i32, ...)
; CHECK-NEXT:   llvm.func hidden unnamed_addr @hidden() attributes {alignment = 32 : i64, always_inline, dso_local, frame_pointer = #llvm.framePointerKind<"non-leaf">, garbageCollector = "statepoint", passthrough = ["optsize"], section = "text", tune_cpu = "generic", uwtable_kind = #llvm.uwtableKind<sync>} {
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func weak_odr spir_funccc @scaled() -> f32 vscale_range(2, 4) attributes {denormal_fp_math = "preserve-sign,positive-zero", fp_contract = "fast", no_inline, optimize_none, will_return} {
; CHECK-NEXT:     %0 = llvm.mlir.constant(1.000000e+00 : f32) : f32
; CHECK-NEXT:     llvm.return %0 : f32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @hints() attributes {function_entry_count = 1000 : i64, intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 32, 1, 1>, vec_type_hint = #llvm.vec_type_hint<hint = vector<4xf32>>, work_group_size_hint = array<i32: 1, 2, 3>} {
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @streaming() attributes {arm_new_za, arm_streaming, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
; CHECK-NEXT: }
