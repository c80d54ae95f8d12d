// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kernels.cu as loops of a CPU, each over part of a range, and threads that share one.

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef void (*loop)(void **arguments, long begin, long end);

// -- threads: each takes `step` elements of 0 .. `count` at a time, or where `step` is an equal share
// of all, its own share, as OpenMP's static schedule has it.

static struct {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  loop body;
  void **arguments;
  long count, step, runs;
  int threads, busy;
  atomic_long next;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .begin = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER};

static void part(long at) {
  long end = at + pool.step;
  if (at < pool.count)
    pool.body(pool.arguments, at, end < pool.count ? end : pool.count);
}

static void take(long thread) {
  if (pool.step * pool.threads >= pool.count) {
    part(thread * pool.step);
    return;
  }
  for (;;) {
    long at = atomic_fetch_add(&pool.next, pool.step);
    if (at >= pool.count)
      return;
    part(at);
  }
}

static void *help(void *number) {
  long seen = 0;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.runs == seen)
      pthread_cond_wait(&pool.begin, &pool.lock);
    seen = pool.runs;
    pthread_mutex_unlock(&pool.lock);
    take((long)number);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0)
      pthread_cond_signal(&pool.end);
  }
  return 0;
}

void start(int threads) {
  pool.threads = threads;
  for (long i = 1; i < threads; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, help, (void *)i);
    pthread_detach(thread);
  }
}

void parallel(loop body, void **arguments, long count, long step) {
  pthread_mutex_lock(&pool.lock);
  pool.body = body, pool.arguments = arguments, pool.count = count, pool.step = step;
  atomic_store(&pool.next, 0);
  pool.busy = pool.threads - 1;
  pool.runs++;
  pthread_cond_broadcast(&pool.begin);
  pthread_mutex_unlock(&pool.lock);
  take(0);
  pthread_mutex_lock(&pool.lock);
  while (pool.busy)
    pthread_cond_wait(&pool.end, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

#define FLOATS(name, number) float *restrict name = p[number]
#define INTS(name, number) int *restrict name = p[number]
#define INT(name, number) const long name = *(int *)p[number]
#define EACH(i) for (long i = begin; i < end; i++)

// -- memory

void copy(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(c, 1);
  EACH(i) c[i] = a[i];
}

void add(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(b, 1);
  FLOATS(c, 2);
  EACH(i) c[i] = a[i] + b[i];
}

void triad(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(b, 1);
  FLOATS(c, 2);
  EACH(i) c[i] = a[i] + 3.0f * b[i];
}

// The range is of strips of 16 rows.
void transpose(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(c, 1);
  INT(n, 2);
  EACH(strip) for (long x0 = 0; x0 < n; x0 += 16) {
    for (long x = x0; x < x0 + 16; x++)
      for (long y = 16 * strip; y < 16 * strip + 16; y++)
        c[x * n + y] = a[y * n + x];
  }
}

void stencil(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(c, 1);
  INT(n, 2);
  EACH(y) {
    if (y == 0 || y == n - 1)
      continue;
    for (long x = 1; x < n - 1; x++) {
      long i = y * n + x;
      c[i] = (a[i] + a[i - n] + a[i + n] + a[i - 1] + a[i + 1]) * 0.2f;
    }
  }
}

// -- reductions: 256 elements a sum, as a block has

void reduce(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(c, 1);
  EACH(i) {
#pragma clang fp reassociate(on)
    float sum = 0;
    for (long j = 0; j < 1024; j++)
      sum += a[i * 1024 + j];
    c[i] = sum;
  }
}

// Of each 256 elements by themselves.
void scan(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(c, 1);
  EACH(i) {
    float sum = 0;
    for (long j = 0; j < 256; j++)
      c[i * 256 + j] = sum += a[i * 256 + j];
  }
}

void softmax(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(c, 1);
  EACH(y) {
#pragma clang fp reassociate(on)
    float most = -INFINITY, sum = 0, *in = a + y * 1024, *restrict out = c + y * 1024;
    for (long x = 0; x < 1024; x++)
      most = in[x] > most ? in[x] : most;
    for (long x = 0; x < 1024; x++) {
      out[x] = expf(in[x] - most);
      sum += out[x];
    }
    for (long x = 0; x < 1024; x++)
      out[x] /= sum;
  }
}

// -- arithmetic

// The range is of strips of 8 rows.
void matmul(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(b, 1);
  FLOATS(c, 2);
  INT(n, 3);
  EACH(strip) for (long x0 = 0; x0 < n; x0 += 64) {
    float sums[8][64] = {0};
    for (long k = 0; k < n; k++)
      for (long y = 0; y < 8; y++) {
        float factor = a[(8 * strip + y) * n + k];
        for (long x = 0; x < 64; x++)
          sums[y][x] += factor * b[k * n + x0 + x];
      }
    for (long y = 0; y < 8; y++)
      memcpy(c + (8 * strip + y) * n + x0, sums[y], sizeof sums[y]);
  }
}

// 5 x 5, of the inside.
void convolution(void **p, long begin, long end) {
  FLOATS(a, 0);
  FLOATS(w, 1);
  FLOATS(c, 2);
  INT(n, 3);
  EACH(y) {
    if (y < 2 || y >= n - 2)
      continue;
    for (long x = 2; x < n - 2; x++) {
      float sum = 0;
      for (long v = 0; v < 5; v++)
        for (long u = 0; u < 5; u++)
          sum += w[5 * v + u] * a[(y + v - 2) * n + x + u - 2];
      c[y * n + x] = sum;
    }
  }
}

void bodies(void **p, long begin, long end) {
  FLOATS(px, 0);
  FLOATS(py, 1);
  FLOATS(pz, 2);
  FLOATS(c, 3);
  INT(n, 4);
  EACH(i) {
#pragma clang fp reassociate(on)
    float fx = 0, fy = 0, fz = 0;
    for (long j = 0; j < n; j++) {
      float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
      float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float w = r * r * r;
      fx += dx * w, fy += dy * w, fz += dz * w;
    }
    c[3 * i] = fx, c[3 * i + 1] = fy, c[3 * i + 2] = fz;
  }
}

static inline float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float t = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
            k * (-1.821255978f + k * 1.330274429f))));
  float c = 0.39894228f * expf(-0.5f * d * d) * t;
  return d > 0 ? 1.0f - c : c;
}

