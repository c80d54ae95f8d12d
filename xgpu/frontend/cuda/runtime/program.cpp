// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into each program as its last part: it says where the program's managed variables are, and
// needs a function `main`.
extern "C" {
extern __attribute__((weak, visibility("hidden"))) char __start_xgpu_managed[];
extern __attribute__((weak, visibility("hidden"))) char __stop_xgpu_managed[];
void xgpuRegisterManaged(const char *start, const char *stop);
}

// After those that register what is in the parts before.
__attribute__((constructor)) static void register_managed() {
  if (__start_xgpu_managed) xgpuRegisterManaged(__start_xgpu_managed, __stop_xgpu_managed);
}

int the_main(int, char **, char **) __asm__("main");
__attribute__((used)) static int (*const needed)(int, char **, char **) = the_main;
