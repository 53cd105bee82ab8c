// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/normalize.h"

#include "kernel.h"

void group_norm_swish_with_statistics(const float* x, const float* scale, const float* bias, const float* slope, float* y, float* mean,
                                      float* reciprocal_root, int64_t N, int64_t G, int64_t C, int64_t L) {
  const int64_t size = C * L;
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * G; ++group) {
    const float* in = x + group * size;
    float* out = y + group * size;
    const blocks::Moments found = blocks::moments(in, size);
    const float centre = mean[group] = static_cast<float>(found.mean);
    const float factor = reciprocal_root[group] = static_cast<float>(1 / std::sqrt(found.variance + 1e-5));
    for (int64_t c = 0; c < C; ++c) {
      const int64_t channel = group % G * C + c;
      const float steep = factor * scale[channel], shift = bias[channel], bent = *slope;
      for (int64_t i = c * L; i < (c + 1) * L; ++i) {
        const float z = (in[i] - centre) * steep + shift;
        out[i] = z / (1.0f + blocks::exp(-bent * z));
      }
    }
  }
}
