// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms and iterators of Thrust: the same results on the host and on the device.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/zip_function.h>

#include <initializer_list>
#include <list>
#include <vector>

#include "check.h"

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2; }
};
struct Doubled {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct Sum3 {
  template <typename Tuple> __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  }
};
struct BySecond {
  typedef thrust::tuple<int, int> Pair;
  __host__ __device__ bool operator()(const Pair &a, const Pair &b) const {
    return thrust::get<1>(a) < thrust::get<1>(b);
  }
};
struct Times {
  __host__ __device__ int operator()(int a, int b) const { return a * b; }
};

template <typename V> bool holds(const V &found, std::initializer_list<int> values) {
  return std::vector<int>(values) == thrust::host_vector<int>(found);
}
// The elements before `end`.
template <typename V>
bool begins(const V &found, typename V::const_iterator end, std::initializer_list<int> values) {
  return std::vector<int>(values) == thrust::host_vector<int>(found.begin(), end);
}

template <typename V> void elements() {
  V a{5, 2, 7, 2, 9, 4}, b(6), c(6), map{5, 4, 3, 2, 1, 0};
  thrust::tabulate(b.begin(), b.end(), Doubled());
  CHECK(holds(b, {0, 2, 4, 6, 8, 10}));
  thrust::for_each(thrust::make_zip_iterator(a.begin(), b.begin(), c.begin()),
                   thrust::make_zip_iterator(a.end(), b.end(), c.end()), Sum3());
  CHECK(holds(c, {5, 4, 11, 8, 17, 14}));
  thrust::gather(map.begin(), map.end(), a.begin(), c.begin());
  CHECK(holds(c, {4, 9, 2, 7, 2, 5}));
  thrust::scatter(a.begin(), a.begin() + 2, map.begin(), c.begin());
  CHECK(holds(c, {4, 9, 2, 7, 2, 5}));
  thrust::scatter_if(b.begin(), b.end(), map.begin(), a.begin(), c.begin(), IsOdd());
  CHECK(holds(c, {4, 8, 2, 4, 2, 0}));
  thrust::replace(c.begin(), c.end(), 4, 1);
  thrust::replace_if(c.begin(), c.end(), IsOdd(), 3);
  CHECK(holds(c, {3, 8, 2, 3, 2, 0}));
  CHECK(thrust::replace_copy(c.begin(), c.end(), b.begin(), 2, 6) == b.end());
  CHECK(holds(b, {3, 8, 6, 3, 6, 0}));
  thrust::reverse(b.begin(), b.end());
  thrust::swap_ranges(b.begin(), b.begin() + 2, c.begin());
  CHECK(holds(b, {3, 8, 3, 6, 8, 3}) && holds(c, {0, 6, 2, 3, 2, 0}));
  thrust::transform_if(a.begin(), a.end(), map.begin(), c.begin(), Doubled(), IsOdd());
  CHECK(holds(c, {10, 6, 14, 3, 18, 0}));
  thrust::adjacent_difference(a.begin(), a.end(), a.begin());
  CHECK(holds(a, {5, -3, 5, -5, 7, -5}));
  using namespace thrust::placeholders;
  thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), -_1 * 2 + _2);
  CHECK(holds(c, {-7, 14, -7, 16, -6, 13}));
  thrust::for_each(c.begin(), c.end(), _1 += 7);
  CHECK(holds(c, {0, 21, 0, 23, 1, 20}));
  thrust::transform_exclusive_scan(map.begin(), map.end(), c.begin(), Doubled(), 1,
                                   thrust::plus<int>());
  CHECK(holds(c, {1, 11, 19, 25, 29, 31}));
  V keys{1, 1, 2, 2, 2, 1};
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), map.begin(), c.begin());
  CHECK(holds(c, {5, 9, 3, 5, 6, 0}));
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), map.begin(), c.begin(), 10);
  CHECK(holds(c, {10, 15, 10, 13, 15, 10}));
}

