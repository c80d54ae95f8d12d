// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// An unknown operation may hold symbols of its own: nothing is looked up through it.

func.func private @used()
"t.r"() ({
  func.func @main() {
    // expected-error @+1 {{'func.call' op 'used' does not reference a valid function}}
    call @used() : () -> ()
    return
  }
}) : () -> ()

// -----

"nvvm.inline_ptx"() <{ptxCode = "", operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
// expected-error @+1 {{'nvvm.inline_ptx' op expected DenseI32ArrayAttr for 'operandSegmentSizes'}}
"nvvm.inline_ptx"() <{ptxCode = "", operandSegmentSizes = array<i256: 0, 0, 0>}> : () -> ()
