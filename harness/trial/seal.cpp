// SPDX-License-Identifier: Apache-2.0
#include "seal.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "assay/sandbox/on_all.h"

namespace assay::trial {
namespace {

/// Bytes that a thread takes at a time: whole blocks of ChaCha20, and whole parts of a digest.
constexpr std::size_t kMaskedAtOnce = std::size_t{1} << 20;

std::size_t pieces_of(std::size_t bytes, std::size_t piece) { return (bytes + piece - 1) / piece; }

template <class Work>
void for_each_piece(const std::vector<int>& cpus, std::size_t bytes, Work work) {
  const std::size_t pieces = pieces_of(bytes, kMaskedAtOnce);
  const auto one = [&](std::size_t i) { work(i * kMaskedAtOnce, std::min(kMaskedAtOnce, bytes - i * kMaskedAtOnce)); };
  if (cpus.size() > 1 && pieces > 1) return sandbox::on_all(cpus, pieces, one);
  for (std::size_t i = 0; i < pieces; ++i) one(i);
}

void append_digests(std::span<const std::byte> from, std::vector<std::byte>& to, const std::vector<int>& cpus) {
  constexpr std::size_t kPart = wire::kDigestPart, kBytes = wire::kDigestBytes;
  const std::size_t begin = to.size();
  to.resize(begin + pieces_of(from.size(), kPart) * kBytes);
  for_each_piece(cpus, from.size(), [&](std::size_t at, std::size_t bytes) {
    for (std::size_t end = at + bytes; at < end; at += kPart)
      crypto_generichash(reinterpret_cast<unsigned char*>(to.data() + begin + at / kPart * kBytes), kBytes,
                         reinterpret_cast<const unsigned char*>(from.data() + at), std::min(kPart, end - at), nullptr, 0);
  });
}

}  // namespace

SealKey draw_seal_key() {
  if (sodium_init() < 0) throw std::runtime_error("seal: libsodium does not start");
  SealKey key;
  randombytes_buf(key.data(), sizeof key);
  return key;
}

void mask(std::span<const std::byte> from, std::span<std::byte> to, const SealKey& key, std::uint32_t index, const std::vector<int>& cpus) {
  constexpr std::size_t kBlock = 64;
  std::array<unsigned char, crypto_stream_chacha20_ietf_NONCEBYTES> nonce{};
  std::memcpy(nonce.data() + 8, &index, sizeof index);
  for_each_piece(cpus, from.size(), [&](std::size_t at, std::size_t bytes) {
    crypto_stream_chacha20_ietf_xor_ic(reinterpret_cast<unsigned char*>(to.data() + at),
                                       reinterpret_cast<const unsigned char*>(from.data() + at), bytes, nonce.data(),
                                       static_cast<std::uint32_t>(at / kBlock), reinterpret_cast<const unsigned char*>(key.data()));
  });
}

Digest digest_of(const std::vector<std::span<const std::byte>>& outputs, const std::vector<int>& cpus) {
  std::vector<std::byte> level;
  for (const auto& output : outputs) append_digests(output, level, cpus);
  while (level.size() > wire::kDigestBytes) {
    std::vector<std::byte> next;
    append_digests(level, next, cpus);
    level = std::move(next);
  }
  Digest digest{};
  std::memcpy(digest.data(), level.data(), level.size());
  return digest;
}

}  // namespace assay::trial
