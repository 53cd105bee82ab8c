// SPDX-License-Identifier: Apache-2.0
// A task from a few lines of text.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "assay/spec/task.h"
#include "temporary_folder.h"

namespace assay {

/// `signature_and_body` is the model, named `task`; `rest` further lines of task.yaml.
inline spec::Task written_task(const std::string& signature_and_body, const std::string& rest) {
  const TemporaryFolder root;
  const std::filesystem::path folder = root / "math/task";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "task.yaml") << "summary: A task.\ndifficulty: 1\nmodel: |\n  task " << signature_and_body << "\n" << rest;
  return spec::load_task(folder / "task.yaml");
}

}  // namespace assay
