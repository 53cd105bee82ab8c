// SPDX-License-Identifier: Apache-2.0
// `assay serve`: verdicts over HTTP; the work is in harness/score.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "assay/generate/answer.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem_folder.h"
#include "assay/record/printable.h"
#include "assay/score/server.h"
#include "commands.h"
#include "ending.h"
#include "score_options.h"
#include "task_argument.h"

namespace assay::command {
namespace {

/// Connections and children need some each.
void take_all_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

spec::SourceText candidate_in(const std::filesystem::path& build, const std::string& task, const std::string& backend,
                              const std::string& text) {
  if (text.size() > generate::kMostAnswerBytes) throw score::SampleError("answer: has more than 4 MiB");
  std::filesystem::path toolchain;
  try {
    toolchain = find_toolchain(build, backend);
  } catch (const std::runtime_error& error) {
    throw score::SampleError(error.what());
  }
  const plan::Toolchain of = plan::load_toolchain(toolchain);
  generate::AnswerForm form{of.suffix, of.launches() ? "" : task};
  const std::filesystem::path plan = build / "kernelassay" / task / (backend + ".plan.json");
  if (of.is_program() && std::filesystem::exists(plan))  // of an unknown task the scorer speaks
    form = answer_form(problem::read_problem(plan::load_plan(plan).task.task_yaml.file));
  const generate::Answer answer = generate::read_answer(text, form);
  // What the model failed to answer is judged, and does not compile.
  if (!answer.fault.empty()) return fmt::format("#error the answer has no candidate: {}\n", record::printable(answer.fault));
  return generate::source_of(answer);
}

void serve(const score::ScorerOptions& options, score::ServerOptions how, const std::string& token_variable) {
  if (const char* token = std::getenv(token_variable.c_str()); token != nullptr) how.token = token;
  unsetenv(token_variable.c_str());  // no compiler or box needs to know it
  how.version = ASSAY_VERSION;
  how.prompt = [build = options.build](const std::string& task, const std::string& backend) {
    return prompt_in_build(task, backend, build, {});
  };
  how.extract = [build = options.build](const std::string& task, const std::string& backend, const std::string& text) {
    return candidate_in(build, task, backend, text);
  };
  take_all_descriptors();
  const Ending ending;
  score::Scorer scorer(options);
  score::Server server(scorer, how);
  fmt::print("assay serve: http://{}:{}, {} tasks, {} at a time{}\n", how.host, server.port(), scorer.tasks().size(), options.jobs,
             how.token.empty() ? "" : ", with a token");
  std::fflush(stdout);
  ending.on_first([&] { server.drain(); });
  ending.on_second([&] { scorer.stop(); });
  server.serve();
  ending.on_first({});
  ending.on_second({});
}

}  // namespace

static void add_serve_command(CLI::App& app, int&) {
  auto options = std::make_shared<score::ScorerOptions>(default_score_options());
  auto how = std::make_shared<score::ServerOptions>();
  auto kept = std::make_shared<std::size_t>(how->kept_bytes >> 20);
  auto seed = std::make_shared<std::string>(), token = std::make_shared<std::string>("ASSAY_TOKEN");
  how->port = 8011;
  CLI::App* command = app.add_subcommand("serve", "give verdicts and rewards over HTTP");
  command->footer(
      "docs/score.md describes requests and answers. SIGTERM: takes no more samples, answers those that it has, ends; twice: ends at "
      "once.");
  command->add_option("--host", how->host, "address to listen on; another one than the loopback needs a token")->capture_default_str();
  command->add_option("--port", how->port, "0: any that is free; the first line that is printed names it")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--token-env", *token, "environment variable with the token that requests must bear")->capture_default_str();
  command->add_option("--most-waiting", options->most_waiting, "samples that may wait; further ones get status 429")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--connections", how->most_connections, "connections at a time; further ones wait")
      ->check(CLI::Range(1, 30000))
      ->capture_default_str();
  command->add_option("--keep", *kept, "MiB of answers, and of verdicts that equal sources may get, that are kept")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  add_score_options(*command, *options, *seed);
  command->callback([options, how, kept, seed, token] {
    options->kept_bytes = how->kept_bytes = *kept << 20;
    read_score_options(*options, *seed);
    serve(*options, *how, *token);
  });
}
static const bool serve_defined = define_command("serve", add_serve_command);

}  // namespace assay::command
