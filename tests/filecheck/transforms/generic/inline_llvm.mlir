// RUN: xgpu-opt %s --inline | filecheck %s --match-full-lines

llvm.func @leaf(%n: i32) -> f32 {
  %0 = llvm.mlir.constant(4 : i32) : i32
  %1 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
  %2 = llvm.load %1 : !llvm.ptr -> f32
  llvm.return %2 : f32
}
llvm.func @in_entry(%n: i32) -> f32 {
  %0 = llvm.call @leaf(%n) : (i32) -> f32
  llvm.return %0 : f32
}
llvm.func @blocks(%c: i1, %s: i32) -> f32 {
  %k = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.alloca %k x f32 : (i64) -> !llvm.ptr
  %9 = llvm.alloca %s x f32 : (i32) -> !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %2 = llvm.load %1 : !llvm.ptr -> f32
  llvm.return %2 : f32
^bb2:
  %3 = llvm.load %9 : !llvm.ptr -> f32
  llvm.return %3 : f32
}
llvm.func @many(%c: i1, %s: i32) -> f32 {
  %0 = llvm.call @blocks(%c, %s) : (i1, i32) -> f32
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %1 = llvm.call @leaf(%s) : (i32) -> f32
  llvm.return %1 : f32
^bb2:
  llvm.return %0 : f32
}
llvm.func @byval(%p: !llvm.ptr {llvm.byval = !llvm.struct<(f32, i64)>, llvm.align = 16 : i64}) -> i64 {
  %0 = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f32, i64)>
  %1 = llvm.load %0 : !llvm.ptr -> i64
  llvm.return %1 : i64
}
llvm.func @calls_byval(%p: !llvm.ptr) -> i64 {
  %0 = llvm.call @byval(%p) : (!llvm.ptr) -> i64
  llvm.return %0 : i64
}
llvm.func @ends(%n: i32) -> i32 {
  llvm.unreachable
}
llvm.func @calls_ends(%n: i32) -> i32 {
  %0 = llvm.call @ends(%n) : (i32) -> i32
  llvm.return %0 : i32
}
#domain = #llvm.access_group<id = distinct[0]<>>
llvm.func @access(%p: !llvm.ptr) -> i32 {
  %0 = llvm.load %p : !llvm.ptr -> i32
  llvm.return %0 : i32
}
llvm.func @groups(%p: !llvm.ptr) -> i32 {
  %0 = llvm.call @access(%p) {access_groups = [#domain]} : (!llvm.ptr) -> i32
  llvm.return %0 : i32
}
llvm.func @reads(%p: !llvm.ptr {llvm.byval = f64, llvm.align = 16 : i64}) -> f64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
  %0 = llvm.load %p : !llvm.ptr -> f64
  llvm.return %0 : f64
}
llvm.func @aligned(%p: !llvm.ptr {llvm.align = 32 : i64}, %q: !llvm.ptr) -> f64 {
  %c = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.alloca %c x f64 : (i32) -> !llvm.ptr
  %0 = llvm.call @reads(%p) : (!llvm.ptr) -> f64
  %1 = llvm.call @reads(%m) : (!llvm.ptr) -> f64
  %2 = llvm.call @reads(%q) : (!llvm.ptr) -> f64
  %3 = llvm.fadd %0, %1 : f64
  %4 = llvm.fadd %3, %2 : f64
  llvm.return %4 : f64
}

// CHECK: #access_group = #llvm.access_group<id = distinct[0]<>>
// CHECK-NEXT: module {
// CHECK-NEXT:   llvm.func @leaf(%arg0: i32) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.return %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @in_entry(%arg0: i32) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.intr.lifetime.start %1 : !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.intr.lifetime.end %1 : !llvm.ptr
// CHECK-NEXT:     llvm.return %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @blocks(%arg0: i1, %arg1: i32) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %1 = llvm.alloca %0 x f32 : (i64) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.alloca %arg1 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %3 = llvm.load %1 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.return %3 : f32
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %4 = llvm.load %2 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.return %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @many(%arg0: i1, %arg1: i32) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %2 = llvm.alloca %1 x f32 : (i64) -> !llvm.ptr
// CHECK-NEXT:     %3 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %4 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:     llvm.intr.lifetime.start %2 : !llvm.ptr
// CHECK-NEXT:     %5 = llvm.alloca %arg1 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %6 = llvm.load %2 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.intr.stackrestore %4 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.lifetime.end %2 : !llvm.ptr
// CHECK-NEXT:     llvm.br ^bb3(%6 : f32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %7 = llvm.load %5 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.intr.stackrestore %4 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.lifetime.end %2 : !llvm.ptr
// CHECK-NEXT:     llvm.br ^bb3(%7 : f32)
// CHECK-NEXT:   ^bb3(%8: f32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb4, ^bb5
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     llvm.intr.lifetime.start %3 : !llvm.ptr
// CHECK-NEXT:     %9 = llvm.load %3 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.intr.lifetime.end %3 : !llvm.ptr
// CHECK-NEXT:     llvm.return %9 : f32
// CHECK-NEXT:   ^bb5:  // pred: ^bb3
// CHECK-NEXT:     llvm.return %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @byval(%arg0: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = !llvm.struct<(f32, i64)>}) -> i64 {
// CHECK-NEXT:     %0 = llvm.getelementptr %arg0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f32, i64)>
// CHECK-NEXT:     %1 = llvm.load %0 : !llvm.ptr -> i64
// CHECK-NEXT:     llvm.return %1 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @calls_byval(%arg0: !llvm.ptr) -> i64 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(12 : i64) : i64
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %2 = llvm.alloca %1 x !llvm.struct<(f32, i64)> {alignment = 16 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:     "llvm.intr.memcpy"(%2, %arg0, %0) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     %3 = llvm.getelementptr %2[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f32, i64)>
// CHECK-NEXT:     %4 = llvm.load %3 : !llvm.ptr -> i64
// CHECK-NEXT:     llvm.return %4 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @ends(%arg0: i32) -> i32 {
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @calls_ends(%arg0: i32) -> i32 {
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @access(%arg0: !llvm.ptr) -> i32 {
// CHECK-NEXT:     %0 = llvm.load %arg0 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @groups(%arg0: !llvm.ptr) -> i32 {
// CHECK-NEXT:     %0 = llvm.load %arg0 {access_groups = [#access_group]} : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @reads(%arg0: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = f64}) -> f64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
// CHECK-NEXT:     %0 = llvm.load %arg0 : !llvm.ptr -> f64
// CHECK-NEXT:     llvm.return %0 : f64
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @aligned(%arg0: !llvm.ptr {llvm.align = 32 : i64}, %arg1: !llvm.ptr) -> f64 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(8 : i64) : i64
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %3 = llvm.alloca %2 x f64 {alignment = 16 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:     %4 = llvm.alloca %1 x f64 {alignment = 16 : i64} : (i32) -> !llvm.ptr
// CHECK-NEXT:     %5 = llvm.load %arg0 : !llvm.ptr -> f64
// CHECK-NEXT:     %6 = llvm.load %4 : !llvm.ptr -> f64
// CHECK-NEXT:     "llvm.intr.memcpy"(%3, %arg1, %0) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     %7 = llvm.load %3 : !llvm.ptr -> f64
// CHECK-NEXT:     %8 = llvm.fadd %5, %6 : f64
// CHECK-NEXT:     %9 = llvm.fadd %8, %7 : f64
// CHECK-NEXT:     llvm.return %9 : f64
// CHECK-NEXT:   }
// CHECK-NEXT: }
