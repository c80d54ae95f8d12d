# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products become kernels: plain loops over tiles, for `circular-buffer` to run ahead."""
