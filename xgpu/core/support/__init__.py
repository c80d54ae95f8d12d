# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What any room may use: it knows nothing of IR, and imports nothing of ours."""