template <typename V> void searches() {
  V a{5, 2, 7, 2, 9, 4};
  CHECK(thrust::count(a.begin(), a.end(), 2) == 2);
  CHECK(thrust::count_if(a.begin(), a.end(), IsOdd()) == 3);
  CHECK(thrust::find(a.begin(), a.end(), 7) - a.begin() == 2);
  CHECK(thrust::find(a.begin(), a.end(), 8) == a.end());
  CHECK(thrust::find_if_not(a.begin(), a.end(), IsOdd()) - a.begin() == 1);
  CHECK(*thrust::max_element(a.begin(), a.end()) == 9);
  CHECK(thrust::min_element(a.begin(), a.end()) - a.begin() == 1);  // the first of two
  auto [low, high] = thrust::minmax_element(a.begin(), a.end(), thrust::greater<int>());
  CHECK(*low == 9 && high - a.begin() == 1);
  CHECK(thrust::any_of(a.begin(), a.end(), IsOdd()));
  CHECK(!thrust::all_of(a.begin(), a.end(), IsOdd()));
  CHECK(thrust::none_of(a.begin(), a.begin(), IsOdd()));
  V other = a;
  CHECK(other == a && thrust::equal(a.begin(), a.end(), other.begin()));
  other[4] = 1;
  other[4] += 2;
  CHECK(other != a && other[4] == 3);
  CHECK(thrust::mismatch(a.begin(), a.end(), other.begin()).second - other.begin() == 4);
  V keys{1, 1, 2, 2, 2, 1}, runs(6), sums(6);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), a.begin(), runs.begin(),
                                    sums.begin());
  CHECK(begins(runs, ends.first, {1, 2, 1}) && begins(sums, ends.second, {7, 18, 4}));
  auto end = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1),
                                   thrust::make_discard_iterator(), sums.begin()).second;
  CHECK(begins(sums, end, {2, 3, 1}));
  V sorted{1, 3, 3, 3, 8}, wanted{0, 3, 9}, at(3);
  thrust::lower_bound(sorted.begin(), sorted.end(), wanted.begin(), wanted.end(), at.begin());
  CHECK(holds(at, {0, 1, 5}));
  thrust::upper_bound(sorted.begin(), sorted.end(), wanted.begin(), wanted.end(), at.begin());
  CHECK(holds(at, {0, 4, 5}));
  thrust::binary_search(sorted.begin(), sorted.end(), wanted.begin(), wanted.end(), at.begin());
  CHECK(holds(at, {0, 1, 0}) && thrust::binary_search(sorted.begin(), sorted.end(), 8));
  auto range = thrust::equal_range(sorted.begin(), sorted.end(), 3);
  CHECK(range.first - sorted.begin() == 1 && range.second - sorted.begin() == 4);
}

template <typename V> void selections() {
  V a{5, 2, 7, 2, 9, 4}, b(6), c(6), map{5, 4, 3, 2, 1, 0};
  auto end = thrust::copy_if(a.begin(), a.end(), b.begin(), IsOdd());
  CHECK(begins(b, end, {5, 7, 9}));
  end = thrust::copy_if(a.begin(), a.end(), map.begin(), b.begin(), IsOdd());
  CHECK(begins(b, end, {5, 7, 9}));
  b = a;
  CHECK(begins(b, thrust::remove(b.begin(), b.end(), 2), {5, 7, 9, 4}));
  b = a;
  CHECK(begins(b, thrust::remove_if(b.begin(), b.end(), map.begin(), IsOdd()), {2, 2, 4}));
  b = V{1, 1, 4, 4, 4, 1};
  c = map;
  auto ends = thrust::unique_by_key(b.begin(), b.end(), c.begin());
  CHECK(begins(b, ends.first, {1, 4, 1}) && begins(c, ends.second, {5, 3, 0}));
  b = V{1, 1, 4, 4, 4, 1};
  CHECK(begins(b, thrust::unique(b.begin(), b.end()), {1, 4, 1}));
  b = a;
  CHECK(thrust::stable_partition(b.begin(), b.end(), IsOdd()) - b.begin() == 3);
  CHECK(holds(b, {5, 7, 9, 2, 2, 4}) && thrust::is_partitioned(b.begin(), b.end(), IsOdd()));
  V even{0, 2, 2, 4, 6}, other{2, 2, 2, 3, 6}, out(10);
  auto all = [&](auto operation) {
    return operation(even.begin(), even.end(), other.begin(), other.end(), out.begin());
  };
#define SETS(NAME) all([](auto... given) { return thrust::NAME(given...); })
  CHECK(begins(out, SETS(merge), {0, 2, 2, 2, 2, 2, 3, 4, 6, 6}));
  CHECK(begins(out, SETS(set_union), {0, 2, 2, 2, 3, 4, 6}));
  CHECK(begins(out, SETS(set_intersection), {2, 2, 6}));
  CHECK(begins(out, SETS(set_difference), {0, 4}));
  CHECK(begins(out, SETS(set_symmetric_difference), {0, 2, 3, 4}));
  // Many elements, whose keys are equal in pairs, in another order.
  const int n = 3000;
  V keys(n), values(n);
  thrust::tabulate(keys.begin(), keys.end(), Doubled());
  thrust::default_random_engine engine(5);
  thrust::shuffle(keys.begin(), keys.end(), engine);
  CHECK(!thrust::is_sorted(keys.begin(), keys.end()));
  thrust::sequence(values.begin(), values.end());
  thrust::for_each(keys.begin(), keys.end(), thrust::placeholders::_1 /= 4);
  auto both = thrust::make_zip_iterator(thrust::make_tuple(values.begin(), keys.begin()));
  thrust::stable_sort(both, both + n, BySecond());
  CHECK(thrust::is_sorted(keys.begin(), keys.end()));
  thrust::host_vector<int> key = keys, value = values;
  for (int i = 0; i < n; ++i) CHECK(key[i] == i / 2 && (i % 2 == 0 || value[i] > value[i - 1]));
}

