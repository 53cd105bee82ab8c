// Separable bilinear resize with precomputed source indices and weights.
#include "kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

struct Axis {
    std::vector<int32_t> lo, hi;
    std::vector<float> w_lo, w_hi;

    Axis(int64_t in, int64_t out) : lo(out), hi(out), w_lo(out), w_hi(out) {
        const double ratio = static_cast<double>(in) / static_cast<double>(out);
        for (int64_t o = 0; o < out; ++o) {
            const double src = (static_cast<double>(o) + 0.5) * ratio - 0.5;
            const double base = std::floor(src);
            const double frac = src - base;
            const int64_t i = static_cast<int64_t>(base);
            lo[o] = static_cast<int32_t>(std::clamp<int64_t>(i, 0, in - 1));
            hi[o] = static_cast<int32_t>(std::clamp<int64_t>(i + 1, 0, in - 1));
            w_hi[o] = static_cast<float>(frac);
            w_lo[o] = static_cast<float>(1.0 - frac);
        }
    }
};

}  // namespace

extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    const Axis rows(H, OH), cols(W, OW);
#pragma omp parallel
    {
        // Every input row is widened once and reused by up to four output rows.
        std::vector<float> wide(static_cast<size_t>(H * OW));
#pragma omp for schedule(static)
        for (int64_t p = 0; p < N * C; ++p) {
            const float* src = x + p * H * W;
            for (int64_t h = 0; h < H; ++h) {
                const float* r = src + h * W;
                float* o = wide.data() + h * OW;
                for (int64_t j = 0; j < OW; ++j) o[j] = cols.w_lo[j] * r[cols.lo[j]] + cols.w_hi[j] * r[cols.hi[j]];
            }
            for (int64_t i = 0; i < OH; ++i) {
                const float* a = wide.data() + rows.lo[i] * OW;
                const float* b = wide.data() + rows.hi[i] * OW;
                const float wa = rows.w_lo[i], wb = rows.w_hi[i];
                float* __restrict o = y + (p * OH + i) * OW;
#pragma omp simd
                for (int64_t j = 0; j < OW; ++j) o[j] = wa * a[j] + wb * b[j];
            }
        }
    }
}
