# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector operations in terms of simpler ones: patterns for the greedy driver, a file a topic.

Tables of patterns are as `xgpu.core.rewriting.greedy` takes them.
Source: MLIR 22.1 lib/Dialect/Vector/Transforms/Lower*.cpp.
"""
