#include "kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

// 4x4 / stride 1 / pad 1 max pooling.
// Max is separable: first take the maximum over 4 rows (vertical), then over 4 columns (horizontal).
// The vertical result is stored in a row buffer with one -inf on the left and one on the right, so the
// horizontal pass is a branch-free loop the compiler can vectorize.
extern "C" void max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                               int64_t OH, int64_t OW) {
    const float ninf = -std::numeric_limits<float>::infinity();

#pragma omp parallel
    {
        std::vector<float> buffer(static_cast<size_t>(W + 2), ninf);
        float* row = buffer.data() + 1;

#pragma omp for schedule(static)
        for (int64_t plane = 0; plane < N * C; ++plane) {
            const float* in = x + plane * H * W;
            float* out = y + plane * OH * OW;
            for (int64_t oh = 0; oh < OH; ++oh) {
                const int64_t h0 = std::max<int64_t>(oh - 1, 0);
                const int64_t h1 = std::min<int64_t>(oh + 3, H);  // exclusive
                std::copy(in + h0 * W, in + h0 * W + W, row);
                for (int64_t h = h0 + 1; h < h1; ++h) {
                    const float* src = in + h * W;
#pragma omp simd
                    for (int64_t w = 0; w < W; ++w) row[w] = src[w] > row[w] ? src[w] : row[w];
                }
                float* dst = out + oh * OW;
                const float* p = row - 1;
#pragma omp simd
                for (int64_t ow = 0; ow < OW; ++ow) {
                    const float a = p[ow] > p[ow + 1] ? p[ow] : p[ow + 1];
                    const float b = p[ow + 2] > p[ow + 3] ? p[ow + 2] : p[ow + 3];
                    dst[ow] = a > b ? a : b;
                }
            }
        }
    }
}
