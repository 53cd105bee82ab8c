// SPDX-License-Identifier: Apache-2.0
#include "assay/report/escape.h"

#include <algorithm>

namespace assay::report {

using record::printable;

std::string html(std::string_view text) {
  std::string result;
  for (char c : printable(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string shorten(std::string_view text, std::size_t columns) {
  if (width(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    const bool starts = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (starts && seen++ == columns - 1) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace assay::report
