#include "kernel.h"
#include <omp.h>
#include <algorithm>

extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
    int64_t total = N * C;

    #pragma omp parallel
    {
        // Split the work evenly between the threads
        int num_threads = omp_get_num_threads();
        int tid = omp_get_thread_num();
        int64_t per_thread = total / num_threads;
        int64_t start = tid * per_thread;
        int64_t end = start + per_thread;

        // Vectorized by the compiler: 8 floats at a time
        for (int64_t i = start; i + 8 <= end; i += 8) {
            for (int k = 0; k < 8; k++) {
                y[i + k] = std::max(0.0f, x[i + k]);
            }
        }
    }
}
