// RUN: xgpu-translate --mlir-to-llvmir %s | filecheck %s

// CHECK-DAG: @bits_of_bf16 = global i16 16320
llvm.mlir.global external @bits_of_bf16(1.5 : bf16) : i16
// CHECK-DAG: @truth = global i8 1
llvm.mlir.global external @truth(true) : i8
// CHECK-DAG: @nothing = global [0 x float] zeroinitializer
llvm.mlir.global external @nothing(dense<> : tensor<0xf32>) : !llvm.array<0 x f32>

// CHECK: ret [2 x { float, float }] [{ float, float } { float 1.000000e+00, float 2.000000e+00 }, { float, float } { float 3.000000e+00, float 4.000000e+00 }]
llvm.func @complex() -> !llvm.array<2 x struct<(f32, f32)>> {
  %0 = llvm.mlir.constant(dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>) : !llvm.array<2 x struct<(f32, f32)>>
  llvm.return %0 : !llvm.array<2 x struct<(f32, f32)>>
}
