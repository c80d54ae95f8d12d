// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Addresses: some of tests/support/address_cases.py, where all are compared with mlir-translate.

module attributes {llvm.data_layout = "e-p:64:64:64-p3:32:32:32-p4:32:32:32-p5:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-f128:128:128-v16:16:16-v32:32:32-n16:32:64"} {

llvm.mlir.global internal @g() : !llvm.array<16 x i32>
llvm.mlir.global internal @s(dense<0> : tensor<8xi8>)
  {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
llvm.mlir.global internal @e() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.mlir.global external @x() : i32
llvm.mlir.global extern_weak @w() : i32
llvm.mlir.global internal @st(#llvm.zero) : !llvm.struct<(i8, i64, array<3 x i16>)>
llvm.func @fn()
llvm.mlir.global weak @o(1 : i64) : i64
llvm.mlir.global private unnamed_addr constant @c(1 : i16) : i16
llvm.mlir.global internal @z(#llvm.zero) : !llvm.struct<()>
llvm.func @f0() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %b = llvm.getelementptr %a[17] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.addrspacecast %b : !llvm.ptr to !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f1() -> !llvm.ptr<5> {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %b = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<3>
  %0 = llvm.addrspacecast %b : !llvm.ptr<3> to !llvm.ptr<5>
  llvm.return %0 : !llvm.ptr<5>
}

llvm.func @f2() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %b = llvm.getelementptr %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.addrspacecast %b : !llvm.ptr to !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f3() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %b = llvm.getelementptr %a[64] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.addrspacecast %b : !llvm.ptr to !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f4() -> f64 {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.bitcast %i : i64 to f64
  llvm.return %0 : f64
}

llvm.func @f5() -> vector<2xi32> {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %0 = llvm.bitcast %i : i64 to vector<2xi32>
  llvm.return %0 : vector<2xi32>
}

llvm.func @f6() -> vector<2xi32> {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.bitcast %i : i64 to vector<2xi32>
  llvm.return %0 : vector<2xi32>
}

llvm.func @f7() -> f64 {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %0 = llvm.bitcast %i : i64 to f64
  llvm.return %0 : f64
}

llvm.func @f8() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %b = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<3>
  %0 = llvm.getelementptr %b[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f9() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %b = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<3>
  %0 = llvm.getelementptr %b[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f10() -> !llvm.ptr {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %b = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
  %0 = llvm.getelementptr %b[-1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f11() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %b = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<3>
  %0 = llvm.getelementptr %b[17] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f12() -> !llvm.ptr {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f13() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i128
  %0 = llvm.inttoptr %i : i128 to !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f14() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.inttoptr %i : i64 to !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f15() -> !llvm.ptr {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i1
  %0 = llvm.inttoptr %i : i1 to !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f16() -> i64 {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %b = llvm.getelementptr %a[65] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.ptrtoint %b : !llvm.ptr to i64
  llvm.return %0 : i64
}

llvm.func @f17() -> i128 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i128
  llvm.return %0 : i128
}

llvm.func @f18() -> i64 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %b = llvm.getelementptr %a[100] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %0 = llvm.ptrtoint %b : !llvm.ptr<3> to i64
  llvm.return %0 : i64
}

llvm.func @f19() -> i8 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i8
  llvm.return %0 : i8
}

llvm.func @f20() -> i64 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i8
  %0 = llvm.sext %i : i8 to i64
  llvm.return %0 : i64
}

llvm.func @f21() -> i32 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i1
  %0 = llvm.sext %i : i1 to i32
  llvm.return %0 : i32
}

llvm.func @f22() -> i128 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %0 = llvm.sext %i : i64 to i128
  llvm.return %0 : i128
}

llvm.func @f23() -> i128 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i32
  %0 = llvm.sext %i : i32 to i128
  llvm.return %0 : i128
}

llvm.func @f24() -> f32 {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sitofp %i : i64 to f32
  llvm.return %0 : f32
}

llvm.func @f25() -> f32 {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %0 = llvm.sitofp %i : i64 to f32
  llvm.return %0 : f32
}

llvm.func @f26() -> i1 {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.trunc %i : i64 to i1
  llvm.return %0 : i1
}

llvm.func @f27() -> i1 {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i128
  %0 = llvm.trunc %i : i128 to i1
  llvm.return %0 : i1
}

llvm.func @f28() -> i32 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.trunc %i : i64 to i32
  llvm.return %0 : i32
}

llvm.func @f29() -> i1 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %0 = llvm.trunc %i : i32 to i1
  llvm.return %0 : i1
}

llvm.func @f30() -> i128 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %0 = llvm.zext %i : i32 to i128
  llvm.return %0 : i128
}

