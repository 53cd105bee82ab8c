// SPDX-License-Identifier: Apache-2.0
#include "judgement_json.h"

#include <fmt/format.h>

#include "assay/record/printable.h"
#include "reply_json.h"

namespace assay::generate {

using nlohmann::json;

json judgement_json(const Judgement& judgement) {
  json line = {{"verdict", judgement.verdict}, {"right", judgement.right}, {"feedback", judgement.feedback}};
  if (judgement.speedup) line["speedup"] = *judgement.speedup;
  return line;
}

std::optional<Judgement> judgement_of(const json& line) {
  Judgement judgement{text_member(line, "verdict"), false, std::nullopt, text_member(line, "feedback")};
  if (judgement.verdict.empty()) return std::nullopt;
  if (const auto right = line.find("right"); right != line.end() && right->is_boolean()) judgement.right = right->get<bool>();
  if (const auto speedup = line.find("speedup"); speedup != line.end() && speedup->is_number()) judgement.speedup = speedup->get<double>();
  return judgement;
}

std::optional<Judgement> judgement_without_judge(const Answer& answer, bool cut_off) {
  constexpr std::size_t kLongestFault = 500;
  if (answer.fault.empty()) return std::nullopt;
  const std::string why = record::cut_to(record::printable(answer.fault), kLongestFault);
  return Judgement{kNoCandidate, false, std::nullopt,
                   fmt::format("There is no candidate in it: {}.\n{}", why, cut_off ? "It was cut off at its most tokens.\n" : "")};
}

}  // namespace assay::generate
