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

__device__ constexpr unsigned char kSigma[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

__device__ unsigned long long rotate_right(unsigned long long x, int by) { return x >> by | x << (64 - by); }

__device__ void mix(unsigned long long& a, unsigned long long& b, unsigned long long& c, unsigned long long& d, unsigned long long x,
                    unsigned long long y) {
  a += b + x, d = rotate_right(d ^ a, 32);
  c += d, b = rotate_right(b ^ c, 24);
  a += b + y, d = rotate_right(d ^ a, 16);
  c += d, b = rotate_right(b ^ c, 63);
}

/// The compression of BLAKE2b (RFC 7693), of a message with so many bytes so far.
__device__ void blake2b(unsigned long long (&h)[8], const unsigned long long (&m)[16], unsigned long long bytes, bool last) {
  constexpr unsigned long long iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
  unsigned long long v[16];
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = h[i], v[8 + i] = iv[i];
  v[12] ^= bytes;
  if (last) v[14] = ~v[14];
#pragma unroll
  for (int round = 0; round < 12; ++round) {
    mix(v[0], v[4], v[8], v[12], m[kSigma[round][0]], m[kSigma[round][1]]);
    mix(v[1], v[5], v[9], v[13], m[kSigma[round][2]], m[kSigma[round][3]]);
    mix(v[2], v[6], v[10], v[14], m[kSigma[round][4]], m[kSigma[round][5]]);
    mix(v[3], v[7], v[11], v[15], m[kSigma[round][6]], m[kSigma[round][7]]);
    mix(v[0], v[5], v[10], v[15], m[kSigma[round][8]], m[kSigma[round][9]]);
    mix(v[1], v[6], v[11], v[12], m[kSigma[round][10]], m[kSigma[round][11]]);
    mix(v[2], v[7], v[8], v[13], m[kSigma[round][12]], m[kSigma[round][13]]);
    mix(v[3], v[4], v[9], v[14], m[kSigma[round][14]], m[kSigma[round][15]]);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) h[i] ^= v[i] ^ v[8 + i];
}

/// BLAKE2b-256 of each 256 bytes of `from`, the last part as short as it is. `from` is aligned to 16 bytes.
extern "C" __global__ void assay_digest(const unsigned char* from, unsigned char* to, unsigned long long bytes) {
  const unsigned long long part = blockIdx.x * 256ull + threadIdx.x, at = part * 256;
  if (at >= bytes) return;
  const unsigned long long size = bytes - at < 256 ? bytes - at : 256;
  unsigned long long h[8] = {0x6a09e667f3bcc908 ^ 0x01010020, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                             0x510e527fade682d1,              0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
  for (unsigned long long done = 0; done < size; done += 128) {
    unsigned long long m[16];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const unsigned char* here = from + at + done + 16 * i;
      if (done + 16 * i + 16 <= size) {
        const ulonglong2 words = *reinterpret_cast<const ulonglong2*>(here);
        m[2 * i] = words.x, m[2 * i + 1] = words.y;
        continue;
      }
      m[2 * i] = m[2 * i + 1] = 0;
#pragma unroll
      for (int byte = 0; byte < 16; ++byte)
        if (done + 16 * i + byte < size) m[2 * i + byte / 8] |= static_cast<unsigned long long>(here[byte]) << byte % 8 * 8;
    }
    const unsigned long long so_far = size - done < 128 ? size : done + 128;
    blake2b(h, m, so_far, so_far == size);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) reinterpret_cast<ulonglong2*>(to + part * 32)[i] = make_ulonglong2(h[2 * i], h[2 * i + 1]);
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

/// One chain of multiply-adds, 5 ms on a GPU of 2 GHz: longer than a process has the device to itself where another one wants it.
extern "C" __global__ void assay_watch(float* to) {
  float value = threadIdx.x;
  for (int step = 0; step < 2500000; ++step) value = fmaf(value, 0.999f, 0.001f);
  if (value > 1e9f) *to = value;
}