llvm.func @f31() -> i8 {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i1
  %0 = llvm.zext %i : i1 to i8
  llvm.return %0 : i8
}

llvm.func @f32() -> i32 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i1
  %0 = llvm.zext %i : i1 to i32
  llvm.return %0 : i32
}

llvm.func @f33() -> i128 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i8
  %0 = llvm.zext %i : i8 to i128
  llvm.return %0 : i128
}

llvm.func @f34() -> !llvm.ptr {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.getelementptr %a[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i16
  llvm.return %0 : !llvm.ptr
}

llvm.func @f35() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.getelementptr %a[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f36() -> !llvm.ptr {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %b = llvm.getelementptr nusw %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f37() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %0 = llvm.getelementptr inbounds %a[65] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f38() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %b = llvm.getelementptr %a[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %0 = llvm.getelementptr nuw %b[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f39() -> !llvm.ptr {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %b = llvm.getelementptr inbounds %a[100] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f40() -> !llvm.ptr {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %b = llvm.getelementptr nuw %a[100] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.getelementptr nuw %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f41() -> !llvm.ptr {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %b = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.getelementptr %b[-0] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f42() -> i64 {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %b = llvm.getelementptr %a[100] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %b : !llvm.ptr to i64
  %j = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sub %i, %j : i64
  llvm.return %0 : i64
}

llvm.func @f43() -> i64 {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %b = llvm.getelementptr %a[-1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %i = llvm.ptrtoint %b : !llvm.ptr<3> to i64
  %j = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %0 = llvm.sub %j, %i : i64
  llvm.return %0 : i64
}

llvm.func @f44() -> i64 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %b : !llvm.ptr to i64
  %j = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sub %i, %j : i64
  llvm.return %0 : i64
}

llvm.func @f45() -> i64 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %b = llvm.getelementptr %a[17] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %b : !llvm.ptr to i64
  %j = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sub %j, %i : i64
  llvm.return %0 : i64
}

llvm.func @f46() -> i64 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %b = llvm.getelementptr %a[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %i = llvm.ptrtoint %b : !llvm.ptr<3> to i64
  %j = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %0 = llvm.sub %i, %j : i64
  llvm.return %0 : i64
}

llvm.func @f47() -> i64 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %b = llvm.getelementptr %a[65] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %b : !llvm.ptr to i64
  %j = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sub %j, %i : i64
  llvm.return %0 : i64
}

llvm.func @f48() -> i64 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %b = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %b : !llvm.ptr to i64
  %j = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sub %i, %j : i64
  llvm.return %0 : i64
}

llvm.func @f49() -> i64 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %b : !llvm.ptr to i64
  %j = llvm.ptrtoint %a : !llvm.ptr to i64
  %0 = llvm.sub %j, %i : i64
  llvm.return %0 : i64
}

llvm.func @f50() -> i32 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.add %i, %k : i32
  llvm.return %0 : i32
}

llvm.func @f51() -> i32 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.add %i, %k : i32
  llvm.return %0 : i32
}

llvm.func @f52() -> i64 {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.and %k, %i : i64
  llvm.return %0 : i64
}

llvm.func @f53() -> i32 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.and %i, %k : i32
  llvm.return %0 : i32
}

llvm.func @f54() -> i32 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.ashr %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f55() -> i64 {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.ashr %i, %k : i64
  llvm.return %0 : i64
}

llvm.func @f56() -> i64 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.lshr %i, %k : i64
  llvm.return %0 : i64
}

