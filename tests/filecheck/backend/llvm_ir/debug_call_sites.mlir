// RUN: xgpu-opt %s --ensure-debug-info-scope-on-llvm-func --mlir-print-debuginfo | xgpu-translate --mlir-to-llvmir | filecheck %s --match-full-lines

// An inlined instruction has the file of what was inlined, and is inlined at a line of its caller's.

module {
  llvm.func @use(i32) loc(unknown)

  llvm.func @inlined(%x: i32) {
    llvm.call @use(%x) : (i32) -> () loc(callsite("b.py":7:3 at "a.py":5:1))
    llvm.call @use(%x) : (i32) -> () loc(callsite(callsite("d.py":8:2 at "c.py":9:4) at "a.py":6:1))
    llvm.call @use(%x) : (i32) -> () loc("name"(callsite("a.py":3:3 at "a.py":7:1)))
    llvm.return loc("a.py":10:1)
  } loc("a.py":4:1)

  llvm.func @elsewhere(%x: i32) {
    llvm.call @use(%x) : (i32) -> () loc("e.py":11:5)
    llvm.return loc(unknown)
  } loc("a.py":20:1)
} loc("/src/module.mlir":1:1)

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: declare !dbg !3 void @use(i32)
// CHECK-EMPTY:
// CHECK-NEXT: define void @inlined(i32 %0) !dbg !6 {
// CHECK-NEXT:   call void @use(i32 %0), !dbg !8
// CHECK-NEXT:   call void @use(i32 %0), !dbg !12
// CHECK-NEXT:   call void @use(i32 %0), !dbg !18
// CHECK-NEXT:   ret void, !dbg !19
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: define void @elsewhere(i32 %0) !dbg !20 {
// CHECK-NEXT:   call void @use(i32 %0), !dbg !21
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.dbg.cu = !{!0}
// CHECK-NEXT: !llvm.module.flags = !{!2}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "MLIR", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
// CHECK-NEXT: !1 = !DIFile(filename: "module.mlir", directory: "/src")
// CHECK-NEXT: !2 = !{i32 2, !"Debug Info Version", i32 3}
// CHECK-NEXT: !3 = !DISubprogram(name: "use", linkageName: "use", scope: !1, file: !1, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagOptimized)
// CHECK-NEXT: !4 = !DISubroutineType(cc: DW_CC_normal, types: !5)
// CHECK-NEXT: !5 = !{}
// CHECK-NEXT: !6 = distinct !DISubprogram(name: "inlined", linkageName: "inlined", scope: !7, file: !7, line: 4, type: !4, scopeLine: 4, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
// CHECK-NEXT: !7 = !DIFile(filename: "a.py", directory: "")
// CHECK-NEXT: !8 = !DILocation(line: 7, column: 3, scope: !9, inlinedAt: !11)
// CHECK-NEXT: !9 = distinct !DILexicalBlockFile(scope: !6, file: !10, discriminator: 0)
// CHECK-NEXT: !10 = !DIFile(filename: "b.py", directory: "")
// CHECK-NEXT: !11 = !DILocation(line: 5, column: 1, scope: !6)
// CHECK-NEXT: !12 = !DILocation(line: 8, column: 2, scope: !13, inlinedAt: !17)
// CHECK-NEXT: !13 = distinct !DILexicalBlockFile(scope: !15, file: !14, discriminator: 0)
// CHECK-NEXT: !14 = !DIFile(filename: "d.py", directory: "")
// CHECK-NEXT: !15 = distinct !DILexicalBlockFile(scope: !6, file: !16, discriminator: 0)
// CHECK-NEXT: !16 = !DIFile(filename: "c.py", directory: "")
// CHECK-NEXT: !17 = !DILocation(line: 6, column: 1, scope: !6)
// CHECK-NEXT: !18 = !DILocation(line: 7, column: 1, scope: !6)
// CHECK-NEXT: !19 = !DILocation(line: 10, column: 1, scope: !6)
// CHECK-NEXT: !20 = distinct !DISubprogram(name: "elsewhere", linkageName: "elsewhere", scope: !7, file: !7, line: 20, type: !4, scopeLine: 20, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
// CHECK-NEXT: !21 = !DILocation(line: 11, column: 5, scope: !22)
// CHECK-NEXT: !22 = distinct !DILexicalBlockFile(scope: !20, file: !23, discriminator: 0)
// CHECK-NEXT: !23 = !DIFile(filename: "e.py", directory: "")
