// SPDX-License-Identifier: Apache-2.0
#include "assay/score/answer.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/record/printable.h"

namespace assay::score {
namespace {

using nlohmann::ordered_json;
using record::Record, record::Stage, record::Verdict;

ordered_json shown(const Record& record) {
  ordered_json json = record::to_json(record);
  for (const char* key : {"run", "sample"}) json.erase(key);  // of a drop-in folder
  if (record.stage != Stage::bench) json.erase("seed");
  return json;
}

std::string one_line(const ordered_json& json) { return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace); }

double milliseconds(double seconds) { return std::round(seconds * 1000) / 1000; }

}  // namespace

Verdict Answer::verdict() const { return records.empty() ? Verdict::harness_error : records.back().verdict; }

ordered_json to_json(const Answer& answer) {
  ordered_json json{{"id", answer.id}, {"task", answer.task}, {"backend", answer.backend}, {"verdict", record::name(answer.verdict())}};
  json["reward"] = nullptr;
  ordered_json parts = ordered_json::object();
  if (answer.reward && std::isfinite(answer.reward->value)) {
    json["reward"] = answer.reward->value;
    for (const auto& [name, value] : answer.reward->parts) parts[name] = value;
  }
  json["reward_name"] = answer.reward_name;
  json["parts"] = parts;
  json["masked"] = !answer.reward.has_value();
  if (!answer.masked.empty()) json["masked_because"] = record::cut_to(record::printable(answer.masked), 2000);
  ordered_json stages = ordered_json::object();
  for (const Record& record : answer.records) stages[std::string(record::name(record.stage))] = shown(record);
  json["stages"] = stages;
  json["diagnostics"] = answer.diagnostics;
  json["feedback"] = feedback_of(answer);
  json["cases"] = answer.cases;
  json["reused"] = answer.reused;
  json["waited_s"] = milliseconds(answer.waited_seconds);
  json["judged_s"] = milliseconds(answer.judged_seconds);
  return json;
}

std::string to_line(const Answer& answer) { return one_line(to_json(answer)); }

std::string error_line(const std::string& id, const std::string& why) {
  ordered_json json = ordered_json::object();
  if (!id.empty()) json["id"] = id;
  json["error"] = record::cut_to(record::printable(why), 500);
  return one_line(json);
}

}  // namespace assay::score
