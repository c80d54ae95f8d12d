// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --split-input-file --verify-diagnostics

// What verifiers of operations on values, memory and matrices refuse.

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{custom op 'gpu.wait' needs to be named when marked 'async'}}
  gpu.wait async %tok
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{`minsi` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.all_reduce minsi %x {} : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{`maxnumf` reduction operation is not compatible with type 'i32'}}
  %0 = gpu.all_reduce maxnumf %k {} : (i32) -> i32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.all_reduce' op operand #0 must be Integer or Float, but got 'vector<4xf32>'}}
  %0 = gpu.all_reduce add %v {} : (vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{expected either an op attribute or a non-empty body}}
  %0 = gpu.all_reduce %x {} : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{expected either an op attribute or a non-empty body}}
  %0 = gpu.all_reduce add %x {
  ^bb(%a: f32, %b: f32):
    gpu.yield %a : f32
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{expected two region arguments}}
  %0 = gpu.all_reduce %x {
  ^bb(%a: f32):
    gpu.yield %a : f32
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{incorrect region argument type}}
  %0 = gpu.all_reduce %x {
  ^bb(%a: f32, %b: i32):
    gpu.yield %a : f32
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{expected one gpu.yield operand}}
  %0 = gpu.all_reduce %x {
  ^bb(%a: f32, %b: f32):
    gpu.yield %a, %b : f32, f32
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{incorrect gpu.yield type}}
  %0 = gpu.all_reduce %x {
  ^bb(%a: f32, %b: f32):
    %one = arith.constant 1 : i32
    gpu.yield %one : i32
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = gpu.all_reduce %x {
  ^bb(%a: f32, %b: f32):
    // expected-error@+1 {{'gpu.yield' op using value defined outside the region}}
    gpu.yield %x : f32
  } : (f32) -> f32
  return
}

// -----

// expected-note@+1 {{previously defined here}}
func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  %0 = gpu.all_reduce %x {
  // expected-error@+1 {{redefinition of SSA value '%x'}}
  ^bb(%x: f32, %b: f32):
    gpu.yield %x : f32
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{expected gpu.yield op in region}}
  %0 = gpu.all_reduce %x {
  ^bb(%a: f32, %b: f32):
    "test.finish"() : () -> ()
  } : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.subgroup_reduce and %x : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{`maxnumf` reduction operation is not compatible with type 'i32'}}
  %0 = gpu.subgroup_reduce maxnumf %k : (i32) -> i32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'vector<[4]xf32>'}}
  %0 = gpu.subgroup_reduce add %sv : (vector<[4]xf32>) -> vector<[4]xf32>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op cluster size 3 is not a power of two}}
  %0 = gpu.subgroup_reduce add %x cluster(size = 3) : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride 3 is not a power of two}}
  %0 = gpu.subgroup_reduce add %x cluster(size = 4, stride = 3) : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride can only be specified if cluster size is specified}}
  %0 = "gpu.subgroup_reduce"(%x) <{cluster_stride = 2 : i32, op = #gpu<all_reduce_op add>}> : (f32) -> f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'memref<?xf32>'}}
  %0 = gpu.subgroup_reduce add %m : (memref<?xf32>) -> memref<?xf32>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.rotate' op offset must be in the range [0, 16)}}
  %0, %1 = gpu.rotate %x, 32, 16 : f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.rotate' op offset must be in the range [0, 16)}}
  %0, %1 = gpu.rotate %x, 16, 16 : f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.rotate' op attribute 'width' failed to satisfy constraint: 32-bit signless integer attribute whose value is a power of two > 0}}
  %0, %1 = gpu.rotate %x, 3, 12 : f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_broadcast' op lane can only be specified for `specific_lane` broadcast}}
  %0 = gpu.subgroup_broadcast %x, first_active_lane %k : f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.subgroup_broadcast' op lane must be specified for `specific_lane` broadcast}}
  %0 = gpu.subgroup_broadcast %x, specific_lane : f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.shuffle' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'memref<?xf32>'}}
  %0, %1 = gpu.shuffle xor %m, %k, %k : memref<?xf32>
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{use of value '%i' expects different type than prior uses: 'i32' vs 'index'}}
  %0, %1 = gpu.shuffle xor %x, %i, %k : f32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = gpu.alloc() : memref<?xf32>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.alloc' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = gpu.alloc(%i) : memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.alloc' op symbol operand count does not equal memref symbol count}}
  %0 = gpu.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.memcpy' op arguments have incompatible element type}}
  gpu.memcpy %m, %n : memref<?xf32>, memref<?xf16>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.memcpy' op arguments have incompatible shape}}
  gpu.memcpy %s, %t : memref<4xf32>, memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.memset' op failed to verify that all of {dst, value} have same element type}}
  gpu.memset %m, %k : memref<?xf32>, i32
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>}}
  %0 = gpu.dynamic_shared_memory : memref<?xi8>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.dynamic_shared_memory' op result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<?xf32, #gpu.address_space<workgroup>>'}}
  %0 = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.dynamic_shared_memory' op result memref type must be memref<?xi8, #gpu.address_space<workgroup>>}}
  %0 = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>}}
  %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<private>>
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{use of value '%i' expects different type than prior uses: 'i32' vs 'index'}}
  gpu.set_default_device %i
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{custom op 'memfence' is unknown (tried 'func.memfence' as well)}}
  gpu.barrier memfence [nowhere]
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{cannot name an operation with no results}}
  %0 = gpu.printf "x"
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: memref<?xf16>, %s: memref<4xf32>, %t: memref<8xf32>, %i: index, %x: f32, %k: i32, %v: vector<4xf32>, %sv: vector<[4]xf32>, %tok: !gpu.async.token) {
  // expected-error@+1 {{'gpu.yield' op must be the last operation in the parent block}}
  gpu.yield %x : f32
  return
}

