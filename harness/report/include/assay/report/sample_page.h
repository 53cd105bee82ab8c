// SPDX-License-Identifier: Apache-2.0
// `assay show`: all that is kept of one candidate, on one page of text.
#pragma once

#include <array>
#include <ostream>
#include <string>

#include "assay/report/results.h"

namespace assay::report {

struct SamplePage {
  Sample sample;
  std::array<std::string, 3> outputs;  ///< what followed each stage's record
  std::string judged;                  ///< when the last of them began
  std::string age;                     ///< "source", "plan", "gone": what has changed since; empty: nothing
  std::string build;                   ///< the build folder, for the repro line
  std::string source_path, source;
};

/// Everything that a candidate could have shaped is made printable.
void write_sample(const SamplePage& page, std::ostream& out);

}  // namespace assay::report
