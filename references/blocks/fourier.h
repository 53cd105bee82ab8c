// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of float32, of many sequences at once that lie side by side, so that the innermost loop takes vectors:
// Stockham's algorithm, radix 4 where it divides, else the smallest factor (Van Loan, "Computational Frameworks for the Fast Fourier
// Transform", 1992).
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace blocks {

struct Numbers {
  std::vector<float> real, imaginary;
  explicit Numbers(int64_t n) : real(static_cast<std::size_t>(n)), imaginary(static_cast<std::size_t>(n)) {}
};

inline Numbers roots_of_unity(int64_t n) {
  Numbers roots(n);
  for (int64_t k = 0; k < n; ++k) {
    const double angle = -2.0 * M_PI * static_cast<double>(k) / static_cast<double>(n);
    roots.real[k] = static_cast<float>(std::cos(angle));
    roots.imaginary[k] = static_cast<float>(std::sin(angle));
  }
  return roots;
}

inline int64_t smallest_factor(int64_t n) {
  for (int64_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

/// Four inputs `apart`, of `run` numbers each, to four outputs side by side; output k is turned by the k-th of `turns`.
inline void four(const Numbers& x, Numbers& y, int64_t in, int64_t apart, int64_t out, int64_t run, const float (&turns)[4][2]) {
  const float *r = x.real.data() + in, *i = x.imaginary.data() + in;
  float *to_r = y.real.data() + out, *to_i = y.imaginary.data() + out;
#pragma omp simd
  for (int64_t at = 0; at < run; ++at) {
    const float r0 = r[at] + r[at + 2 * apart], i0 = i[at] + i[at + 2 * apart];
    const float r1 = r[at] - r[at + 2 * apart], i1 = i[at] - i[at + 2 * apart];
    const float r2 = r[at + apart] + r[at + 3 * apart], i2 = i[at + apart] + i[at + 3 * apart];
    const float r3 = r[at + apart] - r[at + 3 * apart], i3 = i[at + apart] - i[at + 3 * apart];
    to_r[at] = r0 + r2;
    to_i[at] = i0 + i2;
    const float a[4][2] = {{}, {r1 + i3, i1 - r3}, {r0 - r2, i0 - i2}, {r1 - i3, i1 + r3}};
    for (int64_t k = 1; k < 4; ++k) {
      to_r[at + k * run] = a[k][0] * turns[k][0] - a[k][1] * turns[k][1];
      to_i[at + k * run] = a[k][0] * turns[k][1] + a[k][1] * turns[k][0];
    }
  }
}

/// The transform along the first axis of x[n, lanes], which ends in x; y has room for it.
inline void transform(Numbers& x, Numbers& y, int64_t n, int64_t lanes, const Numbers& roots) {
  for (int64_t length = n, run = lanes; length > 1;) {
    const int64_t radix = length % 4 == 0 ? 4 : smallest_factor(length), rest = length / radix, step = n / length;
    for (int64_t p = 0; p < rest; ++p) {
      const int64_t out = p * radix * run;
      if (radix == 4) {
        float turns[4][2];
        for (int64_t k = 0; k < 4; ++k) turns[k][0] = roots.real[p * k * step], turns[k][1] = roots.imaginary[p * k * step];
        four(x, y, p * run, rest * run, out, run, turns);
        continue;
      }
      for (int64_t k = 0; k < radix; ++k) {
        float *real = y.real.data() + out + k * run, *imaginary = y.imaginary.data() + out + k * run;
        for (int64_t j = 0; j < radix; ++j) {
          const int64_t root = k * (p + j * rest) % length * step;
          const float c = roots.real[root], s = roots.imaginary[root];
          const float *r = x.real.data() + (p + j * rest) * run, *i = x.imaginary.data() + (p + j * rest) * run;
          for (int64_t at = 0; at < run; ++at) {
            real[at] = (j == 0 ? 0 : real[at]) + r[at] * c - i[at] * s;
            imaginary[at] = (j == 0 ? 0 : imaginary[at]) + r[at] * s + i[at] * c;
          }
        }
      }
    }
    std::swap(x, y);
    length = rest;
    run *= radix;
  }
}

}  // namespace blocks
