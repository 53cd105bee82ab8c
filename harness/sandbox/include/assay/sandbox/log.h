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

namespace assay {

/// What a confined program printed: a file in memory.
class Log {
 public:
  Log() : fd_(memfd_create("diagnostics", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error(fmt::format("no memory file for what a program prints: {}", std::strerror(errno)));
  }
  ~Log() { close(fd_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  int fd() const { return fd_; }
  std::string tail(std::size_t most) const { return read(size() - std::min(size(), most), most); }

 private:
  std::size_t size() const {
    struct stat status{};
    return fstat(fd_, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
  }
  std::string read(std::size_t from, std::size_t most) const {
    std::string text(most, '\0');
    const ssize_t got = pread(fd_, text.data(), most, static_cast<off_t>(from));
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }
  int fd_;
};

}  // namespace assay
