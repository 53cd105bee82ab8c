// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/error.h"

#include <fmt/format.h>

namespace assay::spec {
namespace {

std::string positioned(const SourceLocation& where, const std::string& message) {
  if (where.file.empty()) return message;
  if (where.line == 0) return fmt::format("{}: {}", where.file, message);
  return fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, message);
}

}  // namespace

SpecError::SpecError(const SourceLocation& where, const std::string& message) : std::runtime_error(positioned(where, message)) {}

}  // namespace assay::spec
