// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correct kernels of all kinds of synchronization, of which `../mutants.py` makes mutants. Each one
// begins with a comment: its name, and the blocks, threads and elements that it is launched with.
// `in` and `out` have n elements, `tmp` 64, of which `out` and `tmp` are 0 at first.

// copy 4 64 250
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// grid_stride 2 64 500
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = 3 * in[i] + 1;
}

// reverse 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[63 - t];
}

// reduce_tree 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// reduce_warps 4 128 512
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[4];
  int t = threadIdx.x, v = in[blockIdx.x * 128 + t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}

// reduce_atomic 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int sum;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) sum = 0; // init
  __syncthreads();
  atomicAdd(&sum, in[i]);
  __syncthreads();
  if (t == 0) atomicAdd(&out[0], sum);
}

// reduce_ticket 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int sum, last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) sum = 0; // init
  __syncthreads();
  atomicAdd(&sum, in[i]);
  __syncthreads();
  if (t == 0) {
    out[blockIdx.x + 1] = sum;
    __threadfence();
    last = atomicAdd(&tmp[0], 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; b++) all += out[b + 1];
    out[0] = all;
    tmp[0] = 0;
  }
}

// scan_steps 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}

// scan_tree 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int at = (t + 1) * 2 * d - 1;
    if (at < 64) s[at] += s[at - d];
    __syncthreads();
  }
  for (int d = 16; d > 0; d /= 2) {
    int at = (t + 1) * 2 * d - 1;
    if (at + d < 64) s[at + d] += s[at];
    __syncthreads();
  }
  out[t] = s[t];
}

// scan_chained 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int before;
  int t = threadIdx.x, b = blockIdx.x, v = in[b * 32 + t];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(0xffffffff, v, d);
    if (t >= d) v += w;
  }
  if (t == 31) {
    int sum = 0;
    if (b > 0) {
      while (atomicAdd(&tmp[b - 1], 0) == 0);
      __threadfence();
      sum = tmp[32 + b - 1];
    }
    before = sum;
    tmp[32 + b] = sum + v;
    __threadfence();
    atomicExch(&tmp[b], 1);
  }
  __syncthreads();
  out[b * 32 + t] = before + v;
}

// histogram_shared 2 64 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int bins[16];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t < 16) bins[t] = 0; // init
  __syncthreads();
  atomicAdd(&bins[in[i] % 16], 1);
  __syncthreads();
  if (t < 16) atomicAdd(&out[t], bins[t]);
}

// histogram_global 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  atomicAdd(&out[in[i] % 16], 1);
}

// transpose 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int tile[8][9];
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  int column = blockIdx.x % 2 * 8, row = blockIdx.x / 2 * 8;
  tile[y][x] = in[(row + y) * 16 + column + x];
  __syncthreads();
  out[(column + y) * 16 + row + x] = tile[x][y];
}

// matmul 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int a[8][8], b[8][8];
  int x = threadIdx.x % 8, y = threadIdx.x / 8, sum = 0;
  int column = blockIdx.x % 2 * 8 + x, row = blockIdx.x / 2 * 8 + y;
  for (int m = 0; m < 16; m += 8) {
    a[y][x] = in[row * 16 + m + x];
    b[y][x] = in[(m + y) * 16 + column];
    __syncthreads();
    for (int q = 0; q < 8; q++) sum += a[y][q] * b[q][x];
    __syncthreads();
  }
  out[row * 16 + column] = sum;
}

// stencil 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[66];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t + 1] = in[i];
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
  if (t == 63) s[65] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  out[i] = s[t] + s[t + 1] + s[t + 2];
}

// stencil_steps 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[2][64];
  int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int step = 0; step < 4; step++) {
    int *from = s[step % 2], *to = s[1 - step % 2];
    to[t] = from[t] + from[(t + 1) % 64];
    __syncthreads();
  }
  out[t] = s[0][t];
}

// ring 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, v = in[t];
  for (int step = 0; step < 3; step++) {
    s[t] = v;
    __syncthreads();
    v = s[(t + 1) % 64];
    __syncthreads();
  }
  out[t] = v;
}

