// RUN: xgpu-opt %s --convert-gpu-to-nvvm | filecheck %s

// CHECK-LABEL: llvm.func @casts
// CHECK: %[[P:.*]] = nvvm.convert.f32x2.to.f8x2 %[[X:.*]], %[[X]] {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8>(f8E4M3FN)
// CHECK: llvm.extractelement %[[P]]
// CHECK: %[[H:.*]] = nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E5M2) -> vector<2xf16>
// CHECK: %[[E:.*]] = llvm.extractelement %[[H]]
// CHECK: llvm.fpext %[[E]] : f16 to f32
gpu.module @kernels {
  gpu.func @casts(%x: f32, %y: f8E5M2, %m: memref<1xf8E4M3FN>, %n: memref<1xf32>) kernel {
    %i = arith.constant 0 : index
    %0 = arith.truncf %x : f32 to f8E4M3FN
    memref.store %0, %m[%i] : memref<1xf8E4M3FN>
    %1 = arith.extf %y : f8E5M2 to f32
    memref.store %1, %n[%i] : memref<1xf32>
    gpu.return
  }

  // Vectors go two at a time; arithmetic is done in f32.
  // CHECK-LABEL: llvm.func @vectors
  // CHECK-COUNT-2: nvvm.convert.f8x2.to.f16x2
  // CHECK: llvm.fmul %{{.*}}, %{{.*}} : f32
  // CHECK: llvm.fmul %{{.*}}, %{{.*}} : f32
  // CHECK-NOT: llvm.fmul
  // CHECK: nvvm.convert.f32x2.to.f8x2 %{{.*}}, %{{.*}} : vector<2xi8>(f8E4M3FN)
  // CHECK: llvm.fcmp "olt" %{{.*}}, %{{.*}} : f32
  gpu.func @vectors(%a: vector<2xf8E4M3FN>, %b: vector<2xf8E4M3FN>, %c: f8E4M3FN, %d: f8E4M3FN,
                    %m: memref<vector<2xf8E4M3FN>>, %n: memref<i1>) kernel {
    %0 = arith.mulf %a, %b : vector<2xf8E4M3FN>
    memref.store %0, %m[] : memref<vector<2xf8E4M3FN>>
    %1 = arith.cmpf olt, %c, %d : f8E4M3FN
    memref.store %1, %n[] : memref<i1>
    gpu.return
  }
}
