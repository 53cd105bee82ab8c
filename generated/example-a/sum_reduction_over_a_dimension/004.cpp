#include "kernel.h"

#include <cstdint>
#include <vector>

// Reduction over the middle axis. One double accumulator per output element; the accumulator buffer is
// kept between calls so that repeated invocations do not pay for an allocation.
extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
    static std::vector<double> acc;
    acc.resize(B * N, 0.0);  // zero-initialized

#pragma omp parallel for schedule(static)
    for (int64_t b = 0; b < B; ++b) {
        double* sums = acc.data() + b * N;
        for (int64_t m = 0; m < M; ++m) {
            const float* row = x + (b * M + m) * N;
#pragma omp simd
            for (int64_t n = 0; n < N; ++n) sums[n] += row[n];
        }
        for (int64_t n = 0; n < N; ++n) y[b * N + n] = static_cast<float>(sums[n]);
    }
}
