// RUN: xgpu-opt --canonicalize --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @dead_tokens(%arg0: memref<4xf32>, %arg1: memref<4xf32, 3>, %arg2: index) {
// CHECK-NEXT:     %0 = nvgpu.device_async_copy %arg0[%arg2], %arg1[%arg2], 1 : memref<4xf32> to memref<4xf32, 3>
// CHECK-NEXT:     %1 = nvgpu.device_async_create_group %0
// CHECK-NEXT:     nvgpu.device_async_wait %1 {numGroups = 0 : i32}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @dead_tokens(%m: memref<4xf32>, %s: memref<4xf32, 3>, %i: index) {
  %0 = nvgpu.device_async_copy %m[%i], %s[%i], 1 : memref<4xf32> to memref<4xf32, 3>
  %1 = nvgpu.device_async_create_group %0
  nvgpu.device_async_wait %1 {numGroups = 0 : i32}
  return
}

// CHECK-NEXT:   func.func @loads(%arg0: memref<16x16xf16, 3>, %arg1: index) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @loads(%s: memref<16x16xf16, 3>, %i: index) {
  %0 = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
  return
}

// CHECK-NEXT:   llvm.func @registers() {
// CHECK-NEXT:     %0 = nvvm.read.ptx.sreg.clock : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @registers() {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %1 = nvvm.read.ptx.sreg.clock : i32
  %2 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @barriers(%arg0: i32) {
// CHECK-NEXT:     nvvm.barrier0
// CHECK-NEXT:     nvvm.barrier0
// CHECK-NEXT:     nvvm.barrier id = %arg0
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @barriers(%i: i32) {
  nvvm.barrier0
  nvvm.barrier0
  nvvm.barrier id = %i
  llvm.return
}

// CHECK-NEXT:   llvm.func @pure(%arg0: f32, %arg1: i32, %arg2: !llvm.ptr<3>) {
// CHECK-NEXT:     %0 = nvvm.mapa %arg2, %arg1 : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-NEXT:     %1 = nvvm.convert.float.to.tf32 %arg0 {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @pure(%x: f32, %i: i32, %p: !llvm.ptr<3>) {
  %0 = nvvm.rcp.approx.ftz.f %x : f32
  %1 = nvvm.prmt #nvvm.permute_mode<default> %i, %i, %i : i32
  %2 = nvvm.mapa %p, %i : !llvm.ptr<3> -> !llvm.ptr<7>
  %3 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
  llvm.return
}
