// RUN: xgpu-opt --symbol-dce --verify-diagnostics --allow-unregistered-dialect %s


module {
  func.func private @perhaps()
  // expected-error@+1 {{operation contains potentially unknown symbol table, meaning that we can't reliable compute symbol uses}}
  "unknown.table"() ({
  }) : () -> ()
}
