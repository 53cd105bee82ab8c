// SPDX-License-Identifier: Apache-2.0
// What a model may be told. A candidate writes its own last words, chooses how it ends and how far its outputs are off, so whatever of
// these is told could carry out what it was tested with. Of the stages that run it, nothing is told but sentences of ours from a short
// list, counts, and errors rounded to powers of ten; what the compiler says is told, since no compiler sees a case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/score/answer.h"

namespace assay::score {
namespace {

using record::Doubt, record::Record, record::Stage, record::Verdict;

constexpr std::size_t kMostDiagnostics = 6000;
constexpr std::string_view kElsewhere = "[in a file that is not the candidate's: left out]";
/// A problem's own test, as the linker names it (program/build.cpp): a candidate can have it speak of the test's functions.
constexpr std::string_view kTestObject = "judge.o";

// --- the compiler's words ---

bool is_of_path(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._+-").find(c) != std::string_view::npos;
}

/// Whether it lies in a folder whose files are the toolchain's, and public.
bool is_of_toolchain(std::string_view path) {
  const std::string normal = std::filesystem::path(path).lexically_normal();  // gcc has /usr/lib/gcc/../../include
  return normal.starts_with("/usr/include/") || normal.starts_with("/usr/lib/") || normal.starts_with("/usr/local/cuda");
}

std::string_view base_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Of a line: the folders of this machine are nobody's business.
std::string without_folders(std::string_view line) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_of_path(line[end])) ++end;
    const std::string_view word = line.substr(at, end - at);
    const bool has_folder = word.starts_with('/') && !word.starts_with("//") && word.find('/', 1) != std::string_view::npos;
    result += has_folder && !is_of_toolchain(word) ? base_of(word) : word;
    if (end < line.size()) result += line[end++];
    at = end;
  }
  return result;
}

/// The file that a line of diagnostics is about, "<file>:<digit>"; empty where it names none, and goes with the line before.
std::string_view located_in(std::string_view line) {
  for (const std::string_view lead : {"In file included from ", "                 from "})
    if (line.starts_with(lead)) line.remove_prefix(lead.size());
  const std::size_t end = std::ranges::find_if_not(line, is_of_path) - line.begin();
  const bool counts = end + 1 < line.size() && line[end] == ':' && std::isdigit(static_cast<unsigned char>(line[end + 1])) != 0;
  return counts ? line.substr(0, end) : std::string_view();
}

/// A file beside the candidate, one that the harness adds, or one of the toolchain.
bool may_be_quoted(std::string_view file) {
  if (!file.starts_with('/') && file.find("..") == std::string_view::npos) return true;
  const std::string_view base = base_of(file);
  return base == "kernel.h" || base == "stub.cpp" || is_of_toolchain(file);
}

/// A compiler that is not confined reads any file that a candidate includes, and quotes it.
std::string told_of(std::string_view diagnostics) {
  std::string text;
  bool elsewhere = false;
  while (!diagnostics.empty() && text.size() < kMostDiagnostics) {
    const std::string_view line = diagnostics.substr(0, diagnostics.find('\n'));
    diagnostics.remove_prefix(std::min(diagnostics.size(), line.size() + 1));
    if (line.find(kTestObject) != std::string_view::npos) {
      text += std::string(kElsewhere) + "\n";
      break;  // whose words the next lines are cannot be told: a candidate may write lines of its own among them
    }
    if (const std::string_view file = located_in(line); !file.empty()) {
      const bool was = std::exchange(elsewhere, !may_be_quoted(file));
      if (elsewhere && !was) text += std::string(kElsewhere) + "\n";
    }
    if (!elsewhere) text += without_folders(line) + "\n";
  }
  return record::cut_to(record::harmless(text), kMostDiagnostics);
}

// --- how it ended ---

struct Diagnosis {
  Verdict verdict;
  std::string_view sign;  ///< in the record's detail
  std::string_view told;
};

