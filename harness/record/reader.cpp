// SPDX-License-Identifier: Apache-2.0
// What a record must be like to be believed: each field by its type and range.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/record/record.h"

namespace assay::record {

namespace {

using nlohmann::json;

const json& field(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) throw RecordError(fmt::format("the record has no '{}'", key));
  return *it;
}

[[noreturn]] void wrong_type(const char* key, const char* wanted, const json& got) {
  throw RecordError(fmt::format("the record's '{}' must be {}, got {}", key, wanted, got.type_name()));
}

std::string text(const json& object, const char* key) {
  const json& value = field(object, key);
  if (!value.is_string()) wrong_type(key, "a string", value);
  return value.get<std::string>();
}

std::string text_if_any(const json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() || it->is_null() ? "" : text(object, key);
}

bool flag(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return false;
  if (!it->is_boolean()) wrong_type(key, "true or false", *it);
  return it->get<bool>();
}

int whole(const json& object, const char* key, int low, int high) {
  const json& value = field(object, key);
  if (!value.is_number_integer()) wrong_type(key, "a whole number", value);
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) throw RecordError(fmt::format("the record's '{}' must be {}..{}, got {}", key, low, high, number));
  return static_cast<int>(number);
}

std::optional<int> whole_if_any(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return std::nullopt;
  return whole(object, key, 0, 1'000'000'000);
}

double number(const json& object, const char* key) {
  const json& value = field(object, key);
  if (!value.is_number()) wrong_type(key, "a number", value);
  const double result = value.get<double>();
  if (!std::isfinite(result) || result < 0)
    throw RecordError(fmt::format("the record's '{}' must be finite and not negative, got {}", key, result));
  return std::abs(result);  // a zero with a sign would be shown with it
}

std::optional<double> number_if_any(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return std::nullopt;
  return number(object, key);
}

const json* object_if_any(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return nullptr;
  if (!it->is_object()) wrong_type(key, "an object", *it);
  return &*it;
}

/// A number of any size; 0 where there is none.
std::uint64_t size_if_any(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return 0;
  if (!it->is_number_unsigned()) wrong_type(key, "a whole number", *it);
  return it->get<std::uint64_t>();
}

std::vector<std::uint64_t> sizes_if_any(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return {};
  if (!it->is_array()) wrong_type(key, "an array of whole numbers", *it);
  for (const json& item : *it)
    if (!item.is_number_unsigned()) wrong_type(key, "an array of whole numbers", item);
  return it->get<std::vector<std::uint64_t>>();
}

std::vector<std::string> texts(const json& object, const char* key) {
  const json& list = field(object, key);
  if (!list.is_array()) wrong_type(key, "an array of strings", list);
  std::vector<std::string> result;
  for (const json& item : list) {
    if (!item.is_string()) wrong_type(key, "an array of strings", item);
    result.push_back(item.get<std::string>());
  }
  return result;
}

template <typename Lookup>
auto named(const json& object, const char* key, Lookup lookup) {
  const std::string word = text(object, key);
  const auto found = lookup(word);
  if (!found) throw RecordError(fmt::format("the record's '{}' is unknown: {}", key, word));
  return *found;
}

void check_version(const json& object) {
  const int version = whole(object, "version", 0, 1'000'000);
  if (version != record_version)
    throw VersionError(
        fmt::format("expected records of version {}, got version {}; use the assay that wrote them", record_version, version));
}

void read_common(const json& object, Record& record) {
  record.sample = {text(object, "run"), text(object, "task"), text(object, "backend"), whole(object, "sample", 0, 999)};
  record.stage = named(object, "stage", stage_named);
  record.verdict = named(object, "verdict", verdict_named);
  record.detail = text(object, "detail");
  record.category = text(object, "category");
  record.difficulty = whole(object, "difficulty", 1, 5);
  record.suites = texts(object, "suites");
  record.tier = named(object, "tier", tier_named);
  record.machine = text(object, "machine");
  record.profile = text_if_any(object, "profile");
  record.trust = text_if_any(object, "trust");
  record.vacuous = flag(object, "vacuous");
  record.no_bench = flag(object, "no_bench");
  if (const json* device = object_if_any(object, "device")) record.device = read_device(*device);
}

void read_test(const json& object, Record& record) {
  if (const json* cases = object_if_any(object, "cases"))
    record.cases = CaseCount{whole(*cases, "planned", 0, 1'000'000), whole(*cases, "passed", 0, 1'000'000)};
  if (const json* errors = object_if_any(object, "errors"))
    record.errors = Errors{number_if_any(*errors, "max_abs"), number_if_any(*errors, "max_rel"), number_if_any(*errors, "scaled"),
                           number_if_any(*errors, "bound"), text_if_any(*errors, "where")};
  if (const auto it = object.find("repeatable"); it != object.end() && !it->is_null()) {
    if (!it->is_boolean()) wrong_type("repeatable", "true or false", *it);
    record.repeatable = it->get<bool>();
  }
}

std::optional<Speedup> read_speedup(const json& object) {
  const json* found = object_if_any(object, "speedup");
  if (!found) return std::nullopt;
  Speedup speedup{number(*found, "estimate"), number(*found, "low"), number(*found, "high"), 0};
  const auto& [estimate, low, high, at_least] = speedup;
  if (!(low <= estimate && estimate <= high) || estimate <= 0)
    throw RecordError(
        fmt::format("the record's speedup must be low <= estimate <= high and above 0, got {} <= {} <= {}", low, estimate, high));
  speedup.at_least = number_if_any(*found, "at_least").value_or(low);
  if (!(at_least <= estimate))
    throw RecordError(fmt::format("the record's speedup must be at_least <= estimate, got {} <= {}", at_least, estimate));
  return speedup;
}

std::optional<Folds> read_folds(const json& object) {
  const auto it = object.find("folds");
  if (it == object.end() || it->is_null()) return std::nullopt;
  Folds folds;
  const auto is_speedup = [](const json& item) { return item.is_number() && std::isfinite(item.get<double>()) && item.get<double>() > 0; };
  if (!it->is_array() || it->size() != folds.size() || !std::ranges::all_of(*it, is_speedup))
    throw RecordError(fmt::format("the record's 'folds' must be {} numbers above 0, got {}", folds.size(), it->dump()));
  std::ranges::transform(*it, folds.begin(), [](const json& item) { return item.get<double>(); });
  return folds;
}

void read_shapes(const json& object, Record& record) {
  const auto shapes = object.find("shapes");
  if (shapes == object.end()) return;
  if (!shapes->is_array()) wrong_type("shapes", "an array", *shapes);
  for (const json& shape : *shapes) {
    if (!shape.is_object()) wrong_type("shapes", "an array of objects", shape);
    ShapeTiming timing{{}, number_if_any(shape, "time_ns"), number_if_any(shape, "baseline_ns"), read_speedup(shape)};
    const json& dims = field(shape, "dims");
    if (!dims.is_object()) wrong_type("dims", "an object", dims);
    for (const auto& [name, extent] : dims.items()) timing.dims[name] = whole(dims, name.c_str(), 1, 1'000'000'000);
    record.shapes.push_back(std::move(timing));
  }
}

Noise read_noise(const json& object) {
  const double steal = number(object, "steal");
  if (steal > 1) throw RecordError(fmt::format("the record's 'steal' must be at most 1, got {}", steal));
  return {steal, number(object, "load"), whole(object, "switches", 0, 1'000'000'000), number_if_any(object, "pressure"),
          number_if_any(object, "baseline_drift")};
}

DeviceState read_state(const json& object) {
  return {number(object, "sm_mhz"), number(object, "memory_mhz"), number(object, "watts"), number(object, "celsius"),
          texts(object, "throttled")};
}

void read_bench(const json& object, Record& record) {
  if (!text_if_any(object, "doubt").empty()) record.doubt = named(object, "doubt", doubt_named);
  record.effort = text_if_any(object, "effort");
  record.target = text_if_any(object, "target");
  record.cache = text_if_any(object, "cache");
  record.baseline = text_if_any(object, "baseline");
  record.launches = whole_if_any(object, "launches");
  record.pairs = whole_if_any(object, "pairs");
  record.device_ns = number_if_any(object, "device_ns");
  record.judge_ns = number_if_any(object, "judge_ns");
  if (const json* before = object_if_any(object, "device_before")) record.device_before = read_state(*before);
  if (const json* after = object_if_any(object, "device_after")) record.device_after = read_state(*after);
  record.time_ns = number_if_any(object, "time_ns");
  record.baseline_ns = number_if_any(object, "baseline_ns");
  record.overhead_ns = number_if_any(object, "overhead_ns");
  record.gbps = number_if_any(object, "gbps");
  record.gflops = number_if_any(object, "gflops");
  record.efficiency = number_if_any(object, "efficiency");
  record.speedup = read_speedup(object);
  record.folds = read_folds(object);
  read_shapes(object, record);
  if (const json* threads = object_if_any(object, "threads"))
    record.threads = Threads{whole(*threads, "candidate", 1, 1'000'000), whole(*threads, "baseline", 1, 1'000'000)};
  if (const json* noise = object_if_any(object, "noise")) record.noise = read_noise(*noise);
}

constexpr std::array<std::string_view, 4> doubt_names = {"none", "machine", "candidate", "length"};

}  // namespace

std::string_view name(Doubt doubt) { return doubt_names[static_cast<std::size_t>(doubt)]; }

std::optional<Doubt> doubt_named(std::string_view name) {
  const auto found = std::ranges::find(doubt_names, name);
  if (found == doubt_names.end()) return std::nullopt;
  return static_cast<Doubt>(found - doubt_names.begin());
}

Device read_device(const json& object) {
  if (!object.is_object()) wrong_type("device", "an object", object);
  Device device{text(object, "platform"),
                text(object, "name"),
                text(object, "version"),
                text(object, "driver"),
                text(object, "kind"),
                text_if_any(object, "selector"),
                size_if_any(object, "work_group"),
                size_if_any(object, "local_bytes"),
                sizes_if_any(object, "work_items"),
                number_if_any(object, "copy_gbps"),
                number_if_any(object, "gflops")};
  if (device.kind != "cpu" && device.kind != "gpu" && device.kind != "other")
    throw RecordError(fmt::format("the record's 'kind' is unknown: {}", device.kind));
  return device;
}

Record parse_record(std::string_view line) {
  const json object = json::parse(line, nullptr, false);
  if (object.is_discarded()) throw RecordError("the record is no JSON");
  return read_record(object);
}

Record read_record(const json& object) {
  if (!object.is_object()) throw RecordError("the record is no JSON object");
  check_version(object);
  Record record;
  read_common(object, record);
  record.compile_ms = number_if_any(object, "compile_ms");
  read_test(object, record);
  record.seed = text_if_any(object, "seed");
  read_bench(object, record);
  return record;
}

}  // namespace assay::record
