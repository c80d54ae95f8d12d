# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm."""
def emitter(name):
    if name.startswith("nvvm.read.ptx.sreg."):
        def sreg(w, op):
            from xgpu.backend.llvm_ir.facts import prop
            from xgpu.backend.llvm_ir.attributes import constant_range
            r = prop(op, "range")
            rt = constant_range(r) + " " if r is not None else ""
            t = w.types(op.results[0].type)
            w.define(op.results[0], f"call {rt}{t} @llvm.{op.name}()")
        return sreg