void options(void **p, long begin, long end) {
  FLOATS(s, 0);
  FLOATS(x, 1);
  FLOATS(t, 2);
  FLOATS(c, 3);
  EACH(i) {
    float root = sqrtf(t[i]);
    float d1 = (logf(s[i] / x[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * t[i]) / (0.3f * root);
    float d2 = d1 - 0.3f * root;
    c[i] = s[i] * normal(d1) - x[i] * expf(-0.02f * t[i]) * normal(d2);
  }
}

// -- divergence

void mandelbrot(void **p, long begin, long end) {
  INTS(c, 0);
  INT(n, 1);
  EACH(y) for (long x = 0; x < n; x++) {
    float u = -2.0f + 2.5f * x / n, v = -1.25f + 2.5f * y / n, a = 0, b = 0;
    int k = 0;
    while (k < 256 && a * a + b * b < 4.0f) {
      float t = a * a - b * b + u;
      b = 2.0f * a * b + v;
      a = t;
      k++;
    }
    c[y * n + x] = k;
  }
}

void sparse(void **p, long begin, long end) {
  INTS(rows, 0);
  INTS(columns, 1);
  FLOATS(values, 2);
  FLOATS(x, 3);
  FLOATS(c, 4);
  EACH(i) {
    float sum = 0;
    for (int j = rows[i]; j < rows[i + 1]; j++)
      sum += values[j] * x[columns[j]];
    c[i] = sum;
  }
}

// A step of a breadth-first search: neighbors of those at a distance that are not reached yet.
void search(void **p, long begin, long end) {
  INTS(rows, 0);
  INTS(columns, 1);
  INTS(distance, 2);
  INT(level, 3);
  EACH(i) {
    if (distance[i] != level)
      continue;
    for (int j = rows[i]; j < rows[i + 1]; j++)
      if (distance[columns[j]] < 0)
        distance[columns[j]] = level + 1;
  }
}

// The nearest of `count` spheres that a ray hits, which is thrown back up to four times.
void rays(void **p, long begin, long end) {
  FLOATS(spheres, 0);
  FLOATS(c, 1);
  INT(count, 2);
  INT(n, 3);
  EACH(row) for (long column = 0; column < n; column++) {
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
}
