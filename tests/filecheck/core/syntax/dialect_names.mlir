// RUN: xgpu-opt %s --allow-unregistered-dialect | filecheck %s

// What stands before the dot need not be the name of a dialect.

// CHECK: "t.u"() {"../func.a" = 2 : i64, "func/.a" = 1 : i64} : () -> ()
"t.u"() {"func/.a" = 1, "../func.a" = 2} : () -> ()
