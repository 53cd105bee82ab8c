// SPDX-License-Identifier: Apache-2.0
#include "json_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/record/printable.h"

namespace assay::generate {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestName = 60;

std::string shown(const std::string& name) { return record::cut_to(record::printable(name), kLongestName); }

/// Characters, as the schema counts them.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Checker {
 public:
  std::vector<std::string> faults;

  void check(const json& value, const json& schema, const std::string& at) {
    const std::string type = schema.at("type");
    if (value.type_name() != type) return fail(at, fmt::format("must be {} {}", type == "string" ? "a" : "an", type));
    if (value.is_string()) check_size(length_of(value.get_ref<const std::string&>()), schema, "Length", "characters", at);
    if (value.is_array()) check_items(value, schema, at);
    if (value.is_object()) check_members(value, schema, at);
  }

 private:
  void fail(const std::string& at, const std::string& what) { faults.push_back(fmt::format("{}: {}", at.empty() ? "/" : at, what)); }

  void check_size(std::size_t size, const json& schema, const std::string& keyword, const char* unit, const std::string& at) {
    if (const auto least = schema.find("min" + keyword); least != schema.end() && size < least->get<std::size_t>())
      fail(at, fmt::format("must have at least {} {}, has {}", least->get<std::size_t>(), unit, size));
    if (const auto most = schema.find("max" + keyword); most != schema.end() && size > most->get<std::size_t>())
      fail(at, fmt::format("must have at most {} {}, has {}", most->get<std::size_t>(), unit, size));
  }

  void check_items(const json& value, const json& schema, const std::string& at) {
    const std::size_t before = faults.size();
    check_size(value.size(), schema, "Items", "items", at);
    if (faults.size() > before || !schema.contains("items")) return;
    for (std::size_t i = 0; i < value.size(); ++i) check(value[i], schema["items"], fmt::format("{}/{}", at, i));
  }

  void check_members(const json& value, const json& schema, const std::string& at) {
    const json properties = schema.value("properties", json::object());
    for (const json& name : schema.value("required", json::array()))
      if (!value.contains(name.get_ref<const std::string&>())) fail(at, fmt::format("lacks '{}'", name.get<std::string>()));
    constexpr std::size_t kMostUnknown = 3;
    std::size_t unknown = 0;
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) check(member, properties[name], at + "/" + name);
      else if (schema.value("additionalProperties", true) == false && unknown++ < kMostUnknown)
        fail(at, fmt::format("has an unknown member '{}'", shown(name)));
    }
  }
};

}  // namespace

std::vector<std::string> schema_faults(const json& value, const json& schema) {
  Checker checker;
  checker.check(value, schema, "");
  return std::move(checker.faults);
}

json object_in(const std::string& answer) {
  constexpr std::string_view kReasoned = "</think>";
  const std::size_t thought = answer.rfind(kReasoned);
  const std::size_t begin = answer.find('{', thought == std::string::npos ? 0 : thought), end = answer.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return json(json::value_t::discarded);
  json value = json::parse(answer.begin() + static_cast<std::ptrdiff_t>(begin), answer.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                           nullptr, false);
  return value.is_object() ? value : json(json::value_t::discarded);
}

}  // namespace assay::generate
