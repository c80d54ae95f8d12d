// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=shuffle1d %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=llvmintr %s | filecheck %s --match-full-lines --check-prefix=FLAT
// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=eltwise %s | filecheck %s --match-full-lines --check-prefix=ELEMENTS
// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=shuffle16x16 %s | filecheck %s --match-full-lines --check-prefix=BLOCK

// CHECK: module {
// CHECK-NEXT:   func.func @transpose(%arg0: vector<2x3xf32>) -> vector<3x2xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3xf32> to !llvm.array<2 x vector<3xf32>>
// CHECK-NEXT:     %1 = ub.poison : vector<3x2xf32>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2xf32> to !llvm.array<3 x vector<2xf32>>
// CHECK-NEXT:     %3 = ub.poison : vector<6xf32>
// CHECK-NEXT:     %4 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<3xf32>>
// CHECK-NEXT:     %5 = llvm.shufflevector %4, %4 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// CHECK-NEXT:     %6 = llvm.shufflevector %5, %3 [0, 1, 2, 9, 10, 11] : vector<6xf32>
// CHECK-NEXT:     %7 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<3xf32>>
// CHECK-NEXT:     %8 = llvm.shufflevector %7, %7 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// CHECK-NEXT:     %9 = llvm.shufflevector %8, %6 [6, 7, 8, 0, 1, 2] : vector<6xf32>
// CHECK-NEXT:     %10 = llvm.shufflevector %9, %9 [0, 3, 1, 4, 2, 5] : vector<6xf32>
// CHECK-NEXT:     %11 = llvm.shufflevector %10, %10 [0, 1] : vector<6xf32>
// CHECK-NEXT:     %12 = llvm.insertvalue %11, %2[0] : !llvm.array<3 x vector<2xf32>>
// CHECK-NEXT:     %13 = llvm.shufflevector %10, %10 [2, 3] : vector<6xf32>
// CHECK-NEXT:     %14 = llvm.insertvalue %13, %12[1] : !llvm.array<3 x vector<2xf32>>
// CHECK-NEXT:     %15 = llvm.shufflevector %10, %10 [4, 5] : vector<6xf32>
// CHECK-NEXT:     %16 = llvm.insertvalue %15, %14[2] : !llvm.array<3 x vector<2xf32>>
// CHECK-NEXT:     %17 = builtin.unrealized_conversion_cast %16 : !llvm.array<3 x vector<2xf32>> to vector<3x2xf32>
// CHECK-NEXT:     return %17 : vector<3x2xf32>
// CHECK-NEXT:   }
// FLAT: module {
// FLAT-NEXT:   func.func @transpose(%arg0: vector<2x3xf32>) -> vector<3x2xf32> {
// FLAT-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3xf32> to !llvm.array<2 x vector<3xf32>>
// FLAT-NEXT:     %1 = ub.poison : vector<3x2xf32>
// FLAT-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2xf32> to !llvm.array<3 x vector<2xf32>>
// FLAT-NEXT:     %3 = ub.poison : vector<6xf32>
// FLAT-NEXT:     %4 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<3xf32>>
// FLAT-NEXT:     %5 = llvm.shufflevector %4, %4 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// FLAT-NEXT:     %6 = llvm.shufflevector %5, %3 [0, 1, 2, 9, 10, 11] : vector<6xf32>
// FLAT-NEXT:     %7 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<3xf32>>
// FLAT-NEXT:     %8 = llvm.shufflevector %7, %7 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// FLAT-NEXT:     %9 = llvm.shufflevector %8, %6 [6, 7, 8, 0, 1, 2] : vector<6xf32>
// FLAT-NEXT:     %10 = llvm.intr.matrix.transpose %9 {columns = 2 : i32, rows = 3 : i32} : vector<6xf32> into vector<6xf32>
// FLAT-NEXT:     %11 = llvm.shufflevector %10, %10 [0, 1] : vector<6xf32>
// FLAT-NEXT:     %12 = llvm.insertvalue %11, %2[0] : !llvm.array<3 x vector<2xf32>>
// FLAT-NEXT:     %13 = llvm.shufflevector %10, %10 [2, 3] : vector<6xf32>
// FLAT-NEXT:     %14 = llvm.insertvalue %13, %12[1] : !llvm.array<3 x vector<2xf32>>
// FLAT-NEXT:     %15 = llvm.shufflevector %10, %10 [4, 5] : vector<6xf32>
// FLAT-NEXT:     %16 = llvm.insertvalue %15, %14[2] : !llvm.array<3 x vector<2xf32>>
// FLAT-NEXT:     %17 = builtin.unrealized_conversion_cast %16 : !llvm.array<3 x vector<2xf32>> to vector<3x2xf32>
// FLAT-NEXT:     return %17 : vector<3x2xf32>
// FLAT-NEXT:   }
// ELEMENTS: module {
// ELEMENTS-NEXT:   func.func @transpose(%arg0: vector<2x3xf32>) -> vector<3x2xf32> {
// ELEMENTS-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3xf32> to !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %1 = ub.poison : vector<3x2xf32>
// ELEMENTS-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2xf32> to !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %3 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %4 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %5 = llvm.extractelement %3[%4 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %6 = llvm.extractvalue %2[0] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %7 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %8 = llvm.insertelement %5, %6[%7 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %9 = llvm.insertvalue %8, %2[0] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %10 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %11 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %12 = llvm.extractelement %10[%11 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %13 = llvm.extractvalue %9[1] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %14 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %15 = llvm.insertelement %12, %13[%14 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %16 = llvm.insertvalue %15, %9[1] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %17 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %18 = llvm.mlir.constant(2 : i64) : i64
// ELEMENTS-NEXT:     %19 = llvm.extractelement %17[%18 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %20 = llvm.extractvalue %16[2] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %21 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %22 = llvm.insertelement %19, %20[%21 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %23 = llvm.insertvalue %22, %16[2] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %24 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %25 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %26 = llvm.extractelement %24[%25 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %27 = llvm.extractvalue %23[0] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %28 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %29 = llvm.insertelement %26, %27[%28 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %30 = llvm.insertvalue %29, %23[0] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %31 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %32 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %33 = llvm.extractelement %31[%32 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %34 = llvm.extractvalue %30[1] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %35 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %36 = llvm.insertelement %33, %34[%35 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %37 = llvm.insertvalue %36, %30[1] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %38 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<3xf32>>
// ELEMENTS-NEXT:     %39 = llvm.mlir.constant(2 : i64) : i64
// ELEMENTS-NEXT:     %40 = llvm.extractelement %38[%39 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %41 = llvm.extractvalue %37[2] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %42 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %43 = llvm.insertelement %40, %41[%42 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %44 = llvm.insertvalue %43, %37[2] : !llvm.array<3 x vector<2xf32>>
// ELEMENTS-NEXT:     %45 = builtin.unrealized_conversion_cast %44 : !llvm.array<3 x vector<2xf32>> to vector<3x2xf32>
// ELEMENTS-NEXT:     return %45 : vector<3x2xf32>
// ELEMENTS-NEXT:   }
// BLOCK: module {
// BLOCK-NEXT:   func.func @transpose(%arg0: vector<2x3xf32>) -> vector<3x2xf32> {
// BLOCK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3xf32> to !llvm.array<2 x vector<3xf32>>
// BLOCK-NEXT:     %1 = ub.poison : vector<3x2xf32>
// BLOCK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2xf32> to !llvm.array<3 x vector<2xf32>>
// BLOCK-NEXT:     %3 = ub.poison : vector<6xf32>
// BLOCK-NEXT:     %4 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<3xf32>>
// BLOCK-NEXT:     %5 = llvm.shufflevector %4, %4 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// BLOCK-NEXT:     %6 = llvm.shufflevector %5, %3 [0, 1, 2, 9, 10, 11] : vector<6xf32>
// BLOCK-NEXT:     %7 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<3xf32>>
// BLOCK-NEXT:     %8 = llvm.shufflevector %7, %7 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// BLOCK-NEXT:     %9 = llvm.shufflevector %8, %6 [6, 7, 8, 0, 1, 2] : vector<6xf32>
// BLOCK-NEXT:     %10 = llvm.shufflevector %9, %9 [0, 3, 1, 4, 2, 5] : vector<6xf32>
// BLOCK-NEXT:     %11 = llvm.shufflevector %10, %10 [0, 1] : vector<6xf32>
// BLOCK-NEXT:     %12 = llvm.insertvalue %11, %2[0] : !llvm.array<3 x vector<2xf32>>
// BLOCK-NEXT:     %13 = llvm.shufflevector %10, %10 [2, 3] : vector<6xf32>
// BLOCK-NEXT:     %14 = llvm.insertvalue %13, %12[1] : !llvm.array<3 x vector<2xf32>>
// BLOCK-NEXT:     %15 = llvm.shufflevector %10, %10 [4, 5] : vector<6xf32>
// BLOCK-NEXT:     %16 = llvm.insertvalue %15, %14[2] : !llvm.array<3 x vector<2xf32>>
// BLOCK-NEXT:     %17 = builtin.unrealized_conversion_cast %16 : !llvm.array<3 x vector<2xf32>> to vector<3x2xf32>
// BLOCK-NEXT:     return %17 : vector<3x2xf32>
// BLOCK-NEXT:   }
func.func @transpose(%x: vector<2x3xf32>) -> vector<3x2xf32> {
  %0 = vector.transpose %x, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}

