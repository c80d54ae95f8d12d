// RUN: xgpu-opt --symbol-dce --split-input-file --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// Nothing outside of the root refers into it: what is nested goes as what is private.

module {
  module @public {
    func.func nested @unused()
    func.func private @used_by_nested()
    func.func nested @used() {
      "some.return"() {uses = [@used_by_nested]} : () -> ()
    }
    func.func @visible() {
      return
    }
  }
  "some.user"() {uses = [@public::@used]} : () -> ()
}

// CHECK: module {
// CHECK-NEXT:   module @public {
// CHECK-NEXT:     func.func private @used_by_nested()
// CHECK-NEXT:     func.func nested @used() {
// CHECK-NEXT:       "some.return"() {uses = [@used_by_nested]} : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     func.func @visible() {
// CHECK-NEXT:       return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   "some.user"() {uses = [@public::@used]} : () -> ()
// CHECK-NEXT: }

// -----

// Tables inside of operations that are none.

// CHECK: module {
// CHECK-NEXT:   scf.execute_region {
// CHECK-NEXT:     builtin.module {
// CHECK-NEXT:       func.func @visible() {
// CHECK-NEXT:         return
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT: }
module {
  scf.execute_region {
    builtin.module {
      func.func private @unused()
      func.func @visible() {
        return
      }
    }
    scf.yield
  }
}
