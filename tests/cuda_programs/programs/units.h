// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
int *filled(int n, int value);
int sum_of(const int *x, int n);
void second_step(int *x, int n);
