// SPDX-License-Identifier: Apache-2.0
// What a box prints: memory of a fixed size, which the judge copies to a file when the box is gone. A box that held the file itself
// could leave more there than text: a mode, an attribute, blocks beyond its end.
#pragma once

#include <filesystem>

#include "assay/spec/descriptor.h"

namespace assay::trial {

class PrintedOutput {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  /// `file` empty: nothing is kept. Throws SandboxError where there is no memory.
  explicit PrintedOutput(std::filesystem::path file);
  /// Appends what was printed to the file; where that cannot be written it is lost.
  ~PrintedOutput();
  PrintedOutput(const PrintedOutput&) = delete;
  PrintedOutput& operator=(const PrintedOutput&) = delete;
  /// For the box's stdout and stderr; -1 where nothing is kept.
  int fd() const { return memory_.get(); }

 private:
  std::filesystem::path file_;
  spec::Descriptor memory_;
};

}  // namespace assay::trial
