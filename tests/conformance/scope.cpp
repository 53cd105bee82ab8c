// SPDX-License-Identifier: Apache-2.0
#include "scope.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace assay {
namespace {

ScopeRow parse_row(const std::string& line, const std::string& where) {
  const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    throw std::runtime_error(fmt::format("{}: a row is kind<TAB>pattern<TAB>reason, got '{}'", where, line));
  ScopeRow row{line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  if (row.kind != "operator" && row.kind != "test")
    throw std::runtime_error(fmt::format("{}: kind must be operator or test, got '{}'", where, row.kind));
  if (row.reason.empty()) throw std::runtime_error(fmt::format("{}: '{}' has no reason", where, row.pattern));
  const auto letters = std::count_if(row.pattern.begin(), row.pattern.end(), [](char c) { return std::isalnum(c) != 0; });
  if (letters < 3 || row.pattern == "test*" || row.pattern == "test_*")
    throw std::runtime_error(fmt::format("{}: '{}' would take every test. do: name the operators or tests", where, row.pattern));
  return row;
}

}  // namespace

Scope Scope::read(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  Scope scope;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    scope.rows_.push_back(parse_row(line, fmt::format("{}:{}", path.string(), number)));
    scope.rows_.back().line = number;
  }
  return scope;
}

const ScopeRow* Scope::excludes(const std::string& test, const std::vector<std::string>& operators) const {
  const ScopeRow* found = nullptr;
  for (const ScopeRow& row : rows_) {
    const bool matches = row.kind == "test" ? fnmatch(row.pattern.c_str(), test.c_str(), 0) == 0
                                            : std::find(operators.begin(), operators.end(), row.pattern) != operators.end();
    if (!matches) continue;
    ++row.uses;
    if (found == nullptr) found = &row;
  }
  return found;
}

std::vector<const ScopeRow*> Scope::unused() const {
  std::vector<const ScopeRow*> rows;
  for (const ScopeRow& row : rows_)
    if (row.uses == 0) rows.push_back(&row);
  return rows;
}

}  // namespace assay
