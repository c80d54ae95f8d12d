# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How index values compare: linear inequalities that operations state of their values."""
