// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// An integer attribute of zero is one, though Python takes it for false.

// expected-error @+1 {{'builtin.module' op attribute 'sym_name' failed to satisfy constraint: string attribute}}
"builtin.module"() ({
^bb0:
}) {sym_name = 0} : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op attribute 'sym_visibility' failed to satisfy constraint: string attribute}}
"builtin.module"() ({
^bb0:
}) {sym_visibility = []} : () -> ()
