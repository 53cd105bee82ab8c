// Max pooling with kernel 4, stride 1, padding 1.
//
// Each plane is copied once into a buffer padded with -infinity; after that every window is in
// bounds. The window maximum is evaluated by doubling: m2 = max of 2 neighbours, m4 = max of two m2,
// once along the rows and once along the columns (4 max operations per element instead of 15).
#include "kernel.h"

#include <cstdint>
#include <limits>
#include <vector>

static inline float fmax2(float a, float b) { return a > b ? a : b; }

extern "C" void max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                               int64_t OH, int64_t OW) {
    const int64_t PH = H + 2, PW = W + 2;
    #pragma omp parallel
    {
        std::vector<float> padded(PH * PW, -std::numeric_limits<float>::infinity());
        std::vector<float> horizontal(PH * PW);

        #pragma omp for
        for (int64_t nc = 0; nc < N * C; ++nc) {
            const float* src = x + nc * H * W;
            float* dst = y + nc * OH * OW;
            for (int64_t h = 0; h < H; ++h)
                for (int64_t w = 0; w < W; ++w) padded[(h + 1) * PW + w + 1] = src[h * W + w];

            for (int64_t h = 0; h < PH; ++h) {
                float* row = padded.data() + h * PW;
                float* hor = horizontal.data() + h * PW;
                #pragma omp simd
                for (int64_t w = 0; w < OW; ++w)
                    hor[w] = fmax2(fmax2(row[w], row[w + 1]), fmax2(row[w + 2], row[w + 3]));
            }
            for (int64_t oh = 0; oh < OH; ++oh) {
                const float* r0 = horizontal.data() + oh * PW;
                const float* r1 = r0 + PW;
                const float* r2 = r1 + PW;
                const float* r3 = r2 + PW;
                #pragma omp simd
                for (int64_t w = 0; w < OW; ++w)
                    dst[oh * OW + w] = fmax2(fmax2(r0[w], r1[w]), fmax2(r2[w], r3[w]));
            }
        }
    }
}
