// LayerNorm using multidimensional views for clarity. The normalized axes (C, H, W) are contiguous,
// so the 4-D view is collapsed to (N, D) for the reductions.
#include "kernel.h"

#include <cmath>
#include <cstdint>
#include <mdspan>

using Matrix = std::mdspan<const float, std::dextents<int64_t, 2>>;
using MutMatrix = std::mdspan<float, std::dextents<int64_t, 2>>;

extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    const int64_t D = C * H * W;
    const Matrix in(x, N, D);
    const MutMatrix out(y, N, D);

    #pragma omp parallel for
    for (int64_t n = 0; n < N; ++n) {
        double mean = 0.0;
        for (int64_t i = 0; i < D; ++i) mean += in[n, i];
        mean /= D;

        double var = 0.0;
        for (int64_t i = 0; i < D; ++i) {
            const double d = in[n, i] - mean;
            var += d * d;
        }
        const double rstd = 1.0 / std::sqrt(var / D + 1e-5);

        for (int64_t i = 0; i < D; ++i)
            out[n, i] = static_cast<float>((in[n, i] - mean) * rstd) * scale[i] + bias[i];
    }
}
