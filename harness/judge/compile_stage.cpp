// SPDX-License-Identifier: Apache-2.0
// A candidate is compiled where it sees the toolchain, kernel.h, its task's context and its own files, and nothing else.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "assay/judge/confinement.h"
#include "assay/judge/record.h"
#include "assay/judge/stages.h"
#include "assay/sandbox/sandbox.h"
#include "compile_record.h"
#include "link_policy.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kLargestSource = 1 << 20;
constexpr std::size_t kDiagnosticsKept = 16 * 1024;
constexpr int kSeconds = 30;      // of processor time
constexpr int kGrace = 2;         // the kernel's limit is coarser than the accounting that tells why the compiler died
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

/// FNV-1a over all files' contents: tells that a record belongs to these sources.
std::string fingerprint_of(const fs::path& source) {
  std::vector<fs::path> files;
  if (fs::is_directory(source)) {
    for (const auto& entry : fs::recursive_directory_iterator(source))
      if (entry.is_regular_file()) files.push_back(entry.path());
  } else if (fs::is_regular_file(source) && fs::file_size(source) <= kLargestSource) {
    files.push_back(source);
  }
  std::ranges::sort(files);
  std::uint64_t hash = 14695981039346656037u;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    for (std::istreambuf_iterator<char> at(in), end; at != end; ++at)
      hash = (hash ^ static_cast<unsigned char>(*at)) * 1099511628211u;
  }
  return fmt::format("{:016x}", hash);
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
  for (const fs::path& folder : plan.context) command.argv.push_back("-I" + folder.string());
  // The declaration comes first: a definition with another signature or linkage is an error, not a crash.
  command.argv.insert(command.argv.end(), {"-include", "kernel.h"});
  for (const fs::path& source : sources) command.argv.push_back(source.string());
  command.argv.push_back(plan.stub.string());
  command.argv.insert(command.argv.end(), {"-o", (scratch / "kernel.so").string()});
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + scratch.string()};
  command.directory = scratch;
  command.readable = plan.readable;
  command.readable.insert(command.readable.end(), plan.context.begin(), plan.context.end());
  command.readable.insert(command.readable.end(), {plan.stub, candidate.source});
  command.writable = {scratch};
  command.may_start_processes = true;
  command.layers = confinement(plan);
  command.limits.cpu_seconds = kSeconds + kGrace;
  return command;
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

void leave_record(const Candidate& candidate, const Record& record, const std::string& diagnostics) {
  std::ofstream out(candidate.compile_record());
  out << to_text({record, fingerprint_of(candidate.source), diagnostics});
  if (!out.flush()) throw std::runtime_error(fmt::format("compile: {} cannot be written", candidate.compile_record().string()));
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

void compile_sources(const Plan& plan, const Candidate& candidate, const std::vector<fs::path>& sources, Record& record,
                     std::string& diagnostics) {
  const fs::path scratch = candidate.prefix.string() + ".tmp";
  fs::remove_all(scratch);
  fs::create_directories(scratch);
  const int log = memfd_create("diagnostics", MFD_CLOEXEC);
  ConfinedCommand command = compiler_command(plan, candidate, sources, scratch);
  command.output = log;
  const Finished finished = run(command, std::chrono::seconds(kWallSeconds));
  diagnostics = read_diagnostics(log, kDiagnosticsKept);
  close(log);
  const double cpu = seconds(finished.usage.ru_utime) + seconds(finished.usage.ru_stime);
  record["tier"] = to_string(tier_of(command.layers));
  record["compile_ms"] = cpu * 1000;
  if (finished.timed_out || cpu >= kSeconds)
    set_verdict(record, Verdict::compile_timeout, fmt::format("compilation took longer than {} s", kSeconds));
  else if (!WIFEXITED(finished.status) || WEXITSTATUS(finished.status) != 0)
    judge_failed_compilation(record, diagnostics);
  else if (!fs::exists(scratch / "kernel.so"))
    set_verdict(record, Verdict::harness_error, "the compiler reported success and left no library");
  else
    judge_library(record, scratch / "kernel.so", plan.libraries);
  if (record["verdict"] == to_string(Verdict::pass)) fs::rename(scratch / "kernel.so", candidate.library());
  fs::remove_all(scratch);
}

}  // namespace

int compile_candidate(const Plan& plan, const Candidate& candidate) {
  fs::create_directories(candidate.prefix.parent_path());
  fs::remove(candidate.library());
  Record record = make_record(plan, candidate, "compile");
  std::string diagnostics;
  try {
    std::error_code error;
    const auto sources = fs::exists(candidate.source, error) ? sources_of(candidate, plan.suffix) : std::vector<fs::path>{};
    const std::string reason = unfit(candidate, sources, plan.suffix);
    if (!reason.empty()) set_verdict(record, Verdict::compile_error, reason);
    else compile_sources(plan, candidate, sources, record, diagnostics);
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  leave_record(candidate, record, diagnostics);
  return 0;
}

int show_compilation(const Plan& plan, const Candidate& candidate) {
  Record record = make_record(plan, candidate, "compile");
  std::string diagnostics;
  std::ifstream in(candidate.compile_record());
  try {
    if (!in) throw std::runtime_error(fmt::format("{} is not there. do: build first", candidate.compile_record().string()));
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const StoredCompilation stored = parse_compilation(text, candidate.compile_record());
    // Ninja compares times alone: a copy that kept an older one leaves the result of another source in place.
    if (!candidate.source.empty() && stored.source != fingerprint_of(candidate.source))
      throw std::runtime_error(fmt::format("{} is the result of another source. do: touch {} and build again",
                                           candidate.compile_record().string(), candidate.source.string()));
    record = stored.record;
    diagnostics = stored.diagnostics;
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  print_result(record, diagnostics);
  return exit_code(record);
}

}  // namespace assay
