// SPDX-License-Identifier: Apache-2.0
// Holds back what libraries print to stdout, so that the record can be the first line.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace assay {

class CapturedOutput {
 public:
  CapturedOutput() : file_(memfd_create("stdout", MFD_CLOEXEC)), original_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    dup2(file_, STDOUT_FILENO);
  }
  ~CapturedOutput() {
    restore();
    close(file_);
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Ends the capture; what was printed since the beginning.
  std::string take() {
    restore();
    struct stat status{};
    fstat(file_, &status);
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  void restore() {
    if (original_ < 0) return;
    std::fflush(stdout);
    dup2(original_, STDOUT_FILENO);
    close(original_);
    original_ = -1;
  }
  int file_, original_;
};

}  // namespace assay
