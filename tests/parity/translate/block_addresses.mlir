llvm.mlir.global private constant @table() {addr_space = 0 : i32} : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.poison : !llvm.array<2 x ptr>
  %1 = llvm.blockaddress <function = @jump, tag = <id = 1>> : !llvm.ptr
  %2 = llvm.insertvalue %1, %0[0] : !llvm.array<2 x ptr>
  %3 = llvm.blockaddress <function = @jump, tag = <id = 2>> : !llvm.ptr
  %4 = llvm.insertvalue %3, %2[1] : !llvm.array<2 x ptr>
  llvm.return %4 : !llvm.array<2 x ptr>
}
llvm.func @jump(%n: i32, %p: !llvm.ptr) -> i32 {
  llvm.indirectbr %p : !llvm.ptr, [
  ^bb1, ^bb2
  ]
^bb1:
  llvm.blocktag <id = 1>
  %0 = llvm.add %n, %n : i32
  llvm.return %0 : i32
^bb2:
  llvm.blocktag <id = 2>
  llvm.return %n : i32
}
llvm.func @address() -> !llvm.ptr {
  %0 = llvm.blockaddress <function = @jump, tag = <id = 2>> : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
