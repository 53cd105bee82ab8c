// SPDX-License-Identifier: Apache-2.0
// Tells whether bytes are those of before. Not for an adversary, who could find others of the same fingerprint.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::compile {

/// FNV-1a.
class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

}  // namespace assay::compile
