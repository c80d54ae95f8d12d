// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tcgen05: calls of the runtime. What a product says is a record of words of 64 bits; the last of them
// are whether A is sparse, its metadata, whether it is shifted, and which columns are zeros.
// RUN: xgpu-opt --host-runtime-calls --mlir-print-local-scope %s | filecheck %s

// CHECK: llvm.func @moves(%arg0: !llvm.ptr, %arg1: !llvm.ptr<6>, %arg2: i64)
// CHECK: %0 = llvm.mlir.constant(128 : i32) : i32
// CHECK-NEXT: %1 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT: %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: %3 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %4 = llvm.mlir.constant(2 : i32) : i32
// CHECK: llvm.call @xgpu_tensor_copy(%arg0, %{{[0-9]+}}, %arg2, %0, %1, %2, %3, %4)
// CHECK: llvm.call @xgpu_tensor_shift(%arg0, %{{[0-9]+}}, %4)
llvm.func @moves(%tm: !llvm.ptr<6>, %a: i64) attributes {nvvm.kernel} {
  nvvm.tcgen05.cp %tm, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
  nvvm.tcgen05.shift %tm {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
  llvm.return
}

// CHECK: llvm.func @sparse(%arg0: !llvm.ptr, %arg1: !llvm.ptr<6>, %arg2: !llvm.ptr<6>
// CHECK: %[[ONE:[0-9]+]] = llvm.mlir.constant(1 : i64) : i64
// CHECK: %[[RECORD:[0-9]+]] = llvm.alloca
// CHECK: %[[META:[0-9]+]] = llvm.ptrtoint %arg2 : !llvm.ptr<6> to i64
// CHECK: %[[AT:[0-9]+]] = llvm.getelementptr %[[RECORD]][112]
// CHECK-NEXT: llvm.store %[[ONE]], %[[AT]]
// CHECK-NEXT: %[[NEXT:[0-9]+]] = llvm.getelementptr %[[RECORD]][120]
// CHECK-NEXT: llvm.store %[[META]], %[[NEXT]]
// CHECK: llvm.call @xgpu_tensor_mma5(%arg0, %[[RECORD]])
llvm.func @sparse(%tm: !llvm.ptr<6>, %meta: !llvm.ptr<6>, %a: i64, %b: i64, %i: i32, %e: i1) attributes {nvvm.kernel} {
  nvvm.tcgen05.mma.sp %tm, %a, %b, %i, %e, %meta {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  llvm.return
}

// CHECK: llvm.func @shifted
// CHECK: %[[YES:[0-9]+]] = llvm.mlir.constant(1 : i64) : i64
// CHECK: %[[RECORD:[0-9]+]] = llvm.alloca
// CHECK: %[[AT:[0-9]+]] = llvm.getelementptr %[[RECORD]][128]
// CHECK-NEXT: llvm.store %[[YES]], %[[AT]]
llvm.func @shifted(%tm: !llvm.ptr<6>, %b: i64, %i: i32, %e: i1) attributes {nvvm.kernel} {
  nvvm.tcgen05.mma %tm, %tm, %b, %i, %e {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  llvm.return
}

// CHECK: llvm.func @zeros({{.*}}, %arg6: i64)
// CHECK: %[[RECORD:[0-9]+]] = llvm.alloca
// CHECK: %[[AT:[0-9]+]] = llvm.getelementptr %[[RECORD]][136]
// CHECK-NEXT: llvm.store %arg6, %[[AT]]
llvm.func @zeros(%tm: !llvm.ptr<6>, %a: i64, %b: i64, %i: i32, %e: i1, %zeros: i64) attributes {nvvm.kernel} {
  nvvm.tcgen05.mma.ws %tm, %a, %b, %i, %e, %zeros {kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  llvm.return
}
