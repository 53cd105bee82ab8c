// SPDX-License-Identifier: Apache-2.0
// A candidate is compiled where it sees the toolchain, kernel.h, its task's context and its own files, and nothing else.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "assay/judge/confinement.h"
#include "assay/judge/record.h"
#include "assay/judge/stages.h"
#include "assay/sandbox/sandbox.h"
#include "assay/spec/launch.h"
#include "assay/spec/whole_file.h"
#include "compilation.h"
#include "link_policy.h"
#include "log.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kLargestSource = 1 << 20;
constexpr std::size_t kDiagnosticsKept = 16 * 1024;
constexpr int kSeconds = 30;      // of processor time
constexpr int kGrace = 10;        // the kernel's limit counts what a hypervisor stole, the accounting that tells why it died does not
constexpr int kWallSeconds = 90;  // in case the compiler sleeps, or the machine is busy

/// The files to compile: the candidate itself, or those of its folder that have the backend's suffix.
std::vector<fs::path> sources_of(const Candidate& candidate, const std::string& suffix) {
  if (!fs::is_directory(candidate.source)) return {candidate.source};
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(candidate.source))
    if (entry.is_regular_file() && entry.path().extension() == suffix) sources.push_back(entry.path());
  std::ranges::sort(sources);
  return sources;
}

std::uintmax_t size_of_files(const fs::path& source) {
  if (!fs::is_directory(source)) return fs::file_size(source);
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

/// Of sources that a compiler would see: tells that a record belongs to them.
std::string source_fingerprint(const fs::path& source) {
  std::error_code error;
  const bool fit = fs::is_directory(source, error) ||
                   (fs::is_regular_file(source, error) && fs::file_size(source) <= kLargestSource);
  return fit ? fingerprint_of(source) : "unfit";
}

/// What is wrong with the files before any compiler sees them; empty where nothing is.
std::string unfit(const Candidate& candidate, const std::vector<fs::path>& sources, const std::string& suffix) {
  std::error_code error;
  const auto status = fs::status(candidate.source, error);
  if (!fs::exists(status)) return "the file does not exist (a dangling link?)";
  if (!fs::is_regular_file(status) && !fs::is_directory(status)) return "is neither a file nor a folder";
  if (sources.empty()) return "the folder has no file " + suffix;
  for (const fs::path& source : sources)
    if (access(source.c_str(), R_OK) != 0) return source.filename().string() + " cannot be read";
  const std::uintmax_t bytes = size_of_files(candidate.source);
  if (bytes > kLargestSource)
    return fmt::format("the source has {} bytes, more than the limit of {}", bytes, kLargestSource);
  if (bytes == 0) return "the source is empty";
  return "";
}

ConfinedCommand compiler_command(const Plan& plan, const Candidate& candidate, const std::vector<fs::path>& sources,
                                 const fs::path& scratch) {
  ConfinedCommand command;
  command.argv = plan.compile;
  if (!plan.launches) {
    for (const fs::path& folder : plan.context) command.argv.push_back("-I" + folder.string());
    // The declaration comes first: a definition with another signature or linkage is an error, not a crash.
    command.argv.insert(command.argv.end(), {"-include", "kernel.h"});
  }
  for (const fs::path& source : sources) command.argv.push_back(source.string());
  if (!plan.launches) command.argv.push_back(plan.stub.string());
  command.argv.insert(command.argv.end(), {"-o", (scratch / "kernel.so").string()});
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + scratch.string()};
  command.directory = scratch;
  command.readable = plan.readable;
  command.readable.insert(command.readable.end(), plan.context.begin(), plan.context.end());
  command.readable.push_back(candidate.source);
  if (plan.launches) command.readable.push_back(plan.box);
  else command.readable.push_back(plan.stub);
  PassedEnvironment passed = passed_environment(plan);
  std::ranges::move(passed.variables, std::back_inserter(command.environment));
  std::ranges::move(passed.readable, std::back_inserter(command.readable));
  command.writable = {scratch};
  command.may_start_processes = true;
  command.layers = confinement(plan);
  command.limits.cpu_seconds = kSeconds + kGrace;
  command.devices = device_files(plan);
  command.loads_drivers = plan.launches;
  return command;
}

