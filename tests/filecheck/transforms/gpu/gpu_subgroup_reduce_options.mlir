// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib --test-gpu-subgroup-reduce-lowering="expand-to-shuffles=true" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib --test-gpu-subgroup-reduce-lowering %s | filecheck %s --match-full-lines --check-prefix=PLAIN

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @scalar(%arg0: f32) -> f32 {
// CHECK-NEXT:       %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:       %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %arg0, %c1_i32, %c32_i32 : f32
// CHECK-NEXT:       %0 = arith.addf %arg0, %shuffleResult : f32
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %0, %c2_i32, %c32_i32 : f32
// CHECK-NEXT:       %1 = arith.addf %0, %shuffleResult_0 : f32
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  xor %1, %c4_i32, %c32_i32 : f32
// CHECK-NEXT:       %2 = arith.addf %1, %shuffleResult_2 : f32
// CHECK-NEXT:       %shuffleResult_4, %valid_5 = gpu.shuffle  xor %2, %c8_i32, %c32_i32 : f32
// CHECK-NEXT:       %3 = arith.addf %2, %shuffleResult_4 : f32
// CHECK-NEXT:       %shuffleResult_6, %valid_7 = gpu.shuffle  xor %3, %c16_i32, %c32_i32 : f32
// CHECK-NEXT:       %4 = arith.addf %3, %shuffleResult_6 : f32
// CHECK-NEXT:       gpu.return %4 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @half(%arg0: f16) -> f16 {
// CHECK-NEXT:       %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:       %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:       %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %0 = arith.bitcast %arg0 : f16 to i16
// CHECK-NEXT:       %1 = arith.extui %0 : i16 to i32
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %1, %c1_i32, %c32_i32 : i32
// CHECK-NEXT:       %2 = arith.trunci %shuffleResult : i32 to i16
// CHECK-NEXT:       %3 = arith.bitcast %2 : i16 to f16
// CHECK-NEXT:       %4 = arith.maxnumf %arg0, %3 : f16
// CHECK-NEXT:       %5 = arith.bitcast %4 : f16 to i16
// CHECK-NEXT:       %6 = arith.extui %5 : i16 to i32
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %6, %c2_i32, %c32_i32 : i32
// CHECK-NEXT:       %7 = arith.trunci %shuffleResult_0 : i32 to i16
// CHECK-NEXT:       %8 = arith.bitcast %7 : i16 to f16
// CHECK-NEXT:       %9 = arith.maxnumf %4, %8 : f16
// CHECK-NEXT:       %10 = arith.bitcast %9 : f16 to i16
// CHECK-NEXT:       %11 = arith.extui %10 : i16 to i32
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  xor %11, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       %12 = arith.trunci %shuffleResult_2 : i32 to i16
// CHECK-NEXT:       %13 = arith.bitcast %12 : i16 to f16
// CHECK-NEXT:       %14 = arith.maxnumf %9, %13 : f16
// CHECK-NEXT:       %15 = arith.bitcast %14 : f16 to i16
// CHECK-NEXT:       %16 = arith.extui %15 : i16 to i32
// CHECK-NEXT:       %shuffleResult_4, %valid_5 = gpu.shuffle  xor %16, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       %17 = arith.trunci %shuffleResult_4 : i32 to i16
// CHECK-NEXT:       %18 = arith.bitcast %17 : i16 to f16
// CHECK-NEXT:       %19 = arith.maxnumf %14, %18 : f16
// CHECK-NEXT:       %20 = arith.bitcast %19 : f16 to i16
// CHECK-NEXT:       %21 = arith.extui %20 : i16 to i32
// CHECK-NEXT:       %shuffleResult_6, %valid_7 = gpu.shuffle  xor %21, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       %22 = arith.trunci %shuffleResult_6 : i32 to i16
// CHECK-NEXT:       %23 = arith.bitcast %22 : i16 to f16
// CHECK-NEXT:       %24 = arith.maxnumf %19, %23 : f16
// CHECK-NEXT:       gpu.return %24 : f16
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @vector(%arg0: vector<5xf16>) -> vector<5xf16> {
// CHECK-NEXT:       %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:       %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:       %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %cst = arith.constant dense<0.000000e+00> : vector<5xf16>
// CHECK-NEXT:       %0 = vector.extract_strided_slice %arg0 {offsets = [0], sizes = [2], strides = [1]} : vector<5xf16> to vector<2xf16>
// CHECK-NEXT:       %1 = vector.bitcast %0 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %2 = vector.extract %1[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %2, %c1_i32, %c32_i32 : i32
// CHECK-NEXT:       %3 = vector.broadcast %shuffleResult : i32 to vector<1xi32>
// CHECK-NEXT:       %4 = vector.bitcast %3 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %5 = arith.addf %0, %4 : vector<2xf16>
// CHECK-NEXT:       %6 = vector.bitcast %5 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %7 = vector.extract %6[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %7, %c2_i32, %c32_i32 : i32
// CHECK-NEXT:       %8 = vector.broadcast %shuffleResult_0 : i32 to vector<1xi32>
// CHECK-NEXT:       %9 = vector.bitcast %8 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %10 = arith.addf %5, %9 : vector<2xf16>
// CHECK-NEXT:       %11 = vector.bitcast %10 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %12 = vector.extract %11[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  xor %12, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       %13 = vector.broadcast %shuffleResult_2 : i32 to vector<1xi32>
// CHECK-NEXT:       %14 = vector.bitcast %13 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %15 = arith.addf %10, %14 : vector<2xf16>
// CHECK-NEXT:       %16 = vector.bitcast %15 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %17 = vector.extract %16[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_4, %valid_5 = gpu.shuffle  xor %17, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       %18 = vector.broadcast %shuffleResult_4 : i32 to vector<1xi32>
// CHECK-NEXT:       %19 = vector.bitcast %18 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %20 = arith.addf %15, %19 : vector<2xf16>
// CHECK-NEXT:       %21 = vector.bitcast %20 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %22 = vector.extract %21[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_6, %valid_7 = gpu.shuffle  xor %22, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       %23 = vector.broadcast %shuffleResult_6 : i32 to vector<1xi32>
// CHECK-NEXT:       %24 = vector.bitcast %23 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %25 = arith.addf %20, %24 : vector<2xf16>
// CHECK-NEXT:       %26 = vector.insert_strided_slice %25, %cst {offsets = [0], strides = [1]} : vector<2xf16> into vector<5xf16>
// CHECK-NEXT:       %27 = vector.extract_strided_slice %arg0 {offsets = [2], sizes = [2], strides = [1]} : vector<5xf16> to vector<2xf16>
// CHECK-NEXT:       %28 = vector.bitcast %27 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %29 = vector.extract %28[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_8, %valid_9 = gpu.shuffle  xor %29, %c1_i32, %c32_i32 : i32
// CHECK-NEXT:       %30 = vector.broadcast %shuffleResult_8 : i32 to vector<1xi32>
// CHECK-NEXT:       %31 = vector.bitcast %30 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %32 = arith.addf %27, %31 : vector<2xf16>
// CHECK-NEXT:       %33 = vector.bitcast %32 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %34 = vector.extract %33[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_10, %valid_11 = gpu.shuffle  xor %34, %c2_i32, %c32_i32 : i32
// CHECK-NEXT:       %35 = vector.broadcast %shuffleResult_10 : i32 to vector<1xi32>
// CHECK-NEXT:       %36 = vector.bitcast %35 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %37 = arith.addf %32, %36 : vector<2xf16>
// CHECK-NEXT:       %38 = vector.bitcast %37 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %39 = vector.extract %38[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_12, %valid_13 = gpu.shuffle  xor %39, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       %40 = vector.broadcast %shuffleResult_12 : i32 to vector<1xi32>
// CHECK-NEXT:       %41 = vector.bitcast %40 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %42 = arith.addf %37, %41 : vector<2xf16>
// CHECK-NEXT:       %43 = vector.bitcast %42 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %44 = vector.extract %43[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_14, %valid_15 = gpu.shuffle  xor %44, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       %45 = vector.broadcast %shuffleResult_14 : i32 to vector<1xi32>
// CHECK-NEXT:       %46 = vector.bitcast %45 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %47 = arith.addf %42, %46 : vector<2xf16>
// CHECK-NEXT:       %48 = vector.bitcast %47 : vector<2xf16> to vector<1xi32>
// CHECK-NEXT:       %49 = vector.extract %48[0] : i32 from vector<1xi32>
// CHECK-NEXT:       %shuffleResult_16, %valid_17 = gpu.shuffle  xor %49, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       %50 = vector.broadcast %shuffleResult_16 : i32 to vector<1xi32>
// CHECK-NEXT:       %51 = vector.bitcast %50 : vector<1xi32> to vector<2xf16>
// CHECK-NEXT:       %52 = arith.addf %47, %51 : vector<2xf16>
// CHECK-NEXT:       %53 = vector.insert_strided_slice %52, %26 {offsets = [2], strides = [1]} : vector<2xf16> into vector<5xf16>
// CHECK-NEXT:       %54 = vector.extract %arg0[4] : f16 from vector<5xf16>
// CHECK-NEXT:       %55 = arith.bitcast %54 : f16 to i16
// CHECK-NEXT:       %56 = arith.extui %55 : i16 to i32
// CHECK-NEXT:       %shuffleResult_18, %valid_19 = gpu.shuffle  xor %56, %c1_i32, %c32_i32 : i32
// CHECK-NEXT:       %57 = arith.trunci %shuffleResult_18 : i32 to i16
// CHECK-NEXT:       %58 = arith.bitcast %57 : i16 to f16
// CHECK-NEXT:       %59 = arith.addf %54, %58 : f16
// CHECK-NEXT:       %60 = arith.bitcast %59 : f16 to i16
// CHECK-NEXT:       %61 = arith.extui %60 : i16 to i32
// CHECK-NEXT:       %shuffleResult_20, %valid_21 = gpu.shuffle  xor %61, %c2_i32, %c32_i32 : i32
// CHECK-NEXT:       %62 = arith.trunci %shuffleResult_20 : i32 to i16
// CHECK-NEXT:       %63 = arith.bitcast %62 : i16 to f16
// CHECK-NEXT:       %64 = arith.addf %59, %63 : f16
// CHECK-NEXT:       %65 = arith.bitcast %64 : f16 to i16
// CHECK-NEXT:       %66 = arith.extui %65 : i16 to i32
// CHECK-NEXT:       %shuffleResult_22, %valid_23 = gpu.shuffle  xor %66, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       %67 = arith.trunci %shuffleResult_22 : i32 to i16
// CHECK-NEXT:       %68 = arith.bitcast %67 : i16 to f16
// CHECK-NEXT:       %69 = arith.addf %64, %68 : f16
// CHECK-NEXT:       %70 = arith.bitcast %69 : f16 to i16
// CHECK-NEXT:       %71 = arith.extui %70 : i16 to i32
// CHECK-NEXT:       %shuffleResult_24, %valid_25 = gpu.shuffle  xor %71, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       %72 = arith.trunci %shuffleResult_24 : i32 to i16
// CHECK-NEXT:       %73 = arith.bitcast %72 : i16 to f16
// CHECK-NEXT:       %74 = arith.addf %69, %73 : f16
// CHECK-NEXT:       %75 = arith.bitcast %74 : f16 to i16
// CHECK-NEXT:       %76 = arith.extui %75 : i16 to i32
// CHECK-NEXT:       %shuffleResult_26, %valid_27 = gpu.shuffle  xor %76, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       %77 = arith.trunci %shuffleResult_26 : i32 to i16
// CHECK-NEXT:       %78 = arith.bitcast %77 : i16 to f16
// CHECK-NEXT:       %79 = arith.addf %74, %78 : f16
// CHECK-NEXT:       %80 = vector.insert %79, %53 [4] : f16 into vector<5xf16>
// CHECK-NEXT:       gpu.return %80 : vector<5xf16>
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @cluster(%arg0: i32) -> i32 {
// CHECK-NEXT:       %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:       %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %arg0, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       %0 = arith.addi %arg0, %shuffleResult : i32
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %0, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       %1 = arith.addi %0, %shuffleResult_0 : i32
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  xor %1, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       %2 = arith.addi %1, %shuffleResult_2 : i32
// CHECK-NEXT:       gpu.return %2 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// PLAIN: module {
// PLAIN-NEXT:   gpu.module @kernels {
// PLAIN-NEXT:     gpu.func @scalar(%arg0: f32) -> f32 {
// PLAIN-NEXT:       %0 = gpu.subgroup_reduce  add %arg0 : (f32) -> f32
// PLAIN-NEXT:       gpu.return %0 : f32
// PLAIN-NEXT:     }
// PLAIN-NEXT:     gpu.func @half(%arg0: f16) -> f16 {
// PLAIN-NEXT:       %0 = gpu.subgroup_reduce  maxnumf %arg0 : (f16) -> f16
// PLAIN-NEXT:       gpu.return %0 : f16
// PLAIN-NEXT:     }
// PLAIN-NEXT:     gpu.func @vector(%arg0: vector<5xf16>) -> vector<5xf16> {
// PLAIN-NEXT:       %cst = arith.constant dense<0.000000e+00> : vector<5xf16>
// PLAIN-NEXT:       %0 = vector.extract_strided_slice %arg0 {offsets = [0], sizes = [2], strides = [1]} : vector<5xf16> to vector<2xf16>
// PLAIN-NEXT:       %1 = gpu.subgroup_reduce  add %0 : (vector<2xf16>) -> vector<2xf16>
// PLAIN-NEXT:       %2 = vector.insert_strided_slice %1, %cst {offsets = [0], strides = [1]} : vector<2xf16> into vector<5xf16>
// PLAIN-NEXT:       %3 = vector.extract_strided_slice %arg0 {offsets = [2], sizes = [2], strides = [1]} : vector<5xf16> to vector<2xf16>
// PLAIN-NEXT:       %4 = gpu.subgroup_reduce  add %3 : (vector<2xf16>) -> vector<2xf16>
// PLAIN-NEXT:       %5 = vector.insert_strided_slice %4, %2 {offsets = [2], strides = [1]} : vector<2xf16> into vector<5xf16>
// PLAIN-NEXT:       %6 = vector.extract %arg0[4] : f16 from vector<5xf16>
// PLAIN-NEXT:       %7 = gpu.subgroup_reduce  add %6 : (f16) -> f16
// PLAIN-NEXT:       %8 = vector.insert %7, %5 [4] : f16 into vector<5xf16>
// PLAIN-NEXT:       gpu.return %8 : vector<5xf16>
// PLAIN-NEXT:     }
// PLAIN-NEXT:     gpu.func @cluster(%arg0: i32) -> i32 {
// PLAIN-NEXT:       %0 = gpu.subgroup_reduce  add %arg0 cluster(size = 8, stride = 4) : (i32) -> i32
// PLAIN-NEXT:       gpu.return %0 : i32
// PLAIN-NEXT:     }
// PLAIN-NEXT:   }
// PLAIN-NEXT: }
gpu.module @kernels {
  gpu.func @scalar(%x: f32) -> f32 {
    %0 = gpu.subgroup_reduce add %x : (f32) -> f32
    gpu.return %0 : f32
  }
  gpu.func @half(%x: f16) -> f16 {
    %0 = gpu.subgroup_reduce maxnumf %x : (f16) -> f16
    gpu.return %0 : f16
  }
  gpu.func @vector(%x: vector<5xf16>) -> vector<5xf16> {
    %0 = gpu.subgroup_reduce add %x : (vector<5xf16>) -> vector<5xf16>
    gpu.return %0 : vector<5xf16>
  }
  gpu.func @cluster(%x: i32) -> i32 {
    %0 = gpu.subgroup_reduce add %x cluster(size = 8, stride = 4) : (i32) -> i32
    gpu.return %0 : i32
  }
}
