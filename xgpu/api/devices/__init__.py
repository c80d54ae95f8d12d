# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What arrays, streams and launches need of a device, and the two devices that give it."""