/// A folder for one compilation. A living one is locked, so that it is told from what a killed compilation left.
class Scratch {
 public:
  explicit Scratch(const Candidate& candidate) {
    const Turn turn(candidate);  // nobody sees the new folder before it is locked
    const std::string stem = candidate.prefix.filename().string() + ".tmp.";
    for (const auto& entry : fs::directory_iterator(candidate.prefix.parent_path()))
      if (entry.path().filename().string().starts_with(stem)) remove_if_left(entry.path());
    path_ = candidate.prefix.parent_path() / fmt::format("{}{}", stem, getpid());
    if (mkdir(path_.c_str(), 0777) != 0 || !lock(path_))
      throw std::runtime_error(fmt::format("compile: {} cannot be made: {}. do: check the disk's space and rights",
                                           path_.string(), std::strerror(errno)));
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    close(fd_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  bool lock(const fs::path& folder) {
    fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd_ >= 0) flock(fd_, LOCK_EX | LOCK_NB);
    return fd_ >= 0;
  }
  static void remove_if_left(const fs::path& folder) {
    const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::error_code ignored;
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder, ignored);
    if (fd >= 0) close(fd);
  }
  fs::path path_;
  int fd_ = -1;
};

/// Whether the largest file that a compiler may write finds room.
bool has_room(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return errno != ENOSPC && errno != EDQUOT;
  const bool room = posix_fallocate(fd, 0, static_cast<off_t>(ResourceLimits{}.file_size)) == 0;
  close(fd);
  return room;
}

/// "g++: fatal error: Killed signal terminated program cc1plus", as the last but one line.
bool says_killed(std::string_view diagnostics) {
  constexpr std::string_view kEnd = "\ncompilation terminated.\n", kKilled = ": fatal error: Killed signal terminated program ";
  if (!diagnostics.ends_with(kEnd)) return false;
  diagnostics.remove_suffix(kEnd.size());
  const std::string_view line = diagnostics.substr(diagnostics.rfind('\n') + 1);
  return line.find(':') != line.npos && line.substr(line.find(':')).starts_with(kKilled);
}

fs::path description_of(const fs::path& library) { return library.string() + ".json"; }

/// Why a device's compiler failed without the source's doing; empty where that is to blame. It describes its device before it
/// reads the source, and ends with kNoDevice where a device fails it later (docs of kernel_backend()).
std::string failure_of_device(const Plan& plan, const Finished& finished, const Log& log, const fs::path& scratch) {
  constexpr int kNoDevice = 3;
  constexpr std::size_t kMost = 2000;
  const bool said = WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == kNoDevice;
  const bool chose = fs::exists(description_of(scratch / "kernel.so"));
  const bool killed = !finished.timed_out && WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGKILL;
  if (!plan.launches || killed || (chose && !said)) return "";
  std::string words = log.tail(kMost);
  words.resize(words.find_last_not_of(" \n") + 1);
  if (said) return words;
  const std::string end = finished.timed_out ? "was stopped after its time"
                          : WIFSIGNALED(finished.status) ? fmt::format("died of signal {}", strsignal(WTERMSIG(finished.status)))
                                                         : fmt::format("ended with status {}", WEXITSTATUS(finished.status));
  return fmt::format("compile: {} {} before it had a device: a driver is broken. got: {}. do: run `{} devices`, and repair or "
                     "remove the driver that ends it", plan.compile.front(), end, words.empty() ? "no message" : words, plan.compile.front());
}

