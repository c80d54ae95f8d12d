// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of loops.c as kernels, a thread for each element.

#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void

KERNEL copy(const float *a, float *c) { c[AT] = a[AT]; }

KERNEL add(const float *a, const float *b, float *c) { c[AT] = a[AT] + b[AT]; }

KERNEL triad(const float *a, const float *b, float *c) { c[AT] = a[AT] + 3.0f * b[AT]; }

KERNEL transpose(const float *a, float *c, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  c[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

KERNEL stencil(const float *a, float *c, int n) {
  int x = AT, y = blockIdx.y, i = y * n + x;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    c[i] = (a[i] + a[i - n] + a[i + n] + a[i - 1] + a[i + 1]) * 0.2f;
}

KERNEL reduce(const float *a, float *c) {
  __shared__ float part[256];
  const float *in = a + blockIdx.x * 1024 + threadIdx.x;
  part[threadIdx.x] = in[0] + in[256] + in[512] + in[768];
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    c[blockIdx.x] = part[0];
}

KERNEL scan(const float *a, float *c) {
  __shared__ float part[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = a[AT];
  for (int far = 1; far < 32; far *= 2) {
    float other = __shfl_up_sync(0xffffffff, sum, far);
    if (lane >= far)
      sum += other;
  }
  if (lane == 31)
    part[warp] = sum;
  __syncthreads();
  for (int i = 0; i < warp; i++)
    sum += part[i];
  c[AT] = sum;
}

// A block of 256 for a row of 1,024.
KERNEL softmax(const float *a, float *c) {
  __shared__ float part[256];
  const float *in = a + blockIdx.x * 1024 + threadIdx.x;
  float *out = c + blockIdx.x * 1024 + threadIdx.x;
  float v[4], most = -1e38f, sum = 0;
  for (int i = 0; i < 4; i++)
    most = fmaxf(most, v[i] = in[256 * i]);
  part[threadIdx.x] = most;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + half]);
  }
  __syncthreads();
  most = part[0];
  __syncthreads();
  for (int i = 0; i < 4; i++)
    sum += v[i] = expf(v[i] - most);
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  for (int i = 0; i < 4; i++)
    out[256 * i] = v[i] / part[0];
}

KERNEL matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float left[16][16], right[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

KERNEL convolution(const float *a, const float *w, float *c, int n) {
  int x = AT, y = blockIdx.y;
  if (x < 2 || x >= n - 2 || y < 2 || y >= n - 2)
    return;
  float sum = 0;
  for (int v = 0; v < 5; v++)
    for (int u = 0; u < 5; u++)
      sum += w[5 * v + u] * a[(y + v - 2) * n + x + u - 2];
  c[y * n + x] = sum;
}

KERNEL bodies(const float *px, const float *py, const float *pz, float *c, int n) {
  int i = AT;
  float fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < n; j++) {
    float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
    float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    float w = r * r * r;
    fx += dx * w, fy += dy * w, fz += dz * w;
  }
  c[3 * i] = fx, c[3 * i + 1] = fy, c[3 * i + 2] = fz;
}

__device__ float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float t = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
            k * (-1.821255978f + k * 1.330274429f))));
  float c = 0.39894228f * expf(-0.5f * d * d) * t;
  return d > 0 ? 1.0f - c : c;
}

KERNEL options(const float *s, const float *x, const float *t, float *c) {
  int i = AT;
  float root = sqrtf(t[i]);
  float d1 = (logf(s[i] / x[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * t[i]) / (0.3f * root);
  float d2 = d1 - 0.3f * root;
  c[i] = s[i] * normal(d1) - x[i] * expf(-0.02f * t[i]) * normal(d2);
}

KERNEL mandelbrot(int *c, int n) {
  int x = AT, y = blockIdx.y, k = 0;
  float u = -2.0f + 2.5f * x / n, v = -1.25f + 2.5f * y / n, a = 0, b = 0;
  while (k < 256 && a * a + b * b < 4.0f) {
    float t = a * a - b * b + u;
    b = 2.0f * a * b + v;
    a = t;
    k++;
  }
  c[y * n + x] = k;
}

KERNEL sparse(const int *rows, const int *columns, const float *values, const float *x, float *c) {
  int i = AT;
  float sum = 0;
  for (int j = rows[i]; j < rows[i + 1]; j++)
    sum += values[j] * x[columns[j]];
  c[i] = sum;
}

KERNEL search(const int *rows, const int *columns, int *distance, int level) {
  int i = AT;
  if (distance[i] != level)
    return;
  for (int j = rows[i]; j < rows[i + 1]; j++)
    if (distance[columns[j]] < 0)
      distance[columns[j]] = level + 1;
}

KERNEL rays(const float *spheres, float *c, int count, int n) {
  int column = AT, row = blockIdx.y;
  float ox = 0, oy = 0, oz = -3, light = 0, part = 1;
  float dx = (column - n / 2) * 2.0f / n, dy = (row - n / 2) * 2.0f / n, dz = 1;
  float length = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz);
  dx *= length, dy *= length, dz *= length;
  for (int bounce = 0; bounce < 4; bounce++) {
    float near = 1e30f;
    int hit = -1;
    for (int s = 0; s < count; s++) {
      float x = spheres[4 * s] - ox, y = spheres[4 * s + 1] - oy, z = spheres[4 * s + 2] - oz;
      float along = x * dx + y * dy + z * dz, radius = spheres[4 * s + 3];
      float inside = radius * radius - (x * x + y * y + z * z - along * along);
      if (inside <= 0)
        continue;
      float t = along - sqrtf(inside);
      if (t > 1e-3f && t < near)
        near = t, hit = s;
    }
    if (hit < 0) {
      light += part * (0.5f + 0.5f * dy);
      break;
    }
    ox += near * dx, oy += near * dy, oz += near * dz;
    float radius = 1.0f / spheres[4 * hit + 3];
    float nx = (ox - spheres[4 * hit]) * radius, ny = (oy - spheres[4 * hit + 1]) * radius,
          nz = (oz - spheres[4 * hit + 2]) * radius;
    float turn = 2.0f * (dx * nx + dy * ny + dz * nz);
    dx -= turn * nx, dy -= turn * ny, dz -= turn * nz;
    part *= 0.6f;
  }
  c[row * n + column] = light;
}
