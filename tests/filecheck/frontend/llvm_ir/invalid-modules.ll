; RUN: not xgpu-translate --import-llvm --split-input-file %s 2>&1 | filecheck %s

; LLVM would end the process here, since there is debug information.
; CHECK: invalid-modules.ll:0:0: error: Entry block to function must not have predecessors!
define void @f() !dbg !3 {
a:
  br label %a, !dbg !4
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!2 = !DIFile(filename: "f.c", directory: "/")
!3 = distinct !DISubprogram(name: "f", scope: !2, file: !2, spFlags: DISPFlagDefinition, unit: !1)
!4 = !DILocation(line: 1, scope: !3)

; // -----

; CHECK: invalid-modules.ll:0:0: error: scope must have two or three operands; !1 = !{!2}
define void @f(ptr %p) {
  %v = load i32, ptr %p, !alias.scope !2
  ret void
}
!0 = !{!1}
!1 = distinct !{!1}
!2 = !{!0}

; // -----

; CHECK: invalid-modules.ll:{{[0-9]+}}:21: error: malformed specification
target datalayout = "p:64"

; // -----

; CHECK: invalid-modules.ll:0:0: warning: unhandled data layout token: v16:16
; CHECK: warning: unsupported module flag value for key 'x' : !1 = !{}
target datalayout = "e-v16:16"
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"x", !1}
!1 = !{}
