// SPDX-License-Identifier: Apache-2.0
// A task from a few lines of text.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "assay/spec/task.h"

namespace assay {

/// `signature_and_body` is the model, named `task`; `rest` further lines of task.yaml.
inline Task written_task(const std::string& signature_and_body, const std::string& rest) {
  char name[] = "/tmp/written_task_XXXXXX";
  const std::filesystem::path root = mkdtemp(name), folder = root / "math/task";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "task.yaml")
      << "summary: A task.\ndifficulty: 1\nmodel: |\n  task " << signature_and_body << "\n"
      << rest;
  Task task = load_task(folder / "task.yaml");
  std::filesystem::remove_all(root);
  return task;
}

}  // namespace assay
