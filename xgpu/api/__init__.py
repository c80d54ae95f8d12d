# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The front for people with arrays: what `import xgpu` offers beside the compiler.

`load` makes a `Module` of a program; its kernels and functions take arrays of any library. What a
device must do for that is `devices.interface.Backend`, and nothing else in this package knows which
device it talks to.
"""
