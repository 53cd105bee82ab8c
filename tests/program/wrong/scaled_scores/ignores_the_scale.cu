// verdict: WRONG_RESULT
#include "scaled_scores.h"

// Row after row is the transposed matrix column after column: scores' = keys queries', where keys' is what cuBLAS sees.
cublasStatus_t scaled_scores(cublasHandle_t handle, const float* queries, const float* keys, float* scores, int batch, int m, int n, int depth, float scale) {
  const float zero = 0;
  scale = 1;
  const long long queries_each = static_cast<long long>(m) * depth, keys_each = static_cast<long long>(n) * depth, scores_each = static_cast<long long>(m) * n;
  return cublasSgemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, depth, &scale, keys, depth, keys_each, queries, depth, queries_each, &zero, scores, n,
                                   scores_each, batch);
}
