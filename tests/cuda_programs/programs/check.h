// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each program checks with: a failed check names its line, and the program ends with 1.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(CONDITION)                                                                        \
  do {                                                                                          \
    if (!(CONDITION)) {                                                                         \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #CONDITION);                   \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)
#define OK(CALL)                                                                                \
  do {                                                                                          \
    cudaError_t code_ = (CALL);                                                                 \
    if (code_ != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s is %s: %s\n", __FILE__, __LINE__, #CALL,                       \
              cudaGetErrorName(code_), cudaGetErrorString(code_));                              \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)
#define WRONG(CODE, CALL)                                                                       \
  do {                                                                                          \
    cudaError_t code_ = (CALL);                                                                 \
    if (code_ != CODE) {                                                                        \
      fprintf(stderr, "%s:%d: %s is %s, expected %s\n", __FILE__, __LINE__, #CALL,              \
              cudaGetErrorName(code_), #CODE);                                                  \
      exit(1);                                                                                  \
    }                                                                                           \
    cudaGetLastError();                                                                         \
  } while (0)
#define FAILS(CALL)                                                                             \
  do {                                                                                          \
    CHECK((CALL) != cudaSuccess);                                                               \
    cudaGetLastError();                                                                         \
  } while (0)
