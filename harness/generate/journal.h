// SPDX-License-Identifier: Apache-2.0
// A file of JSON lines that grows while it is written: a line is there whole or not at all, whenever the writer dies.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "assay/spec/descriptor.h"

namespace assay::generate {

class Journal {
 public:
  /// Opens `file`, which may be missing, for this process alone; takes a line without an end away. Throws std::runtime_error: another
  /// process has it, it cannot be written.
  explicit Journal(std::filesystem::path file);

  /// The lines in order. Throws std::runtime_error naming the first one that is no JSON object.
  void each(const std::function<void(const nlohmann::json&)>& line) const;

  /// Written at once; on the disk after sync().
  void append(const nlohmann::json& line);
  void sync();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path file_;
  spec::Descriptor fd_;
  bool dirty_ = false;
};

/// The same of a file that is only read.
void each_line(const std::filesystem::path& file, const std::function<void(const nlohmann::json&)>& line);

}  // namespace assay::generate
