// SPDX-License-Identifier: Apache-2.0
// Starts a command confined: it sees the paths that it is given and no others, has no network, and bounded resources.
// Tiers, best first; the kernel decides which is to be had, and every record states which it was:
//   namespaces  user, mount, pid, network, ipc and uts namespaces over an empty root + seccomp + rlimits
//   landlock    Landlock file rules over the real root + seccomp + rlimits
//   limits      seccomp + rlimits
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace assay {

enum class Tier { limits, landlock, namespaces };
const char* to_string(Tier tier);

struct ResourceLimits {
  std::uint64_t address_space = std::uint64_t{4} << 30;  ///< bytes
  std::uint64_t file_size = std::uint64_t{64} << 20;     ///< bytes, of each file that is written
  std::uint64_t cpu_seconds = 600;
  std::uint64_t open_files = 64;
};

struct ConfinedCommand {
  std::vector<std::string> argv;                   ///< argv[0] is an absolute path
  std::vector<std::string> environment;            ///< the whole of it: nothing is inherited
  std::filesystem::path directory = "/";
  std::vector<std::filesystem::path> readable;     ///< files and folders, at their own paths; absent ones are left out
  std::vector<std::filesystem::path> writable;     ///< folders
  std::vector<std::pair<int, int>> descriptors;    ///< (ours, theirs); all others are closed
  int output = -1;                                 ///< descriptor for stdout and stderr; -1: discarded
  ResourceLimits limits;
  bool may_start_processes = false;
  std::vector<int> cpus;                           ///< affinity; empty: inherited
};

struct Started {
  pid_t pid;
  Tier tier;
};

/// Our own failure to start a command, never the command's.
class SandboxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Starts `command` in the best tier up to `best`. Throws SandboxError where none can be had.
Started start(const ConfinedCommand& command, Tier best = Tier::namespaces);

/// Kills the command with all its descendants and reaps it.
void stop(const Started& started);

struct Finished {
  bool timed_out = false;
  int status = 0;  ///< as waitpid gives it
  rusage usage{};
  Tier tier = Tier::limits;
};

/// Runs `command` to its end, or kills it after `limit` of wall time.
Finished run(const ConfinedCommand& command, std::chrono::milliseconds limit, Tier best = Tier::namespaces);

/// Folders and files of the system that a dynamically linked program needs: /usr, /lib*, the loader's cache.
std::vector<std::filesystem::path> system_paths();

}  // namespace assay
