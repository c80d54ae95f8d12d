// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code of CUDA C++ expects, for clang's `-x cuda` without NVIDIA's toolkit.
#pragma once
#include <xgpu/types.h>
#include <xgpu/device.h>
#include <xgpu/math.h>
#include <xgpu/host.h>
