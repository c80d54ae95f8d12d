// RUN: xgpu-opt %s --convert-index-to-llvm --convert-ub-to-llvm | filecheck %s

// Index arithmetic; poison.

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: index, %arg2: i32, %arg3: i64, %arg4: i128) -> (index, i1) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : index to i64
// CHECK-NEXT:     %2 = llvm.add %1, %0 : i64
// CHECK-NEXT:     %3 = llvm.sub %2, %0 : i64
// CHECK-NEXT:     %4 = llvm.mul %3, %0 : i64
// CHECK-NEXT:     %5 = llvm.sdiv %4, %0 : i64
// CHECK-NEXT:     %6 = llvm.udiv %5, %0 : i64
// CHECK-NEXT:     %7 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %8 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %9 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:     %10 = llvm.icmp "sgt" %0, %7 : i64
// CHECK-NEXT:     %11 = llvm.select %10, %9, %8 : i1, i64
// CHECK-NEXT:     %12 = llvm.add %6, %11 : i64
// CHECK-NEXT:     %13 = llvm.sdiv %12, %0 : i64
// CHECK-NEXT:     %14 = llvm.add %13, %8 : i64
// CHECK-NEXT:     %15 = llvm.sdiv %6, %0 : i64
// CHECK-NEXT:     %16 = llvm.icmp "sgt" %6, %7 : i64
// CHECK-NEXT:     %17 = llvm.icmp "eq" %16, %10 : i1
// CHECK-NEXT:     %18 = llvm.icmp "ne" %6, %7 : i64
// CHECK-NEXT:     %19 = llvm.and %17, %18 : i1
// CHECK-NEXT:     %20 = llvm.select %19, %14, %15 : i1, i64
// CHECK-NEXT:     %21 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %22 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %23 = llvm.sub %20, %22 : i64
// CHECK-NEXT:     %24 = llvm.udiv %23, %0 : i64
// CHECK-NEXT:     %25 = llvm.add %24, %22 : i64
// CHECK-NEXT:     %26 = llvm.icmp "eq" %20, %21 : i64
// CHECK-NEXT:     %27 = llvm.select %26, %21, %25 : i1, i64
// CHECK-NEXT:     %28 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %29 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %30 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:     %31 = llvm.icmp "slt" %0, %28 : i64
// CHECK-NEXT:     %32 = llvm.select %31, %29, %30 : i1, i64
// CHECK-NEXT:     %33 = llvm.sub %32, %27 : i64
// CHECK-NEXT:     %34 = llvm.sdiv %33, %0 : i64
// CHECK-NEXT:     %35 = llvm.sub %30, %34 : i64
// CHECK-NEXT:     %36 = llvm.sdiv %27, %0 : i64
// CHECK-NEXT:     %37 = llvm.icmp "slt" %27, %28 : i64
// CHECK-NEXT:     %38 = llvm.icmp "ne" %37, %31 : i1
// CHECK-NEXT:     %39 = llvm.icmp "ne" %27, %28 : i64
// CHECK-NEXT:     %40 = llvm.and %38, %39 : i1
// CHECK-NEXT:     %41 = llvm.select %40, %35, %36 : i1, i64
// CHECK-NEXT:     %42 = llvm.srem %41, %0 : i64
// CHECK-NEXT:     %43 = llvm.urem %42, %0 : i64
// CHECK-NEXT:     %44 = llvm.intr.smax(%43, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %45 = llvm.intr.umax(%44, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %46 = llvm.intr.smin(%45, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %47 = llvm.intr.umin(%46, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %48 = llvm.shl %47, %0 : i64
// CHECK-NEXT:     %49 = llvm.ashr %48, %0 : i64
// CHECK-NEXT:     %50 = llvm.lshr %49, %0 : i64
// CHECK-NEXT:     %51 = llvm.and %50, %0 : i64
// CHECK-NEXT:     %52 = llvm.or %51, %0 : i64
// CHECK-NEXT:     %53 = llvm.xor %52, %0 : i64
// CHECK-NEXT:     %54 = llvm.trunc %53 : i64 to i32
// CHECK-NEXT:     %55 = llvm.zext %arg2 : i32 to i64
// CHECK-NEXT:     %56 = llvm.trunc %arg4 : i128 to i64
// CHECK-NEXT:     %57 = llvm.icmp "slt" %56, %arg3 : i64
// CHECK-NEXT:     %58 = llvm.mlir.constant(42 : i64) : i64
// CHECK-NEXT:     %59 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:     %60 = llvm.mlir.constant(64 : i64) : i64
// CHECK-NEXT:     %61 = builtin.unrealized_conversion_cast %60 : i64 to index
// CHECK-NEXT:     return %61, %57 : index, i1
// CHECK-NEXT:   }
func.func @f(%a: index, %b: index, %x: i32, %y: i64, %z: i128) -> (index, i1) {
  %0 = index.add %a, %b
  %1 = index.sub %0, %b
  %2 = index.mul %1, %b
  %3 = index.divs %2, %b
  %4 = index.divu %3, %b
  %5 = index.ceildivs %4, %b
  %6 = index.ceildivu %5, %b
  %7 = index.floordivs %6, %b
  %8 = index.rems %7, %b
  %9 = index.remu %8, %b
  %10 = index.maxs %9, %b
  %11 = index.maxu %10, %b
  %12 = index.mins %11, %b
  %13 = index.minu %12, %b
  %14 = index.shl %13, %b
  %15 = index.shrs %14, %b
  %16 = index.shru %15, %b
  %17 = index.and %16, %b
  %18 = index.or %17, %b
  %19 = index.xor %18, %b
  %20 = index.casts %19 : index to i32
  %21 = index.castu %x : i32 to index
  %22 = index.castu %y : i64 to index
  %23 = index.casts %z : i128 to index
  %24 = index.cmp slt(%23, %22)
  %25 = index.constant 42
  %26 = index.bool.constant true
  %27 = index.sizeof
  return %27, %24 : index, i1
}
// CHECK-NEXT:   func.func @u() -> (i32, index, vector<4xf32>) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : i32
// CHECK-NEXT:     %1 = llvm.mlir.poison : i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : i64 to index
// CHECK-NEXT:     %3 = llvm.mlir.poison : vector<4xf32>
// CHECK-NEXT:     return %0, %2, %3 : i32, index, vector<4xf32>
// CHECK-NEXT:   }
func.func @u() -> (i32, index, vector<4xf32>) {
  %0 = ub.poison : i32
  %1 = ub.poison : index
  %2 = ub.poison : vector<4xf32>
  return %0, %1, %2 : i32, index, vector<4xf32>
}
// CHECK-NEXT:   func.func @v() {
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @v() { ub.unreachable }
