// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/digest.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

namespace assay::spec {
namespace {

using Hash = std::array<unsigned char, 16>;

Hash hash_of(std::span<const std::string_view> parts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, sizeof(Hash));
  for (const std::string_view part : parts) {
    const std::uint64_t size = part.size();
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&size), sizeof size);
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(part.data()), part.size());
  }
  Hash hash;
  crypto_generichash_final(&state, hash.data(), hash.size());
  return hash;
}

}  // namespace

std::string digest(std::span<const std::string_view> parts) {
  std::string hex;
  for (const unsigned char byte : hash_of(parts)) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string digest(std::string_view bytes) { return digest(std::span(&bytes, 1)); }

}  // namespace assay::spec
