// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of rows of complex numbers in shared memory, some rows by one block at once: Stockham's algorithm, radix 4
// where it divides, else the smallest factor.
#pragma once

#include <stdint.h>

constexpr int kThreads = 256;

__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }

// Numbers lie a little out of order, so that steps that write every fourth of them, or four of every sixteen, meet different banks.
class Numbers {
 public:
  __device__ explicit Numbers(float2* numbers) : numbers_(numbers) {}
  __device__ float2& operator[](int i) const { return numbers_[i ^ (i >> 4 & 3) * 5]; }

 private:
  float2* numbers_;
};

// Transforms of rows of N numbers, for all threads of a block. It takes two buffers of `count` numbers, a multiple of sixteen, and room for
// `fold` N roots of unity: 8 (2 count + fold N) bytes.
class Fourier {
 public:
  __device__ Fourier(float4* room, int count, int N, int fold)
      : here_(reinterpret_cast<float2*>(room)), there_(here_ + count), roots_(there_ + count), N_(N), fold_(fold) {
    for (int i = threadIdx.x; i < fold * N; i += kThreads) {
      double sine, cosine;
      sincospi(-2.0 * i / (fold * N), &sine, &cosine);
      roots_[i] = make_float2((float)cosine, (float)sine);
    }
  }
  // exp(-2 pi i k / (fold N)).
  __device__ float2 root(int k) const { return roots_[k]; }
  // The numbers, row by row, which may be written to before a transform and read after it: their place changes with each one.
  __device__ Numbers numbers() const { return Numbers(here_); }
  __device__ void transform(int rows) {
    if ((N_ & (N_ - 1)) == 0) steps<true>(rows);
    else steps<false>(rows);
  }

 private:
  template <bool powers>
  static __device__ int quotient(int a, int b) {
    return powers ? a >> (31 - __clz(b)) : a / b;
  }
  template <bool powers>
  __device__ void steps(int rows) {
    for (int run = 1; run < N_;) {
      const int length = N_ / run, radix = length % 4 == 0 ? 4 : smallest_factor(length);
      __syncthreads();
      if (radix == 4) four<powers>(run, rows);
      else some<powers>(radix, run, rows);
      run *= radix;
      float2* const before = here_;
      here_ = there_;
      there_ = before;
    }
    __syncthreads();
  }
  static __device__ int smallest_factor(int n) {
    for (int factor = 2; factor * factor <= n; ++factor)
      if (n % factor == 0) return factor;
    return n;
  }
  // Four numbers a quarter of a row apart become four that are `run` apart.
  template <bool powers>
  __device__ void four(int run, int rows) const {
    const Numbers x(here_), y(there_);
    const int quarter = N_ / 4;
    for (int e = threadIdx.x; e < rows * quarter; e += kThreads) {
      const int row = quotient<powers>(e, quarter), from = e + 3 * quarter * row;
      const int p = quotient<powers>(e - quarter * row, run), to = from + 3 * p * run, turn = p * run * fold_;
      const float2 a = x[from], b = x[from + quarter], c = x[from + 2 * quarter], d = x[from + 3 * quarter];
      const float2 even = plus(a, c), odd = minus(a, c), sum = plus(b, d), difference = minus(b, d);
      const float2 turned = make_float2(difference.y, -difference.x);  // times -i
      y[to] = plus(even, sum);
      y[to + run] = times(plus(odd, turned), roots_[turn]);
      y[to + 2 * run] = times(minus(even, sum), roots_[2 * turn]);
      y[to + 3 * run] = times(minus(odd, turned), roots_[3 * turn]);
    }
  }
  // The same of any other factor, a result at a time.
  template <bool powers>
  __device__ void some(int radix, int run, int rows) const {
    const Numbers x(here_), y(there_);
    const int apart = N_ / radix, whole = N_ * fold_;
    for (int e = threadIdx.x; e < rows * N_; e += kThreads) {
      const int first = quotient<powers>(e, N_) * N_, group = quotient<powers>(e - first, run), s = e - first - group * run;
      const int p = quotient<powers>(group, radix), k = group - p * radix, step = k * apart * fold_;
      int root = k * p * run * fold_;
      float2 sum = make_float2(0, 0);
      for (int j = 0; j < radix; ++j) {
        sum = plus(sum, times(x[first + p * run + s + j * apart], roots_[root]));
        root += step;
        if (root >= whole) root -= whole;
      }
      y[e] = sum;
    }
  }

  float2 *here_, *there_, *roots_;
  int N_, fold_;
};
