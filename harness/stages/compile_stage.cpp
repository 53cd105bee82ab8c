// SPDX-License-Identifier: Apache-2.0
// A candidate is compiled where it sees the toolchain, kernel.h, its task's context and its own files, and nothing else.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "assay/compile/compilation.h"
#include "assay/compile/link_policy.h"
#include "assay/compile/scratch.h"
#include "assay/compile/source_files.h"
#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"
#include "assay/spec/descriptor.h"
#include "assay/spec/launch.h"
#include "assay/spec/whole_file.h"
#include "assay/stages/stages.h"
#include "assay/trial/confinement.h"
#include "assay/trial/run_in_child.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

namespace fs = std::filesystem;
using compile::fingerprint_of, compile::first_error, compile::forbidden_link, compile::forbidden_reference, compile::forget_compilation,
    compile::keep_compilation, compile::load_compilation, compile::read_diagnostics, compile::read_source_files, compile::Scratch,
    compile::SourceFile, compile::SourceFiles, compile::StoredCompilation, compile::write_source_files;
using nlohmann::json;
using record::harmless, record::Record, record::set_verdict, record::Verdict;
using trial::Candidate, trial::confinement, trial::device_files, trial::passed_environment, trial::PassedEnvironment, trial::Plan,
    trial::run_in_child;
const fs::path kSources = "source";
constexpr std::size_t kDiagnosticsKept = 16 * 1024;
constexpr int kSeconds = 30;      // of processor time
constexpr int kGrace = 10;        // the kernel's limit counts what a hypervisor stole, the accounting that tells why it died does not
constexpr int kWallSeconds = 90;  // in case the compiler sleeps, or the machine is busy

/// The files to compile, below the folder of sources: those that have the backend's suffix.
std::vector<fs::path> compiled_files(const SourceFiles& sources, const std::string& suffix) {
  std::vector<fs::path> files;
  for (const SourceFile& file : sources.files)
    if (file.name.extension() == suffix) files.push_back(file.name);
  return files;
}

/// What is wrong with the files before any compiler sees them; empty where nothing is.
std::string unfit(const Plan& plan, const SourceFiles& sources) {
  if (!sources.fault.empty()) return sources.fault;
  if (compiled_files(sources, plan.suffix).empty()) return "the folder has no file " + plan.suffix;
  if (plan.launches && sources.files.size() > 1) return "device code is one file, with its launch block";
  return "";
}

