// ArgMax along dim 1 via integer keys.
//
// Every float is mapped to an int32 whose signed order equals the order of the floats. Value and
// (inverted) position are then packed into one 64-bit key, so that a plain integer maximum gives the
// largest value and, among equal values, the smallest position.
#include "kernel.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace {

constexpr int64_t kWidth = 128;

inline int64_t make_key(float v, int64_t m) {
    const int32_t bits = std::bit_cast<int32_t>(v + 0.0f);  // + 0.0f turns -0 into +0
    const int32_t ordered = bits ^ ((bits >> 31) & 0x7fffffff);
    return static_cast<int64_t>(ordered) * (int64_t{1} << 32) + (int64_t{0x7fffffff} - m);
}

}  // namespace

extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2)
    for (int64_t b = 0; b < B; ++b) {
        for (int64_t n0 = 0; n0 < N; n0 += kWidth) {
            const int64_t len = std::min(kWidth, N - n0);
            const float* base = x + b * M * N + n0;
            int64_t keys[kWidth];
            for (int64_t i = 0; i < len; ++i) keys[i] = make_key(base[i], 0);
            for (int64_t m = 1; m < M; ++m) {
                const float* row = base + m * N;
#pragma omp simd
                for (int64_t i = 0; i < len; ++i) {
                    const int64_t key = make_key(row[i], m);
                    keys[i] = key > keys[i] ? key : keys[i];
                }
            }
            for (int64_t i = 0; i < len; ++i) y[b * N + n0 + i] = 0x7fffffff - (keys[i] & 0xffffffff);
        }
    }
}
