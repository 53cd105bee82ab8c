// SPDX-License-Identifier: Apache-2.0
// The layers of the sandbox that this machine offers, found out once and kept in the build tree.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/sandbox/probe.h"
#include "assay/trial/plan.h"

namespace assay::trial {

/// What the escape attempts of `escape` leave standing here. Kept in `file` until the next boot, for another user, or until
/// `escape` changes; found out anew where that is not to be read.
OfferedLayers offered_layers(const std::filesystem::path& escape, const std::filesystem::path& file);

/// The machine offers less than was asked for.
class WeakerTier : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// offered_layers() of a plan. Throws WeakerTier where they do not reach the tier that the plan requires.
Layers confinement(const Plan& plan);

/// What a confined process gets of this one's environment: "NAME=value" of the plan's variables that are set here, and the
/// values that are absolute paths, which it may read.
struct PassedEnvironment {
  std::vector<std::string> variables;
  std::vector<std::filesystem::path> readable;
};
PassedEnvironment passed_environment(const Plan& plan);

/// The device files that a plan's patterns match on this machine.
std::vector<std::filesystem::path> device_files(const Plan& plan);

/// Throws WeakerTier unless `offer` reaches `required` ("full", "reduced", "none"; empty: any), std::runtime_error where
/// that is none of these. `who` begins the message.
void require_tier(const OfferedLayers& offer, std::string_view required, std::string_view who);

}  // namespace assay::trial
