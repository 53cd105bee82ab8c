// SPDX-License-Identifier: Apache-2.0
#include "compiler_end.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "assay/compile/compile_record.h"
#include "assay/spec/descriptor.h"

namespace assay::compile {

namespace fs = std::filesystem;
using plan::Toolchain;

namespace {

/// Whether the largest file that a compiler may write finds room.
bool has_room(const fs::path& folder) {
  const spec::Descriptor file(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (!file) return errno != ENOSPC && errno != EDQUOT;
  return posix_fallocate(file.get(), 0, static_cast<off_t>(sandbox::ResourceLimits{}.file_size)) == 0;
}

/// "g++: fatal error: Killed signal terminated program cc1plus", as the last but one line. A candidate may say so too: it decides
/// nothing but that the compiler is run once more.
bool says_killed(std::string_view diagnostics) {
  constexpr std::string_view kEnd = "\ncompilation terminated.\n", kKilled = ": fatal error: Killed signal terminated program ";
  if (!diagnostics.ends_with(kEnd)) return false;
  diagnostics.remove_suffix(kEnd.size());
  const std::string_view line = diagnostics.substr(diagnostics.rfind('\n') + 1);
  return line.find(':') != line.npos && line.substr(line.find(':')).starts_with(kKilled);
}

}  // namespace

fs::path description_of(const fs::path& library) { return library.string() + ".json"; }

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::regular;
}

std::string doubt_of_device(const Toolchain& toolchain, const sandbox::Finished& finished, const sandbox::Log& log,
                            const fs::path& scratch) {
  constexpr int kNoDevice = 3;
  constexpr std::size_t kMost = 2000;
  const bool said = WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == kNoDevice;
  if (!toolchain.launches() || (is_file(description_of(scratch / "kernel.so")) && !said)) return "";
  std::string words = log.tail(kMost);
  words.resize(words.find_last_not_of(" \n") + 1);
  if (said) return words;
  const std::string end = finished.timed_out             ? "was stopped after its time"
                          : WIFSIGNALED(finished.status) ? fmt::format("died of signal {}", strsignal(WTERMSIG(finished.status)))
                                                         : fmt::format("ended with status {}", WEXITSTATUS(finished.status));
  return fmt::format(
      "compile: {} {} before it had a device: a driver is broken. got: {}. do: run `{} devices`, and repair or "
      "remove the driver that ends it",
      toolchain.compile.front(), end, words.empty() ? "no message" : words, toolchain.compile.front());
}

std::string doubt_of(const Toolchain& toolchain, const sandbox::Finished& finished, const sandbox::Log& log, const fs::path& scratch) {
  if (const std::string device = doubt_of_device(toolchain, finished, log, scratch); !device.empty()) return device;
  if (finished.status == 0) return "the compiler reports success and leaves no library";
  if ((WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGKILL) || says_killed(log.tail(kDiagnosticsKept)))
    return fmt::format("the compiler is killed, holding {} MiB: by somebody, or by the kernel for want of memory",
                       finished.usage.ru_maxrss / 1024);
  return "";
}

void require_room(const sandbox::Log& log, const Scratch& scratch) {
  const std::string end = log.tail(kDiagnosticsKept);
  for (const char* full : {"No space left on device", "Disk quota exceeded"}) {
    if (end.find(full) == std::string::npos) continue;
    scratch.empty();
    if (!has_room(scratch.path()))
      throw std::runtime_error(fmt::format("the compiler had no room on the disk of {}. do: free {} MiB and build again",
                                           scratch.path().string(), sandbox::ResourceLimits{}.file_size >> 20));
  }
}

}  // namespace assay::compile
