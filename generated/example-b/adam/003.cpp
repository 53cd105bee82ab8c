#include "kernel.h"
#include <immintrin.h>

// AVX2 version, processes 8 parameters per iteration
extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    __m256 beta1 = _mm256_set1_ps(0.9f);
    __m256 beta2 = _mm256_set1_ps(0.999f);
    __m256 omb1 = _mm256_set1_ps(0.1f);
    __m256 omb2 = _mm256_set1_ps(0.001f);
    __m256 lr = _mm256_set1_ps(0.001f);
    __m256 eps = _mm256_set1_ps(1e-8f);

    int64_t n = N * M;
    for (int64_t i = 0; i + 8 <= n; i += 8) {
        __m256 g = _mm256_loadu_ps(grad + i);
        __m256 mi = _mm256_add_ps(_mm256_mul_ps(beta1, _mm256_loadu_ps(m + i)), _mm256_mul_ps(omb1, g));
        __m256 vi = _mm256_add_ps(_mm256_mul_ps(beta2, _mm256_loadu_ps(v + i)),
                                  _mm256_mul_ps(omb2, _mm256_mul_ps(g, g)));
        __m256 mhat = _mm256_div_ps(mi, omb1);
        __m256 vhat = _mm256_div_ps(vi, omb2);
        __m256 denom = _mm256_add_ps(_mm256_sqrt_ps(vhat), eps);
        __m256 upd = _mm256_div_ps(_mm256_mul_ps(lr, mhat), denom);

        _mm256_storeu_ps(new_m + i, mi);
        _mm256_storeu_ps(new_v + i, vi);
        _mm256_storeu_ps(new_param + i, _mm256_sub_ps(_mm256_loadu_ps(param + i), upd));
    }
}
