// SPDX-License-Identifier: Apache-2.0
#include "assay/problem/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace assay::problem {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 32;               // of a record's JSON
constexpr std::size_t kLongestPath = 200;  // bytes
constexpr std::size_t kMostFiles = 1000;   // of a problem
constexpr std::array kTypes = {"cuda_cpp", "cuda_python"};
constexpr std::array kTimingModes = {"process", "kernels", "region", "gpu", "custom"};

/// In the order of a pack's lines. null: required; else what stands for a field that is missing.
struct Field {
  const char* name;
  const char* otherwise;  ///< JSON
};
constexpr Field kFields[] = {{"type", nullptr},
                             {"schema_version", "2"},
                             {"task_id", nullptr},
                             {"date", nullptr},
                             {"prompt", nullptr},
                             {"metadata", nullptr},
                             {"group", nullptr},
                             {"context_files", "[]"},
                             {"test_files", "[]"},
                             {"source_references", "null"},
                             {"build_command", "null"},
                             {"test_command", nullptr},
                             {"benchmark_command", "null"},
                             {"timing_mode", R"({"type":"process"})"},
                             {"min_cuda_toolkit", "null"},
                             {"compute_capability", "\"8.0\""},
                             {"requires_datacenter_gpu", "false"},
                             {"timeout_seconds", "null"},
                             {"baseline_solution", "null"}};

class Reader {
 public:
  Reader(const Json& record, std::string_view where) : record_(record), where_(where) {
    if (!record.is_object()) fail("a problem must be an object", record.type_name());
  }

  [[noreturn]] void fail(const std::string& expected, std::string_view got) const {
    throw ProblemError(fmt::format("{}: {}. got: {}", where_, expected, got.substr(0, 200)));
  }

  const Json* find(const char* key) const {
    const auto found = record_.find(key);
    return found == record_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string text(const Json& object, const char* key, bool required = true) const {
    const auto found = object.find(key);
    if (found == object.end() || (found->is_null() && !required)) {
      if (required) fail(fmt::format("{} is missing", key), "a record without it");
      return "";
    }
    if (!found->is_string()) fail(fmt::format("{} must be a text", key), found->type_name());
    return found->get<std::string>();
  }

  std::optional<std::string> text_if_any(const char* key) const {
    if (find(key) == nullptr) return {};
    return text(record_, key);
  }

  std::vector<std::string> texts(const Json& list, const char* key) const {
    if (!list.is_array()) fail(fmt::format("{} must be a list of texts", key), list.type_name());
    for (const Json& item : list)
      if (!item.is_string()) fail(fmt::format("{} must be a list of texts", key), item.type_name());
    return list.get<std::vector<std::string>>();
  }

  std::vector<TextFile> files(const Json& list, const char* key) const {
    if (!list.is_array() || list.size() > kMostFiles)
      fail(fmt::format("{} must be a list of at most {} files", key, kMostFiles), list.type_name());
    std::vector<TextFile> files;
    std::set<std::string> paths;
    for (const Json& item : list) {
      if (!item.is_object()) fail(fmt::format("{} must hold objects of path and content", key), item.type_name());
      TextFile file{text(item, "path"), text(item, "content")};
      require_plain_path(file.path, fmt::format("{}: {}", where_, key));
      if (!paths.insert(file.path).second) fail(fmt::format("{} names a file twice", key), file.path);
      files.push_back(std::move(file));
    }
    for (const std::string& path : paths)  // "a" and "a/b": no folder holds both
      for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
        if (paths.contains(path.substr(0, slash))) fail(fmt::format("{} has a file and a folder of one name", key), path);
    return files;
  }

  std::vector<TextFile> files_if_any(const char* key) const {
    const Json* list = find(key);
    return list == nullptr ? std::vector<TextFile>() : files(*list, key);
  }

  std::optional<SourceReferences> references() const {
    const Json* said = find("source_references");
    if (said == nullptr) return {};
    SourceReferences references;
    if (said->is_string()) references.all = {said->get<std::string>()};
    else if (said->is_array()) references.all = texts(*said, "source_references");
    else if (!said->is_object()) fail("source_references must be a text, a list, or any and all", said->type_name());
    else {
      for (auto& [key, list] : {std::pair("any", &references.any), std::pair("all", &references.all)})
        if (const auto found = said->find(key); found != said->end() && !found->is_null()) *list = texts(*found, "source_references");
      if (!references.any && !references.all) fail("source_references must have any or all", said->dump());
    }
    return references;
  }

  std::optional<std::chrono::duration<double>> timeout() const {
    const Json* said = find("timeout_seconds");
    if (said == nullptr) return {};
    constexpr double kMost = 3600;
    double seconds = 0;
    if (said->is_number()) seconds = said->get<double>();
    else fail("timeout_seconds must be a number", said->type_name());
    if (!(seconds > 0 && seconds <= kMost)) fail(fmt::format("timeout_seconds must be above 0, and {} at most", kMost), said->dump());
    return std::chrono::duration<double>(seconds);
  }

  TimingMode timing() const {
    TimingMode mode;
    const Json* said = find("timing_mode");
    if (said == nullptr) return mode;
    if (!said->is_object()) fail("timing_mode must be an object with a type", said->type_name());
    mode.type = text(*said, "type");
    if (std::ranges::find(kTimingModes, mode.type) == std::end(kTimingModes))
      fail(fmt::format("timing_mode: type must be one of {}", fmt::join(kTimingModes, ", ")), mode.type);
    for (const auto& [key, list] : {std::pair("include", &mode.include), std::pair("exclude", &mode.exclude)})
      if (const auto found = said->find(key); found != said->end() && !found->is_null())
        *list = texts(*found, fmt::format("timing_mode: {}", key).c_str());
    return mode;
  }

  void read_metadata(Problem& problem) const {
    const Json* metadata = find("metadata");
    if (metadata == nullptr) return;
    if (!metadata->is_object()) fail("metadata must be an object", metadata->type_name());
    problem.difficulty = text(*metadata, "difficulty", false);
    if (const auto tags = metadata->find("tags"); tags != metadata->end()) problem.tags = texts(*tags, "metadata: tags");
    if (const auto releases = metadata->find("releases"); releases != metadata->end())
      problem.releases = texts(*releases, "metadata: releases");
  }

  /// Files of a reference that is a patch are none that anybody could build.
  void read_solution(Problem& problem) const {
    const Json* baseline = find("baseline_solution");
    if (baseline == nullptr) return;
    if (!baseline->is_object()) fail("baseline_solution must be an object", baseline->type_name());
    if (const auto list = baseline->find("files"); list != baseline->end()) problem.solution = files(*list, "baseline_solution: files");
  }

 private:
  const Json& record_;
  std::string_view where_;
};

}  // namespace

