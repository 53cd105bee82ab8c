// SPDX-License-Identifier: Apache-2.0
// `assay score`: one candidate, or JSON lines; the work is in harness/score.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <sstream>

#include "assay/compile/source_files.h"
#include "assay/score/json_lines.h"
#include "assay/spec/descriptor.h"
#include "commands.h"
#include "ending.h"
#include "score_options.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;

struct OneSample {
  std::string task, backend = "cpp", source, lines;
  std::vector<std::string> stages;
  double deadline = 0;
};

/// No more than a candidate may have, and one byte.
std::string read_source(const std::string& file) {
  const spec::Descriptor in(file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(score::kMostSourceBytes + 1, '\0');
  std::size_t size = 0;
  ssize_t got = 0;
  while (in && size < text.size() && (got = read(in.get(), text.data() + size, text.size() - size)) > 0)
    size += static_cast<std::size_t>(got);
  if (!in || got < 0)
    throw std::runtime_error(fmt::format("score: {} cannot be read: {}. do: name a source file, or -", file, std::strerror(errno)));
  if (size > score::kMostSourceBytes)
    throw std::runtime_error(fmt::format("score: {} has more than {} bytes, the most of a candidate", file, score::kMostSourceBytes));
  text.resize(size);
  return text;
}

/// Of a file, of the standard input, or of a folder.
spec::SourceText source_at(const std::string& path) {
  if (path == "-" || !fs::is_directory(path)) return read_source(path);
  const compile::SourceFiles read = compile::read_source_files(path);
  if (!read.fault.empty()) throw std::runtime_error(fmt::format("score: {}: {}", path, read.fault));
  spec::SourceText::Files files;
  for (const compile::SourceFile& file : read.files) files.emplace(file.name.string(), file.text);
  if (files.empty())
    throw std::runtime_error(fmt::format("score: {} has no files. do: name a candidate, a file or a folder of several", path));
  try {
    return spec::SourceText(std::move(files));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("score: {}: {}", path, error.what()));
  }
}

/// 0 PASS, 1 any other verdict, 3 no verdict through a fault of ours.
int score_one(score::Scorer& scorer, const OneSample& one, const Ending& ending) {
  score::Sample sample{one.task, one.task, one.backend, source_at(one.source), "", {}, {}, true};
  for (const std::string& name : one.stages) {
    const auto stage = record::stage_named(name);
    if (!stage) throw std::runtime_error(fmt::format("score: unknown stage '{}'. known: compile test bench", name));
    sample.last = sample.last ? std::max(*sample.last, *stage) : *stage;
  }
  if (one.deadline > 0) sample.deadline_seconds = one.deadline;
  std::vector<score::Sample> samples;
  samples.push_back(std::move(sample));
  std::optional<score::Answer> answer;
  scorer.submit(std::move(samples), [&](score::Answer ended) { answer = std::move(ended); });
  ending.on_first([&] { scorer.stop(); });
  scorer.wait_until_idle();
  ending.on_first({});
  fmt::print("{}\n", score::to_line(*answer));
  return record::exit_code(answer->verdict());
}

/// 0 all were judged, 2 some lines were no samples, 3 some have no reward through a fault of ours.
int score_lines(score::Scorer& scorer, const std::string& file, int jobs, const Ending& ending) {
  const spec::Descriptor in(file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in)
    throw std::runtime_error(fmt::format("score: {} cannot be read: {}. do: name a file of JSON lines, or -", file, std::strerror(errno)));
  ending.on_first([&] { scorer.stop(); });  // when all has been read, too
  const score::StreamEnd end =
      score::score_stream(scorer, in.get(), STDOUT_FILENO, static_cast<std::size_t>(8 * jobs + 64), [&] { return ending.asked() > 0; });
  ending.on_first({});
  if (ending.asked() > 0) return 128 + ending.signal();
  if (end.cut_off) throw std::runtime_error("score: answers cannot be written any more: the reader is gone, or the disk is full");
  return end.masked > 0 ? 3 : end.refused > 0 ? 2 : 0;
}

}  // namespace

static void add_score_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<score::ScorerOptions>(default_score_options());
  auto one = std::make_shared<OneSample>();
  auto seed = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("score", "judge one source text, or JSON lines of them, and give a reward");
  command->footer(
      "docs/score.md describes samples, answers and rewards. JSON lines: {\"id\", \"task\", \"backend\", \"source\", \"stages\", "
      "\"deadline_s\"}.\n"
      "Exit codes of one: 0 PASS, 1 another verdict, 2 bad input, 3 our own failure.\n"
      "Of JSON lines: 0 all judged, 2 a line was no sample, 3 a sample has no reward through a failure of ours.");
  CLI::Option* task = command->add_option("--task", one->task, "name of a task of the build folder");
  command->add_option("--backend", one->backend, "backend of the candidate")->capture_default_str();
  CLI::Option* source =
      command->add_option("--source", one->source, "the candidate, a file, a folder of several, or - for the standard input")->needs(task);
  task->needs(source);
  command->add_option("--stages", one->stages, "judge up to the last of these (default: what the reward reads)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--deadline", one->deadline, "seconds that judging may take")->check(CLI::Range(0.001, score::kLongestDeadline));
  command->add_option("--jsonl", one->lines, "samples, one in a line: a file, or - for the standard input")->excludes(task);
  add_score_options(*command, *options, *seed);
  command->callback([options, one, seed, &exit_code] {
    if (one->task.empty() == one->lines.empty()) throw std::runtime_error("score: needs --task and --source, or --jsonl");
    read_score_options(*options, *seed);
    const Ending ending;
    score::Scorer scorer(*options);
    exit_code = one->lines.empty() ? score_one(scorer, *one, ending) : score_lines(scorer, one->lines, options->jobs, ending);
  });
}
static const bool score_defined = define_command("score", add_score_command);

}  // namespace assay::command