/// How a compiler is told of a file of its own folder: no name is taken for an option or a list of them.
std::string as_argument(const fs::path& name) {
  const std::string text = name.string();
  return isalnum(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_' ? text : "./" + text;
}

/// A private copy of the sources lies in kSources of `scratch`, where the compiler works.
ConfinedCommand compiler_command(const Plan& plan, const SourceFiles& sources, const fs::path& scratch) {
  ConfinedCommand command;
  command.argv = plan.compile;
  if (!plan.launches) {
    for (const fs::path& folder : plan.context) command.argv.push_back("-I" + folder.string());
    // The declaration comes first: a definition with another signature or linkage is an error, not a crash. By its whole name: the
    // candidate may have a file of that name, too.
    command.argv.insert(command.argv.end(), {"-include", (plan.context.front() / "kernel.h").string()});
  }
  for (const fs::path& file : compiled_files(sources, plan.suffix)) command.argv.push_back(as_argument(file));
  if (!plan.launches) command.argv.push_back(plan.stub.string());
  command.argv.insert(command.argv.end(), {"-o", (scratch / "kernel.so").string()});
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + scratch.string()};
  command.directory = scratch / kSources;
  command.readable = plan.readable;
  command.readable.insert(command.readable.end(), plan.context.begin(), plan.context.end());
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

/// Whether the largest file that a compiler may write finds room.
bool has_room(const fs::path& folder) {
  const Descriptor file(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (!file) return errno != ENOSPC && errno != EDQUOT;
  return posix_fallocate(file.get(), 0, static_cast<off_t>(ResourceLimits{}.file_size)) == 0;
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

fs::path description_of(const fs::path& library) { return library.string() + ".json"; }

/// Not a link, nor anything else that a compiler could be made to leave.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::regular;
}

/// How a device's compiler ended that did not get as far as the source: it describes its device before it reads that, and ends
/// with kNoDevice where a device fails it later (docs of kernel_backend()). Empty where it did.
std::string doubt_of_device(const Plan& plan, const Finished& finished, const Log& log, const fs::path& scratch) {
  constexpr int kNoDevice = 3;
  constexpr std::size_t kMost = 2000;
  const bool said = WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == kNoDevice;
  if (!plan.launches || (is_file(description_of(scratch / "kernel.so")) && !said)) return "";
  std::string words = log.tail(kMost);
  words.resize(words.find_last_not_of(" \n") + 1);
  if (said) return words;
  const std::string end = finished.timed_out             ? "was stopped after its time"
                          : WIFSIGNALED(finished.status) ? fmt::format("died of signal {}", strsignal(WTERMSIG(finished.status)))
                                                         : fmt::format("ended with status {}", WEXITSTATUS(finished.status));
  return fmt::format(
      "compile: {} {} before it had a device: a driver is broken. got: {}. do: run `{} devices`, and repair or "
      "remove the driver that ends it",
      plan.compile.front(), end, words.empty() ? "no message" : words, plan.compile.front());
}

/// Why the end of a compiler does not tell yet whether its source is to blame; empty where it does. `finished` is a failure, or
/// left no library.
std::string doubt_of(const Plan& plan, const Finished& finished, const Log& log, const fs::path& scratch) {
  if (const std::string device = doubt_of_device(plan, finished, log, scratch); !device.empty()) return device;
  if (finished.status == 0) return "the compiler reports success and leaves no library";
  if ((WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGKILL) || says_killed(log.tail(kDiagnosticsKept)))
    return fmt::format("the compiler is killed, holding {} MiB: by somebody, or by the kernel for want of memory",
                       finished.usage.ru_maxrss / 1024);
  return "";
}

/// Throws where the disk is full, now that nothing of the candidate's is on it any more.
void require_room(const Log& log, const Scratch& scratch) {
  const std::string end = log.tail(kDiagnosticsKept);
  for (const char* full : {"No space left on device", "Disk quota exceeded"}) {
    if (end.find(full) == std::string::npos) continue;
    scratch.empty();
    if (!has_room(scratch.path()))
      throw std::runtime_error(fmt::format("the compiler had no room on the disk of {}. do: free {} MiB and build again",
                                           scratch.path().string(), ResourceLimits{}.file_size >> 20));
  }
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

void judge_failed_compilation(Record& record, const std::string& diagnostics) {
  const std::string name = forbidden_reference(diagnostics);
  if (name.empty()) set_verdict(record, Verdict::compile_error, first_error(diagnostics));
  else set_verdict(record, Verdict::policy, fmt::format("calls {}: kernels use the C and C++ libraries and OpenMP alone", name));
}

void judge_library(Record& record, const fs::path& library, const std::vector<fs::path>& allowed) {
  const std::string reason = forbidden_link(library, allowed);
  set_verdict(record, reason.empty() ? Verdict::pass : Verdict::policy, reason);
}

/// The candidate's launch block; where it is none, the record says what is wrong with it, as a compiler does.
std::optional<LaunchBlock> read_launch_block(const Plan& plan, const SourceFile& source, StoredCompilation& made) try {
  made.launch = source.text;
  return parse_launch_block(made.launch, load_checked_task(plan.task_yaml));
} catch (const LaunchError& error) {
  made.diagnostics = fmt::format("{}:{}\n", source.name.string(), error.what());
  set_verdict(made.record, Verdict::compile_error, fmt::format("launch block: {}", error.what()));
  return {};
}

/// Numbers and texts, and lists of them: the reader of a deep value would need a deep stack.
bool is_flat(const json& value) {
  const auto primitive = [](const json& item) { return item.is_primitive(); };
  return value.is_primitive() || (value.is_array() && std::ranges::all_of(value, primitive));
}

/// What the compiler of device code left beside the binary. Throws std::runtime_error where it is no short, flat JSON object.
json read_description(const fs::path& file) {
  constexpr std::size_t kMost = 1 << 20;
  std::string text(kMost, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(kMost));
  text.resize(static_cast<std::size_t>(in.gcount()));
  json description = is_file(file) ? json::parse(text, nullptr, false) : json();
  if (!description.is_object() || !std::ranges::all_of(description, is_flat))
    throw std::runtime_error(fmt::format("{} is no description of a program", file.filename().string()));
  return description;
}

/// The first launch of a kernel that the program does not have, or not with so many parameters; empty where there is none.
std::string unfit_launch(const LaunchBlock& block, const json& kernels) {
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

void judge_binary(StoredCompilation& made, const LaunchBlock& block, const fs::path& binary) try {
  const json device = read_description(description_of(binary));
  device.at("libraries").get_to(made.libraries);
  made.record.device = record::read_device(device);
  const std::string reason = unfit_launch(block, read_description(binary.string() + ".kernels.json"));
  set_verdict(made.record, reason.empty() ? Verdict::pass : Verdict::compile_error, reason);
} catch (const std::exception& error) {  // the compiler says that it succeeded, so that they are what the source made of them
  set_verdict(made.record, Verdict::compile_error, error.what());
}

/// One run of the compiler on `sources`. Returns why its end does not tell whether they are to blame; empty where the record has
/// its verdict. `block` is of device code.
std::string compile_once(const Plan& plan, const SourceFiles& sources, const Scratch& scratch, const std::optional<LaunchBlock>& block,
                         StoredCompilation& made) {
  scratch.empty();
  write_source_files(sources, scratch.path() / kSources);
  const Log log;
  ConfinedCommand command = compiler_command(plan, sources, scratch.path());
  command.output = log.fd();
  const Finished finished = run(command, std::chrono::seconds(kWallSeconds));
  made.diagnostics = read_diagnostics(log.fd(), kDiagnosticsKept);
  const double cpu = seconds(finished.usage.ru_utime) + seconds(finished.usage.ru_stime);
  made.record.tier = tier_of(command.layers);
  made.record.compile_ms = cpu * 1000;
  const fs::path library = scratch.path() / "kernel.so";
  const bool succeeded = finished.status == 0 && !finished.timed_out && is_file(library);
  if (!succeeded)
    if (const std::string device = doubt_of_device(plan, finished, log, scratch.path()); !device.empty()) return device;
  if (finished.timed_out || cpu >= kSeconds) {
    set_verdict(made.record, Verdict::compile_timeout, fmt::format("compilation took longer than {} s", kSeconds));
  } else if (!succeeded) {
    if (const std::string doubt = doubt_of(plan, finished, log, scratch.path()); !doubt.empty()) return doubt;
    require_room(log, scratch);
    judge_failed_compilation(made.record, made.diagnostics);
  } else if (block) {
    judge_binary(made, *block, library);
  } else {
    judge_library(made.record, library, plan.libraries);
  }
  return "";
}

/// Sources that are right for the compiler, or wrong in a way that it says.
SourceFiles harmless_sources(const Plan& plan) {
  const std::string text = plan.launches ? "kernel void nothing(global float* x) { x[0] = 0; }\n" : "extern int nothing;\n";
  return {{{"nothing" + plan.suffix, text}}, ""};
}

/// An end that does not tell whose fault it is must come twice, while other sources have none like it: then it is the candidate's.
void compile_sources(const Plan& plan, const SourceFiles& sources, const Scratch& scratch, const std::optional<LaunchBlock>& block,
                     StoredCompilation& made) {
  if (compile_once(plan, sources, scratch, block, made).empty()) return;
  const std::string doubt = compile_once(plan, sources, scratch, block, made);
  if (doubt.empty()) return;
  StoredCompilation other = made;
  if (!compile_once(plan, harmless_sources(plan), scratch, block, other).empty()) throw std::runtime_error(doubt);
  set_verdict(made.record, Verdict::compile_error, fmt::format("twice, and with no other source: {}", doubt));
}

/// Judges the source and keeps the result.
void compile_and_keep(const Plan& plan, const Candidate& candidate) {
  const SourceFiles sources = read_source_files(candidate.source);
  StoredCompilation made{begin_record(plan, candidate, record::Stage::compile), fingerprint_of(sources), "", "", "", {}};
  made.record.tier = tier_of(confinement(plan));  // also where the source is refused before anything runs in it
  const Scratch scratch(candidate);
  const std::string reason = unfit(plan, sources);
  std::optional<LaunchBlock> block;
  if (!reason.empty()) set_verdict(made.record, Verdict::compile_error, reason);
  else if (!plan.launches || (block = read_launch_block(plan, sources.files.front(), made)))
    compile_sources(plan, sources, scratch, block, made);
  const bool passed = made.record.verdict == Verdict::pass;
  keep_compilation(candidate, std::move(made), passed ? scratch.path() / "kernel.so" : fs::path());
}

/// Our own failure leaves no record: the next build tries again. This one goes on, and the stage `compile` tells why.
void keep_failure(const Candidate& candidate, const std::string& why) {
  std::fprintf(stderr, "assay: HARNESS_ERROR: %s\n", why.c_str());
  try {
    forget_compilation(candidate);
  } catch (const std::runtime_error&) {  // which may be the very failure; the record goes first
  }
  write_whole_file("compile", candidate.compile_failure(), why);
}

/// Where not even a reason can be kept, the exit code is the tool's for bad input.
int compile_or_say_why(const Plan& plan, const Candidate& candidate) try {
  try {
    forget_compilation(candidate);
    compile_and_keep(plan, candidate);
  } catch (const std::exception& failure) {
    keep_failure(candidate, harmless(failure.what()));
  }
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "assay: %s\n", failure.what());
  return 2;
}

/// Keeps the verdict on a candidate whose files end whoever reads them.
int blame_candidate(const Plan& plan, const Candidate& candidate, int signal) {
  StoredCompilation made{
      begin_record(plan, candidate, record::Stage::compile), fingerprint_of(read_source_files(candidate.source)), "", "", "", {}};
  set_verdict(made.record, Verdict::compile_error, fmt::format("what it has the judge read ended that twice: {}", strsignal(signal)));
  keep_compilation(candidate, std::move(made), {});
  return 0;
}

}  // namespace

int compile_candidate(const Plan& plan, const Candidate& candidate) {
  std::error_code error;
  fs::create_directories(candidate.prefix.parent_path(), error);
  int status = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    status = run_in_child([&] { return compile_or_say_why(plan, candidate); });
    if (WIFEXITED(status)) return WEXITSTATUS(status);
  }
  return blame_candidate(plan, candidate, WTERMSIG(status));
}

std::string source_fingerprint(const fs::path& source) { return fingerprint_of(read_source_files(source)); }

std::string source_text(const fs::path& source) {
  const SourceFiles sources = read_source_files(source);
  std::string text = sources.fault;
  for (const SourceFile& file : sources.files)
    text += (sources.files.size() > 1 ? fmt::format("// {}\n", file.name.string()) : "") + file.text;
  return text;
}

std::string compiled_source(const Candidate& candidate) try {
  return load_compilation(candidate).source;
} catch (const std::runtime_error&) {
  return "";
}

int show_compilation(const Plan& plan, const Candidate& candidate) {
  Record record = begin_record(plan, candidate, record::Stage::compile);
  std::string diagnostics;
  try {
    const StoredCompilation made = load_compilation(candidate);
    // Ninja compares times alone: a copy that kept an older one leaves the result of another source in place.
    if (!candidate.source.empty() && made.source != fingerprint_of(read_source_files(candidate.source)))
      throw std::runtime_error(fmt::format("{} is the result of another source. do: touch {} and build again",
                                           candidate.compile_record().string(), candidate.source.string()));
    record = made.record;
    diagnostics = made.diagnostics;
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  // spelt out, a byte takes up to four
  return conclude(record, record::cut_to(harmless(diagnostics), 2 * kDiagnosticsKept), candidate);
}

}  // namespace assay::stages
