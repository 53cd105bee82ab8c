#include "kernel.h"
#include <algorithm>

// Bilinear upsampling (scale 2, align_corners=False), same formula as in PyTorch:
// negative source positions are clamped to zero.
extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    for (int64_t nc = 0; nc < N * C; nc++) {
        const float* img = x + nc * H * W;
        float* dst = y + nc * OH * OW;
        for (int64_t oh = 0; oh < OH; oh++) {
            float src_y = std::max(0.0f, (oh + 0.5f) * 0.5f - 0.5f);
            int64_t y0 = (int64_t)src_y;
            int64_t y1 = y0 + 1;
            float ly = src_y - y0;
            for (int64_t ow = 0; ow < OW; ow++) {
                float src_x = std::max(0.0f, (ow + 0.5f) * 0.5f - 0.5f);
                int64_t x0 = (int64_t)src_x;
                int64_t x1 = x0 + 1;
                float lx = src_x - x0;
                float v0 = img[y0 * W + x0] * (1.0f - lx) + img[y0 * W + x1] * lx;
                float v1 = img[y1 * W + x0] * (1.0f - lx) + img[y1 * W + x1] * lx;
                dst[oh * OW + ow] = v0 * (1.0f - ly) + v1 * ly;
            }
        }
    }
}