Problem read_record(const Json& record, std::string_view where) {
  const Reader from(record, where);
  Problem problem;
  problem.id = from.text(record, "task_id");
  const std::string here = fmt::format("{}: {}", where, problem.id);
  const Reader of(record, here);
  // Of July 2025: one source is made of the declaration, the answer and the test. All are in the packs of that year, too.
  if (!record.contains("type") && record.contains("declaration") && record.contains("test"))
    of.fail("is of the format before packs, whose test includes the answer. do: take the pack 2025-1, or a later one", "declaration, test");
  problem.type = of.text(record, "type");
  if (std::ranges::find(kTypes, problem.type) == std::end(kTypes)) of.fail("type must be cuda_cpp or cuda_python", problem.type);
  problem.date = of.text(record, "date", false);
  problem.prompt = of.text(record, "prompt");
  of.read_metadata(problem);
  problem.group = of.text(record, "group", false);
  problem.context = of.files_if_any("context_files");
  problem.test = of.files_if_any("test_files");
  problem.references = of.references();
  problem.build_command = of.text_if_any("build_command");
  problem.test_command = of.text(record, "test_command");
  problem.benchmark_command = of.text_if_any("benchmark_command");
  problem.timing = of.timing();
  problem.min_toolkit = of.text_if_any("min_cuda_toolkit");
  problem.compute_capability = of.text_if_any("compute_capability");
  if (const Json* datacenter = of.find("requires_datacenter_gpu")) {
    if (!datacenter->is_boolean()) of.fail("requires_datacenter_gpu must be true or false", datacenter->type_name());
    problem.needs_datacenter_gpu = datacenter->get<bool>();
  }
  problem.timeout = of.timeout();
  of.read_solution(problem);
  return problem;
}

namespace {

/// Path and content alone: what else a file's object says, no reader of the format keeps.
void keep_paths_and_contents(Json& files) {
  for (Json& file : files) file = {{"path", file.at("path")}, {"content", file.at("content")}};
}

}  // namespace

