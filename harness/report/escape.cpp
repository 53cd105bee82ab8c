// SPDX-License-Identifier: Apache-2.0
#include "assay/report/escape.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

namespace {

constexpr char32_t invalid = 0xFFFFFFFF;

struct Character {
  char32_t code = invalid;
  std::size_t bytes = 1;
};

/// Strict UTF-8: overlong forms, surrogates and cut sequences are invalid, one byte at a time.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  static constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

bool is_dangerous(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||       // C0, DEL, C1
         code == 0x61C || code == 0x200E || code == 0x200F ||  // marks of direction
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [code, bytes] = decode(text);
    if (code == '\n' || code == '\t' || code == '\r')
      result += ' ';
    else if (code == invalid)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (is_dangerous(code))
      result += code < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(code))
                             : fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    else
      result += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

std::string html(std::string_view text) {
  std::string result;
  for (char c : printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
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

}  // namespace assay
