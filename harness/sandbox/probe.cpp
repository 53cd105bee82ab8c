// SPDX-License-Identifier: Apache-2.0
#include "assay/sandbox/probe.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "assay/spec/descriptor.h"

namespace assay::sandbox {
namespace {

namespace fs = std::filesystem;
using spec::Descriptor;

constexpr std::chrono::milliseconds kLimit{10000};

/// A file that no confined command is shown.
class OutsideFile {
 public:
  OutsideFile() {
    const Descriptor file(mkstemp(path_.data()));
    if (!file) throw SandboxError(fmt::format("sandbox: cannot make {}: {}", path_, std::strerror(errno)));
  }
  ~OutsideFile() {
    unlink(path_.c_str());
    unlink((path_ + ".made").c_str());
  }
  OutsideFile(const OutsideFile&) = delete;
  OutsideFile& operator=(const OutsideFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (fs::temp_directory_path() / "assay-outside-XXXXXX").string();
};

ConfinedCommand attempt_command(const Layers& layers, const fs::path& escape, const std::string& attempt) {
  ConfinedCommand command;
  command.argv = {escape.string(), attempt};
  command.readable = system_paths();
  command.readable.push_back(escape);
  command.limits.file_size = 1 << 20;
  command.layers = layers;
  return command;
}

std::vector<std::string> attempts_of(const fs::path& escape) {
  ConfinedCommand list = attempt_command({false, false, false}, escape, "--list");
  const Descriptor output(memfd_create("attempts", MFD_CLOEXEC));
  list.output = output.get();
  const Finished finished = run(list, kLimit);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, pread(list.output, text.data(), text.size(), 0))));
  if (finished.status != 0 || text.empty()) throw SandboxError(fmt::format("sandbox: {} cannot be run", escape.string()));
  std::istringstream lines(text);
  return {std::istream_iterator<std::string>(lines), {}};
}

bool held(const Finished& finished) {
  const bool refused = WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == 0;
  return !finished.timed_out && (refused || (WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGSYS));
}

/// Whether a process that left its parents, session and group behind is gone when run() returns.
bool leaves_nobody_behind(ConfinedCommand command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw SandboxError(fmt::format("sandbox: no pipe: {}", std::strerror(errno)));
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  command.may_start_processes = true;
  command.output = writer.get();
  run(command, kLimit);
  writer.close();
  pollfd survivor{reader.get(), POLLIN, 0};
  return poll(&survivor, 1, 0) == 1 && (survivor.revents & POLLHUP) != 0;
}

}  // namespace

std::vector<std::string> escapes_from(const Layers& layers, const fs::path& escape) {
  const OutsideFile outside;
  std::vector<std::string> escaped;
  for (const std::string& attempt : attempts_of(escape)) {
    ConfinedCommand command = attempt_command(layers, escape, attempt);
    command.argv.push_back(outside.path());
    const Descriptor sink(memfd_create("attempt", MFD_CLOEXEC));
    command.output = sink.get();
    const bool good = attempt == "survives" ? leaves_nobody_behind(command) : held(run(command, kLimit));
    if (!good) escaped.push_back(attempt);
  }
  return escaped;
}

OfferedLayers probe_layers(const fs::path& escape) {
  OfferedLayers offer;
  for (const Layers& layers : {Layers{}, Layers{.landlock = false}, Layers{.namespaces = false}}) {
    try {
      const std::vector<std::string> escaped = escapes_from(layers, escape);
      if (escaped.empty()) {
        offer.layers = layers;
        return offer;
      }
      offer.refused.push_back({layers, fmt::format("does not hold: {}", fmt::join(escaped, ", "))});
    } catch (const SandboxError& error) {
      offer.refused.push_back({layers, error.what()});
    }
  }
  offer.layers = {false, false, false};
  attempts_of(escape);  // throws where nothing runs
  return offer;
}

}  // namespace assay::sandbox
