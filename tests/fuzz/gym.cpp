// SPDX-License-Identifier: Apache-2.0
// Bodies of /verify and /evaluate, as other systems' training loops send them: an error of one line, or a sample that keeps the rules of
// one, and a response that holds what the request held. The first byte chooses the route.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "assay/record/printable.h"
#include "assay/score/answer.h"
#include "gym_shapes.h"
#include "property.h"

namespace assay::gym_target {
namespace {

using nlohmann::json;
using score::Sample, score::SampleError;

void check_sample(const Sample& sample) {
  if (!sample.id.empty()) score::require_id(sample.id);
  for (const std::string& name : {sample.task, sample.backend})
    require(!name.empty() && name.find_first_of("/.\\ \n") == name.npos && record::printable(name) == name, "a name is no path", name);
  if (sample.deadline_seconds)
    require(*sample.deadline_seconds > 0 && *sample.deadline_seconds <= score::kLongestDeadline, "a deadline comes");
}

json answer_to(const Sample& sample, bool masked) {
  score::Answer answer{sample.id, sample.task, sample.backend, {}, "", "correct", {}, "", "", false, 0, 0};
  if (masked) {
    answer.masked = "HARNESS_ERROR: the judge was stopped";
  } else {
    record::Record record;
    record.sample = {"score", sample.task, sample.backend, 0};
    record.stage = record::Stage::test;
    record.verdict = record::Verdict::pass;
    answer.records = {record};
    answer.reward = score::RewardValue{1, {{"correct", 1}}};
  }
  return json::parse(score::to_line(answer));
}

void check_verify(const json& request, bool masked) {
  // What takes a candidate out of an answer has a target of its own.
  const Sample sample =
      score::sample_of_verify(request, [](const std::string&, const std::string&, const std::string& text) { return text; });
  check_sample(sample);
  const json response = score::verify_response(request, answer_to(sample, masked));
  for (const auto& [key, value] : request.items())
    if (key != "reward" && key != "mask_sample" && key != "assay") require(response.at(key) == value, "a response holds its request", key);
  require(response.at("mask_sample") == masked && response.at("reward").is_number() != masked, "masked is no reward");
  require(json::accept(response.dump(-1, ' ', true, json::error_handler_t::replace)), "a response is JSON");
}

void check_evaluate(const json& request, bool masked) {
  const Sample sample = score::sample_of_evaluate(request);
  check_sample(sample);
  require(!sample.id.empty() && sample.source.bytes() <= score::kMostSourceBytes, "a sample of KernelGYM's has an id");
  require(sample.last == record::Stage::bench || sample.last == record::Stage::test, "it is tested");
  const json response = score::evaluate_response(answer_to(sample, masked));
  require(response.at("task_id") == sample.id, "a response names its request");
  require(response.at("correctness").is_null() == masked, "masked is no verdict");
}

void check(std::string_view body, bool verify, bool masked) {
  std::string why;
  try {
    const json request = score::parse_gym_request(body);
    verify ? check_verify(request, masked) : check_evaluate(request, masked);
  } catch (const SampleError& error) {
    why = score::error_line("", error.what());
  }
  require(std::ranges::all_of(why, [](char c) { return c >= ' ' && c <= '~'; }), "an error is a line of ASCII", why);
  require(why.empty() || json::accept(why), "an error is JSON", why);
}

}  // namespace

FUZZ_TARGET(gym) {
  if (size == 0) return 0;
  check(assay::text_of(data + 1, size - 1), data[0] % 2 == 0, data[0] % 4 < 2);
  return 0;
}

}  // namespace assay::gym_target
