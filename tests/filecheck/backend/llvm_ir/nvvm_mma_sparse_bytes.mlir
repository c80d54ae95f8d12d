// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Sparse products of 8-bit and smaller floats: A and B have four registers each.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @sparse(i32 %0, float %1, i32 %2) {
// CHECK-NEXT:   %4 = call { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.kind.f8f6f4.f32.e4m3.e5m2.f32(i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, float %1, float %1, float %1, float %1, i32 %2, i32 0)
// CHECK-NEXT:   %5 = call { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.kind.f8f6f4.f32.e3m2.e2m3.f32(i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, float %1, float %1, float %1, float %1, i32 %2, i32 0)
// CHECK-NEXT:   %6 = call { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.kind.f8f6f4.f32.e2m1.e4m3.f32(i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, i32 %0, float %1, float %1, float %1, float %1, i32 %2, i32 0)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @sparse(%i: i32, %f: f32, %m: i32) {
  %s = llvm.mlir.constant(0 : i32) : i32
  %0 = nvvm.mma.sp.sync A[%i, %i, %i, %i] B[%i, %i, %i, %i] C[%f, %f, %f, %f] sparseMetadata[%m] selector[%s] {kind = #nvvm.mma_kind<f8f6f4>, orderedMetadata, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %1 = nvvm.mma.sp.sync A[%i, %i, %i, %i] B[%i, %i, %i, %i] C[%f, %f, %f, %f] sparseMetadata[%m] selector[%s] {kind = #nvvm.mma_kind<f8f6f4>, orderedMetadata, multiplicandAPtxType = #nvvm.mma_type<e3m2>, multiplicandBPtxType = #nvvm.mma_type<e2m3>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %2 = nvvm.mma.sp.sync A[%i, %i, %i, %i] B[%i, %i, %i, %i] C[%f, %f, %f, %f] sparseMetadata[%m] selector[%s] {kind = #nvvm.mma_kind<f8f6f4>, orderedMetadata, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e4m3>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(none)
// CHECK-NEXT: declare { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.kind.f8f6f4.f32.e4m3.e5m2.f32(i32, i32, i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i32 immarg range(i32 0, 1)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(none)
// CHECK-NEXT: declare { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.kind.f8f6f4.f32.e3m2.e2m3.f32(i32, i32, i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i32 immarg range(i32 0, 1)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(none)
// CHECK-NEXT: declare { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.kind.f8f6f4.f32.e2m1.e4m3.f32(i32, i32, i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i32 immarg range(i32 0, 1)) #0
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { nocallback nounwind memory(none) }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
