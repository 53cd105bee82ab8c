// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [8 * C] block [256] cluster [8] (gamma, x, dy, dx, dgamma, dbeta, C, N, long(H * W))
*/
// A cluster has a channel. Its threads hold 16 samples, up to 4,096 pairs of each.
constexpr int kThreads = 256, kNumbers = 16, kPlanes = 2;
#include "blocks/cluster_planes.cuh"

template <class Unit>
__device__ void backward_of_channel(float gamma, const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ dx,
                                    float* __restrict__ dgamma, float* __restrict__ dbeta, long long N, long long stride,
                                    long long plane) {
  __shared__ Sums shared[3];
  const Planes<Unit> planes(x, dy, plane, stride, N);
  const float count = (float)(N * plane);
  float sum;
  const Normal normal = normal_of(planes, count, shared, sum);
  Sums along = {0, 0};
  planes.each([&](long long, Unit v, Unit w) { each_pair(v, w, [&](float x, float dy) { along.first += dy * normal.of(x); }); });
  along = sums_of_cluster(sums_of_block(along), shared + 2);
  if (rank_in_cluster() == 0 && threadIdx.x == 0) {
    *dgamma = along.first;
    *dbeta = sum;
  }
  const float factor = gamma * normal.rstd, dy_mean = sum / count, du_mean = along.first / count;
  planes.each([&](long long u, Unit v, Unit w) {
    reinterpret_cast<Unit*>(dx)[u] = map(v, w, [&](float x, float dy) { return factor * (dy - (dy_mean + normal.of(x) * du_mean)); });
  });
  sync_cluster();
}

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    backward(const float* __restrict__ gamma, const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ dx,
             float* __restrict__ dgamma, float* __restrict__ dbeta, long long C, long long N, long long plane) {
  const long long channel = blockIdx.x / kBlocks, stride = C * plane;
  x += channel * plane;
  dy += channel * plane;
  dx += channel * plane;
  dgamma += channel;
  dbeta += channel;
  if (plane % 4 == 0) backward_of_channel<float4>(gamma[channel], x, dy, dx, dgamma, dbeta, N, stride, plane);
  else backward_of_channel<float>(gamma[channel], x, dy, dx, dgamma, dbeta, N, stride, plane);
}
