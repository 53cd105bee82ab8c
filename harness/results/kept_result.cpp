// SPDX-License-Identifier: Apache-2.0
// A result is written at one stroke, and then the mark goes that its test has begun. A reader who finds the mark without a lock knows
// that the test ended in between.
#include "assay/results/kept_result.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "assay/spec/whole_file.h"

namespace assay::results {
namespace {

namespace fs = std::filesystem;
constexpr int kFormat = 1;
constexpr std::size_t kLongestOutput = std::size_t{1} << 18;
constexpr std::string_view kCanary = "assay.canary.", kBegan = ".began", kEnded = ".json";

/// <folder>/<run>/<rest of the test's name>, without a suffix.
fs::path stem_of(const fs::path& folder, const std::string& test) {
  const auto dot = test.find('.');
  return folder / test.substr(0, dot) / test.substr(dot + 1);
}

fs::path file_of(const fs::path& folder, const KeptResult& result) {
  const std::string when = result.test.starts_with(kCanary) ? "." + result.began : "";
  return stem_of(folder, result.test).string() + when + std::string(kEnded);
}

fs::path marker_of(const fs::path& folder, const KeptResult& result) { return stem_of(folder, result.test).string() + std::string(kBegan); }

std::string to_text(const KeptResult& result) {
  const nlohmann::ordered_json json{{"format", kFormat},         {"test", result.test},           {"began", result.began},
                                    {"ended", result.ended},     {"source", result.basis.source}, {"plan", result.basis.plan},
                                    {"tool", result.basis.tool}, {"exit_code", result.exit_code}, {"record", result.record},
                                    {"output", result.output}};
  return json.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

KeptResult parse_result(const std::string& text, const fs::path& file) {
  const auto refuse = [&](const std::string& why) {
    return std::runtime_error(fmt::format("{} is no kept result: {}. do: remove it and judge again", file.string(), why));
  };
  try {
    const auto json = nlohmann::json::parse(text);
    if (const auto format = json.at("format").get<int>(); format != kFormat)
      throw refuse(fmt::format("expected format {}, got {}", kFormat, format));
    return {json.at("test"),      json.at("began"),  json.at("ended"), {json.at("source"), json.at("plan"), json.at("tool")},
            json.at("exit_code"), json.at("record"), json.at("output")};
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error.what());
  }
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  return {std::istreambuf_iterator<char>(in), {}};
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// Whether the process that wrote the mark still runs. Asks, and takes no lock that would be in that process' way.
bool is_locked(const fs::path& marker) {
  const spec::Descriptor file(open(marker.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return false;
  struct flock lock = whole_file(F_WRLCK);
  return fcntl(file.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// The mark's test, where it ended without a result. The mark goes, and is empty at first, while others look at it.
std::optional<KeptResult> read_marker(const fs::path& marker) {
  if (is_locked(marker)) return {};
  std::ifstream in(marker, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.empty()) return {};
  return parse_result(text, marker);
}

/// `result` in the place of an older one of its test.
void keep_newest(std::optional<KeptResult>& newest, std::optional<KeptResult> result) {
  if (result && (!newest || newest->began < result->began)) newest = std::move(result);
}

}  // namespace

std::string time_now() {
  const auto now = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()).time_since_epoch();
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(now).count();
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                     utc.tm_sec, (now % std::chrono::seconds(1)).count());
}

ResultFile::ResultFile(fs::path folder, std::string test, Basis basis)
    : folder_(std::move(folder)), result_{std::move(test), time_now(), "", std::move(basis), -1, "", ""} {
  const fs::path marker = marker_of(folder_, result_);
  std::error_code error;
  fs::create_directories(marker.parent_path(), error);
  marker_ = spec::Descriptor(open(marker.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!marker_)
    throw std::runtime_error(fmt::format("{}: cannot be written: {}. do: make its folder writable", marker.string(), std::strerror(errno)));
  struct flock lock = whole_file(F_WRLCK);
  fcntl(marker_.get(), F_OFD_SETLK, &lock);  // where the file system knows no locks, a running test looks like one that was killed
  const std::string text = to_text(result_);
  if (ftruncate(marker_.get(), 0) != 0 || write(marker_.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}. do: free some space on its disk", marker.string(), std::strerror(errno)));
}

void ResultFile::finish(std::string record, std::string output, int exit_code) {
  result_.ended = time_now();
  result_.record = std::move(record);
  result_.output = output.size() > kLongestOutput ? output.substr(0, kLongestOutput) : std::move(output);
  result_.exit_code = exit_code;
  spec::write_whole_file("results", file_of(folder_, result_), to_text(result_));
  unlink(marker_of(folder_, result_).c_str());
}

std::optional<KeptResult> read_result(const fs::path& folder, const std::string& test) {
  const std::string stem = stem_of(folder, test).string();
  std::optional<KeptResult> newest;
  if (const fs::path file = stem + std::string(kEnded); fs::exists(file)) newest = parse_result(read_text(file), file);
  keep_newest(newest, read_marker(stem + std::string(kBegan)));
  return newest;
}

std::vector<KeptResult> read_results(const fs::path& folder) {
  if (!fs::is_directory(folder)) return {};
  std::map<std::string, std::optional<KeptResult>> by_name;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& file = entry.path();
    const bool ended = file.extension() == kEnded, began = file.extension() == kBegan;
    if (!entry.is_regular_file() || !(ended || began)) continue;
    auto result = ended ? parse_result(read_text(file), file) : read_marker(file);
    if (!result) continue;
    const fs::path place = file_of(folder, *result);
    // Other versions keep under other names what this one does not know.
    if (file != (ended ? place : marker_of(folder, *result))) continue;
    keep_newest(by_name[place.string()], std::move(result));
  }
  std::vector<KeptResult> results;
  for (auto& [name, result] : by_name)
    if (result) results.push_back(std::move(*result));
  std::ranges::sort(results, {}, [](const KeptResult& result) { return std::tie(result.test, result.began); });
  return results;
}

}  // namespace assay::results
