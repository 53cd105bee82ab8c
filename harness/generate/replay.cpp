// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/replay.h"

#include <fmt/format.h>

#include "assay/generate/run.h"
#include "journal.h"
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
}

}  // namespace assay::generate
