// RUN: xgpu-opt --mem2reg %s | filecheck %s --match-full-lines

llvm.func @types(%v: f32, %p: !llvm.ptr, %c: i1, %b: i8) -> (i32) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  %p1 = llvm.alloca %1 x !llvm.ptr : (i32) -> !llvm.ptr
  %v2 = llvm.alloca %1 x vector<4xi16> : (i32) -> !llvm.ptr
  %sz = llvm.mlir.constant(8 : i32) : i32
  llvm.store %v, %a : f32, !llvm.ptr
  llvm.store %p, %p1 : !llvm.ptr, !llvm.ptr
  %q = llvm.load %p1 : !llvm.ptr -> i64
  %h = llvm.load %a : !llvm.ptr -> i16
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.store %q, %v2 : i64, !llvm.ptr
  llvm.store %v, %v2 : f32, !llvm.ptr
  %d = llvm.load %v2 : !llvm.ptr -> f64
  %e = llvm.load %v2 : !llvm.ptr -> vector<2xi16>
  llvm.call @use(%q, %h, %d, %e) : (i64, i16, f64, vector<2xi16>) -> ()
  llvm.return %x : i32
}
llvm.func @use(i64, i16, f64, vector<2xi16>)
llvm.func @nested(%v: i32, %c: i1) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %1 x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %a, %b : !llvm.ptr, !llvm.ptr
  %g = llvm.load %b : !llvm.ptr -> !llvm.ptr
  llvm.store %v, %g : i32, !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}
llvm.func @copies(%v: i32, %p: !llvm.ptr) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %4 = llvm.mlir.constant(4 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store %v, %a : i32, !llvm.ptr
  "llvm.intr.memcpy"(%b, %a, %4) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  "llvm.intr.memmove"(%p, %b, %4) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  "llvm.intr.memcpy.inline"(%a, %p) <{isVolatile = false, len = 4 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}
llvm.func @sets(%v: i8, %p: !llvm.ptr) -> f32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %4 = llvm.mlir.constant(4 : i32) : i32
  %3 = llvm.mlir.constant(3 : i32) : i32
  %a = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %1 x i24 : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%a, %v, %4) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()
  "llvm.intr.memset"(%b, %v, %3) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()
  %x = llvm.load %a : !llvm.ptr -> f32
  %y = llvm.load %b : !llvm.ptr -> i24
  llvm.store %y, %p : i24, !llvm.ptr
  llvm.return %x : f32
}
llvm.func @life(%v: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %a : !llvm.ptr
  %i = llvm.intr.invariant.start 2, %a : !llvm.ptr
  llvm.store %v, %a : i32, !llvm.ptr
  %c = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %l = llvm.intr.launder.invariant.group %c : !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.intr.invariant.end %i, 2, %a : !llvm.ptr
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.return %x : i32
}
llvm.func @volatile(%v: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store volatile %v, %a : i32, !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}
llvm.func @sum(%v: i32, %n: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  %s = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.store %v, %s : i32, !llvm.ptr
  llvm.br ^bb1
^bb1:
  %i = llvm.load %a : !llvm.ptr -> i32
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^bb2, ^bb3
^bb2:
  %t = llvm.load %s : !llvm.ptr -> i32
  %u = llvm.add %t, %i : i32
  llvm.store %u, %s : i32, !llvm.ptr
  %j = llvm.add %i, %1 : i32
  llvm.store %j, %a : i32, !llvm.ptr
  llvm.br ^bb1
^bb3:
  %r = llvm.load %s : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func @loop(%c: i1, %v: i32) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store %v, %a : i32, !llvm.ptr
  llvm.br ^bb1
^bb1:
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb2:
  llvm.return
}
llvm.func @loop2(%c: i1, %v: i32) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.br ^bb3
^bb2:
  llvm.store %v, %a : i32, !llvm.ptr
  llvm.br ^bb3
^bb3:
  llvm.br ^bb4
^bb4:
  llvm.return
}
llvm.func @loop3(%c: i1, %v: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.br ^bb3
^bb2:
  llvm.br ^bb3
^bb3:
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.br ^bb4
^bb4:
  llvm.return %x : i32
}
func.func @cast(%c: i1, %v: i32) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  scf.if %c {
   %x = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i32
   %y = llvm.bitcast %a : !llvm.ptr to !llvm.ptr
  }
  return
}
llvm.func @partial(%c: i1, %v: i16) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %2 = llvm.mlir.constant(2 : i32) : i32
  llvm.store %2, %a : i32, !llvm.ptr
  llvm.br ^bb3
^bb2:
  llvm.br ^bb3
^bb3:
  llvm.store %v, %a : i16, !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}
llvm.func @switch(%c: i32, %v: i16) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store %1, %a : i32, !llvm.ptr
  llvm.switch %c : i32, ^bb3 [1: ^bb1, 2: ^bb3, 3: ^bb2]
^bb1:
  %2 = llvm.mlir.constant(2 : i32) : i32
  llvm.store %2, %a : i32, !llvm.ptr
  llvm.br ^bb3
