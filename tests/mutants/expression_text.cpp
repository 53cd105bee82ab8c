// SPDX-License-Identifier: Apache-2.0
#include "expression_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace assay {
namespace {

bool is_integer_literal(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0; });
}

}  // namespace

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\n");
  return begin == text.npos ? "" : std::string(text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1));
}

std::string collapsed(std::string_view text) {
  std::string result;
  for (const char c : trimmed(text)) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space || result.back() != ' ') result += space ? ' ' : c;
  }
  return result;
}

std::string operand(std::string_view text) {
  const bool single = std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
  return single ? std::string(text) : fmt::format("({})", text);
}

std::string one_more(std::string_view text) {
  if (!is_integer_literal(text)) return operand(text) + " + 1";
  char* rest = nullptr;
  const std::string digits(text);
  const unsigned long long value = std::strtoull(digits.c_str(), &rest, 0);
  return fmt::format("{}{}", value + 1, rest);
}

}  // namespace assay