// CHECK-NEXT:   func.func @units(%arg0: vector<2x1x3xf32>) -> vector<3x1x2xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x1x3xf32> to !llvm.array<2 x array<1 x vector<3xf32>>>
// CHECK-NEXT:     %1 = ub.poison : vector<3x1x2xf32>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x1x2xf32> to !llvm.array<3 x array<1 x vector<2xf32>>>
// CHECK-NEXT:     %3 = ub.poison : vector<6xf32>
// CHECK-NEXT:     %4 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// CHECK-NEXT:     %5 = llvm.shufflevector %4, %4 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// CHECK-NEXT:     %6 = llvm.shufflevector %5, %3 [0, 1, 2, 9, 10, 11] : vector<6xf32>
// CHECK-NEXT:     %7 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// CHECK-NEXT:     %8 = llvm.shufflevector %7, %7 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// CHECK-NEXT:     %9 = llvm.shufflevector %8, %6 [6, 7, 8, 0, 1, 2] : vector<6xf32>
// CHECK-NEXT:     %10 = llvm.shufflevector %9, %9 [0, 3, 1, 4, 2, 5] : vector<6xf32>
// CHECK-NEXT:     %11 = llvm.shufflevector %10, %10 [0, 1] : vector<6xf32>
// CHECK-NEXT:     %12 = llvm.insertvalue %11, %2[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// CHECK-NEXT:     %13 = llvm.shufflevector %10, %10 [2, 3] : vector<6xf32>
// CHECK-NEXT:     %14 = llvm.insertvalue %13, %12[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// CHECK-NEXT:     %15 = llvm.shufflevector %10, %10 [4, 5] : vector<6xf32>
// CHECK-NEXT:     %16 = llvm.insertvalue %15, %14[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// CHECK-NEXT:     %17 = builtin.unrealized_conversion_cast %16 : !llvm.array<3 x array<1 x vector<2xf32>>> to vector<3x1x2xf32>
// CHECK-NEXT:     return %17 : vector<3x1x2xf32>
// CHECK-NEXT:   }
// FLAT-NEXT:   func.func @units(%arg0: vector<2x1x3xf32>) -> vector<3x1x2xf32> {
// FLAT-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x1x3xf32> to !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %1 = ub.poison : vector<3x1x2xf32>
// FLAT-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x1x2xf32> to !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %3 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %4 = llvm.mlir.constant(0 : i64) : i64
// FLAT-NEXT:     %5 = llvm.extractelement %3[%4 : i64] : vector<3xf32>
// FLAT-NEXT:     %6 = llvm.extractvalue %2[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %7 = llvm.mlir.constant(0 : i64) : i64
// FLAT-NEXT:     %8 = llvm.insertelement %5, %6[%7 : i64] : vector<2xf32>
// FLAT-NEXT:     %9 = llvm.insertvalue %8, %2[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %10 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %11 = llvm.mlir.constant(1 : i64) : i64
// FLAT-NEXT:     %12 = llvm.extractelement %10[%11 : i64] : vector<3xf32>
// FLAT-NEXT:     %13 = llvm.extractvalue %9[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %14 = llvm.mlir.constant(0 : i64) : i64
// FLAT-NEXT:     %15 = llvm.insertelement %12, %13[%14 : i64] : vector<2xf32>
// FLAT-NEXT:     %16 = llvm.insertvalue %15, %9[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %17 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %18 = llvm.mlir.constant(2 : i64) : i64
// FLAT-NEXT:     %19 = llvm.extractelement %17[%18 : i64] : vector<3xf32>
// FLAT-NEXT:     %20 = llvm.extractvalue %16[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %21 = llvm.mlir.constant(0 : i64) : i64
// FLAT-NEXT:     %22 = llvm.insertelement %19, %20[%21 : i64] : vector<2xf32>
// FLAT-NEXT:     %23 = llvm.insertvalue %22, %16[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %24 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %25 = llvm.mlir.constant(0 : i64) : i64
// FLAT-NEXT:     %26 = llvm.extractelement %24[%25 : i64] : vector<3xf32>
// FLAT-NEXT:     %27 = llvm.extractvalue %23[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %28 = llvm.mlir.constant(1 : i64) : i64
// FLAT-NEXT:     %29 = llvm.insertelement %26, %27[%28 : i64] : vector<2xf32>
// FLAT-NEXT:     %30 = llvm.insertvalue %29, %23[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %31 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %32 = llvm.mlir.constant(1 : i64) : i64
// FLAT-NEXT:     %33 = llvm.extractelement %31[%32 : i64] : vector<3xf32>
// FLAT-NEXT:     %34 = llvm.extractvalue %30[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %35 = llvm.mlir.constant(1 : i64) : i64
// FLAT-NEXT:     %36 = llvm.insertelement %33, %34[%35 : i64] : vector<2xf32>
// FLAT-NEXT:     %37 = llvm.insertvalue %36, %30[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %38 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// FLAT-NEXT:     %39 = llvm.mlir.constant(2 : i64) : i64
// FLAT-NEXT:     %40 = llvm.extractelement %38[%39 : i64] : vector<3xf32>
// FLAT-NEXT:     %41 = llvm.extractvalue %37[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %42 = llvm.mlir.constant(1 : i64) : i64
// FLAT-NEXT:     %43 = llvm.insertelement %40, %41[%42 : i64] : vector<2xf32>
// FLAT-NEXT:     %44 = llvm.insertvalue %43, %37[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// FLAT-NEXT:     %45 = builtin.unrealized_conversion_cast %44 : !llvm.array<3 x array<1 x vector<2xf32>>> to vector<3x1x2xf32>
// FLAT-NEXT:     return %45 : vector<3x1x2xf32>
// FLAT-NEXT:   }
// ELEMENTS-NEXT:   func.func @units(%arg0: vector<2x1x3xf32>) -> vector<3x1x2xf32> {
// ELEMENTS-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x1x3xf32> to !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %1 = ub.poison : vector<3x1x2xf32>
// ELEMENTS-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x1x2xf32> to !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %3 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %4 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %5 = llvm.extractelement %3[%4 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %6 = llvm.extractvalue %2[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %7 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %8 = llvm.insertelement %5, %6[%7 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %9 = llvm.insertvalue %8, %2[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %10 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %11 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %12 = llvm.extractelement %10[%11 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %13 = llvm.extractvalue %9[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %14 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %15 = llvm.insertelement %12, %13[%14 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %16 = llvm.insertvalue %15, %9[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %17 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %18 = llvm.mlir.constant(2 : i64) : i64
// ELEMENTS-NEXT:     %19 = llvm.extractelement %17[%18 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %20 = llvm.extractvalue %16[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %21 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %22 = llvm.insertelement %19, %20[%21 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %23 = llvm.insertvalue %22, %16[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %24 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %25 = llvm.mlir.constant(0 : i64) : i64
// ELEMENTS-NEXT:     %26 = llvm.extractelement %24[%25 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %27 = llvm.extractvalue %23[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %28 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %29 = llvm.insertelement %26, %27[%28 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %30 = llvm.insertvalue %29, %23[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %31 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %32 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %33 = llvm.extractelement %31[%32 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %34 = llvm.extractvalue %30[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %35 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %36 = llvm.insertelement %33, %34[%35 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %37 = llvm.insertvalue %36, %30[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %38 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// ELEMENTS-NEXT:     %39 = llvm.mlir.constant(2 : i64) : i64
// ELEMENTS-NEXT:     %40 = llvm.extractelement %38[%39 : i64] : vector<3xf32>
// ELEMENTS-NEXT:     %41 = llvm.extractvalue %37[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %42 = llvm.mlir.constant(1 : i64) : i64
// ELEMENTS-NEXT:     %43 = llvm.insertelement %40, %41[%42 : i64] : vector<2xf32>
// ELEMENTS-NEXT:     %44 = llvm.insertvalue %43, %37[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// ELEMENTS-NEXT:     %45 = builtin.unrealized_conversion_cast %44 : !llvm.array<3 x array<1 x vector<2xf32>>> to vector<3x1x2xf32>
// ELEMENTS-NEXT:     return %45 : vector<3x1x2xf32>
// ELEMENTS-NEXT:   }
// BLOCK-NEXT:   func.func @units(%arg0: vector<2x1x3xf32>) -> vector<3x1x2xf32> {
// BLOCK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x1x3xf32> to !llvm.array<2 x array<1 x vector<3xf32>>>
// BLOCK-NEXT:     %1 = ub.poison : vector<3x1x2xf32>
// BLOCK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x1x2xf32> to !llvm.array<3 x array<1 x vector<2xf32>>>
// BLOCK-NEXT:     %3 = ub.poison : vector<6xf32>
// BLOCK-NEXT:     %4 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// BLOCK-NEXT:     %5 = llvm.shufflevector %4, %4 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// BLOCK-NEXT:     %6 = llvm.shufflevector %5, %3 [0, 1, 2, 9, 10, 11] : vector<6xf32>
// BLOCK-NEXT:     %7 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<1 x vector<3xf32>>>
// BLOCK-NEXT:     %8 = llvm.shufflevector %7, %7 [0, 1, 2, 0, 0, 0] : vector<3xf32>
// BLOCK-NEXT:     %9 = llvm.shufflevector %8, %6 [6, 7, 8, 0, 1, 2] : vector<6xf32>
// BLOCK-NEXT:     %10 = llvm.shufflevector %9, %9 [0, 3, 1, 4, 2, 5] : vector<6xf32>
// BLOCK-NEXT:     %11 = llvm.shufflevector %10, %10 [0, 1] : vector<6xf32>
// BLOCK-NEXT:     %12 = llvm.insertvalue %11, %2[0, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// BLOCK-NEXT:     %13 = llvm.shufflevector %10, %10 [2, 3] : vector<6xf32>
// BLOCK-NEXT:     %14 = llvm.insertvalue %13, %12[1, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// BLOCK-NEXT:     %15 = llvm.shufflevector %10, %10 [4, 5] : vector<6xf32>
// BLOCK-NEXT:     %16 = llvm.insertvalue %15, %14[2, 0] : !llvm.array<3 x array<1 x vector<2xf32>>>
// BLOCK-NEXT:     %17 = builtin.unrealized_conversion_cast %16 : !llvm.array<3 x array<1 x vector<2xf32>>> to vector<3x1x2xf32>
// BLOCK-NEXT:     return %17 : vector<3x1x2xf32>
// BLOCK-NEXT:   }
func.func @units(%x: vector<2x1x3xf32>) -> vector<3x1x2xf32> {
  %0 = vector.transpose %x, [2, 1, 0] : vector<2x1x3xf32> to vector<3x1x2xf32>
  return %0 : vector<3x1x2xf32>
}

