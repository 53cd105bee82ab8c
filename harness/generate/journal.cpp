// SPDX-License-Identifier: Apache-2.0
#include "journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace assay::generate {
namespace {

/// Where the last line that has an end ends.
off_t whole_lines(int fd) {
  char buffer[1 << 16];
  for (off_t end = lseek(fd, 0, SEEK_END); end > 0;) {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(sizeof buffer));
    const ssize_t got = pread(fd, buffer, static_cast<std::size_t>(end - begin), begin);
    if (got <= 0) return -1;
    const auto* newline = static_cast<const char*>(memrchr(buffer, '\n', static_cast<std::size_t>(got)));
    if (newline != nullptr) return begin + (newline - buffer) + 1;
    end = begin;
  }
  return 0;
}

}  // namespace

Journal::Journal(std::filesystem::path file)
    : file_(std::move(file)), fd_(open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (!fd_) fail("cannot be written");
  if (flock(fd_.get(), LOCK_EX | LOCK_NB) != 0)
    throw std::runtime_error(
        fmt::format("generate: {} is another process's now. do: wait for the other assay generate, or name another run", file_.string()));
  const off_t whole = whole_lines(fd_.get());
  if (whole < 0) fail("cannot be read");
  if (whole != lseek(fd_.get(), 0, SEEK_END) && ftruncate(fd_.get(), whole) != 0) fail("cannot be cut");
}

void Journal::fail(const char* what) const {
  throw std::runtime_error(
      fmt::format("generate: {} {}: {}. do: check its folder, and that its disk is not full", file_.string(), what, std::strerror(errno)));
}

void Journal::each(const std::function<void(const nlohmann::json&)>& line) const { each_line(file_, line); }

void Journal::append(const nlohmann::json& line) {
  const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const off_t before = lseek(fd_.get(), 0, SEEK_END);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd_.get(), text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = errno;
      [[maybe_unused]] const int cut = ftruncate(fd_.get(), before);  // the next opening does it, too
      errno = error;
      fail("cannot be written");
    }
    at += static_cast<std::size_t>(written);
  }
  dirty_ = true;
}

void Journal::sync() {
  if (!dirty_) return;
  if (fdatasync(fd_.get()) != 0) fail("cannot be written");
  dirty_ = false;
}

void each_line(const std::filesystem::path& file, const std::function<void(const nlohmann::json&)>& line) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("generate: {} cannot be read", file.string()));
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (in.eof()) return;  // it has no end: its writer died
    const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    if (!parsed.is_object())
      throw std::runtime_error(
          fmt::format("generate: {}:{}: is no JSON object. do: remove the line, and it is asked again", file.string(), number));
    line(parsed);
  }
}

}  // namespace assay::generate
