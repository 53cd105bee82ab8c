// Adam with the fast reciprocal square root instruction: the division and the square root are the
// only expensive operations in the update, and vrsqrtps replaces both of them.
#include "kernel.h"

#include <cmath>
#include <cstdint>
#include <immintrin.h>

extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    const int64_t n = N * M;
    const __m256 beta1 = _mm256_set1_ps(0.9f), rest1 = _mm256_set1_ps(0.1f);
    const __m256 beta2 = _mm256_set1_ps(0.999f), rest2 = _mm256_set1_ps(0.001f);
    const __m256 rate = _mm256_set1_ps(0.01f);        // lr / (1 - beta1)
    const __m256 correction = _mm256_set1_ps(1000.0f);  // 1 / (1 - beta2)
    const __m256 tiny = _mm256_set1_ps(1e-16f);       // eps^2, keeps rsqrt finite

    const int64_t vec_end = n - n % 8;
#pragma omp parallel for
    for (int64_t i = 0; i < vec_end; i += 8) {
        const __m256 g = _mm256_loadu_ps(grad + i);
        const __m256 first = _mm256_add_ps(_mm256_mul_ps(beta1, _mm256_loadu_ps(m + i)), _mm256_mul_ps(rest1, g));
        const __m256 second = _mm256_add_ps(_mm256_mul_ps(beta2, _mm256_loadu_ps(v + i)),
                                            _mm256_mul_ps(rest2, _mm256_mul_ps(g, g)));
        const __m256 inv_root = _mm256_rsqrt_ps(_mm256_add_ps(_mm256_mul_ps(second, correction), tiny));
        const __m256 step = _mm256_mul_ps(_mm256_mul_ps(rate, first), inv_root);
        _mm256_storeu_ps(new_m + i, first);
        _mm256_storeu_ps(new_v + i, second);
        _mm256_storeu_ps(new_param + i, _mm256_sub_ps(_mm256_loadu_ps(param + i), step));
    }
    for (int64_t i = vec_end; i < n; ++i) {
        const float first = 0.9f * m[i] + 0.1f * grad[i];
        const float second = 0.999f * v[i] + 0.001f * grad[i] * grad[i];
        new_m[i] = first;
        new_v[i] = second;
        new_param[i] = param[i] - 0.01f * first / (std::sqrt(second * 1000.0f) + 1e-8f);
    }
}
