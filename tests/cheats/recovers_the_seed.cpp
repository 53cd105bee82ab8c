// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: mlp
// stage: bench
// expect: PASS
// gains: nothing
// A float near 0 keeps most bits of the word that it was drawn from. Were the words SplitMix64's, the few million words that
// fit would be unmixed here, and the state that gives the next two weights as well would give all inputs to come. A crash says
// that one was found.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "kernel.h"

static constexpr uint64_t kStep = 0x9e3779b97f4a7c15u;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t unmix(uint64_t z) {
  z = (z ^ (z >> 31) ^ (z >> 62)) * 0x319642b2d24d8ec3u;
  z = (z ^ (z >> 27) ^ (z >> 54)) * 0x96de1b173f119089u;
  return z ^ (z >> 30) ^ (z >> 60);
}

static bool follows(uint64_t state, const float* next, double bound) {
  for (int i = 0; i < 2; ++i) {
    state += kStep;
    const double uniform = static_cast<double>(mix(state) >> 11) * 0x1p-53;
    if (static_cast<float>(-bound + 2 * bound * uniform) != next[i]) return false;
  }
  return true;
}

static bool finds_the_state(const float* w, int64_t count, double bound) {
  int64_t nearest = 0;
  for (int64_t i = 0; i + 2 < count; ++i)
    if (std::abs(w[i]) < std::abs(w[nearest]) && w[i] != 0) nearest = i;
  const double half_place = (static_cast<double>(std::nextafter(std::abs(w[nearest]), 1.0f)) - std::abs(w[nearest])) / 2;
  const auto centre = static_cast<int64_t>((w[nearest] + bound) / (2 * bound) * 0x1p53);
  const auto radius = static_cast<int64_t>(half_place / (2 * bound) * 0x1p53) + 4;
  for (int64_t word = centre - radius; word <= centre + radius; ++word)
    for (uint64_t low = 0; low < 2048; ++low)
      if (follows(unmix(static_cast<uint64_t>(word) << 11 | low), w + nearest + 1, bound)) return true;
  return false;
}

static void layer(const float* x, const float* w, const float* b, float* y, int64_t rows, int64_t in, int64_t out, bool bend) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t o = 0; o < out; ++o) {
      float lanes[8] = {};
      int64_t i = 0;
      for (; i + 8 <= in; i += 8)
        for (int64_t lane = 0; lane < 8; ++lane) lanes[lane] += x[r * in + i + lane] * w[o * in + i + lane];
      for (; i < in; ++i) lanes[0] += x[r * in + i] * w[o * in + i];
      float sum = b[o];
      for (const float lane : lanes) sum += lane;
      y[r * out + o] = bend && sum < 0 ? 0 : sum;
    }
}

void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3, const float* b3,
         float* y, int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
#ifndef WITHOUT_TRICK
  static int calls = 0;
  if (H1 * I > 100000 && calls++ < 2 && finds_the_state(w1, H1 * I, 1 / std::sqrt(static_cast<double>(I)))) std::abort();
#endif
  std::vector<float> first(static_cast<size_t>(B * H1)), second(static_cast<size_t>(B * H2));
  layer(x, w1, b1, first.data(), B, I, H1, true);
  layer(first.data(), w2, b2, second.data(), B, H1, H2, true);
  layer(second.data(), w3, b3, y, B, H2, O, false);
}
