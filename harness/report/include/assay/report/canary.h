// SPDX-License-Identifier: Apache-2.0
// The timing canaries: fixtures that time a baseline against itself before and after the timings. Where that does not give 1,
// no timing of the same JUnit is believed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::report {

struct Canary {
  std::string test;                     ///< "assay.canary.before"
  std::string file;                     ///< the JUnit that it is in
  double ratio = 1, low = 1, high = 1;  ///< with its 99 % interval
  double steal = 0;
  int launches = 0;

  /// "before", "after".
  std::string when() const;
  /// Why the timings beside it are not believed; empty where they are.
  std::string doubt() const;
};

bool is_canary(std::string_view test);

/// Reads the line that opens its output. nullopt where there is none or it is damaged.
std::optional<Canary> read_canary(std::string test, std::string file, std::string_view output);

/// "before 1.001 [0.997, 1.005]".
std::string spell(const Canary& canary);

}  // namespace assay::report
