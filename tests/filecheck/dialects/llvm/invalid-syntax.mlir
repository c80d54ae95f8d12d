// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

llvm.func @attribute_of_the_wrong_kind(%p: !llvm.ptr) {
  // expected-error@+1 {{custom op 'llvm.load' 'llvm.load' op attribute 'access_groups' failed to satisfy constraint: LLVM dialect access group metadata array}}
  %0 = llvm.load %p {access_groups = [@group]} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @index_without_function_type(%p: !llvm.ptr, %i: i64) {
  // expected-error@+1 {{custom op 'llvm.getelementptr' invalid kind of type specified: expected builtin.function, but found '!llvm.ptr'}}
  %0 = llvm.getelementptr %p[%i] : !llvm.ptr
  llvm.return
}

// -----

llvm.func @callee(i32)
llvm.func @call_without_signature(%a: i32) {
  // expected-error@+2 {{expected '('}}
  // expected-error@+1 {{custom op 'llvm.call' expected direct call to have 1 trailing type}}
  llvm.call @callee(%a) : !llvm.ptr
  llvm.return
}

// -----

llvm.func @fixed_from_scalable(%a: vector<[4]xi8>, %b: vector<[4]xi8>) {
  // expected-error@+1 {{op failed to verify that result has twice as many elements as 'vec1'}}
  %0 = "llvm.intr.vector.interleave2"(%a, %b) : (vector<[4]xi8>, vector<[4]xi8>) -> vector<8xi8>
  llvm.return
}

// -----

llvm.module_flags [#llvm.mlir.module_flag<error, "ProfileSummary",
    // expected-error @+3 {{failed to parse ModuleFlagProfileSummaryAttr parameter 'format' which is to be a `ProfileSummaryFormatKind`}}
    // expected-error @+2 {{failed to parse ModuleFlagAttr parameter 'value' which is to be a `Attribute`}}
    // expected-error@+1 {{expected one of [SampleProfile, InstrProf, CSInstrProf] for LLVM ProfileSummary format kinds, got: Other}}
    #llvm.profile_summary<format = "Other", total_count = 1, max_count = 1, max_internal_count = 1,
    max_function_count = 1, num_counts = 1, num_functions = 1, detailed_summary = >>]

// -----

// expected-error @+1 {{invalid function argument type: '!llvm.func<void ()>'}}
llvm.func @takes(!llvm.func<void ()>)

// -----

llvm.func @throws(i32) -> i32

llvm.func @more_types_than_operands(%a: i32) -> i32 attributes {personality = @throws} {
  // expected-error @+1 {{expected 1 types to match operand list}}
  %0 = llvm.invoke @throws(%a) to ^bb1(%a : i32, i64) unwind ^bb2 : (i32) -> i32
^bb1(%b: i32):
  llvm.return %b : i32
^bb2:
  llvm.return %a : i32
}
