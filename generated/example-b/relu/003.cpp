#include "kernel.h"
#include <algorithm>

void relu(const float* x, float* y, int64_t N, int64_t C) {
    std::transform(x, x + N * C, y, [](float v) { return std::max(v, 0.0f); });
}
