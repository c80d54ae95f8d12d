// RUN: xgpu-opt --finalize-memref-to-llvm=use-aligned-alloc=true %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --finalize-memref-to-llvm=use-generic-functions=true %s | filecheck %s --match-full-lines --check-prefix=GENERIC
// RUN: xgpu-opt --finalize-memref-to-llvm="use-aligned-alloc=true use-generic-functions=true" %s | filecheck %s --match-full-lines --check-prefix=BOTH

func.func @f(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  %1 = memref.alloc() {alignment = 64 : i64} : memref<16xi8>
  memref.dealloc %0 : memref<?xf32>
  memref.dealloc %1 : memref<16xi8>
  return
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @free(!llvm.ptr)
// CHECK-NEXT:   llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
// CHECK-NEXT:   func.func @f(%arg0: index) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : index to i64
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %3 = llvm.getelementptr %2[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %4 = llvm.ptrtoint %3 : !llvm.ptr to i64
// CHECK-NEXT:     %5 = llvm.mlir.constant(16 : index) : i64
// CHECK-NEXT:     %6 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %7 = llvm.sub %5, %6 : i64
// CHECK-NEXT:     %8 = llvm.add %4, %7 : i64
// CHECK-NEXT:     %9 = llvm.urem %8, %5 : i64
// CHECK-NEXT:     %10 = llvm.sub %8, %9 : i64
// CHECK-NEXT:     %11 = llvm.call @aligned_alloc(%5, %10) : (i64, i64) -> !llvm.ptr
// CHECK-NEXT:     %12 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %13 = llvm.insertvalue %11, %12[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %14 = llvm.insertvalue %11, %13[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %15 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %16 = llvm.insertvalue %15, %14[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %17 = llvm.insertvalue %0, %16[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %18 = llvm.insertvalue %1, %17[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %19 = llvm.mlir.constant(16 : index) : i64
// CHECK-NEXT:     %20 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %21 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %22 = llvm.getelementptr %21[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:     %23 = llvm.ptrtoint %22 : !llvm.ptr to i64
// CHECK-NEXT:     %24 = llvm.mlir.constant(64 : index) : i64
// CHECK-NEXT:     %25 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %26 = llvm.sub %24, %25 : i64
// CHECK-NEXT:     %27 = llvm.add %23, %26 : i64
// CHECK-NEXT:     %28 = llvm.urem %27, %24 : i64
// CHECK-NEXT:     %29 = llvm.sub %27, %28 : i64
// CHECK-NEXT:     %30 = llvm.call @aligned_alloc(%24, %29) : (i64, i64) -> !llvm.ptr
// CHECK-NEXT:     %31 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %32 = llvm.insertvalue %30, %31[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %33 = llvm.insertvalue %30, %32[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %34 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %35 = llvm.insertvalue %34, %33[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %36 = llvm.insertvalue %19, %35[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %37 = llvm.insertvalue %20, %36[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %38 = llvm.extractvalue %18[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     llvm.call @free(%38) : (!llvm.ptr) -> ()
// CHECK-NEXT:     %39 = llvm.extractvalue %37[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     llvm.call @free(%39) : (!llvm.ptr) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// GENERIC: module {
// GENERIC-NEXT:   llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
// GENERIC-NEXT:   llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
// GENERIC-NEXT:   func.func @f(%arg0: index) {
// GENERIC-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : index to i64
// GENERIC-NEXT:     %1 = llvm.mlir.constant(1 : index) : i64
// GENERIC-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
// GENERIC-NEXT:     %3 = llvm.getelementptr %2[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// GENERIC-NEXT:     %4 = llvm.ptrtoint %3 : !llvm.ptr to i64
// GENERIC-NEXT:     %5 = llvm.call @_mlir_memref_to_llvm_alloc(%4) : (i64) -> !llvm.ptr
// GENERIC-NEXT:     %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %7 = llvm.insertvalue %5, %6[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %8 = llvm.insertvalue %5, %7[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %9 = llvm.mlir.constant(0 : index) : i64
// GENERIC-NEXT:     %10 = llvm.insertvalue %9, %8[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %11 = llvm.insertvalue %0, %10[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %12 = llvm.insertvalue %1, %11[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %13 = llvm.mlir.constant(16 : index) : i64
// GENERIC-NEXT:     %14 = llvm.mlir.constant(1 : index) : i64
// GENERIC-NEXT:     %15 = llvm.mlir.zero : !llvm.ptr
// GENERIC-NEXT:     %16 = llvm.getelementptr %15[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// GENERIC-NEXT:     %17 = llvm.ptrtoint %16 : !llvm.ptr to i64
// GENERIC-NEXT:     %18 = llvm.mlir.constant(64 : index) : i64
// GENERIC-NEXT:     %19 = llvm.add %17, %18 : i64
// GENERIC-NEXT:     %20 = llvm.call @_mlir_memref_to_llvm_alloc(%19) : (i64) -> !llvm.ptr
// GENERIC-NEXT:     %21 = llvm.ptrtoint %20 : !llvm.ptr to i64
// GENERIC-NEXT:     %22 = llvm.mlir.constant(1 : index) : i64
// GENERIC-NEXT:     %23 = llvm.sub %18, %22 : i64
// GENERIC-NEXT:     %24 = llvm.add %21, %23 : i64
// GENERIC-NEXT:     %25 = llvm.urem %24, %18 : i64
// GENERIC-NEXT:     %26 = llvm.sub %24, %25 : i64
// GENERIC-NEXT:     %27 = llvm.inttoptr %26 : i64 to !llvm.ptr
// GENERIC-NEXT:     %28 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %29 = llvm.insertvalue %20, %28[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %30 = llvm.insertvalue %27, %29[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %31 = llvm.mlir.constant(0 : index) : i64
// GENERIC-NEXT:     %32 = llvm.insertvalue %31, %30[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %33 = llvm.insertvalue %13, %32[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %34 = llvm.insertvalue %14, %33[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     %35 = llvm.extractvalue %12[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     llvm.call @_mlir_memref_to_llvm_free(%35) : (!llvm.ptr) -> ()
// GENERIC-NEXT:     %36 = llvm.extractvalue %34[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// GENERIC-NEXT:     llvm.call @_mlir_memref_to_llvm_free(%36) : (!llvm.ptr) -> ()
// GENERIC-NEXT:     return
// GENERIC-NEXT:   }
// GENERIC-NEXT: }

// BOTH: module {
// BOTH-NEXT:   llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
// BOTH-NEXT:   llvm.func @_mlir_memref_to_llvm_aligned_alloc(i64, i64) -> !llvm.ptr
// BOTH-NEXT:   func.func @f(%arg0: index) {
// BOTH-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : index to i64
// BOTH-NEXT:     %1 = llvm.mlir.constant(1 : index) : i64
// BOTH-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
// BOTH-NEXT:     %3 = llvm.getelementptr %2[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// BOTH-NEXT:     %4 = llvm.ptrtoint %3 : !llvm.ptr to i64
// BOTH-NEXT:     %5 = llvm.mlir.constant(16 : index) : i64
// BOTH-NEXT:     %6 = llvm.mlir.constant(1 : index) : i64
// BOTH-NEXT:     %7 = llvm.sub %5, %6 : i64
// BOTH-NEXT:     %8 = llvm.add %4, %7 : i64
// BOTH-NEXT:     %9 = llvm.urem %8, %5 : i64
// BOTH-NEXT:     %10 = llvm.sub %8, %9 : i64
// BOTH-NEXT:     %11 = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%5, %10) : (i64, i64) -> !llvm.ptr
// BOTH-NEXT:     %12 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %13 = llvm.insertvalue %11, %12[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %14 = llvm.insertvalue %11, %13[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %15 = llvm.mlir.constant(0 : index) : i64
// BOTH-NEXT:     %16 = llvm.insertvalue %15, %14[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %17 = llvm.insertvalue %0, %16[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %18 = llvm.insertvalue %1, %17[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %19 = llvm.mlir.constant(16 : index) : i64
// BOTH-NEXT:     %20 = llvm.mlir.constant(1 : index) : i64
// BOTH-NEXT:     %21 = llvm.mlir.zero : !llvm.ptr
// BOTH-NEXT:     %22 = llvm.getelementptr %21[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// BOTH-NEXT:     %23 = llvm.ptrtoint %22 : !llvm.ptr to i64
// BOTH-NEXT:     %24 = llvm.mlir.constant(64 : index) : i64
// BOTH-NEXT:     %25 = llvm.mlir.constant(1 : index) : i64
// BOTH-NEXT:     %26 = llvm.sub %24, %25 : i64
// BOTH-NEXT:     %27 = llvm.add %23, %26 : i64
// BOTH-NEXT:     %28 = llvm.urem %27, %24 : i64
// BOTH-NEXT:     %29 = llvm.sub %27, %28 : i64
// BOTH-NEXT:     %30 = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%24, %29) : (i64, i64) -> !llvm.ptr
// BOTH-NEXT:     %31 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %32 = llvm.insertvalue %30, %31[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %33 = llvm.insertvalue %30, %32[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %34 = llvm.mlir.constant(0 : index) : i64
// BOTH-NEXT:     %35 = llvm.insertvalue %34, %33[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %36 = llvm.insertvalue %19, %35[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %37 = llvm.insertvalue %20, %36[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     %38 = llvm.extractvalue %18[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     llvm.call @_mlir_memref_to_llvm_free(%38) : (!llvm.ptr) -> ()
// BOTH-NEXT:     %39 = llvm.extractvalue %37[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BOTH-NEXT:     llvm.call @_mlir_memref_to_llvm_free(%39) : (!llvm.ptr) -> ()
// BOTH-NEXT:     return
// BOTH-NEXT:   }
// BOTH-NEXT: }
