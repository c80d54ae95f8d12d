# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks on this machine without an MPI library: what they do together, matched and checked."""
