#include "kernel.h"
#include <vector>
#include <numeric>

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
    std::vector<float> masked(C);
    for (int64_t n = 0; n < N; n++) {
        // Apply the mask
        for (int64_t c = 0; c < C; c++) {
            masked[c] = x[n * C + c] * mask[n * C + c];
        }
        // Cumulative sum
        std::partial_sum(masked.begin(), masked.end(), y + n * C);
    }
}
