// SPDX-License-Identifier: Apache-2.0
// Holds back what libraries print to stdout and stderr, so that the record is the first line: CTest joins the two.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "assay/spec/descriptor.h"

namespace assay::stages {

class CapturedOutput {
 public:
  CapturedOutput() : file_(memfd_create("output", MFD_CLOEXEC)) {
    flush();
    for (spec::Descriptor& original : originals_) {
      const int fd = static_cast<int>(&original - originals_) + STDOUT_FILENO;
      original = spec::Descriptor(dup(fd));
      dup2(file_.get(), fd);
    }
  }
  ~CapturedOutput() { restore(); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Ends the capture; what was printed since the beginning.
  std::string take() {
    restore();
    struct stat status {};
    fstat(file_.get(), &status);
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t got = pread(file_.get(), text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(stdout);
    std::fflush(stderr);
  }
  void restore() {
    flush();
    for (spec::Descriptor& original : originals_) {
      if (!original) continue;
      dup2(original.get(), static_cast<int>(&original - originals_) + STDOUT_FILENO);
      original.close();
    }
  }
  spec::Descriptor file_;
  spec::Descriptor originals_[2];  // stdout, stderr
};

}  // namespace assay::stages
