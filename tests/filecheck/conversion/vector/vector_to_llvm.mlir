// RUN: xgpu-opt %s --convert-vector-to-llvm | filecheck %s

// Elements of 1-D vectors are LLVM's; n-D vectors are arrays of 1-D vectors.

func.func @elements(%v: vector<4xf32>, %m: vector<2x3xf32>, %x: f32) -> (f32, vector<4xf32>, f32, vector<2x3xf32>) {
  %0 = vector.extract %v[2] : f32 from vector<4xf32>
  %1 = vector.insert %x, %v[1] : f32 into vector<4xf32>
  %2 = vector.extract %m[1, 2] : f32 from vector<2x3xf32>
  %3 = vector.insert %x, %m[0, 1] : f32 into vector<2x3xf32>
  return %0, %1, %2, %3 : f32, vector<4xf32>, f32, vector<2x3xf32>
}

// CHECK-LABEL: @elements
// CHECK: llvm.extractelement %{{.*}}[%{{.*}} : i64] : vector<4xf32>
// CHECK: llvm.insertelement %{{.*}}, %{{.*}}[%{{.*}} : i64] : vector<4xf32>
// CHECK: [[ROW:%.*]] = llvm.extractvalue %{{.*}}[1] : !llvm.array<2 x vector<3xf32>>
// CHECK: llvm.extractelement [[ROW]][%{{.*}} : i64] : vector<3xf32>
// CHECK: [[OLD:%.*]] = llvm.extractvalue %{{.*}}[0] : !llvm.array<2 x vector<3xf32>>
// CHECK: [[NEW:%.*]] = llvm.insertelement %{{.*}}, [[OLD]][%{{.*}} : i64] : vector<3xf32>
// CHECK: llvm.insertvalue [[NEW]], %{{.*}}[0] : !llvm.array<2 x vector<3xf32>>

func.func @memory(%m: memref<?xf32>, %i: index, %mask: vector<4xi1>, %zero: f32) -> vector<4xf32> {
  %0 = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
  %1 = vector.maskedload %m[%i], %mask, %0 : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %1, %m[%i] {nontemporal = true} : memref<?xf32>, vector<4xf32>
  %2 = vector.transfer_read %m[%i], %zero : memref<?xf32>, vector<4xf32>
  return %2 : vector<4xf32>
}

// CHECK-LABEL: @memory
// CHECK: [[P:%.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.load [[P]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.intr.masked.load %{{.*}}, %{{.*}}, %{{.*}} {alignment = 4 : i32}
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64, nontemporal} : vector<4xf32>, !llvm.ptr
// A read that may leave memory is masked.
// CHECK: [[ROOM:%.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: arith.cmpi sgt, %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: llvm.intr.masked.load

func.func @reductions(%v: vector<4xf32>, %w: vector<4xi32>, %x: f32, %i: i32) -> (f32, f32, i32) {
  %0 = vector.reduction <add>, %v, %x : vector<4xf32> into f32
  %1 = vector.reduction <maximumf>, %v : vector<4xf32> into f32
  %2 = vector.reduction <minui>, %w, %i : vector<4xi32> into i32
  return %0, %1, %2 : f32, f32, i32
}

// CHECK-LABEL: @reductions
// CHECK: "llvm.intr.vector.reduce.fadd"(%{{.*}}, %{{.*}})
// CHECK: llvm.intr.vector.reduce.fmaximum(%{{.*}})
// CHECK: [[MIN:%.*]] = "llvm.intr.vector.reduce.umin"(%{{.*}})
// CHECK: [[LESS:%.*]] = llvm.icmp "ule" %{{.*}}, [[MIN]] : i32
// CHECK: llvm.select [[LESS]], %{{.*}}, [[MIN]] : i1, i32

func.func @masked(%v: vector<4xf32>, %mask: vector<4xi1>) -> f32 {
  %0 = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0 : f32
}

// CHECK-LABEL: @masked
// CHECK: [[ZERO:%.*]] = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK: [[N:%.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK: "llvm.intr.vp.reduce.fadd"([[ZERO]], %{{.*}}, %{{.*}}, [[N]])

func.func @broadcasts(%x: f32, %v: vector<2xf32>) -> (vector<4xf32>, vector<3x2xf32>) {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  %1 = vector.broadcast %v : vector<2xf32> to vector<3x2xf32>
  return %0, %1 : vector<4xf32>, vector<3x2xf32>
}

// CHECK-LABEL: @broadcasts
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 0, 0, 0] : vector<4xf32>
// CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<3 x vector<2xf32>>
// CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.array<3 x vector<2xf32>>
// CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[2] : !llvm.array<3 x vector<2xf32>>

func.func @outerproduct(%a: vector<2xf32>, %b: vector<3xf32>, %c: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-LABEL: @outerproduct
// CHECK-COUNT-2: llvm.intr.fmuladd(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<3xf32>, vector<3xf32>, vector<3xf32>) -> vector<3xf32>

func.func @print(%x: f32, %i: i8) {
  vector.print %x : f32
  vector.print %i : i8 punctuation <comma>
  vector.print str "done"
  return
}

// CHECK-LABEL: @print
// CHECK: llvm.call @printF32(%{{.*}}) : (f32) -> ()
// CHECK-NEXT: llvm.call @printNewline() : () -> ()
// CHECK-NEXT: [[WIDE:%.*]] = arith.extsi %{{.*}} : i8 to i64
// CHECK-NEXT: llvm.call @printI64([[WIDE]]) : (i64) -> ()
// CHECK-NEXT: llvm.call @printComma() : () -> ()
// CHECK: llvm.call @printString(%{{.*}}) : (!llvm.ptr) -> ()
