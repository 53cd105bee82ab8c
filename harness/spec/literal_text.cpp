// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include "assay/spec/error.h"
#include "literals.h"

namespace assay {
namespace {

bool is_of_number(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '+' || c == '-'; }

/// The word or number that begins at `at`.
std::string token_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_of_number(text[end])) ++end;
  return text.substr(at, end - at);
}

bool begins_number(const std::string& token) {
  if (token == "inf" || token == "nan") return true;
  return !token.empty() && (std::isdigit(static_cast<unsigned char>(token.front())) != 0 || token.front() == '-' || token.front() == '+' ||
                            token.front() == '.');
}

bool is_number(std::string_view token) {
  if (token.starts_with('+')) token.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size();
}

/// Past the string in quotation marks that begins at `at`.
std::size_t past_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Offsets at which an operand may begin: after '(' and ',' of a list in round brackets, spaces left out.
std::vector<std::size_t> operand_places(const std::string& text) {
  std::vector<std::size_t> places;
  std::string open;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = past_string(text, at);
      continue;
    }
    ++at;
    if (c == '(' || c == '[' || c == '{') open += c;
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
    if ((c != '(' && c != ',') || open.empty() || open.back() != '(') continue;
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    places.push_back(at);
  }
  return places;
}

}  // namespace

LiteralText::LiteralText(const std::string& text, const Locator& locate) {
  std::string prefix = "literal";
  while (text.find(prefix) != text.npos) prefix += '_';
  std::map<std::string, int> count;
  std::size_t copied = 0;
  for (const std::size_t at : operand_places(text)) {
    const std::string token = token_at(text, at);
    if (!begins_number(token)) continue;
    if (!is_number(token))
      throw SpecError(locate(at), fmt::format("model: the operand '{}' is neither a name nor a number in the range of double. do: write "
                                              "a number like 1, -0.5, 1e-5, inf, -inf or nan",
                                              token));
    const int same = ++count[token];
    const std::string placeholder = fmt::format("{}{}", prefix, literals_.size());
    literals_.push_back({placeholder, token, same == 1 ? token : fmt::format("{} ({})", token, same), at});
    plain_.append(text, copied, at - copied);
    const auto line = static_cast<int>(std::ranges::count(plain_, '\n')) + 1;
    const std::size_t newline = plain_.rfind('\n');
    const auto begin = static_cast<int>(plain_.size() - (newline == plain_.npos ? 0 : newline + 1)) + 1;
    const auto length = static_cast<int>(placeholder.size());
    edits_.push_back({line, begin, length, length - static_cast<int>(token.size())});
    plain_ += placeholder;
    copied = at + token.size();
  }
  plain_.append(text, copied);
}

int LiteralText::original_column(int line, int column) const {
  int shift = 0;
  for (const Edit& edit : edits_) {
    if (edit.line != line || column < edit.begin) continue;
    if (column < edit.begin + edit.length) return edit.begin - shift;
    shift += edit.grown;
  }
  return column - shift;
}

}  // namespace assay
