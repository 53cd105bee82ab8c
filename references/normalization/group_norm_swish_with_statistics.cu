// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [8 * N * G] block [256] cluster [8] (x, scale, bias, slope, y, mean, reciprocal_root, int(G), C, L)
*/
// A cluster has a group of a sample, each block of it an eighth, of which its threads hold up to 8,192 numbers in registers.
constexpr int kThreads = 256, kNumbers = 32;
#include "blocks/cluster_sums.cuh"
#include "blocks/quotient.cuh"

// Units lie within a channel: planes of a multiple of four numbers come in fours, and so do parts of groups.
template <class Unit>
__device__ void normalise_part(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias, float slope,
                               float* __restrict__ y, float* __restrict__ mean_of_group, float* __restrict__ reciprocal_root, long long C,
                               long long L) {
  __shared__ Sums shared[2];
  constexpr int kEach = Row<Unit>::kEach;
  const long long length = C * L, share = (length + 4 * kBlocks - 1) / (4 * kBlocks) * 4, begin = min(rank_in_cluster() * share, length);
  const long long units_of_plane = L / kEach;
  const float count = (float)length;
  const Row<Unit> row(x + begin, min(share, length - begin));
  Sums sums = {0, 0};
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { sums.first += number; }); });
  const float mean = sums_of_cluster(sums_of_block(sums), shared).first / count;
  Sums rest = {0, 0};
  row.each([&](long long, Unit v) {
    each_number(v, [&](float number) {
      const float d = number - mean;
      rest = add(rest, {d, d * d});
    });
  });
  const Normal normal = normal_from(mean, sums_of_cluster(sums_of_block(rest), shared + 1), count);
  if (rank_in_cluster() == 0 && threadIdx.x == 0) {
    *mean_of_group = isinf(mean) ? mean : mean + normal.off;
    *reciprocal_root = normal.rstd;
  }
  row.each([&](long long u, Unit v) {
    const long long channel = quotient(begin / kEach + u, units_of_plane);
    const float s = scale[channel], b = bias[channel];
    reinterpret_cast<Unit*>(y + begin)[u] = map(v, [&](float number) {
      const float z = normal.of(number) * s + b;
      return z / (1 + expf(-slope * z));
    });
  });
  sync_cluster();
}

extern "C" __global__ void __launch_bounds__(kThreads, 4)
    normalise(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias, const float* __restrict__ slope,
              float* __restrict__ y, float* __restrict__ mean, float* __restrict__ reciprocal_root, int G, long long C, long long L) {
  const int group = blockIdx.x / kBlocks;
  const long long first = group * C * L, channel = group % G * C;
  if (L % 4 == 0)
    normalise_part<float4>(x + first, scale + channel, bias + channel, *slope, y + first, mean + group, reciprocal_root + group, C, L);
  else normalise_part<float>(x + first, scale + channel, bias + channel, *slope, y + first, mean + group, reciprocal_root + group, C, L);
}