// lock 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&tmp[0], 0, 1) != 0);
    __threadfence();
    out[0] = out[0] + in[blockIdx.x];
    out[1] = out[1] + 1;
    __threadfence();
    atomicExch(&tmp[0], 0);
  }
}

// two_locks 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&tmp[0], 0, 1) != 0);
    while (atomicCAS(&tmp[1], 0, 1) != 0);
    __threadfence();
    out[0] = out[0] - 1;
    out[1] = out[1] + 1;
    __threadfence();
    atomicExch(&tmp[1], 0);
    atomicExch(&tmp[0], 0);
  }
}

// message 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    tmp[1] = in[0];
    __threadfence();
    atomicExch(&tmp[0], 1);
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (atomicAdd(&tmp[0], 0) == 0);
    __threadfence();
    out[0] = tmp[1];
  }
}

// grid_barrier 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  out[i] = in[i];
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(&tmp[0], 1);
    while (atomicAdd(&tmp[0], 0) < gridDim.x);
    __threadfence();
  }
  __syncthreads();
  int other = out[n - 1 - i];
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(&tmp[1], 1);
    while (atomicAdd(&tmp[1], 0) < gridDim.x);
    __threadfence();
  }
  __syncthreads();
  out[i] = other;
}

// sort_bitonic 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2)
    for (int d = size / 2; d > 0; d /= 2) {
      int other = t ^ d;
      if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
        int v = s[t];
        s[t] = s[other];
        s[other] = v;
      }
      __syncthreads();
    }
  out[t] = s[t];
}

// sort_odd_even 1 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncthreads();
  for (int step = 0; step < 64; step++) {
    int at = 2 * t + step % 2;
    if (at + 1 < 64 && s[at] > s[at + 1]) {
      int v = s[at];
      s[at] = s[at + 1];
      s[at + 1] = v;
    }
    __syncthreads();
  }
  out[t] = s[t];
  out[t + 32] = s[t + 32];
}

// compaction 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int kept[64], count;
  int t = threadIdx.x;
  if (t == 0) count = 0; // init
  __syncthreads();
  if (in[t] % 2 == 0) kept[atomicAdd(&count, 1)] = in[t];
  __syncthreads();
  int sum = 0;
  for (int q = 0; q < count; q++) sum += kept[q];
  if (t == 0) out[0] = sum;
}

// list_ranks 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int next[64], rank[64];
  int t = threadIdx.x;
  next[t] = t < 63 ? t + 1 : t;
  rank[t] = t < 63 ? 1 : 0;
  __syncthreads();
  for (int step = 0; step < 6; step++) {
    int r = rank[next[t]], q = next[next[t]];
    __syncthreads();
    rank[t] += r;
    next[t] = q;
    __syncthreads();
  }
  out[t] = rank[t];
}

// queue 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  for (;;) {
    int item = atomicAdd(&tmp[0], 1);
    if (item >= n) return;
    out[item] = in[item] * 2;
  }
}

// labels 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  atomicMax(&out[i % 8], in[i]);
}

// center 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int most = s[0];
  for (int q = 1; q < 64; q++) most = max(most, s[q]);
  __syncthreads();
  s[t] = most - in[t];
  __syncthreads();
  int sum = 0;
  for (int q = 0; q < 64; q++) sum += s[q];
  out[t] = sum - s[t];
}

// moving_sum 1 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[36];
  int t = threadIdx.x;
  for (int begin = 0; begin < n; begin += 32) {
    s[t] = in[begin + t];
    if (t < 4) s[32 + t] = begin + 32 + t < n ? in[begin + 32 + t] : 0;
    __syncthreads();
    out[begin + t] = s[t] + s[t + 2] + s[t + 4];
    __syncthreads();
  }
}

// waves 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int level[64], changed;
  int t = threadIdx.x;
  level[t] = t == 0 ? 0 : 99;
  for (int now = 0; now < 64; now++) {
    __syncthreads();
    if (t == 0) changed = 0;
    __syncthreads();
    if (level[t] == 99 && (level[t / 2] == now || level[t * 3 / 4] == now)) {
      changed = 1;
      out[t] = now + 1;
    }
    __syncthreads();
    if (out[t] == now + 1) level[t] = now + 1;
    if (changed == 0) break;
  }
}

