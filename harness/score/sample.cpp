// SPDX-License-Identifier: Apache-2.0
#include "assay/score/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "assay/record/printable.h"
#include "assay/spec/nearest.h"

namespace assay::score {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestId = 128, kLongestName = 200;
constexpr int kDeepest = 2;  // the sample itself, and its list of stages or its files
const std::vector<std::string> kKeys = {"id", "task", "backend", "source", "stages", "deadline_s", "reward", "reuse"};

std::string shown(std::string_view text) { return record::cut_to(record::printable(text), 80); }

/// Depth is refused while it is read: a megabyte of brackets is not built first.
json parse_flat(std::string_view text) {
  const auto shallow = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw SampleError(fmt::format("sample: is nested deeper than {} levels", kDeepest));
    return true;
  };
  try {
    return json::parse(text, shallow);
  } catch (const json::exception& error) {
    const std::string why = error.what();
    if (why.find("UTF-8") != std::string::npos) throw SampleError("sample: is not UTF-8");
    throw SampleError(fmt::format("sample: is no JSON: {}", record::cut_to(record::printable(why.substr(why.find("] ") + 2)), 160)));
  }
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (!found->is_string()) throw SampleError(fmt::format("sample: {} must be a string, got {}", key, found->type_name()));
  return found->get<std::string>();
}

void require_name(const char* key, const std::string& name) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > kLongestName || !std::ranges::all_of(name, allowed) || name.front() < 'a')
    throw SampleError(fmt::format("sample: {} must be a name, [a-z][a-z0-9_]*, got '{}'", key, shown(name)));
}

std::optional<record::Stage> last_stage(const json& object) {
  const auto found = object.find("stages");
  if (found == object.end() || found->is_null()) return {};
  const auto refuse = [&] { return SampleError("sample: stages must be a list of compile, test and bench"); };
  if (!found->is_array() || found->empty() || found->size() > record::all_stages.size()) throw refuse();
  std::optional<record::Stage> last;
  for (const json& each : *found) {
    const auto stage = each.is_string() ? record::stage_named(each.get<std::string>()) : std::nullopt;
    if (!stage) throw refuse();
    last = last ? std::max(*last, *stage) : *stage;
  }
  return last;
}

std::optional<double> deadline_of(const json& object) {
  const auto found = object.find("deadline_s");
  if (found == object.end() || found->is_null()) return {};
  if (!found->is_number() || !(found->get<double>() > 0) || !(found->get<double>() <= kLongestDeadline))
    throw SampleError(fmt::format("sample: deadline_s must be a number of seconds above 0 and up to {:g}, got {}", kLongestDeadline,
                                  found->is_number() ? found->dump() : found->type_name()));
  return found->get<double>();
}

spec::SourceText source_of(const json& object) {
  const json& source = object.at("source");
  if (source.is_string()) return source.get<std::string>();
  if (!source.is_object())
    throw SampleError(fmt::format("sample: source must be a string, or an object of files, got {}", source.type_name()));
  if (source.empty() || source.size() > kMostFiles)
    throw SampleError(fmt::format("sample: source must have 1 to {} files, got {}", kMostFiles, source.size()));
  spec::SourceText::Files files;
  for (const auto& [name, text] : source.items()) {
    if (!text.is_string()) throw SampleError(fmt::format("sample: source '{}' must be a string, got {}", shown(name), text.type_name()));
    if (const std::string why = spec::why_no_file(name); !why.empty())
      throw SampleError(fmt::format("sample: source '{}' {}", shown(name), why));
    files.emplace(name, text.get<std::string>());
  }
  return spec::SourceText(std::move(files));
}

bool reuse_of(const json& object) {
  const auto found = object.find("reuse");
  if (found == object.end()) return true;
  if (!found->is_boolean()) throw SampleError(fmt::format("sample: reuse must be true or false, got {}", found->type_name()));
  return found->get<bool>();
}

}  // namespace

void require_id(std::string_view id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == ':' || c == '-';
  };
  if (id.empty() || id.size() > kLongestId || !std::ranges::all_of(id, allowed))
    throw SampleError(fmt::format("sample: id must be 1 to {} characters of A-Z a-z 0-9 . _ : -, got '{}'", kLongestId, shown(id)));
}

Sample parse_sample(std::string_view text) {
  if (text.size() > kMostSampleBytes) throw SampleError(fmt::format("sample: has more than {} bytes", kMostSampleBytes));
  const json object = parse_flat(text);
  if (!object.is_object()) throw SampleError(fmt::format("sample: must be a JSON object, got {}", object.type_name()));
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(kKeys, key) == kKeys.end())
      throw SampleError(fmt::format("sample: unknown key '{}'{}", shown(key), spec::did_you_mean(shown(key), kKeys)));
  for (const char* key : {"task", "source"})
    if (!object.contains(key)) throw SampleError(fmt::format("sample: has no '{}'", key));
  Sample sample{text_of(object, "id"),     text_of(object, "task"), text_of(object, "backend"), source_of(object),
                text_of(object, "reward"), last_stage(object),      deadline_of(object),        reuse_of(object)};
  if (sample.backend.empty()) sample.backend = "cpp";
  if (object.contains("id")) require_id(sample.id);
  require_name("task", sample.task);
  require_name("backend", sample.backend);
  if (sample.source.bytes() > kMostSourceBytes)
    throw SampleError(fmt::format("sample: source has {} bytes, more than the limit of {}", sample.source.bytes(), kMostSourceBytes));
  return sample;
}

}  // namespace assay::score
