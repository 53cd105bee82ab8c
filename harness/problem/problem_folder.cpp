// SPDX-License-Identifier: Apache-2.0
// problem-spec.yaml holds a record's fields, one a line, each value as JSON, which is YAML; the prompt is a text of its own lines. What
// lies in files is not repeated.
#include "assay/problem/problem_folder.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace assay::problem {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Part {
  const char* folder;
  const char* field;
};
constexpr Part kParts[] = {{"context", "context_files"}, {"test", "test_files"}, {"solution", "baseline_solution"}};
/// Keys of the file that are ours; a record has none of them.
constexpr std::array kOwnKeys = {"interface", "difficulty", "suites", "tags"};
/// Also in order: files of a folder have none.
constexpr const char* kOrder = "files";
constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;  // of a file

std::string text_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error)))
    throw ProblemError(fmt::format("{}: is missing, or no file of its own (a link, a folder, a pipe)", file.string()));
  if (fs::file_size(file, error) > kLargestFile || error)
    throw ProblemError(fmt::format("{}: is larger than {} MiB, or cannot be read", file.string(), kLargestFile >> 20));
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// YAML's scalars as JSON knows them; what is quoted is a text.
Json scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;
  if (text.empty() || text == "null" || text == "~") return nullptr;
  if (text == "true" || text == "false") return text == "true";
  const bool number = std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-';
  if (number) {
    const Json parsed = Json::parse(text, nullptr, false);
    if (parsed.is_number()) return parsed;
  }
  return text;
}

Json to_json(const YAML::Node& node, int depth) {
  constexpr int kDeepest = 32;
  if (depth > kDeepest) throw ProblemError(fmt::format("YAML of more than {} levels", kDeepest));
  if (node.IsMap()) {
    Json object = Json::object();
    for (const auto& entry : node) object[entry.first.Scalar()] = to_json(entry.second, depth + 1);
    return object;
  }
  if (node.IsSequence()) {
    Json list = Json::array();
    for (const auto& item : node) list.push_back(to_json(item, depth + 1));
    return list;
  }
  return node.IsScalar() ? scalar(node) : Json();
}

Json parse_spec(const std::string& text, const fs::path& file) {
  try {
    if (text.find('\0') != std::string::npos) throw ProblemError("has a zero byte, which YAML does not allow");
    const YAML::Node node = YAML::Load(text);
    if (!node.IsMap()) throw ProblemError("must be a map of fields");
    return to_json(node, 0);
  } catch (const std::exception& error) {
    throw ProblemError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

/// All files below `folder`, by name.
std::vector<std::string> names_below(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() || entry.is_symlink()) names.push_back(entry.path().lexically_relative(folder).generic_string());
  std::ranges::sort(names);
  return names;
}

/// The folder's files as a record has them: those that `order` names first.
Json files_in(const fs::path& folder, const Json& order) {
  std::vector<std::string> names = names_below(folder);
  std::vector<std::string> sorted;
  if (order.is_array())
    for (const Json& name : order)
      if (name.is_string() && std::ranges::find(names, name.get<std::string>()) != names.end()) sorted.push_back(name);
  for (const std::string& name : names)
    if (std::ranges::find(sorted, name) == sorted.end()) sorted.push_back(name);
  Json files = Json::array();
  for (const std::string& name : sorted) {
    require_plain_path(name, folder.string());
    std::string text = text_of(folder / name);
    files.push_back({{"path", name}, {"content", std::move(text)}});
  }
  return files;
}

bool is_plain_word(std::string_view text) {
  constexpr std::array kWords = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return false;
  if (std::ranges::find(kWords, text) != kWords.end()) return false;
  return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-'); });
}

std::string value_text(const Json& value) {
  if (value.is_string() && is_plain_word(value.get<std::string>())) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::strict);
}

/// A block of lines, where that gives the text back; else JSON.
std::string prompt_text(const std::string& prompt) {
  std::string block = fmt::format("prompt: |2{}\n", prompt.ends_with('\n') ? "+" : "-");
  for (std::size_t begin = 0; begin < prompt.size();) {
    const std::size_t end = std::min(prompt.find('\n', begin), prompt.size());
    const std::string line = prompt.substr(begin, end - begin);
    block += line.empty() ? "\n" : "  " + line + "\n";
    begin = end + 1;
  }
  try {
    if (YAML::Load(block + "next: 1\n")["prompt"].Scalar() == prompt) return block;
  } catch (const YAML::Exception&) {  // a control character, or so
  }
  return fmt::format("prompt: {}\n", value_text(prompt));
}

