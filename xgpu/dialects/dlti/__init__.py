# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dlti dialect: data layouts and target descriptions as attributes."""
