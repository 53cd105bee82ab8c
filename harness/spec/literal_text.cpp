// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include "assay/spec/error.h"
#include "literals.h"

namespace assay::spec {
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

bool is_real_number(std::string_view token) {
  if (token.starts_with('+')) token.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size();
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
    at = past_spaces(text, at);
    places.push_back(at);
  }
  return places;
}

}  // namespace

std::vector<Literal> find_literals(const std::string& text, const std::vector<Replacement>& others, const Locator& locate) {
  const std::string prefix = unused_word(text, "literal");
  std::vector<Literal> literals;
  std::map<std::string, int> count;
  for (const std::size_t at : operand_places(text)) {
    const std::string token = token_at(text, at);
    if (!begins_number(token)) continue;
    if (std::ranges::any_of(others, [at](const Replacement& other) { return other.at <= at && at < other.at + other.length; })) continue;
    if (!is_real_number(token))
      throw SpecError(locate(at), fmt::format("model: the operand '{}' is neither a name nor a number in the range of double. do: write "
                                              "a number like 1, -0.5, 1e-5, inf, -inf or nan",
                                              token));
    const int same = ++count[token];
    literals.push_back(
        {fmt::format("{}{}", prefix, literals.size()), token, same == 1 ? token : fmt::format("{} ({})", token, same), at, token.size()});
  }
  return literals;
}

}  // namespace assay::spec
