#include "kernel.h"

#include <cstdint>
#include <vector>

// Upsample x2 (bilinear, align_corners = false).
// Horizontal stage first, into two line buffers that roll down the image; the vertical stage then
// combines the lines (i-1, i) and (i, i+1) with weights 1/4 : 3/4.

static void widen(const float* in, float* out, int64_t W) {
    out[0] = in[0];
    for (int64_t j = 0; j + 1 < W; ++j) {
        const float a = in[j], b = in[j + 1];
        out[2 * j + 1] = 0.75f * a + 0.25f * b;
        out[2 * j + 2] = 0.25f * a + 0.75f * b;
    }
    out[2 * W - 1] = in[W - 1];
}

extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    const int64_t planes = N * C;
    #pragma omp parallel
    {
        std::vector<float> buf_a(OW), buf_b(OW);
        #pragma omp for
        for (int64_t p = 0; p < planes; ++p) {
            const float* in = x + p * H * W;
            float* out = y + p * OH * OW;
            float* cur = buf_a.data();
            float* nxt = buf_b.data();

            widen(in, cur, W);
            for (int64_t j = 0; j < OW; ++j) out[j] = cur[j];          // first output row
            for (int64_t i = 0; i + 1 < H; ++i) {
                widen(in + (i + 1) * W, nxt, W);
                float* r0 = out + (2 * i + 1) * OW;
                float* r1 = r0 + OW;
                #pragma omp simd
                for (int64_t j = 0; j < OW; ++j) {
                    r0[j] = 0.75f * cur[j] + 0.25f * nxt[j];
                    r1[j] = 0.25f * cur[j] + 0.75f * nxt[j];
                }
                float* t = cur;
                cur = nxt;
                nxt = t;
            }
            for (int64_t j = 0; j < OW; ++j) out[(OH - 1) * OW + j] = cur[j];  // last output row
        }
    }
}
