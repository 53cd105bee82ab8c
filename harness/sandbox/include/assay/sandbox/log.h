// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "assay/spec/descriptor.h"

namespace assay::sandbox {

/// What a confined program printed: a file in memory.
class Log {
 public:
  Log() : memory_(memfd_create("diagnostics", MFD_CLOEXEC)) {
    if (!memory_) throw std::runtime_error(fmt::format("no memory file for what a program prints: {}", std::strerror(errno)));
  }
  int fd() const { return memory_.get(); }
  std::string tail(std::size_t most) const { return read(size() - std::min(size(), most), most); }

 private:
  std::size_t size() const {
    struct stat status {};
    return fstat(fd(), &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
  }
  std::string read(std::size_t from, std::size_t most) const {
    std::string text(most, '\0');
    const ssize_t got = pread(fd(), text.data(), most, static_cast<off_t>(from));
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }
  spec::Descriptor memory_;
};

}  // namespace assay::sandbox
