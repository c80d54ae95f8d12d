# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cuda device: an NVIDIA GPU through the driver API, as cuda-python binds it."""
