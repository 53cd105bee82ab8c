// Max pool 4x4, stride 1, pad 1 - running vertical maxima.
//
// Two output rows share three of their four input rows, so for every pair of output rows the common
// maximum of the three shared rows is evaluated once. The row stage works on 4-tap windows with
// replicated edges: repeating an element that is already inside the window does not change its
// maximum, therefore no explicit -inf padding is required.
#include "kernel.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

inline float mx(float a, float b) { return a < b ? b : a; }

void horizontal(const float* v, float* __restrict out, int64_t W, int64_t OW) {
    for (int64_t j : {int64_t{0}, OW - 1}) {
        float m = v[std::max<int64_t>(j - 1, 0)];
        for (int64_t w = std::max<int64_t>(j - 1, 0); w <= std::min(j + 2, W - 1); ++w) m = mx(m, v[w]);
        out[j] = m;
    }
#pragma omp simd
    for (int64_t j = 1; j < OW - 1; ++j) out[j] = mx(mx(v[j - 1], v[j]), mx(v[j + 1], v[j + 2]));
}

}  // namespace

extern "C" void max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                               int64_t OH, int64_t OW) {
#pragma omp parallel
    {
        std::vector<float> top(W), bottom(W);
#pragma omp for
        for (int64_t p = 0; p < N * C; ++p) {
            const float* in = x + p * H * W;
            float* out = y + p * OH * OW;
            const auto row = [&](int64_t h) { return in + std::clamp<int64_t>(h, 0, H - 1) * W; };
            for (int64_t oh = 0; oh < OH; oh += 2) {
                const float *r0 = row(oh - 1), *r1 = row(oh), *r2 = row(oh + 1), *r3 = row(oh + 2), *r4 = row(oh + 3);
                float *t = top.data(), *b = bottom.data();
#pragma omp simd
                for (int64_t w = 0; w < W; ++w) {
                    const float shared = mx(mx(r1[w], r2[w]), r3[w]);
                    t[w] = mx(shared, r0[w]);
                    b[w] = mx(shared, r4[w]);
                }
                horizontal(t, out + oh * OW, W, OW);
                if (oh + 1 < OH) horizontal(b, out + (oh + 1) * OW, W, OW);
            }
        }
    }
}
