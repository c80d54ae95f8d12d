# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's bytecode, version 6 of MLIR 22.1: reading (`reader`) and writing (`writer`).

A file is a header and sections: strings, dialects and operation names, attributes and types with
their sizes, operations, resources, properties. `encoding` has integers and sections, `builtin` and
`llvm` the attributes and types that have an encoding of their own, `properties` the inherent
attributes of operations, `numbering` the numbers by which operations refer to all of these.
"""
