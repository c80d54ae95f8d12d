// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @from_inside_a_value(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: !llvm.struct<(i32, i32)>, %arg2: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.insertvalue %arg1, %arg0[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     %1 = llvm.extractvalue %0[0, 1] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     llvm.return %1 : i32
// CHECK-NEXT:   }
llvm.func @from_inside_a_value(%s: !llvm.struct<(struct<(i32, i32)>, i32)>, %t: !llvm.struct<(i32, i32)>, %x: i32) -> i32 {
  %0 = llvm.insertvalue %t, %s[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %1 = llvm.insertvalue %x, %0[1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %1[0, 1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : i32
}

// CHECK-NEXT:   llvm.func @from_another_place_inside(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: !llvm.struct<(i32, i32)>, %arg2: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.insertvalue %arg2, %arg1[1] : !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %1 = llvm.insertvalue %0, %arg0[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     %2 = llvm.extractvalue %1[0, 0] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
llvm.func @from_another_place_inside(%s: !llvm.struct<(struct<(i32, i32)>, i32)>, %t: !llvm.struct<(i32, i32)>, %x: i32) -> i32 {
  %p = llvm.insertvalue %x, %t[1] : !llvm.struct<(i32, i32)>
  %0 = llvm.insertvalue %p, %s[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %1 = llvm.insertvalue %x, %0[1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %1[0, 0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : i32
}

// CHECK-NEXT:   llvm.func @found_inside(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: !llvm.struct<(i32, i32)>, %arg2: i32) -> i32 {
// CHECK-NEXT:     llvm.return %arg2 : i32
// CHECK-NEXT:   }
llvm.func @found_inside(%s: !llvm.struct<(struct<(i32, i32)>, i32)>, %t: !llvm.struct<(i32, i32)>, %x: i32) -> i32 {
  %p = llvm.insertvalue %x, %t[1] : !llvm.struct<(i32, i32)>
  %0 = llvm.insertvalue %p, %s[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %1 = llvm.insertvalue %x, %0[1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %1[0, 1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : i32
}

// CHECK-NEXT:   llvm.func @zero_inside(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.zero : i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
llvm.func @zero_inside(%s: !llvm.struct<(struct<(i32, i32)>, i32)>, %x: i32) -> i32 {
  %z = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  %0 = llvm.insertvalue %z, %s[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %0[0, 1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : i32
}

// CHECK-NEXT:   llvm.func @beside_on_poison(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
llvm.func @beside_on_poison(%s: !llvm.struct<(struct<(i32, i32)>, i32)>, %x: i32) -> i32 {
  %z = llvm.mlir.poison : !llvm.struct<(struct<(i32, i32)>, i32)>
  %0 = llvm.insertvalue %x, %z[0, 0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %0[1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : i32
}

// CHECK-NEXT:   llvm.func @part_is_changed(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: i32) -> !llvm.struct<(i32, i32)> {
// CHECK-NEXT:     %0 = llvm.insertvalue %arg1, %arg0[0, 0] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     %1 = llvm.extractvalue %0[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     llvm.return %1 : !llvm.struct<(i32, i32)>
// CHECK-NEXT:   }
llvm.func @part_is_changed(%s: !llvm.struct<(struct<(i32, i32)>, i32)>, %x: i32) -> !llvm.struct<(i32, i32)> {
  %0 = llvm.insertvalue %x, %s[0, 0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %1 = llvm.insertvalue %x, %0[1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %1[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : !llvm.struct<(i32, i32)>
}

// CHECK-NEXT:   llvm.func @constant_inside(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
llvm.func @constant_inside(%x: i32) -> (i32) {
  %z = llvm.mlir.constant([1 : i32, 2 : i32]) : !llvm.struct<(i32, i32)>
  %y = llvm.mlir.poison : !llvm.struct<(struct<(i32, i32)>, i32)>
  %1 = llvm.insertvalue %z, %y[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %1[0, 1] : !llvm.struct<(struct<(i32, i32)>, i32)>
  llvm.return %2 : i32
}

// Numbers are only folded where both are known.
// CHECK-NEXT:   llvm.func @integers(%arg0: i64) -> i64 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(27 : i64) : i64
// CHECK-NEXT:     %1 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %2 = llvm.shl %arg0, %1 : i64
// CHECK-NEXT:     %3 = llvm.or %2, %1 : i64
// CHECK-NEXT:     %4 = llvm.add %3, %0 : i64
// CHECK-NEXT:     llvm.return %4 : i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @integers(%a: i64) -> (i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %0 = llvm.shl %a, %zero : i64
  %1 = llvm.or %0, %zero : i64
  %2 = llvm.shl %three, %three : i64
  %3 = llvm.or %2, %three : i64
  %4 = llvm.add %1, %3 : i64
  llvm.return %4 : i64
}
