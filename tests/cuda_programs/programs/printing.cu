// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels and the host print comes in the order of the program.
#include <iostream>

#include "check.h"

__global__ void speak(int step) {
  if (threadIdx.x == 0) printf("device %d of %s, %.2f\n", step, "three", step / 4.0);
}

struct Last {
  ~Last() { puts("destructor"); }
} last;

int main() {
  printf("host 0\n");
  for (int i = 1; i <= 3; ++i) {
    speak<<<1, 32>>>(i);
    OK(cudaDeviceSynchronize());
    if (i == 2) std::cout << "host " << i << std::endl;
    else printf("host %d\n", i);
  }
  exit(3);
}
