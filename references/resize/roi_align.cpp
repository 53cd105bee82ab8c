// SPDX-License-Identifier: Apache-2.0
// For each axis of a region the fourteen samples' neighbours and weights, which all channels share.
#include <array>

#include "kernel.h"

namespace {

constexpr int64_t parts = 7, samples = 2 * parts;

struct Sample {
  int64_t low = 0, high = 0;
  float low_weight = 0, high_weight = 0;
};

std::array<Sample, samples> samples_of(float from, float to, int64_t extent) {
  std::array<Sample, samples> result;
  const float last = static_cast<float>(extent - 1), start = from - 0.5f, part = ((to - 0.5f) - start) / parts;
  for (int64_t i = 0; i < samples; ++i) {
    const float at = start + static_cast<float>(i / 2) * part + (static_cast<float>(i % 2) + 0.5f) * part / 2.0f;
    Sample& sample = result[i];
    if (at < -1 || at > last + 1) continue;
    if (at <= 0 || at >= last) {
      sample = {at <= 0 ? 0 : extent - 1, 0, 1.0f, 0.0f};
      continue;
    }
    sample.low = static_cast<int64_t>(at);
    sample.high = sample.low + 1;
    sample.high_weight = at - static_cast<float>(sample.low);
    sample.low_weight = 1 - sample.high_weight;
  }
  return result;
}

float bilinear(const float* image, int64_t width, const Sample& row, const Sample& column) {
  const auto along = [&](int64_t y) {
    return column.low_weight * image[y * width + column.low] + column.high_weight * image[y * width + column.high];
  };
  return row.low_weight * along(row.low) + row.high_weight * along(row.high);
}

}  // namespace

void roi_align(const float* x, const float* regions, const int64_t* image, float* y, [[maybe_unused]] int64_t N, int64_t C, int64_t H,
               int64_t W, int64_t R) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < R; ++r) {
    const float* region = regions + r * 4;
    const auto columns = samples_of(region[0], region[2], W), rows = samples_of(region[1], region[3], H);
    for (int64_t c = 0; c < C; ++c) {
      const float* plane = x + (image[r] * C + c) * H * W;
      float* to = y + (r * C + c) * parts * parts;
      for (int64_t i = 0; i < parts; ++i)
        for (int64_t j = 0; j < parts; ++j) {
          float sum = 0;
          for (int64_t k = 0; k < 4; ++k) sum += bilinear(plane, W, rows[2 * i + k / 2], columns[2 * j + k % 2]);
          to[i * parts + j] = sum / 4;
        }
    }
  }
}
