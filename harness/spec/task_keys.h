// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay {

/// Of task.yaml.
const std::vector<std::string>& task_keys();

}  // namespace assay
