// RUN: xgpu-opt %s --convert-gpu-to-nvvm | filecheck %s

// Functions of libdevice, for each operation.

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func private @use(%arg0: f32, %arg1: f64) attributes {llvm.emit_c_interface, sym_visibility = "private"} {
// CHECK-NEXT:       llvm.call @_mlir_ciface_use(%arg0, %arg1) : (f32, f64) -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @_mlir_ciface_use(f32, f64) attributes {llvm.emit_c_interface, sym_visibility = "private"}
// CHECK-NEXT:     llvm.func private @bit(%arg0: i1) attributes {llvm.emit_c_interface, sym_visibility = "private"} {
// CHECK-NEXT:       llvm.call @_mlir_ciface_bit(%arg0) : (i1) -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @_mlir_ciface_bit(i1) attributes {llvm.emit_c_interface, sym_visibility = "private"}
// CHECK-NEXT:     llvm.func @__nv_fabsf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_fabs(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_acosf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_acos(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_acoshf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_acosh(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_asinf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_asin(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_asinhf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_asinh(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_atanf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_atan(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_atanhf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_atanh(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_cbrtf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_cbrt(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_ceilf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_ceil(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_cosf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_cos(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_coshf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_cosh(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_erff(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_erf(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_erfcf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_erfc(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_expf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_exp(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_exp2f(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_exp2(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_expm1f(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_expm1(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_floorf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_floor(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_logf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_log(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_log10f(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_log10(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_log1pf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_log1p(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_log2f(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_log2(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_roundf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_round(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_rintf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_rint(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_rsqrtf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_rsqrt(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_sinf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_sin(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_sinhf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_sinh(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_sqrtf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_sqrt(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_tanf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_tan(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_tanhf(f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_tanh(f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_atan2f(f32, f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_atan2(f64, f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_copysignf(f32, f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_copysign(f64, f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_powf(f32, f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_pow(f64, f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_fmodf(f32, f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_fmod(f64, f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_powif(f32, i32) -> f32
// CHECK-NEXT:     llvm.func @__nv_powi(f64, i32) -> f64
// CHECK-NEXT:     llvm.func @__nv_fmaf(f32, f32, f32) -> f32
// CHECK-NEXT:     llvm.func @__nv_fma(f64, f64, f64) -> f64
// CHECK-NEXT:     llvm.func @__nv_sincosf(f32, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:     llvm.func @__nv_abs(i32) -> i32
// CHECK-NEXT:     llvm.func @__nv_finitef(f32) -> i32
// CHECK-NEXT:     llvm.func @__nv_isinff(f32) -> i32
// CHECK-NEXT:     llvm.func @__nv_isnanf(f32) -> i32
// CHECK-NEXT:     llvm.func @functions(%arg0: f32, %arg1: f64, %arg2: i32) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %1 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:       %2 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.call @__nv_fabsf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %4 = llvm.call @__nv_fabs(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%3, %4) : (f32, f64) -> ()
// CHECK-NEXT:       %5 = llvm.call @__nv_acosf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %6 = llvm.call @__nv_acos(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%5, %6) : (f32, f64) -> ()
// CHECK-NEXT:       %7 = llvm.call @__nv_acoshf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %8 = llvm.call @__nv_acosh(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%7, %8) : (f32, f64) -> ()
// CHECK-NEXT:       %9 = llvm.call @__nv_asinf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %10 = llvm.call @__nv_asin(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%9, %10) : (f32, f64) -> ()
// CHECK-NEXT:       %11 = llvm.call @__nv_asinhf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %12 = llvm.call @__nv_asinh(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%11, %12) : (f32, f64) -> ()
// CHECK-NEXT:       %13 = llvm.call @__nv_atanf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %14 = llvm.call @__nv_atan(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%13, %14) : (f32, f64) -> ()
// CHECK-NEXT:       %15 = llvm.call @__nv_atanhf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %16 = llvm.call @__nv_atanh(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%15, %16) : (f32, f64) -> ()
// CHECK-NEXT:       %17 = llvm.call @__nv_cbrtf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %18 = llvm.call @__nv_cbrt(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%17, %18) : (f32, f64) -> ()
// CHECK-NEXT:       %19 = llvm.call @__nv_ceilf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %20 = llvm.call @__nv_ceil(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%19, %20) : (f32, f64) -> ()
// CHECK-NEXT:       %21 = llvm.call @__nv_cosf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %22 = llvm.call @__nv_cos(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%21, %22) : (f32, f64) -> ()
// CHECK-NEXT:       %23 = llvm.call @__nv_coshf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %24 = llvm.call @__nv_cosh(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%23, %24) : (f32, f64) -> ()
// CHECK-NEXT:       %25 = llvm.call @__nv_erff(%arg0) : (f32) -> f32
// CHECK-NEXT:       %26 = llvm.call @__nv_erf(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%25, %26) : (f32, f64) -> ()
// CHECK-NEXT:       %27 = llvm.call @__nv_erfcf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %28 = llvm.call @__nv_erfc(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%27, %28) : (f32, f64) -> ()
// CHECK-NEXT:       %29 = llvm.call @__nv_expf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %30 = llvm.call @__nv_exp(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%29, %30) : (f32, f64) -> ()
// CHECK-NEXT:       %31 = llvm.call @__nv_exp2f(%arg0) : (f32) -> f32
// CHECK-NEXT:       %32 = llvm.call @__nv_exp2(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%31, %32) : (f32, f64) -> ()
// CHECK-NEXT:       %33 = llvm.call @__nv_expm1f(%arg0) : (f32) -> f32
// CHECK-NEXT:       %34 = llvm.call @__nv_expm1(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%33, %34) : (f32, f64) -> ()
// CHECK-NEXT:       %35 = llvm.call @__nv_floorf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %36 = llvm.call @__nv_floor(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%35, %36) : (f32, f64) -> ()
// CHECK-NEXT:       %37 = llvm.call @__nv_logf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %38 = llvm.call @__nv_log(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%37, %38) : (f32, f64) -> ()
// CHECK-NEXT:       %39 = llvm.call @__nv_log10f(%arg0) : (f32) -> f32
// CHECK-NEXT:       %40 = llvm.call @__nv_log10(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%39, %40) : (f32, f64) -> ()
// CHECK-NEXT:       %41 = llvm.call @__nv_log1pf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %42 = llvm.call @__nv_log1p(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%41, %42) : (f32, f64) -> ()
// CHECK-NEXT:       %43 = llvm.call @__nv_log2f(%arg0) : (f32) -> f32
// CHECK-NEXT:       %44 = llvm.call @__nv_log2(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%43, %44) : (f32, f64) -> ()
// CHECK-NEXT:       %45 = llvm.call @__nv_roundf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %46 = llvm.call @__nv_round(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%45, %46) : (f32, f64) -> ()
// CHECK-NEXT:       %47 = llvm.call @__nv_rintf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %48 = llvm.call @__nv_rint(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%47, %48) : (f32, f64) -> ()
// CHECK-NEXT:       %49 = llvm.call @__nv_rsqrtf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %50 = llvm.call @__nv_rsqrt(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%49, %50) : (f32, f64) -> ()
// CHECK-NEXT:       %51 = llvm.call @__nv_sinf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %52 = llvm.call @__nv_sin(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%51, %52) : (f32, f64) -> ()
// CHECK-NEXT:       %53 = llvm.call @__nv_sinhf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %54 = llvm.call @__nv_sinh(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%53, %54) : (f32, f64) -> ()
// CHECK-NEXT:       %55 = llvm.call @__nv_sqrtf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %56 = llvm.call @__nv_sqrt(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%55, %56) : (f32, f64) -> ()
// CHECK-NEXT:       %57 = llvm.call @__nv_tanf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %58 = llvm.call @__nv_tan(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%57, %58) : (f32, f64) -> ()
// CHECK-NEXT:       %59 = llvm.call @__nv_tanhf(%arg0) : (f32) -> f32
// CHECK-NEXT:       %60 = llvm.call @__nv_tanh(%arg1) : (f64) -> f64
// CHECK-NEXT:       llvm.call @use(%59, %60) : (f32, f64) -> ()
// CHECK-NEXT:       %61 = llvm.call @__nv_atan2f(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:       %62 = llvm.call @__nv_atan2(%arg1, %arg1) : (f64, f64) -> f64
// CHECK-NEXT:       llvm.call @use(%61, %62) : (f32, f64) -> ()
// CHECK-NEXT:       %63 = llvm.call @__nv_copysignf(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:       %64 = llvm.call @__nv_copysign(%arg1, %arg1) : (f64, f64) -> f64
// CHECK-NEXT:       llvm.call @use(%63, %64) : (f32, f64) -> ()
// CHECK-NEXT:       %65 = llvm.call @__nv_powf(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:       %66 = llvm.call @__nv_pow(%arg1, %arg1) : (f64, f64) -> f64
// CHECK-NEXT:       llvm.call @use(%65, %66) : (f32, f64) -> ()
// CHECK-NEXT:       %67 = llvm.call @__nv_fmodf(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:       %68 = llvm.call @__nv_fmod(%arg1, %arg1) : (f64, f64) -> f64
// CHECK-NEXT:       llvm.call @use(%67, %68) : (f32, f64) -> ()
// CHECK-NEXT:       %69 = llvm.call @__nv_powif(%arg0, %arg2) : (f32, i32) -> f32
// CHECK-NEXT:       %70 = llvm.call @__nv_powi(%arg1, %arg2) : (f64, i32) -> f64
// CHECK-NEXT:       llvm.call @use(%69, %70) : (f32, f64) -> ()
// CHECK-NEXT:       %71 = llvm.call @__nv_fmaf(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
// CHECK-NEXT:       %72 = llvm.call @__nv_fma(%arg1, %arg1, %arg1) : (f64, f64, f64) -> f64
// CHECK-NEXT:       llvm.call @use(%71, %72) : (f32, f64) -> ()
// CHECK-NEXT:       llvm.call @__nv_sincosf(%arg0, %1, %2) : (f32, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:       %73 = llvm.load %1 : !llvm.ptr -> f32
// CHECK-NEXT:       %74 = llvm.load %2 : !llvm.ptr -> f32
// CHECK-NEXT:       llvm.call @use(%73, %arg1) : (f32, f64) -> ()
// CHECK-NEXT:       llvm.call @use(%74, %arg1) : (f32, f64) -> ()
// CHECK-NEXT:       %75 = llvm.call @__nv_abs(%arg2) : (i32) -> i32
// CHECK-NEXT:       %76 = llvm.sitofp %75 : i32 to f32
// CHECK-NEXT:       llvm.call @use(%76, %arg1) : (f32, f64) -> ()
// CHECK-NEXT:       %77 = llvm.call @__nv_finitef(%arg0) : (f32) -> i32
// CHECK-NEXT:       %78 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %79 = llvm.icmp "ne" %77, %78 : i32
// CHECK-NEXT:       llvm.call @bit(%79) : (i1) -> ()
// CHECK-NEXT:       %80 = llvm.call @__nv_isinff(%arg0) : (f32) -> i32
// CHECK-NEXT:       %81 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %82 = llvm.icmp "ne" %80, %81 : i32
// CHECK-NEXT:       llvm.call @bit(%82) : (i1) -> ()
// CHECK-NEXT:       %83 = llvm.call @__nv_isnanf(%arg0) : (f32) -> i32
// CHECK-NEXT:       %84 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %85 = llvm.icmp "ne" %83, %84 : i32
// CHECK-NEXT:       llvm.call @bit(%85) : (i1) -> ()
// CHECK-NEXT:       %86 = "llvm.intr.is.fpclass"(%arg0) <{bit = 264 : i32}> : (f32) -> i1
// CHECK-NEXT:       llvm.call @bit(%86) : (i1) -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @_mlir_ciface_functions(%arg0: f32, %arg1: f64, %arg2: i32) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:       llvm.call @functions(%arg0, %arg1, %arg2) : (f32, f64, i32) -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func private @use(f32, f64)
  func.func private @bit(i1)
  func.func @functions(%x: f32, %y: f64, %n: i32) {
    %absf_f = math.absf %x : f32
    %absf_d = math.absf %y : f64
    func.call @use(%absf_f, %absf_d) : (f32, f64) -> ()
    %acos_f = math.acos %x : f32
    %acos_d = math.acos %y : f64
    func.call @use(%acos_f, %acos_d) : (f32, f64) -> ()
    %acosh_f = math.acosh %x : f32
    %acosh_d = math.acosh %y : f64
    func.call @use(%acosh_f, %acosh_d) : (f32, f64) -> ()
    %asin_f = math.asin %x : f32
    %asin_d = math.asin %y : f64
    func.call @use(%asin_f, %asin_d) : (f32, f64) -> ()
    %asinh_f = math.asinh %x : f32
    %asinh_d = math.asinh %y : f64
    func.call @use(%asinh_f, %asinh_d) : (f32, f64) -> ()
    %atan_f = math.atan %x : f32
    %atan_d = math.atan %y : f64
    func.call @use(%atan_f, %atan_d) : (f32, f64) -> ()
    %atanh_f = math.atanh %x : f32
    %atanh_d = math.atanh %y : f64
    func.call @use(%atanh_f, %atanh_d) : (f32, f64) -> ()
    %cbrt_f = math.cbrt %x : f32
    %cbrt_d = math.cbrt %y : f64
    func.call @use(%cbrt_f, %cbrt_d) : (f32, f64) -> ()
    %ceil_f = math.ceil %x : f32
    %ceil_d = math.ceil %y : f64
    func.call @use(%ceil_f, %ceil_d) : (f32, f64) -> ()
    %cos_f = math.cos %x : f32
    %cos_d = math.cos %y : f64
    func.call @use(%cos_f, %cos_d) : (f32, f64) -> ()
    %cosh_f = math.cosh %x : f32
    %cosh_d = math.cosh %y : f64
    func.call @use(%cosh_f, %cosh_d) : (f32, f64) -> ()
    %erf_f = math.erf %x : f32
    %erf_d = math.erf %y : f64
    func.call @use(%erf_f, %erf_d) : (f32, f64) -> ()
    %erfc_f = math.erfc %x : f32
    %erfc_d = math.erfc %y : f64
    func.call @use(%erfc_f, %erfc_d) : (f32, f64) -> ()
    %exp_f = math.exp %x : f32
    %exp_d = math.exp %y : f64
    func.call @use(%exp_f, %exp_d) : (f32, f64) -> ()
    %exp2_f = math.exp2 %x : f32
    %exp2_d = math.exp2 %y : f64
    func.call @use(%exp2_f, %exp2_d) : (f32, f64) -> ()
    %expm1_f = math.expm1 %x : f32
    %expm1_d = math.expm1 %y : f64
    func.call @use(%expm1_f, %expm1_d) : (f32, f64) -> ()
    %floor_f = math.floor %x : f32
    %floor_d = math.floor %y : f64
    func.call @use(%floor_f, %floor_d) : (f32, f64) -> ()
    %log_f = math.log %x : f32
    %log_d = math.log %y : f64
    func.call @use(%log_f, %log_d) : (f32, f64) -> ()
    %log10_f = math.log10 %x : f32
    %log10_d = math.log10 %y : f64
    func.call @use(%log10_f, %log10_d) : (f32, f64) -> ()
    %log1p_f = math.log1p %x : f32
    %log1p_d = math.log1p %y : f64
    func.call @use(%log1p_f, %log1p_d) : (f32, f64) -> ()
    %log2_f = math.log2 %x : f32
    %log2_d = math.log2 %y : f64
    func.call @use(%log2_f, %log2_d) : (f32, f64) -> ()
    %round_f = math.round %x : f32
    %round_d = math.round %y : f64
    func.call @use(%round_f, %round_d) : (f32, f64) -> ()
    %roundeven_f = math.roundeven %x : f32
    %roundeven_d = math.roundeven %y : f64
    func.call @use(%roundeven_f, %roundeven_d) : (f32, f64) -> ()
    %rsqrt_f = math.rsqrt %x : f32
    %rsqrt_d = math.rsqrt %y : f64
    func.call @use(%rsqrt_f, %rsqrt_d) : (f32, f64) -> ()
    %sin_f = math.sin %x : f32
    %sin_d = math.sin %y : f64
    func.call @use(%sin_f, %sin_d) : (f32, f64) -> ()
    %sinh_f = math.sinh %x : f32
    %sinh_d = math.sinh %y : f64
    func.call @use(%sinh_f, %sinh_d) : (f32, f64) -> ()
    %sqrt_f = math.sqrt %x : f32
    %sqrt_d = math.sqrt %y : f64
    func.call @use(%sqrt_f, %sqrt_d) : (f32, f64) -> ()
    %tan_f = math.tan %x : f32
    %tan_d = math.tan %y : f64
    func.call @use(%tan_f, %tan_d) : (f32, f64) -> ()
    %tanh_f = math.tanh %x : f32
    %tanh_d = math.tanh %y : f64
    func.call @use(%tanh_f, %tanh_d) : (f32, f64) -> ()
    %atan2_f = math.atan2 %x, %x : f32
    %atan2_d = math.atan2 %y, %y : f64
    func.call @use(%atan2_f, %atan2_d) : (f32, f64) -> ()
    %copysign_f = math.copysign %x, %x : f32
    %copysign_d = math.copysign %y, %y : f64
    func.call @use(%copysign_f, %copysign_d) : (f32, f64) -> ()
    %powf_f = math.powf %x, %x : f32
    %powf_d = math.powf %y, %y : f64
    func.call @use(%powf_f, %powf_d) : (f32, f64) -> ()
    %rem_f = arith.remf %x, %x : f32
    %rem_d = arith.remf %y, %y : f64
    func.call @use(%rem_f, %rem_d) : (f32, f64) -> ()
    %pow_f = math.fpowi %x, %n : f32, i32
    %pow_d = math.fpowi %y, %n : f64, i32
    func.call @use(%pow_f, %pow_d) : (f32, f64) -> ()
    %fma_f = math.fma %x, %x, %x : f32
    %fma_d = math.fma %y, %y, %y : f64
    func.call @use(%fma_f, %fma_d) : (f32, f64) -> ()
    %s, %c = math.sincos %x : f32
    func.call @use(%s, %y) : (f32, f64) -> ()
    func.call @use(%c, %y) : (f32, f64) -> ()
    %abs = math.absi %n : i32
    %abs_f = arith.sitofp %abs : i32 to f32
    func.call @use(%abs_f, %y) : (f32, f64) -> ()
    %isfinite = math.isfinite %x : f32
    func.call @bit(%isfinite) : (i1) -> ()
    %isinf = math.isinf %x : f32
    func.call @bit(%isinf) : (i1) -> ()
    %isnan = math.isnan %x : f32
    func.call @bit(%isnan) : (i1) -> ()
    %isnormal = math.isnormal %x : f32
    func.call @bit(%isnormal) : (i1) -> ()
    return
  }
}
