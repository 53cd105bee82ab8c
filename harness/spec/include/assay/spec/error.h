// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "assay/spec/graph.h"

namespace assay::spec {

/// A task that cannot be used: what() is "file:line:column: who: what, got, do".
class SpecError : public std::runtime_error {
 public:
  SpecError(const SourceLocation& where, const std::string& message);
};

}  // namespace assay::spec
