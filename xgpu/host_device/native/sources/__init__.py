# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sources of the native library. `language` compiles them; nothing imports them to run them,
but to watch them at work (see `interpret`)."""
