// SPDX-License-Identifier: Apache-2.0
// The layers of the sandbox that this machine offers, found out once and kept in the build tree.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/plan/plan.h"
#include "assay/sandbox/probe.h"

namespace assay::plan {

/// What the escape attempts of `escape` leave standing here. Kept in `file` until the next boot, for another user, or until
/// `escape` changes; found out anew where that is not to be read.
sandbox::OfferedLayers offered_layers(const std::filesystem::path& escape, const std::filesystem::path& file);

/// The machine offers less than was asked for.
class WeakerTier : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The offered_layers(). Throws WeakerTier where they do not reach the tier that is required.
sandbox::Layers confinement(const Settings& settings);

/// What a confined process gets of this one's environment: "NAME=value" of the backend's variables that are set here, and the
/// values that are absolute paths, which it may read.
struct PassedEnvironment {
  std::vector<std::string> variables;
  std::vector<std::filesystem::path> readable;
};
PassedEnvironment passed_environment(const Toolchain& toolchain);

/// Where containers have NVIDIA's driver, and the loader does not look.
inline constexpr const char* kContainerDriver = "/usr/local/nvidia/lib64";

/// The device files that a backend's patterns match on this machine.
std::vector<std::filesystem::path> device_files(const Toolchain& toolchain);

/// Throws WeakerTier unless `offer` reaches `required` ("full", "reduced", "none"; empty: any), std::runtime_error where
/// that is none of these. `who` begins the message.
void require_tier(const sandbox::OfferedLayers& offer, std::string_view required, std::string_view who);

}  // namespace assay::plan