/// Why a compiler failed for which its source is not to blame; empty where it is. A candidate decides much of the text, but
/// not that it ends with the driver's own line, nor that the disk is full.
std::string failure_of_machine(const Finished& finished, const Log& log, const fs::path& scratch) {
  const std::string end = log.tail(kDiagnosticsKept);
  if ((WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGKILL) || says_killed(end))
    return fmt::format("the compiler was killed from outside, holding {} MiB: by somebody, or by the kernel for want of "
                       "memory. do: build again, with fewer jobs", finished.usage.ru_maxrss / 1024);
  for (const char* full : {"No space left on device", "Disk quota exceeded"})
    if (end.find(full) != std::string::npos && !has_room(scratch))
      return fmt::format("the compiler had no room on the disk of {}. do: free {} MiB and build again", scratch.string(),
                         ResourceLimits{}.file_size >> 20);
  return "";
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

void judge_failed_compilation(Record& record, const std::string& diagnostics) {
  const std::string name = forbidden_reference(diagnostics);
  if (name.empty()) set_verdict(record, Verdict::compile_error, first_error(diagnostics));
  else set_verdict(record, Verdict::policy, fmt::format("calls {}: kernels use the C and C++ libraries and OpenMP alone", name));
}

void judge_library(Record& record, const fs::path& library, const std::vector<fs::path>& allowed) {
  const std::string reason = forbidden_link(library, allowed);
  set_verdict(record, reason.empty() ? Verdict::pass : Verdict::policy, reason);
}

/// Of device code: the device that the compiler built it for, as it says in <output>.json.
void add_device(StoredCompilation& made, const fs::path& description) {
  std::ifstream in(description);
  auto device = nlohmann::json::parse(in);
  device.at("libraries").get_to(made.libraries);
  device.erase("libraries");
  made.record["device"] = std::move(device);
  set_verdict(made.record, Verdict::pass, "");
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The candidate's launch block; where it is none, the record says what is wrong with it, as a compiler does.
std::optional<LaunchBlock> read_launch_block(const Plan& plan, const fs::path& source, StoredCompilation& made) try {
  made.launch = text_of(source);
  return parse_launch_block(made.launch, load_checked_task(plan.task_yaml));
} catch (const LaunchError& error) {
  made.diagnostics = fmt::format("{}:{}\n", source.filename().string(), error.what());
  set_verdict(made.record, Verdict::compile_error, fmt::format("launch block: {}", error.what()));
  return {};
}

void compile_sources(const Plan& plan, const Candidate& candidate, const std::vector<fs::path>& sources, const fs::path& scratch,
                     StoredCompilation& made) {
  Record& record = made.record;
  std::string& diagnostics = made.diagnostics;
  const Log log;
  ConfinedCommand command = compiler_command(plan, candidate, sources, scratch);
  command.output = log.fd();
  const Finished finished = run(command, std::chrono::seconds(kWallSeconds));
  diagnostics = read_diagnostics(log.fd(), kDiagnosticsKept);
  const double cpu = seconds(finished.usage.ru_utime) + seconds(finished.usage.ru_stime);
  record["tier"] = to_string(tier_of(command.layers));
  record["compile_ms"] = cpu * 1000;
  if (const std::string ours = finished.status == 0 && !finished.timed_out ? "" : failure_of_device(plan, finished, log, scratch); !ours.empty())
    throw std::runtime_error(ours);
  else if (finished.timed_out || cpu >= kSeconds)
    set_verdict(record, Verdict::compile_timeout, fmt::format("compilation took longer than {} s", kSeconds));
  else if (const std::string fault = finished.status == 0 ? "" : failure_of_machine(finished, log, scratch); !fault.empty())
    throw std::runtime_error(fault);
  else if (!WIFEXITED(finished.status) || WEXITSTATUS(finished.status) != 0)
    judge_failed_compilation(record, diagnostics);
  else if (!fs::exists(scratch / "kernel.so"))
    throw std::runtime_error("the compiler reported success and left no library");
  else if (plan.launches)
    add_device(made, description_of(scratch / "kernel.so"));
  else
    judge_library(record, scratch / "kernel.so", plan.libraries);
}

/// The first launch of a kernel that the program does not have, or not with so many parameters; empty where there is none.
std::string unfit_launch(const LaunchBlock& block, const fs::path& kernels_file) {
  std::ifstream in(kernels_file);
  const auto kernels = nlohmann::json::parse(in);
  for (const KernelLaunch& launch : block.kernels) {
    const auto blame = [&](const std::string& what) {
      return fmt::format("launch block: {}:{}: kernel '{}' {}", launch.at.line, launch.at.column, launch.kernel, what);
    };
    const auto found = kernels.find(launch.kernel);
    if (found == kernels.end()) return blame("is not in the program. do: choose a name that is no function of OpenCL C");
    const auto parameters = found->get<std::size_t>();
    if (parameters != launch.arguments.size())
      return blame(fmt::format("has {} parameters. got: {} arguments", parameters, launch.arguments.size()));
  }
  return "";
}

/// Judges the source and keeps the result.
void compile_and_keep(const Plan& plan, const Candidate& candidate) {
  StoredCompilation made{make_record(plan, candidate, "compile"), source_fingerprint(candidate.source), "", "", "", {}};
  made.record["tier"] = to_string(tier_of(confinement(plan)));  // also where the source is refused before anything runs in it
  const Scratch scratch(candidate);
  std::error_code error;
  const auto sources = fs::exists(candidate.source, error) ? sources_of(candidate, plan.suffix) : std::vector<fs::path>{};
  std::string reason = unfit(candidate, sources, plan.suffix);
  if (reason.empty() && plan.launches && fs::is_directory(candidate.source)) reason = "device code is one file, with its launch block";
  const auto compile = [&] { compile_sources(plan, candidate, sources, scratch.path(), made); };
  const auto passed = [&] { return made.record["verdict"] == to_string(Verdict::pass); };
  if (!reason.empty()) {
    set_verdict(made.record, Verdict::compile_error, reason);
  } else if (!plan.launches) {
    compile();
  } else if (const auto block = read_launch_block(plan, candidate.source, made)) {
    compile();
    if (passed()) reason = unfit_launch(*block, scratch.path() / "kernel.so.kernels.json");
    if (!reason.empty()) set_verdict(made.record, Verdict::compile_error, reason);
  }
  keep_compilation(candidate, std::move(made), passed() ? scratch.path() / "kernel.so" : fs::path());
}

}  // namespace

int compile_candidate(const Plan& plan, const Candidate& candidate) {
  std::error_code error;
  fs::create_directories(candidate.prefix.parent_path(), error);
  forget_compilation(candidate);
  try {
    compile_and_keep(plan, candidate);
  } catch (const std::exception& failure) {
    // No record: the next build tries again. The build goes on, and the stage `compile` tells why.
    const std::string why = harmless(failure.what());
    std::fprintf(stderr, "assay: HARNESS_ERROR: %s\n", why.c_str());
    forget_compilation(candidate);
    write_whole_file("compile", candidate.compile_failure(), why);
  }
  return 0;
}

int show_compilation(const Plan& plan, const Candidate& candidate) {
  Record record = make_record(plan, candidate, "compile");
  std::string diagnostics;
  try {
    const StoredCompilation made = load_compilation(candidate);
    // Ninja compares times alone: a copy that kept an older one leaves the result of another source in place.
    if (!candidate.source.empty() && made.source != source_fingerprint(candidate.source))
      throw std::runtime_error(fmt::format("{} is the result of another source. do: touch {} and build again",
                                           candidate.compile_record().string(), candidate.source.string()));
    record = made.record;
    diagnostics = made.diagnostics;
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  print_result(record, diagnostics);
  return exit_code(record);
}

}  // namespace assay
