// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>
#include <vector>

#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"

namespace assay::spec {

namespace fs = std::filesystem;

SourceText::SourceText(std::string text) { files_.emplace("", std::move(text)); }

SourceText::SourceText(Files files) : files_(std::move(files)) {
  for (const auto& [name, text] : files_)
    if (const std::string why = why_no_file(name); !why.empty()) throw std::runtime_error(fmt::format("the file '{}' {}", name, why));
}

std::string_view SourceText::text() const {
  const auto only = files_.find("");
  return only == files_.end() ? std::string_view() : only->second;
}

std::size_t SourceText::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [name, text] : files_) bytes += name.size() + text.size();
  return bytes;
}

std::string SourceText::digest() const {
  if (files_.empty() || files_.contains("")) return spec::digest(text());
  std::vector<std::string_view> parts;
  for (const auto& [name, text] : files_) parts.insert(parts.end(), {name, text});
  return spec::digest(parts);
}

fs::path SourceText::write(const fs::path& folder, const std::string& suffix) const {
  const fs::path base = folder / "source";
  if (files_.contains("")) {
    const fs::path file = base.string() + suffix;
    write_whole_file("candidate", file, text());
    return file;
  }
  fs::create_directories(base);
  for (const auto& [name, text] : files_) write_whole_file("candidate", base / name, text);
  return base;
}

std::string why_no_file(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  const auto plain = [](unsigned char c) { return (std::isalnum(c) != 0 && c < 0x80) || c == '_' || c == '-' || c == '.'; };
  if (name.empty() || name.front() == '.' || name.front() == '-') return "begins with '.' or '-'";
  if (name.size() > kLongest) return fmt::format("has a name of more than {} characters", kLongest);
  if (!std::ranges::all_of(name, plain)) return "has other characters than letters, digits, '_', '-' and '.'";
  if (name == "kernel.h") return "is the task's own";
  return "";
}

}  // namespace assay::spec
