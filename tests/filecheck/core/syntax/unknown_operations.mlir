// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// These dialects may have operations that are in no table; in others they are errors.
"llvm.frobnicate"() : () -> ()
"nvvm.frobnicate"() : () -> ()
"rocdl.frobnicate"() : () -> ()
"shape.frobnicate"() : () -> ()

// -----

// expected-error@+1 {{unregistered operation 'gpu.frobnicate' found in dialect ('gpu') that does not allow unknown operations}}
"gpu.frobnicate"() : () -> ()
