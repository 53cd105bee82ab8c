// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

void quantize(const float* x, float factor, int8_t* codes, float* scales, int64_t blocks, int64_t size) {
#pragma omp parallel for
  for (int64_t block = 0; block < blocks; ++block) {
    const float* from = x + block * size;
    float most = 0;
#pragma omp simd reduction(max : most)
    for (int64_t i = 0; i < size; ++i) most = std::max(most, std::fabs(factor * from[i]));
    const float scale = std::max(most / 127.0f, 0x1p-64f);
    scales[block] = scale;
    for (int64_t i = 0; i < size; ++i) {
      const float scaled = factor * from[i] / scale;
      codes[block * size + i] = static_cast<int8_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
    }
  }
}

}  // namespace

extern "C" void quantize_attention_blocks(const float* q, const float* k, int8_t* q_codes, float* q_scale, int8_t* k_codes, float* k_scale,
                                          int64_t B, int64_t P, int64_t D) {
  quantize(q, 1.4426950408889634f / std::sqrt(static_cast<float>(D)), q_codes, q_scale, B * P, 128 * D);
  quantize(k, 1, k_codes, k_scale, 2 * B * P, 64 * D);
}
