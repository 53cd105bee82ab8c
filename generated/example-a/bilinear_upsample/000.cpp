#include "kernel.h"

#include <algorithm>
#include <cstdint>

// 2x bilinear upsampling, half-pixel centers.
//
// With a scale of exactly 2 the source coordinate of output o is (o + 0.5) / 2 - 0.5, i.e. its two
// neighbours are always weighted 3/4 (nearer) and 1/4 (farther):
//   o = 2i     ->  0.25 * x[i-1] + 0.75 * x[i]
//   o = 2i + 1 ->  0.75 * x[i]   + 0.25 * x[i+1]
// Neighbours outside the image are clamped. Everything is fused into one pass over each 2x2 output cell.
extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t nc = 0; nc < N * C; ++nc) {
        for (int64_t h = 0; h < H; ++h) {
            const float* plane = x + nc * H * W;
            const float* up = plane + std::max<int64_t>(h - 1, 0) * W;
            const float* mid = plane + h * W;
            const float* down = plane + std::min<int64_t>(h + 1, H - 1) * W;
            float* __restrict top = y + (nc * OH + 2 * h) * OW;
            float* __restrict bot = top + OW;

            auto cell = [&](int64_t l, int64_t w, int64_t r) {
                const float tl = 0.25f * up[l] + 0.75f * mid[l];
                const float tm = 0.25f * up[w] + 0.75f * mid[w];
                const float tr = 0.25f * up[r] + 0.75f * mid[r];
                const float bl = 0.75f * mid[l] + 0.25f * down[l];
                const float bm = 0.75f * mid[w] + 0.25f * down[w];
                const float br = 0.75f * mid[r] + 0.25f * down[r];
                top[2 * w] = 0.25f * tl + 0.75f * tm;
                top[2 * w + 1] = 0.75f * tm + 0.25f * tr;
                bot[2 * w] = 0.25f * bl + 0.75f * bm;
                bot[2 * w + 1] = 0.75f * bm + 0.25f * br;
            };

            cell(0, 0, std::min<int64_t>(1, W - 1));
#pragma omp simd
            for (int64_t w = 1; w < W - 1; ++w) cell(w - 1, w, w + 1);
            if (W > 1) cell(W - 2, W - 1, W - 1);
        }
    }
}