^bb2:
  llvm.store %c, %a : i32, !llvm.ptr
  llvm.br ^bb3
^bb3:
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}
func.func @mm(%v: memref<i32>, %i: index, %c: i1) -> memref<i32> {
  %a = memref.alloca() : memref<memref<i32>>
  cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
  memref.store %v, %a[] : memref<memref<i32>>
  cf.br ^bb2
  ^bb2:
  %r = memref.load %a[] : memref<memref<i32>>
  return %r : memref<i32>
}
func.func @ll(%v: i32, %i: index, %c: i1) -> i32 {
  cf.br ^bb1
  ^bb1:
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  llvm.store %v, %a : i32, !llvm.ptr
  %r = llvm.load %a : !llvm.ptr -> i32
  cf.cond_br %c, ^bb1, ^bb2
  ^bb2:
  return %r : i32
}
// Uses in a region, and a slot that is another one in each iteration, stay.
func.func @in_region(%c: i1, %v: i32) -> i32 {
  %a = memref.alloca() : memref<i32>
  memref.store %v, %a[] : memref<i32>
  scf.if %c {
    %c1 = arith.constant 1 : i32
    memref.store %c1, %a[] : memref<i32>
  }
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}
func.func @in_loop(%v: i32, %c: i1) -> i32 {
  cf.br ^bb1
^bb1:
  %a = memref.alloca() : memref<i32>
  %r = memref.load %a[] : memref<i32>
  memref.store %v, %a[] : memref<i32>
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return %r : i32
}
// A branch that is never reached passes the default.
func.func @unreached(%v: i32, %c: i1) -> i32 {
  %a = memref.alloca() : memref<i32>
  cf.cond_br %c, ^bb1, ^bb3
^bb1:
  memref.store %v, %a[] : memref<i32>
  cf.br ^bb3
^bb2:
  memref.store %v, %a[] : memref<i32>
  cf.br ^bb3
^bb3:
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}

func.func @around_a_region(%c: i1, %v: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr
  %g = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i32
  scf.if %c {
    %b = memref.alloca() : memref<i32>
    memref.store %v, %b[] : memref<i32>
    %x = llvm.getelementptr %g[0] : (!llvm.ptr) -> !llvm.ptr, i32
    %y = llvm.getelementptr %x[0] : (!llvm.ptr) -> !llvm.ptr, i8
    %w = memref.load %b[] : memref<i32>
    func.call @used(%w) : (i32) -> ()
  }
  llvm.store %v, %a : i32, !llvm.ptr
  %r = llvm.load %a : !llvm.ptr -> i32
  return %r : i32
}
func.func private @used(i32)


