// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Parameters that are attributes are of the class that the definition names.

// expected-error @+2 {{failed to parse LLVM_DICompileUnitAttr parameter 'file' which is to be a `DIFileAttr`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #nvvm.target<chip = "sm_90">, producer = "me", isOptimized = true, emissionKind = Full>} : () -> ()

// -----

// expected-error @+2 {{failed to parse LLVM_DICompileUnitAttr parameter 'id' which is to be a `DistinctAttr`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.di_compile_unit<id = 7, sourceLanguage = DW_LANG_C>} : () -> ()

// -----

// expected-error @+1 {{struct is missing required parameter: file}}
"a.b"() {a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, isOptimized = true, emissionKind = Full>} : () -> ()

// -----

// expected-error @+2 {{failed to parse LLVM_DIDerivedTypeAttr parameter 'baseType' which is to be a `DITypeAttr`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.di_derived_type<tag = DW_TAG_member, baseType = #llvm.di_file<"a" in "b">>} : () -> ()

// -----

// expected-error @+2 {{failed to parse LLVM_DISubroutineTypeAttr parameter 'types' which is to be a `::llvm::ArrayRef<DITypeAttr>`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.di_subroutine_type<types = "x">} : () -> ()

// -----

// expected-error @+2 {{failed to parse LLVM_DISubprogramAttr parameter 'scope' which is to be a `DIScopeAttr`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.di_subprogram<scope = #llvm.di_basic_type<name = "int">>} : () -> ()

// -----

// expected-error @+3 {{failed to parse LoopUnrollAttr parameter 'disable' which is to be a `BoolAttr`}}
// expected-error @+2 {{failed to parse LoopAnnotationAttr parameter 'unroll' which is to be a `LoopUnrollAttr`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.loop_annotation<unroll = <disable = 5>>} : () -> ()

// -----

// expected-error @+2 {{failed to parse LoopAnnotationAttr parameter 'parallelAccesses' which is to be a `::llvm::ArrayRef<AccessGroupAttr>`}}
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #llvm.loop_annotation<parallelAccesses = #llvm.loop_annotation<>>} : () -> ()

// -----

// expected-error @+1 {{custom op 'llvm.func' invalid function argument type: '!llvm.void'}}
llvm.func @no_value(%p: !llvm.ptr, %v: !llvm.void) {
  llvm.return
}

// -----

// expected-error @+1 {{custom op 'llvm.func' invalid function result type: '!llvm.metadata'}}
llvm.func @gives_metadata() -> !llvm.metadata
