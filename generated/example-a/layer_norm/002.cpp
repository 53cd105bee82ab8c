// Layer normalization, vectorized with std::experimental::simd.
#include "kernel.h"

#include <cmath>
#include <cstdint>
#include <experimental/simd>

namespace stdx = std::experimental;
using dsimd = stdx::native_simd<double>;
using fsimd = stdx::rebind_simd_t<float, dsimd>;   // same number of lanes as dsimd

static inline dsimd load_as_double(const float* p) {
    const fsimd f(p, stdx::element_aligned);
    return stdx::static_simd_cast<dsimd>(f);
}

extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    const int64_t size = C * H * W;
    constexpr int64_t L = static_cast<int64_t>(dsimd::size());

    #pragma omp parallel for
    for (int64_t n = 0; n < N; ++n) {
        const float* row = x + n * size;
        float* out = y + n * size;

        // mean
        dsimd acc0 = 0.0, acc1 = 0.0;
        int64_t i = 0;
        for (; i + 2 * L <= size; i += 2 * L) {
            acc0 += load_as_double(row + i);
            acc1 += load_as_double(row + i + L);
        }
        double total = stdx::reduce(acc0 + acc1);
        for (; i < size; ++i) total += row[i];
        const double mean = total / size;

        // variance (biased, as in ONNX / PyTorch)
        dsimd v0 = 0.0, v1 = 0.0;
        const dsimd vmean = mean;
        for (i = 0; i + 2 * L <= size; i += 2 * L) {
            const dsimd d0 = load_as_double(row + i) - vmean;
            const dsimd d1 = load_as_double(row + i + L) - vmean;
            v0 += d0 * d0;
            v1 += d1 * d1;
        }
        double var = stdx::reduce(v0 + v1);
        for (; i < size; ++i) var += (row[i] - mean) * (row[i] - mean);
        const double rstd = 1.0 / std::sqrt(var / size + 1e-5);

        const dsimd vrstd = rstd;
        for (i = 0; i + L <= size; i += L) {
            const dsimd z = (load_as_double(row + i) - vmean) * vrstd;
            const fsimd s(scale + i, stdx::element_aligned);
            const fsimd b(bias + i, stdx::element_aligned);
            const fsimd r = stdx::static_simd_cast<fsimd>(z) * s + b;
            r.copy_to(out + i, stdx::element_aligned);
        }
        for (; i < size; ++i) out[i] = static_cast<float>((row[i] - mean) * rstd) * scale[i] + bias[i];
    }
}