// What the slot holds at the join is not read before it is stored: nothing is joined.
func.func @overwritten(%c: i1, %a: i32, %b: i32, %d: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  cf.cond_br %c, ^left, ^right
^left:
  memref.store %a, %m[] : memref<i32>
  cf.br ^join
^right:
  memref.store %b, %m[] : memref<i32>
  cf.br ^join
^join:
  memref.store %d, %m[] : memref<i32>
  %0 = memref.load %m[] : memref<i32>
  return %0 : i32
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @types(%arg0: f32, %arg1: !llvm.ptr, %arg2: i1, %arg3: i8) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(8 : i32) : i32
// CHECK-NEXT:     %2 = llvm.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %3 = llvm.ptrtoint %arg1 : !llvm.ptr to i64
// CHECK-NEXT:     %4 = llvm.trunc %2 : i32 to i16
// CHECK-NEXT:     %5 = llvm.bitcast %3 : i64 to vector<4xi16>
// CHECK-NEXT:     %6 = llvm.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %7 = llvm.zext %6 : i32 to i64
// CHECK-NEXT:     %8 = llvm.mlir.constant(-4294967296 : i64) : i64
// CHECK-NEXT:     %9 = llvm.and %3, %8 : i64
// CHECK-NEXT:     %10 = llvm.or %9, %7 : i64
// CHECK-NEXT:     %11 = llvm.bitcast %10 : i64 to vector<4xi16>
// CHECK-NEXT:     %12 = llvm.bitcast %10 : i64 to f64
// CHECK-NEXT:     %13 = llvm.trunc %10 : i64 to i32
// CHECK-NEXT:     %14 = llvm.bitcast %13 : i32 to vector<2xi16>
// CHECK-NEXT:     llvm.call @use(%3, %4, %12, %14) : (i64, i16, f64, vector<2xi16>) -> ()
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @use(i64, i16, f64, vector<2xi16>)
// CHECK-NEXT:   llvm.func @nested(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @copies(%arg0: i32, %arg1: !llvm.ptr) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     llvm.store %arg0, %arg1 : i32, !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %arg1 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @sets(%arg0: i8, %arg1: !llvm.ptr) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %2 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %3 = llvm.zext %arg0 : i8 to i32
// CHECK-NEXT:     %4 = llvm.mlir.constant(8 : i32) : i32
// CHECK-NEXT:     %5 = llvm.shl %3, %4 : i32
// CHECK-NEXT:     %6 = llvm.or %3, %5 : i32
// CHECK-NEXT:     %7 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT:     %8 = llvm.shl %6, %7 : i32
// CHECK-NEXT:     %9 = llvm.or %6, %8 : i32
// CHECK-NEXT:     %10 = llvm.bitcast %9 : i32 to f32
// CHECK-NEXT:     %11 = llvm.zext %arg0 : i8 to i24
// CHECK-NEXT:     %12 = llvm.mlir.constant(8 : i24) : i24
// CHECK-NEXT:     %13 = llvm.shl %11, %12 : i24
// CHECK-NEXT:     %14 = llvm.or %11, %13 : i24
// CHECK-NEXT:     %15 = llvm.mlir.constant(16 : i24) : i24
// CHECK-NEXT:     %16 = llvm.shl %14, %15 : i24
// CHECK-NEXT:     %17 = llvm.or %14, %16 : i24
// CHECK-NEXT:     llvm.store %17, %arg1 : i24, !llvm.ptr
// CHECK-NEXT:     llvm.return %10 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @life(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @volatile(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.store volatile %arg0, %1 : i32, !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @sum(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.br ^bb1(%0, %arg0 : i32, i32)
// CHECK-NEXT:   ^bb1(%1: i32, %2: i32):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     %3 = llvm.icmp "slt" %1, %arg1 : i32
// CHECK-NEXT:     llvm.cond_br %3, ^bb2, ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     %4 = llvm.add %2, %1 : i32
// CHECK-NEXT:     %5 = llvm.add %1, %0 : i32
// CHECK-NEXT:     llvm.br ^bb1(%5, %4 : i32, i32)
// CHECK-NEXT:   ^bb3:  // pred: ^bb1
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @loop(%arg0: i1, %arg1: i32) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.br ^bb1
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @loop2(%arg0: i1, %arg1: i32) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     llvm.br ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.br ^bb3
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     llvm.br ^bb4
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @loop3(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.undef : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     llvm.br ^bb3(%1 : i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.br ^bb3(%0 : i32)
// CHECK-NEXT:   ^bb3(%2: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     llvm.br ^bb4
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @cast(%arg0: i1, %arg1: i32) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @partial(%arg0: i1, %arg1: i16) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %1 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     llvm.br ^bb3(%1 : i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.br ^bb3(%0 : i32)
// CHECK-NEXT:   ^bb3(%2: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     %3 = llvm.zext %arg1 : i16 to i32
// CHECK-NEXT:     %4 = llvm.mlir.constant(-65536 : i32) : i32
// CHECK-NEXT:     %5 = llvm.and %2, %4 : i32
// CHECK-NEXT:     %6 = llvm.or %5, %3 : i32
// CHECK-NEXT:     llvm.return %6 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @switch(%arg0: i32, %arg1: i16) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.switch %arg0 : i32, ^bb3(%0 : i32) [
// CHECK-NEXT:       1: ^bb1,
// CHECK-NEXT:       2: ^bb3(%0 : i32),
// CHECK-NEXT:       3: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %1 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     llvm.br ^bb3(%1 : i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.br ^bb3(%arg0 : i32)
// CHECK-NEXT:   ^bb3(%2: i32):  // 4 preds: ^bb0, ^bb0, ^bb1, ^bb2
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @mm(%arg0: memref<i32>, %arg1: index, %arg2: i1) -> memref<i32> {
// CHECK-NEXT:     %0 = ub.poison : memref<i32>
// CHECK-NEXT:     cf.cond_br %arg2, ^bb1, ^bb2(%0 : memref<i32>)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb2(%arg0 : memref<i32>)
// CHECK-NEXT:   ^bb2(%1: memref<i32>):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     return %1 : memref<i32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @ll(%arg0: i32, %arg1: index, %arg2: i1) -> i32 {
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.store %arg0, %1 : i32, !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> i32
// CHECK-NEXT:     cf.cond_br %arg2, ^bb1, ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @in_region(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     %alloca = memref.alloca() : memref<i32>
// CHECK-NEXT:     memref.store %arg1, %alloca[] : memref<i32>
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       memref.store %c1_i32, %alloca[] : memref<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = memref.load %alloca[] : memref<i32>
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @in_loop(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %alloca = memref.alloca() : memref<i32>
// CHECK-NEXT:     %0 = memref.load %alloca[] : memref<i32>
// CHECK-NEXT:     memref.store %arg0, %alloca[] : memref<i32>
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @unreached(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     %0 = ub.poison : i32
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb3(%0 : i32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb3(%arg0 : i32)
// CHECK-NEXT:   ^bb2:  // no predecessors
// CHECK-NEXT:     cf.br ^bb3(%0 : i32)
// CHECK-NEXT:   ^bb3(%1: i32):  // 3 preds: ^bb0, ^bb1, ^bb2
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @around_a_region(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       func.call @used(%arg1) : (i32) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @used(i32)
// CHECK-NEXT:   func.func @overwritten(%arg0: i1, %arg1: i32, %arg2: i32, %arg3: i32) -> i32 {
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     return %arg3 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
