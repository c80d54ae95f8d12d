# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What everything stands on, and what a pass or a dialect of one's own needs.

ir         facts about IR and the ways to change it: errors, locations, symbols, effects,
           constants
ods        how an operation is defined: tables, classes, constraints, verifiers
syntax     reading and printing MLIR's text
rewriting  the rewriter, the greedy driver and the conversion driver
passes     what a pass is, pipelines, and the registry of all passes
support    caches, processes and the like, which know nothing of IR
"""
