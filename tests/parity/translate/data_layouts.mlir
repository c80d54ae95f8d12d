module attributes {dlti.dl_spec = #dlti.dl_spec<f16 = dense<16> : vector<2xi64>, f32 = dense<[32, 64]> : vector<2xi64>, f64 = dense<64> : vector<1xi64>, f80 = dense<128> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, i8 = dense<[8, 32]> : vector<2xi64>, i64 = dense<64> : vector<2xi64>, index = 32 : i32, !llvm.ptr = dense<[64, 64, 64, 32]> : vector<4xi64>, !llvm.ptr<3> = dense<32> : vector<4xi64>, "dlti.endianness" = "little", "dlti.stack_alignment" = 128 : i64>} {
  llvm.func @f() {
    llvm.return
  }
}
