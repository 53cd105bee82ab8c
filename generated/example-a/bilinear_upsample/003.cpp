#include "kernel.h"

#include <algorithm>
#include <cstdint>

// Bilinear 2x upsampling. The step between neighbouring output samples, expressed in input
// pixels, is (in - 1) / (out - 1), so that the first and the last samples of both grids coincide.
extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    const float step_h = OH > 1 ? static_cast<float>(H - 1) / static_cast<float>(OH - 1) : 0.0f;
    const float step_w = OW > 1 ? static_cast<float>(W - 1) / static_cast<float>(OW - 1) : 0.0f;

#pragma omp parallel for collapse(2)
    for (int64_t nc = 0; nc < N * C; ++nc) {
        for (int64_t oh = 0; oh < OH; ++oh) {
            const float sh = step_h * static_cast<float>(oh);
            const int64_t h0 = std::min(static_cast<int64_t>(sh), H - 1);
            const int64_t h1 = std::min(h0 + 1, H - 1);
            const float fh = sh - static_cast<float>(h0);
            const float* r0 = x + (nc * H + h0) * W;
            const float* r1 = x + (nc * H + h1) * W;
            float* out = y + (nc * OH + oh) * OW;
            for (int64_t ow = 0; ow < OW; ++ow) {
                const float sw = step_w * static_cast<float>(ow);
                const int64_t w0 = std::min(static_cast<int64_t>(sw), W - 1);
                const int64_t w1 = std::min(w0 + 1, W - 1);
                const float fw = sw - static_cast<float>(w0);
                const float top = (1.0f - fw) * r0[w0] + fw * r0[w1];
                const float bottom = (1.0f - fw) * r1[w0] + fw * r1[w1];
                out[ow] = (1.0f - fh) * top + fh * bottom;
            }
        }
    }
}
