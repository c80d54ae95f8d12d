// RUN: xgpu-opt %s --convert-gpu-to-nvvm | filecheck %s

// CHECK: llvm.call @__nv_fmaxf(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK: llvm.call @__nv_fmin(%{{.*}}, %{{.*}}) : (f64, f64) -> f64
// CHECK: %[[A:.*]] = llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.call @__nv_fminf(%[[A]], %{{.*}}) : (f32, f32) -> f32
gpu.module @k {
  func.func @f(%a: f32, %b: f32, %c: f64, %d: f64, %e: f16, %f: f16) -> (f32, f64, f16) {
    %0 = arith.maxnumf %a, %b : f32
    %1 = arith.minnumf %c, %d : f64
    %2 = arith.minnumf %e, %f : f16
    return %0, %1, %2 : f32, f64, f16
  }
}