llvm.func @f57() -> i32 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.lshr %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f58() -> i32 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.mul %i, %k : i32
  llvm.return %0 : i32
}

llvm.func @f59() -> i32 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.mul %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f60() -> i64 {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.or %i, %k : i64
  llvm.return %0 : i64
}

llvm.func @f61() -> i64 {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.or %i, %k : i64
  llvm.return %0 : i64
}

llvm.func @f62() -> i32 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.sdiv %i, %k : i32
  llvm.return %0 : i32
}

llvm.func @f63() -> i32 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.sdiv %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f64() -> i32 {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.shl %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f65() -> i64 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.shl %i, %k : i64
  llvm.return %0 : i64
}

llvm.func @f66() -> i32 {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.srem %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f67() -> i64 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.srem %k, %i : i64
  llvm.return %0 : i64
}

llvm.func @f68() -> i32 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.sub %i, %k : i32
  llvm.return %0 : i32
}

llvm.func @f69() -> i32 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.sub %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f70() -> i64 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.udiv %k, %i : i64
  llvm.return %0 : i64
}

llvm.func @f71() -> i32 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.udiv %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f72() -> i32 {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.urem %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f73() -> i64 {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %a : !llvm.ptr<3> to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.urem %i, %k : i64
  llvm.return %0 : i64
}

llvm.func @f74() -> i64 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.xor %k, %i : i64
  llvm.return %0 : i64
}

llvm.func @f75() -> i32 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i32
  %k = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.xor %k, %i : i32
  llvm.return %0 : i32
}

