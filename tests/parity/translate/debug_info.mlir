#file = #llvm.di_file<"kernel.py" in "/src">
#other = #llvm.di_file<"helper.py" in "/src">
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#null = #llvm.di_null_type
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_Python, file = #file, producer = "xgpu", isOptimized = false, emissionKind = Full, nameTableKind = None>
#pointer = #llvm.di_derived_type<tag = DW_TAG_pointer_type, name = "p", baseType = #int, sizeInBits = 64, dwarfAddressSpace = 1>
#member = #llvm.di_derived_type<tag = DW_TAG_member, name = "x", baseType = #int, sizeInBits = 32, offsetInBits = 32>
#struct = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "pair", file = #file, line = 4, sizeInBits = 64, elements = #member>
#range = #llvm.di_subrange<count = 8 : i64, lowerBound = 0 : i64>
#array = #llvm.di_composite_type<tag = DW_TAG_array_type, name = "v", baseType = #int, flags = Vector, elements = #range>
#string = #llvm.di_string_type<tag = DW_TAG_string_type, name = "s", sizeInBits = 128, encoding = DW_ATE_ASCII>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #null, #int, #pointer, #struct, #array, #string>
#space = #llvm.di_namespace<name = "kernels", exportSymbols = false>
#main = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #space, name = "main", linkageName = "main_", file = #file, line = 7, scopeLine = 8, subprogramFlags = "LocalToUnit|Definition|Optimized", type = #type>
#helper = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #unit, scope = #other, name = "helper", file = #other, line = 2, scopeLine = 2, subprogramFlags = Definition, type = #type>
#block = #llvm.di_lexical_block<scope = #main, file = #file, line = 9, column = 3>
#blockfile = #llvm.di_lexical_block_file<scope = #block, file = #other, discriminator = 3>
#a = #llvm.di_local_variable<scope = #main, name = "a", file = #file, line = 7, arg = 1, type = #int>
#b = #llvm.di_local_variable<scope = #blockfile, name = "b", file = #file, line = 10, alignInBits = 32, type = #pointer>
#label = #llvm.di_label<scope = #block, name = "again", file = #file, line = 11>
#global = #llvm.di_global_variable<scope = #unit, name = "g", linkageName = "g", file = #file, line = 1, type = #int, isLocalToUnit = false, isDefined = true, alignInBits = 8>
#expression = #llvm.di_global_variable_expression<var = #global, expr = <[DW_OP_deref, DW_OP_plus_uconst(4)]>>

llvm.mlir.global external @g(7 : i32) {dbg_exprs = [#expression]} : i32
llvm.func @callee(i32)
llvm.func @main(%x: i32, %p: !llvm.ptr) {
  llvm.intr.dbg.value #a = %x : i32 loc(fused<#main>["kernel.py":7:9])
  llvm.intr.dbg.declare #b #llvm.di_expression<[DW_OP_LLVM_fragment(0, 32)]> = %p : !llvm.ptr loc(fused<#block>["kernel.py":10:5])
  llvm.intr.dbg.label #label loc(fused<#block>["kernel.py":11:1])
  llvm.call @callee(%x) : (i32) -> () loc("kernel.py":12:5)
  llvm.call @callee(%x) : (i32) -> () loc(callsite(fused<#helper>["helper.py":3:7] at "kernel.py":13:5))
  llvm.call @callee(%x) : (i32) -> () loc(callsite("nowhere.py":3:7 at "kernel.py":14:5))
  llvm.call @callee(%x) : (i32) -> () loc(fused["kernel.py":15:5, "kernel.py":16:9])
  llvm.call @callee(%x) : (i32) -> () loc(fused["kernel.py":15:5, "kernel.py":15:9])
  llvm.call @callee(%x) : (i32) -> () loc("named"("kernel.py":17:2))
  llvm.call @callee(%x) : (i32) -> () loc("kernel.py":18:2 to 19:4)
  llvm.call @callee(%x) : (i32) -> () loc(unknown)
  llvm.return loc("kernel.py":20:1)
} loc(fused<#main>["kernel.py":7:1])

// -----

#file = #llvm.di_file<"list.c" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #file, isOptimized = true, emissionKind = LineTablesOnly, splitDebugFilename = "list.dwo">
#self = #llvm.di_composite_type<recId = distinct[1]<>, isRecSelf = true>
#next = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #self, sizeInBits = 64>
#field = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #next>
#node = #llvm.di_composite_type<tag = DW_TAG_structure_type, recId = distinct[1]<>, name = "node", file = #file, line = 3, elements = #field>
#type = #llvm.di_subroutine_type<types = #node>
#module = #llvm.di_module<file = #file, scope = #file, name = "lists", configMacros = "-DX", includePath = "/inc", isDecl = true>
#note = #llvm.di_annotation<name = "k", value = "v">
#walk = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #unit, scope = #module, name = "walk", file = #file, subprogramFlags = Definition, type = #type, annotations = #note>
llvm.func @walk() {
  llvm.return loc("list.c":5:1)
} loc(fused<#walk>["list.c":4:1])
