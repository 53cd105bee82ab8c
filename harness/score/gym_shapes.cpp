// SPDX-License-Identifier: Apache-2.0
#include "gym_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/record/printable.h"
#include "assay/record/verdict.h"

namespace assay::score {
namespace {

using nlohmann::json;
constexpr int kDeepestRequest = 64;

std::string text_of(const json& object, const char* key, const char* who) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) throw SampleError(fmt::format("{}: needs the string '{}'", who, key));
  return found->get<std::string>();
}

/// The members of a sample that the request has, to be checked as one.
Sample checked(json sample) { return parse_sample(sample.dump(-1, ' ', false, json::error_handler_t::replace)); }

const json* member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// The text of the last message that an assistant wrote.
std::string last_words(const json& request) {
  const json* response = member(request, "response");
  const json* output = response == nullptr ? nullptr : member(*response, "output");
  if (output == nullptr || !output->is_array()) throw SampleError("verify: response.output must be a list");
  for (auto item = output->rbegin(); item != output->rend(); ++item) {
    const json *type = member(*item, "type"), *content = member(*item, "content");
    if (content == nullptr || (type != nullptr && *type != "message")) continue;
    if (content->is_string()) return content->get<std::string>();
    std::string text;
    if (content->is_array())
      for (const json& part : *content)
        if (const json* words = member(part, "text"); words != nullptr && words->is_string()) text += words->get<std::string>();
    return text;
  }
  throw SampleError("verify: response.output has no message");
}

bool flag(const json& request, const char* key, bool otherwise) {
  const json* found = member(request, key);
  return found != nullptr && found->is_boolean() ? found->get<bool>() : otherwise;
}

/// Of a stage's record; null where it has none.
json of_record(const json& answer, const char* stage, const char* key) {
  const json* stages = member(answer, "stages");
  const json* record = stages == nullptr ? nullptr : member(*stages, stage);
  const json* found = record == nullptr ? nullptr : member(*record, key);
  return found == nullptr ? json() : *found;
}

json milliseconds(const json& nanoseconds) { return nanoseconds.is_number() ? json(nanoseconds.get<double>() * 1e-6) : json(); }

}  // namespace

json parse_gym_request(std::string_view text) {
  const auto shallow = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepestRequest) throw SampleError(fmt::format("request: is nested deeper than {} levels", kDeepestRequest));
    return true;
  };
  try {
    json request = json::parse(text, shallow);
    if (!request.is_object()) throw SampleError(fmt::format("request: must be a JSON object, got {}", request.type_name()));
    return request;
  } catch (const json::exception& error) {
    const std::string why = error.what();
    throw SampleError(why.find("UTF-8") != why.npos
                          ? "request: is not UTF-8"
                          : "request: is no JSON: " + record::cut_to(record::printable(why.substr(why.find("] ") + 2)), 160));
  }
}

Sample sample_of_verify(const json& request, const Extract& extract) {
  const json* backend = member(request, "backend");
  json sample = {{"task", text_of(request, "task", "verify")}, {"backend", backend == nullptr ? json("cpp") : *backend}, {"source", ""}};
  for (const char* key : {"reward", "stages", "deadline_s"})
    if (const json* found = member(request, key)) sample[key] = *found;
  Sample asked = checked(std::move(sample));
  asked.source = extract(asked.task, asked.backend, last_words(request));
  return asked;
}

json verify_response(json request, const json& answer) {
  request["reward"] = answer.at("reward");
  request["mask_sample"] = answer.at("masked");
  request["assay"] = answer;
  return request;
}

Sample sample_of_evaluate(const json& request) {
  const bool timed = flag(request, "run_performance", flag(request, "measure_performance", true));
  const json* backend = member(request, "backend");
  json sample = {{"id", text_of(request, "task_id", "evaluate")},
                 {"task", text_of(request, "entry_point", "evaluate")},
                 {"source", text_of(request, "kernel_code", "evaluate")},
                 {"backend", backend == nullptr || backend->is_null() ? json("cpp") : *backend},
                 {"stages", json::array({timed ? "bench" : "test"})},
                 {"reward", "correct"},
                 {"reuse", !flag(request, "force_refresh", false)}};
  if (const json* timeout = member(request, "timeout")) sample["deadline_s"] = *timeout;
  return checked(std::move(sample));
}

json evaluate_response(const json& answer) {
  const bool masked = answer.at("masked").get<bool>();
  const json compiled = of_record(answer, "compile", "verdict"), speedup = of_record(answer, "bench", "speedup");
  const json* estimate = member(speedup, "estimate");
  json response = {{"task_id", answer.at("id")},
                   {"status", masked ? "failed" : "completed"},
                   {"compiled", masked ? json() : json(compiled == record::name(record::Verdict::pass))},
                   {"correctness", masked ? json() : json(answer.at("parts").value("correct", 0.0) > 0)},
                   {"reference_runtime", milliseconds(of_record(answer, "bench", "baseline_ns"))},
                   {"kernel_runtime", milliseconds(of_record(answer, "bench", "time_ns"))},
                   {"speedup", estimate == nullptr ? json() : *estimate},
                   {"metadata", {{"verdict", answer.at("verdict")}, {"backend", answer.at("backend")}, {"assay", answer}}},
                   {"error_message", json()},
                   {"error_code", json()},
                   {"processing_time", answer.at("judged_s")}};
  if (masked) response["error_message"] = answer.value("masked_because", "");
  else if (answer.at("verdict") != record::name(record::Verdict::pass)) response["error_message"] = answer.at("feedback");
  return response;
}

}  // namespace assay::score
