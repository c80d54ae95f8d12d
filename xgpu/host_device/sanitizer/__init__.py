# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer of the host device.

    instrument  passes that add calls to a kernel, for what it reads, writes and waits for
    reports     what the calls have found, in the words of the program

`xgpu.host_device.sanitizer.reports.monitor.Sanitizer` is what a device takes.
"""
