// SPDX-License-Identifier: Apache-2.0
// Other systems' rules, for comparison: which inputs they draw and when they call an output right. A profile
// replaces a task's cases and the comparison; everything else is as ever. Each reproduces its system's holes
// too: that is what it is for.
#pragma once

#include <string>
#include <vector>

#include "assay/cases/expected.h"

namespace assay::cases {

struct Profile {
  std::string name;
  std::string inputs;     ///< `data`, in words
  std::string tolerance;  ///< `accepts`, in words: of an output y where o is right
  int trials;             ///< draws at each timing shape; of more than 64 MiB a draw there is one
  spec::InputInit data;   ///< how reals are drawn of which neither the task nor a suite's row says more
  /// Whether `got` passes for `right`, two tensors of `count` elements; `half`: of a 16-bit type.
  bool (*accepts)(const std::vector<double>& got, const std::vector<double>& right, bool half);
};

/// All that there are; docs and error messages list them.
const std::vector<Profile>& profiles();

/// std::runtime_error, naming those that there are, where `name` is unknown.
const Profile& find_profile(const std::string& name);

/// The profile's trials instead of the task's cases: at each timing shape of `target`, or of each row where that is a suite. A task that
/// has none is an error.
CaseFile prepare_cases(const spec::Task& task, const Profile& profile, const Seed& seed, const std::string& target = "cpu");
/// The same shapes to be timed, without bounds: the profile's own rule decides on timed calls too.
CaseFile prepare_timing(const spec::Task& task, const Profile& profile, const Seed& seed, const std::string& target = "cpu");

/// Compares by the rule of `profile`; by this project's own (compare) where it is empty.
Comparison compare_by(const std::string& profile, const PreparedCase& expected, const std::vector<Bytes>& outputs);

}  // namespace assay::cases
