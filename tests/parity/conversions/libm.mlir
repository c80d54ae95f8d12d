// SAME: --convert-math-to-libm

func.func @f(%a: f32, %d: f64, %h: f16, %v: vector<2x2xf32>, %b: bf16) -> (f32, f64, f16, vector<2x2xf32>, bf16) {
  %0 = math.tanh %a : f32
  %1 = math.atan2 %d, %d : f64
  %2 = math.exp %h fastmath<fast> : f16
  %3 = math.cos %v : vector<2x2xf32>
  %4 = math.absf %b : bf16
  %5 = math.fma %a, %a, %a : f32
  return %0, %1, %2, %3, %4 : f32, f64, f16, vector<2x2xf32>, bf16
}