// dot 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i] * in[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&out[0], s[0]);
}

// maximum_tree 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) s[t] = max(s[t], s[t + half]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// maximum_scan 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    s[1 - from][t] = t >= d ? max(s[from][t], s[from][t - d]) : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}

// less_the_mean 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    int v = t < half ? s[t + half] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[i] = 64 * in[i] - s[0];
}

// reverse_warps 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = __shfl_sync(0xffffffff, in[i], 31 - threadIdx.x % 32);
}

// sum_of_rows 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  if (t < 8) {
    int sum = 0;
    for (int q = 0; q < 8; q++) sum += s[8 * t + q];
    out[blockIdx.x * 8 + t] = sum;
  }
}

// matrix_vector 2 32 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int v[16], part[32];
  int t = threadIdx.x, row = blockIdx.x * 8 + t / 4;
  if (t < 16) v[t] = in[t];
  __syncthreads();
  int sum = 0;
  for (int q = t % 4; q < 16; q += 4) sum += in[row * 16 + q] * v[q];
  part[t] = sum;
  __syncthreads();
  if (t % 4 == 0) out[row] = part[t] + part[t + 1] + part[t + 2] + part[t + 3];
}

// transpose_in_place 1 256 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int t = threadIdx.x, x = t % 16, y = t / 16;
  out[t] = in[t];
  __syncthreads();
  int v = out[x * 16 + y];
  __syncthreads();
  out[t] = v;
}

// convolution 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[68];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int q = t; q < 68; q += 64) {
    int at = blockIdx.x * 64 + q - 2;
    s[q] = at >= 0 && at < n ? in[at] : 0;
  }
  __syncthreads();
  out[i] = s[t] + 2 * s[t + 1] + 3 * s[t + 2] + 2 * s[t + 3] + s[t + 4];
}

// gather 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[t * 5 % 64];
}

// scatter 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t * 5 % 64] = in[i];
  __syncthreads();
  out[i] = s[t];
}

// message_in_a_block 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int flag, data;
  int t = threadIdx.x;
  if (t == 0) flag = 0; // init
  __syncthreads();
  if (t == 1) {
    data = in[0] + 1;
    __threadfence();
    atomicExch(&flag, 1);
  }
  if (t == 32) {
    while (atomicAdd(&flag, 0) == 0);
    __threadfence();
    out[0] = data;
  }
}

// relay 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    int v = 0;
    if (b > 0) {
      while (atomicAdd(&tmp[b], 0) == 0);
      __threadfence();
      v = tmp[32 + b];
    }
    out[b] = v + in[b];
    tmp[33 + b] = v + in[b];
    __threadfence();
    atomicExch(&tmp[b + 1], 1);
  }
}

// ticket_lock 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0) {
    int mine = atomicAdd(&tmp[0], 1);
    while (atomicAdd(&tmp[1], 0) != mine);
    __threadfence();
    out[0] = out[0] + in[blockIdx.x];
    __threadfence();
    atomicAdd(&tmp[1], 1);
  }
}

// last_block_maximum 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64], last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  if (t == 0) {
    int most = 0;
    for (int q = 0; q < 64; q++) most = max(most, s[q]);
    tmp[1 + blockIdx.x] = most;
    __threadfence();
    last = atomicAdd(&tmp[0], 1) == 3;
    __threadfence();
  }
  __syncthreads();
  if (last && t < 4) atomicMax(&out[0], tmp[1 + t]);
}

// smoothing_steps 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int t = threadIdx.x, i = blockIdx.x * 32 + t, v = in[i];
  for (int step = 1; step <= 2; step++) {
    out[i] = v;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(&tmp[2 * step], 1);
      while (atomicAdd(&tmp[2 * step], 0) < 2);
      __threadfence();
    }
    __syncthreads();
    v = out[i] + out[(i + 1) % n];
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(&tmp[2 * step + 1], 1);
      while (atomicAdd(&tmp[2 * step + 1], 0) < 2);
      __threadfence();
    }
    __syncthreads();
  }
  out[i] = v;
}

