// SPDX-License-Identifier: Apache-2.0
// What stops a report: the command turns it into one message and exit code 2.
#pragma once

#include <stdexcept>

namespace assay::report {

/// Input or usage that no report can be made of. what() says who, what, got and do.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay::report
