// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel transform grid [B * div_up(F + 1, 16)] block [512] (x, y, int(F))
*/
// A block has sixteen neighbouring frames, so that what it writes of a frequency lies together; a warp has one of them. Its 256 points go
// through four steps of radix four in shared memory. Factors are worked out to float's last digit, by sincospif.
constexpr int kFrames = 16, kPoints = 256, kBins = kPoints / 2 + 1, kHop = 64, kWindow = 200, kThreads = kFrames * 32;
constexpr int kPitch = kPoints + 1;

__device__ float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 subtract(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

extern "C" __global__ void __launch_bounds__(kThreads) transform(const float* __restrict__ x, float* __restrict__ y, int F) {
  __shared__ float2 points[kFrames][kPitch], turns[kPoints];  // turns[i] = exp(-2 pi i / 256)
  const int frames = F + 1, blocks = (frames + kFrames - 1) / kFrames, length = kHop * F;
  const int b = blockIdx.x / blocks, first = blockIdx.x % blocks * kFrames;
  const int lane = threadIdx.x % 32, frame = first + threadIdx.x / 32;
  float2* z = points[threadIdx.x / 32];
  for (int i = threadIdx.x; i < kPoints; i += kThreads) sincospif(-i / 128.0f, &turns[i].y, &turns[i].x);
  for (int i = lane; i < kPoints && frame < frames; i += 32) {
    const int at = frame * kHop + i - kPoints / 2, place = at < 0 ? -at : at < length ? at : 2 * (length - 1) - at;
    const int within = i - (kPoints - kWindow) / 2;
    const bool inside = within >= 0 && within < kWindow;
    const float weight = inside ? 0.5f - 0.5f * cospif(2.0f * within / kWindow) : 0;
    z[i] = make_float2(inside ? x[(long long)b * length + place] * weight : 0, 0);
  }
  __syncthreads();
  // Each step splits runs of 4 s points into four of s, and what was in order ends up with its digits to base four reversed.
#pragma unroll
  for (int s = kPoints / 4; s > 0; s /= 4) {
    for (int e = lane; e < kPoints / 4; e += 32) {
      const int j = e % s, at = e / s * 4 * s + j, turn = j * (kPoints / 4 / s);
      const float2 a = z[at], c = z[at + s], d = z[at + 2 * s], f = z[at + 3 * s];
      const float2 even = add(a, d), odd = subtract(a, d), sum = add(c, f), difference = subtract(c, f);
      const float2 turned = make_float2(difference.y, -difference.x);  // times -i
      z[at] = add(even, sum);
      z[at + s] = times(add(odd, turned), turns[turn]);
      z[at + 2 * s] = times(subtract(even, sum), turns[2 * turn]);
      z[at + 3 * s] = times(subtract(odd, turned), turns[3 * turn]);
    }
    __syncwarp();
  }
  __syncthreads();
  for (int e = threadIdx.x; e < kBins * kFrames; e += kThreads) {
    const int bin = e / kFrames, of_block = e % kFrames;
    if (first + of_block >= frames) continue;
    const int place = bin % 4 * 64 + bin / 4 % 4 * 16 + bin / 16 % 4 * 4 + bin / 64;
    reinterpret_cast<float2*>(y)[((long long)b * kBins + bin) * frames + first + of_block] = points[of_block][place];
  }
}