// hand_over 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    tmp[1 + t] = in[t] + in[32 + t];
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(&tmp[0], 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&tmp[0], 0) == 0);
      __threadfence();
    }
    __syncthreads();
    out[t] = tmp[1 + t];
  }
}

// tiles_in_turns 1 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[2][32];
  int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int tile = 0; tile < 4; tile++) {
    if (tile < 3) s[1 - tile % 2][t] = in[32 * tile + 32 + t];
    out[32 * tile + t] = s[tile % 2][31 - t];
    __syncthreads();
  }
}

// histogram_of_warps 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int bins[2][8];
  int t = threadIdx.x;
  if (t < 16) bins[t / 8][t % 8] = 0; // init
  __syncthreads();
  atomicAdd(&bins[t / 32][in[t] % 8], 1);
  __syncthreads();
  if (t < 8) out[t] = bins[0][t] + bins[1][t];
}

// rank_sort 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, rank = 0;
  s[t] = in[t];
  __syncthreads();
  for (int q = 0; q < 64; q++) rank += s[q] < s[t] || (s[q] == s[t] && q < t);
  out[rank] = s[t];
}

// count_even 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int count;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) count = 0; // init
  __syncthreads();
  if (in[i] % 2 == 0) atomicAdd(&count, 1);
  __syncthreads();
  if (t == 0) {
    out[1 + blockIdx.x] = count;
    atomicAdd(&out[0], count);
  }
}

// votes 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[2];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  unsigned votes = __ballot_sync(0xffffffff, in[i] > 50);
  if (t % 32 == 0) s[t / 32] = __popc(votes);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s[0] + s[1];
}

// sum_everywhere 2 128 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[4];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, v = in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  out[i] = s[0] + s[1] + s[2] + s[3];
}

// scan_warps 1 128 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[4];
  int t = threadIdx.x, v = in[t];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(0xffffffff, v, d);
    if (t % 32 >= d) v += w;
  }
  if (t % 32 == 31) s[t / 32] = v;
  __syncthreads();
  for (int q = 0; q < t / 32; q++) v += s[q];
  out[t] = v;
}

// above_the_pivot 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int pivot;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) pivot = in[i]; // init
  __syncthreads();
  out[i] = in[i] > pivot;
}

// two_counters 2 64 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int low, high;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) low = 0; // init
  if (t == 32) high = 0; // init
  __syncthreads();
  if (in[i] < 50) {
    atomicAdd(&low, 1);
  } else {
    atomicAdd(&high, 1);
  }
  __syncthreads();
  if (t == 0) atomicAdd(&out[0], low);
  if (t == 32) atomicAdd(&out[1], high);
}

// rule_ninety 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t] % 2;
  __syncthreads();
  for (int step = 0; step < 5; step++) {
    int v = s[(t + 63) % 64] ^ s[(t + 1) % 64];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  out[t] = s[t];
}

// elimination 1 32 32
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int step = 0; step < 31; step++) {
    if (t > step) s[t] -= s[step] / 2;
    __syncthreads();
  }
  out[t] = s[t];
}

// shortest_ways 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int d[64];
  int t = threadIdx.x, row = t / 8, column = t % 8;
  d[t] = row == column ? 0 : in[t] + 1;
  __syncthreads();
  for (int q = 0; q < 8; q++) {
    int way = d[row * 8 + q] + d[q * 8 + column];
    __syncthreads();
    if (way < d[t]) d[t] = way;
    __syncthreads();
  }
  out[t] = d[t];
}

// lock_of_a_bucket 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int bucket = blockIdx.x % 2;
  if (threadIdx.x == 0) {
    while (atomicCAS(&tmp[bucket], 0, 1) != 0);
    __threadfence();
    out[bucket] = out[bucket] + in[blockIdx.x];
    __threadfence();
    atomicExch(&tmp[bucket], 0);
  }
}
