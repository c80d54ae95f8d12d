# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--explore`: the IR after each pass, device code and runs as one HTML page."""