llvm.func @f76() -> i1 {
  %a = llvm.mlir.addressof @z : !llvm.ptr
  %b = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %z = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "slt" %b, %z : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f77() -> i1 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "ugt" %a, %z : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f78() -> i1 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %b = llvm.mlir.addressof @c : !llvm.ptr
  %0 = llvm.icmp "ugt" %a, %b : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f79() -> i1 {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "ugt" %z, %a : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f80() -> i1 {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %b = llvm.getelementptr inbounds %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.icmp "ult" %a, %b : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f81() -> i1 {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "sge" %z, %a : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f82() -> i1 {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %b = llvm.getelementptr %a[17] : (!llvm.ptr) -> !llvm.ptr, i8
  %z = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "eq" %b, %z : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f83() -> i1 {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %b = llvm.mlir.addressof @fn : !llvm.ptr
  %0 = llvm.icmp "eq" %a, %b : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f84() -> i1 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %b = llvm.getelementptr inbounds %a[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %0 = llvm.icmp "slt" %b, %z : !llvm.ptr<3>
  llvm.return %0 : i1
}

llvm.func @f85() -> i1 {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %b = llvm.getelementptr inbounds %a[65] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.icmp "ult" %a, %b : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f86() -> i1 {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %b = llvm.getelementptr inbounds %a[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %0 = llvm.icmp "ugt" %b, %z : !llvm.ptr<3>
  llvm.return %0 : i1
}

llvm.func @f87() -> i1 {
  %a = llvm.mlir.addressof @c : !llvm.ptr
  %b = llvm.getelementptr %a[-1] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.icmp "uge" %a, %b : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f88() -> !llvm.ptr {
  %a = llvm.mlir.addressof @o : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "slt" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f89() -> !llvm.ptr {
  %a = llvm.mlir.addressof @st : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "sge" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f90() -> !llvm.ptr {
  %a = llvm.mlir.addressof @fn : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "ne" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f91() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @s : !llvm.ptr<3>
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %c = llvm.icmp "slt" %a, %z : !llvm.ptr<3>
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f92() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %c = llvm.icmp "sge" %a, %z : !llvm.ptr<3>
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f93() -> !llvm.ptr {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "eq" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f94() -> !llvm.ptr {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "ugt" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f95() -> !llvm.ptr {
  %a = llvm.mlir.addressof @w : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "ule" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f96() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %c = llvm.icmp "ult" %a, %z : !llvm.ptr<3>
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f97() -> !llvm.ptr {
  %a = llvm.mlir.addressof @g : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "uge" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f98() -> !llvm.ptr<3> {
  %a = llvm.mlir.addressof @e : !llvm.ptr<3>
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %c = llvm.icmp "ugt" %a, %z : !llvm.ptr<3>
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f99() -> !llvm.ptr {
  %a = llvm.mlir.addressof @x : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %c = llvm.icmp "ult" %a, %z : !llvm.ptr
  %0 = llvm.select %c, %a, %z : i1, !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @f100() -> !llvm.ptr<3> {
  %k = llvm.mlir.constant(-1 : i128) : i128
  %b = llvm.inttoptr %k : i128 to !llvm.ptr<3>
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.return %0 : !llvm.ptr<3>
}

llvm.func @f101() -> !llvm.ptr {
  %k = llvm.mlir.constant(-1 : i64) : i64
  %b = llvm.inttoptr %k : i64 to !llvm.ptr
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f102() -> !llvm.ptr<5> {
  %k = llvm.mlir.constant(-1 : i128) : i128
  %b = llvm.inttoptr %k : i128 to !llvm.ptr<5>
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i8
  llvm.return %0 : !llvm.ptr<5>
}

llvm.func @f103() -> !llvm.ptr<5> {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %b = llvm.inttoptr %k : i8 to !llvm.ptr<5>
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i8
  llvm.return %0 : !llvm.ptr<5>
}

llvm.func @f104() -> !llvm.ptr {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f105() -> !llvm.ptr<5> {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<5>
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i8
  llvm.return %0 : !llvm.ptr<5>
}

llvm.func @f106() -> !llvm.ptr {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %b = llvm.inttoptr %k : i8 to !llvm.ptr
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f107() -> !llvm.ptr {
  %k = llvm.mlir.constant(-1 : i128) : i128
  %b = llvm.inttoptr %k : i128 to !llvm.ptr
  %0 = llvm.getelementptr %b[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

llvm.func @f108() -> i1 {
  %k = llvm.mlir.constant(-1 : i128) : i128
  %b = llvm.inttoptr %k : i128 to !llvm.ptr
  %a = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "eq" %b, %a : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f109() -> i1 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<5>
  %c = llvm.getelementptr %b[1] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i8
  %0 = llvm.icmp "ult" %b, %c : !llvm.ptr<5>
  llvm.return %0 : i1
}

llvm.func @f110() -> i1 {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %b = llvm.inttoptr %k : i8 to !llvm.ptr
  %a = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "eq" %b, %a : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f111() -> i1 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<3>
  %a = llvm.mlir.zero : !llvm.ptr<3>
  %0 = llvm.icmp "eq" %b, %a : !llvm.ptr<3>
  llvm.return %0 : i1
}

llvm.func @f112() -> i1 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<3>
  %c = llvm.getelementptr %b[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %0 = llvm.icmp "ult" %b, %c : !llvm.ptr<3>
  llvm.return %0 : i1
}

llvm.func @f113() -> i1 {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %b = llvm.inttoptr %k : i8 to !llvm.ptr<3>
  %c = llvm.getelementptr %b[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %0 = llvm.icmp "ult" %b, %c : !llvm.ptr<3>
  llvm.return %0 : i1
}

llvm.func @f114() -> i1 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr
  %c = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.icmp "ult" %b, %c : !llvm.ptr
  llvm.return %0 : i1
}

llvm.func @f115() -> i1 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<5>
  %a = llvm.mlir.zero : !llvm.ptr<5>
  %0 = llvm.icmp "eq" %b, %a : !llvm.ptr<5>
  llvm.return %0 : i1
}

llvm.func @f116() -> i8 {
  %k = llvm.mlir.constant(-1 : i64) : i64
  %b = llvm.inttoptr %k : i64 to !llvm.ptr
  %0 = llvm.ptrtoint %b : !llvm.ptr to i8
  llvm.return %0 : i8
}

llvm.func @f117() -> i32 {
  %k = llvm.mlir.constant(-1 : i128) : i128
  %b = llvm.inttoptr %k : i128 to !llvm.ptr<3>
  %0 = llvm.ptrtoint %b : !llvm.ptr<3> to i32
  llvm.return %0 : i32
}

llvm.func @f118() -> i32 {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %b = llvm.inttoptr %k : i8 to !llvm.ptr<5>
  %0 = llvm.ptrtoint %b : !llvm.ptr<5> to i32
  llvm.return %0 : i32
}

llvm.func @f119() -> i8 {
  %k = llvm.mlir.constant(-1 : i64) : i64
  %b = llvm.inttoptr %k : i64 to !llvm.ptr<5>
  %0 = llvm.ptrtoint %b : !llvm.ptr<5> to i8
  llvm.return %0 : i8
}

llvm.func @f120() -> i128 {
  %k = llvm.mlir.constant(-1 : i64) : i64
  %b = llvm.inttoptr %k : i64 to !llvm.ptr<3>
  %0 = llvm.ptrtoint %b : !llvm.ptr<3> to i128
  llvm.return %0 : i128
}

llvm.func @f121() -> i32 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<3>
  %0 = llvm.ptrtoint %b : !llvm.ptr<3> to i32
  llvm.return %0 : i32
}

llvm.func @f122() -> i8 {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %b = llvm.inttoptr %k : i8 to !llvm.ptr
  %0 = llvm.ptrtoint %b : !llvm.ptr to i8
  llvm.return %0 : i8
}

llvm.func @f123() -> i32 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.inttoptr %k : i32 to !llvm.ptr<5>
  %0 = llvm.ptrtoint %b : !llvm.ptr<5> to i32
  llvm.return %0 : i32
}
}

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-NEXT: target datalayout = "e-p:64:64:64-p3:32:32:32-p4:32:32:32-p5:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-f128:128:128-v16:16:16-v32:32:32-n16:32:64"
// CHECK-EMPTY:
// CHECK-NEXT: @g = internal global [16 x i32] undef
// CHECK-NEXT: @s = internal addrspace(3) global [8 x i8] zeroinitializer, align 16
// CHECK-NEXT: @e = internal addrspace(3) global [0 x i8] undef, align 16
// CHECK-NEXT: @x = external global i32
// CHECK-NEXT: @w = extern_weak global i32
// CHECK-NEXT: @st = internal global { i8, i64, [3 x i16] } zeroinitializer
// CHECK-NEXT: @o = weak global i64 1
// CHECK-NEXT: @c = private unnamed_addr constant i16 1
// CHECK-NEXT: @z = internal global {} zeroinitializer
// CHECK-EMPTY:
// CHECK-NEXT: declare void @fn()
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f0() {
// CHECK-NEXT:   ret ptr addrspace(3) addrspacecast (ptr getelementptr (i8, ptr @x, i64 17) to ptr addrspace(3))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(5) @f1() {
// CHECK-NEXT:   ret ptr addrspace(5) addrspacecast (ptr @w to ptr addrspace(5))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f2() {
// CHECK-NEXT:   ret ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr @g, i64 16) to ptr addrspace(3))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f3() {
// CHECK-NEXT:   ret ptr addrspace(3) addrspacecast (ptr getelementptr (i8, ptr @o, i64 64) to ptr addrspace(3))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define double @f4() {
// CHECK-NEXT:   ret double bitcast (i64 ptrtoint (ptr @x to i64) to double)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define <2 x i32> @f5() {
// CHECK-NEXT:   ret <2 x i32> bitcast (i64 ptrtoint (ptr addrspace(3) @e to i64) to <2 x i32>)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define <2 x i32> @f6() {
// CHECK-NEXT:   ret <2 x i32> bitcast (i64 ptrtoint (ptr @x to i64) to <2 x i32>)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define double @f7() {
// CHECK-NEXT:   ret double bitcast (i64 ptrtoint (ptr addrspace(3) @s to i64) to double)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f8() {
// CHECK-NEXT:   ret ptr addrspace(3) getelementptr (i8, ptr addrspace(3) addrspacecast (ptr @st to ptr addrspace(3)), i32 4)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f9() {
// CHECK-NEXT:   ret ptr addrspace(3) getelementptr (i8, ptr addrspace(3) addrspacecast (ptr @o to ptr addrspace(3)), i32 64)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f10() {
// CHECK-NEXT:   ret ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f11() {
// CHECK-NEXT:   ret ptr addrspace(3) getelementptr (i8, ptr addrspace(3) addrspacecast (ptr @fn to ptr addrspace(3)), i32 17)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f12() {
// CHECK-NEXT:   ret ptr @g
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f13() {
// CHECK-NEXT:   ret ptr addrspace(3) inttoptr (i128 ptrtoint (ptr @c to i128) to ptr addrspace(3))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f14() {
// CHECK-NEXT:   ret ptr addrspace(3) inttoptr (i64 ptrtoint (ptr @o to i64) to ptr addrspace(3))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f15() {
// CHECK-NEXT:   ret ptr inttoptr (i1 ptrtoint (ptr addrspace(3) @s to i1) to ptr)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f16() {
// CHECK-NEXT:   ret i64 ptrtoint (ptr getelementptr (i8, ptr @st, i64 65) to i64)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i128 @f17() {
// CHECK-NEXT:   ret i128 ptrtoint (ptr @z to i128)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f18() {
// CHECK-NEXT:   ret i64 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @e, i32 100) to i64)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i8 @f19() {
// CHECK-NEXT:   ret i8 ptrtoint (ptr @c to i8)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f20() {
// CHECK-NEXT:   %1 = sext i8 ptrtoint (ptr @g to i8) to i64
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f21() {
// CHECK-NEXT:   %1 = sext i1 ptrtoint (ptr addrspace(3) @e to i1) to i32
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i128 @f22() {
// CHECK-NEXT:   %1 = sext i64 ptrtoint (ptr addrspace(3) @e to i64) to i128
// CHECK-NEXT:   ret i128 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i128 @f23() {
// CHECK-NEXT:   %1 = sext i32 ptrtoint (ptr addrspace(3) @e to i32) to i128
// CHECK-NEXT:   ret i128 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define float @f24() {
// CHECK-NEXT:   %1 = sitofp i64 ptrtoint (ptr @o to i64) to float
// CHECK-NEXT:   ret float %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define float @f25() {
// CHECK-NEXT:   %1 = sitofp i64 ptrtoint (ptr addrspace(3) @s to i64) to float
// CHECK-NEXT:   ret float %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f26() {
// CHECK-NEXT:   ret i1 ptrtoint (ptr @o to i1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f27() {
// CHECK-NEXT:   ret i1 ptrtoint (ptr @o to i1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f28() {
// CHECK-NEXT:   ret i32 ptrtoint (ptr @fn to i32)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f29() {
// CHECK-NEXT:   ret i1 ptrtoint (ptr @fn to i1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i128 @f30() {
// CHECK-NEXT:   %1 = zext i32 ptrtoint (ptr @c to i32) to i128
// CHECK-NEXT:   ret i128 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i8 @f31() {
// CHECK-NEXT:   %1 = zext i1 ptrtoint (ptr addrspace(3) @s to i1) to i8
// CHECK-NEXT:   ret i8 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f32() {
// CHECK-NEXT:   %1 = zext i1 ptrtoint (ptr @c to i1) to i32
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i128 @f33() {
// CHECK-NEXT:   %1 = zext i8 ptrtoint (ptr @fn to i8) to i128
// CHECK-NEXT:   ret i128 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f34() {
// CHECK-NEXT:   ret ptr getelementptr (i8, ptr @st, i64 -2)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f35() {
// CHECK-NEXT:   ret ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @e, i32 -2)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f36() {
// CHECK-NEXT:   ret ptr getelementptr inbounds nuw (i8, ptr @st, i64 19)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f37() {
// CHECK-NEXT:   ret ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @e, i32 65)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f38() {
// CHECK-NEXT:   ret ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i32 19)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f39() {
// CHECK-NEXT:   ret ptr getelementptr (i8, ptr @g, i64 103)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f40() {
// CHECK-NEXT:   ret ptr getelementptr nuw (i8, ptr @g, i64 103)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f41() {
// CHECK-NEXT:   ret ptr @o
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f42() {
// CHECK-NEXT:   ret i64 100
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f43() {
// CHECK-NEXT:   ret i64 -4294967295
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f44() {
// CHECK-NEXT:   ret i64 4
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f45() {
// CHECK-NEXT:   ret i64 -17
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f46() {
// CHECK-NEXT:   ret i64 16
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f47() {
// CHECK-NEXT:   ret i64 -65
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f48() {
// CHECK-NEXT:   ret i64 0
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f49() {
// CHECK-NEXT:   ret i64 -4
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f50() {
// CHECK-NEXT:   ret i32 add (i32 ptrtoint (ptr addrspace(3) @e to i32), i32 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f51() {
// CHECK-NEXT:   ret i32 add (i32 ptrtoint (ptr @z to i32), i32 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f52() {
// CHECK-NEXT:   ret i64 ptrtoint (ptr @o to i64)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f53() {
// CHECK-NEXT:   ret i32 ptrtoint (ptr @g to i32)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f54() {
// CHECK-NEXT:   %1 = ashr i32 -1, ptrtoint (ptr @g to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f55() {
// CHECK-NEXT:   %1 = ashr i64 ptrtoint (ptr @x to i64), -1
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f56() {
// CHECK-NEXT:   %1 = lshr i64 ptrtoint (ptr @c to i64), -1
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f57() {
// CHECK-NEXT:   %1 = lshr i32 -1, ptrtoint (ptr @w to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f58() {
// CHECK-NEXT:   %1 = mul i32 ptrtoint (ptr @fn to i32), -1
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f59() {
// CHECK-NEXT:   %1 = mul i32 -1, ptrtoint (ptr @c to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f60() {
// CHECK-NEXT:   ret i64 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f61() {
// CHECK-NEXT:   ret i64 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f62() {
// CHECK-NEXT:   %1 = sdiv i32 ptrtoint (ptr @g to i32), -1
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f63() {
// CHECK-NEXT:   %1 = sdiv i32 -1, ptrtoint (ptr @z to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f64() {
// CHECK-NEXT:   %1 = shl i32 -1, ptrtoint (ptr @o to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f65() {
// CHECK-NEXT:   %1 = shl i64 ptrtoint (ptr @z to i64), -1
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f66() {
// CHECK-NEXT:   %1 = srem i32 -1, ptrtoint (ptr @x to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f67() {
// CHECK-NEXT:   %1 = srem i64 -1, ptrtoint (ptr @w to i64)
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f68() {
// CHECK-NEXT:   ret i32 sub (i32 ptrtoint (ptr @w to i32), i32 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f69() {
// CHECK-NEXT:   ret i32 sub (i32 -1, i32 ptrtoint (ptr @fn to i32))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f70() {
// CHECK-NEXT:   %1 = udiv i64 -1, ptrtoint (ptr @w to i64)
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f71() {
// CHECK-NEXT:   %1 = udiv i32 -1, ptrtoint (ptr @z to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f72() {
// CHECK-NEXT:   %1 = urem i32 -1, ptrtoint (ptr @x to i32)
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f73() {
// CHECK-NEXT:   %1 = urem i64 ptrtoint (ptr addrspace(3) @s to i64), -1
// CHECK-NEXT:   ret i64 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i64 @f74() {
// CHECK-NEXT:   ret i64 xor (i64 ptrtoint (ptr @fn to i64), i64 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f75() {
// CHECK-NEXT:   ret i32 xor (i32 ptrtoint (ptr @g to i32), i32 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f76() {
// CHECK-NEXT:   %1 = icmp slt ptr @z, null
// CHECK-NEXT:   ret i1 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f77() {
// CHECK-NEXT:   %1 = icmp ugt ptr @w, null
// CHECK-NEXT:   ret i1 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f78() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f79() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f80() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f81() {
// CHECK-NEXT:   %1 = icmp sge ptr null, @fn
// CHECK-NEXT:   ret i1 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f82() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f83() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f84() {
// CHECK-NEXT:   %1 = icmp slt ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @e, i32 64), null
// CHECK-NEXT:   ret i1 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f85() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f86() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f87() {
// CHECK-NEXT:   %1 = icmp uge ptr @c, getelementptr (i8, ptr @c, i64 -1)
// CHECK-NEXT:   ret i1 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f88() {
// CHECK-NEXT:   %1 = icmp slt ptr @o, null
// CHECK-NEXT:   %2 = select i1 %1, ptr @o, ptr null
// CHECK-NEXT:   ret ptr %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f89() {
// CHECK-NEXT:   %1 = icmp sge ptr @st, null
// CHECK-NEXT:   %2 = select i1 %1, ptr @st, ptr null
// CHECK-NEXT:   ret ptr %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f90() {
// CHECK-NEXT:   ret ptr @fn
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f91() {
// CHECK-NEXT:   %1 = icmp slt ptr addrspace(3) @s, null
// CHECK-NEXT:   %2 = select i1 %1, ptr addrspace(3) @s, ptr addrspace(3) null
// CHECK-NEXT:   ret ptr addrspace(3) %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f92() {
// CHECK-NEXT:   %1 = icmp sge ptr addrspace(3) @e, null
// CHECK-NEXT:   %2 = select i1 %1, ptr addrspace(3) @e, ptr addrspace(3) null
// CHECK-NEXT:   ret ptr addrspace(3) %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f93() {
// CHECK-NEXT:   ret ptr null
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f94() {
// CHECK-NEXT:   %1 = icmp ugt ptr @w, null
// CHECK-NEXT:   %2 = select i1 %1, ptr @w, ptr null
// CHECK-NEXT:   ret ptr %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f95() {
// CHECK-NEXT:   %1 = icmp ule ptr @w, null
// CHECK-NEXT:   %2 = select i1 %1, ptr @w, ptr null
// CHECK-NEXT:   ret ptr %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f96() {
// CHECK-NEXT:   ret ptr addrspace(3) null
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f97() {
// CHECK-NEXT:   ret ptr @g
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f98() {
// CHECK-NEXT:   %1 = icmp ugt ptr addrspace(3) @e, null
// CHECK-NEXT:   %2 = select i1 %1, ptr addrspace(3) @e, ptr addrspace(3) null
// CHECK-NEXT:   ret ptr addrspace(3) %2
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f99() {
// CHECK-NEXT:   ret ptr null
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(3) @f100() {
// CHECK-NEXT:   ret ptr addrspace(3) inttoptr (i32 2 to ptr addrspace(3))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f101() {
// CHECK-NEXT:   ret ptr inttoptr (i64 2 to ptr)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(5) @f102() {
// CHECK-NEXT:   ret ptr addrspace(5) inttoptr (i32 2 to ptr addrspace(5))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(5) @f103() {
// CHECK-NEXT:   ret ptr addrspace(5) inttoptr (i32 258 to ptr addrspace(5))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f104() {
// CHECK-NEXT:   ret ptr inttoptr (i64 4294967298 to ptr)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr addrspace(5) @f105() {
// CHECK-NEXT:   ret ptr addrspace(5) inttoptr (i32 2 to ptr addrspace(5))
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f106() {
// CHECK-NEXT:   ret ptr inttoptr (i64 258 to ptr)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define ptr @f107() {
// CHECK-NEXT:   ret ptr inttoptr (i64 2 to ptr)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f108() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f109() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f110() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f111() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f112() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f113() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f114() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i1 @f115() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i8 @f116() {
// CHECK-NEXT:   ret i8 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f117() {
// CHECK-NEXT:   ret i32 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f118() {
// CHECK-NEXT:   ret i32 255
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i8 @f119() {
// CHECK-NEXT:   ret i8 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i128 @f120() {
// CHECK-NEXT:   ret i128 4294967295
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f121() {
// CHECK-NEXT:   ret i32 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i8 @f122() {
// CHECK-NEXT:   ret i8 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f123() {
// CHECK-NEXT:   ret i32 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
