llvm.mlir.global private unnamed_addr constant @text("hello\00") {addr_space = 0 : i32}
llvm.mlir.global internal thread_local @counter(0 : i64) {alignment = 16 : i64, dso_local} : i64
llvm.mlir.global external constant @table(dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>) {section = ".data.table"} : !llvm.array<2 x array<2 x i16>>
llvm.mlir.global weak_odr hidden @floats(dense<[1.5, -2.0]> : vector<2xf32>) : vector<2xf32>
llvm.mlir.global extern_weak @outside() : i32
llvm.mlir.global common @space(0 : i32) {addr_space = 3 : i32} : i32
llvm.mlir.global linkonce @made() : !llvm.struct<(ptr, i32)> {
  %0 = llvm.mlir.addressof @counter : !llvm.ptr
  %1 = llvm.mlir.constant(3 : i32) : i32
  %2 = llvm.mlir.undef : !llvm.struct<(ptr, i32)>
  %3 = llvm.insertvalue %0, %2[0] : !llvm.struct<(ptr, i32)>
  %4 = llvm.insertvalue %1, %3[1] : !llvm.struct<(ptr, i32)>
  llvm.return %4 : !llvm.struct<(ptr, i32)>
}
llvm.comdat @comdats {
  llvm.comdat_selector @any any
}
llvm.mlir.global linkonce_odr @chosen(1 : i8) comdat(@comdats::@any) : i8
llvm.mlir.alias external @second : i64 {
  %0 = llvm.mlir.addressof @counter : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @start() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@start], priorities = [5 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [@start], priorities = [6 : i32], data = [#llvm.zero]

// -----

module attributes {
  llvm.target_triple = "x86_64-unknown-linux-gnu",
  llvm.data_layout = "e-p:64:64-i64:64",
  llvm.module_asm = ["one", "two"],
  llvm.ident = "xgpu",
  llvm.commandline = "xgpu -O2"
} {
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>,
                     #llvm.mlir.module_flag<max, "xgpu level", 2 : i32>]
}

// -----

llvm.func @parameters(
    %s: !llvm.ptr {llvm.sret = i64, llvm.noalias},
    %a: !llvm.ptr {llvm.noalias, llvm.nocapture, llvm.align = 16 : i64, llvm.dereferenceable = 64 : i64},
    %b: i8 {llvm.zeroext}, %c: i16 {llvm.signext, llvm.noundef, llvm.inreg},
    %d: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f32)>, llvm.readonly},
    %e: !llvm.ptr {llvm.nonnull, llvm.writeonly},
    %f: i32 {llvm.range = #llvm.constant_range<i32, 0, 12>}) {
  llvm.return
}
llvm.func @result(%b: i8 {llvm.zeroext}) -> (i8 {llvm.zeroext, llvm.noundef}) {
  llvm.return %b : i8
}
llvm.func internal fastcc @convention() attributes {dso_local, alignment = 64 : i64, section = ".text.hot"} {
  llvm.return
}
llvm.func protected local_unnamed_addr @attributes() attributes {
  always_inline, no_unwind, will_return, frame_pointer = #llvm.framePointerKind<"non-leaf">,
  target_cpu = "sapphirerapids", tune_cpu = "skylake", target_features = #llvm.target_features<["+avx2", "-sse4a"]>,
  memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>,
  uwtable_kind = #llvm.uwtableKind<sync>, garbageCollector = "shadow-stack", function_entry_count = 42 : i64,
  vscale_range = #llvm.vscale_range<minRange = 1, maxRange = 4>, denormal_fp_math = "preserve-sign"
} {
  llvm.return
}

// -----

#root = #llvm.tbaa_root<id = "root">
#char = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#int = #llvm.tbaa_type_desc<id = "int", members = {<#char, 0>}>
#pair = #llvm.tbaa_type_desc<id = "pair", members = {<#int, 0>, <#int, 4>}>
#tag = #llvm.tbaa_tag<base_type = #pair, access_type = #int, offset = 4>
#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "domain">
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "scope">
#group = #llvm.access_group<id = distinct[2]<>>
#unroll = #llvm.loop_unroll<count = 4 : i32>
#vectorize = #llvm.loop_vectorize<disable = false, width = 8 : i32>
#loop = #llvm.loop_annotation<unroll = #unroll, vectorize = #vectorize, mustProgress = true, parallelAccesses = #group>
llvm.func @metadata(%p: !llvm.ptr, %c: i1) {
  llvm.br ^body
^body:
  llvm.intr.experimental.noalias.scope.decl #scope
  %0 = llvm.load %p {tbaa = [#tag], alias_scopes = [#scope], access_groups = [#group]} : !llvm.ptr -> i32
  llvm.store %0, %p {noalias_scopes = [#scope], tbaa = [#tag]} : i32, !llvm.ptr
  llvm.cond_br %c, ^body, ^end {loop_annotation = #loop}
^end:
  llvm.return
}
