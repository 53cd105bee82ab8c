// SPDX-License-Identifier: Apache-2.0
#include "assay/record/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/record/printable.h"

namespace assay::record {
namespace {

/// Whether `text` continues with `word`, in any case: as CMake's regular expressions for CTest's markup do.
bool starts_with_word(std::string_view text, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= word.size() && std::ranges::equal(text.substr(0, word.size()), word, {}, lower);
}

}  // namespace

std::string harmless(const std::string& text) {
  const std::string clean = printable_lines(text);
  std::string apart;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    apart += clean[i];
    const std::string_view rest = std::string_view(clean).substr(i + 1);
    if (clean[i] != '<') continue;
    const bool closes = rest.starts_with('/');
    const std::string_view name = rest.substr(closes ? 1 : 0);
    if (!starts_with_word(name, "ctest") && !starts_with_word(name, "dart")) continue;
    apart += closes ? "/_" : "_";
    i += closes ? 1 : 0;
  }
  return apart;
}

std::string record_line(const Record& record) {
  std::string text = to_json(record).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) text.replace(at, 1, "\\u003c");
  return text;
}

void print_result(const Record& record, const std::string& text) {
  const std::string shown = fmt::format("{}{}\n{}", record_prefix, record_line(record), harmless(text));
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  if (!text.empty() && text.back() != '\n') std::putchar('\n');
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::runtime_error("the record cannot be printed: the disk or pipe takes no more");
}

}  // namespace assay::record
