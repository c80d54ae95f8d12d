// RUN: xgpu-opt --mem2reg %s | filecheck %s --match-full-lines

module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "big">} {
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
}

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "big">} {
// CHECK-NEXT:   llvm.func @types(%arg0: f32, %arg1: !llvm.ptr, %arg2: i1, %arg3: i8) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(8 : i32) : i32
// CHECK-NEXT:     %2 = llvm.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %3 = llvm.ptrtoint %arg1 : !llvm.ptr to i64
// CHECK-NEXT:     %4 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT:     %5 = llvm.lshr %2, %4 : i32
// CHECK-NEXT:     %6 = llvm.trunc %5 : i32 to i16
// CHECK-NEXT:     %7 = llvm.bitcast %3 : i64 to vector<4xi16>
// CHECK-NEXT:     %8 = llvm.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %9 = llvm.zext %8 : i32 to i64
// CHECK-NEXT:     %10 = llvm.mlir.constant(32 : i64) : i64
// CHECK-NEXT:     %11 = llvm.shl %9, %10 : i64
// CHECK-NEXT:     %12 = llvm.mlir.constant(4294967295 : i64) : i64
// CHECK-NEXT:     %13 = llvm.and %3, %12 : i64
// CHECK-NEXT:     %14 = llvm.or %13, %11 : i64
// CHECK-NEXT:     %15 = llvm.bitcast %14 : i64 to vector<4xi16>
// CHECK-NEXT:     %16 = llvm.bitcast %14 : i64 to f64
// CHECK-NEXT:     %17 = llvm.mlir.constant(32 : i64) : i64
// CHECK-NEXT:     %18 = llvm.lshr %14, %17 : i64
// CHECK-NEXT:     %19 = llvm.trunc %18 : i64 to i32
// CHECK-NEXT:     %20 = llvm.bitcast %19 : i32 to vector<2xi16>
// CHECK-NEXT:     llvm.call @use(%3, %6, %16, %20) : (i64, i16, f64, vector<2xi16>) -> ()
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @use(i64, i16, f64, vector<2xi16>)
// CHECK-NEXT: }
