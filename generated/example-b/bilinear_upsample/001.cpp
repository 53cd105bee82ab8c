#include "kernel.h"
#include <algorithm>

// Bilinear upsampling by a factor of 2
extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    #pragma omp parallel for
    for (int64_t p = 0; p < N * C; p++) {
        for (int64_t i = 0; i < OH; i++) {
            for (int64_t j = 0; j < OW; j++) {
                // position in the source image
                float sy = i / 2.0f;
                float sx = j / 2.0f;
                int64_t y0 = (int64_t)sy;
                int64_t x0 = (int64_t)sx;
                int64_t y1 = std::min(y0 + 1, H - 1);
                int64_t x1 = std::min(x0 + 1, W - 1);
                float wy = sy - y0;
                float wx = sx - x0;

                const float* in = x + p * H * W;
                y[(p * OH + i) * OW + j] = (1 - wy) * ((1 - wx) * in[y0 * W + x0] + wx * in[y0 * W + x1]) +
                                           wy * ((1 - wx) * in[y1 * W + x0] + wx * in[y1 * W + x1]);
            }
        }
    }
}