constexpr Diagnosis kDiagnoses[] = {
    {Verdict::crash, "cannot be launched", "Its launch block gives launches that cannot be made, at dimensions that the task allows."},
    {Verdict::crash, "cannot be loaded", "Its library cannot be loaded."},
    {Verdict::crash, "ended the process", "It ended the process in the middle of a call."},
    {Verdict::crash, "Segmentation fault", "A segmentation fault."},
    {Verdict::crash, "Bus error", "A bus error."},
    {Verdict::crash, "Floating point exception", "An integer division by zero, or one that overflows."},
    {Verdict::crash, "Illegal instruction", "An illegal instruction."},
    {Verdict::crash, "Aborted", "It aborted: an exception that nobody caught, a damaged heap, or abort()."},
    {Verdict::policy, "system function", "It called a system function that no kernel needs: processes, new code, network, tracing."},
    {Verdict::memory_limit, "of scratch", "Its launch block asks for too much scratch."},
};

std::string_view diagnosis_of(const Record& record) {
  if (record.verdict == Verdict::inconclusive) {
    switch (record.doubt) {
      case Doubt::candidate: return "Its own launches disagree: its time varies more than the baseline's beside it.";
      case Doubt::length: return "A call is too short to be timed.";
      default: return "The machine was not steady.";
    }
  }
  for (const Diagnosis& each : kDiagnoses)
    if (each.verdict == record.verdict && record.detail.find(each.sign) != std::string::npos) return each.told;
  return "";
}

/// Powers of ten, 1e-8 to 1e4: enough to tell rounding from a wrong formula, too few to carry much.
std::string rounded(double error) {
  constexpr double kMost = 3e4;
  if (error > kMost) return "more than 1e4";
  return fmt::format("about 1e{}", std::max(-8L, std::lround(std::log10(error))));
}

/// Over all cases, of outputs that were compared.
std::string size_of_error(const Record& record) {
  const bool compared = record.verdict == Verdict::wrong_result || record.verdict == Verdict::nondeterministic;
  if (!compared || !record.errors || record.errors->where.empty()) return "";
  const auto& [max_abs, max_rel, scaled, bound, where] = *record.errors;
  std::string text;
  if (!scaled) text += " An output is infinite or no number where it should not be, or the other way round.";
  if (max_rel && *max_rel > 0) text += fmt::format(" The largest relative error is {}.", rounded(*max_rel));
  if (scaled && bound && *bound > 0 && *scaled > *bound)
    text += fmt::format(" The largest error is {} times its bound.", rounded(*scaled / *bound));
  return text;
}

/// Of a problem that brings its own tests there is one case, its program, and nothing of its outputs is known.
bool is_of_program(const Record& record) { return record.sample.backend == "program"; }

std::string_view meaning_of(const Record& record) {
  if (is_of_program(record) && record.stage != Stage::compile && record.verdict == Verdict::pass) return "the problem's test passes";
  if (is_of_program(record) && record.verdict == Verdict::wrong_result) return "the problem's test fails";
  return record::info(record.verdict).meaning;
}

std::string told_of_run(const Record& record) {
  std::string text;
  if (const std::string_view diagnosis = diagnosis_of(record); !diagnosis.empty()) text += fmt::format("{}\n", diagnosis);
  if (record.cases && record.stage == Stage::test && !is_of_program(record))
    text += fmt::format("{} of {} cases passed.{}\n", record.cases->passed, record.cases->planned, size_of_error(record));
  const bool timed = record.verdict == Verdict::pass || (record.verdict == Verdict::inconclusive && record.doubt == Doubt::candidate);
  if (record.stage == Stage::bench && timed && record.speedup)
    text += fmt::format("Speedup over the baseline {:.2g}, between {:.2g} and {:.2g}.\n", record.speedup->estimate, record.speedup->low,
                        record.speedup->high);
  return text;
}

}  // namespace

std::string feedback_of(const Answer& answer) {
  if (answer.records.empty() || answer.verdict() == Verdict::harness_error) return "";
  const Record& last = answer.records.back();
  std::string text = fmt::format("{}: {}.\n", record::name(last.verdict), meaning_of(last));
  if (last.stage == Stage::compile) {
    if (last.verdict == Verdict::pass) return text;
    return text + told_of(answer.diagnostics.empty() || last.verdict == Verdict::policy ? last.detail : answer.diagnostics);
  }
  for (const Record& record : answer.records)
    if (record.stage != Stage::compile) text += told_of_run(record);
  return text;
}

}  // namespace assay::score
