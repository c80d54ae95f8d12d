// RUN: xgpu-opt %s --convert-vector-to-llvm | filecheck %s

// Accesses under a mask, and parts of vectors.

// CHECK: module {
// CHECK-NEXT:   func.func @masked(%arg0: memref<?xf32>, %arg1: index, %arg2: vector<4xi1>, %arg3: vector<4xf32>, %arg4: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : memref<?xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.getelementptr %2[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %4 = llvm.getelementptr %3[%arg4] : (!llvm.ptr, vector<4xi32>) -> vector<4x!llvm.ptr>, f32
// CHECK-NEXT:     %5 = llvm.intr.masked.gather %4, %arg2, %arg3 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %6 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.getelementptr %6[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %8 = llvm.getelementptr %7[%arg4] : (!llvm.ptr, vector<4xi32>) -> vector<4x!llvm.ptr>, f32
// CHECK-NEXT:     llvm.intr.masked.scatter %5, %8, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
// CHECK-NEXT:     %9 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %10 = llvm.getelementptr %9[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     llvm.intr.masked.store %5, %10, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
// CHECK-NEXT:     %11 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %12 = llvm.getelementptr %11[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %13 = "llvm.intr.masked.expandload"(%12, %arg2, %arg3) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %14 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %15 = llvm.getelementptr %14[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     "llvm.intr.masked.compressstore"(%13, %15, %arg2) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
// CHECK-NEXT:     return %5, %13 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @masked(%m: memref<?xf32>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>, %at: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>) {
  %g = vector.gather %m[%i] [%at], %mask, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i] [%at], %mask, %g : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%i], %mask, %g : memref<?xf32>, vector<4xi1>, vector<4xf32>
  %e = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %mask, %e : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return %g, %e : vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @parts(%arg0: vector<4xf32>, %arg1: vector<4xf32>, %arg2: index, %arg3: f32, %arg4: f32) -> (vector<8xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, vector<2xf32>, f32) {
// CHECK-NEXT:     %cst = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// CHECK-NEXT:     %0 = llvm.shufflevector %arg0, %arg1 [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xf32>
// CHECK-NEXT:     %1 = llvm.mlir.poison : vector<8xf32>
// CHECK-NEXT:     %2 = llvm.shufflevector %0, %1 [0, 2, 4, 6] : vector<8xf32>
// CHECK-NEXT:     %3 = llvm.shufflevector %0, %1 [1, 3, 5, 7] : vector<8xf32>
// CHECK-NEXT:     %4 = arith.index_cast %arg2 : index to i32
// CHECK-NEXT:     %5 = llvm.mlir.poison : vector<4xi32>
// CHECK-NEXT:     %6 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %7 = llvm.insertelement %4, %5[%6 : i32] : vector<4xi32>
// CHECK-NEXT:     %8 = llvm.shufflevector %7, %5 [0, 0, 0, 0] : vector<4xi32>
// CHECK-NEXT:     %9 = arith.cmpi sgt, %8, %cst : vector<4xi32>
// CHECK-NEXT:     %10 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %11 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %12 = llvm.insertelement %arg3, %10[%11 : i64] : vector<2xf32>
// CHECK-NEXT:     %13 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %14 = llvm.insertelement %arg4, %12[%13 : i64] : vector<2xf32>
// CHECK-NEXT:     return %0, %2, %3, %9, %14, %arg4 : vector<8xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, vector<2xf32>, f32
// CHECK-NEXT:   }
func.func @parts(%a: vector<4xf32>, %b: vector<4xf32>, %n: index, %x: f32, %y: f32) -> (vector<8xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, vector<2xf32>, f32) {
  %w = vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>
  %p, %q = vector.deinterleave %w : vector<8xf32> -> vector<4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %f = vector.from_elements %x, %y : vector<2xf32>
  %u:2 = vector.to_elements %f : vector<2xf32>
  return %w, %p, %q, %m, %f, %u#1 : vector<8xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, vector<2xf32>, f32
}

// CHECK-NEXT:   func.func @scalable(%arg0: vector<4xf32>, %arg1: vector<[4]xf32>, %arg2: index) -> (vector<[4]xf32>, vector<4xf32>, index, vector<[4]xindex>, vector<[4]xi1>) {
// CHECK-NEXT:     %0 = llvm.intr.vector.insert %arg0, %arg1[4] : vector<4xf32> into vector<[4]xf32>
// CHECK-NEXT:     %1 = llvm.intr.vector.extract %0[0] : vector<4xf32> from vector<[4]xf32>
// CHECK-NEXT:     %2 = "llvm.intr.vscale"() : () -> i64
// CHECK-NEXT:     %3 = builtin.unrealized_conversion_cast %2 : i64 to index
// CHECK-NEXT:     %4 = llvm.intr.stepvector : vector<[4]xi64>
// CHECK-NEXT:     %5 = builtin.unrealized_conversion_cast %4 : vector<[4]xi64> to vector<[4]xindex>
// CHECK-NEXT:     %6 = llvm.intr.stepvector : vector<[4]xi32>
// CHECK-NEXT:     %7 = arith.index_cast %arg2 : index to i32
// CHECK-NEXT:     %8 = llvm.mlir.poison : vector<[4]xi32>
// CHECK-NEXT:     %9 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %10 = llvm.insertelement %7, %8[%9 : i32] : vector<[4]xi32>
// CHECK-NEXT:     %11 = llvm.shufflevector %10, %8 [0, 0, 0, 0] : vector<[4]xi32>
// CHECK-NEXT:     %12 = arith.cmpi slt, %6, %11 : vector<[4]xi32>
// CHECK-NEXT:     return %0, %1, %3, %5, %12 : vector<[4]xf32>, vector<4xf32>, index, vector<[4]xindex>, vector<[4]xi1>
// CHECK-NEXT:   }
func.func @scalable(%v: vector<4xf32>, %s: vector<[4]xf32>, %k: index) -> (vector<[4]xf32>, vector<4xf32>, index, vector<[4]xindex>, vector<[4]xi1>) {
  %i = vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[4]xf32>
  %e = vector.scalable.extract %i[0] : vector<4xf32> from vector<[4]xf32>
  %n = vector.vscale
  %t = vector.step : vector<[4]xindex>
  %m = vector.create_mask %k : vector<[4]xi1>
  return %i, %e, %n, %t, %m : vector<[4]xf32>, vector<4xf32>, index, vector<[4]xindex>, vector<[4]xi1>
}

// CHECK-NEXT:   func.func @as_one_vector(%arg0: memref<2x4xf32>) -> memref<vector<2x4xf32>> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : memref<2x4xf32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %2 = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %2, %1[0] : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %4 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %4, %3[1] : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %6 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %7 = llvm.insertvalue %6, %5[2] : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %8 = builtin.unrealized_conversion_cast %7 : !llvm.struct<(ptr, ptr, i64)> to memref<vector<2x4xf32>>
// CHECK-NEXT:     return %8 : memref<vector<2x4xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @as_one_vector(%m: memref<2x4xf32>) -> memref<vector<2x4xf32>> {
  %c = vector.type_cast %m : memref<2x4xf32> to memref<vector<2x4xf32>>
  return %c : memref<vector<2x4xf32>>
}
