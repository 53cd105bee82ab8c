// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * G * C]
   kernel of_groups   grid [8 * N * G] block [512] cluster [8]  (x, weight, dy, dx, part, G, C, long(H * W))
   kernel of_channels grid [div_up(G * C, 128)] block [128]     (part, dweight, dbias, N, long(G * C))
*/
// A cluster has a group of a sample. Its threads hold eight channels, up to 16,384 pairs of each.
constexpr int kThreads = 512, kNumbers = 32, kPlanes = 1;
#include "blocks/cluster_planes.cuh"

template <class Unit>
__device__ void backward_of_group(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ dy,
                                  float* __restrict__ dx, Sums* __restrict__ part, long long C, long long plane) {
  __shared__ Sums shared[3];
  const Planes<Unit> planes(x, dy, plane, plane, C);
  const float count = (float)(C * plane);
  float unused;
  const Normal normal = normal_of(planes, count, shared, unused);
  Sums all = {0, 0};
  const auto add_channel = [&](long long c, bool held) {
    const float factor = weight[c];
    Sums own = {0, 0};
    const auto take = [&](long long, Unit v, Unit w) {
      each_pair(v, w, [&](float x, float dy) {
        const float u = normal.of(x), weighted = dy * factor;
        own = add(own, {dy * u, dy});
        all = add(all, {weighted * u, weighted});
      });
    };
    if (held) planes.each_of_held(0, take);
    else planes.each_from(0, c, take);
    own = sums_of_block(own);
    if (threadIdx.x == 0) part[c] = own;
  };
  if (rank_in_cluster() < C) add_channel(rank_in_cluster(), true);
  for (long long c = rank_in_cluster() + kBlocks; c < C; c += kBlocks) add_channel(c, false);
  all = sums_of_cluster(sums_of_block(all), shared + 2);
  const float wu_mean = all.first / count, w_mean = all.second / count;
  const auto store_channel = [&](long long c, bool held) {
    const float factor = weight[c];
    const auto store = [&](long long u, Unit v, Unit w) {
      reinterpret_cast<Unit*>(dx)[u] =
          map(v, w, [&](float x, float dy) { return normal.rstd * (dy * factor - (w_mean + normal.of(x) * wu_mean)); });
    };
    if (held) planes.each_of_held(0, store);
    else planes.each_from(0, c, store);
  };
  if (rank_in_cluster() < C) store_channel(rank_in_cluster(), true);
  for (long long c = rank_in_cluster() + kBlocks; c < C; c += kBlocks) store_channel(c, false);
  sync_cluster();
}

extern "C" __global__ void __launch_bounds__(kThreads)
    of_groups(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ dy, float* __restrict__ dx,
              Sums* __restrict__ part, long long G, long long C, long long plane) {
  const long long group = blockIdx.x / kBlocks, first = group * C * plane;
  weight += group % G * C;
  part += group * C;
  if (plane % 4 == 0) backward_of_group<float4>(x + first, weight, dy + first, dx + first, part, C, plane);
  else backward_of_group<float>(x + first, weight, dy + first, dx + first, part, C, plane);
}

extern "C" __global__ void of_channels(const Sums* __restrict__ part, float* __restrict__ dweight, float* __restrict__ dbias, long long N,
                                       long long channels) {
  add_samples(part, dweight, dbias, N, channels);
}
