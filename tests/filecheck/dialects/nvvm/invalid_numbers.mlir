// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

llvm.func @event() {
  // expected-error @+1 {{'nvvm.pmevent' op attribute 'eventId' failed to satisfy constraint: 32-bit signless integer attribute}}
  nvvm.pmevent id = true
  llvm.return
}

// -----

// The registers of such a product are not counted.

llvm.func @sparse(%i: i32, %f: f32, %m: i32) {
  %s = llvm.mlir.constant(0 : i32) : i32
  // expected-error @+1 {{'nvvm.mma.sp.sync' op unimplemented variant for MMA shape <16, 2147483647, 64>}}
  %1 = nvvm.mma.sp.sync A[%i, %i, %i, %i] B[%i, %i, %i, %i] C[%f, %f, %f, %f] sparseMetadata[%m] selector[%s] {kind = #nvvm.mma_kind<f8f6f4>, orderedMetadata, multiplicandAPtxType = #nvvm.mma_type<e3m2>, multiplicandBPtxType = #nvvm.mma_type<e2m3>, shape = #nvvm.shape<m = 16, n = 2147483647, k = 64>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}