std::string spec_text(const Json& record, const Problem& problem) {
  std::string text = fmt::format("interface: program\ndifficulty: {}\n", difficulty_of(problem.difficulty));
  if (!problem.tags.empty()) text += fmt::format("tags: {}\n", value_text(problem.tags));
  for (const auto& [key, value] : record.items()) {
    if (std::ranges::find(kOwnKeys, key) != kOwnKeys.end()) continue;
    const auto part = std::ranges::find(kParts, key, &Part::field);
    if (key == "prompt") text += prompt_text(problem.prompt);
    else if (part == std::end(kParts)) text += fmt::format("{}: {}\n", key, value_text(value));
    else {
      Json rest = Json::object(), order = Json::array();
      const bool is_list = value.is_array();
      const Json& files = is_list ? value : value.is_object() ? value.value("files", Json::array()) : Json::array();
      for (const Json& file : files) order.push_back(file.at("path"));
      if (is_list) rest[kOrder] = order;
      else if (value.is_object())
        for (const auto& [name, of] : value.items()) rest[name] = name == kOrder ? order : of;
      else rest = value;
      text += fmt::format("{}: {}\n", key, value_text(rest));
    }
  }
  return text;
}

/// Without a wait for the disk: a folder that is not whole is made again.
void write_file(const fs::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes;
  if (!out.flush())
    throw std::runtime_error(fmt::format("import: {} cannot be written. do: check the disk's space and rights", file.string()));
}

}  // namespace

bool is_problem(const fs::path& spec) {
  if (spec.filename() == "problem-spec.yaml") return true;
  std::ifstream in(spec);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("interface:")) return line.find("program") != line.npos;
  return false;
}

/// A record is JSON, and JSON is UTF-8.
static void require_utf8(const Json& record, const fs::path& spec) {
  try {
    record.dump();
  } catch (const Json::type_error&) {
    throw ProblemError(fmt::format("{}: it, or a file of its folders, is no UTF-8. do: write it in UTF-8", spec.string()));
  }
}

Json read_folder_record(const fs::path& spec) {
  Json said = parse_spec(text_of(spec), spec);
  const fs::path folder = spec.parent_path();
  Json record = Json::object();
  for (const auto& [key, value] : said.items()) {
    if (std::ranges::find(kOwnKeys, key) != kOwnKeys.end()) continue;
    record[key == "problem_type" ? "type" : key] = value;
  }
  if (!record.contains("type")) record["type"] = "cuda_cpp";
  const std::string name = fs::absolute(folder).lexically_normal().filename().string();
  if (!record.contains("task_id")) record["task_id"] = name;
  if (!record.contains("date")) record["date"] = "";
  if (!record.contains("metadata")) {
    record["metadata"] = {{"difficulty", nullptr}};
    if (said.contains("tags")) record["metadata"]["tags"] = said["tags"];
  }
  for (const Part& part : kParts) {
    const Json given = record.contains(part.field) ? record[part.field] : Json();
    const bool solution = std::string_view(part.folder) == "solution";
    Json files = files_in(folder / part.folder, given.is_object() ? given.value(kOrder, Json()) : Json());
    if (!solution) record[part.field] = std::move(files);
    else if (given.is_object() && (given.contains(kOrder) || !files.empty())) record[part.field][kOrder] = std::move(files);
    else if (!given.is_object() && !files.empty())
      record[part.field] = {{"schema_version", 1}, {"type", "file"}, {"task_id", record["task_id"]}, {kOrder, std::move(files)}};
  }
  require_utf8(record, spec);
  return record;
}

Problem read_problem(const fs::path& spec) { return read_record(read_folder_record(spec), spec.string()); }

std::string own_text(const fs::path& spec) { return read_folder_record(spec).dump(-1, ' ', false, Json::error_handler_t::replace); }

void write_folder(const Json& record, const fs::path& folder) {
  const Problem problem = read_record(record, folder.string());
  const std::pair<const char*, const std::vector<TextFile>*> parts[] = {
      {"context", &problem.context}, {"test", &problem.test}, {"solution", &problem.solution}};
  fs::create_directories(folder);
  for (const auto& [name, files] : parts)
    for (const TextFile& file : *files) {
      const fs::path path = folder / name / file.path;
      fs::create_directories(path.parent_path());
      write_file(path, file.text);
    }
  write_file(folder / "problem-spec.yaml", spec_text(record, problem));
  if (read_folder_record(folder / "problem-spec.yaml") != record)
    throw ProblemError(fmt::format("{}: does not say what the record said. do: report this as a bug", folder.string()));
}

}  // namespace assay::problem
