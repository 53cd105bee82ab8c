#include "kernel.h"
#include <algorithm>

// For scale 2 the weights are always 0.75 for the near pixel and 0.25 for the far pixel.
extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    #pragma omp parallel for
    for (int64_t nc = 0; nc < N * C; nc++) {
        const float* in = x + nc * H * W;
        float* out = y + nc * OH * OW;
        for (int64_t oh = 0; oh < OH; oh++) {
            int64_t near_h = oh / 2;
            int64_t far_h = (oh % 2 == 0) ? near_h - 1 : near_h + 1;
            far_h = std::clamp<int64_t>(far_h, 0, H - 1);
            for (int64_t ow = 0; ow < OW; ow++) {
                int64_t near_w = ow / 2;
                int64_t far_w = (ow % 2 == 0) ? near_w - 1 : near_w + 1;
                far_w = std::clamp<int64_t>(far_w, 0, W - 1);

                float a = 0.75f * in[near_h * W + near_w] + 0.25f * in[near_h * W + far_w];
                float b = 0.75f * in[far_h * W + near_w] + 0.25f * in[far_h * W + far_w];
                out[oh * OW + ow] = 0.75f * a + 0.25f * b;
            }
        }
    }
}
