// RUN: not xgpu-opt --canonicalise 2>&1 | filecheck %s --check-prefix=FLAG
// RUN: not xgpu-opt --canonicalize=max-iteration=3 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not xgpu-opt --pass-pipeline=canonicalize 2>&1 | filecheck %s --check-prefix=ANCHOR
// RUN: not xgpu-opt "--pass-pipeline=builtin.module(gpu.module(csee))" 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not xgpu-opt "--pass-pipeline=builtin.module(gpu.module(cse)" 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: not xgpu-opt %t.missing 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not xgpu-opt %s -o %t/no/such/folder 2>&1 | filecheck %s --check-prefix=OUTPUT

// FLAG: unknown command line argument '--canonicalise', did you mean '--canonicalize'?
// OPTION: canonicalize: no such option max-iteration, did you mean 'max-iterations'?
// ANCHOR: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'
// PASS: 'csee' does not refer to a registered pass or pass pipeline, did you mean 'cse'?
// OPEN: 1:15: error: encountered unbalanced parentheses while parsing pipeline
// MISSING: cannot open input file '{{.*}}': No such file or directory
// OUTPUT: cannot open output file '{{.*}}': No such file or directory
