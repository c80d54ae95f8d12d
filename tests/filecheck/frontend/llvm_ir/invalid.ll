; RUN: xgpu-translate --import-llvm --split-input-file --verify-diagnostics %s

define void @f() {
  ; expected-error@+1 {{expected instruction opcode}}
  frobnicate i32 %x
}

; // -----

define i32 @f(i64 %x) {
  ; expected-error@+1 {{'%x' defined with type 'i64' but expected 'i32'}}
  ret i32 %x
}

; // -----

define void @f() personality ptr null {
  invoke void @f() to label %a unwind label %b
a:
  ret void
b:
  ; expected-error@+1 {{unhandled instruction}}
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
}

; // -----

define i64 @f(ptr %p) {
  ; expected-error@+1 {{unhandled instruction:   %a = ptrtoaddr ptr %p to i64}}
  %a = ptrtoaddr ptr %p to i64
  ret i64 %a
}

; // -----

declare void @g()
; expected-error@+1 {{unhandled constant in: @x = global ptr no_cfi @g since no_cfi is unsupported}}
@x = global ptr no_cfi @g

; // -----

define void @f(ptr %p) {
  ; expected-error@+1 {{use of undefined metadata '!0'}}
  %v = load i32, ptr %p, !tbaa !0
  ret void
}

; // -----

; expected-error@+1 {{unreachable block 'a' with address taken}}
define void @f(i1 %c) {
  br i1 %c, label %b, label %b
a:
  ret void
b:
  store ptr blockaddress(@f, %a), ptr null
  ret void
}
