// SPDX-License-Identifier: Apache-2.0
#include "assay/record/test_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace assay::record {

namespace {

constexpr std::array<std::string_view, 3> stage_names = {"compile", "test", "bench"};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_run(std::string_view s) {
  return !s.empty() && s.front() != '-' && std::all_of(s.begin(), s.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

bool is_identifier(std::string_view s) {
  return !s.empty() && is_lower(s.front()) &&
         std::all_of(s.begin(), s.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

bool is_index(std::string_view s) { return s.size() == 3 && std::all_of(s.begin(), s.end(), is_digit); }

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const auto dot = text.find('.', begin);
    parts.push_back(text.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return parts;
    begin = dot + 1;
  }
}

}  // namespace

std::string_view name(Stage stage) { return stage_names[static_cast<std::size_t>(stage)]; }

std::optional<Stage> stage_named(std::string_view name) {
  for (const Stage stage : all_stages)
    if (record::name(stage) == name) return stage;
  return std::nullopt;
}

std::string SampleName::text() const { return fmt::format("{}.{}.{}.{:03}", run, task, backend, index); }

std::string TestName::text() const { return fmt::format("{}.{}", sample.text(), name(stage)); }

std::optional<int> parse_sample_number(std::string_view text) {
  if (text.empty() || text.size() > 3 || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  int number = 0;
  for (const char digit : text) number = 10 * number + (digit - '0');
  return number;
}

std::optional<TestName> parse_test_name(std::string_view text) {
  const auto parts = split(text);
  if (parts.size() != 5) return std::nullopt;
  const auto stage = stage_named(parts[4]);
  if (!is_run(parts[0]) || !is_identifier(parts[1]) || !is_identifier(parts[2]) || !is_index(parts[3]) || !stage) return std::nullopt;
  const int index = (parts[3][0] - '0') * 100 + (parts[3][1] - '0') * 10 + (parts[3][2] - '0');
  return TestName{{std::string(parts[0]), std::string(parts[1]), std::string(parts[2]), index}, *stage};
}

bool is_own_fixture(std::string_view text) { return text.starts_with("assay.") && !parse_test_name(text); }

}  // namespace assay::record
