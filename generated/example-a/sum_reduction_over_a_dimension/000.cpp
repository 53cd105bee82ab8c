#include "kernel.h"

#include <algorithm>
#include <cstdint>

// y[b, 0, n] = sum_m x[b, m, n]
//
// The reduced axis is not the innermost one, so columns are handled in tiles and rows are streamed.
// Accumulation happens in double: conversion is cheap compared with the memory traffic and the result
// stays accurate even for very long sums.
namespace {
constexpr int64_t TILE = 128;
}

extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
    const int64_t tiles = (N + TILE - 1) / TILE;
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t b = 0; b < B; ++b) {
        for (int64_t t = 0; t < tiles; ++t) {
            const int64_t n0 = t * TILE;
            const int64_t len = std::min(TILE, N - n0);
            alignas(64) double acc[TILE] = {};
            const float* src = x + b * M * N + n0;
            int64_t m = 0;
            for (; m + 4 <= M; m += 4, src += 4 * N) {
                const float *r0 = src, *r1 = src + N, *r2 = src + 2 * N, *r3 = src + 3 * N;
#pragma omp simd
                for (int64_t i = 0; i < len; ++i)
                    acc[i] += (static_cast<double>(r0[i]) + r1[i]) + (static_cast<double>(r2[i]) + r3[i]);
            }
            for (; m < M; ++m, src += N) {
#pragma omp simd
                for (int64_t i = 0; i < len; ++i) acc[i] += src[i];
            }
            float* dst = y + b * N + n0;
            for (int64_t i = 0; i < len; ++i) dst[i] = static_cast<float>(acc[i]);
        }
    }
}
