// RUN: xgpu-translate --mlir-to-llvmir %s | filecheck %s

// CHECK-DAG: @resource = internal constant [2 x float] [float 1.000000e+00, float 2.000000e+00]
llvm.mlir.global internal constant @resource(dense_resource<blob> : tensor<2xf32>) : !llvm.array<2 x f32>

// CHECK: ret <4 x i32> <i32 0, i32 7, i32 0, i32 9>
llvm.func @sparse() -> vector<4xi32> {
  %0 = llvm.mlir.constant(sparse<[[1], [3]], [7, 9]> : vector<4xi32>) : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  }
#-}
