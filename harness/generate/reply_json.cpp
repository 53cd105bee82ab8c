// SPDX-License-Identifier: Apache-2.0
#include "reply_json.h"

namespace assay::generate {

using nlohmann::json;

namespace {

double real_member(const json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : 0;
}

json usage_json(const Usage& usage) {
  json made = {{"prompt", usage.prompt}, {"cached", usage.cached}, {"completion", usage.completion}, {"reasoning", usage.reasoning}};
  if (usage.cost) made["cost"] = *usage.cost;
  return made;
}

Usage usage_of(const json& line) {
  Usage usage;
  const auto found = line.find("usage");
  if (found == line.end() || !found->is_object()) return usage;
  usage.prompt = whole_member(*found, "prompt");
  usage.cached = whole_member(*found, "cached");
  usage.completion = whole_member(*found, "completion");
  usage.reasoning = whole_member(*found, "reasoning");
  if (found->contains("cost")) usage.cost = real_member(*found, "cost");
  return usage;
}

}  // namespace

std::string text_member(const json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : "";
}

std::int64_t whole_member(const json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

json reply_json(const Reply& reply) {
  json line = {{"attempts", reply.attempts}, {"seconds", reply.seconds}};
  if (!reply.error.empty()) {
    line["error"] = reply.error;
    return line;
  }
  line.update({{"first_seconds", reply.first_seconds},
               {"model", reply.model},
               {"finish", reply.finish},
               {"usage", usage_json(reply.usage)},
               {"text", reply.text}});
  if (!reply.reasoning.empty()) line["reasoning"] = reply.reasoning;
  return line;
}

Reply reply_of(const json& line) {
  Reply reply;
  reply.id = text_member(line, "id");
  reply.text = text_member(line, "text");
  reply.reasoning = text_member(line, "reasoning");
  reply.finish = text_member(line, "finish");
  reply.model = text_member(line, "model");
  reply.error = text_member(line, "error");
  reply.usage = usage_of(line);
  reply.seconds = real_member(line, "seconds");
  reply.first_seconds = real_member(line, "first_seconds");
  reply.attempts = static_cast<int>(whole_member(line, "attempts"));
  return reply;
}

}  // namespace assay::generate
