// SPDX-License-Identifier: Apache-2.0
#include "scope.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace assay {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

ScopeRow parse_row(const std::string& line, const std::string& where) {
  const std::vector<std::string> fields = fields_of(line);
  const std::string kind = fields.empty() ? "" : fields[0];
  if (kind != "operator" && kind != "test" && kind != "tolerance")
    throw std::runtime_error(
        fmt::format("{}: kind must be operator, test or tolerance, got '{}'", where, kind));
  const std::size_t wanted = kind == "tolerance" ? 4 : 3;
  if (fields.size() != wanted || fields.back().empty())
    throw std::runtime_error(fmt::format("{}: a row of kind {} has {} fields, the last a reason; got '{}'",
                                         where, kind, wanted, line));
  ScopeRow row{kind, fields[1], kind == "tolerance" ? std::stod(fields[2]) : 0, fields.back()};
  const auto letters =
      std::count_if(row.pattern.begin(), row.pattern.end(), [](char c) { return std::isalnum(c) != 0; });
  if (letters < 2 || row.pattern == "test*" || row.pattern == "test_*")
    throw std::runtime_error(
        fmt::format("{}: '{}' would take every test. do: name the operators or tests", where, row.pattern));
  return row;
}

bool names(const ScopeRow& row, const std::string& test) {
  return fnmatch(row.pattern.c_str(), test.c_str(), 0) == 0;
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
    const bool matches =
        row.kind == "test"
            ? names(row, test)
            : row.kind == "operator" && std::ranges::find(operators, row.pattern) != operators.end();
    if (!matches) continue;
    ++row.uses;
    if (found == nullptr) found = &row;
  }
  return found;
}

std::optional<double> Scope::tolerance(const std::string& test) const {
  std::optional<double> number;
  for (const ScopeRow& row : rows_) {
    if (row.kind != "tolerance" || !names(row, test)) continue;
    ++row.uses;
    number = row.number;
  }
  return number;
}

std::vector<const ScopeRow*> Scope::unused() const {
  std::vector<const ScopeRow*> rows;
  for (const ScopeRow& row : rows_)
    if (row.uses == 0) rows.push_back(&row);
  return rows;
}

}  // namespace assay
