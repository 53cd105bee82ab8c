// SPDX-License-Identifier: Apache-2.0
// A run: which prompts are asked how often, what is kept of it in generated/<run>/, and what is left to ask.
//   run.yaml        the configuration, what identifies it, and the totals
//   requests.jsonl  what was asked, a line before each request
//   answers.jsonl   what came back, a line for each; with what was taken from it
//   verdicts.jsonl  of a strategy that judges: what was found of each answer, and what the model was told
//   <task>/<NNN>*   the candidates
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/generate/answer.h"
#include "assay/generate/config.h"
#include "assay/generate/judge.h"
#include "assay/generate/model.h"
#include "assay/generate/trajectory.h"

namespace assay::generate {

/// One task's prompt.
struct Ask {
  std::string task;
  AnswerForm form;
  std::string prompt;
};

struct Totals {
  int wanted = 0;      ///< candidates
  int before = 0;      ///< of these, answered by earlier calls
  int answered = 0;    ///< by all calls
  int candidates = 0;  ///< answers that held one
  int failed = 0;      ///< requests without an answer, of this call
  int judging = 0;     ///< answers that are being judged now
  int unjudged = 0;    ///< answers that could not be judged, of this call: the next one tries again
  Usage usage;         ///< of all answers
  double seconds = 0;  ///< of this call
};

class Run {
 public:
  /// `folder` is generated/<run>. Reads what is there; writes candidates again whose answer is kept. Throws std::runtime_error: the
  /// folder's run was another one's, another process writes to it.
  Run(RunConfig config, std::vector<Ask> asks, std::filesystem::path folder, std::string version);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Samples that are left to go on with.
  int left() const;

  struct Events {
    std::function<void(const Totals&)> progress = [](const Totals&) {};       ///< several times a second
    std::function<void(const std::string&)> say = [](const std::string&) {};  ///< one line, which may be printed
  };
  /// Asks for what is left, `limit` requests at most (0: all). A strategy that judges needs a judge. Throws std::runtime_error where the
  /// model says what would be said to every request.
  Totals ask(Model& model, int limit, const Events& events, Judge* judge = nullptr);

  /// Of the samples that have a judged answer, those of earlier calls too.
  std::vector<Trajectory> trajectories() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How many requests a run has at most, and how long their prompts are: what --dry-run says.
struct Plan {
  int requests = 0;
  std::size_t prompt_bytes = 0;
};
Plan plan_of(const RunConfig& config, const std::vector<Ask>& asks);

/// "relu.cpp.003"
std::string request_id(const std::string& task, const std::string& backend, int sample, std::size_t turn);

/// Of one prompt as it is sent.
std::string prompt_digest(const std::vector<Message>& messages);

/// What a run.yaml says in one line: model, sampling, prompts, cost. Empty where there is none, or where it is no run.yaml of ours.
std::string describe_run(const std::filesystem::path& run_yaml);

}  // namespace assay::generate
