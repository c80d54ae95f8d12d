// A gpu.all_reduce that does not say `uniform` is refused where only some threads may come.
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm))" --split-input-file --verify-diagnostics

gpu.module @under_thread_id {
  gpu.func @kernel(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %t, %zero : index
    %v = memref.load %m[%t] : memref<64xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    // expected-error @below {{may be reached by only some threads of a block, and all of them have to take part; say `uniform` if they do}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @under_divergent_load {
  gpu.func @kernel(%m: memref<64xi1>, %o: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %c = memref.load %m[%t] : memref<64xi1>
    %v = memref.load %o[%t] : memref<64xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %o[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @in_a_divergent_loop {
  gpu.func @kernel(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %v = memref.load %m[%t] : memref<64xi32>
    cf.br ^head(%zero : index)
  ^head(%i: index):
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    %next = arith.addi %i, %one : index
    %c = arith.cmpi slt, %i, %t : index
    cf.cond_br %c, ^head(%next : index), ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @some_have_left {
  gpu.func @kernel(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %t, %zero : index
    cf.cond_br %c, ^leave, ^stay
  ^leave:
    gpu.return
  ^stay:
    %v = memref.load %m[%t] : memref<64xi32>
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    gpu.return
  }
}

// -----

// How many times the loop has run differs where it ends, and so does what it counted.
gpu.module @counted_apart {
  gpu.func @kernel(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %v = memref.load %m[%t] : memref<64xi32>
    cf.br ^head(%zero : index)
  ^head(%i: index):
    %next = arith.addi %i, %one : index
    %c = arith.cmpi slt, %i, %t : index
    cf.cond_br %c, ^head(%next : index), ^after
  ^after:
    %some = arith.cmpi eq, %next, %one : index
    cf.cond_br %some, ^then, ^end
  ^then:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @which_way {
  gpu.func @kernel(%m: memref<64xi32>, %x: i1, %y: i1) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %v = memref.load %m[%t] : memref<64xi32>
    %c = arith.cmpi eq, %t, %zero : index
    cf.cond_br %c, ^join(%x : i1), ^join(%y : i1)
  ^join(%which: i1):
    cf.cond_br %which, ^then, ^end
  ^then:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @private_memory {
  gpu.func @kernel(%m: memref<64xi32>, %b: index) private(%p: memref<4xi1, 5>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %m[%t] : memref<64xi32>
    %c = memref.load %p[%b] : memref<4xi1, 5>
    cf.cond_br %c, ^then, ^end
  ^then:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @no_kernel {
  gpu.func @function(%v: i32) -> i32 {
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    gpu.return %r : i32
  }
}

// -----

// A body that ends in no way that leads out.
gpu.module @endless {
  gpu.func @kernel(%m: memref<64xi32>, %c: i1) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %v = memref.load %m[%t] : memref<64xi32>
    %d = arith.cmpi eq, %t, %zero : index
    cf.cond_br %d, ^circle, ^end
  ^circle:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^circle
  ^end:
    gpu.return
  }
}

// -----

// The inner condition is the same for all, but only some get there.
gpu.module @nested {
  gpu.func @kernel(%m: memref<64xi32>, %c: i1) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %v = memref.load %m[%t] : memref<64xi32>
    %d = arith.cmpi eq, %t, %zero : index
    cf.cond_br %d, ^outer, ^end
  ^outer:
    cf.cond_br %c, ^inner, ^end
  ^inner:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

// Each thread has what it loaded when it left the loop.
gpu.module @loaded_last {
  gpu.func @kernel(%m: memref<64xi1>, %o: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %v = memref.load %o[%t] : memref<64xi32>
    cf.br ^loop
  ^loop:
    %last = memref.load %m[%b] : memref<64xi1>
    %again = memref.load %m[%t] : memref<64xi1>
    cf.cond_br %again, ^loop, ^after
  ^after:
    cf.cond_br %last, ^then, ^end
  ^then:
    // expected-error @below {{may be reached by only some threads}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %o[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