Json complete_record(const Json& record) {
  Json complete = Json::object();
  for (const Field& field : kFields) {
    const auto found = record.find(field.name);
    if (found != record.end()) complete[field.name] = *found;
    else if (field.otherwise != nullptr) complete[field.name] = Json::parse(field.otherwise);
    else complete[field.name] = "";
  }
  Json& references = complete["source_references"];
  if (references.is_string()) references = {{"any", nullptr}, {"all", Json::array({references})}};
  else if (references.is_array()) references = {{"any", nullptr}, {"all", references}};
  else if (references.is_object()) references = {{"any", references.value("any", Json())}, {"all", references.value("all", Json())}};
  Json& timeout = complete["timeout_seconds"];
  if (timeout.is_number()) timeout = timeout.get<double>();
  if (!complete["metadata"].is_object()) complete["metadata"] = Json::object();
  for (const char* key : {"context_files", "test_files"}) {
    if (!complete[key].is_array()) complete[key] = Json::array();
    keep_paths_and_contents(complete[key]);
  }
  if (Json& solution = complete["baseline_solution"]; solution.is_object() && solution.contains("files"))
    keep_paths_and_contents(solution["files"]);
  return complete;
}

Json parse_json(std::string_view text, std::string_view where) {
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw ProblemError(fmt::format("{}: JSON of more than {} levels", where, kDeepest));
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::exception& error) {
    throw ProblemError(fmt::format("{}: no JSON: {}", where, error.what()));
  }
}

void require_plain_path(std::string_view path, std::string_view where) {
  const auto fail = [&](std::string_view why) {
    throw ProblemError(
        fmt::format("{}: the path '{}' {}. do: name a file below the problem's folder", where, path.substr(0, kLongestPath), why));
  };
  if (path.empty() || path.size() > kLongestPath) fail(fmt::format("must have 1 to {} bytes", kLongestPath));
  if (path.front() == '/') fail("is absolute");
  constexpr std::string_view kMarks = "_.-+@,=/ ";
  if (!std::ranges::all_of(
          path, [&](unsigned char c) { return (c < 0x80 && std::isalnum(c) != 0) || kMarks.find(static_cast<char>(c)) != kMarks.npos; }))
    fail(fmt::format("has other characters than letters, digits and '{}'", kMarks));
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty()) fail("has an empty part");
    if (part.front() == '.') fail(part == ".." ? "climbs" : "has a part that begins with a dot");
    if (part.front() == '-') fail("has a part that begins with a dash");
    begin = end + 1;
  }
}

int difficulty_of(std::string_view words) {
  struct Level {
    std::string_view word;
    int level;
  };
  constexpr Level kLevels[] = {{"easy", 1}, {"medium", 3}, {"moderate", 3}, {"intermediate", 3}, {"hard", 5}};
  for (const auto& [word, level] : kLevels)
    if (word == words) return level;
  return 3;
}

std::string solution_suffix(const Problem& problem) {
  constexpr std::string_view kSources[] = {".cu", ".cpp", ".cc", ".cxx", ".c", ".py"};
  std::string first;
  for (const TextFile& file : problem.solution) {
    std::string suffix = std::filesystem::path(file.path).extension();
    if (std::ranges::find(kSources, suffix) != std::end(kSources)) return suffix;
    if (first.empty()) first = std::move(suffix);
  }
  return first;
}

std::string prompt_for(const Problem& problem) {
  std::string prompt = problem.prompt;
  if (!prompt.ends_with('\n')) prompt += '\n';
  for (const TextFile& file : problem.context) prompt += fmt::format("\n--- file: {}\n{}", file.path, file.text);
  const bool python = problem.type == "cuda_python";
  if (problem.build_command && !python) prompt += fmt::format("\nIt is built by: {}\n", *problem.build_command);
  prompt += fmt::format("\nAnswer with each file in a code block of its own, whose first line is `{} file: <path>`.", python ? "#" : "//");
  for (const TextFile& file : problem.solution) prompt += fmt::format(" {} is needed.", file.path);
  return prompt + "\n";
}

std::string task_name_of(std::string_view id) {
  std::string name;
  for (const unsigned char c : id) {
    if (c < 0x80 && std::isalnum(c) != 0) name += static_cast<char>(std::tolower(c));
    else if (!name.empty() && name.back() != '_') name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, "t_");
  return name;
}

std::string category_of(std::string_view group) { return group.empty() ? "program" : task_name_of(group); }

}  // namespace assay::problem
