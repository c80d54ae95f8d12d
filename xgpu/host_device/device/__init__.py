# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device: a simulated GPU on the CPU.

A stream is an OS thread with a queue. A launch runs on its stream's thread and on as many
helpers as there are cores, all of them in native code with Python's lock released, so that
streams truly overlap.
"""
