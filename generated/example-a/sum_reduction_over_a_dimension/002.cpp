#include "kernel.h"

#include <cstdint>
#include <omp.h>
#include <vector>

// Two-level reduction. If there are many batches the batch loop is parallelized; for few batches with a
// long reduced axis the rows are split over the threads and the partial sums are combined afterwards.

static void accumulate(const float* x, double* acc, int64_t rows, int64_t N) {
    for (int64_t m = 0; m < rows; ++m) {
        const float* row = x + m * N;
        #pragma omp simd
        for (int64_t n = 0; n < N; ++n) acc[n] += row[n];
    }
}

extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
    const int threads = omp_get_max_threads();

    if (B >= threads || M < 1024) {
        #pragma omp parallel for
        for (int64_t b = 0; b < B; ++b) {
            std::vector<double> acc(N, 0.0);
            accumulate(x + b * M * N, acc.data(), M, N);
            for (int64_t n = 0; n < N; ++n) y[b * N + n] = static_cast<float>(acc[n]);
        }
        return;
    }

    for (int64_t b = 0; b < B; ++b) {
        std::vector<std::vector<double>> partial(threads, std::vector<double>(N, 0.0));
        #pragma omp parallel for schedule(static, 1)
        for (int t = 0; t < threads; ++t) {
            const int64_t begin = M * t / threads, end = M * (t + 1) / threads;
            accumulate(x + (b * M + begin) * N, partial[t].data(), end - begin, N);
        }
        for (int64_t n = 0; n < N; ++n) {
            double s = 0.0;
            for (int t = 0; t < threads; ++t) s += partial[t][n];
            y[b * N + n] = static_cast<float>(s);
        }
    }
}
