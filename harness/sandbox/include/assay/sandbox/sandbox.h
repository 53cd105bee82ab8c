// SPDX-License-Identifier: Apache-2.0
// Starts a command confined: it sees the paths that it is given and no others, has no network, and bounded resources.
// Four layers, of which the kernel decides which are to be had (probe.h); every record states the tier that they make:
//   namespaces  new user, mount, pid, network, ipc and uts namespaces over an empty root that shows the given paths
//   landlock    the kernel's own file rules for the same paths
//   filter      seccomp: what no compiler and no kernel calls ends the process
//   limits      rlimits, always
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

#include "assay/record/tier.h"

namespace assay::sandbox {

struct Layers {
  bool namespaces = true, landlock = true, filter = true;
  bool operator==(const Layers&) const = default;
};
/// "namespaces + landlock + seccomp + limits".
std::string to_string(const Layers& layers);

/// full: all layers; reduced: the filter, and files confined by namespaces or by Landlock; none: anything less.
record::Tier tier_of(const Layers& layers);

struct ResourceLimits {
  std::uint64_t address_space = std::uint64_t{4} << 30;  ///< bytes; with devices, of private memory that is not merely reserved
  std::uint64_t file_size = std::uint64_t{64} << 20;     ///< bytes, of each file that is written
  std::uint64_t cpu_seconds = 600;                       ///< then SIGXCPU, and SIGKILL a little later where that is held back
  std::uint64_t stack = std::uint64_t{8} << 20;          ///< bytes, of the first thread
  std::uint64_t open_files = 64;
};

/// A command with `devices` is one that loads their driver, which needs more than a compiler or a kernel: it reserves addresses
/// for all that the device could hold, and reads its own /proc/self.
struct ConfinedCommand {
  std::vector<std::string> argv;         ///< argv[0] is an absolute path
  std::vector<std::string> environment;  ///< the whole of it: nothing is inherited
  std::filesystem::path directory = "/";
  std::vector<std::filesystem::path> readable;        ///< files and folders, at their own paths; absent ones are left out
  std::vector<std::filesystem::path> private_copies;  ///< readable; where it has namespaces, as copies made for it
  std::vector<std::filesystem::path> writable;        ///< folders
  std::vector<std::filesystem::path> devices;         ///< a driver's device files, or folders of them: read, written, controlled
  std::vector<std::pair<int, int>> descriptors;       ///< (ours, theirs); all others are closed
  int output = -1;                                    ///< descriptor for stdout and stderr; -1: discarded
  ResourceLimits limits;
  Layers layers;
  bool may_start_processes = false;
  bool loads_drivers = false;  ///< all of the machine's, and one may ask for a socket: refused, but not ended for it
  bool ends_never = false;     ///< of a program of ours, whose libraries ask for what they do without: refused, whatever it is
  std::vector<int> cpus;       ///< affinity; empty: inherited
};

/// Our own failure to start a command, never the command's.
class SandboxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Starts `command` in exactly its layers. Throws SandboxError naming the step where one cannot be had.
pid_t start(const ConfinedCommand& command);

/// Kills the command with all its descendants and reaps it: none of them is left when it returns.
void stop(pid_t pid);

struct Finished {
  bool timed_out = false;
  int status = 0;  ///< as waitpid gives it
  rusage usage{};
};

/// Runs `command` to its end, or kills it after `limit` of wall time; its descendants end with it.
Finished run(const ConfinedCommand& command, std::chrono::milliseconds limit);

/// Folders and files of the system that any dynamically linked program may need: libraries, programs, the loader's cache.
std::vector<std::filesystem::path> system_paths();

}  // namespace assay::sandbox
