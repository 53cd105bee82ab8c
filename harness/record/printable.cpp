// SPDX-License-Identifier: Apache-2.0
#include "assay/record/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::record {
namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

struct Character {
  char32_t code = kInvalid;
  std::size_t bytes = 1;
};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Strict UTF-8: overlong forms, surrogates and cut sequences are invalid, one byte at a time.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 0;
  if (length == 0 || text.size() < length) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  static constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

struct Range {
  char32_t first, last;
};

/// Unicode 15: controls, format characters (general category Cf), separators of lines, variation selectors, fillers that have a
/// width of nothing or look like it, and what is no character.
constexpr Range kDangerous[] = {{0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},
                                {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
                                {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
                                {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
                                {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
                                {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

bool is_dangerous(char32_t code) {
  const auto at = std::ranges::upper_bound(kDangerous, code, {}, &Range::first);
  const bool listed = at != std::begin(kDangerous) && code <= std::prev(at)->last;
  return listed || (code & 0xFFFE) == 0xFFFE;  // the last two of each plane are no characters
}

std::string spelt(char32_t code) {
  const auto number = static_cast<unsigned>(code);
  return code < 0x100     ? fmt::format("\\x{:02x}", number)
         : code < 0x10000 ? fmt::format("\\u{:04x}", number)
                          : fmt::format("\\U{:08x}", number);
}

std::string neutralised(std::string_view text, bool keeps_lines) {
  std::string result;
  while (!text.empty()) {
    const auto [code, bytes] = decode(text);
    if (keeps_lines && (code == '\n' || code == '\t')) result += text.front();
    else if (keeps_lines && text.starts_with("\r\n"))
      ;  // the newline follows
    else if (!keeps_lines && (code == '\n' || code == '\t' || code == '\r')) result += ' ';
    else if (code == kInvalid) result += spelt(static_cast<unsigned char>(text.front()));
    else if (is_dangerous(code)) result += spelt(code);
    else result += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return neutralised(text, false); }

std::string printable_lines(std::string_view text) { return neutralised(text, true); }

std::string cut_to(std::string_view text, std::size_t bytes) {
  constexpr std::string_view kMark = "...";
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes - std::min(bytes, kMark.size());
  while (end > 0 && continues(text[end])) --end;
  return std::string(text.substr(0, end)) + std::string(kMark);
}

}  // namespace assay::record
