// SPDX-License-Identifier: Apache-2.0
// A candidate is compiled where it sees the toolchain, kernel.h, its task's context and its own files, and nothing else.
#include "assay/compile/compile_candidate.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "assay/compile/compilation.h"
#include "assay/compile/link_policy.h"
#include "assay/compile/scratch.h"
#include "assay/compile/source_files.h"
#include "assay/plan/confinement.h"
#include "assay/plan/run_in_child.h"
#include "assay/record/output.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"
#include "assay/spec/whole_file.h"
#include "compiler_end.h"
#include "device_code.h"
#include "device_survey.h"

namespace assay::compile {
namespace {

namespace fs = std::filesystem;
using plan::Candidate, plan::confinement, plan::Plan, plan::Toolchain;
using record::Record, record::set_verdict, record::Verdict;
const fs::path kSources = "source";
constexpr int kSeconds = 30;      // of processor time
constexpr int kGrace = 10;        // the kernel's limit counts what a hypervisor stole, the accounting that tells why it died does not
constexpr int kWallSeconds = 90;  // in case the compiler sleeps, or the machine is busy

/// The files to compile, below the folder of sources: those that have the backend's suffix.
std::vector<fs::path> compiled_files(const SourceFiles& sources, const std::string& suffix) {
  std::vector<fs::path> files;
  for (const SourceFile& file : sources.files)
    if (file.name.string().ends_with(suffix)) files.push_back(file.name);
  return files;
}

/// What is wrong with the files before any compiler sees them; empty where nothing is.
std::string unfit(const Toolchain& toolchain, const SourceFiles& sources) {
  if (compiled_files(sources, toolchain.suffix).empty()) return "the folder has no file " + toolchain.suffix;
  if (toolchain.launches() && sources.files.size() > 1) return "device code is one file, with its launch block";
  return "";
}

/// How a compiler is told of a file of its own folder: no name is taken for an option or a list of them.
std::string as_argument(const fs::path& name) {
  const std::string text = name.string();
  return isalnum(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_' ? text : "./" + text;
}

/// Of a compiler's flags, {architecture} is what the device is called.
std::vector<std::string> compile_flags(const Toolchain& toolchain, const std::string& device) {
  std::vector<std::string> flags = toolchain.compile;
  if (!toolchain.is_host_code_of_device()) return flags;
  const std::string word = "{architecture}", name = architecture_of(device);
  for (std::string& flag : flags)
    if (const std::size_t at = flag.find(word); at != flag.npos) flag.replace(at, word.size(), name);
  return flags;
}

/// A private copy of the sources lies in kSources of `scratch`, where the compiler works. With what is known of its `device` it sees none.
sandbox::ConfinedCommand compiler_command(const Plan& plan, const SourceFiles& sources, const fs::path& scratch,
                                          const std::string& device) {
  const Toolchain& toolchain = plan.toolchain;
  const bool sees_device = toolchain.launches() && device.empty();
  sandbox::ConfinedCommand command;
  command.argv = compile_flags(toolchain, device);
  if (!toolchain.launches() || !toolchain.types.names.empty())  // else kernel.h is C
    for (const fs::path& folder : plan.context) command.argv.push_back("-I" + folder.string());
  if (!toolchain.launches()) {
    // The declaration comes first: a definition with another signature or linkage is an error, not a crash. By its whole name: the
    // candidate may have a file of that name, too.
    command.argv.insert(command.argv.end(), {"-include", (plan.context.front() / "kernel.h").string()});
  }
  for (const fs::path& file : compiled_files(sources, toolchain.suffix)) command.argv.push_back(as_argument(file));
  if (!toolchain.launches()) command.argv.push_back(plan.stub.string());
  command.argv.insert(command.argv.end(), {"-o", (scratch / "kernel.so").string()});
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + scratch.string()};
  command.directory = scratch / kSources;
  command.readable = toolchain.readable;
  command.readable.insert(command.readable.end(), plan.context.begin(), plan.context.end());
  if (toolchain.launches()) command.readable.push_back(toolchain.box);
  else command.readable.push_back(plan.stub);
  plan::PassedEnvironment passed = passed_environment(toolchain);
  std::ranges::move(passed.variables, std::back_inserter(command.environment));
  std::ranges::move(passed.readable, std::back_inserter(command.readable));
  command.writable = {scratch};
  command.may_start_processes = true;
  command.layers = confinement(plan.settings);
  command.limits.cpu_seconds = kSeconds + kGrace;
  if (sees_device) command.devices = device_files(toolchain);
  command.loads_drivers = sees_device;
  return command;
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

/// One run of the compiler on `sources`. Returns why its end does not tell whether they are to blame; empty where the record has
/// its verdict. `block` is of device code.
std::string compile_once(const Plan& plan, const SourceFiles& sources, const Scratch& scratch,
                         const std::optional<spec::LaunchBlock>& block, StoredCompilation& made) {
  scratch.empty();
  write_source_files(sources, scratch.path() / kSources);
  const std::string device = plan.toolchain.memory.empty() ? "" : survey_device(plan);
  if (!device.empty() && plan.toolchain.launches()) spec::write_whole_file("compile", description_of(scratch.path() / "kernel.so"), device);
  const sandbox::Log log;
  sandbox::ConfinedCommand command = compiler_command(plan, sources, scratch.path(), device);
  command.output = log.fd();
  const sandbox::Finished finished = run(command, std::chrono::seconds(kWallSeconds));
  made.diagnostics = read_diagnostics(log.fd(), kDiagnosticsKept);
  const double cpu = seconds(finished.usage.ru_utime) + seconds(finished.usage.ru_stime);
  made.record.tier = sandbox::tier_of(command.layers);
  made.record.compile_ms = cpu * 1000;
  const fs::path library = scratch.path() / "kernel.so";
  const bool succeeded = finished.status == 0 && !finished.timed_out && is_file(library);
  if (!succeeded)
    if (const std::string doubt = doubt_of_device(plan.toolchain, finished, log, scratch.path()); !doubt.empty()) return doubt;
  if (finished.timed_out || cpu >= kSeconds) {
    set_verdict(made.record, Verdict::compile_timeout, fmt::format("compilation took longer than {} s", kSeconds));
  } else if (!succeeded) {
    if (const std::string doubt = doubt_of(plan.toolchain, finished, log, scratch.path()); !doubt.empty()) return doubt;
    require_room(log, scratch);
    judge_failed_compilation(made.record, made.diagnostics);
  } else if (block) {
    judge_binary(made, *block, library, device);
  } else {
    judge_library(made.record, library, plan.toolchain.libraries);
    if (!device.empty()) add_device(made, device);
  }
  return "";
}

/// Sources that are right for the compiler, or wrong in a way that it says.
SourceFiles harmless_sources(const Toolchain& toolchain) {
  const std::string text =
      "#ifdef __OPENCL_VERSION__\nkernel void nothing(global float* x) { x[0] = 0; }\n#else\nextern int nothing;\n#endif\n";
  return {{{"nothing" + toolchain.suffix, text}}, ""};
}

/// An end that does not tell whose fault it is must come twice, while other sources have none like it: then it is the candidate's.
void compile_sources(const Plan& plan, const SourceFiles& sources, const Scratch& scratch, const std::optional<spec::LaunchBlock>& block,
                     StoredCompilation& made) {
  if (compile_once(plan, sources, scratch, block, made).empty()) return;
  const std::string doubt = compile_once(plan, sources, scratch, block, made);
  if (doubt.empty()) return;
  StoredCompilation other = made;
  if (!compile_once(plan, harmless_sources(plan.toolchain), scratch, block, other).empty()) throw std::runtime_error(doubt);
  set_verdict(made.record, Verdict::compile_error, fmt::format("twice, and with no other source: {}", doubt));
}

/// Nothing is known yet but whose it is. What the task and the run say of it is added where it is shown: they may change, and the
/// compilation stands.
StoredCompilation begin_compilation(const Plan& plan, const Candidate& candidate, const SourceFiles& sources) {
  StoredCompilation made;
  made.record.sample = {candidate.run, plan.task.name, plan.toolchain.backend, candidate.sample};
  made.record.stage = record::Stage::compile;
  made.source = fingerprint_of(sources);
  return made;
}

/// A library, or a device's binary, by the backend's compiler.
fs::path make_library(const Plan& plan, const SourceFiles& sources, const Scratch& scratch, StoredCompilation& made) {
  const std::string reason = unfit(plan.toolchain, sources);
  std::optional<spec::LaunchBlock> block;
  if (!reason.empty()) set_verdict(made.record, Verdict::compile_error, reason);
  else if (!plan.toolchain.launches() || (block = read_launch_block(plan.task.task_yaml, sources.files.front(), made)))
    compile_sources(plan, sources, scratch, block, made);
  return scratch.path() / "kernel.so";
}

/// Judges the source and keeps the result.
void compile_and_keep(const Plan& plan, const Candidate& candidate, const Make& make) {
  const SourceFiles sources = read_source_files(candidate.source);
  StoredCompilation made = begin_compilation(plan, candidate, sources);
  made.record.tier = sandbox::tier_of(confinement(plan.settings));  // also where the source is refused before anything runs in it
  const Scratch scratch(candidate);
  fs::path library;
  if (sources.fault.empty()) library = make(sources, scratch, made);
  else set_verdict(made.record, Verdict::compile_error, sources.fault);
  const bool passed = made.record.verdict == Verdict::pass;
  keep_compilation(candidate, std::move(made), passed ? library : fs::path());
}

/// Our own failure leaves no record: the next build tries again. This one goes on, and the stage `compile` tells why.
void keep_failure(const Candidate& candidate, const std::string& why) {
  std::fprintf(stderr, "assay: HARNESS_ERROR: %s\n", why.c_str());
  try {
    forget_compilation(candidate);
  } catch (const std::runtime_error&) {  // which may be the very failure; the record goes first
  }
  spec::write_whole_file("compile", candidate.compile_failure(), why);
}

/// Where not even a reason can be kept, the exit code is the tool's for bad input.
int compile_or_say_why(const Plan& plan, const Candidate& candidate, const Make& make) try {
  try {
    forget_compilation(candidate);
    compile_and_keep(plan, candidate, make);
  } catch (const std::exception& failure) {
    keep_failure(candidate, record::harmless(failure.what()));
  }
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "assay: %s\n", failure.what());
  return 2;
}

/// Keeps the verdict on a candidate whose files end whoever reads them.
int blame_candidate(const Plan& plan, const Candidate& candidate, int signal) {
  StoredCompilation made = begin_compilation(plan, candidate, read_source_files(candidate.source));
  set_verdict(made.record, Verdict::compile_error, fmt::format("what it has the judge read ended that twice: {}", strsignal(signal)));
  keep_compilation(candidate, std::move(made), {});
  return 0;
}

}  // namespace

int compile_candidate(const Plan& plan, const Candidate& candidate) {
  return compile_candidate(plan, candidate, [&](const SourceFiles& sources, const Scratch& scratch, StoredCompilation& made) {
    return make_library(plan, sources, scratch, made);
  });
}

int compile_candidate(const Plan& plan, const Candidate& candidate, const Make& make) {
  std::error_code error;
  fs::create_directories(candidate.prefix.parent_path(), error);
  int status = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    status = plan::run_in_child([&] { return compile_or_say_why(plan, candidate, make); });
    if (WIFEXITED(status)) return WEXITSTATUS(status);
  }
  return blame_candidate(plan, candidate, WTERMSIG(status));
}

}  // namespace assay::compile
