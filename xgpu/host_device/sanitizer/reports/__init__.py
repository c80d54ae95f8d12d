# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer of the host device: what is wrong with a program's memory and its order, found
while it runs, whatever the order in which it happens to run."""
