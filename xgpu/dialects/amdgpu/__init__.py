# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of the amdgpu dialect that reductions over a subgroup become."""
