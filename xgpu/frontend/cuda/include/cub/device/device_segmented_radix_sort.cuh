// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cub/xgpu_segments.cuh>
