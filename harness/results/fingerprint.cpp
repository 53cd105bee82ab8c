// SPDX-License-Identifier: Apache-2.0
#include "assay/results/fingerprint.h"

#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay {
namespace {

class Blake2b {
 public:
  Blake2b() { crypto_generichash_init(&state_, nullptr, 0, kBytes); }
  void add(const std::string& bytes) {
    // The length first: where one part ends counts, too.
    const std::uint64_t size = bytes.size();
    crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(&size), sizeof size);
    crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  std::string text() {
    unsigned char hash[kBytes];
    crypto_generichash_final(&state_, hash, kBytes);
    std::string hex;
    for (const unsigned char byte : hash) hex += fmt::format("{:02x}", byte);
    return hex;
  }

 private:
  static constexpr std::size_t kBytes = 16;
  crypto_generichash_state state_;
};

}  // namespace

std::string fingerprint_of_contents(const std::vector<std::filesystem::path>& files) {
  Blake2b hash;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
    hash.add({std::istreambuf_iterator<char>(in), {}});
  }
  return hash.text();
}

std::string fingerprint_of_times(const std::vector<std::filesystem::path>& files) {
  Blake2b hash;
  for (const auto& file : files) {
    struct stat status{};
    const bool there = stat(file.c_str(), &status) == 0;
    hash.add(there ? fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : "missing");
  }
  return hash.text();
}

}  // namespace assay
