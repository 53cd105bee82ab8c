// SPDX-License-Identifier: Apache-2.0
#include "plain_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace assay::spec {
namespace {

/// The line of the end of `text`, and its column there, both from 1.
std::pair<int, int> end_of(std::string_view text) {
  const auto line = static_cast<int>(std::ranges::count(text, '\n')) + 1;
  const std::size_t newline = text.rfind('\n');
  return {line, static_cast<int>(text.size() - (newline == text.npos ? 0 : newline + 1)) + 1};
}

}  // namespace

PlainText::PlainText(const std::string& text, std::vector<Replacement> replacements) {
  std::ranges::sort(replacements, {}, &Replacement::at);
  std::size_t copied = 0;
  for (const auto& [at, size, placeholder] : replacements) {
    plain_.append(text, copied, at - copied);
    const auto [line, begin] = end_of(plain_);
    const auto length = static_cast<int>(placeholder.size());
    edits_.push_back({line, begin, length, length - static_cast<int>(size)});
    plain_ += placeholder;
    copied = at + size;
    const std::string_view replaced = std::string_view(text).substr(at, size);
    if (const auto [lines, column] = end_of(replaced); lines > 1) {  // what follows stays where it is
      plain_.append(static_cast<std::size_t>(lines - 1), '\n');
      plain_.append(static_cast<std::size_t>(column - 1), ' ');
    }
  }
  plain_.append(text, copied);
}

int PlainText::original_column(int line, int column) const {
  int shift = 0;
  for (const Edit& edit : edits_) {
    if (edit.line != line || column < edit.begin) continue;
    if (column < edit.begin + edit.length) return edit.begin - shift;
    shift += edit.grown;
  }
  return column - shift;
}

std::string unused_word(const std::string& text, std::string word) {
  while (text.find(word) != text.npos) word += '_';
  return word;
}

std::size_t past_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t past_spaces(const std::string& text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

}  // namespace assay::spec
