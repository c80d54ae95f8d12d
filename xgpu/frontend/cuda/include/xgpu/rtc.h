// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NVRTC has without a header: functions and types of C, and of namespace std those that its
// options --builtin-initializer-list and --builtin-move-forward name.
#pragma once
#include <assert.h>
#include <string.h>
#include <time.h>
#ifndef XGPU_NO_INITIALIZER_LIST
#include <initializer_list>
#endif
#ifndef XGPU_NO_MOVE_FORWARD
#if __has_include(<bits/move.h>)
#include <bits/move.h>  // <utility> has much more, which takes longer to read
#else
#include <utility>
#endif
#endif
