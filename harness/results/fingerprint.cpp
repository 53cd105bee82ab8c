// SPDX-License-Identifier: Apache-2.0
#include "assay/results/fingerprint.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "assay/spec/digest.h"

namespace assay::results {
namespace {

std::string digest_of(const std::vector<std::string>& parts) {
  return spec::digest(std::vector<std::string_view>(parts.begin(), parts.end()));
}

}  // namespace

std::string fingerprint_of_contents(const std::vector<std::filesystem::path>& files, const std::string& text) {
  std::vector<std::string> parts;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
    parts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  parts.push_back(text);
  return digest_of(parts);
}

std::string fingerprint_of_times(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> parts;
  for (const auto& file : files) {
    struct stat status {};
    const bool there = stat(file.c_str(), &status) == 0;
    parts.push_back(there ? fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : "missing");
  }
  return digest_of(parts);
}

}  // namespace assay::results
