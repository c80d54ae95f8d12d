// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=shuffle1d %s | filecheck %s --check-prefix=SHUFFLE
// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=llvmintr %s | filecheck %s --check-prefix=FLAT
// RUN: xgpu-opt --convert-vector-to-llvm=vector-transpose-lowering=eltwise %s | filecheck %s --check-prefix=ELEMENTS

func.func @transpose(%x: vector<2x3xf32>) -> vector<3x2xf32> {
  %0 = vector.transpose %x, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}

// SHUFFLE: llvm.shufflevector %{{.*}} [0, 3, 1, 4, 2, 5] : vector<6xf32>
// SHUFFLE-NOT: vector.transpose
// FLAT: llvm.intr.matrix.transpose %{{.*}} {columns = 2 : i32, rows = 3 : i32} : vector<6xf32> into vector<6xf32>
// FLAT-NOT: vector.transpose
// ELEMENTS-COUNT-6: llvm.extractelement
// ELEMENTS-NOT: vector.transpose
