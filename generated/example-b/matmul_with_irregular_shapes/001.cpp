#include "kernel.h"
#include <cblas.h>

// For large irregular matrices the best option is to call an optimized BLAS library,
// which already handles all tail cases.
extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans,
                (int)M, (int)N, (int)K,
                1.0f, a, (int)K,
                b, (int)N,
                0.0f, c, (int)N);
}
