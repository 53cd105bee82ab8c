// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/replay.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "assay/generate/run.h"
#include "journal.h"
#include "judgement_json.h"
#include "reply_json.h"

namespace assay::generate {

Replay::Replay(const std::filesystem::path& folder) : folder_(folder) {
  each_line(folder / "answers.jsonl", [&](const nlohmann::json& line) {
    Reply reply = reply_of(line);
    const std::string id = reply.id;
    if (reply.error.empty()) recorded_[id] = {text_member(line, "prompt"), std::move(reply)};
  });
}

void Replay::ask(const Next& next, const Done& done, const Round& round) {
  while (true) {
    while (std::optional<Request> request = next()) {
      const auto found = recorded_.find(request->id);
      Reply reply;
      if (found == recorded_.end()) reply.error = fmt::format("{} has no answer to it", folder_.string());
      else if (found->second.prompt != prompt_digest(request->messages))
        reply.error = fmt::format("{} has an answer to another prompt", folder_.string());
      else reply = found->second.reply;
      reply.id = request->id;
      if (!done(std::move(reply))) return;
      round();
    }
    if (!round()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

ReplayedJudge::ReplayedJudge(const std::filesystem::path& folder) : folder_(folder) {
  each_line(folder / "verdicts.jsonl", [&](const nlohmann::json& line) {
    if (auto judgement = judgement_of(line)) recorded_[text_member(line, "id")] = {text_member(line, "source"), std::move(*judgement)};
  });
}

void ReplayedJudge::submit(Sample sample) {
  const auto found = recorded_.find(sample.id);
  if (found == recorded_.end()) ended_.push_back({sample.id, {}, fmt::format("{} has no verdict on it", folder_.string())});
  else if (found->second.source != sample.source.digest())
    ended_.push_back({sample.id, {}, fmt::format("{} has a verdict on another source", folder_.string())});
  else ended_.push_back({sample.id, found->second.judgement, ""});
}

std::vector<Judge::Ended> ReplayedJudge::ended() { return std::exchange(ended_, {}); }

}  // namespace assay::generate
