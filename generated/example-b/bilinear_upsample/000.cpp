#include "kernel.h"
#include <algorithm>
#include <cmath>

// Bilinear interpolation with scale factor 2 and half pixel centers
extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    for (int64_t n = 0; n < N; n++) {
        for (int64_t c = 0; c < C; c++) {
            const float* in = x + (n * C + c) * H * W;
            float* out = y + (n * C + c) * OH * OW;
            for (int64_t oh = 0; oh < OH; oh++) {
                float fy = (oh + 0.5f) / 2.0f - 0.5f;
                int64_t y0 = (int64_t)std::floor(fy);
                float dy = fy - y0;
                int64_t y0c = std::min(std::max<int64_t>(y0, 0), H - 1);
                int64_t y1c = std::min(std::max<int64_t>(y0 + 1, 0), H - 1);
                for (int64_t ow = 0; ow < OW; ow++) {
                    float fx = (ow + 0.5f) / 2.0f - 0.5f;
                    int64_t x0 = (int64_t)std::floor(fx);
                    float dx = fx - x0;
                    int64_t x0c = std::min(std::max<int64_t>(x0, 0), W - 1);
                    int64_t x1c = std::min(std::max<int64_t>(x0 + 1, 0), W - 1);
                    float top = in[y0c * W + x0c] * (1 - dx) + in[y0c * W + x1c] * dx;
                    float bottom = in[y1c * W + x0c] * (1 - dx) + in[y1c * W + x1c] * dx;
                    out[oh * OW + ow] = top * (1 - dy) + bottom * dy;
                }
            }
        }
    }
}