// CHECK-NEXT:   func.func @stays(%arg0: vector<2x3x2xf32>) -> vector<3x2x2xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3x2xf32> to !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %1 = ub.poison : vector<3x2x2xf32>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2x2xf32> to !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %3 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %4 = llvm.insertvalue %3, %2[0, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %5 = llvm.extractvalue %0[0, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %6 = llvm.insertvalue %5, %4[1, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %7 = llvm.extractvalue %0[0, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %8 = llvm.insertvalue %7, %6[2, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %9 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %10 = llvm.insertvalue %9, %8[0, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %11 = llvm.extractvalue %0[1, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %12 = llvm.insertvalue %11, %10[1, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %13 = llvm.extractvalue %0[1, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// CHECK-NEXT:     %14 = llvm.insertvalue %13, %12[2, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// CHECK-NEXT:     %15 = builtin.unrealized_conversion_cast %14 : !llvm.array<3 x array<2 x vector<2xf32>>> to vector<3x2x2xf32>
// CHECK-NEXT:     return %15 : vector<3x2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// FLAT-NEXT:   func.func @stays(%arg0: vector<2x3x2xf32>) -> vector<3x2x2xf32> {
// FLAT-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3x2xf32> to !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %1 = ub.poison : vector<3x2x2xf32>
// FLAT-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2x2xf32> to !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %3 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %4 = llvm.insertvalue %3, %2[0, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %5 = llvm.extractvalue %0[0, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %6 = llvm.insertvalue %5, %4[1, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %7 = llvm.extractvalue %0[0, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %8 = llvm.insertvalue %7, %6[2, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %9 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %10 = llvm.insertvalue %9, %8[0, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %11 = llvm.extractvalue %0[1, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %12 = llvm.insertvalue %11, %10[1, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %13 = llvm.extractvalue %0[1, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// FLAT-NEXT:     %14 = llvm.insertvalue %13, %12[2, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// FLAT-NEXT:     %15 = builtin.unrealized_conversion_cast %14 : !llvm.array<3 x array<2 x vector<2xf32>>> to vector<3x2x2xf32>
// FLAT-NEXT:     return %15 : vector<3x2x2xf32>
// FLAT-NEXT:   }
// FLAT-NEXT: }
// ELEMENTS-NEXT:   func.func @stays(%arg0: vector<2x3x2xf32>) -> vector<3x2x2xf32> {
// ELEMENTS-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3x2xf32> to !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %1 = ub.poison : vector<3x2x2xf32>
// ELEMENTS-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2x2xf32> to !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %3 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %4 = llvm.insertvalue %3, %2[0, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %5 = llvm.extractvalue %0[0, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %6 = llvm.insertvalue %5, %4[1, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %7 = llvm.extractvalue %0[0, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %8 = llvm.insertvalue %7, %6[2, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %9 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %10 = llvm.insertvalue %9, %8[0, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %11 = llvm.extractvalue %0[1, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %12 = llvm.insertvalue %11, %10[1, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %13 = llvm.extractvalue %0[1, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// ELEMENTS-NEXT:     %14 = llvm.insertvalue %13, %12[2, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// ELEMENTS-NEXT:     %15 = builtin.unrealized_conversion_cast %14 : !llvm.array<3 x array<2 x vector<2xf32>>> to vector<3x2x2xf32>
// ELEMENTS-NEXT:     return %15 : vector<3x2x2xf32>
// ELEMENTS-NEXT:   }
// ELEMENTS-NEXT: }
// BLOCK-NEXT:   func.func @stays(%arg0: vector<2x3x2xf32>) -> vector<3x2x2xf32> {
// BLOCK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x3x2xf32> to !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %1 = ub.poison : vector<3x2x2xf32>
// BLOCK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : vector<3x2x2xf32> to !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %3 = llvm.extractvalue %0[0, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %4 = llvm.insertvalue %3, %2[0, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %5 = llvm.extractvalue %0[0, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %6 = llvm.insertvalue %5, %4[1, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %7 = llvm.extractvalue %0[0, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %8 = llvm.insertvalue %7, %6[2, 0] : !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %9 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %10 = llvm.insertvalue %9, %8[0, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %11 = llvm.extractvalue %0[1, 1] : !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %12 = llvm.insertvalue %11, %10[1, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %13 = llvm.extractvalue %0[1, 2] : !llvm.array<2 x array<3 x vector<2xf32>>>
// BLOCK-NEXT:     %14 = llvm.insertvalue %13, %12[2, 1] : !llvm.array<3 x array<2 x vector<2xf32>>>
// BLOCK-NEXT:     %15 = builtin.unrealized_conversion_cast %14 : !llvm.array<3 x array<2 x vector<2xf32>>> to vector<3x2x2xf32>
// BLOCK-NEXT:     return %15 : vector<3x2x2xf32>
// BLOCK-NEXT:   }
// BLOCK-NEXT: }
func.func @stays(%x: vector<2x3x2xf32>) -> vector<3x2x2xf32> {
  %0 = vector.transpose %x, [1, 0, 2] : vector<2x3x2xf32> to vector<3x2x2xf32>
  return %0 : vector<3x2x2xf32>
}
