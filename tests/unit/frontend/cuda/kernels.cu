// Kernels as people write them, each against NumPy in test_kernels.py.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void grid_stride(const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = sqrt(fabs(x[i])) + floor(x[i]) * 0.5;
}

#define TILE 16
__global__ void __launch_bounds__(TILE * TILE)
    matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    int ka = t * TILE + threadIdx.x, kb = t * TILE + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0;
    bs[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

__global__ void transpose(const int *in, int *out, int width, int height) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void block_sum(const float *x, float *out, int n) {
  extern __shared__ float part[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

__global__ void warp_sum(const int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] : 0;
  for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffff, v, by);
  if (threadIdx.x % warpSize == 0) out[i / warpSize] = v;
}

__global__ void histogram(const unsigned char *data, unsigned int *bins, int n) {
  __shared__ unsigned int own[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd_block(&own[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}

__global__ void scan_block(const int *x, int *out) {
  __shared__ int sums[2][256];
  int t = threadIdx.x, from = 0;
  sums[0][t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int by = 1; by < 256; by *= 2) {
    sums[1 - from][t] = t >= by ? sums[from][t] + sums[from][t - by] : sums[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sums[from][t];
}

__constant__ float weights[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
__global__ void convolve(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = -2; k <= 2; ++k) sum += weights[k + 2] * (i + k >= 0 && i + k < n ? x[i + k] : 0);
  y[i] = sum;
}

__global__ void softmax(const float *x, float *y, int columns) {
  __shared__ float box[32];
  const float *row = x + blockIdx.x * columns;
  float most = -1e30f;
  for (int c = threadIdx.x; c < columns; c += 32) most = fmaxf(most, row[c]);
  for (int by = 16; by; by >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, by));
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) sum += expf(row[c] - most);
  box[threadIdx.x] = sum;
  __syncwarp();
  sum = 0;
  for (int i = 0; i < 32; ++i) sum += box[i];
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = expf(row[c] - most) / sum;
}

__global__ void vectors(const float4 *x, float4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = __ldg(&x[i]);
  y[i] = make_float4(v.w, v.z * 2, v.y + v.x, fminf(v.x, 0.5f));
}

__global__ void halves(const __half *x, const __half2 *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 p = __hmul2(y[i], __float2half2_rn(2.0f));
  out[i] = __half2float(x[i] + p.x) * __high2float(p);
}

__global__ void bits(const unsigned int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int v = x[i];
  out[i * 8] = __popc(v);
  out[i * 8 + 1] = __clz(v);
  out[i * 8 + 2] = __ffs(v);
  out[i * 8 + 3] = __brev(v);
  out[i * 8 + 4] = __byte_perm(v, 0x12345678, 0x7162);
  out[i * 8 + 5] = __funnelshift_l(v, 0xdeadbeef, 7);
  out[i * 8 + 6] = __umulhi(v, 0x9e3779b9u);
  out[i * 8 + 7] = __float_as_int((float)v);
}

template <typename T, int N> __global__ void scale(T *x, T by) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
#pragma unroll
  for (int k = 0; k < N; ++k) x[i + k] *= by;
}
template __global__ void scale<float, 4>(float *, float);
template __global__ void scale<int, 2>(int *, int);

struct Particle { float3 place, speed; };
struct World { float step; int count; };
__device__ __noinline__ float3 moved(const Particle &p, float step) {
  return make_float3(p.place.x + step * p.speed.x, p.place.y + step * p.speed.y,
                     p.place.z + step * p.speed.z);
}
__global__ void particles(Particle *all, World world) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < world.count) all[i].place = moved(all[i], world.step);
}

__global__ void last_block(const int *x, int *part, int *out, unsigned int *arrived, int n) {
  __shared__ bool is_last;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  for (int by = 16; by; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += part[b];
    *out = all;
  }
}

__global__ void lock(int *counter, int *taken) {
  if (threadIdx.x % 32 != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*taken);
  while (flag.exchange(1, cuda::memory_order_acquire) != 0) __nanosleep(20);
  *counter += 1;
  flag.store(0, cuda::memory_order_release);
}

__global__ void groups(const int *x, int *tiles, int *odd, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int i = blockIdx.x * blockDim.x + block.thread_rank();
  int sum = cg::reduce(tile, x[i], cg::plus<int>());
  if (tile.thread_rank() == 0) tiles[i / 8] = sum;
  if (x[i] % 2) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(odd, (int)active.size());
  }
}

__global__ void phases(int *x, int n) {
  cg::grid_group grid = cg::this_grid();
  unsigned long long i = grid.thread_rank();
  x[i] = (int)i;
  grid.sync();
  int other = x[(i + blockDim.x) % n];
  grid.sync();
  x[i] = other * 2;
}

