// SPDX-License-Identifier: Apache-2.0
// Which layers of confinement this machine offers. A layer counts where it can be set up and where no escape attempt gets
// through: a kernel that accepts a rule and does not keep it is not believed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/sandbox/sandbox.h"

namespace assay::sandbox {

struct RefusedLayers {
  Layers layers;
  std::string why;  ///< the step that failed, or the escape attempts that got through
};

struct OfferedLayers {
  Layers layers;                       ///< the best that holds
  std::vector<RefusedLayers> refused;  ///< what is better and does not hold here, best first
};

/// Tries full, then reduced, by running every attempt of `escape` (the program assay-escape) in each. About 0.1 s.
/// Throws SandboxError where the program cannot be run at all.
OfferedLayers probe_layers(const std::filesystem::path& escape);

/// Names of the attempts of `escape` that get out of `layers`; a crash or a missing program counts as getting out.
std::vector<std::string> escapes_from(const Layers& layers, const std::filesystem::path& escape);

}  // namespace assay::sandbox