template <typename V> void iterators() {
  V a{5, 2, 7, 2, 9, 4}, map{5, 0}, out(6);
  auto doubled = thrust::make_transform_iterator(a.begin(), Doubled());
  CHECK(thrust::reduce(doubled, doubled + 6) == 58);
  auto chosen = thrust::make_permutation_iterator(doubled, map.begin());
  CHECK(thrust::reduce(chosen, chosen + 2) == 18);
  thrust::copy(thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()),
               thrust::make_transform_output_iterator(out.begin(), Doubled()));
  CHECK(holds(out, {8, 18, 4, 14, 4, 10}));
  thrust::copy(doubled, doubled + 6, out.begin());
  CHECK(holds(out, {10, 4, 14, 4, 18, 8}));
  thrust::counting_iterator<int> first(10);
  auto pairs = thrust::make_zip_iterator(first, a.begin());
  thrust::transform(pairs, pairs + 6, out.begin(), thrust::make_zip_function(Times()));
  CHECK(holds(out, {50, 22, 84, 26, 126, 60}));
  thrust::tuple<int, int> last = pairs[5];
  CHECK(last == thrust::make_tuple(15, 4) && thrust::get<1>(*pairs) == 5);
  thrust::host_vector<short> shorter(6);
  thrust::copy(doubled, doubled + 6, shorter.begin());
  CHECK(shorter[5] == 8);
  std::list<int> list{3, 1};
  thrust::copy(list.begin(), list.end(), out.begin());
  CHECK(out[0] == 3 && out[1] == 1 && out[2] == 84);
}

__global__ void in_a_kernel(int *x, int *found) {
  thrust::sort(thrust::seq, x, x + 6);
  thrust::pair<int, int> pair = thrust::make_pair(x[0], x[5]);
  thrust::tuple<int, float, int> tuple(1, 2.5f, 3);
  int first;
  float second;
  thrust::tie(first, second, pair.first) = tuple;
  auto [a, b, c] = tuple;
  found[0] = thrust::reduce(thrust::seq, x, x + 6);
  found[1] = thrust::lower_bound(thrust::seq, x, x + 6, 7) - x;
  found[2] = pair.first * 100 + pair.second;
  found[3] = first + int(2 * second) + a + int(2 * b) + c;
}

typedef thrust::complex<double> Complex;

__global__ void of_complex_numbers(Complex z, Complex *found) {
  found[0] = exp(log(z));
  found[1] = sqrt(z) * sqrt(z);
  found[2] = sin(asin(z));
  found[3] = cos(acos(z));
  found[4] = tan(atan(z));
  found[5] = sinh(asinh(z));
  found[6] = cosh(acosh(z));
  found[7] = tanh(atanh(z));
  found[8] = pow(z, 3) / (z * z);
  found[9] = thrust::polar(abs(z), arg(z));
  found[10] = (2 * z + conj(z)) - Complex(2 * z.real(), z.imag() - 1.0f) + Complex(0, z.imag() - 1);
}

double imag_of_root(double y) { return sqrt(Complex(-4, y)).imag(); }

int main() {
  thrust::device_vector<Complex> results(11);
  for (Complex z : {Complex(1, 2), Complex(-3, -0.5), Complex(1e-3, -1e-5), Complex(-0.0, 1.5)}) {
    of_complex_numbers<<<1, 1>>>(z, thrust::raw_pointer_cast(results.data()));
    for (Complex found : thrust::host_vector<Complex>(results))
      CHECK(abs(found - z) < 1e-14 * (1 + abs(z)));
  }
  CHECK(imag_of_root(-0.0) < 0 && imag_of_root(0.0) > 0);
  elements<thrust::device_vector<int>>();
  searches<thrust::device_vector<int>>();
  selections<thrust::device_vector<int>>();
  iterators<thrust::device_vector<int>>();
  elements<thrust::host_vector<int>>();
  searches<thrust::host_vector<int>>();
  selections<thrust::host_vector<int>>();
  iterators<thrust::host_vector<int>>();

  thrust::device_vector<int> x{5, 2, 7, 2, 9, 4}, found(4);
  in_a_kernel<<<1, 1>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(found.data()));
  CHECK(holds(x, {2, 2, 4, 5, 7, 9}) && holds(found, {29, 4, 309, 15}));

  // Without memory an algorithm runs on the device, and a stream may be named.
  thrust::counting_iterator<int> first(0);
  CHECK(thrust::reduce(first, first + 1000) == 499500);
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  thrust::sort(thrust::cuda::par.on(stream), x.begin(), x.end(), thrust::greater<int>());
  CHECK(holds(x, {9, 7, 5, 4, 2, 2}));
  OK(cudaStreamDestroy(stream));
  x.insert(x.begin() + 1, 8);
  x.erase(x.begin() + 2, x.begin() + 4);
  CHECK(holds(x, {9, 8, 4, 2, 2}) && x == thrust::host_vector<int>(x));
  puts("PASS");
}
