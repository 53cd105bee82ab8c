// SPDX-License-Identifier: Apache-2.0
#include "scoring_judge.h"

#include <mutex>
#include <utility>

#include "assay/score/reward.h"

namespace assay::command {
namespace {

generate::Judge::Ended ended_of(const score::Answer& answer) {
  if (answer.verdict() == record::Verdict::harness_error)
    return {answer.id, {}, !answer.masked.empty() ? answer.masked : "HARNESS_ERROR: " + answer.records.back().detail};
  generate::Judgement judgement{std::string(record::name(answer.verdict())), !record::is_failure(answer.verdict()), std::nullopt,
                                score::feedback_of(answer)};
  if (const auto& speedup = score::findings_of(answer.records).findings.speedup; speedup && judgement.right)
    judgement.speedup = speedup->low;
  return {answer.id, std::move(judgement), ""};
}

}  // namespace

struct ScoringJudge::State {
  State(score::ScorerOptions options, std::string of) : backend(std::move(of)), scorer(std::move(options)) {}

  void end(Ended one) {
    const std::lock_guard lock(mutex);
    waiting.push_back(std::move(one));
  }

  const std::string backend;
  std::mutex mutex;
  std::vector<Ended> waiting;  ///< for ended()
  score::Scorer scorer;        ///< ends first: its threads call end()
};

ScoringJudge::ScoringJudge(score::ScorerOptions options, std::string backend)
    : state_(std::make_unique<State>(std::move(options), std::move(backend))) {}
ScoringJudge::~ScoringJudge() = default;

void ScoringJudge::submit(Sample sample) try {
  score::Sample scored;
  scored.id = sample.id;
  scored.task = sample.task;
  scored.backend = state_->backend;
  scored.source = std::move(sample.source);
  scored.last = sample.last;
  std::vector<score::Sample> samples;
  samples.push_back(std::move(scored));
  state_->scorer.submit(std::move(samples), [state = state_.get()](const score::Answer& answer) { state->end(ended_of(answer)); });
} catch (const std::exception& error) {
  state_->end({sample.id, {}, error.what()});
}

std::vector<generate::Judge::Ended> ScoringJudge::ended() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->waiting, {});
}

}  // namespace assay::command
