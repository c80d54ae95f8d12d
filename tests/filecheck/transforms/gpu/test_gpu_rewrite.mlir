// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib --test-gpu-rewrite --split-input-file %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @global_ids {
// CHECK-NEXT:     gpu.func @f(%arg0: memref<?xindex>) kernel {
// CHECK-NEXT:       %block_id_x = gpu.block_id  x
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %0 = arith.muli %block_id_x, %block_dim_x : index
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %1 = arith.addi %thread_id_x, %0 : index
// CHECK-NEXT:       %block_id_y = gpu.block_id  y
// CHECK-NEXT:       %block_dim_y = gpu.block_dim  y
// CHECK-NEXT:       %2 = arith.muli %block_id_y, %block_dim_y : index
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %3 = arith.addi %thread_id_y, %2 : index
// CHECK-NEXT:       %block_id_z = gpu.block_id  z
// CHECK-NEXT:       %block_dim_z = gpu.block_dim  z
// CHECK-NEXT:       %4 = arith.muli %block_id_z, %block_dim_z : index
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %5 = arith.addi %thread_id_z, %4 : index
// CHECK-NEXT:       %6 = arith.addi %1, %3 : index
// CHECK-NEXT:       memref.store %6, %arg0[%5] : memref<?xindex>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @global_ids {
  gpu.func @f(%m: memref<?xindex>) kernel {
    %0 = gpu.global_id x
    %1 = gpu.global_id y
    %2 = gpu.global_id z
    %sum = arith.addi %0, %1 : index
    memref.store %sum, %m[%2] : memref<?xindex>
    gpu.return
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   gpu.module @subgroup_ids {
// CHECK-NEXT:     gpu.func @f(%arg0: memref<?xindex>) kernel {
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %block_dim_y = gpu.block_dim  y
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %0 = arith.muli %block_dim_y, %thread_id_z : index
// CHECK-NEXT:       %1 = arith.addi %0, %thread_id_y : index
// CHECK-NEXT:       %2 = arith.muli %block_dim_x, %1 : index
// CHECK-NEXT:       %3 = arith.addi %thread_id_x, %2 : index
// CHECK-NEXT:       %4 = gpu.subgroup_size : index
// CHECK-NEXT:       %5 = arith.divui %3, %4 : index
// CHECK-NEXT:       memref.store %5, %arg0[%5] : memref<?xindex>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @subgroup_ids {
  gpu.func @f(%m: memref<?xindex>) kernel {
    %0 = gpu.subgroup_id : index
    memref.store %0, %m[%0] : memref<?xindex>
    gpu.return
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   gpu.module @shuffles {
// CHECK-NEXT:     gpu.func @f(%arg0: i64, %arg1: f64, %arg2: i32, %arg3: i32) -> (i64, i1, f64, i1, i32, i1) {
// CHECK-NEXT:       %c32_i64 = arith.constant 32 : i64
// CHECK-NEXT:       %0 = arith.trunci %arg0 : i64 to i32
// CHECK-NEXT:       %1 = arith.shrui %arg0, %c32_i64 : i64
// CHECK-NEXT:       %2 = arith.trunci %1 : i64 to i32
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %0, %arg2, %arg3 : i32
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %2, %arg2, %arg3 : i32
// CHECK-NEXT:       %3 = arith.extui %shuffleResult : i32 to i64
// CHECK-NEXT:       %4 = arith.extui %shuffleResult_0 : i32 to i64
// CHECK-NEXT:       %5 = arith.shli %4, %c32_i64 : i64
// CHECK-NEXT:       %6 = arith.ori %5, %3 : i64
// CHECK-NEXT:       %7 = arith.andi %valid, %valid_1 : i1
// CHECK-NEXT:       %8 = arith.bitcast %arg1 : f64 to i64
// CHECK-NEXT:       %9 = arith.trunci %8 : i64 to i32
// CHECK-NEXT:       %10 = arith.shrui %8, %c32_i64 : i64
// CHECK-NEXT:       %11 = arith.trunci %10 : i64 to i32
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  idx %9, %arg2, %arg3 : i32
// CHECK-NEXT:       %shuffleResult_4, %valid_5 = gpu.shuffle  idx %11, %arg2, %arg3 : i32
// CHECK-NEXT:       %12 = arith.extui %shuffleResult_2 : i32 to i64
// CHECK-NEXT:       %13 = arith.extui %shuffleResult_4 : i32 to i64
// CHECK-NEXT:       %14 = arith.shli %13, %c32_i64 : i64
// CHECK-NEXT:       %15 = arith.ori %14, %12 : i64
// CHECK-NEXT:       %16 = arith.bitcast %15 : i64 to f64
// CHECK-NEXT:       %17 = arith.andi %valid_3, %valid_5 : i1
// CHECK-NEXT:       %shuffleResult_6, %valid_7 = gpu.shuffle  down %arg2, %arg2, %arg3 : i32
// CHECK-NEXT:       gpu.return %6, %7, %16, %17, %shuffleResult_6, %valid_7 : i64, i1, f64, i1, i32, i1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @shuffles {
  gpu.func @f(%l: i64, %d: f64, %i: i32, %width: i32) -> (i64, i1, f64, i1, i32, i1) {
    %0, %v0 = gpu.shuffle xor %l, %i, %width : i64
    %1, %v1 = gpu.shuffle idx %d, %i, %width : f64
    %2, %v2 = gpu.shuffle down %i, %i, %width : i32
    gpu.return %0, %v0, %1, %v1, %2, %v2 : i64, i1, f64, i1, i32, i1
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   gpu.module @all_reduce {
// CHECK-NEXT:     gpu.func @add(%arg0: f32) -> f32 workgroup(%arg1 : memref<32xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:       %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       %c31_i32 = arith.constant 31 : i32
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %0 = arith.index_cast %block_dim_x : index to i32
// CHECK-NEXT:       %block_dim_y = gpu.block_dim  y
// CHECK-NEXT:       %1 = arith.index_cast %block_dim_y : index to i32
// CHECK-NEXT:       %block_dim_z = gpu.block_dim  z
// CHECK-NEXT:       %2 = arith.index_cast %block_dim_z : index to i32
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %3 = arith.index_cast %thread_id_x : index to i32
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %4 = arith.index_cast %thread_id_y : index to i32
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %5 = arith.index_cast %thread_id_z : index to i32
// CHECK-NEXT:       %6 = arith.muli %5, %1 : i32
// CHECK-NEXT:       %7 = arith.addi %6, %4 : i32
// CHECK-NEXT:       %8 = arith.muli %7, %0 : i32
// CHECK-NEXT:       %9 = arith.muli %0, %1 : i32
// CHECK-NEXT:       %10 = arith.addi %8, %3 : i32
// CHECK-NEXT:       %11 = arith.muli %9, %2 : i32
// CHECK-NEXT:       %12 = arith.andi %10, %c31_i32 : i32
// CHECK-NEXT:       %13 = arith.cmpi eq, %12, %c0_i32 : i32
// CHECK-NEXT:       %14 = arith.subi %10, %12 : i32
// CHECK-NEXT:       %15 = arith.subi %11, %14 : i32
// CHECK-NEXT:       %16 = arith.cmpi slt, %15, %c32_i32 : i32
// CHECK-NEXT:       cf.cond_br %16, ^bb1, ^bb17
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %arg0, %c1_i32, %15 : f32
// CHECK-NEXT:       cf.cond_br %valid, ^bb2, ^bb3
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %17 = arith.addf %arg0, %shuffleResult : f32
// CHECK-NEXT:       cf.br ^bb4(%17 : f32)
// CHECK-NEXT:     ^bb3:  // pred: ^bb1
// CHECK-NEXT:       cf.br ^bb4(%arg0 : f32)
// CHECK-NEXT:     ^bb4(%18: f32):  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %18, %c2_i32, %15 : f32
// CHECK-NEXT:       cf.cond_br %valid_1, ^bb5, ^bb6
// CHECK-NEXT:     ^bb5:  // pred: ^bb4
// CHECK-NEXT:       %19 = arith.addf %18, %shuffleResult_0 : f32
// CHECK-NEXT:       cf.br ^bb7(%19 : f32)
// CHECK-NEXT:     ^bb6:  // pred: ^bb4
// CHECK-NEXT:       cf.br ^bb7(%18 : f32)
// CHECK-NEXT:     ^bb7(%20: f32):  // 2 preds: ^bb5, ^bb6
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  xor %20, %c4_i32, %15 : f32
// CHECK-NEXT:       cf.cond_br %valid_3, ^bb8, ^bb9
// CHECK-NEXT:     ^bb8:  // pred: ^bb7
// CHECK-NEXT:       %21 = arith.addf %20, %shuffleResult_2 : f32
// CHECK-NEXT:       cf.br ^bb10(%21 : f32)
// CHECK-NEXT:     ^bb9:  // pred: ^bb7
// CHECK-NEXT:       cf.br ^bb10(%20 : f32)
// CHECK-NEXT:     ^bb10(%22: f32):  // 2 preds: ^bb8, ^bb9
// CHECK-NEXT:       %shuffleResult_4, %valid_5 = gpu.shuffle  xor %22, %c8_i32, %15 : f32
// CHECK-NEXT:       cf.cond_br %valid_5, ^bb11, ^bb12
// CHECK-NEXT:     ^bb11:  // pred: ^bb10
// CHECK-NEXT:       %23 = arith.addf %22, %shuffleResult_4 : f32
// CHECK-NEXT:       cf.br ^bb13(%23 : f32)
// CHECK-NEXT:     ^bb12:  // pred: ^bb10
// CHECK-NEXT:       cf.br ^bb13(%22 : f32)
// CHECK-NEXT:     ^bb13(%24: f32):  // 2 preds: ^bb11, ^bb12
// CHECK-NEXT:       %shuffleResult_6, %valid_7 = gpu.shuffle  xor %24, %c16_i32, %15 : f32
// CHECK-NEXT:       cf.cond_br %valid_7, ^bb14, ^bb15
// CHECK-NEXT:     ^bb14:  // pred: ^bb13
// CHECK-NEXT:       %25 = arith.addf %24, %shuffleResult_6 : f32
// CHECK-NEXT:       cf.br ^bb16(%25 : f32)
// CHECK-NEXT:     ^bb15:  // pred: ^bb13
// CHECK-NEXT:       cf.br ^bb16(%24 : f32)
// CHECK-NEXT:     ^bb16(%26: f32):  // 2 preds: ^bb14, ^bb15
// CHECK-NEXT:       cf.br ^bb18(%26 : f32)
// CHECK-NEXT:     ^bb17:  // pred: ^bb0
// CHECK-NEXT:       %shuffleResult_8, %valid_9 = gpu.shuffle  xor %arg0, %c1_i32, %c32_i32 : f32
// CHECK-NEXT:       %27 = arith.addf %arg0, %shuffleResult_8 : f32
// CHECK-NEXT:       %shuffleResult_10, %valid_11 = gpu.shuffle  xor %27, %c2_i32, %c32_i32 : f32
// CHECK-NEXT:       %28 = arith.addf %27, %shuffleResult_10 : f32
// CHECK-NEXT:       %shuffleResult_12, %valid_13 = gpu.shuffle  xor %28, %c4_i32, %c32_i32 : f32
// CHECK-NEXT:       %29 = arith.addf %28, %shuffleResult_12 : f32
// CHECK-NEXT:       %shuffleResult_14, %valid_15 = gpu.shuffle  xor %29, %c8_i32, %c32_i32 : f32
// CHECK-NEXT:       %30 = arith.addf %29, %shuffleResult_14 : f32
// CHECK-NEXT:       %shuffleResult_16, %valid_17 = gpu.shuffle  xor %30, %c16_i32, %c32_i32 : f32
// CHECK-NEXT:       %31 = arith.addf %30, %shuffleResult_16 : f32
// CHECK-NEXT:       cf.br ^bb18(%31 : f32)
// CHECK-NEXT:     ^bb18(%32: f32):  // 2 preds: ^bb16, ^bb17
// CHECK-NEXT:       cf.cond_br %13, ^bb19, ^bb20
// CHECK-NEXT:     ^bb19:  // pred: ^bb18
// CHECK-NEXT:       %33 = arith.divsi %10, %c32_i32 : i32
// CHECK-NEXT:       %34 = arith.index_cast %33 : i32 to index
// CHECK-NEXT:       memref.store %32, %arg1[%34] : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       cf.br ^bb21
// CHECK-NEXT:     ^bb20:  // pred: ^bb18
// CHECK-NEXT:       cf.br ^bb21
// CHECK-NEXT:     ^bb21:  // 2 preds: ^bb19, ^bb20
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %35 = arith.addi %11, %c31_i32 : i32
// CHECK-NEXT:       %36 = arith.divsi %35, %c32_i32 : i32
// CHECK-NEXT:       %37 = arith.cmpi slt, %10, %36 : i32
// CHECK-NEXT:       cf.cond_br %37, ^bb22, ^bb41
// CHECK-NEXT:     ^bb22:  // pred: ^bb21
// CHECK-NEXT:       %38 = arith.index_cast %10 : i32 to index
// CHECK-NEXT:       %39 = memref.load %arg1[%38] : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %40 = arith.cmpi slt, %36, %c32_i32 : i32
// CHECK-NEXT:       cf.cond_br %40, ^bb23, ^bb39
// CHECK-NEXT:     ^bb23:  // pred: ^bb22
// CHECK-NEXT:       %shuffleResult_18, %valid_19 = gpu.shuffle  xor %39, %c1_i32, %36 : f32
// CHECK-NEXT:       cf.cond_br %valid_19, ^bb24, ^bb25
// CHECK-NEXT:     ^bb24:  // pred: ^bb23
// CHECK-NEXT:       %41 = arith.addf %39, %shuffleResult_18 : f32
// CHECK-NEXT:       cf.br ^bb26(%41 : f32)
// CHECK-NEXT:     ^bb25:  // pred: ^bb23
// CHECK-NEXT:       cf.br ^bb26(%39 : f32)
// CHECK-NEXT:     ^bb26(%42: f32):  // 2 preds: ^bb24, ^bb25
// CHECK-NEXT:       %shuffleResult_20, %valid_21 = gpu.shuffle  xor %42, %c2_i32, %36 : f32
// CHECK-NEXT:       cf.cond_br %valid_21, ^bb27, ^bb28
// CHECK-NEXT:     ^bb27:  // pred: ^bb26
// CHECK-NEXT:       %43 = arith.addf %42, %shuffleResult_20 : f32
// CHECK-NEXT:       cf.br ^bb29(%43 : f32)
// CHECK-NEXT:     ^bb28:  // pred: ^bb26
// CHECK-NEXT:       cf.br ^bb29(%42 : f32)
// CHECK-NEXT:     ^bb29(%44: f32):  // 2 preds: ^bb27, ^bb28
// CHECK-NEXT:       %shuffleResult_22, %valid_23 = gpu.shuffle  xor %44, %c4_i32, %36 : f32
// CHECK-NEXT:       cf.cond_br %valid_23, ^bb30, ^bb31
// CHECK-NEXT:     ^bb30:  // pred: ^bb29
// CHECK-NEXT:       %45 = arith.addf %44, %shuffleResult_22 : f32
// CHECK-NEXT:       cf.br ^bb32(%45 : f32)
// CHECK-NEXT:     ^bb31:  // pred: ^bb29
// CHECK-NEXT:       cf.br ^bb32(%44 : f32)
// CHECK-NEXT:     ^bb32(%46: f32):  // 2 preds: ^bb30, ^bb31
// CHECK-NEXT:       %shuffleResult_24, %valid_25 = gpu.shuffle  xor %46, %c8_i32, %36 : f32
// CHECK-NEXT:       cf.cond_br %valid_25, ^bb33, ^bb34
// CHECK-NEXT:     ^bb33:  // pred: ^bb32
// CHECK-NEXT:       %47 = arith.addf %46, %shuffleResult_24 : f32
// CHECK-NEXT:       cf.br ^bb35(%47 : f32)
// CHECK-NEXT:     ^bb34:  // pred: ^bb32
// CHECK-NEXT:       cf.br ^bb35(%46 : f32)
// CHECK-NEXT:     ^bb35(%48: f32):  // 2 preds: ^bb33, ^bb34
// CHECK-NEXT:       %shuffleResult_26, %valid_27 = gpu.shuffle  xor %48, %c16_i32, %36 : f32
// CHECK-NEXT:       cf.cond_br %valid_27, ^bb36, ^bb37
// CHECK-NEXT:     ^bb36:  // pred: ^bb35
// CHECK-NEXT:       %49 = arith.addf %48, %shuffleResult_26 : f32
// CHECK-NEXT:       cf.br ^bb38(%49 : f32)
// CHECK-NEXT:     ^bb37:  // pred: ^bb35
// CHECK-NEXT:       cf.br ^bb38(%48 : f32)
// CHECK-NEXT:     ^bb38(%50: f32):  // 2 preds: ^bb36, ^bb37
// CHECK-NEXT:       cf.br ^bb40(%50 : f32)
// CHECK-NEXT:     ^bb39:  // pred: ^bb22
// CHECK-NEXT:       %shuffleResult_28, %valid_29 = gpu.shuffle  xor %39, %c1_i32, %c32_i32 : f32
// CHECK-NEXT:       %51 = arith.addf %39, %shuffleResult_28 : f32
// CHECK-NEXT:       %shuffleResult_30, %valid_31 = gpu.shuffle  xor %51, %c2_i32, %c32_i32 : f32
// CHECK-NEXT:       %52 = arith.addf %51, %shuffleResult_30 : f32
// CHECK-NEXT:       %shuffleResult_32, %valid_33 = gpu.shuffle  xor %52, %c4_i32, %c32_i32 : f32
// CHECK-NEXT:       %53 = arith.addf %52, %shuffleResult_32 : f32
// CHECK-NEXT:       %shuffleResult_34, %valid_35 = gpu.shuffle  xor %53, %c8_i32, %c32_i32 : f32
// CHECK-NEXT:       %54 = arith.addf %53, %shuffleResult_34 : f32
// CHECK-NEXT:       %shuffleResult_36, %valid_37 = gpu.shuffle  xor %54, %c16_i32, %c32_i32 : f32
// CHECK-NEXT:       %55 = arith.addf %54, %shuffleResult_36 : f32
// CHECK-NEXT:       cf.br ^bb40(%55 : f32)
// CHECK-NEXT:     ^bb40(%56: f32):  // 2 preds: ^bb38, ^bb39
// CHECK-NEXT:       memref.store %56, %arg1[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       cf.br ^bb42
// CHECK-NEXT:     ^bb41:  // pred: ^bb21
// CHECK-NEXT:       cf.br ^bb42
// CHECK-NEXT:     ^bb42:  // 2 preds: ^bb40, ^bb41
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %57 = memref.load %arg1[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       gpu.return %57 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @all_reduce {
  gpu.func @add(%x: f32) -> f32 {
    %0 = gpu.all_reduce add %x uniform {} : (f32) -> f32
    gpu.return %0 : f32
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   gpu.module @all_reduce_region {
// CHECK-NEXT:     gpu.func @region(%arg0: i32) -> i32 workgroup(%arg1 : memref<32xi32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:       %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       %c31_i32 = arith.constant 31 : i32
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %0 = arith.index_cast %block_dim_x : index to i32
// CHECK-NEXT:       %block_dim_y = gpu.block_dim  y
// CHECK-NEXT:       %1 = arith.index_cast %block_dim_y : index to i32
// CHECK-NEXT:       %block_dim_z = gpu.block_dim  z
// CHECK-NEXT:       %2 = arith.index_cast %block_dim_z : index to i32
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %3 = arith.index_cast %thread_id_x : index to i32
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %4 = arith.index_cast %thread_id_y : index to i32
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %5 = arith.index_cast %thread_id_z : index to i32
// CHECK-NEXT:       %6 = arith.muli %5, %1 : i32
// CHECK-NEXT:       %7 = arith.addi %6, %4 : i32
// CHECK-NEXT:       %8 = arith.muli %7, %0 : i32
// CHECK-NEXT:       %9 = arith.muli %0, %1 : i32
// CHECK-NEXT:       %10 = arith.addi %8, %3 : i32
// CHECK-NEXT:       %11 = arith.muli %9, %2 : i32
// CHECK-NEXT:       %12 = arith.andi %10, %c31_i32 : i32
// CHECK-NEXT:       %13 = arith.cmpi eq, %12, %c0_i32 : i32
// CHECK-NEXT:       %14 = arith.subi %10, %12 : i32
// CHECK-NEXT:       %15 = arith.subi %11, %14 : i32
// CHECK-NEXT:       %16 = arith.cmpi slt, %15, %c32_i32 : i32
// CHECK-NEXT:       cf.cond_br %16, ^bb1, ^bb22
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  xor %arg0, %c1_i32, %15 : i32
// CHECK-NEXT:       cf.cond_br %valid, ^bb2, ^bb4(%arg0 : i32)
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       cf.br ^bb3
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       %17 = arith.maxsi %arg0, %shuffleResult : i32
// CHECK-NEXT:       cf.br ^bb4(%17 : i32)
// CHECK-NEXT:     ^bb4(%18: i32):  // 2 preds: ^bb1, ^bb3
// CHECK-NEXT:       cf.br ^bb5
// CHECK-NEXT:     ^bb5:  // pred: ^bb4
// CHECK-NEXT:       %shuffleResult_0, %valid_1 = gpu.shuffle  xor %18, %c2_i32, %15 : i32
// CHECK-NEXT:       cf.cond_br %valid_1, ^bb6, ^bb8(%18 : i32)
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       cf.br ^bb7
// CHECK-NEXT:     ^bb7:  // pred: ^bb6
// CHECK-NEXT:       %19 = arith.maxsi %18, %shuffleResult_0 : i32
// CHECK-NEXT:       cf.br ^bb8(%19 : i32)
// CHECK-NEXT:     ^bb8(%20: i32):  // 2 preds: ^bb5, ^bb7
// CHECK-NEXT:       cf.br ^bb9
// CHECK-NEXT:     ^bb9:  // pred: ^bb8
// CHECK-NEXT:       %shuffleResult_2, %valid_3 = gpu.shuffle  xor %20, %c4_i32, %15 : i32
// CHECK-NEXT:       cf.cond_br %valid_3, ^bb10, ^bb12(%20 : i32)
// CHECK-NEXT:     ^bb10:  // pred: ^bb9
// CHECK-NEXT:       cf.br ^bb11
// CHECK-NEXT:     ^bb11:  // pred: ^bb10
// CHECK-NEXT:       %21 = arith.maxsi %20, %shuffleResult_2 : i32
// CHECK-NEXT:       cf.br ^bb12(%21 : i32)
// CHECK-NEXT:     ^bb12(%22: i32):  // 2 preds: ^bb9, ^bb11
// CHECK-NEXT:       cf.br ^bb13
// CHECK-NEXT:     ^bb13:  // pred: ^bb12
// CHECK-NEXT:       %shuffleResult_4, %valid_5 = gpu.shuffle  xor %22, %c8_i32, %15 : i32
// CHECK-NEXT:       cf.cond_br %valid_5, ^bb14, ^bb16(%22 : i32)
// CHECK-NEXT:     ^bb14:  // pred: ^bb13
// CHECK-NEXT:       cf.br ^bb15
// CHECK-NEXT:     ^bb15:  // pred: ^bb14
// CHECK-NEXT:       %23 = arith.maxsi %22, %shuffleResult_4 : i32
// CHECK-NEXT:       cf.br ^bb16(%23 : i32)
// CHECK-NEXT:     ^bb16(%24: i32):  // 2 preds: ^bb13, ^bb15
// CHECK-NEXT:       cf.br ^bb17
// CHECK-NEXT:     ^bb17:  // pred: ^bb16
// CHECK-NEXT:       %shuffleResult_6, %valid_7 = gpu.shuffle  xor %24, %c16_i32, %15 : i32
// CHECK-NEXT:       cf.cond_br %valid_7, ^bb18, ^bb20(%24 : i32)
// CHECK-NEXT:     ^bb18:  // pred: ^bb17
// CHECK-NEXT:       cf.br ^bb19
// CHECK-NEXT:     ^bb19:  // pred: ^bb18
// CHECK-NEXT:       %25 = arith.maxsi %24, %shuffleResult_6 : i32
// CHECK-NEXT:       cf.br ^bb20(%25 : i32)
// CHECK-NEXT:     ^bb20(%26: i32):  // 2 preds: ^bb17, ^bb19
// CHECK-NEXT:       cf.br ^bb21(%26 : i32)
// CHECK-NEXT:     ^bb21(%27: i32):  // 2 preds: ^bb20, ^bb31
// CHECK-NEXT:       cf.br ^bb32
// CHECK-NEXT:     ^bb22:  // pred: ^bb0
// CHECK-NEXT:       %shuffleResult_8, %valid_9 = gpu.shuffle  xor %arg0, %c1_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb23
// CHECK-NEXT:     ^bb23:  // pred: ^bb22
// CHECK-NEXT:       %28 = arith.maxsi %arg0, %shuffleResult_8 : i32
// CHECK-NEXT:       cf.br ^bb24
// CHECK-NEXT:     ^bb24:  // pred: ^bb23
// CHECK-NEXT:       %shuffleResult_10, %valid_11 = gpu.shuffle  xor %28, %c2_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb25
// CHECK-NEXT:     ^bb25:  // pred: ^bb24
// CHECK-NEXT:       %29 = arith.maxsi %28, %shuffleResult_10 : i32
// CHECK-NEXT:       cf.br ^bb26
// CHECK-NEXT:     ^bb26:  // pred: ^bb25
// CHECK-NEXT:       %shuffleResult_12, %valid_13 = gpu.shuffle  xor %29, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb27
// CHECK-NEXT:     ^bb27:  // pred: ^bb26
// CHECK-NEXT:       %30 = arith.maxsi %29, %shuffleResult_12 : i32
// CHECK-NEXT:       cf.br ^bb28
// CHECK-NEXT:     ^bb28:  // pred: ^bb27
// CHECK-NEXT:       %shuffleResult_14, %valid_15 = gpu.shuffle  xor %30, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb29
// CHECK-NEXT:     ^bb29:  // pred: ^bb28
// CHECK-NEXT:       %31 = arith.maxsi %30, %shuffleResult_14 : i32
// CHECK-NEXT:       cf.br ^bb30
// CHECK-NEXT:     ^bb30:  // pred: ^bb29
// CHECK-NEXT:       %shuffleResult_16, %valid_17 = gpu.shuffle  xor %31, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb31
// CHECK-NEXT:     ^bb31:  // pred: ^bb30
// CHECK-NEXT:       %32 = arith.maxsi %31, %shuffleResult_16 : i32
// CHECK-NEXT:       cf.br ^bb21(%32 : i32)
// CHECK-NEXT:     ^bb32:  // pred: ^bb21
// CHECK-NEXT:       cf.cond_br %13, ^bb33, ^bb34
// CHECK-NEXT:     ^bb33:  // pred: ^bb32
// CHECK-NEXT:       %33 = arith.divsi %10, %c32_i32 : i32
// CHECK-NEXT:       %34 = arith.index_cast %33 : i32 to index
// CHECK-NEXT:       memref.store %27, %arg1[%34] : memref<32xi32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       cf.br ^bb35
// CHECK-NEXT:     ^bb34:  // pred: ^bb32
// CHECK-NEXT:       cf.br ^bb35
// CHECK-NEXT:     ^bb35:  // 2 preds: ^bb33, ^bb34
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %35 = arith.addi %11, %c31_i32 : i32
// CHECK-NEXT:       %36 = arith.divsi %35, %c32_i32 : i32
// CHECK-NEXT:       %37 = arith.cmpi slt, %10, %36 : i32
// CHECK-NEXT:       cf.cond_br %37, ^bb36, ^bb69
// CHECK-NEXT:     ^bb36:  // pred: ^bb35
// CHECK-NEXT:       %38 = arith.index_cast %10 : i32 to index
// CHECK-NEXT:       %39 = memref.load %arg1[%38] : memref<32xi32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %40 = arith.cmpi slt, %36, %c32_i32 : i32
// CHECK-NEXT:       cf.cond_br %40, ^bb37, ^bb58
// CHECK-NEXT:     ^bb37:  // pred: ^bb36
// CHECK-NEXT:       %shuffleResult_18, %valid_19 = gpu.shuffle  xor %39, %c1_i32, %36 : i32
// CHECK-NEXT:       cf.cond_br %valid_19, ^bb38, ^bb40(%39 : i32)
// CHECK-NEXT:     ^bb38:  // pred: ^bb37
// CHECK-NEXT:       cf.br ^bb39
// CHECK-NEXT:     ^bb39:  // pred: ^bb38
// CHECK-NEXT:       %41 = arith.maxsi %39, %shuffleResult_18 : i32
// CHECK-NEXT:       cf.br ^bb40(%41 : i32)
// CHECK-NEXT:     ^bb40(%42: i32):  // 2 preds: ^bb37, ^bb39
// CHECK-NEXT:       cf.br ^bb41
// CHECK-NEXT:     ^bb41:  // pred: ^bb40
// CHECK-NEXT:       %shuffleResult_20, %valid_21 = gpu.shuffle  xor %42, %c2_i32, %36 : i32
// CHECK-NEXT:       cf.cond_br %valid_21, ^bb42, ^bb44(%42 : i32)
// CHECK-NEXT:     ^bb42:  // pred: ^bb41
// CHECK-NEXT:       cf.br ^bb43
// CHECK-NEXT:     ^bb43:  // pred: ^bb42
// CHECK-NEXT:       %43 = arith.maxsi %42, %shuffleResult_20 : i32
// CHECK-NEXT:       cf.br ^bb44(%43 : i32)
// CHECK-NEXT:     ^bb44(%44: i32):  // 2 preds: ^bb41, ^bb43
// CHECK-NEXT:       cf.br ^bb45
// CHECK-NEXT:     ^bb45:  // pred: ^bb44
// CHECK-NEXT:       %shuffleResult_22, %valid_23 = gpu.shuffle  xor %44, %c4_i32, %36 : i32
// CHECK-NEXT:       cf.cond_br %valid_23, ^bb46, ^bb48(%44 : i32)
// CHECK-NEXT:     ^bb46:  // pred: ^bb45
// CHECK-NEXT:       cf.br ^bb47
// CHECK-NEXT:     ^bb47:  // pred: ^bb46
// CHECK-NEXT:       %45 = arith.maxsi %44, %shuffleResult_22 : i32
// CHECK-NEXT:       cf.br ^bb48(%45 : i32)
// CHECK-NEXT:     ^bb48(%46: i32):  // 2 preds: ^bb45, ^bb47
// CHECK-NEXT:       cf.br ^bb49
// CHECK-NEXT:     ^bb49:  // pred: ^bb48
// CHECK-NEXT:       %shuffleResult_24, %valid_25 = gpu.shuffle  xor %46, %c8_i32, %36 : i32
// CHECK-NEXT:       cf.cond_br %valid_25, ^bb50, ^bb52(%46 : i32)
// CHECK-NEXT:     ^bb50:  // pred: ^bb49
// CHECK-NEXT:       cf.br ^bb51
// CHECK-NEXT:     ^bb51:  // pred: ^bb50
// CHECK-NEXT:       %47 = arith.maxsi %46, %shuffleResult_24 : i32
// CHECK-NEXT:       cf.br ^bb52(%47 : i32)
// CHECK-NEXT:     ^bb52(%48: i32):  // 2 preds: ^bb49, ^bb51
// CHECK-NEXT:       cf.br ^bb53
// CHECK-NEXT:     ^bb53:  // pred: ^bb52
// CHECK-NEXT:       %shuffleResult_26, %valid_27 = gpu.shuffle  xor %48, %c16_i32, %36 : i32
// CHECK-NEXT:       cf.cond_br %valid_27, ^bb54, ^bb56(%48 : i32)
// CHECK-NEXT:     ^bb54:  // pred: ^bb53
// CHECK-NEXT:       cf.br ^bb55
// CHECK-NEXT:     ^bb55:  // pred: ^bb54
// CHECK-NEXT:       %49 = arith.maxsi %48, %shuffleResult_26 : i32
// CHECK-NEXT:       cf.br ^bb56(%49 : i32)
// CHECK-NEXT:     ^bb56(%50: i32):  // 2 preds: ^bb53, ^bb55
// CHECK-NEXT:       cf.br ^bb57(%50 : i32)
// CHECK-NEXT:     ^bb57(%51: i32):  // 2 preds: ^bb56, ^bb67
// CHECK-NEXT:       cf.br ^bb68
// CHECK-NEXT:     ^bb58:  // pred: ^bb36
// CHECK-NEXT:       %shuffleResult_28, %valid_29 = gpu.shuffle  xor %39, %c1_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb59
// CHECK-NEXT:     ^bb59:  // pred: ^bb58
// CHECK-NEXT:       %52 = arith.maxsi %39, %shuffleResult_28 : i32
// CHECK-NEXT:       cf.br ^bb60
// CHECK-NEXT:     ^bb60:  // pred: ^bb59
// CHECK-NEXT:       %shuffleResult_30, %valid_31 = gpu.shuffle  xor %52, %c2_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb61
// CHECK-NEXT:     ^bb61:  // pred: ^bb60
// CHECK-NEXT:       %53 = arith.maxsi %52, %shuffleResult_30 : i32
// CHECK-NEXT:       cf.br ^bb62
// CHECK-NEXT:     ^bb62:  // pred: ^bb61
// CHECK-NEXT:       %shuffleResult_32, %valid_33 = gpu.shuffle  xor %53, %c4_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb63
// CHECK-NEXT:     ^bb63:  // pred: ^bb62
// CHECK-NEXT:       %54 = arith.maxsi %53, %shuffleResult_32 : i32
// CHECK-NEXT:       cf.br ^bb64
// CHECK-NEXT:     ^bb64:  // pred: ^bb63
// CHECK-NEXT:       %shuffleResult_34, %valid_35 = gpu.shuffle  xor %54, %c8_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb65
// CHECK-NEXT:     ^bb65:  // pred: ^bb64
// CHECK-NEXT:       %55 = arith.maxsi %54, %shuffleResult_34 : i32
// CHECK-NEXT:       cf.br ^bb66
// CHECK-NEXT:     ^bb66:  // pred: ^bb65
// CHECK-NEXT:       %shuffleResult_36, %valid_37 = gpu.shuffle  xor %55, %c16_i32, %c32_i32 : i32
// CHECK-NEXT:       cf.br ^bb67
// CHECK-NEXT:     ^bb67:  // pred: ^bb66
// CHECK-NEXT:       %56 = arith.maxsi %55, %shuffleResult_36 : i32
// CHECK-NEXT:       cf.br ^bb57(%56 : i32)
// CHECK-NEXT:     ^bb68:  // pred: ^bb57
// CHECK-NEXT:       memref.store %51, %arg1[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       cf.br ^bb70
// CHECK-NEXT:     ^bb69:  // pred: ^bb35
// CHECK-NEXT:       cf.br ^bb70
// CHECK-NEXT:     ^bb70:  // 2 preds: ^bb68, ^bb69
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %57 = memref.load %arg1[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       gpu.return %57 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @all_reduce_region {
  gpu.func @region(%x: i32) -> i32 {
    %0 = gpu.all_reduce %x uniform {
    ^bb(%a: i32, %b: i32):
      %max = arith.maxsi %a, %b : i32
      gpu.yield %max : i32
    } : (i32) -> i32
    gpu.return %0 : i32
  }
}
