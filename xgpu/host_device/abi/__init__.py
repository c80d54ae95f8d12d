# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiled kernels, the native library, the device and the sanitizer agree on.

structs            records in memory that native code and Python share
sanitizer_records  those of the sanitizer
codes              numbers that native code and Python give one another
addresses          which addresses are whose
"""
