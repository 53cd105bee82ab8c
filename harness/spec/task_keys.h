// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::spec {

/// Of task.yaml.
const std::vector<std::string>& task_keys();

}  // namespace assay::spec
