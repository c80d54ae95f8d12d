# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and host programs that tell the sanitizer what they do."""
