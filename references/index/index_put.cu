// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel put grid [div_up(K, 1024)] block [256] (x, indices, values, K)
*/
#include "blocks/put.cuh"

extern "C" __global__ void put(float* __restrict__ x, const long long* __restrict__ indices, const float* __restrict__ values,
                               long long K) {
  each_pair(indices, values, K, [&](long long at, float value) { x[at] = value; });
}
