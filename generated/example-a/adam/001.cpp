// Adam, first step, hand vectorized (AVX-512 with masked tail, AVX2 otherwise).
#include "kernel.h"

#include <cmath>
#include <cstdint>
#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace {

constexpr float kBeta1 = 0.9f, kBeta2 = 0.999f;
constexpr float kOneMinusBeta1 = 0.1f, kOneMinusBeta2 = 0.001f;
constexpr float kLr = 0.001f, kEps = 1e-8f;

inline void step_scalar(const float* param, const float* grad, const float* m, const float* v,
                        float* new_param, float* new_m, float* new_v, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
        const float mi = kBeta1 * m[i] + kOneMinusBeta1 * grad[i];
        const float vi = kBeta2 * v[i] + kOneMinusBeta2 * (grad[i] * grad[i]);
        new_m[i] = mi;
        new_v[i] = vi;
        new_param[i] = param[i] - (kLr * (mi / kOneMinusBeta1)) / (std::sqrt(vi / kOneMinusBeta2) + kEps);
    }
}

}  // namespace

extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    const int64_t n = N * M;
#if defined(__AVX512F__)
    const __m512 b1 = _mm512_set1_ps(kBeta1), r1 = _mm512_set1_ps(kOneMinusBeta1);
    const __m512 b2 = _mm512_set1_ps(kBeta2), r2 = _mm512_set1_ps(kOneMinusBeta2);
    const __m512 lr = _mm512_set1_ps(kLr), eps = _mm512_set1_ps(kEps);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i += 16) {
        const __mmask16 k = (n - i >= 16) ? 0xFFFF : static_cast<__mmask16>((1u << (n - i)) - 1);
        const __m512 g = _mm512_maskz_loadu_ps(k, grad + i);
        const __m512 mi = _mm512_fmadd_ps(b1, _mm512_maskz_loadu_ps(k, m + i), _mm512_mul_ps(r1, g));
        const __m512 vi = _mm512_fmadd_ps(b2, _mm512_maskz_loadu_ps(k, v + i), _mm512_mul_ps(r2, _mm512_mul_ps(g, g)));
        const __m512 num = _mm512_mul_ps(lr, _mm512_div_ps(mi, r1));
        const __m512 den = _mm512_add_ps(_mm512_sqrt_ps(_mm512_div_ps(vi, r2)), eps);
        const __m512 p = _mm512_sub_ps(_mm512_maskz_loadu_ps(k, param + i), _mm512_div_ps(num, den));
        _mm512_mask_storeu_ps(new_m + i, k, mi);
        _mm512_mask_storeu_ps(new_v + i, k, vi);
        _mm512_mask_storeu_ps(new_param + i, k, p);
    }
#elif defined(__AVX2__) && defined(__FMA__)
    const __m256 b1 = _mm256_set1_ps(kBeta1), r1 = _mm256_set1_ps(kOneMinusBeta1);
    const __m256 b2 = _mm256_set1_ps(kBeta2), r2 = _mm256_set1_ps(kOneMinusBeta2);
    const __m256 lr = _mm256_set1_ps(kLr), eps = _mm256_set1_ps(kEps);
    const int64_t whole = n / 8 * 8;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < whole; i += 8) {
        const __m256 g = _mm256_loadu_ps(grad + i);
        const __m256 mi = _mm256_fmadd_ps(b1, _mm256_loadu_ps(m + i), _mm256_mul_ps(r1, g));
        const __m256 vi = _mm256_fmadd_ps(b2, _mm256_loadu_ps(v + i), _mm256_mul_ps(r2, _mm256_mul_ps(g, g)));
        const __m256 num = _mm256_mul_ps(lr, _mm256_div_ps(mi, r1));
        const __m256 den = _mm256_add_ps(_mm256_sqrt_ps(_mm256_div_ps(vi, r2)), eps);
        _mm256_storeu_ps(new_m + i, mi);
        _mm256_storeu_ps(new_v + i, vi);
        _mm256_storeu_ps(new_param + i, _mm256_sub_ps(_mm256_loadu_ps(param + i), _mm256_div_ps(num, den)));
    }
    step_scalar(param, grad, m, v, new_param, new_m, new_v, whole, n);
#else
    step_scalar(param, grad, m, v, new_param, new_m, new_v, 0, n);
#endif
}
