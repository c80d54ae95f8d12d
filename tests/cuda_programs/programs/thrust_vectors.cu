// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors and algorithms of Thrust.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <sstream>

#include "check.h"

struct Seven {
  __host__ __device__ int operator()() const { return 7; }
};

// No number can become one.
struct Point {
  int x, y;
  __host__ __device__ bool operator<(const Point &other) const { return x < other.x; }
};

struct Turned {
  int by;
  __host__ __device__ Point operator()(const Point &p) const { return {by - p.y, p.x}; }
};

int main() {
  const int n = 1000;
  thrust::host_vector<Point> points(n);
  for (int i = 0; i < n; ++i) points[i] = {i * 7919 % 10, i};
  thrust::device_vector<Point> device = points, turned(n);
  thrust::transform(device.cbegin(), device.cend(), turned.begin(), Turned{5});
  thrust::host_vector<Point> result;
  result = turned;
  for (int i = 0; i < n; ++i) CHECK(result[i].x == 5 - i && result[i].y == points[i].x);

  thrust::device_vector<int> numbers(n);
  thrust::sequence(thrust::device, numbers.begin(), numbers.end());
  CHECK(thrust::reduce(numbers.begin(), numbers.end()) == n * (n - 1) / 2);
  thrust::sort_by_key(device.begin(), device.end(), numbers.begin());
  result = device;
  for (int i = 0; i < n; ++i) {
    CHECK(result[i].y == numbers[i]);
    if (i == 0) continue;
    CHECK(!(result[i] < result[i - 1]));
    CHECK(result[i - 1] < result[i] || result[i - 1].y < result[i].y);  // stable
  }
  CHECK(thrust::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0LL) == 332833500);

  thrust::device_vector<int> sums(n);
  thrust::inclusive_scan(thrust::cuda::par.on(0), numbers.begin(), numbers.end(), sums.begin());
  CHECK(sums.back() == n * (n - 1) / 2 && sums.front() == numbers[0]);
  thrust::exclusive_scan(numbers.begin(), numbers.end(), sums.begin(), 10);
  CHECK(sums[0] == 10 && sums[2] == 10 + numbers[0] + numbers[1]);
  int most = thrust::reduce(thrust::device, thrust::raw_pointer_cast(numbers.data()),
                            thrust::raw_pointer_cast(numbers.data()) + n, 0, thrust::maximum<int>());
  CHECK(most == n - 1);
  thrust::sort(numbers.begin(), numbers.end(), thrust::greater<int>());
  CHECK(thrust::is_sorted(numbers.begin(), numbers.end(), thrust::greater<int>()));
  CHECK(numbers[0] == n - 1);

  // More than one block reduces them.
  thrust::device_vector<int> many(10001);
  thrust::sequence(many.begin(), many.end());
  CHECK(thrust::reduce(many.begin(), many.end(), 5LL) == 50005005);
  CHECK(thrust::transform_reduce(many.begin(), many.end(), thrust::negate<int>(), 3,
                                 thrust::minimum<int>()) == -10000);
  CHECK(thrust::inner_product(many.begin(), many.end() - 1, many.begin() + 1, 7,
                              thrust::plus<int>(), thrust::minus<int>()) == 7 - 10000);
  CHECK(thrust::inner_product(many.begin(), many.begin(), many.begin(), 7) == 7);

  // The engine's 10,000th number is that of C++'s minstd_rand.
  thrust::default_random_engine engine;
  engine.discard(9999);
  CHECK(engine() == 399268537);
  thrust::uniform_int_distribution<int> die(1, 6);
  int seen = 0;
  for (int i = 0; i < 200; ++i) seen |= 1 << die(engine);
  CHECK(seen == 126);
  thrust::generate(sums.begin(), sums.end(), Seven());
  CHECK(thrust::reduce(sums.begin(), sums.end()) == 7 * (int)sums.size());

  numbers.resize(n + 5, 3);
  numbers.push_back(4);
  numbers[1] = 77;
  CHECK(numbers.size() == n + 6 && numbers[n + 4] == 3 && numbers.back() == 4 && numbers[1] == 77);
  std::ostringstream text;
  text << numbers[1] << numbers.back();
  CHECK(text.str() == "774");
  bool is_refused = false;
  try {
    thrust::device_vector<int> large(size_t(1) << 60);
  } catch (const thrust::system_error &) {
    is_refused = true;
  }
  CHECK(is_refused);
  cudaGetLastError();
  puts("PASS");
}