// -----

func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %d: !gpu.mma_matrix<16x32xf32, "COp">, %col: memref<32x32xf16, strided<[1, 32]>>, %m: memref<32x32xf16>, %i: index) {
  // expected-error@+1 {{expected source memref most minor dim must have unit stride}}
  %0 = gpu.subgroup_mma_load_matrix %col[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, strided<[1, 32]>> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}

// -----

func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %d: !gpu.mma_matrix<16x32xf32, "COp">, %col: memref<32x32xf16, strided<[1, 32]>>, %m: memref<32x32xf16>, %i: index) {
  // expected-error@+1 {{expected the operand matrix being stored to have 'COp' operand type}}
  gpu.subgroup_mma_store_matrix %a, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "AOp">, memref<32x32xf16>
  return
}

// -----

func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %d: !gpu.mma_matrix<16x32xf32, "COp">, %col: memref<32x32xf16, strided<[1, 32]>>, %m: memref<32x32xf16>, %i: index) {
  // expected-error@+1 {{expected destination memref most minor dim must have unit stride}}
  gpu.subgroup_mma_store_matrix %c, %col[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf16, strided<[1, 32]>>
  return
}

// -----

func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %d: !gpu.mma_matrix<16x32xf32, "COp">, %col: memref<32x32xf16, strided<[1, 32]>>, %m: memref<32x32xf16>, %i: index) {
  // expected-error@+1 {{operands must be in the order AOp, BOp, COp}}
  %0 = gpu.subgroup_mma_compute %b, %a, %c : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "AOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}

// -----

func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %d: !gpu.mma_matrix<16x32xf32, "COp">, %col: memref<32x32xf16, strided<[1, 32]>>, %m: memref<32x32xf16>, %i: index) {
  // expected-error@+1 {{operand shapes do not satisfy matmul constraints}}
  %0 = gpu.subgroup_mma_compute %a, %b, %d : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x32xf32, "COp">
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %d: !gpu.mma_matrix<16x32xf32, "COp">, %col: memref<32x32xf16, strided<[1, 32]>>, %m: memref<32x32xf16>, %i: index) {
  // expected-error@+1 {{use of value '%i' expects different type than prior uses: 'f32' vs 'index'}}
  %0 = gpu.subgroup_mma_constant_matrix %i : !gpu.mma_matrix<16x16xf32, "COp">
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gpu.terminator' op expects parent op 'gpu.launch'}}
  gpu.terminator
}

// -----

func.func @f() {
  // expected-error@+1 {{'gpu.return' op expects parent op 'gpu.func'}}
  gpu.return
}

// -----

// expected-error@+1 {{MMAMatrixType must have exactly two dimensions}}
func.func private @m(!gpu.mma_matrix<16xf16, "AOp">)

// -----

// expected-error@+1 {{MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64}}
func.func private @m(!gpu.mma_matrix<16x16xi64, "AOp">)

// -----

// expected-error@+1 {{operand expected to be one of AOp, BOp or COp}}
func.func private @m(!gpu.mma_matrix<16x16xf16, "DOp">)

// -----

// expected-error @+1 {{'gpu.binary' op requires attribute 'offloadingHandler'}}
"gpu.binary"() <{objects = [#gpu.object<#nvvm.target, "">], sym_name = "binary"}> : () -> ()