__global__ void votes(const int *x, unsigned int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int some = __ballot_sync(~0u, x[i] > 0);
  int count = __syncthreads_count(x[i] > 0), every = __syncthreads_and(x[i] != 7);
  int any = __syncthreads_or(x[i] == 3);
  unsigned int same = __match_any_sync(~0u, x[i]);
  int total = __reduce_add_sync(~0u, x[i]), most = __reduce_max_sync(~0u, x[i]);
  out[i * 7] = some;
  out[i * 7 + 1] = count;
  out[i * 7 + 2] = every;
  out[i * 7 + 3] = any;
  out[i * 7 + 4] = same;
  out[i * 7 + 5] = total;
  out[i * 7 + 6] = most;
}

__global__ void extremes(const float *x, int *low, unsigned long long *high, double *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(low, __float2int_rn(x[i]));
  atomicMax(high, (unsigned long long)__float2ll_rd(x[i]));
  atomicAdd(sum, (double)x[i]);
}

__global__ void functions(const float *x, float *y, const double *u, double *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s, c;
  sincosf(x[i], &s, &c);
  y[i] = s * c + powf(fabsf(x[i]), 1.5f) + __expf(-x[i]) + rsqrtf(1 + x[i] * x[i]) + erff(x[i]) +
         atan2f(x[i], 2) + fmodf(x[i], 0.7f);
  v[i] = sin(u[i]) + tanh(u[i]) + log1p(fabs(u[i])) + cbrt(u[i]) + hypot(u[i], 3.0) + round(u[i]);
}

__global__ void add_small_floats(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
  atomicAdd(h, __half(0.5f));
  atomicAdd(h2, __half2{1.0f, 2.0f});
  atomicAdd(b, __nv_bfloat16(0.5f));
  atomicAdd(b2, __nv_bfloat162{1.0f, 2.0f});
}

__global__ void rare_functions(float *out) {
  const float x[4] = {1, 2, 4, 10};
  const double y[2] = {3, 4};
  int quotient;
  float found[] = {
    cyl_bessel_i0f(1), (float)cyl_bessel_i1(1.0), jnf(2, 1), (float)yn(2, 1.0), norm4df(1, 2, 4, 10),
    (float)rnorm4d(1, 2, 4, 10), normf(4, x), (float)rnorm(2, y), remquof(7, 2, &quotient),
    (float)quotient, __tanhf(1), __frsqrt_rn(4), (float)__dp2a_lo(0x0003fffe, 0x0403ff02, 10),
    (float)__dp2a_hi(0x0003fffe, 0x0403ff02, 10), (float)__fns(0xf0, 0, 2),
    (float)(int)__fns(0xf0, 6, -4), nanf(""), (float)scalbln(1.5, 3L), scalblnf(1.5f, -1L),
    scalbln(1.0f, 1L << 40), scalblnf(1.0f, -(1L << 40)), __fmaf_ieee_rn(3, 4, 5),
    __fmaf_ieee_rd(0x1p-30f, 1, 1), __fmaf_ieee_ru(0x1p-30f, 1, 1), __fmaf_ieee_rz(-0x1p-30f, 1, 1),
  };
  for (float f : found) *out++ = f;
}

// Reverses halves by phases of a barrier; half of the threads leave after the first.
extern "C" __global__ void phases_of_barrier(const int *x, int *o) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier bar;
  __shared__ int found[64];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, found, x, sizeof found, bar);
  barrier::arrival_token token = bar.arrive();
  bar.wait((barrier::arrival_token &&)token);
  int other = found[63 - threadIdx.x];
  if (threadIdx.x >= 32) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  found[threadIdx.x] = other;
  bar.arrive_and_wait();
  o[threadIdx.x] = found[31 - threadIdx.x];
}

extern "C" __global__ void __cluster_dims__(2) pairs(int *p) {
  p[blockIdx.x] = cg::this_cluster().num_blocks() * 10 + cg::this_cluster().block_rank();
}

// Each block of a cluster writes what its neighbour has in shared memory, and what it is in the
// cluster.
extern "C" __global__ void neighbours(int *p) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = 100 + blockIdx.x;
  cluster.sync();
  cudaGridDependencySynchronize();
  unsigned other = (cluster.block_rank() + 1) % cluster.num_blocks();
  if (cluster.thread_rank() % blockDim.x == 0) {
    p[2 * blockIdx.x] = *cluster.map_shared_rank(&mine, other);
    p[2 * blockIdx.x + 1] = cluster.num_threads() * 10 + cluster.block_index().x;
  }
  cudaTriggerProgrammaticLaunchCompletion();
  cluster.sync();
}
