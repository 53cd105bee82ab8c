// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/integer_product.h"

#include <cmath>

#include "kernel.h"

extern "C" void grouped_int8_matmul_swiglu_quantize(const int8_t* x, const int8_t* w, const float* x_scale, const float* w_scale,
                                                    const int64_t* offsets, int8_t* q, float* scale, int64_t M, int64_t K, int64_t G,
                                                    int64_t N) {
  const int64_t width = 2 * N;
  const std::vector<float> left(x, x + M * K);
  for (int64_t g = 0; g < G; ++g) {
    const int64_t begin = offsets[g], rows = offsets[g + 1] - begin;
    if (rows == 0) continue;
    const std::vector<float> right(w + g * K * width, w + (g + 1) * K * width);
    const float* columns = w_scale + g * width;
    const std::vector<int32_t> sums =
        blocks::integer_product(rows, width, K, left.data() + begin * K, blocks::row_major(right.data(), width), 128 * 128);
#pragma omp parallel
    {
      std::vector<float> z(N);
#pragma omp for schedule(static)
      for (int64_t r = 0; r < rows; ++r) {
        const int64_t m = begin + r;
        const int32_t* sum = &sums[r * width];
        float most = 0;
#pragma omp simd reduction(max : most)
        for (int64_t n = 0; n < N; ++n) {
          const float gate = static_cast<float>(sum[n]) * columns[n] * x_scale[m];
          const float value = static_cast<float>(sum[N + n]) * columns[N + n] * x_scale[m];
          z[n] = gate * blocks::sigmoid(gate) * value;
          most = std::max(most, std::fabs(z[n]));
        }
        scale[m] = std::max(most / 127.0f, 0x1p-20f);
        for (int64_t n = 0; n < N; ++n) q[m * N + n] = static_cast<int8_t>(std::nearbyint(z[n] / scale[m]));
      }
    }
  }
}
