// SPDX-License-Identifier: Apache-2.0
// Device code of our own: what seals buffers and clears caches between calls, and what measures a device. Compiled when this program is
// built, for each architecture that the toolkit knows (embed.cpp).

struct Key {
  unsigned words[8];
};

__device__ unsigned rotate(unsigned x, int by) { return __funnelshift_l(x, x, by); }

__device__ void quarter_round(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
  a += b, d = rotate(d ^ a, 16);
  c += d, b = rotate(b ^ c, 12);
  a += b, d = rotate(d ^ a, 8);
  c += d, b = rotate(b ^ c, 7);
}

/// One block of ChaCha20 as RFC 8439 has it, of the nonce 0, 0, `stream`.
__device__ void chacha20(const Key& key, unsigned counter, unsigned stream, unsigned (&block)[16]) {
  const unsigned start[16] = {0x61707865,   0x3320646e,   0x79622d32,   0x6b206574,   key.words[0], key.words[1], key.words[2], key.words[3],
                              key.words[4], key.words[5], key.words[6], key.words[7], counter,      0,            0,            stream};
#pragma unroll
  for (int i = 0; i < 16; ++i) block[i] = start[i];
#pragma unroll
  for (int i = 0; i < 10; ++i) {
    quarter_round(block[0], block[4], block[8], block[12]);
    quarter_round(block[1], block[5], block[9], block[13]);
    quarter_round(block[2], block[6], block[10], block[14]);
    quarter_round(block[3], block[7], block[11], block[15]);
    quarter_round(block[0], block[5], block[10], block[15]);
    quarter_round(block[1], block[6], block[11], block[12]);
    quarter_round(block[2], block[7], block[8], block[13]);
    quarter_round(block[3], block[4], block[9], block[14]);
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) block[i] += start[i];
}

/// to = from ^ the key's stream; the stream alone where `from` is null. Both are aligned to 16 bytes. A thread makes 64 of them.
extern "C" __global__ void assay_mask(const unsigned char* from, unsigned char* to, unsigned long long bytes, Key key, unsigned stream) {
  const unsigned long long index = blockIdx.x * 256ull + threadIdx.x, at = index * 64;
  if (at >= bytes) return;
  unsigned block[16];
  chacha20(key, static_cast<unsigned>(index), stream, block);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const unsigned long long here = at + 16 * i;
    if (here + 16 <= bytes) {
      uint4 value = from == nullptr ? make_uint4(0, 0, 0, 0) : *reinterpret_cast<const uint4*>(from + here);
      value.x ^= block[4 * i], value.y ^= block[4 * i + 1], value.z ^= block[4 * i + 2], value.w ^= block[4 * i + 3];
      *reinterpret_cast<uint4*>(to + here) = value;
      continue;
    }
#pragma unroll
    for (int byte = 0; byte < 16; ++byte)
      if (here + byte < bytes)
        to[here + byte] = static_cast<unsigned char>((from == nullptr ? 0 : from[here + byte]) ^ (block[4 * i + byte / 4] >> byte % 4 * 8));
  }
}

/// Writes all of `to`. The cache then holds nothing else, and what it holds waits to be written to memory, as after any kernel: who
/// takes its place pays for that, and leaves the like of it behind.
extern "C" __global__ void assay_evict(uint4* to, unsigned long long count, unsigned value) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull)
    to[i] = make_uint4(value, value, value, static_cast<unsigned>(i));
}

extern "C" __global__ void assay_copy(const float4* from, float4* to) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  to[i] = from[i];
}

extern "C" __global__ void assay_fill(float4* to) { to[blockIdx.x * 256ull + threadIdx.x] = make_float4(1, 1, 1, 1); }

/// Eight independent chains of multiply-adds hide their latency.
extern "C" __global__ void assay_multiply_add(float* to) {
  float chains[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) chains[c] = threadIdx.x + c;
  for (int step = 0; step < 512; ++step)
#pragma unroll
    for (int c = 0; c < 8; ++c) chains[c] = fmaf(chains[c], 0.999f, 0.001f);
  float sum = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) sum += chains[c];
  to[blockIdx.x * 256ull + threadIdx.x] = sum;
}
